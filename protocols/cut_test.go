package protocols_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestCutOff has captures that keep the first bytes of each packet: what they have of a message is read, and nothing is
// said against what they cut off. Each case is the bytes that the capture keeps of the payload, then what is sent.
func TestCutOff(t *testing.T) {
	hello := "\x02\x00\x00\x46\x03\x03" + strings.Repeat("r", 32) + "\x00\x00\x2f\x00"
	smb2 := "\x00\x00\x01\x00\xfeSMB\x40\x00\x01\x00" + strings.Repeat("\x00", 12) + "\x98\x00\x00\x00" +
		strings.Repeat("\x00", 300)
	for name, test := range map[string]struct {
		port uint16
		keep int
		sent []string
		want []dissecttest.Row
	}{
		"TLS glues nothing": {443, 60, []string{
			"S:\x16\x03\x03\x01\x00" + hello + strings.Repeat("x", 256-len(hello)),
			"S:\x16\x03\x03\x00\xaa\x04\x00\x00\xa6\x00\x00\x01\x2c\x00\xa0" + strings.Repeat("t", 160),
		}, []dissecttest.Row{
			{Frame: 3, Field: "info", Want: "Server Hello[Packet size limited during capture]"},
			{Frame: 3, Field: "tls.handshake.ciphersuite", Want: "TLS_RSA_WITH_AES_128_CBC_SHA (0x002f)"},
			{Frame: 3, Field: "tls.handshake.ja3s", Want: ""},
			{Frame: 4, Field: "info", Want: "New Session Ticket[Packet size limited during capture]"},
			{Frame: 4, Field: "tls.handshake.fragment", Want: ""},
		}},
		"HTTP within a name": {80, 26,
			[]string{"C:GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: b\r\nX-Long: " + strings.Repeat("c", 80) + "\r\n\r\n"},
			[]dissecttest.Row{{Frame: 3, Field: "http.request.method", Want: "GET"}, {Frame: 3, Field: "http.host", Want: "a"}}},
		"HTTP within a line end": {80, 15, []string{"C:GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
			[]dissecttest.Row{{Frame: 3, Field: "info", Want: "GET / HTTP/1.1 [Packet size limited during capture]"}}},
		"HTTP within chunks": {80, 55,
			[]string{"C:GET / HTTP/1.1\r\nHost: a\r\n\r\n",
				"S:HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" + strings.Repeat("c", 64) + "\r\n0\r\n\r\n"},
			[]dissecttest.Row{{Frame: 4, Field: "http.response_for.uri", Want: "http://a/"}}},
		"SMB2 in a chain": {445, 60, []string{"C:" + smb2[:260]},
			[]dissecttest.Row{{Frame: 3, Field: "smb2.chain_offset", Want: "0x00000098"}}},
		"DNS within a name": {53, 24,
			[]string{"C:\x00\x1d\x00\x07\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03com\x00\x00\x01\x00\x01"},
			[]dissecttest.Row{{Frame: 3, Field: "dns.id", Want: "0x0007"}}},
		"SIP": {5060, 40, []string{"C:OPTIONS sip:a@b SIP/2.0\r\nCall-ID: 12345678901234567890\r\nContent-Length: 0\r\n\r\n"},
			[]dissecttest.Row{{Frame: 3, Field: "sip.Method", Want: "OPTIONS"}}},
	} {
		packets := dissecttest.Stream(test.port, test.sent...)
		for i := range packets {
			if p := &packets[i]; len(p.Data) > 40+test.keep {
				p.Data, p.Len = p.Data[:40+test.keep], len(p.Data)
			}
		}
		s := dissecttest.Session(t, protocols.All(), 101, packets)
		t.Run(name, func(t *testing.T) {
			dissecttest.Check(t, s, test.want)
			dissecttest.Redissections(t, s)
		})
		short := false
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := s.Tree(n)
			for i := range tree.Nodes {
				f := tree.Field(i)
				short = short || f.Name() == "_ws.short"
				if f.IsExpert() && f.Severity() >= dissect.Warn {
					t.Errorf("%s, frame %d: %s", name, n, tree.Label(i))
				}
			}
		}
		if !short {
			t.Errorf("%s: no packet is marked as cut", name)
		}
	}
}
