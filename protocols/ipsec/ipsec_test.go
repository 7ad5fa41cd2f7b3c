package ipsec

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	payload "remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/isakmp"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

var plugins = []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), Plugin(), Authentication(),
	Encapsulation(), isakmp.Plugin(), payload.Plugin()}

const (
	key   = "0123456789abcdef"
	salt  = "salt"
	proof = "twenty bytes of key!"
)

// trailer puts the padding and the protocol number behind a packet.
func trailer(inner []byte, next byte) []byte {
	pad := -(len(inner) + 2) & 15
	for i := range pad {
		inner = append(inner, byte(i+1))
	}
	return append(inner, byte(pad), next)
}

func head(spi, number uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, spi), number)
}

// chained is a packet with AES-CBC and HMAC-SHA-1-96.
func chained(spi, number uint32, plain []byte) []byte {
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		panic(err)
	}
	iv := []byte("initialisation v")
	b := append(head(spi, number), iv...)
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, plain)
	b = append(b, out...)
	m := hmac.New(sha1.New, []byte(proof))
	m.Write(b)
	return append(b, m.Sum(nil)[:12]...)
}

// counted is a packet with AES-GCM.
func counted(spi, number uint32, plain []byte) []byte {
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	front, iv := head(spi, number), []byte("eight iv")
	return append(append(front, iv...), aead.Seal(nil, append([]byte(salt), iv...), plain, front)...)
}

func packets() []dissecttest.Packet {
	inner := func() []byte {
		return dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2", dissecttest.UDP(7, 7, []byte("question")))
	}
	send := func(protocol byte, b []byte) dissecttest.Packet {
		return dissecttest.Packet{Data: dissecttest.IPv4(protocol, "192.0.2.1", "192.0.2.2", b)}
	}
	auth := append([]byte{17, 4, 0, 0}, head(0x300, 1)...)
	auth = append(append(auth, "proof of all"...), dissecttest.UDP(7, 7, []byte("in clear"))...)
	return []dissecttest.Packet{
		send(50, chained(0x100, 1, trailer(inner(), 4))),
		send(50, chained(0x100, 3, trailer(dissecttest.UDP(7, 7, []byte("transport")), 17))),
		send(17, dissecttest.UDP(4500, 4500, counted(0x200, 1, trailer(inner(), 4)))),
		send(51, auth),
		send(17, dissecttest.UDP(4500, 4500, []byte{0xff})),
	}
}

func table(cbc, mac, gcm string) string {
	return `"IPv4","192.0.2.1","192.0.2.0/24","0x000001*0","AES-CBC [RFC3602]","` + cbc +
		`","HMAC-SHA-1-96 [RFC2404]","` + mac + `"` + "\n" +
		`"*","*","*","512","AES-GCM with 16 octet ICV","` + gcm + `","NULL",""`
}

func session(t *testing.T, rows, on string) *dissect.Session {
	t.Helper()
	return sessionOf(t, rows, on, packets())
}

func sessionOf(t *testing.T, rows, on string, packets []dissecttest.Packet) *dissect.Session {
	t.Helper()
	reg := dissecttest.Registry(t, plugins)
	for p, text := range map[*dissect.Preference]string{pTable: rows, pDecrypt: on} {
		s, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(p, s)
	}
	if err := reg.LoadPreferences(); err != nil {
		t.Fatal(err)
	}
	s := dissecttest.SessionOf(t, reg, 101, packets)
	dissecttest.Redissections(t, s)
	return s
}

// TestDecrypted reads packets with their keys, and says of those that are not decrypted why.
func TestDecrypted(t *testing.T) {
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	dissecttest.Check(t, session(t, table("0x"+text(key), proof, "0x"+text(key+salt)), "TRUE"), []dissecttest.Row{
		{Frame: 1, Field: "esp.icv_good", Want: "True"},
		{Frame: 1, Field: "esp.protocol", Want: "0x04"},
		{Frame: 1, Field: "data.data", Want: text("question")},
		{Frame: 2, Field: "data.data", Want: text("transport")},
		{Frame: 2, Field: "esp.sequence-analysis.expected-sn", Want: "2"},
		{Frame: 3, Field: "data.data", Want: text("question")},
		{Frame: 4, Field: "ah.spi", Want: "0x00000300"},
		{Frame: 4, Field: "data.data", Want: text("in clear")},
		{Frame: 5, Field: "info", Want: "NAT-keepalive"},
	})
	wrong := strings.Repeat("x", 16)
	for _, c := range []struct {
		rows, on, want string
		frame          dissect.FrameNum
	}{
		{table(key, wrong, key+salt), "TRUE", "so the keys in esp_sa do not fit", 1},
		{table(key, proof, wrong+salt), "TRUE", "so the keys in esp_sa do not fit", 3},
		{strings.ReplaceAll(table(key, proof, key+salt), "192.0.2.0/24", "192.0.3.0/24"), "TRUE", "esp_sa has no entry", 1},
		{table(key, proof, key+salt), "FALSE", "", 1},
	} {
		s := session(t, c.rows, c.on)
		tree := s.Tree(c.frame)
		if got := dissecttest.Dump(tree); !strings.Contains(got, c.want) || dissecttest.All(tree, "data.data") != "" {
			t.Errorf("%s: the tree does not say %q:\n%s", c.rows, c.want, got)
		}
	}
}

// TestCut says of a packet that the capture cut off that it is not whole.
func TestCut(t *testing.T) {
	list := packets()
	list[0].Len, list[0].Data = len(list[0].Data), list[0].Data[:len(list[0].Data)-4]
	s := sessionOf(t, table(key, proof, key+salt), "TRUE", list)
	if got := dissecttest.Dump(s.Tree(1)); !strings.Contains(got, "Not decrypted: the packet is not whole") {
		t.Errorf("the tree does not say that the packet is not whole:\n%s", got)
	}
}

// TestWrongTables refuses rows that cannot mean anything.
func TestWrongTables(t *testing.T) {
	good := table(key, proof, key+salt)
	for _, c := range [][2]string{{"IPv4", "IPv5"}, {"192.0.2.1", "192.0.2"}, {"0x000001*0", "0x1g"}, {"512", "many"},
		{"AES-CBC", "AES-ABC"}, {"HMAC-SHA-1", "HMAC-SHA-7"}, {`"` + key + `"`, `"short"`}, {`"` + key + `"`, `"0xyz"`}} {
		reg := dissecttest.Registry(t, plugins)
		s, err := pTable.Parse(strings.Replace(good, c[0], c[1], 1))
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(pTable, s)
		if reg.LoadPreferences() == nil {
			t.Errorf("%s is taken for %s", c[1], c[0])
		}
	}
}

// TestHostile changes the packets where their trees have edges.
func TestHostile(t *testing.T) {
	var list [][]byte
	for _, p := range packets() {
		list = append(list, p.Data)
	}
	dissecttest.RunMade(t, plugins, 101, list...)
}
