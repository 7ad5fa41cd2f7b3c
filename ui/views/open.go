package views

import (
	"context"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/compare"
	"remora/ui/humanize"
	"remora/ui/source"
	"remora/ui/view"
	compareview "remora/ui/view/compare"
	followview "remora/ui/view/follow"
	"remora/ui/view/games"
	"remora/ui/view/match"
	"remora/ui/view/plot"
)

// Plot opens the plot with further fields, which are drawn beside those that it has.
func (v *Views) Plot(fields ...*dissect.Field) {
	if v.plot == nil || v.plot.Empty() {
		v.plot = plot.New(v.c)
	}
	v.Open(v.plot)
	for _, f := range fields {
		v.plot.Add(f)
	}
}

// PlotSelected plots the selected field.
func (v *Views) PlotSelected() {
	i := v.packet.Node
	if v.packet.Tree == nil || i < 0 || !stats.Plottable(v.packet.Tree.Field(i)) {
		v.c.Notify("select a number in the tree to plot it")
		return
	}
	v.Plot(v.packet.Tree.Field(i))
}

// PlotNamed plots the fields that are named.
func (v *Views) PlotNamed(arg string) {
	for _, name := range strings.FieldsFunc(arg, func(r rune) bool { return r == ',' || r == ' ' }) {
		f := v.c.Scope().Session.Registry().Field(name)
		if f == nil || !stats.Plottable(f) {
			v.c.Notify("no field of numbers is called " + dissect.Escape(name))
			return
		}
		v.Plot(f)
	}
}

// OpenGames opens the games as they were left.
func (v *Views) OpenGames() {
	if v.games == nil {
		v.games = games.New(v.c)
	}
	v.Open(v.games)
}

// OpenMatch opens the page of a game while it runs, as it was left.
func (v *Views) OpenMatch() {
	if v.match == nil {
		v.match = match.New(v.c)
	}
	v.Open(v.match)
}

// Pages are the pages that can have the screen alone.
var Pages = []string{"games"}

// OpenPage opens a page that has the whole screen until it is closed.
func (v *Views) OpenPage(name string) {
	if name == "games" {
		v.OpenMatch()
		v.alone = true
	}
}

// Alone tells whether what is open has the whole screen.
func (v *Views) Alone() bool { return v.alone }

// FollowSelected opens what the selected packet is best read as.
func (v *Views) FollowSelected() {
	if t := followview.Here(v.c); t != nil {
		v.c.Follow(t, v.packet.Frame)
		return
	}
	v.c.Notify("this packet belongs to no conversation")
}

// Compare opens the comparison of two packets: those picked, the one picked and the selected one, the last mark on one
// of its type and the selected one, or the selected one and the last of its type.
func (v *Views) Compare() {
	if v.packet.Tree == nil {
		return
	}
	a, b := v.packet.Before, v.packet.Frame
	if a == 0 {
		a = compare.SameBefore(v.c.Scope().Session, v.packet.Frame)
	}
	why := [2]string{"is the one before of its type", "the selected packet"}
	picked := v.marks.Picked()
	switch letter, at := v.markToCompare(); {
	case len(picked) >= 2:
		a, b, why = picked[0], picked[1], [2]string{"picked", "picked"}
	case len(picked) == 1 && picked[0] != v.packet.Frame:
		a, why[0] = picked[0], "picked"
	case at != 0:
		a, why[0] = at, "is mark "+string(letter)
	}
	if a == 0 || b == 0 {
		v.c.Notify("pick two packets with Space, or select one whose type came before")
		return
	}
	if a > b {
		a, b, why[0], why[1] = b, a, why[1], why[0]
	}
	v.Open(compareview.New(v.c, a, b, why))
}

// markToCompare is the mark set last, where it is on another packet of the selected one's type.
func (v *Views) markToCompare() (rune, dissect.FrameNum) {
	s := v.c.Scope().Session
	letter, at := v.marks.Last()
	if at == 0 || at == v.packet.Frame || int(at) > s.Passed() {
		return 0, 0
	}
	x, y := s.LayerStackOf(at), s.LayerStackOf(v.packet.Frame)
	if s.StackTop(x) != s.StackTop(y) || s.KindText(x) != s.KindText(y) {
		return 0, 0
	}
	return letter, at
}

// Export writes what the view shows to a file: an array of objects when the file is called .json, else CSV. With
// replace nobody is asked where a file is there.
func (v *Views) Export(path string, replace bool) {
	shown, ok := v.View().(view.Exporter)
	if !ok || path == "" {
		return
	}
	s := shown.Sheet()
	view.Saving{Path: source.ExpandHome(path), Label: " save these numbers to: ", Replace: replace,
		Write: func(_ context.Context, path string, replace bool) (string, error) {
			n, err := s.Write(path, replace)
			return humanize.Group(n) + " lines", err
		}}.Save(v.c)
}
