package tls

import (
	"bytes"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// long is a toy message of 201 bytes.
var long = append([]byte{200}, bytes.Repeat([]byte("x"), 200)...)

var toyTalk = [][]byte{append([]byte("\x02hi"), "\x05wor"...), []byte("ld"), {3}, []byte("bye\x04more"), long[:1],
	long[1:50], long[50:]}

// plays are sessions of all versions and of the suites that can be read.
var plays = []play{
	{name: "1.3", version: tls.VersionTLS13, alpn: "toy", port: 443, say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.3 by port", version: tls.VersionTLS13, port: 4433, say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.3 with a client's certificate", version: tls.VersionTLS13, alpn: "toy", port: 443, client: true,
		say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.3 on a port of its own", version: tls.VersionTLS13, alpn: "toy", port: 9999, say: toyTalk,
		answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.3 with a long certificate", version: tls.VersionTLS13, alpn: "toy", port: 443, names: 900, say: toyTalk,
		answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.2 long", version: tls.VersionTLS12, suite: tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, alpn: "toy",
		port: 443, names: 900, say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.2 AES-256", version: tls.VersionTLS12, suite: tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, alpn: "toy",
		port: 443, client: true, say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.2 ChaCha20", version: tls.VersionTLS12, suite: tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
		alpn: "toy", port: 443, say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.0 CBC", version: tls.VersionTLS10, suite: tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, alpn: "toy", port: 443,
		say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.1 CBC", version: tls.VersionTLS11, suite: tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, alpn: "toy", port: 443,
		say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
	{name: "1.2 CBC", version: tls.VersionTLS12, suite: tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, alpn: "toy",
		port: 443, say: toyTalk, answer: [][]byte{[]byte("\x02ok")}},
}

const told = "hi,world,bye,more,"

// With the secrets, what was said is read, whatever the records it was said in; without them, nothing of it is.
func TestDecrypt(t *testing.T) {
	for _, p := range plays {
		t.Run(p.name, func(t *testing.T) {
			c, secrets := p.record(t)
			s := passed(t, c, secrets)
			if got, want := every(s, "toy.text"), told+strings.Repeat("x", 200)+",ok"; got != want {
				t.Errorf("what was said is %q, not %q", got, want)
			}
			if got := every(s, "tls.decryption.failed"); got != "" {
				t.Errorf("records were not opened: %q", got)
			}
			if got := every(s, "x509ce.dNSName"); strings.Count(got, ",") < max(1, p.names)-1 ||
				!strings.HasPrefix(got, "www.example.test") {
				t.Errorf("the certificate has the names %.100q", got)
			}
			dissecttest.Redissections(t, s)
			dissecttest.Fields(t, s)
			s = passed(t, c, nil)
			if got := every(s, "toy.text"); got != "" {
				t.Errorf("without secrets %q was read", got)
			}
			dissecttest.Redissections(t, s)
		})
	}
}

// Secrets of another session open nothing and say so.
func TestWrongSecrets(t *testing.T) {
	for _, p := range []play{plays[0], plays[5]} {
		c, secrets := p.record(t)
		lines := strings.Fields(string(secrets))
		for i := 2; i < len(lines); i += 3 {
			lines[i] = strings.Repeat("ab", len(lines[i])/2)
		}
		s := passed(t, c, []byte(strings.Join(lines[:3], " ")+"\n"+joinThrees(lines[3:])))
		if got := every(s, "toy.text"); got != "" {
			t.Errorf("%s: wrong secrets gave %q", p.name, got)
		}
		found := 0
		for i := range s.ExpertInfos() {
			if f := s.Registry().FieldByID(s.ExpertInfo(i).Field); f.Name() == "tls.decryption.failed" {
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s: nothing says that the secrets are wrong", p.name)
		}
		dissecttest.Redissections(t, s)
	}
}

func joinThrees(words []string) (out string) {
	for ; len(words) >= 3; words = words[3:] {
		out += strings.Join(words[:3], " ") + "\n"
	}
	return out
}

// What hellos and certificates say.
func TestHandshake(t *testing.T) {
	c, secrets := plays[6].record(t)
	s := passed(t, c, secrets)
	for field, want := range map[string]string{
		"tls.handshake.extensions_server_name": "www.example.test", "tls.handshake.extensions_alpn_str": "toy,toy",
		"tls.handshake.ciphersuite": "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 " +
			"(0xc02c),TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 (0xc02c)",
		"x509af.serialNumber":     "1234,1234",
		"x509sat.CountryName":     "JP,JP,JP,JP",
		"x509sat.printableString": strings.Repeat("Gensokyo,www.example.test,", 3) + "Gensokyo,www.example.test",
		"x509af.utcTime":          "2024-01-02 03:04:05 (UTC),2024-01-02 03:04:05 (UTC)",
		"x509af.generalizedTime":  "Jan  2, 2051 03:04:05.000000000 UTC,Jan  2, 2051 03:04:05.000000000 UTC",
		"x509ce.IPAddress.ipv4":   "192.0.2.1,192.0.2.1",
		"x509ce.KeyPurposeId":     "1.3.6.1.5.5.7.3.1,1.3.6.1.5.5.7.3.1",
	} {
		if got := every(s, field); got != want {
			t.Errorf("%s is %q, not %q", field, got, want)
		}
	}
	if got := every(s, "tls.alert_message.desc"); !strings.HasPrefix(got, "Close Notify (0)") {
		t.Errorf("the alerts are %q", got)
	}
	if got, want := every(s, "tls.type"), "Client Hello,Server Hello,Certificate,Server Key Exchange,Certificate "+
		"Request,Server Hello Done,Certificate,Client Key Exchange,"+
		"Certificate Verify,Change Cipher Spec,Finished,"; !strings.HasPrefix(strings.ReplaceAll(got, "New Session Ticket,",
		""), want) {
		t.Errorf("the messages are %q, not %q", got, want)
	}
}

// The streams end without a word: what waits is handed on with the FIN.
func TestOpenEnd(t *testing.T) {
	p := play{version: tls.VersionTLS13, alpn: "http/1.1", port: 443, open: true,
		say:    [][]byte{[]byte("GET /x HTTP/1.0\r\n\r\n")},
		answer: [][]byte{[]byte("HTTP/1.0 200 OK\r\n\r\nbo"), []byte("dy")}}
	c, secrets := p.record(t)
	s := passed(t, c, secrets)
	if got := every(s, "http.response.code"); got != "200 (OK)" && got != "200" {
		t.Errorf("the answer has the code %q", got)
	}
	if got := every(s, "http.request.uri"); got != "/x" {
		t.Errorf("the request is for %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// A body in chunks, and one that ends with its stream, come in records that are cut anywhere.
func TestRecordsWithinBodies(t *testing.T) {
	body := strings.Repeat("0123456789abcdef", 1<<10)
	chunked := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
	for at := 0; at < len(body); at += 1000 {
		piece := body[at:min(at+1000, len(body))]
		chunked += fmt.Sprintf("%x\r\n%s\r\n", len(piece), piece)
	}
	for name, answer := range map[string]string{
		"chunks": chunked + "0\r\n\r\n", "to the end": "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n" + body} {
		for _, size := range []int{997, 1003, 1004, 1005, 5000} {
			p := play{version: tls.VersionTLS13, alpn: "http/1.1", port: 443, say: [][]byte{[]byte("GET /x HTTP/1.1\r\n\r\n")}}
			for b := range slices.Chunk([]byte(answer), size) {
				p.answer = append(p.answer, b)
			}
			c, secrets := p.record(t)
			s := passed(t, c, secrets)
			if got := every(s, "http.file_data"); got != body {
				t.Errorf("%s in records of %d: %d bytes of the body were read, not %d", name, size, len(got), len(body))
			}
			if got := every(s, "http.response.code"); got != "200 (OK)" && got != "200" {
				t.Errorf("%s in records of %d: the answers have the codes %q", name, size, got)
			}
			dissecttest.Redissections(t, s)
		}
	}
}

// Older versions have key exchanges of their own shape.
func TestOld(t *testing.T) {
	for _, version := range []uint16{tls.VersionTLS10, tls.VersionTLS11} {
		p := play{version: version, suite: tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, port: 443, say: toyTalk}
		c, secrets := p.record(t)
		s := passed(t, c, secrets)
		want := "Client Hello,Server Hello,Certificate,Server Key Exchange,Server Hello Done," +
			"Client Key Exchange,Change Cipher Spec,Finished,Change Cipher Spec,Finished,Application Data,"
		if got := every(s, "tls.type"); !strings.HasPrefix(got, want) {
			t.Errorf("the messages are %q, not %q", got, want)
		}
		if got := every(s, "tls.handshake.sig_len"); got == "" {
			t.Errorf("version %#x: the key exchange has no signature", version)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestOpenSSL reads sessions between programs of OpenSSL, of TLS 1.0 to 1.2 with CBC: with the MAC within what is
// encrypted and behind it, and one that is negotiated anew within itself. The server says everything backward.
func TestOpenSSL(t *testing.T) {
	list := slices.DeleteFunc(plugins(), func(p dissect.Plugin) bool { return p.Protocol.Name() == "toy" })
	s := dissecttest.Load(t, list, "testdata/openssl.pcapng")
	const want = "one\n,eno\n,two\n,owt\n,three\n,eerht\n,four\n,ruof\n,five\n,evif\n,six\n,xis\n"
	var said []string
	for _, word := range strings.Split(every(s, "data.data"), ",") {
		b, err := hex.DecodeString(word)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, string(b))
	}
	if got := strings.Join(said, ","); got != want {
		t.Errorf("what was said is %q, not %q", got, want)
	}
	if got := every(s, "tls.decryption.failed"); got != "" {
		t.Errorf("records were not opened: %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Truncations(t, list, s)
}

// The standard tests on truncated packets, without secrets and with them.
func TestTruncations(t *testing.T) {
	c, _ := plays[6].record(t)
	dissecttest.Truncations(t, plugins(), passed(t, c, nil))
}

// A capture that begins within a session, and bytes that are none of it.
func TestLate(t *testing.T) {
	c := &tap{port: 443}
	c.record(1, bytes.Repeat([]byte("garbage"), 12))
	c.record(1, []byte{0x17, 3, 3, 0, 3, 1, 2})
	c.record(1, []byte{3, 0x15, 3, 3, 0, 2, 2, 40})
	s := passed(t, c, nil)
	if got := every(s, "tls.type"); got != "Application Data,Alert" {
		t.Errorf("the messages are %q", got)
	}
	if got := s.Tree(3).InfoLine(); got != "Application Data, Alert (Level: Fatal, Description: Handshake Failure)" {
		t.Errorf("the Info column is %q", got)
	}
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }

// FuzzTLS gives both directions of a connection any bytes, as a handshake and as they are.
func FuzzTLS(f *testing.F) {
	f.Add([]byte{1, 0, 0, 2, 3, 3}, []byte{2, 0, 0, 2, 3, 3}, true)
	f.Add([]byte{11, 0, 0, 9, 0, 0, 6, 0, 0, 3, 0x30, 0x81, 0x7f}, []byte{12, 0, 0, 1, 3}, true)
	f.Add([]byte{0x15, 3, 1, 0, 2, 1, 0}, []byte{0x16, 3, 3, 0, 1}, false)
	f.Fuzz(func(t *testing.T, a, b []byte, wrap bool) {
		if len(a)+len(b) > 8000 {
			return
		}
		c := &tap{port: 443}
		for way, m := range [][]byte{a, b} {
			if wrap {
				m = append([]byte{typeHandshake, 3, 3, byte(len(m) >> 8), byte(len(m))}, m...)
			}
			c.record(way, m)
		}
		if len(c.packets) == 0 {
			return
		}
		s := passed(t, c, nil)
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			dissecttest.Sound(t, s.Tree(n))
		}
	})
}

// A second session goes on with the first, and its secrets are found too.
func TestResumed(t *testing.T) {
	for _, p := range []play{plays[0], plays[5]} {
		p.cache = tls.NewLRUClientSessionCache(4)
		p.cert = issue(t, 1)
		c, secrets := p.record(t)
		p.from++
		second, more := p.record(t)
		c.packets = append(c.packets, second.packets...)
		s := passed(t, c, append(secrets, more...))
		said := told + strings.Repeat("x", 200) + ",ok"
		if got := every(s, "toy.text"); got != said+","+said {
			t.Errorf("%s: what was said is %q", p.name, got)
		}
		resumed := false
		for i := range s.ExpertInfos() {
			resumed = resumed || s.Registry().FieldByID(s.ExpertInfo(i).Field).Name() == "tls.resumed"
		}
		if resumed != (p.version == tls.VersionTLS12) {
			t.Errorf("%s: the note on resumption is %v", p.name, resumed)
		}
	}
}
