// Package dhcpv6 dissects DHCP for IPv6 (RFC 8415) with its relays' messages and the options of RFC 3319, 3646, 3898,
// 4075, 4649, 4704, 5908, 5970 and others.
package dhcpv6

import (
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("dhcpv6", "DHCPv6",
	"Dynamic Host Configuration Protocol for IPv6: addresses, prefixes and settings.").
	Summary("DHCPv6").Color(dissect.HueYellow)

var (
	fType   = proto.Kind("msgtype", "Message type", messages, "What the message is.").Dec().Wordless()
	fXID    = proto.Uint24("xid", "Transaction ID", "Joins the messages of one exchange.").Hex()
	fHops   = proto.Uint8("hopcount", "Hopcount", "How many relays the message went through.")
	fLink   = proto.IPv6("linkaddr", "Link address", "The link that the client is on.")
	fPeer   = proto.IPv6("peeraddr", "Peer address", "Where the message came from, or goes.")
	fReqIn  = proto.FrameRef("request_in", "Request in", "The client's message that this answers.")
	fRespIn = proto.FrameRef("response_in", "Response in", "The server's answer to this message.")
	fTime   = proto.Span("time", "Time since request", "Time from the client's message to the answer.").Derived()

	nLength = proto.Expert("bogus_length", dissect.Error, "Bogus length").About(dissect.AboutMalformed)
	nOption = proto.Expert("malformed_option", dissect.Error, "Malformed option").About(dissect.AboutMalformed)
	nHops   = proto.Expert("error_hopcount", dissect.Warn, "Detected error on hop-count")
)

const (
	advertise    = 2
	reply        = 7
	reconfigure  = 10
	relayForward = 12
	relayReply   = 13
	maxHops      = 32
)

// waiting is what clients asked, by transaction.
type waiting struct{ asked map[uint64]dissect.FrameNum }

// maxWaiting bounds the exchanges remembered.
const maxWaiting = 1 << 14

var exchanges = dissect.NewStore[waiting, dissect.FrameNum]()

// relayed is the table in which a message inside a relay's is found.
const relayed dissect.Table = "dhcpv6.relay"

// Plugin attaches DHCPv6 to its ports, and to what relays carry.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, UDP: []uint16{546, 547}, Fits: fits,
		On: []dissect.Key{{Table: relayed}}}
}

// fits tells whether a datagram can be a message: of a type that there is, with a first option that ends within it.
func fits(d *dissect.D) bool {
	head, kind := 4, uint64(d.Peek(0))
	if kind == relayForward || kind == relayReply {
		head = 34
	}
	if messages[kind] == "" || d.Left() <= head {
		return messages[kind] != "" && d.CutShort()
	}
	at := head
	for range 2 { // options, whose codes are small
		if at == d.Left() || d.CutShort() && at+4 > d.Left() {
			break
		}
		if d.Peek(at) != 0 || d.Peek(at+1) == 0 || at+4 > d.Left() {
			return false
		}
		if at += 4 + int(d.PeekUint(at+2, 2)); at > d.Left()+d.Missing() {
			return false
		}
	}
	return true
}

func message(d *dissect.D) {
	kind := d.Kind(fType)
	if kind == relayForward || kind == relayReply {
		if d.Uint(fHops) > maxHops {
			d.Expert(nHops)
		}
		link := d.IPv6(fLink)
		d.IPv6(fPeer)
		if d.Info().Wanted() {
			d.Info().Fence(fmt.Sprintf("%s L: %s ", messages[kind], link))
		}
		options(d)
		return
	}
	xid := d.Uint(fXID)
	if d.Info().Wanted() {
		name := messages[kind]
		if name == "" {
			name = fmt.Sprintf("Message Type %d", kind)
		}
		d.Info().Setf("%s XID: 0x%06x", name, xid)
	}
	options(d)
	if d.Inner().Table() != relayed {
		pair(d, kind, xid)
	}
}

// pair joins a server's message with the client's of the same transaction: they go by different addresses.
func pair(d *dissect.D, kind, xid uint64) {
	answer := kind == advertise || kind == reply
	asked := exchanges.FirstPassIn(d, func(w *waiting) dissect.FrameNum {
		if w.asked == nil || len(w.asked) >= maxWaiting {
			w.asked = map[uint64]dissect.FrameNum{}
		}
		if answer {
			return w.asked[xid]
		}
		if kind != reconfigure {
			w.asked[xid] = d.Frame
		}
		return 0
	})
	if !answer {
		if kind != reconfigure {
			d.Links().IsRequest()
		}
		d.Links().ShowForward(fRespIn)
		return
	}
	if asked != 0 {
		d.Links().ResponseTo(asked, fRespIn, fReqIn)
		d.Packet().SetSince(fTime, asked)
	}
}
