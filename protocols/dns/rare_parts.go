package dns

import (
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
)

var (
	fWKSAddr  = proto.IPv4("wks.address", "Address", "The host.")
	fWKSProto = proto.Uint8("wks.protocol", "Protocol", "The transport.").Named(dissect.Values{6: "TCP", 17: "UDP"})
	fWKSBits  = proto.Uint8("wks.bits", "Bits", "A port at which the host has a service, as its bit.").Hex()

	fWKSMap = proto.Bytes("wks.map", "Bit map", "Which ports have a service.")

	fAPLFamily = proto.Uint16("apl.address_family", "Address Family", "Sort of the address.").
			Named(dissect.Values{1: "IPv4", 2: "IPv6"})
	fAPLPrefix = proto.Uint8("apl.coded_prefix", "Prefix Length", "Bits of the address that count.")
	fAPLNot    = proto.Bool("apl.negation", "Negation Flag", "These are not meant.").Masked(0x80).
			TrueFalse("Yes (!)", "No (0)")
	fAPLLen  = proto.Uint8("apl.afdlength", "Address Length", "Bytes of the address that are written.").Masked(0x7f)
	fAPLv4   = proto.IPv4("apl.afdpart.ipv4", "Address", "The address; bytes that are not written are zero.")
	fAPLv6   = proto.String("apl.afdpart.ipv6", "Address", "The address; bytes that are not written are zero.")
	fAPLElse = proto.Bytes("apl.afdpart.data", "Address", "The address.")

	fGatePrio = proto.Uint8("ipseckey.gateway_precedence", "Gateway Precedence", "Lower ones are tried first.")
	fGateType = proto.Uint8("ipseckey.gateway_type", "Gateway Type", "How the gateway is written.").
			Named(dissect.Values{0: "No Gateway", 1: "IPv4 Gateway", 2: "IPv6 Gateway", 3: "DNS Gateway"})
	fGateAlg = proto.Uint8("ipseckey.gateway_algorithm", "Gateway Algorithm", "Algorithm of the key.").
			Named(dissect.Values{1: "DSA", 2: "RSA"})
	fGate4    = proto.IPv4("ipseckey.gateway_ipv4", "IPv4 Gateway", "The gateway.")
	fGate6    = proto.IPv6("ipseckey.gateway_ipv6", "IPv6 Gateway", "The gateway.")
	fGateName = proto.String("ipseckey.gateway_dns", "DNS Gateway", "The gateway.")
	fGateKey  = proto.Bytes("ipseckey.public_key", "Public Key", "The key.")

	fHitLen = proto.Uint8("hip.hit.length", "HIT length", "Length of the tag.")
	fHitAlg = proto.Uint8("hip.hit.pk.algo", "HIT length", "Algorithm of the key; Wireshark labels it so.").
		Named(dissect.Values{1: "DSA", 2: "RSA"})
	fHipLen = proto.Uint16("hip.pk.length", "PK length", "Length of the key.")
	fHit    = proto.Bytes("hip.hit", "Host Identity Tag", "Digest of the key, as an IPv6 address.")
	fHipKey = proto.Bytes("hip.pk", "HIP Public Key", "The key.")

	fSyncFlags = proto.Flags16("csync.flags", "Flags", []dissect.Flag{
		{Name: "immediate", Label: "immediate", Mask: 1, Doc: "The parent need not ask anybody."},
		{Name: "soaminimum", Label: "soaminimum", Mask: 2, Doc: "The zone's serial number must be at least as high."},
	}, "When the parent may copy.")
	fSyncTypes = proto.Bytes("csync.type_bitmap", "Type Bitmap", "Which sorts of records are to be copied.")

	fOldFlags = proto.Uint16("key.flags", "Flags", "What the key is for.").Hex()
	fOldBits  = []*dissect.Field{
		keyBit("authentication", "Key allowed for authentication", 0x8000, "Not Allowed", "Allowed"),
		keyBit("confidentiality", "Key allowed for confidentiality", 0x4000, "Not Allowed", "Allowed"),
		keyBit("required", "Key required", 0x2000, "Experimental or optional", "Required"),
		keyBit("associated_user", "Key is associated with a user", 0x0400, "Yes", "No"),
		keyBit("associated_named_entity", "Key is associated with the named entity", 0x0200, "Yes", "No"),
		keyBit("ipsec", "Key use with IPSEC", 0x0080, "Valid", "Invalid"),
		keyBit("mime", "Key use with MIME security multiparts", 0x0040, "Valid", "Invalid"),
		proto.Uint16("key.flags.signatory", "Signatory", "What the key may change.").Masked(0x000f),
	}
	fOldProto = proto.Uint8("key.protocol", "Protocol", "What uses the key.")
	fOldAlg   = proto.Uint8("key.algorithm", "Algorithm", "Algorithm of the key.").Named(algorithms)
	fOldID    = proto.Uint16("key.key_id", "Key ID", "The number by which signatures name the key.").Derived()
	fOldKey   = proto.Bytes("key.public_key", "Public Key", "The key.")

	fA6Len    = proto.Uint8("a6.prefix_len", "Prefix len", "Bits that another name tells.")
	fA6Suffix = proto.String("a6.address_suffix", "Address Suffix", "The bits that are told here.")
	fA6Name   = proto.String("a6.prefix_name", "Prefix name", "The name that tells the others.")

	fEUI64 = proto.String("eui64", "EUI64 Address", "Address of an interface in eight bytes.")

	fTKEYAlg   = proto.String("tkey.algo_name", "Algorithm name", "Algorithm of the key.")
	fTKEYBegin = proto.Time("tkey.signature_inception", "Signature Inception", "From when the key holds.")
	fTKEYEnd   = proto.Time("tkey.signature_expiration", "Signature Expiration", "Until when the key holds.")
	fTKEYMode  = proto.Uint16("tkey.mode", "Mode", "How the key is agreed on.").
			Named(dissect.Values{1: "Server assigned", 2: "Diffie Hellman", 3: "GSSAPI", 4: "Resolver assigned", 5: "Delete"})
	fTKEYError = proto.Uint16("tkey.error", "Error", "What was wrong.").Named(rcodes)
	fTKEYSize  = proto.Uint16("tkey.key_size", "Key Size", "Length of the key.")
	fTKEY      = proto.Bytes("tkey.key_data", "Key Data", "The key, or what it is made from.")
	fTKEYLen   = proto.Uint16("tkey.other_size", "Other Size", "Length of what follows.")
	fTKEYOther = proto.Bytes("tkey.other_data", "Other Data", "What the mode needs besides.")

	fWINSLocal = proto.Bool("wins.local_flag", "Local Flag", "Only this server is meant.").Wide(4).Masked(1).
			TrueFalse("True", "False")
	fWINSWait   = proto.Uint32("wins.lookup_timeout", "Lookup timeout", "Seconds to wait for WINS.")
	fWINSKeep   = proto.Uint32("wins.cache_timeout", "Cache timeout", "Seconds to remember what it says.")
	fWINSCount  = proto.Uint32("wins.nb_wins_servers", "Number of WINS servers", "How many servers follow.")
	fWINSServer = proto.IPv4("wins.wins_server", "WINS Server Address", "A server to ask.")
	fWINSRLocal = proto.Bool("winsr.local_flag", "Local Flag", "Only this server is meant.").Wide(4).Masked(1).
			TrueFalse("True", "False")
	fWINSRWait   = proto.Uint32("winsr.lookup_timeout", "Lookup timeout", "Seconds to wait for WINS.")
	fWINSRKeep   = proto.Uint32("winsr.cache_timeout", "Cache timeout", "Seconds to remember what it says.")
	fWINSRDomain = proto.String("winsr.name_result_domain", "Name Result Domain", "What is put behind names found.")
)

func keyBit(name, label string, mask uint64, yes, no string) *dissect.Field {
	return proto.Bool("key.flags."+name, label, "A use of the key.").Wide(2).Masked(mask).TrueFalse(yes, no)
}

// wellKnown reads which ports have a service: a bit for each, from 0 on.
func wellKnown(m *reader) {
	d := m.d
	d.IPv4(fWKSAddr)
	d.Uint(fWKSProto)
	d.Put(fWKSMap, 0, d.Pos(), d.Left())
	for i, b := range d.Data() {
		for bit := range 8 {
			if mask := byte(0x80 >> bit); b&mask != 0 {
				d.Put(fWKSBits, uint64(mask), d.Pos()+i, 1)
				d.Suffix(fWKSBits, " ("+strconv.Itoa(8*i+bit)+")")
			}
		}
	}
	d.Skip(d.Left())
}

// plainBitmap reads which of the first types a name has, without windows.
func plainBitmap(m *reader) {
	d := m.d
	d.Put(fWindow, 0, d.Pos(), d.Left())
	for i := range d.Left() {
		for bit := range 8 {
			if d.Peek(i)&(0x80>>bit) != 0 {
				d.Put(fBitmap, uint64(8*i+bit), d.Pos()+i, 1)
			}
		}
	}
	d.Skip(d.Left())
}

// prefix reads one address of a list, of which zeros at the end are not written.
func prefix(m *reader) {
	d := m.d
	family := d.Uint(fAPLFamily)
	d.Uint(fAPLPrefix)
	n := int(d.Peek(0) & 0x7f)
	d.Bits(fAPLNot, fAPLLen)
	if d.Short() || n > d.Left() {
		d.Skip(n)
		return
	}
	var b [16]byte
	copy(b[:], d.Data()[:n])
	switch at := d.Pos(); {
	case family == 1 && n <= 4:
		d.Put(fAPLv4, dissect.IPv4Addr(b[:4]).Uint64(), at, n)
		d.Skip(n)
	case family == 2 && n <= 16:
		d.PutText(fAPLv6, dissect.IPv6Addr(b[:]).String(), at, n)
		d.Skip(n)
	default:
		d.Bytes(fAPLElse, n)
	}
}

func ipsecKey(m *reader) {
	d := m.d
	d.Uint(fGatePrio)
	kind := d.Uint(fGateType)
	d.Uint(fGateAlg)
	switch kind {
	case 1:
		d.IPv4(fGate4)
	case 2:
		d.IPv6(fGate6)
	case 3:
		m.name(fGateName)
	}
	d.Rest(fGateKey)
}

func identity(m *reader) {
	d := m.d
	hit := int(d.Uint(fHitLen))
	d.Uint(fHitAlg)
	key := int(d.Uint(fHipLen))
	d.Bytes(fHit, hit)
	d.Bytes(fHipKey, key)
}

func syncFlags(m *reader) { m.d.Uint(fSyncFlags) }

func newTypes(m *reader) {
	d := m.d
	if n := d.Left(); n > 0 {
		d.Put(fSyncTypes, 0, d.Pos(), n)
	}
	bitmap(d)
}

func key(m *reader) {
	d := m.d
	whole := d.Data()
	word := d.PeekUint(0, 2)
	at := d.Pos()
	d.Uint(fOldFlags)
	if !d.Short() {
		d.Below(func() {
			for _, f := range fOldBits {
				d.Put(f, word, at, 2)
			}
		})
	}
	d.Uint(fOldProto)
	d.Uint(fOldAlg)
	d.Set(fOldID, keyTag(whole))
	d.Rest(fOldKey)
}

// chained reads an address of which a name tells the first bits.
func chained(m *reader) {
	d := m.d
	bits := int(d.Uint(fA6Len))
	n := (128 - min(bits, 128) + 7) / 8
	if n > d.Left() {
		d.Skip(n)
		return
	}
	var b [16]byte
	copy(b[16-n:], d.Data()[:n])
	d.PutText(fA6Suffix, dissect.IPv6Addr(b[:]).String(), d.Pos(), n)
	d.Skip(n)
	if bits > 0 {
		m.name(fA6Name)
	}
}

func eui64(m *reader) {
	d := m.d
	if d.Left() < 8 {
		d.Skip(8)
		return
	}
	pairs := make([]string, 8)
	for i := range pairs {
		pairs[i] = fmt.Sprintf("%02x", d.Peek(i))
	}
	d.PutText(fEUI64, strings.Join(pairs, ":"), d.Pos(), 8)
	d.Skip(8)
}

func agreement(m *reader) {
	d := m.d
	m.name(fTKEYAlg)
	seconds(d, fTKEYBegin, 4)
	seconds(d, fTKEYEnd, 4)
	d.Uint(fTKEYMode)
	d.Uint(fTKEYError)
	if n := int(d.Uint(fTKEYSize)); n > 0 {
		d.Bytes(fTKEY, n)
	}
	if n := int(d.Uint(fTKEYLen)); n > 0 {
		d.Bytes(fTKEYOther, n)
	}
}

func wins(m *reader) {
	d := m.d
	d.Bits(fWINSLocal)
	d.Uint(fWINSWait)
	d.Uint(fWINSKeep)
	for n, more := d.Uint(fWINSCount), d.Elements(); n > 0 && d.Left() >= 4 && more.Next(); n-- {
		d.IPv4(fWINSServer)
	}
}

func winsBack(m *reader) {
	d := m.d
	d.Bits(fWINSRLocal)
	d.Uint(fWINSRWait)
	d.Uint(fWINSRKeep)
	m.name(fWINSRDomain)
}
