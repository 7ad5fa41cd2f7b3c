package dissect_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

var (
	knock     = dissect.NewProtocol("knock", "Knock", "A protocol of the tests, known by its second packet.")
	knockText = knock.String("text", "Text", "What a packet says.")
)

// knocking is known by "knock!", may be what begins with k, and is on port 7 only what does.
var knocking = dissect.Plugin{Protocol: knock, UDP: []uint16{7}, Endpoints: true,
	Dissect: func(d *dissect.D) { d.Rest(knockText) },
	Guess: func(d *dissect.D) dissect.Confidence {
		switch b := string(d.Data()); {
		case b == "knock!":
			return dissect.Strong
		case b != "" && b[0] == 'k':
			return dissect.Weak
		}
		return dissect.No
	},
	Evidence: func(d *dissect.D) string {
		if string(d.Data()) == "knock!" {
			return "the word"
		}
		return ""
	},
}

// told are which of the packets of a conversation are of the protocol: a K each, or a dot.
func told(s *dissect.Session) (out string) {
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if s.Tree(n).Protocol() == knock {
			out += "K"
		} else {
			out += "."
		}
	}
	return out
}

// TestEvidence has conversations of texts, on a port of nobody and on the protocol's, become the protocol's as their
// packets tell.
func TestEvidence(t *testing.T) {
	a, b := dissecttest.Spot{Host: 1, Port: 40000}, dissecttest.Spot{Host: 2, Port: 40001}
	own := dissecttest.Spot{Host: 2, Port: 7}
	for _, c := range []struct {
		to    dissecttest.Spot
		texts []string
		want  string
		notes int
	}{
		{b, []string{"k", "k", "k"}, "...", 0},
		{b, []string{"k", "knock!", "x"}, "KKK", 0},
		{b, []string{"x", "k", "knock!"}, ".KK", 0},
		{b, []string{"x", "y", "knock!"}, "..K", 0},
		{own, []string{"knock!", "x"}, "KK", 0},
		{own, []string{"k"}, ".", 0},
		{own, []string{"k", "k", "x"}, "...", 1},
		{own, []string{"k", "k", "k", "k", "k", "k", "x"}, "KKKKKKK", 0},
		{own, []string{"x", "y", "z"}, "...", 1},
		{own, []string{"x", "knock!", "k"}, ".KK", 1},
	} {
		k := dissecttest.Conversation{T: t, Plugins: dissecttest.OverUDP(knocking)}
		for i, text := range c.texts {
			from, to := a, c.to
			if i%2 == 1 {
				from, to = to, from
			}
			k.Send(1, from, to, []byte(text))
		}
		s := k.Session()
		if got := told(s); got != c.want {
			t.Errorf("%q to port %d: %s, want %s", c.texts, c.to.Port, got, c.want)
		}
		if got := s.ExpertInfos(); got != c.notes {
			t.Errorf("%q to port %d: %d notes, want %d", c.texts, c.to.Port, got, c.notes)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestLookBack has the packets that tell come too late to be looked ahead for: the packets before become the protocol's
// in a session that learns of it, and those that were taken for their port are no more.
func TestLookBack(t *testing.T) {
	a := dissecttest.Spot{Host: 1, Port: 40000}
	for name, c := range map[string]struct {
		port        uint16
		first, last string
		want        [2]string
	}{
		"known":    {40001, "k", "knock!", [2]string{".K", "KK"}},
		"given up": {7, "k", "x", [2]string{"KKK.", "...."}},
	} {
		k := dissecttest.Conversation{T: t, Plugins: dissecttest.OverUDP(knocking)}
		to := dissecttest.Spot{Host: 2, Port: c.port}
		for range len(c.want[0]) - 1 {
			k.Send(1, a, to, []byte(c.first))
		}
		for range dissect.LookAhead {
			k.Send(1, dissecttest.Spot{Host: 3, Port: 1}, dissecttest.Spot{Host: 4, Port: 1}, []byte("other"))
		}
		k.Send(1, a, to, []byte(c.last))
		s := k.Session()
		again, err := dissect.NewSession(s.Registry(), s.Store())
		if err != nil {
			t.Fatal(err)
		}
		if s.Late() != 1 {
			t.Errorf("%s: %d conversations are late", name, s.Late())
		}
		again.Learn(s)
		if err := again.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, s := range []*dissect.Session{s, again} {
			got := told(s)
			got = got[:len(c.want[i])-1] + got[len(got)-1:]
			if got != c.want[i] {
				t.Errorf("%s, pass %d: %s, want %s", name, i+1, got, c.want[i])
			}
		}
		if again.Late() != 0 {
			t.Errorf("%s: %d conversations are late still", name, again.Late())
		}
		dissecttest.Redissections(t, again)
	}
}

// TestWhy has the tree say what in a packet is evidence.
func TestWhy(t *testing.T) {
	k := dissecttest.Conversation{T: t, Plugins: dissecttest.OverUDP(knocking)}
	n := k.Send(1, dissecttest.Spot{Host: 1, Port: 40000}, dissecttest.Spot{Host: 2, Port: 40001}, []byte("knock!"))
	if got, _ := dissecttest.Find(k.Session().Tree(n), "_ws.recognized"); got != "handshake; here: the word" {
		t.Errorf("the reason is %q", got)
	}
}
