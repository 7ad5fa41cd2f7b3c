package ui

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/marks"
)

// A promise is what the help says of a key, as it is seen: where the key is pressed, and what the screen is like then.
type promise struct {
	place, keys string
	does        act.Action
	cur         dissect.FrameNum // the selected packet; 0: as it was
	shows       string
	hides       string
	kept        func(m *model) bool
}

var promises = []promise{
	{"20G", "j", act.Down, 21, "▸     21", "", nil},
	{"20G", "k", act.Up, 19, "▸     19", "", nil},
	{"20G", "G", act.Last, 82, "▸     82", "", nil},
	{"20G", "g g", act.First, 1, "▸      1", "", nil},
	{"20G", "ctrl+g", act.GoTo, 0, ": goto", "", nil},
	{"20G<tab>", "f8", act.NextPacket, 21, "21 Touhou", "", nil},
	{"20G<tab>", "f7", act.PrevPacket, 19, "19 Touhou", "", nil},
	{"3G", "*", act.SameNext, 5, "", "", nil},
	{"5G", "#", act.SamePrev, 3, "", "", nil},
	{"4G", "}", act.ConversationNext, 6, "", "", nil},
	{"6G", "{", act.ConversationPrev, 4, "", "", nil},
	{"gg", "%", act.Partner, 2, "", "", nil},
	{"20G5G", "alt+left", act.Back, 20, "", "", nil},
	{"20G5G''", "alt+right", act.Forward, 5, "", "", nil},
	{"20G", "space", act.Select, 21, "", "", func(m *model) bool { return m.marks.Of(20) == marks.PickedSign }},
	{"20G", "tab", act.NextPane, 0, "", "", func(m *model) bool { return m.room.focus == paneTree }},
	{"20G", "shift+tab", act.PrevPane, 0, "", "", func(m *model) bool { return m.room.focus == paneHex }},
	{"5G<tab>", "z M", act.CloseAll, 0, "▸ Touhou", "Packet type: GAME_INPUT", nil},
	{"5G<tab>zM", "z R", act.OpenAll, 0, "▾ User Datagram", "", nil},
	{"5G", "\\", act.Zoom, 0, "", "Ethernet II", nil},
	{"20G", "g t", act.TabTypes, 0, "[Packet types]", "[Packets]", nil},
	{"20G", "g c", act.TabStatistics, 0, "[Statistics]", "[Packets]", nil},
	{"20G", "g n", act.TabExpert, 0, "[Expert info", "[Packets]", nil},
	{"20Ggt", "g p", act.TabPackets, 0, "[Packets]", "[Packet types]", nil},
	{"5G", "o", act.Only, 0, "40 of 82", "", nil},
	{"5G", "x", act.Hide, 0, "42 of 82", "", nil},
	{"5Go", "u", act.Undo, 0, "no filter", "40 of 82", nil},
	{"5Go", "X", act.ClearFilter, 5, "no filter", "40 of 82", nil},
	{"5Go", "esc", act.Escape, 5, "the filter stays", "no filter", nil},
	{"gg", "=", act.UseField, 1, "1 of 82", "", nil},
	{"gg", "a n", act.UseNot, 0, "81 of 82", "", nil},
	{"gg", "A s", act.WriteThis, 0, "dns.type", "1 of 82", nil},
	{"20G", "/", act.Filter, 0, "Enter shows all packets", "", nil},
	{"20G", ":", act.Command, 0, "Enter run", "", nil},
	{"20G", "ctrl+f", act.Find, 0, "find text", "", nil},
	{"20G", "f", act.Facets, 0, "", "", func(m *model) bool { return m.facets.Open && m.room.focus == paneFacets }},
	{"20G", "p", act.Freeze, 0, "frozen", "", nil},
	{"20G", ";", act.Comment, 0, "comment:", "", nil},
	{"20G", "w", act.Save, 0, "save shown packets to:", "", nil},
	{"5G", "y y", act.CopyRow, 0, "", "", func(m *model) bool {
		return strings.HasPrefix(m.copier.Last(), "5 ") && strings.Contains(m.copier.Last(), "GAME_INPUT")
	}},
	{"gg", "y =", act.CopyFilter, 0, "", "",
		func(m *model) bool { return m.copier.Last() == m.fieldFilter() && m.copier.Last() != "" }},
	{"5G", "y h", act.CopyHex, 0, "", "",
		func(m *model) bool {
			return strings.HasPrefix(strings.ReplaceAll(m.copier.Last(), " ", ""), "020000000003")
		}},
	{"5G", "?", act.Help, 0, "next, previous", "", nil},
	{"5G", "q", act.Quit, 0, "", "", func(m *model) bool { return m.ending.quit }},
	{"5G", "Z Z", act.QuitNow, 0, "", "", func(m *model) bool { return m.ending.quit }},
}

// TestHelpKeepsItsPromises presses keys and looks for what the help says that they do: not any change, but that one.
func TestHelpKeepsItsPromises(t *testing.T) {
	quietly(t)
	for _, p := range promises {
		x := open(t, 120, 36, Config{}).keys(p.place)
		cur, shown := x.m.selected.Frame, strings.Contains(x.text(), p.shows)
		if p.shows != "" && shown {
			t.Errorf("%q: %q is there before %s is pressed", p.place, p.shows, p.keys)
		}
		if p.kept != nil && p.kept(x.m) {
			t.Errorf("%q: what %s does is done before it is pressed", p.place, p.keys)
		}
		var did []act.Action
		x.m.actions.watched = func(a act.Action) { did = append(did, a) }
		for key := range strings.FieldsSeq(p.keys) {
			x.send(pressOf(key))
		}
		x.settleOr()
		if len(did) != 1 || did[0] != p.does {
			t.Errorf("%q: %s does %s, and not %s", p.place, p.keys, namesOf(did), p.does.Name())
		}
		if p.cur != 0 {
			cur = p.cur
		}
		if p.does != act.Hide && x.m.selected.Frame != cur && p.does != act.UseNot {
			t.Errorf("%q: %s leads to packet %d, want %d", p.place, p.keys, x.m.selected.Frame, cur)
		}
		x.has(p.shows)
		if p.hides != "" {
			x.hasNot(p.hides)
		}
		if p.kept != nil && !p.kept(x.m) {
			t.Errorf("%q: %s (%s) does not do what the help says; the screen says %q", p.place, p.keys, p.does.Help(),
				x.m.foot.Notice)
		}
		x.m.closeAll()
	}
}
