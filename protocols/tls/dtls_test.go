package tls

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/udp"
)

func datagramPlugins() []dissect.Plugin {
	list := slices.DeleteFunc(plugins(), func(p dissect.Plugin) bool { return p.Protocol.Name() == "toy" })
	return append(list, udp.Plugin(), DTLS())
}

// TestDatagrams reads sessions between programs of OpenSSL, of DTLS 1.2 with GCM, CBC and ChaCha20 and of DTLS 1.0:
// with certificates in fragments, and words both ways.
func TestDatagrams(t *testing.T) {
	s := dissecttest.Load(t, datagramPlugins(), "testdata/dtls.pcapng")
	var said []string
	for _, word := range strings.Split(every(s, "data.data"), ",") {
		b, err := hex.DecodeString(word)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, strings.TrimSpace(string(b)))
	}
	if got, want := strings.Join(said, ","),
		strings.TrimSuffix(strings.Repeat("hello dtls,hello client,", 4), ","); got != want {
		t.Errorf("what was said is %q, not %q", got, want)
	}
	for field, want := range map[string]string{
		"dtls.decryption.failed": "", "tls.handshake.type": "", "dtls.fragment.count": "3,3,3,3",
		"dtls.reassembled.length": "841,841,841,841",
		"dtls.reassembled.in":     "6,6,18,18,30,30,42,42",
	} {
		if got := every(s, field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	if got := every(s, "x509sat.uTF8String"); strings.Count(got, "server.example.com") != 8 {
		t.Errorf("the certificates' names are %q", got)
	}
	l := s.Dissector()
	for n, want := range map[dissect.FrameNum]string{2: "Hello Verify Request", 4: "Server Hello, Certificate (Fragment)",
		6: "Certificate (Reassembled), Server Key Exchange, Server Hello Done",
		8: "New Session Ticket, Change Cipher Spec, Finished"} {
		tree := l.Tree(n)
		if got := tree.InfoLine(); got != want {
			t.Errorf("frame %d says %q, want %q", n, got, want)
		}
	}
	if got := l.Tree(6).ProtocolText(); got != "DTLSv1.2" {
		t.Errorf("the Protocol column is %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, datagramPlugins(), s)
}

// TestHostileDatagrams has records whose lengths lie, fragments that overlap, leave gaps or promise too much, and
// cookies beyond the end. Nothing panics, and nothing is put together of them.
func TestHostileDatagrams(t *testing.T) {
	record := func(body ...byte) []byte {
		head := []byte{22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, byte(len(body) >> 8), byte(len(body))}
		return append(head, body...)
	}
	part := func(typ byte, size, off, n int) []byte {
		b := []byte{typ, byte(size >> 16), byte(size >> 8), byte(size), 0, 1, byte(off >> 16), byte(off >> 8), byte(off),
			byte(n >> 16), byte(n >> 8), byte(n)}
		return append(b, make([]byte, n)...)
	}
	var packets [][]byte
	for _, payload := range [][]byte{
		record(part(1, 40, 0, 40)...), record(part(1, 34, 0, 34)...), record(part(11, 1<<24-1, 0, 10)...),
		record(part(11, 30, 20, 10)...), record(part(11, 30, 10, 10)...),
		record(part(11, 30, 25, 10)...), record(part(3, 2, 0, 2)...), record(1, 2, 3), record(part(11, 20, 0, 0)...),
		record(part(11, 0, 0, 0)...),
		{22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1}, {23, 0xfe, 0xfd, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, {22, 0xfe},
	} {
		packets = append(packets, overUDP(payload))
	}
	s := dissecttest.Session(t, datagramPlugins(), 1, dissecttest.Packets(packets...))
	if got := every(s, "dtls.reassembled.length"); got != "" {
		t.Errorf("messages were put together: %q", got)
	}
	if got := every(s, "dtls.record.epoch"); got == "" {
		t.Error("no record was read")
	}
	dissecttest.Redissections(t, s)
	dissecttest.Truncations(t, datagramPlugins(), s)
}

// overUDP puts a payload into a frame between two hosts.
func overUDP(payload []byte) []byte {
	udp := dissecttest.UDP(49152, 4433, payload)
	return dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolUDP, "192.0.2.1", "192.0.2.2", udp))
}

// TestLoneAlert knows a client that has nothing to offer by its alert alone.
func TestLoneAlert(t *testing.T) {
	conv := dissecttest.Conversation{T: t, Plugins: datagramPlugins()}
	conv.Say(0, dissecttest.Spot{Host: 1, Port: 40000}, dissecttest.Spot{Host: 2, Port: 6157},
		"15 feff 0000 000000000000 0002 0250")
	dissecttest.Check(t, conv.Session(),
		[]dissecttest.Row{{Frame: 1, Field: "info", Want: "Alert (Level: Fatal, Description: Internal Error)"}})
}
