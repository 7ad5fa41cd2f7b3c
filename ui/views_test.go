package ui

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/dissect/dissecttest"
	"remora/ui/columns"
	"remora/ui/paint"
	listpane "remora/ui/pane/list"
	"remora/ui/typetree"
)

// drawn are the keys that lead to each view and to the states in which it looks different.
var drawn = map[string]string{
	"facets": "f", "types": "gt", "types-pinned": "gt<space>j<space>jj", "hierarchy": "gc", "talkers": "gc<tab>",
	"endpoints": "gc<tab><tab>l",
	"ports":     "gc<tab><tab><tab>", "answers": "gc<tab><tab><tab><tab>", "properties": "gi",
	"rates":       "3Ggr/touhou<enter>/dns<enter><wait>l",
	"rates-bytes": "grb", "rates-blocks": "3Ggr/udp.srcport == 6000<enter>v", "unknown": "gu<wait>j", "notes": "gn",
	"follow":      "3Ggf",
	"follow-text": "1Ggfv", "follow-hex": "1Ggfvv", "follow-c": "1Ggfvvv", "ladder": "1Ggfvvvv", "plot": "3G<tab>jjP",
	"plots": "3G:plot touhou.input.frame,udp.length,ip.len<enter><wait>ll<tab>", "compare": "7GD",
	"compare-all": "7GD<space>", "help": "?",
	"columns": "s", "sorted": "sjjjjjjj<enter>q", "finding": "<ctrl+f>touhou", "bytes-8": "<tab><tab>W",
	"bytes-16": "<tab><tab>WW", "bytes-32": "<tab><tab>WWW",
	"filtered": "/touhou<enter>", "nothing": "/touhou && dns<enter>", "marked": "7Gmaj<space>j;a note<enter>",
}

// TestViewsGolden draws every view at every size.
func TestViewsGolden(t *testing.T) {
	for name, keys := range drawn {
		for _, wh := range screens {
			x := open(t, wh[0], wh[1], Config{}).keys(keys)
			dissecttest.Compare(t, filepath.Join("testdata", name+"-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"),
				trimmed(x.text()))
		}
	}
}

func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestViewsFillTheScreen holds every view to the screen's size, also the smallest.
func TestViewsFillTheScreen(t *testing.T) {
	for _, keys := range []string{"f", "gt", "gc", "gc<tab>", "gc<tab><tab>", "gc<tab><tab><tab>l",
		"gc<tab><tab><tab><tab>", "gc<tab><tab><tab><tab><tab>", "gn", "gi", "gr", "gu", "grb", "gttt",
		"gt<space>j<space>j<space>j", "3Ggr/touhou<enter>v+++ll", "3Ggfs", "3G<tab>jjPv",
		"3G:plot udp.length,ip.len,ip.ttl,udp.srcport,touhou.input.frame,frame.number<enter>",
		"3G:plot udp.length<enter>v++ll", "3Ggf", "3Ggfv", "3Ggfvv", "1Ggfvvv", "3G<tab>jjP", "7GD", "?", "/udp", "gH", "gHf",
		"gHb", "gH/dns<enter>"} {
		for _, wh := range screens {
			for _, ascii := range []bool{false, true} {
				x := open(t, wh[0], wh[1], Config{Settings: Settings{ASCII: ascii}}).keys(keys)
				lines := strings.Split(x.text(), "\n")
				if len(lines) != wh[1] {
					t.Errorf("%q at %v: %d lines", keys, wh, len(lines))
				}
				for i, l := range lines {
					if paint.Width(l) != wh[0] {
						t.Errorf("%q at %v: line %d is %d wide:\n%s", keys, wh, i, paint.Width(l), x.text())
						break
					}
				}
			}
		}
	}
}

func TestFacetsTick(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("f")
	x.has("Facets", "[■] Touhou", "GAME_INPUT")
	find := func(text string) {
		t.Helper()
		x.keys("gg")
		for range 40 {
			f := x.m.facets.Rows[x.m.facets.Cur]
			if name, _ := typetree.Name(&x.m.style, f); name == text {
				return
			}
			x.keys("j")
		}
		t.Fatalf("no line %q in the facets:\n%s", text, x.text())
	}
	for _, step := range []struct{ line, keys, filter, count string }{
		{"DNS", "o", "dns", "2 of 82"},
		{"UDP", "<space>", `dns || frame.top == "udp"`, "42 of 82"},
		{"Touhou", "<space>", `dns || touhou || frame.top == "udp"`, "82 of 82"},
		{"QUERY", "<space>", `(dns && !(dns.type == QUERY)) || touhou || frame.top == "udp"`, "81 of 82"},
		{"QUERY", "<space>", `dns || touhou || frame.top == "udp"`, "82 of 82"},
		{"UDP", "o", `frame.top == "udp"`, "40 of 82"},
		{"UDP", "l", `frame.top == "udp"`, "→ forth"},
		{"→ forth", "<space>", `frame.top == "udp" && !(frame.top == "udp" && dir == forth)`, "0 of 82"},
		{"→ forth", "o", `frame.top == "udp" && dir == forth`, "40 of 82"},
		{"← back", "o", `frame.top == "udp" && dir == back`, "0 of 82"},
		{"→ forth", "<space>", `frame.top == "udp"`, "40 of 82"},
		{"→ forth", "h", `frame.top == "udp"`, "40 of 82"},
		{"UDP", "<space>", `!frame`, "0 of 82"},
	} {
		find(step.line)
		x.keys(step.keys)
		if got := x.m.packets.FilterText(); got != step.filter {
			t.Errorf("%s on %s: %s\nwant %s", step.keys, step.line, got, step.filter)
		}
		x.has(step.count)
	}
}

func TestMarksAndColumns(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("7Gmaj<space>gg'a")
	if x.m.selected.Frame != 7 {
		t.Errorf("the mark leads to %d", x.m.selected.Frame)
	}
	x.has("▸a     7", "*      8")
	x.keys("<tab>jj") // a field of the tree
	name := x.m.selected.Tree.Field(x.m.selected.Node).Label()
	x.keys("C")
	x.has(name[:min(8, len(name))])
	if len(x.m.list.Columns) != len(columns.Standard())+1 {
		t.Error("no further column")
	}
	x.keys("C")
	if len(x.m.list.Columns) != len(columns.Standard()) {
		t.Error("the column stays")
	}
}

func TestUndoGoesBackThroughFilters(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/dns<enter>/<ctrl+u>touhou<enter>")
	for _, want := range []string{"dns", "", ""} {
		x.keys("u")
		if got := x.m.packets.FilterText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestRibbonGoesToATime(t *testing.T) {
	x := open(t, 120, 36, Config{})
	r := x.m.room.layout().ribbon
	x.send(tea.MouseClickMsg{X: r.x + 1 + (r.w-27)/2, Y: r.y, Button: tea.MouseLeft})
	x.send(tea.MouseReleaseMsg{X: r.x + 1 + (r.w-27)/2, Y: r.y})
	if x.m.selected.Frame < 38 || x.m.selected.Frame > 45 {
		t.Errorf("the middle is packet %d", x.m.selected.Frame)
	}
	x.send(tea.MouseClickMsg{X: r.x + 1, Y: r.y, Button: tea.MouseLeft})
	x.send(tea.MouseMotionMsg{X: r.x + 20, Y: r.y})
	x.send(tea.MouseReleaseMsg{X: r.x + 20, Y: r.y})
	x.settle()
	if !strings.HasPrefix(x.m.packets.FilterText(), "frame.time_relative >= 0 && ") {
		t.Errorf("the filter is %q", x.m.packets.FilterText())
	}
}

// TestRibbonRangeHasBothEnds: a range over the whole ribbon has all packets, though their times have nine digits.
func TestRibbonRangeHasBothEnds(t *testing.T) {
	list := packets()[:3]
	list[1].Gap, list[2].Gap = 500_000_777, 499_999_346
	x := openPackets(t, 120, 36, Config{}, list)
	r := x.m.room.layout().ribbon
	x.send(tea.MouseClickMsg{X: r.x + 1, Y: r.y, Button: tea.MouseLeft})
	x.send(tea.MouseMotionMsg{X: r.x + (r.w - 27), Y: r.y})
	x.send(tea.MouseReleaseMsg{X: r.x + (r.w - 27), Y: r.y})
	x.settle()
	if x.m.packets.Rows() != 3 {
		t.Errorf("%q leaves %d packets of 3", x.m.packets.FilterText(), x.m.packets.Rows())
	}
}

func TestFollowReadsAndSaves(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggf")
	x.has("Follow", "10.0.0.1:40000", "messages", "QUERY", "Standard query 0x1234")
	x.keys("v<ctrl+f>example<enter>")
	path := filepath.Join(t.TempDir(), "talk.bin")
	x.keys("w" + path + "<enter>")
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "\x07example\x03org") {
		t.Errorf("%d bytes (%v)", len(b), err)
	}
	x.keys("q")
	x.has("[Packets]")
	x.hasNot("Follow")
	if x.m.packets.FilterText() != "" {
		t.Errorf("a filter stays: %s", x.m.packets.FilterText())
	}
}

func TestCompareShowsWhatDiffers(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("7GD")
	x.has("Compare", "A  5  client → host  GAME_INPUT", "B  7  client → host  GAME_INPUT", "≠", "same type, ",
		" equal fields, ", "v shows them", "A is the one before of its type, B the selected packet, 2.00 ms later")
	x.hasNot("Words")
	x.hasNot("Arrival Time")
	x.has("+1", "+1 each time", "from the start of Touhou", "^^", "0e 03 01", "0e 03 02")
	x.keys("b")
	x.hasNot("^^")
	x.keys("bx")
	x.has("-1")
	x.keys("x*")
	x.has("A  5  client", "B  9  client", "+2")
	x.keys("yy")
	if !strings.HasPrefix(x.m.copier.Last(), "A 5  client → host  GAME_INPUT\nB 9  ") ||
		!strings.Contains(x.m.copier.Last(), "| +2\n") {
		t.Errorf("copied %q", x.m.copier.Last())
	}
	x.keys("v")
	x.has("Arrival Time")
	x.keys("G")
	x.has("Words")
	x.keys("q9Gma11GD")
	x.has("A  9  client", "B  11  client", "A is mark a")
	x.keys("q'ama") // it is taken away
	x.keys("qgg<space>G<space>D")
	x.has("1 ", "DNS QUERY", "82", " UDP", "A and B picked")
}

func TestFindGoesToTextAndBytes(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("<ctrl+f>EXAMPLE<enter>")
	if x.m.selected.Frame != 2 {
		t.Errorf("found in packet %d, want 2", x.m.selected.Frame)
	}
	x.keys("gg<ctrl+f><ctrl+u>0x0e0313<enter>")
	if x.m.selected.Frame != 41 {
		t.Errorf("found in packet %d, want 41", x.m.selected.Frame)
	}
	x.keys("n")
	x.has("no further one")
}

func TestUseFieldsCellsAndBytes(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/touhou<enter>")
	x.keys("gg<tab>jas")
	if got := x.m.packets.FilterText(); got != "touhou.type == GAME_INPUT" && !strings.HasPrefix(got, "touhou.") {
		t.Errorf("as gives %q", got)
	}
	x.keys("u3G")
	x.m.room.focus = paneHex
	x.m.hex.MoveTo(42)
	x.keys("vl=")
	if got := x.m.packets.FilterText(); got != "frame[42:2] == 0e:03" {
		t.Errorf("the bytes give %q", got)
	}
	x.has("40 of 82")
	x.keys("<esc>")
	p := x.m.room.layout()
	at := p.list.x + listpane.Margin
	for _, c := range x.m.list.Place(p.list.w) {
		if c.Kind == columns.Destination {
			x.send(tea.MouseClickMsg{X: at + 1, Y: p.list.y + 1, Button: tea.MouseRight})
			break
		}
		at += c.W + c.Gap
	}
	x.keys("n")
	if got := x.m.packets.FilterText(); !strings.HasPrefix(got, "!(ip.dst == 10.0.0.") {
		t.Errorf("the cell gives %q", got)
	}
}

func TestCopyForms(t *testing.T) {
	t.Setenv("TMUX", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	x := open(t, 120, 36, Config{}).keys("3G")
	for how, want := range map[rune]string{'y': "GAME_INPUT", 't': "Internet Protocol Version 4", '=': "touhou",
		'h': "0e03", 'c': "{ 0x02", 'g': "[]byte{0x02", 'p': `b'\x02`, 'b': "AgAA"} {
		x.m.room.focus = paneList
		if got, _ := x.m.copier.Text(how); !strings.Contains(got, want) {
			t.Errorf("%c gives %q", how, got)
		}
	}
	x.keys("yy")
	x.has("sent to the terminal")
}

func TestCompletionKnowsTheCapture(t *testing.T) {
	x := open(t, 120, 36, Config{State: t.TempDir()}).keys("/touhou.type == ")
	x.has("GAME_INPUT", "≈ 40")
	x.keys("<esc>/<ctrl+u>touhou<enter>")
	x.m.palette.Do("fav mine")
	x.keys("X/")
	x.has("favourite", "mine")
	x.keys("<esc>")
	x.m.palette.Do("fav mine")
	x.settle()
	if x.m.packets.FilterText() != "touhou" {
		t.Errorf("the favourite gives %q", x.m.packets.FilterText())
	}
}

func TestHelpSearchesAndRuns(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("?")
	x.has("Keys · packets", "In the packet list", "same type", "type to search", "? all keys")
	x.keys("?").has("All keys", "next and previous line", "? the filter language")
	x.keys("facets: tick")
	x.hasNot("next and previous line")
	x.keys("<enter>")
	if !x.m.facets.Open || x.m.help.IsOpen() {
		t.Error("Enter does not open the facets")
	}
	x.keys("?").has("Keys · facets", "Here", "only this", "Filter and find")
	x.hasNot("In the packet list")
	x.keys("<enter>") // Space: ticks
	if x.m.packets.FilterText() == "" || x.m.help.IsOpen() {
		t.Error("Enter does not run the line of the sheet")
	}
	x.keys("<esc>???")
	x.has("The filter language", "ip.addr == 10.0.0.0/8")
	x.keys("<esc>")
	x.hasNot("The filter language")
}

func TestPlotFollowsAField(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3G<tab>")
	for range 30 {
		if x.m.selected.Tree.Field(x.m.selected.Node).Label() == "Frame" {
			break
		}
		x.keys("j")
	}
	x.keys("P")
	x.has("Frame  touhou.", "40 values, 0 … 39")
	x.keys("G<enter>")
	if x.m.selected.Frame != 81 {
		t.Errorf("the last value leads to packet %d", x.m.selected.Frame)
	}
}

// TestUnknownTrafficLeadsToItsPackets: a group's filter shows just the packets that were counted.
func TestUnknownTrafficLeadsToItsPackets(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("gu")
	x.has("Undissected traffic", "UDP 6000", "40 packets")
	x.keys("<enter>")
	if got := x.m.packets.FilterText(); got != "data && udp.port == 6000" {
		t.Errorf("the filter is %q", got)
	}
	x.has("40 of 82", "[Packets]")
	x.keys("u/touhou<enter>gu")
	x.has("every packet shown is of a protocol")
}

// TestTypesOfTheNewestSeconds counts rates over a window that t chooses, and leaves the counts alone.
func TestTypesOfTheNewestSeconds(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("gt")
	x.has("over the capture")
	x.keys("t")
	x.has("last 60 s", "Touhou")
	x.keys("tt")
	x.has("over the capture")
}
