package ui

import (
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/complete"
)

func TestPaletteListsEverything(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys(":")
	listed := map[string]bool{}
	for _, c := range x.m.typing.offers {
		listed[c.Text] = true
		if c.Doc == "" {
			t.Errorf("%s says nothing of itself", c.Text)
		}
	}
	for _, a := range act.All() {
		name := a.Name()
		if !listed[name] && a != act.Command && a.Layer() == "" {
			t.Errorf("%s is not in the palette", name)
		}
		if !knowsCommand(name) {
			t.Errorf("%s cannot be typed", name)
		}
	}
	for _, c := range commands() {
		if !listed[c.names[0]] {
			t.Errorf(":%s is not in the palette", c.names[0])
		}
	}
	x.has(":w FILE", "save the packets shown")
}

func TestPaletteNarrows(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys(":")
	x.m.editKey("", "next")
	x.m.editKey("", " type")
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
	for _, c := range []struct{ typed, offered string }{
		{"filter touhou.ty", "touhou.type"}, {"time-format a", "ad"}, {"decode-as udp", "udp.port=="},
		{"decode-as udp.port==7000,dn", "dns"}, {"column udp.src", "udp.srcport"}, {"sort -Le", "Len"},
	} {
		x.keys("<esc>:" + c.typed)
		if i := slices.IndexFunc(x.m.typing.offers, func(o complete.Offer) bool { return o.Text == c.offered }); i < 0 {
			t.Errorf("behind %q there is no %q", c.typed, c.offered)
		} else if o := x.m.typing.offers[i]; !strings.HasPrefix(strings.ToLower(o.Text), strings.ToLower(c.typed[o.From:])) {
			t.Errorf("behind %q, %q would replace %q", c.typed, o.Text, c.typed[o.From:])
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
	for words, want := range map[string]act.Action{"i/o graph": act.Rates, "service response time": act.TabStatistics,
		"flow graph": act.FollowStream, "expert": act.TabExpert,
		"apply as filter": act.UseThis, "colorize": act.ColoringRules, "layout": act.Arrange} {
		x := open(t, 120, 36, Config{}).keys(":" + words)
		if !slices.ContainsFunc(x.m.typing.offers, func(o complete.Offer) bool { return o.Text == want.Name() }) {
			t.Errorf("%s does not find %s:\n%s", words, want.Name(), x.text())
		}
	}
}
