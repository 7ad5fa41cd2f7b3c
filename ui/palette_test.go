package ui

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/keymap"
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
	x.hasNot("view.notes")
	x.keys("<esc>:zoom<enter>")
	if !x.m.zoomed {
		t.Error("Enter does not do the line under the cursor")
	}
	x.keys(":zoo<down><up><enter>")
	if x.m.zoomed {
		t.Error("zoom cannot be taken back")
	}
	x.keys(":view.types<enter>").has("[Types]")
	x.keys(":view.packets<enter>:41<enter>")
	if x.m.cur != 41 {
		t.Errorf(":41 leads to %d", x.m.cur)
	}
	x.keys(":nonsense<enter>").has("there is no command nonsense")
	x.keys(":packet.mark<enter>a" + "gg" + ":packet.to-mark<enter>a")
	if x.m.cur != 41 {
		t.Errorf("marks by the palette lead to %d", x.m.cur)
	}
}

func TestPaletteCompletesWhatFollows(t *testing.T) {
	x := open(t, 120, 36, Config{ParseDecodeAs: func(words []string) ([]dissect.DecodeAs, error) {
		return []dissect.DecodeAs{{Table: "udp.port", Value: 7000, Protocol: "dns"}}, nil
	}})
	for _, c := range []struct{ typed, offered string }{
		{"filter touhou.ty", "touhou.type"}, {"time-format a", "ad"}, {"decode-as udp", "udp.port=="}, {"decode-as udp.port==7000,dn", "dns"}, {"column udp.src", "udp.srcport"}, {"sort -Le", "Len"},
	} {
		x.keys("<esc>:" + c.typed)
		if i := slices.IndexFunc(x.m.typing.offers, func(o offer) bool { return o.Text == c.offered }); i < 0 {
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

// TestHelpIsTrue presses every key of the help, and does every action, in a few places: in one of them at least it must
// change what is seen, ask something, leave, or hand something on.
func TestHelpIsTrue(t *testing.T) {
	t.Setenv("TMUX", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	places := []string{"20G", "20G<tab>jj", "20G<tab><tab>", "gg/touhou<enter>jj", "gt", "gc<tab>", "gn", "20Gf", "20Ggf", "20GmaG", "5G<space>9G", "<ctrl+f>touhou<enter>k", "20G<tab>zM"}
	keys := maps.Clone(keymap.Standard.Does)
	done := map[act.Action]bool{}
	for _, place := range places {
		x := open(t, 120, 36, Config{Capture: capture.Options{}}).keys(place)
		at := x.text() + x.m.look.drawn
		for name, does := range keys {
			if x.m.question != nil || x.does(does, at) {
				delete(keys, name)
				done[does] = true
				x = open(t, 120, 36, Config{}).keys(place)
				at = x.text() + x.m.look.drawn
			}
		}
	}
	for name, does := range keys {
		t.Errorf("%s (%s) does nothing anywhere", name, does.Name())
	}
	for _, a := range act.All() {
		if !done[a] && a.Layer() == "" {
			t.Errorf("no key does %s", a.Name())
		}
	}
}

// does tells whether an action has any effect here.
func (x *screen) does(does act.Action, before string) bool {
	x.m.notice = ""
	x.m.runAction(does)
	if x.m.quit || len(x.m.pending) > 0 || x.m.question != nil || x.m.keying.takes != act.None || x.m.notice != "" && !strings.Contains(x.m.notice, "no ") {
		return true
	}
	return x.text()+x.m.look.drawn != before
}
