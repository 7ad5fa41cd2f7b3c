package stun

import "remora/dissect"

var old = dissect.NewProtocol("classicstun", "CLASSIC-STUN",
	"Simple Traversal of UDP Through NAT, the first STUN: what address a sender is seen under.").
	Summary("Simple Traversal of UDP Through NAT").Color(dissect.HueCyan)

var (
	oldType    = old.Kind("type", "Message Type", oldTypes, "What the message is.").Wide(2).Wordless()
	oldLength  = old.Uint16("length", "Message Length", "Length of the attributes.").Hex()
	oldID      = old.Bytes("id", "Message Transaction ID", "Joins request and response.")
	oldAtts    = old.Node("att", "Attributes", "What the message says.")
	oldRespIn  = old.FrameRef("response_in", "Response In", "The answer to this request.")
	oldRespTo  = old.FrameRef("response_to", "Request In", "The request that this answers.")
	oldTime    = old.Span("time", "Time", "Time from the request to the response.").Derived()
	oldAtt     = old.Group("attribute", "Attribute", "One attribute.").Summary("Attribute: {classicstun.att.type:name}")
	oldAttType = old.Uint16("att.type", "Attribute Type", "What the attribute is.").Hex().Named(oldAttributes)
	oldAttLen  = old.Uint16("att.length", "Attribute Length", "Length of the value.")
	oldValue   = old.Bytes("att.value", "Value", "The value.")
	oldUnused  = old.Bytes("att.reserved", "Reserved", "Bytes without a meaning.")
	oldFamily  = old.Uint16("att.family", "Protocol Family", "Which sort of address this is.").Hex().Named(families)
	oldIPv4    = old.IPv4("att.ipv4", "IP", "The address.")
	oldIPv6    = old.IPv6("att.ipv6", "IP", "The address.")
	oldPort    = old.Uint16("att.port", "Port", "The port.")
	oldMoveIP  = old.Bool("att.change.ip", "Change IP", "Answer from another address.").Wide(2).Masked(0x0004)
	oldMovePt  = old.Bool("att.change.port", "Change Port", "Answer from another port.").Wide(2).Masked(0x0002)
	oldUnknown = old.Uint16("att.unknown", "Unknown Attribute", "An attribute that the server does not know.").Hex()
	oldClass   = old.Uint8("att.error.class", "Error Class", "Hundreds of the error's number.").Masked(0x07)
	oldCode    = old.Uint8("att.error", "Error Code", "The rest of the error's number.")
	oldReason  = old.String("att.error.reason", "Error Reason Phase", "What went wrong, in the server's words.")
	oldIPv4Xor = old.IPv4("att.ipv4-xord", "IP (XOR-d)",
		"The address, whose bits are turned over by those of the transaction ID.")
	oldIPv6Xor = old.IPv6("att.ipv6-xord", "IP (XOR-d)",
		"The address, whose bits are turned over by those of the transaction ID.")
	oldPortXor = old.Uint16("att.port-xord", "Port (XOR-d)",
		"The port, whose bits are turned over by those of the transaction ID.")
	oldServer  = old.String("att.server", "Server version", "The server's program.")
	oldLife    = old.Uint32("att.lifetime", "Lifetime", "How long the relay keeps this, in seconds.")
	oldCookie  = old.Uint32("att.magic.cookie", "Magic Cookie", "Always 0x72c64bc6.").Hex()
	oldWidth   = old.Uint32("att.bandwidth", "Bandwidth", "Bandwidth asked for.")
	oldData    = old.Bytes("att.data", "Data", "What the relay hands on.")
	oldBinding = old.String("att.connection_request_binding", "Connection Request Binding",
		"Asks devices to keep a way open (TR-111).")
)

// Classic knows the messages of RFC 3489, which have no cookie, one by one on any port: a known type, a length that is
// exact, and attributes that fill it, of which one is known. Requests without attributes say less: they count on ports
// where servers of STUN are.
func Classic() dissect.Plugin {
	return dissect.Plugin{Protocol: old, Dissect: classic, Guess: recogniseClassic, Shared: true}
}

func recogniseClassic(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if d.Ends().Transport() != dissect.TableUDP || len(b) < 20 || oldTypes[d.PeekUint(0, 2)] == "" ||
		d.PeekUint(4, 4) == magic || int(d.PeekUint(2, 2)) != len(b)-20 {
		return dissect.No
	}
	switch {
	case len(b) > 20 && fits(b[20:]):
		return dissect.Strong
	case len(b) == 20 && (knownPort(d.Src.Port) || knownPort(d.Dst.Port)):
		return dissect.Strong
	}
	return dissect.No
}

// knownPort tells whether servers of STUN are often at a port.
func knownPort(p uint16) bool { return p >= port && p <= port+3 || p >= 19302 && p <= 19309 }

// fits tells whether attributes fill the bytes up to three, which pad the last one, and one is known.
func fits(b []byte) bool {
	known := false
	for p := (dissect.Progress{}); len(b) >= 4 && p.Down(len(b)); {
		kind, n := uint64(b[0])<<8|uint64(b[1]), int(b[2])<<8|int(b[3])
		if b = b[4:]; n > len(b) {
			return false
		}
		known = known || n >= 4 && oldAttributes[kind] != ""
		b = b[n:]
	}
	return known
}

// classic reads one message (RFC 3489 section 11).
func classic(d *dissect.D) {
	kind := d.Kind(oldType)
	length := int(d.Uint(oldLength))
	id := d.Bytes(oldID, 16)
	d.Info().Set("Message: {type:name}")
	if d.Short() {
		return
	}
	var key uint64
	for _, c := range id[8:] {
		key = key<<8 | uint64(c)
	}
	switch kind & 0x0110 {
	case 0:
		d.Request(key, oldRespIn)
	case 0x0100, 0x0110:
		d.Response(key, oldRespIn, oldRespTo, oldTime)
	}
	if length > 0 {
		d.In(oldAtts, func() {
			d.Within(length, func() {
				for more := d.Elements(); d.Left() >= 4 && more.Next(); {
					d.In(oldAtt, func() { oldAttribute(d, id) })
				}
				d.Rest(oldValue)
			})
		})
	}
}

func oldAttribute(d *dissect.D, id []byte) {
	kind := d.Uint(oldAttType)
	n := int(d.Uint(oldAttLen))
	d.Within(n, func() {
		oldContents(d, kind, id)
		d.Rest(oldValue)
	})
}

// oldContents reads the attributes whose form is known (RFC 3489 section 11.2 and drafts of TURN).
func oldContents(d *dissect.D, kind uint64, id []byte) {
	switch kind {
	case attMapped, attResponse, attSource, attChanged, attReflected, 0x0e, 0x11, 0x12:
		oldAddress(d)
	case 0x8020:
		oldTurned(d, id)
	case attChange:
		d.Skip(2)
		at, v := d.Pos(), d.PeekUint(0, 2)
		if d.Skip(2); !d.Short() {
			d.Put(oldUnused, 0, at-2, 2)
			d.Put(oldMoveIP, v, at, 2)
			d.Put(oldMovePt, v, at, 2)
		}
	case attError:
		d.Bytes(oldUnused, 2)
		d.Uint(oldClass)
		d.Uint(oldCode)
		d.Rest(oldReason)
	case attUnknown:
		for more := d.Elements(); d.Left() >= 2 && more.Next(); {
			d.Uint(oldUnknown)
		}
	case 0x8022:
		d.Rest(oldServer)
	case 0x0d:
		d.Uint(oldLife)
	case 0x0f:
		d.Uint(oldCookie)
	case 0x10:
		d.Uint(oldWidth)
	case 0x13:
		d.Rest(oldData)
	case 0xc001:
		d.Rest(oldBinding)
	}
}

func oldAddress(d *dissect.D) {
	d.Bytes(oldUnused, 1)
	family := d.PeekUint(0, 1)
	d.Put(oldFamily, family, d.Pos(), 1)
	d.Skip(1)
	d.Uint(oldPort)
	switch family {
	case 1:
		d.IPv4(oldIPv4)
	case 2:
		d.IPv6(oldIPv6)
	}
}

// oldTurned reads an address whose bits are turned over by the first ones of the transaction ID.
func oldTurned(d *dissect.D, id []byte) {
	d.Bytes(oldUnused, 1)
	family := d.PeekUint(0, 1)
	d.Put(oldFamily, family, d.Pos(), 1)
	d.Skip(1)
	at := d.Pos()
	port := d.Uint(oldPortXor) ^ (uint64(id[0])<<8 | uint64(id[1]))
	f, turned, n := oldIPv4Xor, oldIPv4, 4
	if family == 2 {
		f, turned, n = oldIPv6Xor, oldIPv6, 16
	}
	b := append([]byte(nil), d.Data()[:min(n, d.Left())]...)
	if family == 2 {
		d.IPv6(f)
	} else {
		d.IPv4(f)
	}
	if d.Short() {
		return
	}
	for i := range b {
		b[i] ^= id[i]
	}
	d.Put(oldPort, port, at, 2)
	if n == 4 {
		d.Put(turned, dissect.IPv4Addr(b).Uint64(), at+2, 4)
	} else {
		d.PutText(turned, string(b), at+2, 16)
	}
}

var oldTypes = dissect.Values{
	0x0001: "Binding Request", 0x0101: "Binding Response", 0x0111: "Binding Error Response",
	0x0002: "Shared Secret Request", 0x0102: "Shared Secret Response",
	0x0112: "Shared Secret Error Response", 0x1112: "Shared Secret Error Response", 0x0003: "Allocate Request",
	0x0103: "Allocate Response",
	0x0113: "Allocate Error Response", 0x0004: "Send Request", 0x0104: "Send Response", 0x0114: "Send Error Response",
	0x0115: "Data Indication",
	0x0006: "Set Active Destination Request", 0x0106: "Set Active Destination Response",
	0x0116: "Set Active Destination Error Response",
}

var oldAttributes = dissect.Values{
	0x0001: "MAPPED-ADDRESS", 0x0002: "RESPONSE-ADDRESS", 0x0003: "CHANGE-REQUEST", 0x0004: "SOURCE-ADDRESS",
	0x0005: "CHANGED-ADDRESS", 0x0006: "USERNAME",
	0x0007: "PASSWORD", 0x0008: "MESSAGE-INTEGRITY", 0x0009: "ERROR-CODE", 0x000a: "UNKNOWN-ATTRIBUTES",
	0x000b: "REFLECTED-FROM", 0x000d: "LIFETIME",
	0x000e: "ALTERNATE_SERVER", 0x000f: "MAGIC_COOKIE", 0x0010: "BANDWIDTH", 0x0011: "DESTINATION_ADDRESS",
	0x0012: "REMOTE_ADDRESS", 0x0013: "DATA",
	0x0014: "NONCE", 0x0015: "REALM", 0x0016: "REQUESTED_ADDRESS_TYPE", 0x8020: "XOR_MAPPED_ADDRESS", 0x0021: "XOR_ONLY",
	0x8022: "SERVER",
	0xc001: "CONNECTION-REQUEST-BINDING", 0xc002: "BINDING-CHANGE",
}
