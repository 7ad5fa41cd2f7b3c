package kerberos

import (
	"crypto/pbkdf2"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

// TestPseudoRandom has the example of RFC 8009.
func TestPseudoRandom(t *testing.T) {
	got := hex.EncodeToString(pseudoRandom(aes128SHA2, unhex("3705d96080c17728a0e800eab6e0d23c"), []byte("test")))
	if got != "9d188616f63852fe86915bb840b4a886ff3e6bb0f819b49b893393d393854295" {
		t.Errorf("it is %s", got)
	}
}

// TestMixed has the examples of RFC 6113 appendix A: keys of the passwords key1 and key2 with themselves as salts.
func TestMixed(t *testing.T) {
	for etype, want := range map[uint16]string{aes128: "97df97e4b798b29eb31ed7280287a92a",
		aes256: "4d6ca4e629785c1f01baf55e2e548566b9617ae3a96868c337cb93b5e72b1c7b"} {
		var keys [2]key
		for i, text := range []string{"key1", "key2"} {
			b, err := pbkdf2.Key(sha1.New, text, []byte(text), 4096, keySizes[etype])
			if err != nil {
				t.Fatal(err)
			}
			keys[i], _ = keyOf(etype, derivedFrom(b, []byte("kerberos")))
		}
		got := keys[0].mixed(keys[1], "a", "b")
		if len(got) != 1 || hex.EncodeToString(got[0].Bytes[:got[0].Len]) != want {
			t.Errorf("type %d: %x, want %s", etype, got, want)
		}
	}
	if k, _ := keyOf(aes128, make([]byte, 16)); k.mixed(key{}, "a", "b") != nil {
		t.Error("half a key is mixed")
	}
}

// small is a number.
func small(n byte) string { return value(2, string([]byte{n})) }

// secretly is EncryptedData.
func secretly(key string, usage uint32, plain string) string {
	return value(0x30, value(0xa0, small(rc4HMAC)), value(0xa2, value(4, sealRC4([]byte(key), usage, plain))))
}

// keyed is an EncryptionKey.
func keyed(k string) string {
	return value(0x30, value(0xa0, small(rc4HMAC)), value(0xa1, value(4, k)))
}

// proofOf is PA-DATA.
func proofOf(kind string, v string) string {
	return value(0x30, value(0xa1, value(2, kind)), value(0xa2, value(4, v)))
}

func mixedRC4(first, second, a, b string) string {
	one, _ := keyOf(rc4HMAC, []byte(first))
	two, _ := keyOf(rc4HMAC, []byte(second))
	k := one.mixed(two, a, b)[0]
	return string(k.Bytes[:k.Len])
}

// TestTunnel decrypts a request in a tunnel whose key comes of a proof, and the answer, whose key the tunnel tells half
// of. What the ticket holds is read to the list of Windows.
func TestTunnel(t *testing.T) {
	const session, sub, half = "key of sixteen b", "the proof's key.", "half of a key..."
	armor := mixedRC4(sub, session, "subkeyarmor", "ticketarmor")
	proof := value(0x62, value(0x30, value(0xa0, small(5)), value(0xa6, keyed(sub))))
	shown := value(0x6e, value(0x30, value(0xa0, small(5)), value(0xa4, secretly(session, 7, proof))))
	inside := value(0x30, value(0xa0, value(3, "\x00\x40\x00\x00\x00")), value(0xa1, value(0x30)),
		value(0xa2, value(0x30, value(0xa7, small(77)))))
	request := value(0x6c, value(0x30, value(0xa1, small(5)), value(0xa2, small(12)), value(0xa3, value(0x30,
		proofOf("\x01", shown), proofOf("\x00\x88", value(0xa0, value(0x30, value(0xa1, value(0x30)),
			value(0xa2, secretly(armor, 51, inside)))))))))
	told := value(0x30, value(0xa1, keyed(half)), value(0xa3, small(78)))
	pac := "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x0a\x00\x00\x00\x0e\x00\x00\x00\x18\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x46\x9f\x95\xc5\x7b\xdd\x01\x04\x00u\x000\x00"
	item := func(kind, v string) string {
		return value(0x30, value(0x30, value(0xa0, value(2, kind)), value(0xa1, value(4, v))))
	}
	ticket := value(0x61, value(0x30, value(0xa3, secretly(session, 2, value(0x63, value(0x30,
		value(0xa0, value(3, "\x00\x40\x00\x00\x00")), value(0xaa, item("\x01", item("\x00\x80", pac)))))))))
	answer := value(0x7a, value(0x30, value(0xa2, small(77)), value(0xa4, value(3, "\x00\x00\x20\x00\x00"))))
	reply := value(0x6d, value(0x30, value(0xa0, small(5)), value(0xa1, small(13)), value(0xa2, value(0x30,
		proofOf("\x00\x88", value(0xa0, value(0x30, value(0xa0, secretly(armor, 52, told))))))), value(0xa5, ticket),
		value(0xa6, secretly(mixedRC4(half, sub, "strengthenkey", "replykey"), 8, answer))))

	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), Plugin(), data.Plugin()}
	reg := dissecttest.Registry(t, plugins)
	b := binary.BigEndian.AppendUint16(nil, rc4HMAC)
	reg.SetSecrets(secrets, &keytab{keys: [][]byte{append(b, session...)}})
	s := dissecttest.SessionOf(t, reg, 101, dissecttest.Packets(
		dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2", dissecttest.UDP(1000, 88, []byte(request))),
		dissecttest.IPv4(17, "10.0.0.2", "10.0.0.1", dissecttest.UDP(88, 1000, []byte(reply)))))
	dissecttest.Redissections(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "kerberos.FastOptions.hide.client.names", Want: "True"},
		{Frame: 1, Field: "kerberos.nonce", Want: "77"},
		{Frame: 2, Field: "kerberos.nonce", Want: "78,77"},
		{Frame: 2, Field: "kerberos.TicketFlags.forwardable", Want: "True,False"},
		{Frame: 2, Field: "kerberos.TicketFlags.pre.authent", Want: "False,True"},
		{Frame: 2, Field: "kerberos.ad_type", Want: "aD-IF-RELEVANT (1),aD-WIN2K-PAC (128)"},
		{Frame: 2, Field: "kerberos.pac.type", Want: "Client Info Type (10)"},
		{Frame: 2, Field: "kerberos.pac.name", Want: "u0"},
	})
}
