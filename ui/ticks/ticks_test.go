package ticks

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/protocols"
)

// evening is a capture with its lines: each protocol, each type, each direction of one.
func evening(t *testing.T) (*Speller, []Line) {
	t.Helper()
	s := dissecttest.Load(t, protocols.All(),
		filepath.Join("..", "..", "fixtures", "captures", "kaillera", "evening.pcapng"))
	tally := stats.NewTally(s)
	tally.Range(1, dissect.FrameNum(s.Passed()))
	all := tally.Types()
	var lines []Line
	for i := range all {
		p := &all[i]
		top := Line{p, nil, -1}
		lines = append(append(lines, top), top.Directions()...)
		for k := range p.Types {
			if x := (Line{p, &p.Types[k], -1}); Typed(p) {
				lines = append(append(lines, x), x.Directions()...)
			}
		}
	}
	return NewSpeller(s, s.Registry(), filter.Options{}), lines
}

// line finds one by its key, with / between its parts.
func line(t *testing.T, lines []Line, key string) Line {
	t.Helper()
	i := slices.IndexFunc(lines, func(x Line) bool { return strings.ReplaceAll(x.Key(), "\x00", "/") == key })
	if i < 0 {
		t.Fatalf("no line %s", key)
	}
	return lines[i]
}

// TestTicksAsFilters ticks a few lines and reads what filter comes of it.
func TestTicksAsFilters(t *testing.T) {
	sp, lines := evening(t)
	for _, c := range []struct {
		base      bool
		keys, out string // ticked where a + is in front, not ticked where a -
	}{
		{true, "", ""}, {false, "", "!frame"}, {false, "+kaillera", "kaillera"}, {true, "-kaillera", "!kaillera"},
		{true, "-kaillera +kaillera", ""},
		{false, "+kaillera/PING", "kaillera.type == PING"}, {true, "-kaillera/PING", "!(kaillera.type == PING)"},
		{false, "+kaillera/PING +kaillera/PONG", "kaillera.type in {PING, PONG}"},
		{false, "+kaillera -kaillera/PING", "kaillera && !(kaillera.type == PING)"},
		{true, "-kaillera +kaillera/PING", "(!kaillera || kaillera.type == PING)"},
		{false, "+kaillera/PING/0", "kaillera.type == PING && dir == forth"},
		{false, "+kaillera/PING/0 +kaillera/PING/1", "kaillera.type == PING"},
	} {
		set := New(c.base)
		for _, key := range strings.Fields(c.keys) {
			x := line(t, lines, strings.TrimSuffix(key[1:], "/1")) // of a type without packets back there is the type alone
			if strings.HasSuffix(key, "/1") {
				x.Dir = 1
			}
			set.Set(x, key[0] == '+')
		}
		if got := set.Filter(sp); got != c.out {
			t.Errorf("%v %s: %s, want %s", c.base, c.keys, got, c.out)
		}
	}
}

// readAgain holds that the filter of what is ticked, read again, gives the same ticks and leaves nothing. It returns
// the filter.
func readAgain(t *testing.T, sp *Speller, set Set, lines []Line) string {
	t.Helper()
	text := set.Filter(sp)
	rest, again := sp.Read(text)
	if rest != "" {
		t.Fatalf("%s leaves %s", text, rest)
	}
	for _, x := range lines {
		if was, is := set.Tick(x), again.Tick(x); was != is {
			t.Fatalf("%s: %q was %d and is %d", text, x.Key(), was, is)
		}
	}
	return text
}

// TestTicksAreReadAgain ticks at random: the filter read again gives the same ticks, and leaves nothing.
func TestTicksAreReadAgain(t *testing.T) {
	sp, lines := evening(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		set := New(rng.IntN(2) == 0)
		for range 1 + rng.IntN(6) {
			set.Set(lines[rng.IntN(len(lines))], rng.IntN(2) == 0)
		}
		readAgain(t, sp, set, lines)
	}
}

// TestWhatIsNoTick stays in the filter, and what cannot be read at all ticks everything.
func TestWhatIsNoTick(t *testing.T) {
	sp, _ := evening(t)
	for text, want := range map[string]string{
		"": "", "udp.port == 1": "udp.port == 1", "kaillera && udp.port == 1": "udp.port == 1",
		"udp.port == 1 || kaillera": "udp.port == 1 || kaillera", "kaillera &&": "kaillera &&",
		"((((": "((((", "\x00\xff": "\x00\xff", "nobody.type == X": "nobody.type == X",
		"kaillera.type in {1..9}": "kaillera.type in {1..9}", "kaillera#2": "kaillera#2",
		"dir == sideways": "dir == sideways", "frame.top == \"nobody\"": "frame.top == \"nobody\"",
		"any kaillera.type == PING": "any kaillera.type == PING",
	} {
		rest, set := sp.Read(text)
		if rest != want {
			t.Errorf("%q leaves %q, want %q", text, rest, want)
		}
		if ticked := want == text; ticked && !set.All() {
			t.Errorf("%q takes ticks away", text)
		}
	}
}

// TestWordsAreKept: ticks written as words to be kept are the same when they are read.
func TestWordsAreKept(t *testing.T) {
	_, lines := evening(t)
	whole, ping := line(t, lines, "kaillera"), line(t, lines, "kaillera/PING")
	p := whole.Proto.Protocol
	for _, on := range []bool{true, false} {
		set := New(false)
		set.Set(whole, !on)
		set.Set(ping, on)
		words, ok := set.Words(p)
		if want := []string{map[bool]string{true: "+", false: "-"}[on], "PING"}; !ok || !slices.Equal(words, want) {
			t.Fatalf("the words are %q, want %q", words, want)
		}
		if !set.Alone(p, OfWords(words)) {
			t.Errorf("%q are other ticks", words)
		}
	}
	set := New(false)
	if _, ok := set.Words(p); ok {
		t.Error("words for a protocol that nobody ticked")
	}
	set.Set(Line{ping.Proto, ping.Kind, 0}, true)
	if _, ok := set.Words(p); ok {
		t.Error("words cannot say a direction")
	}
}
