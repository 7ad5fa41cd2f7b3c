package transcript

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/follow"
)

// told is a conversation for a test.
type told []follow.Unit

func (s told) Len() int               { return len(s) }
func (s told) Unit(i int) follow.Unit { return s[i] }

// tell makes units of words: the type, behind a colon what it says; ~ before it for a tick, < for the other way.
func tell(words ...string) told {
	var out told
	for i, w := range words {
		u := follow.Unit{Frame: dissect.FrameNum(i + 1), Time: int64(i) * 1e6, Data: []byte(w)}
		if rest, ok := strings.CutPrefix(w, "<"); ok {
			u.Dir, w = 1, rest
		}
		if rest, ok := strings.CutPrefix(w, "~"); ok {
			u.Tick, w = true, rest
		}
		u.Kind, u.Info, _ = strings.Cut(w, ":")
		out = append(out, u)
	}
	return out
}

func times(n int, words ...string) (out []string) {
	for i := range n {
		out = append(out, words[i%len(words)])
	}
	return out
}

// drawn is a script as text: of each line its packets, and of a run its types.
func drawn(s *Script, src Source) string {
	var out []string
	for _, l := range s.Lines {
		u := src.Unit(l.Unit)
		text := Said(&u, l).Kind
		if l.Folded() {
			text = ""
			for _, k := range s.Run(l).Kinds {
				text += fmt.Sprintf("%d %s ", k.N, k.Name)
			}
			text = "[" + strings.TrimSpace(text) + "]"
		}
		if l.Times > 1 {
			text += fmt.Sprintf("×%d", l.Times)
		}
		if l.Again > 0 {
			text += fmt.Sprintf("+%d", l.Again)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func laid(src Source) *Script {
	s := &Script{Direction: -1}
	s.Lay(src, true, 1<<20)
	return s
}

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{append([]string{"HELLO", "LOGIN"}, times(40, "~DATA")...), "HELLO LOGIN [40 DATA]"},
		{times(11, "KEEP:1"), "KEEP×11"},
		{times(40, "~DATA", "<~CACHE", "~DATA"), "[27 DATA 13 CACHE]"},
		{append(append(times(40, "~DATA"), "CHAT:gg"), times(3, "~DATA")...), "[40 DATA] CHAT [3 DATA]"},
		{append(append(times(40, "~DATA"), "CHAT:gg"), times(2, "~DATA:1", "~DATA:2")...), "[40 DATA] CHAT DATA DATA"},
		{times(24, "PING:id 1", "<PONG:id 1"), "[12 PING 12 PONG]"},
		{times(16, "GET:/a", "<200:x", "GET:/b", "<200:yy", "GET:/c", "<200:zzz", "GET:/d", "<404:none"),
			strings.TrimSpace(strings.Repeat("GET 200 GET 200 GET 200 GET 404 ", 2))},
		{[]string{"STATUS:#1 x", "STATUS:#2 x", "STATUS:#3 x", "STATUS:#4 y"}, "STATUS×3 STATUS"},
	} {
		if got := drawn(laid(tell(c.words...)), tell(c.words...)); got != c.want {
			t.Errorf("%q:\n is %s\nnot %s", c.words, got, c.want)
		}
	}
}

// TestWhatStandsOut: a packet with a warning, and the one that somebody came from, are never within a run.
func TestWhatStandsOut(t *testing.T) {
	src := tell(times(60, "~DATA")...)
	src[30].Worst = dissect.Warn
	s := &Script{Direction: -1, Here: 45}
	s.Lay(src, true, 1000)
	if got := drawn(s, src); got != "[30 DATA] DATA [13 DATA] DATA [15 DATA]" {
		t.Error(got)
	}
}

// TestHowItComesDoesNotMatter: however few packets come at once, the lines are those of all of them.
func TestHowItComesDoesNotMatter(t *testing.T) {
	kinds := []string{"~DATA", "<~CACHE", "CHAT:gg", "PING:1", "<PONG:1", "GET:/a"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var words []string
		for len(words) < 150 {
			a, b := kinds[r.IntN(len(kinds))], kinds[r.IntN(len(kinds))]
			words = append(words, times(1+r.IntN(30), a, b)...)
		}
		all := tell(words...)
		whole, bits := laid(all), &Script{Direction: -1}
		for n := 0; n < len(all); {
			n = min(len(all), n+1+r.IntN(20))
			bits.Lay(all[:n], n == len(all), 1+r.IntN(40))
		}
		for bits.Laid() < len(all) {
			bits.Lay(all, true, 10)
		}
		if !reflect.DeepEqual(whole.Lines, bits.Lines) || whole.Sums != bits.Sums || drawn(whole, all) != drawn(bits, all) {
			t.Fatalf("seed %d:\n%s\n%s", seed, drawn(whole, all), drawn(bits, all))
		}
	}
}

func TestUnfold(t *testing.T) {
	src := tell(append(append([]string{"HELLO"}, times(20, "~DATA")...), "BYE")...)
	s := laid(src)
	if at := s.Unfold(0); at != -1 {
		t.Error("a message unfolds")
	}
	if at := s.Unfold(1); at != 1 {
		t.Errorf("the cursor goes to %d", at)
	}
	s.Relay()
	s.Lay(src, true, 1000)
	if len(s.Lines) != 22 || s.LineOf(7) != 7 {
		t.Errorf("%d lines, unit 7 is on %d", len(s.Lines), s.LineOf(7))
	}
	if at := s.Unfold(9); at != 1 {
		t.Errorf("the cursor goes back to %d", at)
	}
	s.Relay()
	s.Lay(src, true, 1000)
	if got := drawn(s, src); got != "HELLO [20 DATA] BYE" || s.LineOf(7) != 1 {
		t.Error(got)
	}
}

// TestCopies: messages that came before stand at the end of the new one, unless each is to have a line.
func TestCopies(t *testing.T) {
	part := func(kind string, again bool) follow.Part { return follow.Part{Kind: kind, Text: kind, Repeat: again} }
	src := told{
		{Frame: 1, Kind: "A", Parts: []follow.Part{part("A", false), part("Z", true), part("Y", true)}},
		{Frame: 2, Kind: "B", Parts: []follow.Part{part("B", false), part("C", false), part("A", true)}},
		{Frame: 3, Kind: "A", Repeat: true, Parts: []follow.Part{part("B", true), part("A", true)}},
	}
	s := laid(src)
	if got := drawn(s, src); got != "A+2 B C+1 B+1" || s.Sums.Messages != 8 || s.Sums.Copies != 5 {
		t.Error(got, s.Sums)
	}
	s.Copies = true
	s.Relay()
	s.Lay(src, true, 100)
	if got := drawn(s, src); got != "A Z Y B C A B A" {
		t.Error(got)
	}
}

// TestSaidToEverybody: the same to three is one line, but in the ladder an arrow for each.
func TestSaidToEverybody(t *testing.T) {
	src := tell("CHAT:#1 gg", "CHAT:#7 gg", "CHAT:#9 gg", "CHAT:#4 no")
	for i := range src {
		src[i].Conv = uint32(i % 3)
	}
	s := &Script{Direction: -1, Stream: func(u *follow.Unit) (from, to dissect.Endpoint) {
		return dissect.Endpoint{Port: 1}, dissect.Endpoint{Port: uint16(u.Conv) + 2}
	}}
	s.Lay(src, true, 10)
	if got := drawn(s, src); got != "CHAT×3 CHAT" {
		t.Error(got)
	}
	s.Reading = Ladder
	s.Relay()
	s.Lay(src, true, 10)
	if got := drawn(s, src); got != "CHAT CHAT CHAT CHAT" || len(s.Rails.Ends) != 4 {
		t.Error(got)
	}
}

// TestPiecesOfMessages: acknowledgments have no line, and where messages are known neither have the pieces that they
// come in.
func TestPiecesOfMessages(t *testing.T) {
	src := tell("DATA:1", "ACK", "Room:2", "ACK")
	src[1].Data, src[3].Data = nil, nil
	src[3].Worst = dissect.Warn
	s := &Script{Direction: -1, Known: true}
	s.Lay(src, true, 10)
	if got := drawn(s, src); got != "Room ACK" {
		t.Error(got)
	}
	s.Known = false
	s.Relay()
	s.Lay(src, true, 10)
	if got := drawn(s, src); got != "DATA Room ACK" {
		t.Error(got)
	}
}

func TestTextIsTextOrDots(t *testing.T) {
	for in, want := range map[string]string{
		"caf\u00e9\tau\r\n":             "caf\u00e9 au",
		"\x17\x03\xc3\xa9\xff\xfeab":    "......ab",
		"\xa9 ab \u3042\u3044 \xe3\x81": ". ab \u3042\u3044 ..",
		"\x1b[2J":                       ".[2J",
		"":                              "",
	} {
		if got := printable([]byte(in), isText([]byte(in)), "."); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
	src := told{{Frame: 1, Data: []byte(strings.Repeat("\u3042", 30) + "\nend")}}
	s := &Script{Direction: -1, Reading: Text, Width: 20}
	s.Lay(src, true, 100)
	var got []string
	for _, l := range s.Lines {
		got = append(got, s.Of(src, l, "."))
	}
	if want := []string{strings.Repeat("\u3042", 6), strings.Repeat("\u3042", 6), strings.Repeat("\u3042", 6),
		strings.Repeat("\u3042", 6), strings.Repeat("\u3042", 6), "", "end"}; !reflect.DeepEqual(got, want) &&
		strings.Join(got, "") != strings.Join(want, "") {
		t.Errorf("%q", got)
	}
}

// TestTextGoesOnOverSegments holds that a line that TCP cut in the middle is one line, whatever the pieces are, and
// that messages of datagrams, the other way's bytes, lost bytes and binary data stay apart.
func TestTextGoesOnOverSegments(t *testing.T) {
	const acked = "" // nothing but an acknowledgment
	for _, c := range []struct {
		name   string
		stream bool
		words  []string
		want   string
	}{
		{"a word in two", true, []string{"Con", acked, "tent: a\r\nb", "c\r\n"}, "Content: a|bc"},
		{"letter by letter", true, []string{"l", "s", "\r", "\n", "x"}, "ls|x"},
		{"a line's end alone", true, []string{"ls", "\r\nx"}, "ls|x"},
		{"the other way", true, []string{"a", "<b", "c"}, "a|b|c"},
		{"bytes between", true, []string{"a\x00", "b", "\x01"}, "a.|b|."},
		{"datagrams", false, []string{"a", "b"}, "a|b"},
		{"wider than the line", true, []string{"0123456789", "0123456789", "0123456789"}, "01234567890123456789|0123456789"},
		{"at a space", true, []string{"aaaaaaaaaaaaaaaa bbb", "bbb ccc"}, "aaaaaaaaaaaaaaaa bbb|bbb ccc"},
	} {
		var src told
		for i, w := range c.words {
			w, back := strings.CutPrefix(w, "<")
			src = append(src, follow.Unit{Frame: dissect.FrameNum(i + 1), Data: []byte(w)})
			if back {
				src[i].Dir = 1
			}
		}
		for _, step := range []int{len(src), 1} { // all at once, and as they arrive
			s := &Script{Direction: -1, Reading: Text, Width: 20, Joined: c.stream}
			for n := step; n <= len(src); n += step {
				s.Lay(src[:n], n == len(src), 100)
			}
			var got []string
			for _, l := range s.Lines {
				got = append(got, s.Of(src, l, "."))
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("%s: %q, not %q", c.name, got, c.want)
			}
		}
	}
	lost := told{{Data: []byte("a")}, {Data: []byte("b"), Missing: 3}}
	s := &Script{Direction: -1, Reading: Text, Width: 20, Joined: true}
	if s.Lay(lost, true, 100); len(s.Lines) != 2 {
		t.Errorf("%d lines around lost bytes", len(s.Lines))
	}
	s = &Script{Direction: -1, Reading: Text, Width: 20, Joined: true}
	s.Lay(told{{Data: []byte("one\ntwo")}, {Data: []byte("x")}, {Data: []byte("y\nz")}}, true, 100)
	if s.LineOf(0) != 0 || s.LineOf(1) != 1 || s.LineOf(2) != 2 {
		t.Errorf("lines %d %d %d", s.LineOf(0), s.LineOf(1), s.LineOf(2))
	}
}

// TestWriteSaysWhatIsRead holds each reading's form of a saved conversation.
func TestWriteSaysWhatIsRead(t *testing.T) {
	src := told{{Frame: 7, Time: 1500000, Kind: "A", Info: "says", Data: []byte("hi\x00")},
		{Frame: 9, Dir: 1, Kind: "B", Info: "no", Data: []byte("x")}}
	for r, want := range map[Reading]string{
		Messages: "0.001500\t7\tA>B\tA\tsays\n",
		Text:     "hi\x00",
		Bytes:    "packet 7 A>B\n0000  68 69 00                                          hi.\n\n",
		Array:    "/* packet 7 A>B */\nstatic const unsigned char bytes_1[3] = {\n\t0x68, 0x69, 0x00,\n};\n\n",
	} {
		var b bytes.Buffer
		if n, err := Write(&b, src, r, 0, 0); err != nil || n != b.Len() || b.String() != want {
			t.Errorf("%v: %q (%v)", r, b.String(), err)
		}
	}
}

func TestArrow(t *testing.T) {
	s := Signs{"|", "-", "<", ">"}
	if got := s.Arrow("ASK", 15, false); got != "|---- ASK --->|" {
		t.Error(got)
	}
	if got := s.Arrow("A LONG WORD INDEED", 12, true); len([]rune(got)) != 12 || !strings.HasPrefix(got, "|<") {
		t.Error(got)
	}
	var r Rails
	for i := range 40 {
		r.Of(dissect.Endpoint{Port: uint16(i + 1)})
	}
	if gap, rails := r.Room(120); len(r.Ends) != maxRails || gap < 12 || rails > 10 ||
		r.Of(dissect.Endpoint{Port: 3}) != 2 {
		t.Errorf("%d ends, gap %d, %d rails", len(r.Ends), gap, rails)
	}
}
