package eth

import "remora/dissect"

var vlan = dissect.NewProtocol("vlan", "802.1Q", "Tags of virtual LANs.").Called("802.1Q Virtual LAN, PRI: {priority:raw}, DEI: {dei:raw}, ID: {id}")

var (
	vPriority = vlan.Uint16("priority", "Priority", "Priority code point.").Masked(0xe000).Named(dissect.Values{0: "Best Effort (default)", 1: "Background", 2: "Excellent Effort", 3: "Critical Applications", 4: "Video, < 100ms latency and jitter", 5: "Voice, < 10ms latency and jitter", 6: "Internetwork Control", 7: "Network Control"})
	vDEI      = vlan.Bool("dei", "DEI", "The frame may be dropped first.").Wide(2).Masked(0x1000).TrueFalse("Eligible", "Ineligible")
	vID       = vlan.Uint16("id", "ID", "Number of the virtual LAN.").Masked(0x0fff)
	vType     = vlan.Uint16("etype", "Type", "What the payload is (EtherType).").Hex().Named(etherTypes)
	vLen      = vlan.Uint16("len", "Length", "Length of an 802.3 payload.").In("bytes")
)

// VLAN attaches tags (IEEE 802.1Q, 802.1ad) to their EtherTypes.
func VLAN() dissect.Plugin {
	return dissect.Plugin{Protocol: vlan, Dissect: tag, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8100}, {Table: dissect.TableEther, Value: 0x88a8}, {Table: dissect.TableEther, Value: 0x9100}}}
}

func tag(d *dissect.D) {
	d.Bits(vPriority, vDEI, vID)
	d.Info("PRI: {priority:raw}, DEI: {dei:raw}, ID: {id}")
	if kind := d.PeekUint(0, 2); kind >= 0x600 {
		d.Uint(vType)
		d.Next(dissect.TableEther, uint32(kind))
		return
	}
	d.Limit(2 + int(d.PeekUint(0, 2)))
	d.Uint(vLen)
	d.Next(dissect.TableLLC, 0)
}
