// Package source knows what can be captured and opened, without a screen: interfaces and what passes on them, captures
// that a killed run left, files opened before, and the words that say how to capture.
package source

import (
	"os"
	"slices"
	"strings"
	"time"

	"remora/capture/live"
	"remora/ui/discovery"
	"remora/ui/humanize"
)

// mostRecent is how many files opened before are offered: as many as there are digits.
const mostRecent = 9

// Found is what can be opened.
type Found struct {
	Interfaces   []live.InterfaceInfo
	Recovered    []live.Recovered
	Recent       []Recent
	Err          error // why there are no interfaces
	NotPermitted error // why this program may not capture
}

// A Recent is a capture opened before.
type Recent struct {
	Path  string
	Size  int64
	When  time.Time
	Games int // game sessions that were found in it
}

// Discover asks the system. Recent are the paths opened before, oldest first; sessions the games in them.
func Discover(recent []string, sessions map[string]int) Found {
	var f Found
	f.Interfaces, f.Err = live.Interfaces()
	f.NotPermitted = live.CanCapture()
	for _, path := range slices.Backward(recent) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && len(f.Recent) < mostRecent {
			f.Recent = append(f.Recent, Recent{path, info.Size(), info.ModTime(), sessions[path]})
		}
	}
	return f
}

// An Item is a line that can be chosen: exactly one of these.
type Item struct {
	In        *live.InterfaceInfo
	Game      *discovery.Game
	Recovered *live.Recovered
	Recent    *Recent
	Nth       int // of its kind

	Special bool // In is no network interface, but another thing that packets come from: Bluetooth, netfilter
}

// Name tells items apart, whatever comes and goes around them.
func (i Item) Name() string {
	switch {
	case i.In != nil:
		return "interface " + i.In.Name
	case i.Game != nil:
		return "game " + i.Game.Iface + i.Game.Title + i.Game.Where.String()
	case i.Recovered != nil:
		return "orphan " + i.Recovered.Path
	case i.Recent != nil:
		return "file " + i.Recent.Path
	}
	return ""
}

// Items are all lines in order: interfaces, games heard, what was left, recent files, and what few people ask for.
func (f *Found) Items(games []discovery.Game) []Item {
	var out, special []Item
	for i := range f.Interfaces {
		in := &f.Interfaces[i]
		if in.Name != "any" && About(*in) != "" {
			special = append(special, Item{In: in, Nth: len(special), Special: true})
			continue
		}
		out = append(out, Item{In: in, Nth: i})
	}
	for i := range games {
		out = append(out, Item{Game: &games[i], Nth: i})
	}
	for i := range f.Recovered {
		out = append(out, Item{Recovered: &f.Recovered[i], Nth: i})
	}
	for i := range f.Recent {
		out = append(out, Item{Recent: &f.Recent[i], Nth: i})
	}
	return append(out, special...)
}

// Several are the interfaces chosen, in their order, or the one under the cursor.
func (f *Found) Several(chosen map[string]bool, under string) []string {
	var out []string
	for _, in := range f.Interfaces {
		if chosen[in.Name] {
			out = append(out, in.Name)
		}
	}
	if len(out) == 0 {
		out = []string{under}
	}
	return out
}

// State says how an interface is doing, how fast it is and of which kind.
func State(in live.InterfaceInfo) string {
	text := "down"
	switch {
	case in.Up && in.Running:
		text = "up"
	case in.Up:
		text = "no carrier"
	}
	if in.Up && in.Running && in.Speed > 0 {
		text += "  " + strings.Replace(humanize.Bits(float64(in.Speed)), ".0 ", " ", 1)
	}
	if in.Kind != "" {
		text += "  " + in.Kind
	}
	return text
}

// About says what a source is that has neither addresses nor counters.
func About(in live.InterfaceInfo) string {
	switch {
	case in.Name == "any":
		return "all of the above, cooked headers"
	case in.LinkType < 0 && in.MAC == nil:
		return in.Description
	}
	return ""
}

// When writes a time the way one speaks of it.
func When(t, now time.Time) string {
	day := func(t time.Time) string { return t.Format("2006-01-02") }
	switch {
	case t.IsZero():
		return ""
	case day(t) == day(now):
		return t.Format("today 15:04")
	case day(t) == day(now.AddDate(0, 0, -1)):
		return t.Format("yesterday 15:04")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006")
}

// Sessions says how many games a file holds.
func Sessions(n int) string {
	if n == 0 {
		return ""
	}
	return humanize.Of(n, "session")
}

// Running says of a recovered capture that it goes on, or nothing.
func Running(o live.Recovered) string {
	switch {
	case o.PID == 0 && o.ForADay:
		return "  not saved, kept for a day"
	case o.PID == 0:
		return ""
	case o.Screens > 0:
		return "  running, on another screen"
	}
	return "  running"
}
