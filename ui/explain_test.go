package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/ui/paint"
)

func TestExplainSaysWhatWasSeen(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("81G<tab>")
	x.m.tree.Select(x.m.selected.Tree.Find(x.m.cfg.Registry.Field("touhou.input.frame")))
	x.settle()
	x.keys("K")
	x.has("In the last 40 GAME_INPUT from client: 40 values, 0…39, each once;", "39: once, in packet 81",
		"From the dissector of Touhou (touhou); bytes 44–47.")
	x.keys("q")
	x.m.tree.Select(x.m.selected.Tree.Find(x.m.cfg.Registry.Field("touhou.type")))
	x.settle()
	x.keys("K")
	x.has("always GAME_INPUT", "It has names for", "HELLO")
}

func TestDecodeAsKey(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("4Gd")
	x.has("decode-as udp.port==6000,")
	x.keys("dn")
	x.has("dns")
}

// TestDecodeAsIsKept goes on in the list behind d, and keeps it: the word goes into the file of the profile that is on.
func TestDecodeAsIsKept(t *testing.T) {
	var kept []string
	cfg := Config{Profile: "lan", ParseDecodeAs: func([]string) ([]dissect.DecodeAs, error) {
		return []dissect.DecodeAs{{Table: dissect.TableUDP, Value: 6000, Protocol: "dns"}}, nil
	}}
	cfg.Source.KeepDecodeAs = func(profile, word string) (string, error) {
		kept = append(kept, profile+" "+word)
		return "lan.toml", nil
	}
	x := open(t, 120, 36, cfg).keys("4Gddns<enter>")
	x.has("DNS: 42 packets", ":keep keeps it in the profile lan")
	if x.keys("gg"); x.m.selected.Frame != 1 || len(kept) > 0 {
		t.Errorf("gg led to packet %d; kept unasked: %q", x.m.selected.Frame, kept)
	}
	x.keys(":keep<enter>")
	x.has("kept in lan.toml")
	if len(kept) != 1 || kept[0] != "lan udp.port==6000,dns" {
		t.Errorf("kept: %q", kept)
	}
	x.m.use(Settings{DecodeAs: []dissect.DecodeAs{{Table: dissect.TableUDP, Value: 6000, Protocol: "dns"}}})
	if n := len(x.m.cfg.DecodeAs); n != 1 {
		t.Errorf("read again, the settings and what was typed make %d words, want 1", n)
	}
}

// TestSeveralProblems counts the mistakes of a filter and underlines each.
func TestSeveralProblems(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/udp.prt == 53 && touhou.typ == 57")
	x.has("2 problems", "mends the first")
	for _, wrong := range []string{"udp.prt", "touhou.typ"} {
		if line := strings.Split(x.m.View().Content, "\n")[1]; !strings.Contains(line, underlined(wrong)) {
			t.Errorf("%s is not underlined in %q", wrong, line)
		}
	}
	x.keys("<tab>")
	x.has("udp.port == 53")
	x.hasNot("2 problems")
}

// underlined is a text as it is drawn where it is wrong, letter by letter.
func underlined(text string) string {
	pens := paint.NewPens("dark", true, false, true)
	var out strings.Builder
	for _, c := range text {
		out.WriteString(pens.Bad.Open + "\x1b[4m" + string(c) + "\x1b[m")
	}
	return out.String()
}

func TestColourOfAConversation(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	x := open(t, 120, 36, Config{Settings: Settings{Theme: "dark"}}).keys("3G2H")
	x.has("the conversation has colour 2")
	x.keys("k")
	if got := x.margin(5); got != " 2  " {
		t.Errorf("a row of it has %q in front", got)
	}
	if row := x.drawnRow(5); !strings.HasPrefix(row, x.m.style.Pens.Hues[paint.HueOrder[1]].Open) {
		t.Errorf("a row of it is %q", row)
	}
	x.keys("3G2H")
	x.has("no colour of its own any more")
	x.keys("9H")
	x.has("are 1 to 6")
}

// TestTextBesideTheBytes goes through the encodings: every line keeps its width.
func TestTextBesideTheBytes(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("4G")
	for range 6 {
		x.keys("E")
		for i, l := range strings.Split(x.text(), "\n") {
			if paint.Width(l) != 120 {
				t.Errorf("line %d is %d wide: %s", i, paint.Width(l), l)
			}
		}
	}
	x.keys("E")
	x.has("the text beside the bytes is UTF-8")
}

// TestClickOnATabOfASource shows the source whose tab is clicked.
func TestClickOnATabOfASource(t *testing.T) {
	x := openFile(t, "../fixtures/captures/lan/fragments.pcap", 120, 36)
	for n := dissect.FrameNum(1); len(x.m.selected.Tree.Sources()) < 2 && int(n) <= x.m.packets.Session.Passed(); n++ {
		x.m.select_(n)
	}
	if len(x.m.selected.Tree.Sources()) < 2 {
		t.Fatal("no packet has two sources")
	}
	p := x.m.room.layout().hex
	first := strings.Index(string([]rune(strings.Split(x.text(), "\n")[p.y])[p.x:]), ")") + 2
	for _, c := range []struct {
		x   int
		src uint8
	}{{first + 3, 1}, {first, 1}, {2, 0}} { // between the tabs lies none
		x.send(tea.MouseClickMsg{X: p.x + c.x, Y: p.y, Button: tea.MouseLeft})
		if x.m.selected.Source != c.src {
			t.Errorf("a click at column %d shows source %d, want %d", c.x, x.m.selected.Source, c.src)
		}
	}
}
