package eth

import "remora/dissect"

var vlan = dissect.NewProtocol("vlan", "802.1Q", "Tags of virtual LANs.").Traits(dissect.HandsOn | dissect.Underlies).
	Summary("802.1Q Virtual LAN, PRI: {priority:raw}, DEI: {dei:raw}, ID: {id}")

var (
	vPriority = vlan.Uint16("priority", "Priority", "Priority code point.").Masked(0xe000).
			Named(dissect.Values{0: "Best Effort (default)", 1: "Background", 2: "Excellent Effort", 3: "Critical Applications",
			4: "Video, < 100ms latency and jitter", 5: "Voice, < 10ms latency and jitter", 6: "Internetwork Control",
			7: "Network Control"})
	vDEI = vlan.Bool("dei", "DEI", "The frame may be dropped first.").Wide(2).Masked(0x1000).
		TrueFalse("Eligible", "Ineligible")
	vID      = vlan.Uint16("id", "ID", "Number of the virtual LAN.").Masked(0x0fff).InColumn("%q", nil)
	vType    = vlan.Uint16("etype", "Type", "What the payload is (EtherType).").Hex().Named(etherTypes)
	vLen     = vlan.Uint16("len", "Length", "Length of an 802.3 payload in bytes.")
	vPastEnd = vlan.Expert("len.past_end", dissect.Error, "The length goes past the end of the frame").
			About(dissect.AboutMalformed)
)

// VLAN attaches customers' tags (IEEE 802.1Q) to their EtherTypes.
func VLAN() dissect.Plugin {
	return dissect.Plugin{Protocol: vlan, Tag: vID, Dissect: tag, Repeats: &dissect.RepeatedHeader{Size: 4},
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8100}, {Table: dissect.TableEther, Value: 0x9100}}}
}

func tag(d *dissect.D) {
	d.Ends().Tag(uint16(d.PeekUint(0, 2)))
	d.Bits(vPriority, vDEI, vID)
	d.Info().Set("PRI: {priority:raw}  DEI: {dei:raw}  ID: {id}")
	length := int(d.PeekUint(0, 2))
	if length >= minType {
		d.Uint(vType)
		d.Next(dissect.TableEther, uint32(length))
		return
	}
	d.Uint(vLen)
	if length > d.Left() && !d.CutShort() {
		d.Expert(vPastEnd)
	}
	d.Limit(length) // what is behind is the Ethernet header's to show
	d.Next(dissect.TableLLC, 0)
}

var bridge = dissect.NewProtocol("ieee8021ad", "802.1ad", "Tags that providers put around those of their customers.").
	Summary("IEEE 802.1ad[, ID: {id}][, S-VID: {svid}, C-VID: {cvid}]")

var (
	bPriority = bridge.Uint16("priority", "Priority", "Priority code point.").Masked(0xe000)
	bDEI      = bridge.Uint16("dei", "DEI", "The frame may be dropped first.").Masked(0x1000)
	bID       = bridge.Uint16("id", "ID", "Number of the provider's virtual LAN.").Masked(0x0fff)
	bSVID     = bridge.Uint16("svid", "ID", "Number of the provider's virtual LAN, in front of another tag of the kind.").
			Masked(0x0fff)
	bCVID = bridge.Uint16("cvid", "ID", "Number of the customer's virtual LAN, in a tag of the provider's kind.").
		Masked(0x0fff)
	bType = bridge.Uint16("etype", "Type",
		"What the payload is (EtherType). Wireshark lists it under a tag of another kind.").Hex().Named(etherTypes)
)

const bridgeType = 0x88a8

// Bridge attaches providers' tags (IEEE 802.1ad) to their EtherType.
func Bridge() dissect.Plugin {
	return dissect.Plugin{Protocol: bridge, Dissect: bridged,
		On: []dissect.Key{{Table: dissect.TableEther, Value: bridgeType}}}
}

// bridged reads a tag, or two of the same kind at once.
func bridged(d *dissect.D) {
	if d.PeekUint(2, 2) == bridgeType {
		part(d, bSVID)
		d.Uint(bType)
		part(d, bCVID)
	} else {
		part(d, bID)
	}
	kind := d.Uint(bType)
	if d.Short() {
		return
	}
	d.Next(dissect.TableEther, uint32(kind))
}

// part reads one tag: the first byte's bits, then the number in both bytes.
func part(d *dissect.D, id *dissect.Field) {
	both, at := d.PeekUint(0, 2), d.Pos()
	d.Skip(2)
	if d.Short() {
		return
	}
	d.Put(bPriority, both, at, 1)
	d.Put(bDEI, both, at, 1)
	d.Put(id, both, at, 2)
}
