// Package views has the views that are open: those of the header's tabs, and the one that lies over them.
package views

import (
	"remora/ui/act"
	"remora/ui/marks"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/view/expert"
	"remora/ui/view/games"
	"remora/ui/view/match"
	"remora/ui/view/plot"
	"remora/ui/view/statistics"
	"remora/ui/view/types"
)

// Views are the tabs, and what lies over them.
type Views struct {
	c      view.Context
	packet *selected.Packet
	marks  *marks.Marks
	// working tells whether something goes on beside the views that Esc ends.
	working func() bool

	tab   int
	views [Tabs]view.View
	find  string      // what is searched in the lines of views
	over  view.View   // lies over the tabs: following, comparing
	games *games.View // as it was left
	match *match.View // as it was left
	alone bool        // what lies over the tabs has the whole screen
	plot  *plot.View  // with the curves last plotted
}

// New is the packets alone.
func New(c view.Context, packet *selected.Packet, m *marks.Marks, working func() bool) *Views {
	return &Views{c: c, packet: packet, marks: m, working: working}
}

// lineFilters are the actions on the line of a view for those that filter by a field of the selected packet.
var lineFilters = map[act.Action]act.Action{act.UseField: act.Only, act.UseThis: act.Only, act.UseAndNot: act.Hide}

// Update gives a key to the view that is open, and tells whether it stands for anything there. What would move or
// change packets that are not seen stands for nothing, and is taken all the same.
func (v *Views) Update(a act.Action, n int) bool {
	if v.View() == nil {
		return false
	}
	if v.View().Update(a, n) {
		return true
	}
	if byLine, ok := lineFilters[a]; ok && v.View().Update(byLine, n) { // the line's, not that of a packet nobody sees
		return true
	}
	switch a {
	case act.Find, act.FindNext, act.FindPrev:
		return v.findLine(a)
	case act.Escape:
		if v.working() {
			return false
		}
		v.Close()
		return true
	case act.Quit:
		v.Close()
		return true
	case act.Down, act.Up, act.Left, act.Right, act.First, act.Last, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp,
		act.Open, act.NextPane, act.PrevPane, act.Comment, act.Ignore, act.Select, act.Only, act.Hide, act.Zoom, act.Facets,
		act.Partner, act.SameNext, act.SamePrev, act.ConversationNext, act.ConversationPrev:
		return true
	}
	return false
}

// Over is what lies over the tabs, or nil.
func (v *Views) Over() view.View { return v.over }

// Title says which view is open.
func (v *Views) Title() string {
	if v.over != nil {
		return "this view"
	}
	return [Tabs]string{"packets", "packet types", "statistics", "expert info"}[v.tab]
}

// The tabs of the header.
const (
	Packets = iota
	Types
	Statistics
	Expert
	Tabs // how many there are
)

// OpenTab goes to one of the views of the header.
func (v *Views) OpenTab(tab int) {
	v.tab = tab
	v.c.Notify("")
	v.leave(nil)
	if v.views[tab] == nil {
		switch tab {
		case Types:
			v.views[tab] = types.New(v.c)
		case Statistics:
			v.views[tab] = statistics.New(v.c)
		case Expert:
			v.views[tab] = expert.New(v.c)
		}
	}
	tellOpened(v.views[tab])
}

// Tab is the tab of the header that is open.
func (v *Views) Tab() int { return v.tab }

// Stays is what lies over the tabs where it needs no packets any more, or nil.
func (v *Views) Stays() view.View {
	if _, stays := v.over.(interface{ Stays() }); stays {
		return v.over
	}
	return nil
}

// Renews makes what lies over the tabs anew for another session of the packets, or is nil where it cannot.
func (v *Views) Renews() func() view.View {
	if r, ok := v.over.(interface{ Renew() view.View }); ok {
		return r.Renew
	}
	return nil
}

// tellOpened tells a view that wants to know it that it is opened, again or for the first time.
func tellOpened(v view.View) {
	if o, ok := v.(interface{ Open() }); ok {
		o.Open()
	}
}

// View is what stands in the place of the packets, or nil.
func (v *Views) View() view.View {
	if v.over != nil {
		return v.over
	}
	return v.views[v.tab]
}

// Open lays a view over the others, until it is closed.
func (v *Views) Open(over view.View) {
	v.leave(over)
	v.c.Notify("")
	tellOpened(over)
}

// leave puts another view, or none, in the place of what lies over the tabs, whose work ends.
func (v *Views) leave(next view.View) {
	if v.over != nil && v.over != next {
		v.over.Close()
	}
	v.over, v.alone = next, false
}

// End ends the views of a capture that is closed.
func (v *Views) End() {
	v.leave(nil)
	for _, tab := range v.views {
		if tab != nil {
			tab.Close()
		}
	}
	if v.plot != nil {
		v.plot.End()
	}
	v.views, v.tab, v.games, v.match, v.plot = [Tabs]view.View{}, Packets, nil, nil, nil
}

// Close goes back: from what lies over the tabs to them, from another tab to the packets.
func (v *Views) Close() {
	if v.over != nil {
		v.leave(nil)
		return
	}
	v.tab = Packets
}
