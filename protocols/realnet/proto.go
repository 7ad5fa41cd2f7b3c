// Package realnet dissects the protocol of real-net, a networking library for games, in both of its layouts: as its
// document says, and as its code was built.
//
// One UDP datagram is one packet: a type byte, then (as documented, for most types) flags, then a sequence number and
// data, all little-endian. A server tells its clients by a link table which ids stand for which entities and variables;
// from then on replication carries bare ids and bytes, to which the dissector gives names and types back. Reliable
// packets are acknowledged and resent; ordered ones wait for those before them.
package realnet

import "remora/dissect"

var proto = dissect.NewProtocol("realnet", "real-net",
	"A game library's reliable UDP with linked names and replication.").
	LittleEndian().Traits(dissect.QuietQuoted).Color(dissect.HueGreen).
	Summary("real-net[, {realnet.type:name}][ from the {realnet.from}][, {realnet.layout}]")

// The layouts can be said by hand, too: these are real-net with the layout fixed.
var (
	asBuilt = dissect.NewProtocol("realnet_built", "real-net",
		"real-net as built: for decode as, where no handshake tells the layout.").
		Color(dissect.HueGreen).Summary("real-net[, {realnet.type:name}][ from the {realnet.from}][, {realnet.layout}]").
		SharesFields(proto)
	asDocumented = dissect.NewProtocol("realnet_doc", "real-net",
		"real-net as documented: for decode as, where no handshake tells the layout.").
		Color(dissect.HueGreen).Summary("real-net[, {realnet.type:name}][ from the {realnet.from}][, {realnet.layout}]").
		SharesFields(proto)
)

// running says where the packets tell how a session runs.
func running() *dissect.GameFields {
	return &dissect.GameFields{Latency: []*dissect.Field{fDelay}, Trip: []*dissect.Field{fAckTime},
		Repeats: []*dissect.Field{nResend, nDuplicate}}
}

// Plugin recognises real-net on any port by a handshake: an Init and what answers it. The protocol has no port of its
// own and no magic, so one packet alone is never enough. Both ends are claimed: other clients of a server known so are
// taken from their first packet on.
//
// What is remembered of a connection is bounded: 512 sequence numbers a side, 64 missing numbers and 64 packets that
// wait for them, and the last of 4096 values; about 400 KB at the worst. Notes are kept of each link table's ids, and
// of the values of each packet that changed, 1024 at most.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: func(d *dissect.D) { packet(d, 0) }, Guess: recognise, Endpoints: true,
		Empty: true, Game: running()}
}

// AsBuilt and AsDocumented are real-net in one layout, for decode as.
func AsBuilt() dissect.Plugin {
	return dissect.Plugin{Protocol: asBuilt, Dissect: func(d *dissect.D) { packet(d, layoutBuilt) }, Empty: true}
}

// AsDocumented is real-net as documented; see AsBuilt.
func AsDocumented() dissect.Plugin {
	return dissect.Plugin{Protocol: asDocumented, Dissect: func(d *dissect.D) { packet(d, layoutDocumented) }, Empty: true}
}
