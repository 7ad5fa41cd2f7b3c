package coloring

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/rules"
	"remora/ui/view/viewtest"
)

// A screen shows the rules over nothing, and keeps what they are kept as.
type screen struct {
	*viewtest.Screen
	rules   *Rules
	profile string
	kept    []rules.Rule
	redrawn int
}

func (x *screen) Panes() []string { return x.List().Draw(x.W, x.H) }
func (x *screen) Redraw()         { x.redrawn++ }
func (x *screen) Profile() string { return x.profile }

var ofDNS = []rules.Rule{
	{Name: "answers", Filter: "dns.flags.response == 1", Foreground: "good"},
	{Name: "names", Filter: "dns", Foreground: "warn"},
}

func over(t *testing.T, s *viewtest.Screen, list []rules.Rule) *screen {
	t.Helper()
	x := &screen{Screen: s}
	x.rules = New(x, s.Scope().Session.Registry(), filter.Options{},
		func(profile string, _, now []rules.Rule) (string, error) {
			if profile != x.profile {
				return "", errors.New("the profile is " + profile)
			}
			x.kept = now
			return "config.toml", nil
		})
	x.rules.Use(list)
	return x
}

func open(t *testing.T, w int, list []rules.Rule) *screen {
	t.Helper()
	x := over(t, viewtest.OpenSample(t, protocols.All(), w, 32), list)
	x.rules.Command("")
	x.Settle()
	return x
}

func (x *screen) names() string {
	var out []string
	for _, r := range x.rules.List() {
		out = append(out, map[bool]string{true: "-"}[r.Off]+r.Title())
	}
	return strings.Join(out, " ")
}

// TestRulesAreCounted: each rule has the packets for which it is the first, and those that it matches beside them.
func TestRulesAreCounted(t *testing.T) {
	x := open(t, 120, ofDNS)
	x.Has("coloring rules", "packets that each takes", "answers", "dns.flags.response == 1", "1 of 2")
	x.Keys("<space>").Has("off")
	if x.names() != "-answers names" {
		t.Error(x.names())
	}
	x.Has("changed, w keeps them")
	open(t, 80, ofDNS).Has("answers", "1 of 2")
	open(t, 60, nil).Has("no rules; C makes one")
}

// TestRulesAreChanged: made, named, moved, deleted, brought back, and kept once that is asked for.
func TestRulesAreChanged(t *testing.T) {
	x := open(t, 120, ofDNS)
	x.Keys("C")
	if x.Asked == nil || !x.Asked.Filter || x.Asked.Wrong != "no such rule yet" {
		t.Fatalf("asked is %+v", x.Asked)
	}
	x.Type("udp.srcport == 6000")
	if x.Asked == nil || x.Asked.Choice == nil {
		t.Fatal("no colour is asked for")
	}
	x.Type("#0ff000")
	x.Keys("r").Type("game")
	x.Keys("b").Type("#123")
	x.Keys("f").Type("bold")
	want := rules.Rule{Name: "game", Filter: "udp.srcport == 6000", Foreground: "#0ff000", Background: "#123", Bold: true}
	if got := x.rules.List()[0]; got != want {
		t.Errorf("the rule is %+v", got)
	}
	x.Has("game", "bold #0ff000 on #123", "40")
	x.Keys("+x")
	if x.names() != "answers names" || !strings.Contains(x.Notice, "game is deleted; u brings it back") {
		t.Errorf("%s: %s", x.names(), x.Notice)
	}
	if x.Keys("uu"); x.names() != "game answers names" || len(x.kept) != 0 {
		t.Errorf("%s, kept %v", x.names(), x.kept)
	}
	x.Keys("<enter>").Type("tcp.port")
	if x.Keys("w"); !slices.Equal(x.kept, x.rules.List()) || x.kept[1].Filter != "tcp.port" ||
		x.Notice != "kept in config.toml" {
		t.Errorf("kept %+v: %s", x.kept, x.Notice)
	}
	if x.Keys("x"); x.redrawn == 0 {
		t.Error("the rows are as they were")
	}
	if x.Keys("q"); x.View != nil || len(x.kept) != 2 || x.rules.box != nil {
		t.Errorf("kept %+v on the way out", x.kept)
	}
}

// TestAColourIsTried: the rows have it while it is chosen, and that of before again once it is not.
func TestAColourIsTried(t *testing.T) {
	x := open(t, 120, ofDNS)
	x.Keys("f")
	c := x.Asked.Choice
	if c.Start != "good" || c.Check("no colour") == nil || c.Check("#fff") != nil {
		t.Errorf("the choice begins with %q", c.Start)
	}
	was := x.rules.ready[0].Pen
	c.Try("bad", true)
	if is := x.rules.ready[0].Pen; is == was || is != c.Pen("bad") || is != x.Style().Pens.Bad {
		t.Errorf("tried is %+v", is)
	}
	if c.Try("", false); x.rules.ready[0].Pen != was {
		t.Error("what is no colour is tried")
	}
	c.Try("bad", true)
	if c.Cancel(); x.rules.ready[0].Pen != was || x.rules.changed() {
		t.Error("the colour that was left stays")
	}
	if x.Type("none"); x.rules.changed() || !strings.Contains(x.Notice, "a rule needs a colour") {
		t.Errorf("a rule has no look: %s", x.Notice)
	}
}

// TestWhoseRulesTheyAre: those of a profile stand in front, and the step over the border changes whose a rule is.
func TestWhoseRulesTheyAre(t *testing.T) {
	x := over(t, viewtest.OpenSample(t, protocols.All(), 120, 32), ofDNS)
	x.profile = "games"
	x.rules.Begin("dns.id == 7")
	x.Settle()
	if x.Asked == nil || x.Asked.Text != "dns.id == 7" {
		t.Fatalf("asked is %+v", x.Asked)
	}
	x.Type("dns.id == 7").Type("accent")
	if got := x.rules.List()[0]; got != (rules.Rule{Filter: "dns.id == 7", Foreground: "accent", Profile: "games"}) {
		t.Errorf("the rule is %+v", got)
	}
	if x.Keys("+"); x.rules.List()[0].Profile != "" || !strings.Contains(x.Notice, "for all profiles now") {
		t.Error(x.Notice)
	}
	if x.Keys("-"); x.rules.List()[0].Profile != "games" || !strings.Contains(x.Notice, "in the profile games now") {
		t.Error(x.Notice)
	}
	f, err := x.Scope().Compile("ip.src == ${ip.dst}")
	if err != nil {
		t.Fatal(err)
	}
	if e := fault(f, f.String()); e == nil || !strings.Contains(e.Msg, "asks the selected packet") {
		t.Errorf("a rule may ask the selected packet: %v", e)
	}
}

// TestRulesAreImported: those that mean nothing here are left out, and named.
func TestRulesAreImported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "colorfilters")
	text := "@Games@touhou || " +
		"kaillera@[0,0,0][65535,0,0]\n@Odd@no.such.field@[0,0,0][1,1,1]\n!@DNS@dns@[0,0,0][65535,65535,0]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x := open(t, 120, ofDNS)
	x.rules.Command("import " + path)
	x.Settle()
	if x.names() != "Games -DNS answers names" ||
		x.Notice != "2 rules imported; left out, for remora does not know what they ask: Odd" {
		t.Errorf("%s: %s", x.names(), x.Notice)
	}
	x.rules.Command("import " + path + "-")
	if x.Settle(); !strings.HasPrefix(x.Notice, "no rules in ") {
		t.Error(x.Notice)
	}
	x.rules.Command("off")
	x.Has("all rules are off; H switches them on")
	if x.rules.Of(x.Scope().Session.Dissector(), 1) != nil {
		t.Error("a rule that is off counts")
	}
}

// TestARuleGivenUp says once that a rule colours nothing any more, and counts the others on.
func TestARuleGivenUp(t *testing.T) {
	var list [][]byte
	for range 200 {
		list = append(list, viewtest.UDP(1, 2, 40000, 40001, "zz"+strings.Repeat("a", 200)+"!"))
	}
	slow := []rules.Rule{
		{Name: "slow", Filter: `frame matches "(?=z)z(?:z|a|aa)+$"`, Foreground: "warn"},
		{Name: "quick", Filter: "udp", Foreground: "good"},
	}
	x := over(t, viewtest.Open(t, protocols.All(), dissecttest.Packets(list...), 120, 32), slow)
	x.rules.Open()
	x.Settle().Has("given up", "200", "this rule colours nothing any more", "without (?=…)")
	if x.rules.SayGivenUp(); !strings.Contains(x.Notice, "coloring rule slow") {
		t.Errorf("the notice is %q", x.Notice)
	}
	x.Notice = ""
	if x.rules.SayGivenUp(); x.Notice != "" {
		t.Errorf("it is told again: %q", x.Notice)
	}
	x.Act(act.Down, 1)
	x.HasNot("this rule colours nothing any more")
}

// TestTheMouse switches a rule by its sign, and leaves beside the box.
func TestTheMouse(t *testing.T) {
	x := open(t, 120, ofDNS)
	x.Text()
	box := x.rules.box.box
	x.View.Click(box.X+1, box.Y+2)
	if x.names() != "answers -names" {
		t.Error(x.names())
	}
	x.View.Click(box.X+20, box.Y) // the border
	if x.names() != "answers -names" || x.View == nil {
		t.Error("a click on the border does something")
	}
	if x.View.Click(0, 0); x.View != nil {
		t.Error("a click beside the box leaves it open")
	}
}
