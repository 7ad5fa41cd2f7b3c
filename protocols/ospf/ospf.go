// Package ospf dissects Open Shortest Path First, versions 2 (RFC 2328, with opaque advertisements, RFC 5250) and 3
// (RFC 5340): routers tell each other the map of their network.
package ospf

import "remora/dissect"

var proto = dissect.NewProtocol("ospf", "OSPF",
	"Open Shortest Path First: routers tell each other the map of their network.").
	Summary("Open Shortest Path First").Color(dissect.HueMagenta)

var instances = instanceNames()

// instanceNames are the ranges of RFC 5838 section 2.1.
func instanceNames() dissect.Values {
	v := dissect.Values{}
	for i := range uint64(256) {
		v[i] = [8]string{"IPv6 unicast AF", "IPv6 multicast AF", "IPv4 unicast AF", "IPv4 multicast AF", "Reserved",
			"Reserved", "Reserved", "Reserved"}[i/32]
	}
	return v
}

var (
	fHeader  = proto.Node("header", "OSPF Header", "The header of every packet.")
	fVersion = proto.Uint8("version", "Version", "2 for IPv4, 3 for IPv6.")
	fType    = proto.Kind("msg", "Message Type",
		dissect.Values{1: "Hello Packet", 2: "DB Description", 3: "LS Request", 4: "LS Update", 5: "LS Acknowledge"},
		"What the packet is.").Dec().Wordless()
	fLength = proto.Uint16("packet_length", "Packet Length",
		"Length of the packet in bytes, what authenticates it not counted.")
	fRouter   = proto.IPv4("srcrouter", "Source OSPF Router", "The router that sends the packet.")
	fArea     = proto.IPv4("area_id", "Area ID", "The area that the packet belongs to.")
	fSum      = proto.Uint16("checksum", "Checksum", "Checksum over the packet without the authentication.").Hex()
	fAuthType = proto.Uint16("auth.type", "Auth Type", "How the packet is authenticated.").
			Named(dissect.Values{0: "Null", 1: "Simple password", 2: "Cryptographic"})
	fAuthNone = proto.Bytes("auth.none", "Auth Data (none)", "Not used.")
	fAuthText = proto.String("auth.simple", "Auth Data (Simple)", "A password in clear text.")
	fKeyID    = proto.Uint8("auth.crypt.key_id", "Auth Crypt Key id", "Which key was used.")
	fKeyLen   = proto.Uint8("auth.crypt.data_length", "Auth Crypt Data Length", "Length of the digest behind the packet.")
	fKeySeq   = proto.Uint32("auth.crypt.seq_nbr", "Auth Crypt Sequence Number",
		"Counts the packets, so that none can be played again.")
	fKeyData   = proto.Bytes("auth.crypt.data", "Auth Crypt Data", "The digest over packet and key.")
	fAuthOther = proto.Bytes("auth.unknown", "Auth Unknown", "Authentication of another sort.")
	fInstance  = proto.Uint8("instance_id", "Instance ID", "Which of several instances on the link.").Named(instances)
	fReserved  = proto.Bytes("reserved", "Reserved", "Zero.")
	fIsHello   = proto.Bool("msg.hello", "Hello", "The packet is a hello.").TrueFalse("True", "False").Derived().Hidden()
	fIsDesc    = proto.Bool("msg.dbdesc", "Database Description", "The packet describes a database.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsReq = proto.Bool("msg.lsreq", "Link State Adv Request", "The packet asks for advertisements.").
		TrueFalse("True", "False").Derived().Hidden()
	fIsUpd = proto.Bool("msg.lsupdate", "Link State Adv Update", "The packet brings advertisements.").
		TrueFalse("True", "False").Derived().Hidden()
	fIsAck = proto.Bool("msg.lsack", "Link State Adv Acknowledgement",
		"The packet says which advertisements have come.").TrueFalse("True", "False").Derived().Hidden()
	fHello    = proto.Node("hello", "OSPF Hello Packet", "Routers say that they are there.")
	fMask     = proto.IPv4("hello.network_mask", "Network Mask", "Mask of the network.")
	fIfID     = proto.Uint32("hello.interface_id", "Interface ID", "Number of the sender's interface.")
	fInterval = proto.Uint32("hello.hello_interval", "Hello Interval [sec]", "Seconds between hellos.").Wide(2)
	fPriority = proto.Uint8("hello.router_priority", "Router Priority",
		"Who becomes the designated router; 0 never does.")
	fDead = proto.Uint32("hello.router_dead_interval", "Router Dead Interval [sec]",
		"Seconds without a hello after which a router is gone.")
	fDR  = proto.IPv4("hello.designated_router", "Designated Router", "The router that speaks for the network.")
	fBDR = proto.IPv4("hello.backup_designated_router", "Backup Designated Router",
		"The router that stands in for it.")
	fNeighbor = proto.IPv4("hello.active_neighbor", "Active Neighbor", "A router from which the sender had a hello.")

	fStatus = proto.Uint8("checksum.status", "Checksum Status",
		"What the check of the checksum says. Wireshark has no name for it.").
		Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fDesc = proto.Group("dbdesc", "OSPF DB Description",
		"What the sender's database holds. Wireshark has no name for it.")
	fAsk = proto.Group("lsrequest", "Link State Request",
		"One advertisement that is asked for. Wireshark has no name for it.")
	fUpdate = proto.Group("lsupdate", "LS Update Packet", "Advertisements. Wireshark has no name for it.")
	fEntry  = proto.Group("entry", "LSA", "One advertisement, or its header alone. Wireshark has no name for it.").
		Summary("LSA-type[ {lsa:raw} ({lsa:name})][ {v3.lsa.fc:raw} ({v3.lsa.fc:name})], len {lsa.length}")
	fLink = proto.Group("link", "Link", "One link of a router. Wireshark has no name for it.").
		Summary("[Type: {lsa.router.linktype:raw}  ID: {lsa.router.linkid}  Data: {lsa.router.linkdata}  Metric: " +
			"{lsa.router.metric0}][{v3.lsa.type:name}]")
	fTLV = proto.Group("tlv", "TLV", "One piece of information. Wireshark has no name for it.").
		Summary("{tlv_type:name}{tlv_type.opaque:name}")
	fLLS = proto.Group("lls", "OSPF LLS Data Block",
		"Signalling for the link alone (RFC 5613). Wireshark has no name for it.")
	fPfx = proto.Group("prefix", "Prefix", "One prefix. Wireshark has no name for it.").
		Summary("Prefix: {v3.address_prefix.ipv6}/{prefix_length}")
	fData = proto.Bytes("data", "Data", "What is not known. Wireshark has no name for it.")
	nSum  = proto.Expert("bad_checksum", dissect.Warn, "Bad checksum").About(dissect.AboutChecksum)
	nLen  = proto.Expert("lsa.invalid_length", dissect.Warn, "Invalid length").About(dissect.AboutMalformed)
	nTOS  = proto.Expert("lsa.tos_missing", dissect.Warn, "Blocks missing").About(dissect.AboutMalformed)
	nType = proto.Expert("lsa.unknown_type", dissect.Warn, "Unknown LSA Type")
)

const (
	headLength2 = 24
	headLength3 = 16
	lsaHead     = 20
)

const (
	packetHello = iota + 1
	packetDesc
	packetRequest
	packetUpdate
	packetAck
)

// Plugin attaches OSPF to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableIP, Value: 89}}}
}

// A header is what the parts of a packet must know of it.
type header struct {
	version, kind uint64
	length        int // of the packet, as it says
	auth          uint64
	digest        int // bytes of the digest behind the packet
}

func packet(d *dissect.D) {
	var h header
	whole := d.Data()
	d.In(fHeader, func() { h = head(d, whole) })
	if d.Short() {
		return
	}
	if fType.ValueName(h.kind) == "" && d.Info().Wanted() {
		d.Info().Setf("Unknown (%d)", h.kind)
	}
	if fType.ValueName(h.kind) != "" {
		d.Info().Set("{msg:name}")
	}
	size := headLength2
	if h.version == 3 {
		size = headLength3
	}
	signals := false
	if n := h.length - size; n > 0 {
		d.Within(n, func() { signals = body(d, h) })
	}
	behind(d, h, signals)
}

func head(d *dissect.D, whole []byte) header {
	var h header
	h.version = d.Uint(fVersion)
	h.kind = d.Kind(fType)
	if flags := [...]*dissect.Field{nil, fIsHello, fIsDesc, fIsReq, fIsUpd, fIsAck}; h.kind > 0 &&
		int(h.kind) < len(flags) {
		d.Set(flags[h.kind], 1)
	}
	h.length = int(d.Uint(fLength))
	d.IPv4(fRouter)
	if area := d.IPv4(fArea); area.Uint64() == 0 && d.Labelling() {
		d.Suffix(fArea, " (Backbone)")
	}
	d.Uint(fSum)
	if h.version == 3 {
		checksum(d, h, whole)
		d.Uint(fInstance)
		d.Bytes(fReserved, 1)
		return h
	}
	h.auth = d.Uint(fAuthType)
	checksum(d, h, whole)
	switch h.auth {
	case 0:
		d.Bytes(fAuthNone, 8)
	case 1:
		d.Padded(fAuthText, 8)
	case 2:
		d.Bytes(fReserved, 2)
		d.Uint(fKeyID)
		h.digest = int(d.Uint(fKeyLen))
		d.Uint(fKeySeq)
	default:
		d.Bytes(fAuthOther, 8)
	}
	return h
}

// checksum verifies the header's checksum: version 2 leaves the authentication out of it (RFC 2328 section D.4),
// version 3 takes IPv6's pseudo header with it (RFC 5340 section A.3.1).
func checksum(d *dissect.D, h header, whole []byte) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) || d.Short() {
		return
	}
	if h.length > len(whole) || h.length < headLength3 || h.auth == 2 || d.Quoted() ||
		h.version != 3 && h.length < headLength2 {
		if h.auth == 2 {
			d.Suffix(fSum, " (None)")
		}
		d.Set(fStatus, 2)
		return
	}
	var left uint16
	if h.version == 3 {
		left = d.Ends().PseudoSum(89, whole[:h.length])
	} else {
		left = dissect.Checksum(whole[:16], whole[headLength2:h.length])
	}
	if left != 0 {
		d.Suffix(fSum, " [incorrect]")
		d.Set(fStatus, 0)
		d.Expert(nSum)
		return
	}
	d.Suffix(fSum, " [correct]")
	d.Set(fStatus, 1)
}

// body reads what the packet says; it tells whether local signalling follows the packet.
func body(d *dissect.D, h header) (signals bool) {
	switch {
	case h.version != 2 && h.version != 3:
		d.Rest(fData)
	case h.kind == packetHello:
		d.In(fHello, func() { signals = hello(d, h.version) })
	case h.kind == packetDesc:
		d.In(fDesc, func() { signals = describe(d, h.version) })
		headers(d, h.version)
	case h.kind == packetRequest:
		for more := d.Elements(); more.Next(); {
			d.In(fAsk, func() { request(d, h.version) })
		}
	case h.kind == packetUpdate:
		d.In(fUpdate, func() { update(d, h.version) })
	case h.kind == packetAck:
		headers(d, h.version)
	}
	d.Rest(fData)
	return signals
}

// behind reads what follows the packet: the digest, and local signalling.
func behind(d *dissect.D, h header, signals bool) {
	if h.auth == 2 && h.digest > 0 && d.More() {
		d.Bytes(fKeyData, min(h.digest, d.Left()))
	}
	if signals && d.More() {
		d.In(fLLS, func() { signalling(d) })
	}
	d.Rest(fData)
}
