// Package ndp dissects the Nortel Discovery Protocol, by which switches of SynOptics, Bay Networks and Nortel tell each
// other who they are (SynOptics Network Management Protocol).
package ndp

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("ndp", "NDP", "Nortel Discovery Protocol: switches that tell who they are.").
	Summary("Nortel Discovery Protocol").Color(dissect.HueYellow)

var (
	fType = proto.Kind("type", "Message type", types,
		"For whom the hello is, by the number in the header around it.").Wide(2).Hex().Derived().Wordless()
	fAddr      = proto.IPv4("ipaddress", "IP address", "Address of the sender.")
	fSegment   = proto.Uint24("segmentident", "Segment Identifier", "The port that it came from.").Hex()
	fChassis   = proto.Uint8("chassis", "Chassis type", "Sort of device.").Named(chassisTypes)
	fBackplane = proto.Uint8("backplane", "Backplane type", "What connects its ports.").Named(backplanes)
	fState     = proto.Uint8("state", "State", "How well the topology is known.").Named(states)
	fLinks     = proto.Uint8("numberoflinks", "Number of links", "How many links the sender has.")
	fRest      = proto.Bytes("trailing", "Trailing bytes", "Bytes behind the message.").Unknown()
)

// The numbers under which SNAP carries the two sorts, with Bay Networks' organization code.
const (
	flatNet = 0x01a1
	segment = 0x01a2
)

var types = dissect.Values{flatNet: "FlatNet Hello", segment: "Segment Hello"}

// Plugin attaches the protocol to its numbers in SNAP.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: hello,
		On: []dissect.Key{{Table: tables.LLCNortel, Value: flatNet}, {Table: tables.LLCNortel, Value: segment}}}
}

func hello(d *dissect.D) {
	kind := uint64(d.Inner().Key())
	d.SetKind(fType, kind)
	d.Info().Setf("%s", types[kind])
	d.IPv4(fAddr)
	for _, f := range []*dissect.Field{fSegment, fChassis, fBackplane, fState, fLinks} {
		d.Uint(f)
	}
	d.Rest(fRest)
}
