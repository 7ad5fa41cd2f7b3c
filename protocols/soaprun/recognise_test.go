package soaprun

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/internal/tables"
)

// TestRecognition looks at first segments between ports that nobody knows: what is enough at once, what needs another,
// and what must be left alone.
func TestRecognition(t *testing.T) {
	cases := []struct {
		name, bytes string
		one, two    bool
	}{
		{"WLCM", s1, true, true}, {"OVER", s1full, true, true}, {"Prtc", s2, true, true}, {"Prtc answer", s2host, true, true},
		{"two messages", s10void + s10void, true, true},
		{"half a message, then two", "01 02 ff 05" + s9 + s10void, true, true},
		{"Void", s10void, false, true}, {"Flds", s9, false, true}, {"myPo", s6, false, true}, {"Bye.", s10, false, true},
		{"only four letters", fmt.Sprintf("%x", "Test Room Void WLCM OVER Prtc"), false, false},
		{"letters behind another length", "05 00 00 00 57 4c 43 4d", false, false},
		{"a longer Prtc", "07 00 00 00 50 72 74 63 b0 01 00", false, false},
		{"a Void that goes on", "08 00 00 00 56 6f 69 64 00 00 00 00", false, false},
		{"a Flds whose records do not end", "0b 00 00 00 46 6c 64 73 01 02 00 01 00 00 00", false, false},
		{"big-endian", "00 00 00 04 57 4c 43 4d", false, false},
		{"a web page", fmt.Sprintf("%x", "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: curl/8\r\n\r\n"), false, false},
		{"a page about the game", fmt.Sprintf("%x", "HTTP/1.1 200 OK\r\n\r\n<html>\nSoaprun by Pixel\n</html>\n"), false,
			false},
		{"another agent", fmt.Sprintf("%x", "GET / HTTP/1.1\r\nUser-Agent: Soaprun12\r\n\r\n"), false, false},
		{"the agent in the path", fmt.Sprintf("%x", "GET /User-Agent: Soaprun1 HTTP/1.1\r\n\r\n"), false, false},
		{"the dispatch", fmt.Sprintf("%x", ask), true, true},
		{"its reply", fmt.Sprintf("%x", s12+"</html>\n"), true, true},
		{"TLS", "16 03 01 00 05 01 00 00 01 03", false, false},
	}
	for _, c := range cases {
		k := midTalk(t, 40000)
		first := k.hex(host, c.bytes)
		second := k.hex(host, c.bytes)
		k.end(host)
		s := k.session()
		found := func(n dissect.FrameNum) bool { return strings.Contains(dissecttest.Dump(s.Tree(n)), " soaprun") }
		if got := found(first); got != c.one {
			t.Errorf("%s: taken at once: %v", c.name, got)
		}
		if got := found(second); got != c.two {
			t.Errorf("%s: taken the second time: %v", c.name, got)
		}
	}
}

// TestRandomBytes sends random streams, some with the letters of the types in them.
func TestRandomBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 400 {
		k := newTalk(t, uint16(2000+r.IntN(60000)))
		for range 1 + r.IntN(6) {
			b := make([]byte, 1+r.IntN(300))
			for i := range b {
				b[i] = byte(r.Uint32())
				if r.IntN(3) == 0 {
					b[i] = 0
				}
			}
			if len(b) > 8 {
				copy(b[4:], []string{"Flds", "Room", "Test", "Void", "WLCM"}[r.IntN(5)])
			}
			k.say(r.IntN(2), b)
		}
		if s := k.session(); kinds(s) != "" {
			t.Errorf("random bytes are taken for %s", kinds(s))
		}
	}
}

// TestForeignTraffic checks that no other capture at hand is taken for this game.
func TestForeignTraffic(t *testing.T) {
	files, _ := filepath.Glob("../../fixtures/captures/*/*.pcap*")
	if more := os.Getenv("REMORA_CAPTURES"); more != "" {
		found, _ := filepath.Glob(filepath.Join(more, "*.pcap*"))
		files = append(files, found...)
	}
	looked := 0
	for _, path := range files {
		if strings.Contains(path, "soaprun") || strings.HasSuffix(path, ".tree") {
			continue
		}
		looked++
		if s := dissecttest.Load(t, plugins(), path); kinds(s) != "" {
			t.Errorf("%s: taken for %.200s", path, kinds(s))
		}
	}
	if looked == 0 {
		t.Error("there was nothing to look at")
	}
}

// TestDecodeAs reads what says too little of itself because a person says so.
func TestDecodeAs(t *testing.T) {
	k := newTalk(t, 1234)
	n := k.hex(host, "07 00 00 00 52 6f 6f 6d ff 02 03")
	k.as = []dissect.DecodeAs{{Table: dissect.TableTCP, Value: 1234, Protocol: "soaprun"}}
	s := k.session()
	if got := marked(s, n); !strings.Contains(got, "length.bad") {
		t.Errorf("notes %q: %s", got, s.Tree(n).InfoLine())
	}
}

// TestBesideHTTP lets another protocol own port 80: it must keep its own connections, and the dispatch stays ours.
func TestBesideHTTP(t *testing.T) {
	web := dissect.NewProtocol("web", "Web", "Stands in for HTTP.")
	all := web.Bytes("all", "All", "The bytes.")
	other := dissect.Plugin{Protocol: web, TCP: []uint16{80}, Dissect: func(d *dissect.D) { d.Rest(all) }}
	for text, mine := range map[string]bool{ask: true, "GET / HTTP/1.1\r\nUser-Agent: curl\r\n\r\n": false} {
		k := newTalk(t, 80)
		n := k.say(client, []byte(text))
		s := dissecttest.Session(t, append(plugins(), other), 101, k.packets)
		if got := s.Tree(n).Protocol() == proto; got != mine {
			t.Errorf("%q is ours: %v", text, got)
		}
	}
}

// TestPageForOthers hands replies that the game does not understand on to HTTP.
func TestPageForOthers(t *testing.T) {
	web := dissect.NewProtocol("web", "Web", "Stands in for HTTP.")
	all := web.Bytes("all", "All", "The bytes.")
	other := dissect.Plugin{Protocol: web, On: []dissect.Key{{Table: tables.TLSALPN, Value: dissect.Word("http/1.1")}},
		Dissect: func(d *dissect.D) { d.Rest(all); d.Info().Setf("a page") }}
	k := newTalk(t, 80)
	k.say(client, []byte(ask))
	n := k.say(host, []byte("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nnone\n"))
	s := dissecttest.Session(t, append(plugins(), other), 101, k.packets)
	if got := s.Tree(n).InfoLine(); got != "Not understood by the game: There is no <html in it; a page" {
		t.Errorf("info %q", got)
	}
	if got := value(s, n, "soaprun.dispatch.accepted") + value(s, n, "soaprun.type") +
		marked(s, n); got != "noDISPATCH_REPLY (where the server is)dispatch.refused" {
		t.Errorf("got %q", got)
	}
	dissecttest.Owned(t, s)
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}
