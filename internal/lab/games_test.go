package lab

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/kaitai"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
	"remora/protocols/udp"
)

// messages are what a capture carries, without any dissector of what it is.
func messages(t *testing.T, path string) (out []Message, streams [][]byte) {
	t.Helper()
	s := dissecttest.Load(t, []dissect.Plugin{frame.Plugin(), eth.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(),
		tcp.Plugin(), data.Plugin()}, path)
	l := s.Dissector()
	type flow struct {
		conv uint32
		dir  int
	}
	next := map[flow]uint32{}
	at := map[flow]int{}
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tree := l.Tree(n)
		conv, dir := s.DirectionOf(n)
		seq, stream := uint32(0), false
		for i := range tree.Nodes {
			switch tree.Field(i).Name() {
			case "udp.payload":
				out = append(out, Message{tree.Time(), conv, dir, slices.Clone(tree.Raw(i)), 0})
			case "tcp.seq_raw":
				seq, stream = uint32(tree.Nodes[i].Val), true
			case "tcp.payload":
				k := flow{conv, dir}
				b := tree.Raw(i)
				if want, ok := next[k]; ok && want != seq || !stream { // repeated, or behind a gap
					continue
				}
				if _, ok := at[k]; !ok {
					at[k] = len(streams)
					streams = append(streams, nil)
				}
				streams[at[k]] = append(streams[at[k]], b...)
				next[k] = seq + uint32(len(b))
			}
		}
	}
	return out, streams
}

func captures(name string) string {
	return filepath.Join("..", "..", "fixtures", "captures", filepath.FromSlash(name))
}

// A named field is one that the sheet of a game names: where it stands, and what the lab may call it.
type named struct {
	name      string
	off, size int
	kinds     []Kind
}

// A layout is what a sheet says of the messages that have some bytes: all claims up to a byte are judged.
type layout struct {
	bytes  map[int]byte
	until  int
	fields []named
}

func is(k ...Kind) []Kind { return k }

var games = []struct {
	name, file string
	layouts    []layout
}{
	{"Touhou", "touhou/vanilla.pcapng", []layout{
		{map[int]byte{0: 0x0e, 1: 3}, 10, []named{{"type", 0, 1, is(Type)}, {"sub-type", 1, 1, is(Type)},
			{"frame id", 2, 4, is(Counter)}, {"scene", 6, 1, is(Enumeration)}, {"inputs", 8, 2, is(Flags, Enumeration)}}},
		{map[int]byte{0: 0x0d, 1: 3}, 8, []named{{"type", 0, 1, is(Type)}, {"sub-type", 1, 1, is(Type)},
			{"frame id", 2, 4, is(Counter)}, {"scene", 6, 1, is(Enumeration)}, {"count of inputs", 7, 1, is(Count)}}},
		{map[int]byte{0: 0x0e, 1: 0x0b}, 7, []named{{"type", 0, 1, is(Type)}, {"sub-type", 1, 1, is(Type)},
			{"frame id", 2, 4, is(Counter)}, {"match id", 6, 1, is(Enumeration)}}},
		{map[int]byte{0: 0x0d, 1: 9}, 3, []named{{"type", 0, 1, is(Type)}, {"sub-type", 1, 1, is(Type)},
			{"length of the replay", 2, 1, is(Length)}}},
		{map[int]byte{0: 4}, 1, []named{{"type", 0, 1, is(Type)}}},
		{map[int]byte{0: 1}, 1, []named{{"type", 0, 1, is(Type)}}},
		{map[int]byte{0: 5}, 1, []named{{"type", 0, 1, is(Type)}}},
	}},
	{"Kaillera", "kaillera/evening.pcapng", []layout{
		{map[int]byte{4: 0x13}, 7, []named{{"message number", 0, 2, is(Counter)}, {"length", 2, 2, is(Length)},
			{"message type", 4, 1, is(Type)}}},
		{map[int]byte{4: 0x12}, 8, []named{{"message number", 0, 2, is(Counter)}, {"length", 2, 2, is(Length)},
			{"message type", 4, 1, is(Type)}, {"length of the inputs", 6, 2, is(Length)},
			{"inputs", 8, 2, is(Flags, Enumeration)}}},
		{map[int]byte{4: 0x0e}, 6, []named{{"message number", 0, 2, is(Counter)}, {"length", 2, 2, is(Length)},
			{"message type", 4, 1, is(Type)}}},
	}},
	{"real-net", "realnet/documented.pcapng", []layout{
		{map[int]byte{0: 3}, 3, []named{{"type", 0, 1, is(Type)}, {"acknowledged sequence", 1, 2, is(Counter)}}},
		{map[int]byte{0: 5}, 14, []named{{"type", 0, 1, is(Type)}, {"sequence", 2, 2, is(Counter)},
			{"timestamp", 4, 8, is(Timestamp)}}},
		{map[int]byte{0: 6}, 13, []named{{"type", 0, 1, is(Type)}, {"sequence", 2, 2, is(Counter)},
			{"timestamp", 4, 8, is(Timestamp)}}},
		{map[int]byte{0: 2, 3: 1}, 22, []named{{"type", 0, 1, is(Type)}, {"sequence", 1, 2, is(Counter)},
			{"kind", 3, 1, is(Type, Enumeration)}, {"sequence answered", 4, 2, is(Counter)}, {"sent", 6, 8, is(Timestamp)},
			{"received", 14, 8, is(Timestamp)}}},
	}},
	{"Soaprun", "soaprun/original.pcapng", []layout{
		{map[int]byte{4: 'm', 5: 'y', 6: 'P', 7: 'o'}, 8, []named{{"length", 0, 4, is(Length)}, {"tag", 4, 4, is(Type)}}},
		{map[int]byte{4: 'T', 5: 'e', 6: 's', 7: 't'}, 8, []named{{"length", 0, 4, is(Length)}, {"tag", 4, 4, is(Type)}}},
		{map[int]byte{4: 'R', 5: 'o', 6: 'o', 7: 'm'}, 8, []named{{"length", 0, 4, is(Length)}, {"tag", 4, 4, is(Type)}}},
	}},
	{"AoE2", "aoe2/game.pcapng", []layout{
		{map[int]byte{8: 0x44}, 28, []named{{"command", 8, 1, is(Type)}, {"communication turn", 12, 4, is(Counter)},
			{"individual counter", 16, 4, is(Counter)}, {"turn offset", 24, 4, is(Counter)}}},
		{map[int]byte{8: 0x3e}, 20, []named{{"command", 8, 1, is(Type)}, {"communication turn", 12, 4, is(Counter)},
			{"individual counter", 16, 4, is(Counter)}}},
		{map[int]byte{8: 0x41}, 16, []named{{"command", 8, 1, is(Type)}, {"individual counter", 12, 4, is(Counter)}}},
		{map[int]byte{8: 0x31}, 16, []named{{"command", 8, 1, is(Type)}, {"time", 12, 4, is(Timestamp)}}},
		{map[int]byte{8: 0x4d}, 20, []named{{"command", 8, 1, is(Type)}, {"communication turn", 12, 4, is(Counter)},
			{"individual counter", 16, 4, is(Counter)}}},
	}},
}

// report is what the lab says of a game's capture.
func report(t *testing.T, file string) *Report {
	msgs, streams := messages(t, captures(file))
	if len(msgs) > 0 {
		return Analyse(msgs, nil)
	}
	f, ok := Frame(streams)
	if !ok {
		t.Fatalf("%s: no framing", file)
	}
	for i, b := range streams {
		cut, _ := f.Cut(b)
		for _, c := range cut {
			msgs = append(msgs, Message{int64(len(msgs)), uint32(i / 2), i & 1, c, 0})
		}
	}
	return Analyse(msgs, &f)
}

// of are the groups of a layout's messages that are large enough to be judged.
func (l layout) of(r *Report) (out []*Group) {
	for _, g := range r.Groups {
		first := g.Messages[0].Data
		fits := len(g.Messages) >= 8
		for at, c := range l.bytes {
			fits = fits && at < len(first) && first[at] == c
		}
		if fits {
			out = append(out, g)
		}
	}
	return out
}

// at tells whether a proposal is the field: at its place, of a kind that it may be called, and as long, or shorter
// where the bytes that are missing are zero in all messages.
func (n named) at(g *Group, f Field) bool {
	if f.Off != n.off || f.Size > n.size && f.Kind != Flags || !slices.Contains(n.kinds, f.Kind) {
		return false
	}
	for _, m := range g.Messages {
		for i := f.Off + f.Size; i < n.off+n.size && i < len(m.Data); i++ {
			if m.Data[i] != 0 && f.Kind != Enumeration {
				return false
			}
		}
	}
	return true
}

// claims are the kinds that say something that may be wrong.
var claims = is(Type, Counter, Length, Count, Timestamp, Float, Text, Flags)

// tally is what a capture comes to.
type tally struct{ fields, found, claims, wrong int }

// judge holds what the lab says of a capture against the sheet.
func judge(r *Report, layouts []layout) (n tally, missed, lies []string) {
	for _, l := range layouts {
		groups := l.of(r)
		if len(groups) == 0 {
			continue // the capture has too few of them
		}
		for _, f := range l.fields {
			n.fields++
			if slices.ContainsFunc(groups, func(g *Group) bool {
				return slices.ContainsFunc(g.Fields, func(p Field) bool { return f.at(g, p) })
			}) {
				n.found++
			} else {
				missed = append(missed, f.name)
			}
		}
		for _, g := range groups {
			for _, p := range g.Fields {
				if p.Off >= l.until || !slices.Contains(claims, p.Kind) {
					continue
				}
				n.claims++
				if !slices.ContainsFunc(l.fields, func(f named) bool { return f.at(g, p) }) {
					n.wrong++
					lies = append(lies, fmt.Sprintf("%s at %d", p.Kind, p.Off))
				}
			}
		}
	}
	return n, missed, lies
}

const tableHead = "| capture | fields of the sheet | found | missed | proposals | false |\n" +
	"| --- | --- | --- | --- | --- | --- |\n"

// table is a table of captures, one of each game.
func table(t *testing.T, file func(i int) string) (text string, all tally) {
	text = tableHead
	for i, game := range games {
		n, missed, lies := judge(report(t, file(i)), game.layouts)
		text += fmt.Sprintf("| %s | %d | %d | %s | %d | %s |\n", file(i), n.fields, n.found, list(missed), n.claims,
			list(lies))
		all = tally{all.fields + n.fields, all.found + n.found, all.claims + n.claims, all.wrong + n.wrong}
	}
	text += fmt.Sprintf("| all | %d | %d | %d | %d | %d |\n", all.fields, all.found, all.fields-all.found, all.claims,
		all.wrong)
	return text, all
}

// TestGames measures the lab on captures of the games, none of whose dissectors is there, against the sheets: the
// tables in docs/lab.md are its result. The second is of captures that the lab was not made with.
func TestGames(t *testing.T) {
	first, all := table(t, func(i int) string { return games[i].file })
	more := []string{"touhou/lossy.pcapng", "kaillera/lossy.pcapng", "realnet/lossy.pcapng", "soaprun/dispenser.pcapng",
		"aoe2/lossy.pcapng"}
	second, others := table(t, func(i int) string { return more[i] })
	for _, all := range []tally{all, others} {
		if all.found*10 < all.fields*9 || all.wrong*5 > all.claims {
			t.Errorf("%d of %d fields are found, and %d of %d proposals are false", all.found, all.fields, all.wrong,
				all.claims)
		}
	}
	path := filepath.Join("..", "..", "docs", "lab.md")
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := tables.FindAllIndex(doc, -1)
	if len(parts) != 2 {
		t.Fatalf("docs/lab.md has %d tables", len(parts))
	}
	a, b := parts[0], parts[1]
	want := string(doc[:a[0]]) + first + string(doc[a[1]:b[0]]) + second + string(doc[b[1]:])
	if dissecttest.Updating() {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want != string(doc) {
		t.Errorf("docs/lab.md is another one than measured (-update writes it):\n%s\n%s", first, second)
	}
}

var tables = regexp.MustCompile(`(?m)(^\|.*\n)+`)

func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// only gives one file.
type only string

func (o only) Read(string) ([]byte, error) { return []byte(o), nil }
func (only) Absolute(string) []string      { return nil }

// TestDescription writes descriptions that can be loaded, and that read the messages that they were made of.
func TestDescription(t *testing.T) {
	for _, game := range games {
		msgs, _ := messages(t, captures(game.file))
		r := report(t, game.file)
		text := r.KSY("mine", "udp: 7300")
		spec, err := kaitai.Load(only(text), "mine.ksy")
		if err != nil {
			t.Errorf("%s: %v\n%s", game.file, err, text)
			continue
		}
		if len(msgs) == 0 {
			for _, g := range r.Groups {
				msgs = append(msgs, g.Messages...)
			}
		}
		p := kaitai.NewParser(spec, kaitai.DefaultLimits)
		read := 0
		for _, m := range msgs {
			if _, err := p.Parse(m.Data); err == nil {
				read++
			}
		}
		if read*10 < len(msgs)*9 {
			t.Errorf("%s: %d of %d messages can be read", game.file, read, len(msgs))
		}
	}
}

// TestFewMessages are looked at without a fault, whatever they are.
func TestFewMessages(t *testing.T) {
	for _, texts := range [][]string{nil, {""}, {"a"}, {"a", "b"},
		{"\x01", "\x01\x02", "\x01\x02\x03", "", "x", "y", "z", "w", "v"}} {
		var msgs []Message
		for i, text := range texts {
			msgs = append(msgs, Message{int64(i), 1, i & 1, []byte(text), 0})
		}
		Analyse(msgs, nil).Write(io.Discard)
	}
	if f, ok := Frame([][]byte{nil, []byte("abc")}); ok {
		t.Errorf("framing %v in nothing", f)
	}
}

func FuzzAnalyse(f *testing.F) {
	f.Add([]byte("\x03abc\x02ab\x01a\x03abd\x02ac\x01b\x03abc\x02ab\x01a\x03abd\x02ac\x01b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		Frame([][]byte{b})
		var msgs []Message
		for i := int64(0); len(b) > 1; i++ {
			n := min(int(b[0]&31), len(b)-1)
			msgs = append(msgs, Message{i, 1, int(b[0] >> 7), b[1 : 1+n], 0})
			b = b[1+n:]
		}
		r := Analyse(msgs, nil)
		r.Write(io.Discard)
		r.KSY("a", "udp: 1")
	})
}
