package ui

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/dissect/dissecttest"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/help"
	"remora/ui/keys"
	"remora/ui/paint"
)

// TestScreensOverScreens draws what lies over the panes, and the lines that wait for a key, at every size.
func TestScreensOverScreens(t *testing.T) {
	for name, script := range map[string]string{
		"palette": ":freez", "completions": "/udp.", "completions-values": "/dns.type == ", "filter-wrong": "/udp.lenth > 3",
		"filter-meant": "/dns.type == QERY", "filter-doubt": "/dns || udp && touhou",
		"help-facets": "f?", "help-all": "??", "help-language": "???", "explain": "<tab>jjjK", "question": "2G;x<enter>q",
		"facets-find": "f<ctrl+f>resp", "waiting": "a", "columns": "s", "find-again": "<ctrl+f>owned<enter><ctrl+f>",
		"rules": "gH/touhou<enter><enter>", "rules-colour": "gH/dns<enter><esc>f\n<down>",
	} {
		for _, wh := range screens {
			x := open(t, wh[0], wh[1], Config{})
			for part := range strings.SplitSeq(script, "\n") { // what is counted stands before keys go on
				x.keys(part)
			}
			dissecttest.Compare(t,
				filepath.Join("testdata", "over-"+name+"-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"), trimmed(x.text()))
		}
	}
	for _, wh := range screens {
		x := open(t, wh[0], wh[1], Config{Settings: Settings{ASCII: true}}).keys("/dns || touhou<enter>f")
		dissecttest.Compare(t, filepath.Join("testdata", "ascii-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"),
			trimmed(x.text()))
		if strings.ContainsFunc(x.text(), func(r rune) bool { return r > 0x7e }) {
			t.Error("there is more than ASCII on the screen")
		}
	}
}

// TestThemesGolden draws the same screen in every theme, with its colours written out.
func TestThemesGolden(t *testing.T) {
	for _, theme := range append([]string{"none"}, paint.Themes...) {
		for _, dark := range []bool{true, false} {
			t.Setenv("NO_COLOR", "")
			if theme == "none" {
				t.Setenv("NO_COLOR", "yes")
			}
			x := open(t, 80, 24, Config{Settings: Settings{Theme: strings.TrimPrefix(theme, "none")}})
			x.m.look.dark = dark
			x.m.repen()
			x.keys("f<space>")
			ground := map[bool]string{true: "dark", false: "light"}[dark]
			text := strings.ReplaceAll(x.m.View().Content, "\x1b", "^")
			dissecttest.Compare(t, filepath.Join("testdata", "theme-"+theme+"-on-"+ground+".txt"), trimmed(text))
			if theme == "none" && strings.Contains(text, "^[3") {
				t.Error("NO_COLOR leaves colours")
			}
		}
	}
}

// TestHintsAreTrue presses every key of the key line in every view: it must do something there.
func TestHintsAreTrue(t *testing.T) {
	for _, place := range []string{"f<space>", "gt", "gc", "gc<tab>", "2G;x<enter>gn", "3Ggf",
		"3Ggr/dns<enter>/touhou<enter>", "3G<tab>jjP", "7GD", "sj>", "gi", "gu", "gH/dns<enter><enter>/udp<enter><enter>"} {
		x := open(t, 120, 36, Config{}).keys(place)
		for _, h := range (helpContext{viewContext{x.m}}).Hints() {
			worked := false
			for word := range strings.FieldsSeq(h[0]) {
				name, err := keys.Parse(word)
				if err != nil {
					t.Errorf("%s: %q is no key", place, word)
					continue
				}
				// some work on other lines than the first
				for _, first := range []string{"", "j", "l", "jjj", "jjjj", "jjjjj", "G"} {
					y := open(t, 120, 36, Config{}).keys(place + first)
					before := y.text() + y.m.look.drawn
					for one := range strings.FieldsSeq(name) {
						y.send(pressOf(one))
					}
					y.settleOr()
					worked = worked || y.m.ending.quit || y.m.line.IsOpen() || y.m.dialog.Asking() ||
						y.text()+y.m.look.drawn != before
					if worked {
						break
					}
				}
			}
			if !worked {
				t.Errorf("%s: %s (%s) does nothing", place, h[0], h[1])
			}
		}
	}
}

// settleOr settles unless the program is leaving.
func (x *screen) settleOr() {
	if !x.m.ending.quit {
		x.settle()
	}
}

// keyCodes are the keys that are no character, by their names.
var keyCodes = map[string]rune{"left": tea.KeyLeft, "right": tea.KeyRight, "up": tea.KeyUp, "down": tea.KeyDown,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "enter": tea.KeyEnter,
	"esc": tea.KeyEscape,
	"tab": tea.KeyTab, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "f1": tea.KeyF1, "f7": tea.KeyF7,
	"f8": tea.KeyF8}

// pressOf is the message of a key by its name.
func pressOf(name string) tea.KeyPressMsg {
	if k, ok := special[name]; ok {
		return k
	}
	var k tea.KeyPressMsg
	base := name
	for mod, bit := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		if strings.Contains(name, mod) {
			k.Mod, base = k.Mod|bit, strings.Replace(base, mod, "", 1)
		}
	}
	if code, ok := keyCodes[base]; ok {
		k.Code = code
		return k
	}
	if k.Code = []rune(base)[0]; k.Mod == 0 {
		k.Text = base
	}
	return k
}

// TestHabitsAreKept: what the help says about other programs' keys is a key or a command here.
func TestHabitsAreKept(t *testing.T) {
	for _, k := range help.Habits[0].Keys {
		words := strings.Fields(k.Help)
		for i, word := range words {
			if i > 0 && words[i-1] == "Ctrl-W" {
				word = "Ctrl-W w"
			}
			if name, ok := strings.CutPrefix(word, ":"); ok && name != "" {
				if !slices.ContainsFunc(commands(), func(c command) bool { return slices.Contains(c.names, name) }) {
					t.Errorf("%s: there is no %s", k.Keys, word)
				}
				continue
			}
			name, err := keys.Parse(strings.ReplaceAll(word, " ", ""))
			if word == "Ctrl-W w" {
				name, err = "ctrl+w w", nil
			}
			first, _, _ := strings.Cut(name, " ")
			if err != nil ||
				keys.Standard.Does[name] == act.None && !keys.Standard.Waits[name] && !act.TakesLetter(keys.Standard.Does[first]) {
				t.Errorf("%s: %s does nothing", k.Keys, word)
			}
		}
	}
	x := open(t, 120, 36, Config{}).keys("f?")
	x.has("Here", "only this")
	x.keys("wireshark")
	x.has("If you come from", "Ctrl-F Ctrl-N Ctrl-G")
}

// TestUndoGoesBackThroughViews undoes filters, columns and sorting, latest first.
func TestUndoGoesBackThroughViews(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/dns<enter>3G<tab>jjjC<tab><tab>:sort Len<enter>")
	if len(x.m.list.Columns) == len(columns.Standard()) || x.m.list.SortedBy() == nil {
		t.Fatalf("%d columns, sorted by %v", len(x.m.list.Columns), x.m.list.SortedBy())
	}
	x.keys("u")
	if x.m.list.SortedBy() != nil || len(x.m.list.Columns) == len(columns.Standard()) {
		t.Errorf("after one step the order is %v, of %d columns", x.m.list.SortedBy(), len(x.m.list.Columns))
	}
	x.keys("u")
	if len(x.m.list.Columns) != len(columns.Standard()) || x.m.packets.FilterText() != "dns" {
		t.Errorf("after two steps there are %d columns, and the filter is %q", len(x.m.list.Columns),
			x.m.packets.FilterText())
	}
	x.keys("u")
	if x.m.packets.FilterText() != "" {
		t.Errorf("after three steps the filter is %q", x.m.packets.FilterText())
	}
	x.keys("u")
	x.has("there is nothing to undo")
}
