package ssh

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"

	"remora/dissect"
)

// The messages that say something in the clear.
const (
	msgDisconnect = 1
	msgIgnore     = 2
	msgDebug      = 4
	msgKexInit    = 20
	msgNewKeys    = 21
	msgLoggedIn   = 52
)

// codes are the messages (RFC 4250 section 4.1). Those from 30 to 49 belong to the key exchange and are named by its
// method.
var codes = dissect.Values{1: "Disconnect", 2: "Ignore", 3: "Unimplemented", 4: "Debug", 5: "Service Request",
	6: "Service Accept",
	7: "Extension Information", 20: "Key Exchange Init", 21: "New Keys", 30: "Key Exchange Message 30",
	31: "Key Exchange Message 31",
	32: "Key Exchange Message 32", 33: "Key Exchange Message 33", 34: "Key Exchange Message 34",
	50: "User Authentication Request",
	51: "User Authentication Failure", 52: "User Authentication Success", 53: "User Authentication Banner",
	60: "Public Key algorithm accepted",
	80: "Global Request", 81: "Request Success", 82: "Request Failure", 90: "Channel Open",
	91: "Channel Open Confirmation",
	92: "Channel Open Failure", 93: "Window Adjust", 94: "Channel Data", 95: "Channel Extended Data", 96: "Channel EOF",
	97: "Channel Close",
	98: "Channel Request", 99: "Channel Success", 100: "Channel Failure"}

// exchangeCodes are the messages of the key exchange by its method (RFC 4253 section 8, RFC 4419 section 5, RFC 5656
// section
// 7.1).
var exchangeCodes = [...]map[uint64]string{
	methodDH: {30: "Diffie-Hellman Key Exchange Init", 31: "Diffie-Hellman Key Exchange Reply"},
	methodGroups: {30: "Diffie-Hellman Group Exchange Request (Old)", 31: "Diffie-Hellman Group Exchange Group",
		32: "Diffie-Hellman Group Exchange Init",
		33: "Diffie-Hellman Group Exchange Reply", 34: "Diffie-Hellman Group Exchange Request"},
	methodECDH: {30: "Elliptic Curve Diffie-Hellman Key Exchange Init",
		31: "Elliptic Curve Diffie-Hellman Key Exchange Reply"},
}

func codeName(code uint64, method uint8) string {
	if int(method) < len(exchangeCodes) {
		if name := exchangeCodes[method][code]; name != "" {
			return name
		}
	}
	if name := codes[code]; name != "" {
		return name
	}
	return fmt.Sprintf("Unknown (%d)", code)
}

var (
	fExchange = proto.Group("kex", "Key Exchange", "A message of the key exchange.")
	fAlgs     = proto.Group("algorithms", "Algorithms", "What the sender can do, best first.")
	fCookie   = proto.Bytes("cookie", "Cookie", "Bytes that nobody chose.")
	fFollows  = proto.Uint8("first_kex_packet_follows", "First KEX Packet Follows",
		"The sender guesses the method and has begun already.")
	fReserved = proto.Bytes("kex.reserved", "Reserved", "Zero.")
	fHASSH    = proto.String("kex.hassh", "hassh", "A mark of the client's program: MD5 of its algorithms.").Derived()
	fHASSHAlg = proto.String("kex.hassh_algorithms", "hasshAlgorithms", "What hassh is the digest of.").Derived()
	fSrvHASSH = proto.String("kex.hasshserver", "hasshServer", "A mark of the server's program: MD5 of its algorithms.").
			Derived()
	fSrvAlgs = proto.String("kex.hasshserver_algorithms", "hasshServerAlgorithms", "What hasshServer is the digest of.").
			Derived()
	fReason  = proto.Uint32("disconnect_reason", "Disconnect reason", "Why the connection ends.").Hex().Named(reasons)
	fDescLen = proto.Uint32("disconnect_description_length", "Disconnect description length", "Bytes of the text.")
	fDesc    = proto.String("disconnect_description", "Disconnect description", "Why the connection ends, in words.")
	fLangLen = proto.Uint32("lang_tag_length", "Language tag length", "Bytes of the tag.")
	fLang    = proto.String("lang_tag", "Language tag", "The language of the text.")
	fIgnLen  = proto.Uint32("ignore_data_length", "Debug message length", "Bytes of the data.")
	fIgnore  = proto.Bytes("ignore_data", "Ignore data", "Bytes without meaning.")
	fAlways  = proto.Bool("debug_always_display", "Always Display", "The text is for people.").TrueFalse("True", "False")
	fDbgLen  = proto.Uint32("debug_name_length", "Debug message length", "Bytes of the text.")
	fDebug   = proto.String("debug_name", "Debug message", "A text.")

	lists = algorithmLists()
)

// reasons are why a connection ends (RFC 4250 section 4.2.2).
var reasons = dissect.Values{1: "HOST_NOT_ALLOWED_TO_CONNECT", 2: "PROTOCOL_ERROR", 3: "KEY_EXCHANGE_FAILED",
	4: "RESERVED", 5: "MAC_ERROR",
	6: "COMPRESSION_ERROR", 7: "SERVICE_NOT_AVAILABLE", 8: "PROTOCOL_VERSION_NOT_SUPPORTED", 9: "HOST_KEY_NOT_VERIFIABLE",
	10: "CONNECTION_LOST",
	11: "BY_APPLICATION", 12: "TOO_MANY_CONNECTIONS", 13: "AUTH_CANCELLED_BY_USER", 14: "NO_MORE_AUTH_METHODS_AVAILABLE",
	15: "ILLEGAL_USER_NAME"}

// A list is one list of algorithms of a Key Exchange Init.
type list struct{ length, names *dissect.Field }

// algorithmLists are in the order of RFC 4253 section 7.1.
func algorithmLists() (out []list) {
	docs := [...]struct{ name, doc string }{
		{"kex_algorithms", "Ways to exchange keys."},
		{"server_host_key_algorithms", "Ways in which the server shows who it is."},
		{"encryption_algorithms_client_to_server", "Ciphers from the client."},
		{"encryption_algorithms_server_to_client", "Ciphers from the server."},
		{"mac_algorithms_client_to_server", "MACs from the client."},
		{"mac_algorithms_server_to_client", "MACs from the server."},
		{"compression_algorithms_client_to_server", "Compression from the client."},
		{"compression_algorithms_server_to_client", "Compression from the server."},
		{"languages_client_to_server", "Languages from the client."},
		{"languages_server_to_client", "Languages from the server."},
	}
	for _, l := range docs {
		out = append(out,
			list{proto.Uint32(l.name+"_length", l.name+" length", "Bytes of the list."),
				proto.String(l.name, l.name+" string", l.doc)})
	}
	return out
}

// message reads what a packet in the clear holds.
func message(d *dissect.D, n note, side string, server bool) {
	code := uint64(d.Peek(0))
	name := codeName(code, n.Method)
	appendInfo(d, side, name)
	d.In(fExchange, func() {
		if d.Labelling() {
			d.Suffix(fExchange, " ("+name+")")
		}
		d.Kind(fCode)
		switch code {
		case msgKexInit:
			d.In(fAlgs, func() { algorithms(d, server) })
		case msgDisconnect, msgIgnore, msgDebug:
			general(d, code)
		default:
			exchange(d, code, n.Method)
		}
		d.Rest(fPayload)
	})
}

// general reads messages that may come at any time (RFC 4253 section 11).
func general(d *dissect.D, code uint64) {
	switch code {
	case msgDisconnect:
		d.Uint(fReason)
		counted(d, fDescLen, fDesc)
	case msgIgnore:
		counted(d, fIgnLen, fIgnore)
		return
	case msgDebug:
		d.Uint(fAlways)
		counted(d, fDbgLen, fDebug)
	}
	counted(d, fLangLen, fLang)
}

// counted reads bytes with their length in front.
func counted(d *dissect.D, length, f *dissect.Field) {
	n := d.Uint(length)
	if n > uint64(d.Left()) {
		d.Expert(nLength)
		n = uint64(d.Left())
	}
	d.Bytes(f, int(n))
}

func algorithms(d *dissect.D, server bool) {
	d.Bytes(fCookie, 16)
	var names [10]string
	for i, l := range lists {
		n := d.Uint(l.length)
		if n > uint64(d.Left()) {
			d.Expert(nLength)
			return
		}
		names[i] = string(d.Bytes(l.names, int(n)))
	}
	d.Uint(fFollows)
	d.Bytes(fReserved, 4)
	hash, all, pick := fHASSH, fHASSHAlg, [...]string{names[0], names[2], names[4], names[6]}
	if server {
		hash, all, pick = fSrvHASSH, fSrvAlgs, [...]string{names[0], names[3], names[5], names[7]}
	}
	if d.Short() || !d.Wanted(hash) && !d.Wanted(all) {
		return
	}
	text := strings.Join(pick[:], ";")
	d.SetText(all, text)
	sum := md5.Sum([]byte(text))
	d.SetText(hash, hex.EncodeToString(sum[:]))
}
