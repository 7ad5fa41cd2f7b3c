// Package rip dissects the Routing Information Protocol, versions 1 (RFC 1058) and 2 (RFC 2453), with the
// authentications of RFC 2453 and RFC 4822.
package rip

import "remora/dissect"

var proto = dissect.NewProtocol("rip", "RIP",
	"Routing Information Protocol: routers tell each other how far networks are.").
	Summary("Routing Information Protocol").Color(dissect.HueMagenta)

var (
	fCommand = proto.Kind("command", "Command",
		dissect.Values{1: "Request", 2: "Response", 3: "Traceon", 4: "Traceoff", 5: "Vendor specific (Sun)"},
		"What the packet asks or tells.").Dec().Wordless()
	fVersion = proto.Uint8("version", "Version", "Version of the protocol.").Named(dissect.Values{1: "RIPv1", 2: "RIPv2"})
	fDomain  = proto.Uint16("routing_domain", "Routing Domain", "Not used; zero.")
	fZero    = proto.Bytes("zero_padding", "Zero adding", "Zeros.")
	fEntry   = proto.Group("entry", "Route", "One network. Wireshark has no name for it.").
			Summary("[IP Address: {ip}, Metric: {metric}][{auth.type:name}]")
	fAny = proto.Group("entry", "Route", "All networks: a request for the whole table. Wireshark has no name for it.").
		Summary("Address not specified, Metric: {metric}")
	fMark   = proto.Uint16("auth.family", "Address Family", "Always ffff: the entry proves who sends.").Hex()
	fFamily = proto.Uint16("family", "Address Family", "Sort of the address.").
		Named(dissect.Values{0: "Unspecified", 2: "IP"})
	fTag    = proto.Uint16("route_tag", "Route Tag", "A number for other routing protocols.")
	fIP     = proto.IPv4("ip", "IP Address", "The network.")
	fMask   = proto.IPv4("netmask", "Netmask", "Mask of the network.")
	fHop    = proto.IPv4("next_hop", "Next Hop", "Where packets shall go; 0.0.0.0 is to the sender.")
	fMetric = proto.Uint16("metric", "Metric", "How many hops away the network is; 16 is out of reach.")
	fAuth   = proto.Uint16("auth.type", "Authentication type", "How the packet is authenticated.").
		Named(dissect.Values{1: "IP Route", 2: "Simple Password", 3: "Keyed Message Digest"})
	fPass   = proto.String("auth.passwd", "Password", "A password in clear text.")
	fOffset = proto.Uint16("digest_offset", "Digest Offset", "Where the digest starts.")
	fKey    = proto.Uint8("key_id", "Key ID", "Which key was used.")
	fSize   = proto.Uint8("auth_data_len", "Auth Data Len", "Length of the digest in bytes.")
	fSeq    = proto.Uint32("seq_num", "Seq num", "Counts the packets, so that none can be played again.")
	fDigest = proto.Bytes("authentication_data", "Authentication Data", "The digest over packet and key.")
	fData   = proto.Bytes("data", "Data", "Bytes that are no entry. Wireshark has no name for them.")

	nFamily = proto.Expert("unknown_address_family", dissect.Warn, "Unknown address family")
)

const (
	familyNone = 0
	familyIP   = 2
	familyAuth = 0xffff

	entryLength = 20
)

// Plugin attaches RIP to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{520}, Fits: recognise}
}

// recognise takes packets with a known command and version and whole entries.
func recognise(d *dissect.D) bool {
	if v := d.Peek(1); fCommand.ValueName(uint64(d.Peek(0))) == "" || v < 1 || v > 2 || d.Left() < 4 {
		return false
	}
	return true
}

func packet(d *dissect.D) {
	command := d.Kind(fCommand)
	version := d.Uint(fVersion)
	if name := fVersion.ValueName(version); name != "" {
		d.Info().Protocol(name)
	}
	d.Uint(fDomain)
	if fCommand.ValueName(command) != "" {
		d.Info().Set("{command:name}")
	} else if d.Info().Wanted() {
		d.Info().Setf("Unknown command (%d)", command)
	}
	digest := 0
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		family := d.PeekUint(0, 2)
		if family != familyAuth && d.Left() < entryLength {
			break
		}
		if family == familyAuth {
			digest = authentication(d, digest)
			continue
		}
		group := fEntry
		if family == familyNone {
			group = fAny
		}
		d.In(group, func() { entry(d, version, family) })
	}
	d.Rest(fData)
}

// entry is one network (RFC 2453 section 4).
func entry(d *dissect.D, version, family uint64) {
	d.Uint(fFamily)
	if version == 2 {
		d.Uint(fTag)
	} else {
		d.Bytes(fZero, 2)
	}
	if family == familyNone && d.PeekUint(0, 4) == 0 {
		d.Bytes(fZero, 4)
	} else {
		d.IPv4(fIP)
	}
	if version == 2 {
		d.IPv4(fMask)
		d.IPv4(fHop)
	} else {
		d.Bytes(fZero, 8)
	}
	if family != familyNone && family != familyIP {
		d.Expert(nFamily)
	}
	at, metric := d.Pos(), d.PeekUint(0, 4)
	d.Skip(4)
	if !d.Short() {
		d.Put(fMetric, metric, at, 4)
	}
}

// authentication is a password, the head of a digest, or the digest at the end (RFC 4822 section 2). It returns the
// digest's length.
func authentication(d *dissect.D, digest int) int {
	d.In(fEntry, func() {
		d.Uint(fMark)
		switch d.Uint(fAuth) {
		case 2:
			d.Padded(fPass, 16)
		case 3:
			d.Uint(fOffset)
			d.Uint(fKey)
			digest = int(d.Uint(fSize))
			d.Uint(fSeq)
			d.Bytes(fZero, 8)
		case 1:
			if digest == 0 {
				digest = entryLength - 4
			}
			d.Bytes(fDigest, min(digest, d.Left()))
		default:
			d.Bytes(fData, min(entryLength-4, d.Left()))
		}
	})
	return digest
}
