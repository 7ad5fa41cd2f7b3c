package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// keeper is a source that keeps rules, as the program's does.
func keeper(profile string) (src Source, kept *[]Rule) {
	kept = new([]Rule)
	return Source{KeepColoring: func(p string, _, now []Rule) (string, error) {
		if p != profile {
			return "", errors.New("the profile is " + p)
		}
		*kept = now
		return "config.toml", nil
	}}, kept
}

func (x *screen) ruleNames() string {
	var out []string
	for _, r := range x.m.coloring.List() {
		name := r.Title()
		if r.Off {
			name = "-" + name
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// TestRulesOnTheScreen makes, changes, orders and deletes rules; the rows behind follow at once, and nothing is written
// before it is asked for.
func TestRulesOnTheScreen(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	src, kept := keeper("")
	x := open(t, 120, 36, Config{Source: src, Settings: Settings{Theme: "dark", Coloring: ofDNS}}).keys("5GgH")
	x.has("coloring rules", "answers", "dns.flags.response == 1", "1 of 2") // names would take 2, answers has one of them
	first := x.drawnRow(2)
	x.keys("<space>")
	if x.drawnRow(2) == first || x.ruleNames() != "-answers names" {
		t.Errorf("off, the row is as before: %s", x.ruleNames())
	}
	x.keys("u")
	if x.drawnRow(2) != first {
		t.Error("undo leaves the row")
	}
	x.keys("Cudp.srcprt == 6000<enter>").has("did you mean udp.srcport?", "no such rule yet")
	x.keys("<tab><enter>").has("colour of the text", "accent", "example")
	x.keys("<down>") // good
	if row := x.drawnRow(4); !strings.HasPrefix(row, x.m.style.Pens.Good.Open) {
		t.Errorf("the colour that is tried is not seen: %q", row)
	}
	x.keys("<esc>")
	if row := x.drawnRow(4); !strings.HasPrefix(row, x.m.style.Pens.Accent.Open) {
		t.Errorf("the colour that was left is still seen: %q", row)
	}
	x.keys("f#0ff000<enter>b#123<enter>rgame<enter>f" + "bold" + "<enter>")
	want := Rule{Name: "game", Filter: "udp.srcport == 6000", Foreground: "#0ff000", Background: "#123", Bold: true}
	if got := x.m.coloring.List()[0]; got != want {
		t.Errorf("the rule is %+v", got)
	}
	x.has("game", "bold #0ff000 on #123", "40")
	if row := x.drawnRow(4); !strings.HasPrefix(row, "\x1b[1;38;2;15;240;0;48;2;17;34;51m") {
		t.Errorf("row 4 is %q", row)
	}
	x.keys("+")
	if x.ruleNames() != "answers game names" {
		t.Error(x.ruleNames())
	}
	x.keys("x").has("game is deleted; u brings it back")
	x.keys("uGx")
	if x.ruleNames() != "answers game" {
		t.Error(x.ruleNames())
	}
	x.keys("<enter><ctrl+u>tcp.port<enter>o").has("tcp.port") // another filter, and only its packets
	if x.m.packets.FilterText() != "tcp.port" || len(*kept) != 0 {
		t.Errorf("filter %s; kept %v", x.m.packets.FilterText(), *kept)
	}
	x.keys("q").has("Keep the rules?")
	x.keys("n").has("coloring rules")
	x.keys("qk").has("kept in config.toml")
	if !slices.Equal(*kept, x.m.coloring.List()) || len(*kept) != 2 || x.m.views.View() != nil {
		t.Errorf("kept %+v", *kept)
	}
	if x.keys("gHq"); x.m.dialog.Asking() || x.m.views.View() != nil {
		t.Error("asked to keep what is kept")
	}
}

func TestRuleForWhatIsSelected(t *testing.T) {
	src, kept := keeper("games")
	x := open(t, 120, 36, Config{Source: src, Profile: "games", Settings: Settings{Coloring: ofDNS}}).keys("1GaH")
	x.has("colour the packets: dns.type == \"QUERY\"")
	x.keys("<enter><enter>")
	if got := x.m.coloring.List()[0]; got != (Rule{Filter: `dns.type == "QUERY"`, Foreground: "accent",
		Profile: "games"}) {
		t.Errorf("the rule is %+v", got)
	}
	x.keys("+").has("is kept for all profiles now")
	x.keys("jj-").has("answers") // moves among its like
	x.keys("gg-").has("is kept in the profile games now")
	x.keys("w").has("kept in config.toml")
	if got := (*kept)[0].Profile; got != "games" {
		t.Errorf("kept for %q", got)
	}
	x.keys("Cip.src == ${ip.dst}<enter>").has("asks the selected packet")
	x.keys("<esc>xxxx").has("no rules; C makes one")
	x.keys("<space><enter>fb+-xo").has("no rules")
	x.keys("qt")
	if x.m.views.View() != nil || len(x.m.coloring.List()) != 0 {
		t.Error("for this run alone there are rules")
	}
}
