// Package stp dissects the spanning tree protocols with which bridges avoid loops: STP (IEEE 802.1D-1998 clause 9),
// RSTP (IEEE 802.1D-2004 clause 9.3), MSTP (IEEE 802.1Q clause 14) and Cisco's per-VLAN variant.
package stp

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("stp", "STP", "Spanning Tree Protocol: bridges agree on paths without loops.").
	Summary("Spanning Tree Protocol").Color(dissect.HueYellow).SharesFields(mst)

var (
	fProtocol = proto.Uint16("protocol", "Protocol Identifier", "Always 0.").Hex().
			Named(dissect.Values{0: "Spanning Tree Protocol"})
	fVersion = proto.Uint8("version", "Protocol Version Identifier", "Which of the spanning tree protocols.").
			Named(dissect.Values{0: "Spanning Tree", 2: "Rapid Spanning Tree", 3: "Multiple Spanning Tree",
			4: "Shortest Path Tree"})
	fType = proto.Kind("type", "BPDU Type",
		dissect.Values{0: "Configuration", 2: "Rapid/Multiple Spanning Tree", 0x80: "Topology Change Notification"},
		"Sort of bridge protocol data unit.").Hex().Wordless()
	fFlags = proto.Uint8("flags", "BPDU flags", "State of the sending port.").Hex()
	fRoot  = proto.Group("root", "Root Identifier", "The bridge that the sender takes for the root.").
		Summary("{root.prio:raw} / {root.ext:raw} / {root.hw}")
	fRootPrio = proto.Uint16("root.prio", "Root Bridge Priority", "Priority of the root: the lowest wins.")
	fRootExt  = proto.Uint16("root.ext", "Root Bridge System ID Extension", "Number of the VLAN or instance.")
	fRootHW   = proto.Ether("root.hw", "Root Bridge System ID", "Address of the root.")
	fCost     = proto.Uint32("root.cost", "Root Path Cost", "Cost of the path from the sender to the root.")
	fBridge   = proto.Group("bridge", "Bridge Identifier", "The sender.").
			Summary("{bridge.prio:raw} / {bridge.ext:raw} / {bridge.hw}")
	fPrio    = proto.Uint16("bridge.prio", "Bridge Priority", "Priority of the sender.")
	fExt     = proto.Uint16("bridge.ext", "Bridge System ID Extension", "Number of the VLAN or instance.")
	fHW      = proto.Ether("bridge.hw", "Bridge System ID", "Address of the sender.")
	fPort    = proto.Uint16("port", "Port identifier", "Port that the sender sent from, with its priority.").Hex()
	fAge     = proto.Float64("msg_age", "Message Age", "Seconds since the root sent what this tells.")
	fMaxAge  = proto.Float64("max_age", "Max Age", "Seconds after which it is forgotten.")
	fHello   = proto.Float64("hello", "Hello Time", "Seconds between configuration messages.")
	fDelay   = proto.Float64("forward", "Forward Delay", "Seconds that a port listens and learns before it forwards.")
	fLen1    = proto.Uint8("version_1_length", "Version 1 Length", "Always 0.")
	fPad     = proto.Uint8("pvst.pad", "Padding", "Zero. Wireshark has no name for it.")
	fTLVType = proto.Uint16("pvst.tlvtype", "Type", "Sort of Cisco's record.").Hex().
			Named(dissect.Values{0: "Originating VLAN"})
	fTLVLen   = proto.Uint16("pvst.tlvlen", "Length", "Length of the record's value in bytes.")
	fVLAN     = proto.Uint16("pvst.origvlan", "Originating VLAN", "VLAN of this tree.")
	fTLVValue = proto.Bytes("pvst.tlvval", "Value", "Value of a record of another sort.")
	fPVST     = proto.Group("pvst", "Originating VLAN (PVID)", "Cisco's record with the VLAN of this tree.")

	nType   = proto.Expert("type.unknown", dissect.Warn, "Unknown BPDU type data")
	nTLVLen = proto.Expert("pvst.tlvlen.invalid", dissect.Warn, "Indicated length is not valid for this record type").
		About(dissect.AboutMalformed)
	nTLVType = proto.Expert("pvst.tlv.unknown", dissect.Warn, "TLV type is unknown").About(dissect.AboutUndecoded)
)

var (
	fAck     = flag("tcack", "Topology Change Acknowledgment", 0x80, "The notification of a change arrived.")
	fAgree   = flag("agreement", "Agreement", 0x40, "The sender agrees to the proposal.")
	fForward = flag("forwarding", "Forwarding", 0x20, "The port forwards.")
	fLearn   = flag("learning", "Learning", 0x10, "The port learns addresses.")
	fRole    = proto.Uint8("flags.port_role", "Port Role", "What the port is for.").Masked(0x0c).
			Named(dissect.Values{0: "Unknown", 1: "Alternate or Backup", 2: "Root", 3: "Designated"})
	fPropose = flag("proposal", "Proposal", 0x02, "The sender proposes to be designated.")
	fChange  = flag("tc", "Topology Change", 0x01, "The topology changed.")
)

func flag(name, label string, mask uint64, doc string) *dissect.Field {
	return proto.Bool("flags."+name, label, doc).Masked(mask).TrueFalse("Yes", "No")
}

// Plugin attaches the protocols to their service access point and to Cisco's number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: bpdu,
		On: []dissect.Key{{Table: tables.LLCPayload, Value: 0x42}, {Table: tables.LLCCisco, Value: pidPVST}}}
}

const (
	pidPVST = 0x010b

	kindConfig = 0x00
	kindRapid  = 0x02
	kindNotify = 0x80
)

func bpdu(d *dissect.D) {
	pvst := d.Inner().Key() == pidPVST
	d.Uint(fProtocol)
	version := d.Uint(fVersion)
	switch kind := d.Kind(fType); {
	case d.Short():
	case kind == kindNotify:
		d.Info().Set("Topology Change Notification")
	case kind == kindConfig || kind == kindRapid:
		config(d, version, kind)
		if pvst {
			records(d)
		}
	default:
		d.Expert(nType)
		if d.Info().Wanted() {
			d.Info().Setf("Unknown BPDU type (%d)", kind)
		}
	}
}

func config(d *dissect.D, version, kind uint64) {
	flags := flagBits(d, kind)
	identifier(d, fRoot, fRootPrio, fRootExt, fRootHW)
	d.Uint(fCost)
	identifier(d, fBridge, fPrio, fExt, fHW)
	d.Uint(fPort)
	for _, f := range [...]*dissect.Field{fAge, fMaxAge, fHello, fDelay} {
		seconds(d, f)
	}
	info(d, version, kind, flags)
	if kind != kindRapid {
		return
	}
	length := d.Uint(fLen1)
	if version >= 3 && !d.Short() && length == 0 && d.Left() >= 2 {
		multiple(d)
	}
}

// info writes the Info column.
func info(d *dissect.D, version, kind, flags uint64) {
	word := "Conf. "
	switch {
	case kind == kindRapid && version == 4:
		word = "SPT. "
	case kind == kindRapid && version == 3:
		word = "MST. "
	case kind == kindRapid:
		word = "RST. "
	}
	if flags&1 != 0 {
		word += "TC + "
	}
	d.Info().Set(word + "Root = {root.prio:raw}/{root.ext:raw}/{root.hw}  Cost = {root.cost:raw}  Port = {port}")
}

// flagBits reads the flags. A configuration of the old protocol has two of them.
func flagBits(d *dissect.D, kind uint64) uint64 {
	at := d.Pos()
	v := d.Uint(fFlags)
	if d.Short() {
		return 0
	}
	if d.Labelling() {
		d.Suffix(fFlags, flagText(v, kind))
	}
	fields := []*dissect.Field{fAck, fChange}
	if kind == kindRapid {
		fields = []*dissect.Field{fAck, fAgree, fForward, fLearn, fRole, fPropose, fChange}
	}
	d.Below(func() {
		for _, f := range fields {
			d.Put(f, v, at, 1)
		}
	})
	return v
}

// flagText lists the flags that are set.
func flagText(v, kind uint64) string {
	var b strings.Builder
	for _, f := range []*dissect.Field{fAck, fAgree, fForward, fLearn, fRole, fPropose, fChange} {
		switch {
		case kind != kindRapid && f != fAck && f != fChange:
		case f == fRole:
			fmt.Fprintf(&b, ", Port Role: %s", f.ValueName(v>>2&3))
		case v&f.Mask() != 0:
			b.WriteString(", " + f.Label())
		}
	}
	return b.String()
}

// identifier reads a bridge's identifier: four bits of priority, twelve of an extension, an address.
func identifier(d *dissect.D, group, prio, ext, hw *dissect.Field) {
	d.In(group, func() {
		v, at := d.PeekUint(0, 2), d.Pos()
		d.Skip(2)
		if d.Short() {
			return
		}
		d.Put(prio, v&0xf000, at, 2)
		d.Put(ext, v&0x0fff, at, 2)
		d.Ether(hw)
	})
}

// seconds reads a time in units of 1/256 s.
func seconds(d *dissect.D, f *dissect.Field) {
	v, at := d.PeekUint(0, 2), d.Pos()
	d.Skip(2)
	if !d.Short() {
		d.Put(f, dissect.Float64(float64(v)/256), at, 2)
	}
}

// records reads the records behind a per-VLAN configuration. Some implementations leave a byte in front of them.
func records(d *dissect.D) {
	if d.Left()%2 == 1 && d.More() {
		d.Uint(fPad)
	}
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		d.In(fPVST, func() {
			kind, length := d.Uint(fTLVType), int(d.Uint(fTLVLen))
			switch {
			case kind == 0 && length == 2:
				d.Uint(fVLAN)
			case kind == 0:
				d.Expert(nTLVLen)
				d.Bytes(fTLVValue, length)
			default:
				d.Expert(nTLVType)
				d.Bytes(fTLVValue, length)
			}
		})
	}
}
