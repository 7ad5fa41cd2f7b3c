package wireguard

import (
	"encoding/base64"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/blake2s"
	"golang.org/x/crypto/chacha20poly1305"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/crypt"
	payload "remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/icmp"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

// private is a key for tests.
func privateKey(n byte) []byte { return []byte(strings.Repeat(string(rune('a'+n)), 32)) }

func seal(key []byte, counter uint64, plain, extra []byte) []byte {
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		panic(err)
	}
	var nonce [12]byte
	binary.LittleEndian.PutUint64(nonce[4:], counter)
	return aead.Seal(nil, nonce[:], plain, extra)
}

// signed puts the MACs behind a message for who has a key.
func signed(b, to []byte) []byte {
	m, err := blake2s.New128(digestOf([]byte(labelMAC1), to))
	if err != nil {
		panic(err)
	}
	m.Write(b)
	return append(m.Sum(b), make([]byte, 16)...)
}

// The keys of the test: of the initiator, of the responder, lasting and for one handshake, and the one shared before.
var (
	initiatorKey, responderKey = privateKey(0), privateKey(1)
	firstKey, secondKey        = privateKey(2), privateKey(3)
	sharedKey                  = privateKey(4)
)

// talk is a handshake and a packet each way, made as the paper says (section 5.4.2 to 5.4.6).
func talk() []dissecttest.Packet {
	first, second := crypt.X25519Public(firstKey), crypt.X25519Public(secondKey)
	initiator, responder := crypt.X25519Public(initiatorKey), crypt.X25519Public(responderKey)
	chain := digestOf([]byte(construction))
	h := digestOf(digestOf(chain, []byte(identifier)), responder)
	step := func(input []byte) (key []byte) {
		chain, key, _ = derive(chain, input)
		return key
	}
	hello := binary.LittleEndian.AppendUint32([]byte{1, 0, 0, 0}, 0x11)
	hello = append(hello, first...)
	step(first)
	h = digestOf(h, first)
	part := seal(step(crypt.X25519(firstKey, responder)), 0, initiator, h)
	h = digestOf(h, part)
	hello = append(hello, part...)
	part = seal(step(crypt.X25519(initiatorKey, responder)), 0,
		[]byte("\x40\x00\x00\x00\x00\x00\x00\x6e\x00\x00\x00\x07"), h)
	h = digestOf(h, part)
	hello = signed(append(hello, part...), responder)

	answer := binary.LittleEndian.AppendUint32([]byte{2, 0, 0, 0}, 0x22)
	answer = append(binary.LittleEndian.AppendUint32(answer, 0x11), second...)
	step(second)
	h = digestOf(h, second)
	step(crypt.X25519(secondKey, first))
	step(crypt.X25519(secondKey, initiator))
	last, temporary, key := derive(chain, sharedKey)
	answer = signed(append(answer, seal(key, 0, nil, digestOf(h, temporary))...), initiator)

	there, back, _ := derive(last, nil)
	sealed := func(index uint32, key []byte, counter uint64, inner []byte) []byte {
		inner = append(inner, make([]byte, -len(inner)&15)...)
		b := binary.LittleEndian.AppendUint32([]byte{4, 0, 0, 0}, index)
		return append(binary.LittleEndian.AppendUint64(b, counter), seal(key, counter, inner, nil)...)
	}
	packet := func(index uint32, key []byte, from, to, text string) []byte {
		return sealed(index, key, 0, dissecttest.IPv4(17, from, to, dissecttest.UDP(7, 7, []byte(text))))
	}
	cut := dissecttest.UDP(7, 7, []byte("cut into two"))
	front := dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2", cut[:16])
	rest := dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2", cut[16:])
	front[6], rest[7] = 0x20, 2
	send := func(from, to string, ports [2]uint16, b []byte) dissecttest.Packet {
		return dissecttest.Packet{Data: dissecttest.IPv4(17, from, to, dissecttest.UDP(ports[0], ports[1], b))}
	}
	const a, b = "192.0.2.1", "192.0.2.2"
	ports, turned := [2]uint16{50000, 51820}, [2]uint16{51820, 50000}
	return []dissecttest.Packet{send(a, b, ports, hello), send(b, a, turned, answer),
		send(a, b, ports, packet(0x22, there, "10.0.0.1", "10.0.0.2", "question")),
		send(b, a, turned, packet(0x11, back, "10.0.0.2", "10.0.0.1", "answers!")),
		send(a, b, ports, sealed(0x22, there, 1, front)), send(a, b, ports, sealed(0x22, there, 2, rest))}
}

func base(key []byte) string { return base64.StdEncoding.EncodeToString(key) }

// TestDecrypted reads a handshake and packets with the keys of either end, from a log and from the table.
func TestDecrypted(t *testing.T) {
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), icmp.Plugin(), Plugin(),
		payload.Plugin()}
	static := "LOCAL_STATIC_PRIVATE_KEY = "
	shared := "\nPRESHARED_KEY = " + base(sharedKey)
	for name, c := range map[string]struct {
		log, table          string
		stamp, ok, question string
	}{
		"initiator": {static + base(initiatorKey) + "\nREMOTE_STATIC_PUBLIC_KEY=" + base(crypt.X25519Public(responderKey)) +
			"\nLOCAL_EPHEMERAL_PRIVATE_KEY=" + base(firstKey) + shared, "", "7", "True", "question"},
		"responder": {static + base(responderKey) + "\nLOCAL_EPHEMERAL_PRIVATE_KEY=" + base(secondKey) + shared + "\n", "",
			"7", "True", "question"},
		"static alone": {"", `"Private","` + base(responderKey) + `"`, "7", "False", ""},
		"without the shared key": {static + base(responderKey) + "\nLOCAL_EPHEMERAL_PRIVATE_KEY=" + base(secondKey), "", "7",
			"False", ""},
		"none": {"", "", "", "", ""},
	} {
		reg := dissecttest.Registry(t, plugins)
		if c.log != "" {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(c.log), 0o600); err != nil {
				t.Fatal(err)
			}
			log, err := secrets.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			reg.SetSecrets(secrets, log)
		}
		rows, err := tableKeys.Parse(c.table)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(tableKeys, rows)
		if err := reg.LoadPreferences(); err != nil {
			t.Fatal(err)
		}
		s := dissecttest.SessionOf(t, reg, 101, talk())
		question, lengths := "", "72"
		if c.question != "" {
			question, lengths = "7175657374696f6e", "72,20" // that of the datagram in two packets of the tunnel
		}
		for _, want := range []struct {
			frame        dissect.FrameNum
			field, value string
		}{{1, "wg.timestamp.nanoseconds", c.stamp}, {2, "wg.handshake_ok", c.ok}, {3, "data.data", question},
			{6, "udp.length", lengths}} {
			if got := dissecttest.All(s.Tree(want.frame), want.field); got != want.value {
				t.Errorf("%s: %s is %q, want %q", name, want.field, got, want.value)
			}
		}
		_, closed := dissecttest.Find(s.Tree(3), "wg.decryption.no_key")
		if given := c.log != "" || c.table != ""; closed != (given && c.question == "") {
			t.Errorf("%s: that the keys do not fit is said: %v", name, closed)
		}
		dissecttest.Redissections(t, s)
		late := dissecttest.SessionOf(t, reg, 101, talk()[2:])
		if _, said := dissecttest.Find(late.Tree(1), "wg.decryption.no_handshake"); said != (c.log != "" || c.table != "") {
			t.Errorf("%s: that the handshake is not there is said: %v", name, said)
		}
	}
	reg := dissecttest.Registry(t, plugins)
	for _, bad := range []string{`"Private","abc"`, `"Secret","` + base(sharedKey) + `"`} {
		rows, err := tableKeys.Parse(bad)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(tableKeys, rows)
		if reg.LoadPreferences() == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
