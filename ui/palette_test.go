package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/palette"
)

func TestPaletteListsEverything(t *testing.T) {
	x := open(t, 120, 36, Config{})
	for _, c := range commands() {
		if c.help == "" {
			t.Errorf(":%s says nothing of itself", c.names[0])
		}
		x.keys(":" + c.names[0]).has(palette.Command{Names: c.names, Arg: c.arg}.Shown())
		x.keys("<esc>")
	}
	for _, a := range act.All() {
		if name := a.Name(); !x.m.palette.Knows(name) {
			t.Errorf("%s cannot be typed", name)
		}
	}
	x.keys(":").has(":w FILE", "save the packets shown")
}

func TestPaletteNarrows(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys(":")
	x.keys("next type")
	x.has("packet.next-of-type", "*")
	x.hasNot("view.expert")
	x.keys("<esc>:zoom<enter>")
	if !x.m.room.zoomed {
		t.Error("Enter does not do the line under the cursor")
	}
	x.keys(":zoo<down><up><enter>")
	if x.m.room.zoomed {
		t.Error("zoom cannot be taken back")
	}
	x.keys(":view.types<enter>").has("[Packet types]")
	x.keys(":view.packets<enter>:41<enter>")
	if x.m.selected.Frame != 41 {
		t.Errorf(":41 leads to %d", x.m.selected.Frame)
	}
	x.keys(":nonsense<enter>").has("there is no command nonsense")
	x.keys(":packet.mark<enter>a" + "gg" + ":packet.to-mark<enter>a")
	if x.m.selected.Frame != 41 {
		t.Errorf("marks by the palette lead to %d", x.m.selected.Frame)
	}
}

func TestPaletteCompletesWhatFollows(t *testing.T) {
	x := open(t, 120, 36, Config{ParseDecodeAs: func(words []string) ([]dissect.DecodeAs, error) {
		return []dissect.DecodeAs{{Table: "udp.port", Value: 7000, Protocol: "dns"}}, nil
	}})
	for _, c := range []struct{ typed, offered, taken string }{
		{"filter touhou.ty", "touhou.type", "filter touhou.type"}, {"time-format a", "ad", "time-format a"},
		{"decode-as udp", "udp.port==", "decode-as udp.port=="},
		{"decode-as udp.port==7000,dn", "dns", "decode-as udp.port==7000,dns"},
		{"column udp.src", "udp.srcport", "column udp.srcport"}, {"sort -Le", "Len", "sort -Len"},
	} {
		x.keys("<esc>:" + c.typed)
		x.has(c.offered)
		if x.keys("<tab>"); strings.TrimSpace(x.m.line.Value()) != c.taken {
			t.Errorf("Tab makes %q of %q, want %q", x.m.line.Value(), c.typed, c.taken)
		}
	}
	x.keys("<esc>:filter touhou<enter>").has("40 of 82")
	x.keys(":filter udp.sprt<enter>").has("40 of 82") // a filter that is wrong changes nothing
	x.keys(":filter<enter>").has("82 packets")
	x.keys(":decode-as udp.port==7000,dns<enter>").has("DNS")
	if got := x.m.cfg.DecodeAs; len(got) != 1 {
		t.Errorf("decode-as: %v", got)
	}
	x.keys("/dns<enter>").has("42 of 82")
}

// TestThePaletteKnowsOthersWords: actions are found by what other programs call them.
func TestThePaletteKnowsOthersWords(t *testing.T) {
	for words, want := range map[string]act.Action{"i/o graph": act.Rates, "service response time": act.Responses,
		"flow graph": act.FlowGraph, "expert": act.TabExpert,
		"apply as filter": act.UseThis, "colorize": act.ColoringRules, "layout": act.Arrange} {
		x := open(t, 120, 36, Config{}).keys(":" + words)
		if does := x.m.palette.Finds(words); !slices.Contains(does, want) {
			t.Errorf("%s finds %v, want %s", words, does, want.Name())
		}
	}
}

// TestThePaletteForgives: mistyped words find what they nearly are, and a command takes what follows it.
func TestThePaletteForgives(t *testing.T) {
	for typed, want := range map[string]act.Action{"conversatoins": act.Conversations, "respnse times": act.Responses,
		"exprt": act.TabExpert, "statistcs": act.TabStatistics, "srt": act.Responses} {
		x := open(t, 120, 36, Config{}).keys(":" + typed)
		if does := x.m.palette.Finds(typed); !slices.Contains(does, want) {
			t.Errorf("%s finds %v, want %s", typed, does, want.Name())
		}
	}
	open(t, 120, 36, Config{}).keys(":conver").has(":conversations LAYER", "gC", "conversations of a layer")
	open(t, 80, 24, Config{}).keys(":zoom").has("pane.zoom", "\\")
	x := open(t, 120, 36, Config{}).keys(":conversations udp<enter>")
	x.has("[Conversations]", "10.0.0.4:6000")
	x.keys(":conversations nonsense<enter>").has("no conversations of nonsense are counted; there are all, eth")
	x.keys("gR").has("[Response times]")
	x.keys(":expert<enter>").has("[Expert info")
}

// TestAMistypedCommandKeepsWhatFollows: its line stays open, with the name mended.
func TestAMistypedCommandKeepsWhatFollows(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys(":mrege a.pcap")
	x.has(":merge FILE")
	x.hasNot("No matching command")
	if x.keys("<enter>"); x.m.line.Value() != "merge a.pcap" {
		t.Errorf("Enter makes %q of it", x.m.line.Value())
	}
	x.keys("<enter>").has("a file is merged with one that is open")
	if x.keys(":tme-format ad<tab>"); x.m.line.Value() != "time-format ad" {
		t.Errorf("Tab makes %q of it", x.m.line.Value())
	}
	x.keys("<esc>:qqqq a.pcap").has("No matching command")
}

// TestPhrasesThatBeginLikeACommand: :time is a command, and still "time shift" and "time reference" find what is called
// so; a time that is typed goes there as ever.
func TestPhrasesThatBeginLikeACommand(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys(":time sh")
	x.has(":time-shift SPAN")
	x.hasNot(":time-format")
	x.keys("<tab><enter>").hasNot("is no time")
	x.has("times of saved captures are shifted")
	x.keys(":time ref").has("times behind it relative to this packet")
	x.keys("<esc>:time 12:99<enter>").has("12:99 is no time")
}

// TestFindInViews: Ctrl-F searches the lines of the view one is in, n and N go on.
func TestFindInViews(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("gc")
	x.has("[Statistics]", "DNS")
	x.keys("<ctrl+f>dns<enter>")
	at := func() string { return cursorLine(x) }
	if !strings.Contains(at(), "DNS") {
		t.Errorf("the cursor is on %q", at())
	}
	x.keys("<ctrl+f>6000<enter>").has("no line here holds 6000")
	x.keys("gC").has("[Conversations]", "10.0.0.4:6000")
	x.keys("<ctrl+f><enter>")
	if !strings.Contains(at(), "6000") {
		t.Errorf("the cursor is on %q", at())
	}
	x.keys("gt<ctrl+f>response<enter>gi<wait><ctrl+f>duration<enter>")
	if !strings.Contains(at(), "Duration") {
		t.Errorf("in the properties the cursor is on %q", at())
	}
	x.keys("gd<ctrl+f>player<enter>").has("no line here holds player")
	x.keys("qgp").has("[Packets]")
}

// cursorLine is the line of the picture that is drawn as the selected one.
func cursorLine(x *screen) string {
	x.t.Helper()
	x.m.look.stale = true
	for l := range strings.SplitSeq(x.m.View().Content, "\n") {
		if strings.Contains(l, x.m.style.Pens.Selected.Open) {
			return ansi.Strip(l)
		}
	}
	return ""
}
