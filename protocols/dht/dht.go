// Package dht dissects the messages of BitTorrent's distributed hash table (BEP 5, BEP 32): bencoded dictionaries over
// UDP.
package dht

import (
	"bytes"
	"hash/fnv"

	"remora/dissect"
)

var proto = dissect.NewProtocol("bt-dht", "BT-DHT", "BitTorrent's distributed hash table: which peers have a torrent.").
	Summary("BitTorrent DHT Protocol").Color(dissect.HueGreen)

var (
	fType  = proto.Kind("type", "Message type", types, "What the message is.").Dec().Derived().Wordless()
	fDict  = proto.Node("bencoded.dict", "Dictionary", "Keys and values.").Summary("Dictionary...")
	fEntry = proto.Node("bencoded.dict_entry", "Dictionary Entry", "A key and its value.").
		Summary("{bt-dht.bencoded.key}[: {bt-dht.bencoded.string}][: {bt-dht.bencoded.int}]")
	fKey    = proto.String("bencoded.key", "Key", "What the value is.").Also(fString)
	fString = proto.String("bencoded.string", "String", "Text, or bytes in hexadecimal.")
	fInt    = proto.String("bencoded.int", "Int", "A number.")
	fList   = proto.Node("bencoded.list", "List", "Values.").Summary("List...")
	fEnd    = proto.String("bencoded.list.terminator", "Terminator", "The end of a list or dictionary.")
	fMark   = proto.String("bencoded.start", "Start", "The letter that a list or dictionary begins with.").Hidden()
	fNodes  = proto.Node("nodes", "Nodes", "Nodes that are near.")
	fNode   = proto.Node("node", "Node", "A node.").
		Summary("Node (id: {bt-dht.id}, [{bt-dht.ip}][{bt-dht.ip6}]:{bt-dht.port})")
	fPeer   = proto.Node("peer", "Peer", "A peer.").Summary("Peer ([{bt-dht.ip}][{bt-dht.ip6}]:{bt-dht.port})")
	fID     = proto.Bytes("id", "ID", "A node's number.")
	fIP     = proto.IPv4("ip", "IP", "The address.")
	fIP6    = proto.IPv6("ip6", "IP", "The address.")
	fPort   = proto.Uint16("port", "Port", "The port.")
	fRest   = proto.Bytes("truncated_data", "Truncated data", "Bytes that are no bencoding.")
	fRespIn = proto.FrameRef("response_in", "Response in", "The answer to this query.")
	fReqIn  = proto.FrameRef("request_in", "Request in", "The query that this answers.")
	fTime   = proto.Span("time", "Time since request", "Time from the query to the answer.").Derived()

	nString = proto.Expert("invalid_string", dissect.Error, "String must contain an integer").About(dissect.AboutMalformed)
	nLength = proto.Expert("invalid_length", dissect.Error, "Invalid length").About(dissect.AboutMalformed)
	nDeep   = proto.Expert("too_deep", dissect.Warn, "Lists and dictionaries are nested too deep")
)

const (
	query = iota + 1
	ping
	findNode
	getPeers
	announce
	response
	failure
)

var types = dissect.Values{query: "query", ping: "ping", findNode: "find_node", getPeers: "get_peers",
	announce: "announce_peer", response: "response", failure: "error"}

// Plugin recognises the messages by how they begin and end; they have no port of their own.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, Guess: recognise}
}

// recognise wants a dictionary whose first key is one of the protocol's, an end, and a type of message in it.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 16 || b[0] != 'd' || b[len(b)-1] != 'e' && !d.CutShort() {
		return dissect.No
	}
	for _, start := range [...]string{"d1:ad2:id20:", "d1:rd2:id20:", "d2:ip6:", "d2:ip4:", "d2:ip18:", "d1:eli20"} {
		if bytes.HasPrefix(b, []byte(start)) && (bytes.Contains(b, []byte("1:y1:")) || d.CutShort()) {
			return dissect.Strong
		}
	}
	return dissect.No
}

func message(d *dissect.D) {
	b := d.Data()
	kind := kindOf(b)
	if kind != 0 {
		d.SetKind(fType, kind)
	}
	d.Info().Setf("BitTorrent DHT Protocol")
	if kind != 0 && d.Info().Wanted() {
		d.Info().Setf("%s", types[kind])
	}
	r := reader{d: d}
	r.value("")
	d.Rest(fRest)
	if key, ok := transaction(b); ok {
		switch {
		case kind >= query && kind <= announce:
			d.Request(key, fRespIn)
		case kind != 0:
			d.Response(key, fRespIn, fReqIn, fTime)
		}
	}
}

// kindOf tells the type of a message by its keys y and q. Bencoding sorts keys, so that they stand near the end.
func kindOf(b []byte) uint64 {
	i := bytes.LastIndex(b, []byte("1:y1:"))
	if i < 0 || i+5 >= len(b) {
		return 0
	}
	switch b[i+5] {
	case 'r':
		return response
	case 'e':
		return failure
	case 'q':
	default:
		return 0
	}
	for i, name := range [...]string{"1:q4:ping", "1:q9:find_node", "1:q9:get_peers", "1:q13:announce_peer"} {
		if bytes.Contains(b, []byte(name)) {
			return ping + uint64(i)
		}
	}
	return query
}

// transaction is a number for the text that joins query and answer.
func transaction(b []byte) (uint64, bool) {
	i := bytes.LastIndex(b, []byte("1:t"))
	if i < 0 {
		return 0, false
	}
	n, at := length(b[i+3:])
	if at == 0 || n > 64 || i+3+at+n > len(b) {
		return 0, false
	}
	h := fnv.New64a()
	h.Write(b[i+3+at : i+3+at+n])
	return h.Sum64(), true
}
