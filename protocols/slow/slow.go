// Package slow dissects the Slow Protocols of Ethernet (IEEE 802.3 annex 57A) and, of them, the Link Aggregation
// Control Protocol (IEEE 802.1AX), by which switches and hosts bundle links.
package slow

import "remora/dissect"

var (
	proto = dissect.NewProtocol("slow", "Slow Protocols",
		"Slow Protocols: what the two ends of an Ethernet link agree on.").
		Summary("Slow Protocols").Color(dissect.HueYellow)
	lacp = dissect.NewProtocol("lacp", "LACP", "Link Aggregation Control Protocol: two ends bundle links.").
		Summary("Link Aggregation Control Protocol").Color(dissect.HueYellow)

	fSub = proto.Kind("subtype", "Slow Protocols subtype",
		dissect.Values{1: "LACP", 2: "Marker Protocol", 3: "OAM", 10: "Organization Specific Slow Protocol"},
		"Which of the protocols it is.").Hex().Wordless()
	fBody = proto.Bytes("data", "Data", "What protocols carry that are not read.")
)

// tableSubtype has the protocols by their subtype.
const tableSubtype dissect.Table = "slow.subtype"

// The pieces of a LACP packet.
const (
	tlvActor     = 1
	tlvPartner   = 2
	tlvCollector = 3
)

// Plugin attaches the Slow Protocols to their EtherType.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8809}}}
}

// LACP attaches LACP to its subtype.
func LACP() dissect.Plugin {
	return dissect.Plugin{Protocol: lacp, Dissect: aggregation, On: []dissect.Key{{Table: tableSubtype, Value: 1}}}
}

func packet(d *dissect.D) {
	sub := d.Kind(fSub)
	d.Info().Set("{subtype:name}")
	if !d.Next(tableSubtype, uint32(sub)) {
		d.Rest(fBody)
	}
}

// an end is one of the two ends that a packet tells of.
type end struct {
	prio, id, key, portPrio, port, state, text, rest *dissect.Field
	bits                                             []*dissect.Field
	name                                             string
}

var (
	actor   = end{lAPrio, lAID, lAKey, lAPortPrio, lAPort, lAState, lAText, lARes, actorBits, "actor"}
	partner = end{lPPrio, lPID, lPKey, lPPortPrio, lPPort, lPState, lPText, lPRes, partnerBits, "partner"}
)

func aggregation(d *dissect.D) {
	if v := d.Uint(lVersion); d.Info().Wanted() {
		d.Info().Setf("v%d", v)
	}
	for more := d.Elements(); more.Next(); {
		kind := d.Uint(lTLV)
		n := int(d.Uint(lLen)) - 2
		if kind == 0 || n < 0 {
			break
		}
		d.Within(n, func() {
			switch kind {
			case tlvActor:
				actor.read(d)
				d.Info().Set("ACTOR {actor.sysid} P: {actor.port} K: {actor.key} {actor.state_str}")
			case tlvPartner:
				partner.read(d)
				d.Info().Set("PARTNER {partner.sysid} P: {partner.port} K: {partner.key} {partner.state_str}")
			case tlvCollector:
				d.Uint(lDelay)
				d.Bytes(lDelayRes, min(12, d.Left()))
			}
			d.Rest(lVendor)
		})
	}
	if n := min(50, d.Left()); n > 0 {
		d.Bytes(lPad, n)
	}
	d.Rest(lVendor)
}

func (e *end) read(d *dissect.D) {
	d.Uint(e.prio)
	d.Ether(e.id)
	for _, f := range []*dissect.Field{e.key, e.portPrio, e.port} {
		d.Uint(f)
	}
	at := d.Pos()
	v := d.Bits(e.state, e.bits...)
	if d.Short() {
		return
	}
	d.PutText(e.text, letters(v), at, 1)
	d.Bytes(e.rest, min(3, d.Left()))
}

// letters draws a state as Wireshark does: a letter for each bit that is set, the highest first.
func letters(v uint64) string {
	out := []byte("EFDCSGSA")
	for i := range out {
		if v>>(7-i)&1 == 0 {
			out[i] = '*'
		}
	}
	return string(out)
}
