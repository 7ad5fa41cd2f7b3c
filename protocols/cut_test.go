package protocols_test

import (
	"bytes"
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

// TestCutDatagrams has captures that keep the first bytes of datagrams and of what is in other packets: each is
// dissected as far as it goes, marked once, and not malformed.
func TestCutDatagrams(t *testing.T) {
	call := []byte("INVITE sip:bob@example.org SIP/2.0\r\nCall-ID: 1\r\nContent-Length: 0\r\n\r\n")
	hello := append([]byte{3, 1, 0, 36, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0x13, 0, 10, 0, 40},
		make([]byte, 8)...)
	ah := append([]byte{89, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, make([]byte, 12)...)
	kerberos := append([]byte{0x6a, 0x81, 0x80, 0x30, 0x7e, 0xa1, 3, 2, 1, 5, 0xa2, 3, 2, 1, 10},
		bytes.Repeat([]byte{0xa4, 0x72}, 58)...)
	udp := func(port uint16, b []byte) []byte {
		return dissecttest.IPv4(dissecttest.ProtocolUDP, "10.0.0.1", "10.0.0.2", dissecttest.UDP(40000, port, b))
	}
	for name, test := range map[string]struct {
		packet      []byte
		keep        int
		field, want string
	}{
		"SIP in its header":     {udp(5060, call), 28 + 50, "sip.Method", "INVITE"},
		"SIP in its first line": {udp(5060, call), 28 + 20, "sip.Method", "INVITE"},
		"SIP in an address":     {udp(5060, call), 28 + 20, "sip.r-uri", "sip:bob@examp"},
		"Kerberos":              {udp(88, kerberos), 28 + 16, "kerberos.pvno", "5"},
		"OSPF behind AH": {dissecttest.IPv4(51, "10.0.0.1", "10.0.0.2", append(ah, hello...)), 20 + 24 + 22,
			"ospf.msg", "Hello Packet (1)"},
	} {
		packets := []dissecttest.Packet{{Data: test.packet[:test.keep], Len: len(test.packet)}}
		s := dissecttest.Session(t, protocols.All(), 101, packets)
		dissecttest.Redissections(t, s)
		tree, short := s.Tree(1), 0
		if got, _ := dissecttest.Find(tree, test.field); got != test.want {
			t.Errorf("%s: %s is %q, want %q", name, test.field, got, test.want)
		}
		for i := range tree.Nodes {
			switch f := tree.Field(i); {
			case f.Name() == "_ws.short":
				short++
			case f.IsExpert() && f.Severity() >= dissect.Warn:
				t.Errorf("%s: %s", name, tree.Label(i))
			}
		}
		if short != 1 {
			t.Errorf("%s: it is marked %d times", name, short)
		}
	}
}

// TestBehindACutRecord has the middle of a message follow one that the capture cut off: it is no message of its own.
func TestBehindACutRecord(t *testing.T) {
	record := "S:\x00\x00\x01\x00\x6b\x81\xfd\x30\x81\xfa\xa0\x03\x02\x01\x05" + strings.Repeat("x", 100)
	rest := "S:\x5f\x98\x6b\x8b\x76\x7f\xa2\x98" + strings.Repeat("y", 137)
	packets := dissecttest.Stream(88, record, rest)
	for i := range packets {
		if p := &packets[i]; len(p.Data) > 80 {
			p.Data, p.Len = p.Data[:80], len(p.Data)
		}
	}
	s := dissecttest.Session(t, protocols.All(), 101, packets)
	for i := range s.ExpertInfos() {
		if e := s.ExpertInfo(i); e.Severity >= dissect.Warn {
			t.Errorf("frame %d: %s", e.Frame, s.Registry().FieldByID(e.Field).Name())
		}
	}
}

// TestCutTLS13 reads the records behind those that the capture cut off, in a handshake of TLS 1.3 and after it.
func TestCutTLS13(t *testing.T) {
	fill := func(n int) string { return strings.Repeat("z", n) }
	hello := "\x01\x00\x00\xf0\x03\x03" + strings.Repeat("r", 32) + "\x00\x00\x02\x13\x01\x01\x00"
	answer := "\x02\x00\x00\x76\x03\x03" + strings.Repeat("R", 32) + "\x00\x13\x01\x00"
	packets := dissecttest.Stream(443,
		"C:\x16\x03\x01\x00\xf4"+hello+fill(0xf4-len(hello)),
		"S:\x16\x03\x03\x00\x7a"+answer+fill(0x7a-len(answer))+"\x14\x03\x03\x00\x01\x01\x17\x03\x03\x00\x80"+fill(128),
		"S:\x17\x03\x03\x01\x00"+fill(256),
		"C:\x14\x03\x03\x00\x01\x01\x17\x03\x03\x00\x45"+fill(69),
		"C:\x17\x03\x03\x00\x12"+fill(18),
		"S:\x17\x03\x03\x00\x90"+fill(144), "S:\x17\x03\x03\x00\x10"+fill(16))
	for i := range packets {
		if p := &packets[i]; len(p.Data) > 96 {
			p.Data, p.Len = p.Data[:96], len(p.Data)
		}
	}
	const cut = "[Packet size limited during capture]"
	s := dissecttest.Session(t, protocols.All(), 101, packets)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 3, Field: "info", Want: "Client Hello" + cut},
		{Frame: 4, Field: "info", Want: "Server Hello" + cut},
		{Frame: 5, Field: "info", Want: "Application Data" + cut},
		{Frame: 6, Field: "info", Want: "Change Cipher Spec, Application Data" + cut},
		{Frame: 7, Field: "info", Want: "Application Data"},
		{Frame: 8, Field: "info", Want: "Application Data" + cut},
		{Frame: 9, Field: "info", Want: "Application Data"},
	})
	dissecttest.Redissections(t, s)
}
