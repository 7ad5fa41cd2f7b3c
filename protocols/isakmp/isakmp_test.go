package isakmp

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	payload "remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

var plugins = []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), Plugin(), payload.Plugin()}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// chain puts payloads behind each other; kinds are their types.
func payloads(kinds []byte, bodies ...[]byte) (out []byte) {
	for i, b := range bodies {
		next := byte(0)
		if i+1 < len(kinds) {
			next = kinds[i+1]
		}
		out = append(out, next, 0)
		out = append(binary.BigEndian.AppendUint16(out, uint16(len(b)+4)), b...)
	}
	return out
}

const (
	initiatorSPI = "1111111111111111"
	responderSPI = "2222222222222222"
)

// head is the header in front of a body.
func head(version, next, exchange, flags byte, id uint32, body []byte) []byte {
	b := append(unhex(initiatorSPI+responderSPI), next, version, exchange, flags)
	b = binary.BigEndian.AppendUint32(b, id)
	b = binary.BigEndian.AppendUint32(b, uint32(headSize+len(body)))
	return append(b, body...)
}

func say(there bool, b []byte) dissecttest.Packet {
	from, to := "192.0.2.1", "192.0.2.2"
	if !there {
		from, to = to, from
	}
	return dissecttest.Packet{Data: dissecttest.IPv4(17, from, to, dissecttest.UDP(500, 500, b))}
}

func encrypt(key, iv, plain []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, plain)
	return out
}

func fill(b []byte) []byte { return append(b, make([]byte, -len(b)&15)...) }

func digest(parts ...[]byte) []byte {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

var key = []byte("0123456789abcdef")

// version1 is a main mode with AES-128 and SHA-256, and an informational exchange that is sent twice.
func version1() []dissecttest.Packet {
	transform := unhex("00 01 0000 80010007 80020004 8003 0001 8004000e 800e0080")
	proposal := append(unhex("01 01 00 01"), payloads([]byte{3}, transform)...)
	sa := append(unhex("00000001 00000001"), payloads([]byte{2}, proposal)...)
	first, second := []byte("public value one"), []byte("public value two")
	iv := digest(first, second)[:16]
	hash := payloads([]byte{5, 8}, append(unhex("01 00 0000"), 10, 0, 0, 1), []byte("hash of initiator"))
	sealed := encrypt(key, iv, fill(hash))
	const id = 0xabcdef01
	informed := payloads([]byte{8, 11}, []byte("hash of the info"),
		append(unhex("00000001 01 10 8d28"), append(unhex(initiatorSPI+responderSPI), 0, 0, 0, 7)...))
	later := digest(sealed[len(sealed)-16:], binary.BigEndian.AppendUint32(nil, id))[:16]
	info := head(0x10, 8, 5, 1, id, encrypt(key, later, fill(informed)))
	return []dissecttest.Packet{say(true, head(0x10, 1, 2, 0, 0, payloads([]byte{1}, sa))),
		say(true, head(0x10, 4, 2, 0, 0, payloads([]byte{4, 10}, first, []byte("nonce one")))),
		say(false, head(0x10, 4, 2, 0, 0, payloads([]byte{4, 10}, second, []byte("nonce two")))),
		say(true, head(0x10, 5, 2, 1, 0, sealed)),
		say(false, info), say(false, info)}
}

var proof = []byte(strings.Repeat("p", 32))

// seal is an encrypted payload of version 2 in its message, with AES-128 and HMAC-SHA2-256-128. Front stands in front
// of the IV: the numbers of a fragment.
func seal(kind, inner, flags byte, id uint32, front, plain []byte) []byte {
	iv := []byte("initialisation v")
	pad := 15 - len(plain)%16
	plain = append(append(append([]byte(nil), plain...), make([]byte, pad)...), byte(pad))
	body := append(append(append([]byte(nil), front...), iv...), encrypt(key, iv, plain)...)
	sk := append([]byte{inner, 0}, binary.BigEndian.AppendUint16(nil, uint16(4+len(body)+16))...)
	b := head(0x20, kind, 35, flags, id, append(append(sk, body...), make([]byte, 16)...))
	m := hmac.New(sha256.New, proof)
	m.Write(b[:len(b)-16])
	copy(b[len(b)-16:], m.Sum(nil))
	return b
}

// version2 is a request in one message, and an answer in two fragments, the last of which comes first.
func version2() []dissecttest.Packet {
	plain := payloads([]byte{35, 39}, append(unhex("02000000"), "initiator.test"...),
		append(unhex("02000000"), "proof of initiator"...))
	answer := payloads([]byte{36, 41}, append(unhex("02000000"), "responder.test"...), unhex("0000 4013 00000e10"))
	return []dissecttest.Packet{say(true, seal(46, 35, 8, 1, nil, plain)),
		say(false, seal(53, 0, 32, 1, unhex("0002 0002"), answer[9:])),
		say(false, seal(53, 36, 32, 1, unhex("0001 0002"), answer[:9]))}
}

func session(t *testing.T, p *dissect.Preference, rows string, packets []dissecttest.Packet) *dissect.Session {
	t.Helper()
	reg := dissecttest.Registry(t, plugins)
	s, err := p.Parse(rows)
	if err != nil {
		t.Fatal(err)
	}
	reg.SetPreference(p, s)
	if err := reg.LoadPreferences(); err != nil {
		t.Fatal(err)
	}
	out := dissecttest.SessionOf(t, reg, 101, packets)
	dissecttest.Redissections(t, out)
	return out
}

func row2(encryption, integrity string) string {
	return initiatorSPI + "," + responderSPI + "," + encryption + "," + encryption + `,"AES-CBC-128 [RFC3602]",` +
		integrity + "," + integrity + `,"HMAC_SHA2_256_128 [RFC4868]"`
}

// TestDecrypted reads both versions with their keys, and says of packets that are not decrypted why.
func TestDecrypted(t *testing.T) {
	wrong := strings.Repeat("00", 16)
	one := session(t, keys1, initiatorSPI+","+hex.EncodeToString(key), version1())
	dissecttest.Check(t, one, []dissecttest.Row{
		{Frame: 1, Field: "isakmp.ike.attr.encryption_algorithm", Want: "AES-CBC (7)"},
		{Frame: 4, Field: "isakmp.id.data.ipv4_addr", Want: "10.0.0.1"},
		{Frame: 4, Field: "isakmp.hash", Want: hex.EncodeToString([]byte("hash of initiator"))},
		{Frame: 5, Field: "isakmp.notify.data.dpd.are_you_there", Want: "7"},
		{Frame: 6, Field: "isakmp.notify.data.dpd.are_you_there", Want: "7"}, // the same once more
	})
	two := session(t, keys2, row2(hex.EncodeToString(key), hex.EncodeToString(proof)), version2())
	dissecttest.Check(t, two, []dissecttest.Row{
		{Frame: 1, Field: "isakmp.id.data.fqdn", Want: "initiator.test"},
		{Frame: 1, Field: "isakmp.auth.data", Want: hex.EncodeToString([]byte("proof of initiator"))},
		{Frame: 2, Field: "isakmp.reassembled.in", Want: "3"},
		{Frame: 3, Field: "isakmp.id.data.fqdn", Want: "responder.test"},
		{Frame: 3, Field: "isakmp.notify.data.auth_lifetime", Want: "3600 s"},
		{Frame: 3, Field: "isakmp.fragment", Want: "3,2"},
	})
	for _, c := range []struct {
		table   *dissect.Preference
		rows    string
		packets []dissecttest.Packet
		frame   dissect.FrameNum
		want    string
	}{
		{keys1, initiatorSPI + "," + wrong, version1(), 4, "the key in ikev1_decryption_table does not fit"},
		{keys1, responderSPI + "," + wrong, version1(), 4, "has no key of this Initiator's COOKIE"},
		{keys1, initiatorSPI + ",00", version1(), 4, "too short for the cipher"},
		{keys1, initiatorSPI + "," + wrong, version1()[3:4], 1, "the messages are missing"},
		{keys2, strings.Replace(row2(wrong, wrong+wrong), "1111", "3333", 1), version2(), 1, "has no keys of these SPIs"},
		{keys2, row2(hex.EncodeToString(key), wrong+wrong), version2(), 1, "Integrity Checksum Data is incorrect"},
		{keys2, row2(hex.EncodeToString(key), hex.EncodeToString(proof)), cut(version2(), 0), 1, "the message is not whole"},
		{keys1, initiatorSPI + "," + hex.EncodeToString(key), cut(version1(), 3), 4, "the message is not whole"},
	} {
		s := session(t, c.table, c.rows, c.packets)
		if got := dissecttest.Dump(s.Tree(c.frame)); !strings.Contains(got, c.want) {
			t.Errorf("%s: the tree does not say %q:\n%s", c.rows, c.want, got)
		}
	}
}

// cut takes the end off a packet, as a capture does.
func cut(packets []dissecttest.Packet, n int) []dissecttest.Packet {
	p := &packets[n]
	p.Len, p.Data = len(p.Data), p.Data[:len(p.Data)-16]
	return packets
}

// TestWrongTables refuses keys that cannot be any.
func TestWrongTables(t *testing.T) {
	for rows, p := range map[string]*dissect.Preference{
		"12,00":                              keys1,
		initiatorSPI + ",0x":                 keys1,
		initiatorSPI + ",zz":                 keys1,
		row2("00", strings.Repeat("00", 32)): keys2,
		row2(strings.Repeat("00", 16), "00"): keys2,
		strings.Replace(row2(strings.Repeat("00", 16), strings.Repeat("00", 32)), "CBC-128", "CBC-129", 1): keys2,
	} {
		reg := dissecttest.Registry(t, plugins)
		s, err := p.Parse(rows)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(p, s)
		if reg.LoadPreferences() == nil {
			t.Errorf("%s is taken", rows)
		}
	}
}

// TestHostile changes the messages where their trees have edges.
func TestHostile(t *testing.T) {
	var packets [][]byte
	for _, p := range append(version1(), version2()...) {
		packets = append(packets, p.Data)
	}
	dissecttest.RunMade(t, plugins, 101, packets...)
}
