package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/text/encoding/japanese"

	"remora/dissect"
	"remora/ui/paint"
)

func TestExplainSaysWhatWasSeen(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("81G<tab>")
	x.m.selectNode(x.m.tree.Find(x.m.reg.Field("touhou.input.frame")))
	x.settle()
	x.keys("K")
	x.has("In the last 40 GAME_INPUT from client: 40 values, 0…39, each once;", "39: once, in packet 81", "From the dissector of Touhou (touhou); bytes 44–47.")
	x.keys("q")
	x.m.selectNode(x.m.tree.Find(x.m.reg.Field("touhou.type")))
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

// TestDecodeAsIsKept answers the question behind d: kept, the word goes into the file of the profile that is on.
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
	x.has("Keep it?", "profile lan", "udp.port==6000,dns")
	x.keys("t")
	if x.hasNot("Keep it?"); len(kept) > 0 {
		t.Errorf("kept unasked: %q", kept)
	}
	x.keys("4Gddns<enter>k")
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
	if got := x.m.culprits(); len(got) != 2 || x.m.typing.input.Value()[got[0][0]:got[0][1]] != "udp.prt" || x.m.typing.input.Value()[got[1][0]:got[1][1]] != "touhou.typ" {
		t.Errorf("underlined: %v", got)
	}
	x.keys("<tab>")
	x.has("udp.port == 53")
	x.hasNot("2 problems")
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

// TestTextBesideTheBytes draws texts in the encodings, with a cell for each byte, whatever the bytes are.
func TestTextBesideTheBytes(t *testing.T) {
	sjis, err := japanese.ShiftJIS.NewEncoder().String("東方ﾃｽﾄ")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		encoding, bytes string
		start           int
		want            string
	}{
		{"ASCII", "a\x00é", 0, "a···"},
		{"UTF-8", "é漢a", 0, "é 漢 a"},
		{"UTF-8", "a\xc3", 0, "a·"},
		{"CP1252", "\xe4\x80\x81", 0, "ä€·"},
		{"Shift-JIS", sjis, 0, "東方ﾃｽﾄ"},
		{"Shift-JIS", "\x81" + sjis, 1, "·東方ﾃｽﾄ"},
		{"UTF-16 LE", "a\x00b\x00", 0, "a b "},
		{"UTF-8", "\xd7\xa9\u202e", 0, "·····"},
	} {
		for _, e := range byteTexts {
			cells := textCells([]byte(c.bytes), e, c.start, "·")
			if got := strings.Join(cells, ""); e.name == c.encoding && got != c.want {
				t.Errorf("%s of %q: %q, want %q", e.name, c.bytes, got, c.want)
			} else if paint.Width(got) != len(c.bytes) || !utf8.ValidString(got) {
				t.Errorf("%s of %q takes %d cells: %q", e.name, c.bytes, paint.Width(got), got)
			}
		}
	}
	x := open(t, 120, 36, Config{}).keys("4G")
	for range byteTexts {
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
	for n := dissect.FrameNum(1); len(x.m.tree.Sources()) < 2 && int(n) <= x.m.s.Passed(); n++ {
		x.m.select_(n)
	}
	if len(x.m.tree.Sources()) < 2 {
		t.Fatal("no packet has two sources")
	}
	p := x.m.layout().hex
	first := paint.Width(sourceTab(x.m.tree.Sources()[0]))
	for _, c := range []struct {
		x   int
		src uint8
	}{{first + 3, 1}, {first, 1}, {2, 0}} { // between the tabs lies none
		x.send(tea.MouseClickMsg{X: p.x + c.x, Y: p.y, Button: tea.MouseLeft})
		if x.m.hex.src != c.src {
			t.Errorf("a click at column %d shows source %d, want %d", c.x, x.m.hex.src, c.src)
		}
	}
}
