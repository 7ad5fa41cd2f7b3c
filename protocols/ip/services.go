package ip

import (
	"cmp"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/dsfield"
)

var (
	fDSField = proto.Uint8("dsfield", "Differentiated Services Field",
		"Class of service (RFC 2474) and congestion (RFC 3168).").Hex()
	fDSCP = proto.Uint8("dsfield.dscp", "Differentiated Services Codepoint", "Class of service.").Masked(0xfc).
		Named(dsfield.Codepoints).InColumn("%f", dsfield.Short)
	fECN = proto.Uint8("dsfield.ecn", "Explicit Congestion Notification", "Congestion on the way.").Masked(0x03).
		Named(dsfield.ECN)

	fTOS = proto.Uint8("tos", "Type of Service", "What the datagram's way should be like (RFC 791, RFC 1349).").
		Format(func(v uint64) string { return fmt.Sprintf("0x%02x (%s)", v, cmp.Or(ways[v&0x1e], "Unknown")) })
	fTOSBits = []*dissect.Field{
		proto.Uint8("tos.precedence", "Precedence", "How urgent the datagram is.").Masked(0xe0).
			Named(dissect.Values{0: "routine", 1: "priority", 2: "immediate", 3: "flash", 4: "flash override", 5: "CRITIC/ECP",
				6: "internetwork control", 7: "network control"}),
		way("delay", "Delay", "Low", 0x10), way("throughput", "Throughput", "High", 0x08),
		way("reliability", "Reliability", "High", 0x04), way("cost", "Cost", "Low", 0x02)}
)

// ways are the types of service (RFC 1349 section 4) by their four bits.
var ways = map[uint64]string{0: "None", 0x02: "Minimize cost", 0x04: "Maximize reliability",
	0x08: "Maximize throughput", 0x10: "Minimize delay", 0x1e: "Maximize security"}

func way(name, label, yes string, mask uint64) *dissect.Field {
	return proto.Bool("tos."+name, label, label+" of the way that is wished for.").Masked(mask).TrueFalse(yes, "Normal")
}

var differentiated = proto.Switch("decode_tos_as_diffserv", "Decode IPv4 TOS field as DiffServ field",
	"Whether the second byte is a class of service and congestion (RFC 2474, RFC 3168), not a type of service (RFC 791).",
	true)

// services reads the byte that says how to carry the datagram.
func services(d *dissect.D) {
	at := d.Pos()
	if !differentiated.On(d) {
		v := d.Uint(fTOS)
		d.Below(func() {
			for _, f := range fTOSBits {
				d.Put(f, v, at, 1)
			}
		})
		return
	}
	v := d.Uint(fDSField)
	if d.Short() {
		return
	}
	dsfield.Suffix(d, fDSField, v)
	d.Below(func() {
		d.Put(fDSCP, v, at, 1)
		d.Put(fECN, v, at, 1)
	})
}
