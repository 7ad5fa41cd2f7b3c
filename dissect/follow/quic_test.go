package follow

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestHTTP3IsPutTogether reads a connection of QUIC: its streams, and the exchanges in them.
func TestHTTP3IsPutTogether(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/quic.pcapng")
	heads, bodies, streams := 0, 0, 0
	for id := uint32(1); int(id) <= s.Conversations(); id++ {
		if Carries(s, id, "tls") {
			t.Errorf("conversation %d: QUIC is followed as if it had records of TLS", id)
		}
		if !Carries(s, id, "http") {
			continue
		}
		f := NewOf(s, id, "http")
		f.CollectPassed()
		for i := range f.Len() {
			switch u := f.Unit(i); {
			case strings.HasSuffix(u.Info, ", header"):
				if heads++; !strings.HasSuffix(string(u.Data), "\r\n\r\n") || !strings.HasPrefix(string(u.Data), ":") {
					t.Errorf("frame %d, %s: %q", u.Frame, u.Info, u.Data)
				}
			case strings.Contains(u.Info, ", body, "):
				bodies++
			}
		}
		q := NewOf(s, id, "quic")
		q.CollectPassed()
		streams += q.Len()
	}
	if heads < 2 || bodies < 1 || streams <= heads {
		t.Errorf("%d headers, %d bodies, %d pieces of streams", heads, bodies, streams)
	}
}

// TestOpenedAsksForKeys: what was decrypted can be told from what was not.
func TestOpenedAsksForKeys(t *testing.T) {
	for file, want := range map[string]bool{"https.pcapng": true, "http.pcap": false, "dtls.pcapng": false} {
		s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/"+file)
		got := false
		for id := uint32(1); int(id) <= s.Conversations(); id++ {
			got = got || PreferredMode(s, id) == "tls"
		}
		if got != want {
			t.Errorf("%s: opened %v", file, got)
		}
	}
}

// TestMessagesKnowTheirCopies: a message that is sent again names the packet in which it was new, and lies in the
// payload.
func TestMessagesKnowTheirCopies(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/kaillera/evening.pcapng")
	f := NewGame(s, 1)
	f.CollectPassed()
	copies, placed, ticks := 0, 0, 0
	for i := range f.Len() {
		u := f.Unit(i)
		if u.Tick {
			ticks++
		}
		for _, p := range u.Parts {
			if p.Repeat != (p.Sent.First != 0) || p.Repeat && p.Sent.First >= u.Frame {
				t.Fatalf("packet %d: a copy of %d", u.Frame, p.Sent.First)
			}
			if p.Repeat && p.Sent.Known {
				copies++
			}
			if n := int(p.Sent.Off + p.Sent.Len); p.Sent.Len > 0 && n <= len(u.Data) {
				placed++
			}
		}
	}
	if copies < 1000 || placed < copies || ticks < 500 {
		t.Errorf("%d copies, %d messages with a place, %d packets of the rhythm", copies, placed, ticks)
	}
}

// TestOneStreamOfQUIC reads the frames of one stream, its end without bytes, too.
func TestOneStreamOfQUIC(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/quic.pcapng")
	seen := map[bool]int{}
	for id := uint32(1); int(id) <= s.Conversations(); id++ {
		all := NewOf(s, id, "quic")
		all.CollectPassed()
		f := NewSub(s, id, "quic", 0)
		f.CollectPassed()
		for i := range f.Len() {
			u := f.Unit(i)
			if u.Info != "stream 0" || u.Empty != (len(u.Data) == 0) {
				t.Errorf("frame %d: %q, %d bytes, empty %v", u.Frame, u.Info, len(u.Data), u.Empty)
			}
			seen[u.Empty]++
		}
	}
	if seen[false] < 2 {
		t.Errorf("%d pieces with bytes", seen[false])
	}
}
