package follow

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestHTTPIsPutTogether reads a conversation of the LAN fixture: each header, then its body.
func TestHTTPIsPutTogether(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/lan.pcapng")
	heads, bodies, chunked := 0, 0, false
	for id := uint32(1); int(id) <= s.Conversations(); id++ {
		if !Carries(s, id, "http") {
			continue
		}
		f := NewOf(s, id, "http")
		f.CollectPassed()
		raw := New(s, id)
		raw.CollectPassed()
		var all strings.Builder
		for i := range raw.Len() {
			all.Write(raw.Unit(i).Data)
		}
		for i := range f.Len() {
			u := f.Unit(i)
			if strings.HasPrefix(u.Info, "body, ") {
				bodies++
				if strings.Contains(all.String(), string(u.Data)) == false {
					chunked = true // put together from pieces, or unpacked: it was not sent as it is
				}
				continue
			}
			heads++
			if !strings.HasSuffix(string(u.Data), "\r\n\r\n") || !strings.Contains(all.String(), string(u.Data)) {
				t.Errorf("frame %d: a header of %q", u.Frame, u.Data)
			}
		}
	}
	if heads < 30 || bodies < 10 || !chunked {
		t.Errorf("%d headers, %d bodies, put together: %v", heads, bodies, chunked)
	}
}

// TestGamesAreFollowedWhole holds the units of each game against the packets of its conversations.
func TestGamesAreFollowedWhole(t *testing.T) {
	for _, file := range []string{"touhou/vanilla.pcapng", "kaillera/evening.pcapng", "realnet/built.pcapng",
		"aoe2/game.pcapng", "soaprun/bytes.pcapng"} {
		s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/"+file)
		games := s.Games()
		if len(games) == 0 {
			t.Errorf("%s: no games", file)
		}
		for _, g := range games {
			if len(g.Convs) == 0 {
				continue
			}
			in := map[uint32]bool{}
			for _, id := range g.Convs {
				in[id] = true
			}
			want := 0
			for n := g.First; int(n) <= s.Passed() && (!g.Over || n <= g.Last); n++ {
				if in[s.ConversationOf(n)] {
					want++
				}
			}
			f := NewGame(s, g.ID)
			f.CollectPassed()
			if f.Len() != want || want == 0 || len(f.Conversations()) != len(g.Convs) {
				t.Errorf("%s: game %d: %d units of %d packets, %d conversations of %d", file, g.ID, f.Len(), want,
					len(f.Conversations()), len(g.Convs))
			}
			last := dissect.FrameNum(0)
			for i := range f.Len() {
				u := f.Unit(i)
				if u.Frame < last || !in[u.Conv] {
					t.Errorf("%s: frame %d after %d", file, u.Frame, last)
				}
				last = u.Frame
				if len(u.Parts) == 1 {
					t.Errorf("%s: frame %d: one message as a part", file, u.Frame)
				}
			}
		}
	}
	if s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/dns.pcap"); NewGame(s, 1) != nil {
		t.Error("a game of DNS")
	}
}

// TestMessagesOfAPacketSayWhatMatters: each of several messages says what the Info column would if it were alone, and
// does not name its type again.
func TestMessagesOfAPacketSayWhatMatters(t *testing.T) {
	for file, wanted := range map[string][]string{
		"kaillera/evening.pcapng": {"GAME_DATA: #9 P2 f 1-2 0110 | 0110", "GAME_CHAT: #6 cid: ready?",
			"READY: #8 again, first in packet 100", "DROP_GAME: #152 P3 cid dropped out"},
		"soaprun/pieces.pcapng": {"Room: asks for room (0, 0)", "Room: asks for room (1, 0)"},
	} {
		s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/"+file)
		said := map[string]bool{}
		for _, g := range s.Games() {
			f := NewGame(s, g.ID)
			f.CollectPassed()
			for i := range f.Len() {
				for _, p := range f.Unit(i).Parts {
					said[p.Kind+": "+p.Text] = true
					if p.Text == "" || strings.Contains(p.Text, p.Kind) {
						t.Fatalf("%s: a %s says %q", file, p.Kind, p.Text)
					}
				}
			}
		}
		for _, line := range wanted {
			if !said[line] {
				t.Errorf("%s: nothing says %q", file, line)
			}
		}
	}
}

// TestInnerConversationsAreFollowed reads a TCP stream within VXLAN.
func TestInnerConversationsAreFollowed(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/vxlan.pcap")
	for id := uint32(1); int(id) <= s.Conversations(); id++ {
		if s.Conversation(id).Transport == dissect.TableTCP {
			f := New(s, id)
			f.CollectPassed()
			if got, missing := said(f); !strings.HasPrefix(string(got), "GET /") || missing != 0 {
				t.Errorf("%.40q, %d missing", got, missing)
			}
			return
		}
	}
	t.Error("no stream")
}
