package ui

import (
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/internal/testall"
	"remora/ui/ticks"
	"remora/ui/typetree"
)

// captures are files to count: one of each game, or, when all tests are asked for, those of the repository and those in
// a folder that the environment may name.
func captures(t *testing.T) []string {
	files, _ := filepath.Glob("../fixtures/captures/*/*.pcapng")
	if !testall.On() {
		files = slices.CompactFunc(files, func(a, b string) bool { return filepath.Dir(a) == filepath.Dir(b) })
	}
	files = append(files, recorded("lan/ftp.pcap")) // a protocol without types goes both ways
	if dir := os.Getenv("REMORA_CAPTURES"); dir != "" && testall.On() {
		more, _ := filepath.Glob(dir + "/*.pcap*")
		files = append(files, more...)
	}
	if len(files) == 0 {
		t.Skip("there are no captures")
	}
	return files
}

// allLines are all lines that the panel could show.
func (x *screen) allLines() []ticks.Line {
	var out []ticks.Line
	f := x.m.facets
	for i := range f.All {
		p := &f.All[i]
		top := ticks.Line{Proto: p, Kind: nil, Dir: -1}
		out = append(append(out, top), top.Directions()...)
		for k := range p.Types {
			if x := (ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}); ticks.Typed(p) {
				out = append(append(out, x), x.Directions()...)
			}
		}
	}
	return out
}

// TestFacetsCountWhatTheyShow holds each line's count against what its filter shows.
func TestFacetsCountWhatTheyShow(t *testing.T) {
	for _, path := range captures(t) {
		x := openFile(t, path, 120, 36).keys("f")
		n, all := 0, x.allLines()
		for i := 0; i < len(all); i += testall.Of(1+len(all)/12, 1) {
			l := all[i]
			want, text := int(l.Group().Packets), viewContext{x.m}.Scope().Term(l)
			x.m.applyFilter(text)
			x.settle()
			if x.m.packets.Filtered == nil {
				t.Errorf("%s: %s: %s", filepath.Base(path), text, x.m.foot.Notice)
			} else if got := x.m.packets.Filtered.Matches.Len(); got != want {
				t.Errorf("%s: %s shows %d packets, and %d are counted", filepath.Base(path), text, got, want)
			}
			n++
		}
		if n < 5 {
			t.Errorf("%s: only %d lines", path, n)
		}
	}
}

// TestTicksAreReadAgain ticks at random, and reads the filter that comes of it: the ticks must be the same, and each
// line ticked must show all its packets, each that is not ticked none, as far as a packet is of one type only.
func TestTicksAreReadAgain(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for _, path := range captures(t) {
		x := openFile(t, path, 120, 36).keys("f")
		lines := x.allLines()
		sp := x.m.packets.Speller
		for range testall.Of(12, 60) {
			ticked := ticks.New(r.Intn(2) == 0)
			for range 1 + r.Intn(6) {
				ticked.Set(lines[r.Intn(len(lines))], r.Intn(2) == 0)
			}
			text := ticked.Filter(sp)
			rest, again := sp.Read(text)
			if rest != "" {
				t.Fatalf("%s: %s is not read as ticks, but leaves %s", filepath.Base(path), text, rest)
			}
			for _, l := range lines {
				if was, is := ticked.Tick(l), again.Tick(l); was != is {
					t.Fatalf("%s: %s: %s has the tick %d, read again %d", filepath.Base(path), text,
						strings.ReplaceAll(l.Key(), "\x00", " "), was, is)
				}
			}
		}
	}
}

// TestFiltersBecomeTicks reads what people write.
func TestFiltersBecomeTicks(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("f")
	for text, want := range map[string]string{
		"dns": "DNS", "dns || touhou": "DNS Touhou", "!dns": "Touhou UDP", "not dns and not touhou": "UDP",
		"!(dns or touhou)":  "UDP",
		"dns.type == QUERY": "DNS>QUERY", "dns.type == \"QUERY\"": "DNS>QUERY", "dns.type != QUERY": "DNS>RESPONSE",
		"dns && dns.type != QUERY":      "DNS>RESPONSE",
		"dns.type in {QUERY, RESPONSE}": "DNS", "dns xor touhou": "DNS Touhou", "frame.top == \"udp\"": "UDP",
		"udp.port == 53":                       "DNS + udp.port == 53",
		"udp.port == 53 && !dns":               " + udp.port == 53",
		"udp.port == 53 && !dns && ip.ttl > 3": " + udp.port == 53 && ip.ttl > 3",
		"touhou.type == GAME_INPUT":            "Touhou", "dns.type == 0": "DNS>QUERY", "dns.type == 0x0": "DNS>QUERY",
		"dns || udp.port == 53": "DNS + dns || udp.port == 53", "dir == forth": "DNS Touhou UDP + dir == forth",
		"dns && dir == forth": "DNS + dir == forth", "frame": "DNS Touhou UDP", "!frame": "",
		"frame.top == \"udp\" && dir == forth":                   "UDP>→ forth",
		"frame.top == \"udp\" && dir == back":                    "", // it has none
		"frame.top == \"udp\" && dir in {forth, back}":           "UDP>← back UDP>→ forth",
		"!(frame.top == \"udp\" && dir == 1)":                    "DNS Touhou UDP>→ forth",
		"udp.port == 53 && frame.top == \"udp\" && dir == forth": " + udp.port == 53",
		"frame.top == \"udp\" && !frame.type":                    "UDP",
		"frame.type == QUERY":                                    "DNS + frame.type == QUERY",
	} {
		x.m.applyFilter(text)
		x.settle()
		var got []string
		f := x.m.facets
		for i := range f.All {
			p := &f.All[i]
			switch f.Tick(ticks.Line{Proto: p, Kind: nil, Dir: -1}) {
			case ticks.On:
				got = append(got, p.Protocol.Title())
			case ticks.Some:
				for _, l := range (ticks.Line{Proto: p, Kind: nil, Dir: -1}).Directions() {
					if name, _ := typetree.Name(&x.m.style, l); f.Tick(l) == ticks.On {
						got = append(got, p.Protocol.Title()+">"+name)
					}
				}
				for k := range p.Types {
					if l := (ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}); f.Tick(l) == ticks.On {
						got = append(got, p.Protocol.Title()+">"+l.Word())
					}
				}
			}
		}
		slices.Sort(got)
		line := strings.Join(got, " ")
		if f.Rest() != "" {
			line += " + " + f.Rest()
		}
		if line != want {
			t.Errorf("%s: %q, want %q", text, line, want)
		}
	}
}

// onLine puts the cursor of the facets on a line.
func (x *screen) onLine(text string) *screen {
	x.t.Helper()
	x.m.facets.Cur = 0
	for i, f := range x.m.facets.Rows {
		if name, _ := typetree.Name(&x.m.style, f); name == text {
			x.m.facets.Cur = i
			return x
		}
	}
	x.t.Fatalf("no line %q in the facets:\n%s", text, x.text())
	return x
}

// TestFacetsCountBesideTheFilter: what the filter asks beside the ticks narrows the counts; the ticks do not.
func TestFacetsCountBesideTheFilter(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/udp.srcport in {53, 6000}<enter>f")
	x.has("Facets of", "[■] DNS                1", "[■] UDP               40", "[ ] Touhou             0")
	x.onLine("UDP").keys("<space>")
	if got := x.m.packets.FilterText(); got != `udp.srcport in {53, 6000} && !(frame.top == "udp")` {
		t.Errorf("the filter is %s", got)
	}
	x.has("[ ] UDP               40", "[■] DNS                1", "1 of 82")
	x.onLine("UDP").keys("<space>")
	x.has("41 of 82")
	if got := x.m.packets.FilterText(); got != "udp.srcport in {53, 6000}" {
		t.Errorf("the filter is %s", got)
	}
	x.onLine("DNS").keys("<space>").onLine("UDP").keys("x")
	x.has("0 of 82", "[ ] DNS                1")
	x.keys("/<ctrl+u>dns<enter>")
	x.has("[■] DNS                2", "── no packets ──", "[ ] UDP                0")
	x.onLine("UDP").keys("<space>").has("42 of 82")
	if got := x.m.packets.FilterText(); got != `dns || frame.top == "udp"` {
		t.Errorf("the filter is %s", got)
	}
}

// TestFacetsAreSearchedAndSorted narrows the lines by what is typed, and puts them into another order.
func TestFacetsAreSearchedAndSorted(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("f<ctrl+f>resp")
	x.has("Facets: resp", "RESPONSE")
	x.hasNot("[■] Touhou")
	x.keys("<enter><space>")
	if got := x.m.packets.FilterText(); got != "!(dns.type == RESPONSE)" {
		t.Errorf("the filter is %s", got)
	}
	x.keys("<esc>")
	x.has("[■] Touhou", "[▪] DNS")
	x.keys("<ctrl+f>nobody")
	x.has("nothing here is called nobody")
	x.keys("<esc>")
	titles := func() string {
		var out []string
		for _, p := range x.m.facets.All {
			out = append(out, p.Protocol.Title())
		}
		return strings.Join(out, " ")
	}
	if got := titles(); got != "Touhou UDP DNS" {
		t.Errorf("by packets: %s", got)
	}
	x.keys("ss")
	x.has("facets by name")
	if got := titles(); got != "DNS Touhou UDP" {
		t.Errorf("by name: %s", got)
	}
}

// TestTicksAreKept: the types ticked of a protocol come back in the next run when the protocol is ticked, and once more
// takes all of it.
func TestTicksAreKept(t *testing.T) {
	state := t.TempDir()
	x := open(t, 120, 36, Config{State: state}).keys("f").onLine("QUERY").keys("<space>")
	if got := x.m.packets.FilterText(); got != "!(dns.type == QUERY)" {
		t.Fatalf("the filter is %s", got)
	}
	x = open(t, 120, 36, Config{State: state})
	if got := x.m.packets.FilterText(); got != "" {
		t.Errorf("a kept tick filters by itself: %s", got)
	}
	x.keys("f").onLine("DNS").keys("o")
	x.has("as it was ticked last", "1 of 82")
	x.keys("o")
	if got := x.m.packets.FilterText(); got != "dns" {
		t.Errorf("the second time shows %s", got)
	}
	x.keys("<space>")
	x.has("0 of 82")
	x.keys("<space>")
	if got := x.m.packets.FilterText(); got != "dns" {
		t.Errorf("what was ticked as a whole comes back as %s", got)
	}
}

// TestEditedFacets: a filter made of ticks says so; once its text is edited it says that, while the ticks follow it.
func TestEditedFacets(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("f<space>")
	x.has("/ !touhou   from the facets")
	x.keys("/ && !dns<enter>")
	x.has("/ !touhou && !dns   edited", "[ ] DNS")
	x.keys("jj<space>")
	x.has("from the facets")
	x.keys("A")
	x.has("/ no filter")
	x.hasNot("[ ]")
	x.keys("/!dns<enter>")
	x.hasNot("edited")
	x.has("[ ] DNS")
}

// TestCompletionsLeaveTheDetail: completions cover the list alone, at every size and arrangement.
func TestCompletionsLeaveTheDetail(t *testing.T) {
	for _, wh := range screens[1:] {
		for _, arranged := range []string{"", "|", "||"} {
			x := open(t, wh[0], wh[1], Config{}).keys(arranged + "/")
			p := x.m.room.layout()
			part := func(r rect) (out string) {
				for _, line := range strings.Split(x.text(), "\n")[r.y : r.y+r.h] {
					out += string([]rune(line)[r.x:r.x+r.w]) + "\n"
				}
				return out
			}
			detail := func() string { return part(p.rule) + part(p.tree) + part(p.hex) }
			was := detail()
			x.keys("udp.").has("1 of ", "udp.length")
			if now := detail(); now != was {
				t.Errorf("%v, %q: completions lie over the detail:\n%s", wh, arranged, x.text())
			}
		}
	}
}

// TestAProtocolAloneIsOpen: where there is one protocol, its types are what one comes for.
func TestAProtocolAloneIsOpen(t *testing.T) {
	x := openFile(t, recorded("kaillera/desync.pcapng"), 120, 36).keys("f")
	x.has("▾ [■] Kaillera", "GAME_DATA")
	x.keys("h").has("▸ [■] Kaillera")
	openFile(t, recorded("kaillera/desync.pcapng"), 120, 36).keys("gt").has("▾ Kaillera")
}
