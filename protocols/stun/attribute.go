package stun

import (
	"fmt"
	"hash/crc32"
	"net/netip"

	"remora/dissect"
)

var (
	fAttr     = proto.Uint16("attribute", "Attribute", "One attribute.").Hex().Named(attributes)
	fAttType  = proto.Uint16("att.type", "Attribute Type", "What the attribute is.").Hex().Named(attributes)
	fRequired = proto.Uint16("att.type.comprehension", "Attribute Type Comprehension",
		"Whether who does not know it may pass it over.").Hex().Masked(0x8000).
		Named(dissect.Values{0: "Required", 1: "Optional"})
	fAssigned = proto.Uint16("att.type.assignment", "Attribute Type Assignment", "Who gives out the type's number.").
			Hex().Masked(0x4000).Named(assignments)
	fAttLength = proto.Uint16("att.length", "Attribute Length", "Length of the value.")
	fReserved  = proto.Bytes("att.reserved", "Reserved", "Bytes without a meaning.")
	fFamily    = proto.Uint8("att.family", "Protocol Family", "Which sort of address this is.").Hex().Named(families)
	fPort      = proto.Uint16("att.port", "Port", "The port.")
	fIPv4      = proto.IPv4("att.ipv4", "IP", "The address.")
	fIPv6      = proto.IPv6("att.ipv6", "IP", "The address.")
	fPortXor   = proto.Bytes("att.port-xord", "Port (XOR-d)", "The port with the cookie's bits turned over.")
	fIPv4Xor   = proto.Bytes("att.ipv4-xord", "IP (XOR-d)", "The address with the cookie's bits turned over.")
	fIPv6Xor   = proto.Bytes("att.ipv6-xord", "IP (XOR-d)",
		"The address with the bits of cookie and transaction ID turned over.")
	fUsername = proto.String("att.username", "Username", "Who asks.")
	fPassword = proto.Bytes("att.password", "Password", "The password.")
	fHMAC     = proto.Bytes("att.hmac", "HMAC-SHA1", "Proof that the sender knows the password.")
	fCRC      = proto.Uint32("att.crc32", "CRC-32", "Checksum of the message, turned over by 0x5354554e.").Hex()
	fCRCState = proto.Uint8("att.crc32.status", "CRC-32 Status", "What the check of the checksum says.").Named(statuses).
			Derived()
	fErrClass  = proto.Uint8("att.error.class", "Error Class", "Hundreds of the error's number.").Masked(0x07)
	fErrCode   = proto.Uint8("att.error", "Error Code", "The rest of the error's number.")
	fReason    = proto.String("att.error.reason", "Error Reason Phrase", "What went wrong, in the server's words.")
	fRealm     = proto.String("att.realm", "Realm", "Where the name counts.")
	fNonce     = proto.String("att.nonce", "Nonce", "A text of the server that the client proves itself with.")
	fUnknown   = proto.Uint16("att.unknown", "Unknown Attribute", "An attribute that the server does not know.").Hex()
	fSoftware  = proto.String("att.software", "Software", "The sender's program.")
	fPriority  = proto.Uint32("att.priority", "Priority", "How much the candidate is worth.")
	fTie       = proto.Bytes("att.tie-breaker", "Tie breaker", "Settles who controls.")
	fLifetime  = proto.Uint32("att.lifetime", "Lifetime", "How long the relay keeps this, in seconds.")
	fChangeIP  = proto.Bool("att.change-ip", "Change IP", "Answer from another address.").Wide(2).Masked(0x0004)
	fChangePt  = proto.Bool("att.change-port", "Change Port", "Answer from another port.").Wide(2).Masked(0x0002)
	fAlgorithm = proto.Uint16("att.pw_alg", "Password Algorithm", "How the password is used.").Named(algorithms)
	fAlgLen    = proto.Uint16("att.pw_alg_len", "Password Algorithm Length", "Length of the parameters.")
	fAlgData   = proto.Bytes("att.pw_alg_data", "Password Algorithm Data", "The parameters.")
	fReserve   = proto.Uint8("att.even-port.reserve-next", "Reserve next", "Keep the port behind it free.").Masked(0x80).
			Named(dissect.Values{0: "Don't reserve next port number", 1: "Reserve next port number"})
	fTimeout   = proto.Uint32("att.cache-timeout", "Cache timeout", "How long the answer holds, in seconds.")
	fToken     = proto.Bytes("att.token", "Token", "A ticket for a reserved port.")
	fTransport = proto.Uint8("att.transp", "Transport", "What the relay shall speak.").Hex().Named(transports)
	fChannelNo = proto.Uint16("att.channelnum", "Channel-Number", "Number of the channel.").Hex()
	fBandwidth = proto.Uint32("port.bandwidth", "Bandwidth", "Bandwidth asked for.")
	fNetID     = proto.Uint16("att.google.network_id", "Google Network ID", "Which of the sender's networks.")
	fNetCost   = proto.Uint16("att.google.network_cost", "Google Network Cost", "How dear that network is.").Named(costs)
	fMSVersion = proto.Uint32("att.ms.version", "MS Version", "Which of Microsoft's forms this is.").Named(dissect.Values{
		1: "ICE", 2: "MS-ICE2", 3: "MS-ICE2 with SHA256", 4: "MS-ICE2 with SHA256 and IPv6",
		5: "MULTIPLEXED TURN over UDP only", 6: "MULTIPLEXED TURN over UDP and TCP",
	})
	fMSICE    = proto.Uint32("att.ms.version.ice", "MS ICE Version", "Which messages the sender understands.")
	fMSStream = proto.Uint16("att.ms.stream_type", "Stream Type", "What the way is for.").
			Named(dissect.Values{1: "Audio", 2: "Video", 3: "Supplemental Video", 4: "Data"})
	fMSWay = proto.Uint16("att.ms.service_quality", "Service Quality", "How safe the way must be.").
		Named(dissect.Values{0: "Best effort delivery", 1: "Reliable delivery"})
	fValue   = proto.Bytes("value", "Value", "The value.")
	fPadding = proto.Uint16("att.padding", "Padding", "Bytes up to a multiple of four.")

	nTrailing = proto.Expert("long_attribute", dissect.Warn, "Attribute has trailing data").About(dissect.AboutMalformed)
	nUnknown  = proto.Expert("unknown_attribute", dissect.Hint, "Attribute unknown").About(dissect.AboutUndecoded)
	nCRC      = proto.Expert("att.crc32.bad", dissect.Warn, "Bad Fingerprint").About(dissect.AboutChecksum)
)

// attribute reads one attribute. start is where the message begins.
func attribute(d *dissect.D, start int, id []byte) {
	kind, n := d.PeekUint(0, 2), int(d.PeekUint(2, 2))
	at := d.Pos()
	size := min(4+n, d.Left())
	d.Put(fAttr, kind, at, size)
	d.Below(func() {
		d.Uint(fAttType)
		d.Below(func() {
			if !d.Short() {
				d.Put(fRequired, kind, at, 2)
				d.Put(fAssigned, kind, at, 2)
			}
		})
		d.Uint(fAttLength)
		if d.Short() {
			return
		}
		var text string
		d.Within(n, func() {
			text = value(d, kind, start, id)
			if d.More() {
				if kind != attData {
					d.Expert(nTrailing)
				}
				d.Rest(fValue)
			}
		})
		if text != "" && d.Info().Wanted() {
			d.Info().Setf("%s", text)
		}
		if pad := (4 - n%4) % 4; pad > 0 && d.Left() >= pad {
			d.Put(fPadding, uint64(pad), d.Pos(), pad)
			d.Skip(pad)
		}
	})
}

// value reads an attribute's value and returns what the Info column says of it.
func value(d *dissect.D, kind uint64, start int, id []byte) string {
	switch kind {
	case attMapped, attResponse, attSource, attChanged, attReflected, attAlternate, attOrigin, attOther:
		return address(d, attributes[kind])
	case attXorMapped, attXorMappedOld, attPeer, attRelayed:
		return turned(d, attributes[kind], id)
	case attUsername:
		return "user: " + string(d.Rest(fUsername))
	case attRealm:
		return "realm: " + string(d.Rest(fRealm))
	case attNonce:
		d.Rest(fNonce)
		return "with nonce"
	case attError:
		return failure(d)
	case attLifetime:
		return fmt.Sprintf("lifetime: %d", d.Uint(fLifetime))
	case attChannel:
		v := d.Uint(fChannelNo)
		d.Rest(fReserved)
		return fmt.Sprintf("ChannelNumber=0x%x", v)
	case attTransport:
		v := d.Uint(fTransport)
		d.Rest(fReserved)
		return transports[v]
	case attFingerprint:
		fingerprint(d, start)
	case attFamily, attExtraFamily:
		d.Uint(fFamily)
		d.Rest(fReserved)
	case attUnknown:
		for more := d.Elements(); d.Left() >= 2 && more.Next(); {
			d.Uint(fUnknown)
		}
	case attAlgorithm, attAlgorithms:
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			d.Uint(fAlgorithm)
			n := int(d.Uint(fAlgLen))
			if n > 0 {
				d.Bytes(fAlgData, min(n+(4-n%4)%4, max(n, d.Left())))
			}
		}
	case attNetworkInfo:
		d.Uint(fNetID)
		d.Uint(fNetCost)
	case attChange:
		at, v := d.Pos(), d.PeekUint(2, 2)
		d.Skip(4)
		if !d.Short() {
			d.Put(fReserved, 0, at, 2)
			d.Put(fChangeIP, v, at+2, 2)
			d.Put(fChangePt, v, at+2, 2)
		}
	default:
		simple(d, kind)
	}
	return ""
}

// simple reads values that are one field.
func simple(d *dissect.D, kind uint64) {
	switch kind {
	case attPassword:
		d.Rest(fPassword)
	case attIntegrity, attIntegrity256:
		d.Rest(fHMAC)
	case attSoftware:
		d.Rest(fSoftware)
	case attPriority:
		d.Uint(fPriority)
	case attControlled, attControlling:
		d.Rest(fTie)
	case attCacheTimeout:
		d.Uint(fTimeout)
	case attToken:
		d.Rest(fToken)
	case attEvenPort:
		d.Uint(fReserve)
	case attBandwidth:
		d.Uint(fBandwidth)
	case 0x8008:
		d.Uint(fMSVersion)
	case 0x8070:
		d.Uint(fMSICE)
	case 0x8055:
		d.Uint(fMSStream)
		d.Uint(fMSWay)
	case attResponsePort:
		d.Uint(fPort)
		d.Rest(fReserved)
	default:
		if attributes[kind] == "" {
			d.Expert(nUnknown)
		}
		d.Rest(fValue)
	}
}

// address reads a family, a port and an address.
func address(d *dissect.D, name string) string {
	d.Bytes(fReserved, 1)
	family := d.Uint(fFamily)
	port := d.Uint(fPort)
	var a dissect.Addr
	switch family {
	case 1:
		a = d.IPv4(fIPv4)
	case 2:
		a = d.IPv6(fIPv6)
	default:
		return ""
	}
	return named(d, name, a.Netip(), port)
}

// turned reads an address whose bits are turned over by the cookie and the transaction ID (RFC 8489 section 14.2).
func turned(d *dissect.D, name string, id []byte) string {
	d.Bytes(fReserved, 1)
	family := d.Uint(fFamily)
	at := d.Pos()
	b := d.Bytes(fPortXor, 2)
	if d.Short() {
		return ""
	}
	port := (uint64(b[0])<<8 | uint64(b[1])) ^ magic>>16
	d.Put(fPort, port, at, 2)
	mask := append([]byte{0x21, 0x12, 0xa4, 0x42}, id[max(0, len(id)-12):]...)
	at = d.Pos()
	f, n := fIPv4Xor, 4
	switch family {
	case 1:
	case 2:
		f, n = fIPv6Xor, 16
	default:
		return ""
	}
	b = d.Bytes(f, n)
	if d.Short() {
		return ""
	}
	plain := make([]byte, n)
	for i := range plain {
		plain[i] = b[i] ^ mask[i]
	}
	a, _ := netip.AddrFromSlice(plain)
	if n == 4 {
		d.Put(fIPv4, dissect.IPv4Addr(plain).Uint64(), at, 4)
	} else {
		d.PutText(fIPv6, string(plain), at, 16)
	}
	return named(d, name, a, port)
}

// named writes an address for the Info column and behind the attribute.
func named(d *dissect.D, name string, a netip.Addr, port uint64) string {
	if d.Short() || !d.Info().Wanted() && !d.Labelling() {
		return ""
	}
	text := fmt.Sprintf("%s:%d", a, port)
	d.Suffix(fAttr, ": "+text)
	return name + ": " + text
}

// failure reads an error's number and text.
func failure(d *dissect.D) string {
	d.Bytes(fReserved, 2)
	code := int(d.Uint(fErrClass))*100 + int(d.Uint(fErrCode))
	text := d.Rest(fReason)
	name := errorCodes[code]
	if name == "" {
		name = "Unknown"
	}
	return fmt.Sprintf("error-code: %d (%s) %s", code, name, text)
}

// fingerprint verifies the checksum over what stands in front of it, if somebody looks.
func fingerprint(d *dissect.D, start int) {
	at := d.Pos() - 4
	v := d.Uint(fCRC)
	if d.Short() || !d.Wanted(fCRCState) && !d.Wanted(nCRC) {
		return
	}
	left := d.Pos()
	d.Seek(start)
	sum := crc32.ChecksumIEEE(d.Data()[:at-start]) ^ 0x5354554e
	d.Seek(left)
	if uint64(sum) == v {
		d.Set(fCRCState, 1)
		return
	}
	d.Set(fCRCState, 0)
	d.Expert(nCRC)
}
