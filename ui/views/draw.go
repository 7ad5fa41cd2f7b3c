package views

import (
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view/statistics"
)

// A name is what stands in the header for a view, or for a part of the statistics.
type name struct {
	text string
	open act.Action
	on   bool
}

// names are the names in the header, in turn, short ones on a narrow screen. There the statistics have one name alone.
func (v *Views) names() []name {
	w, _ := v.c.Size()
	types, expert := "Packet types", "Expert info"
	if w < 100 {
		types, expert = "Types", "Expert"
	}
	if n := v.c.Scope().Session.ExpertInfos(); n > 0 {
		expert += " " + humanize.Group(n)
	}
	part := ""
	if s, ok := v.views[Statistics].(*statistics.View); ok && v.tab == Statistics {
		part = s.Part()
	}
	names := []name{{"Packets", act.TabPackets, v.tab == Packets}, {types, act.TabTypes, v.tab == Types}}
	parts := []name{{"Conversations", act.Conversations, false}, {"Response times", act.Responses, false}}
	other := v.tab == Statistics
	for i := range parts {
		parts[i].on = part == parts[i].text
		other = other && !parts[i].on
	}
	switch whole := (name{"Statistics", act.TabStatistics, v.tab == Statistics}); {
	case w < minParts:
		names = append(names, whole)
	case w >= minAllParts:
		names = append(append(names, name{"Statistics", act.TabStatistics, other}), parts...)
	case other:
		names = append(append(names, whole), parts[1])
	default:
		names = append(names, parts...)
	}
	names = append(names, name{expert, act.TabExpert, v.tab == Expert})
	for i := range names {
		names[i].on = names[i].on && v.over == nil
	}
	return names
}

// The widths of a screen from which on parts of the statistics have names of their own in the header, beside that of
// all of them, and from which on the time that the capture covers stands there, too.
const (
	minParts    = 80
	minAllParts = 140
	minElapsed  = 120
)

// Draw draws the names of the views; the one that is open has brackets; what lies over them has a title of its own.
func (v *Views) Draw() (text string, width int) {
	var l paint.Line
	for _, name := range v.names() {
		if name.on {
			l.Put(paint.Pen{}, "["+name.text+"]")
		} else {
			l.Put(v.c.Style().Pens.Dim, " "+name.text+" ")
		}
	}
	l.Put(paint.Pen{}, " ")
	if w, _ := v.c.Size(); w >= minElapsed {
		l.Put(v.c.Style().Pens.Dim, "   "+v.elapsed()+" ")
	}
	return l.Text(), l.Width
}

// elapsed is the time that the capture covers, in hours, minutes and seconds.
func (v *Views) elapsed() string {
	from, to := v.c.Scope().Span()
	t := int((to - from) / 1e9)
	return humanize.Two(t/3600) + ":" + humanize.Two(t/60%60) + ":" + humanize.Two(t%60)
}

// Click opens the view whose name is at a column of the header; it tells whether the views are there.
func (v *Views) Click(x int) bool {
	whole, _ := v.c.Size()
	_, w := v.Draw()
	at := whole - w
	if x < at {
		return false
	}
	for _, name := range v.names() {
		if x >= at && x < at+len(name.text)+2 {
			v.openNamed(name.open)
			break
		}
		at += len(name.text) + 2
	}
	return true
}

// openNamed opens the view that an action stands for.
func (v *Views) openNamed(a act.Action) {
	switch a {
	case act.TabStatistics:
		v.OpenPart("Protocol hierarchy", "")
	case act.Conversations:
		v.OpenPart("Conversations", "")
	case act.Responses:
		v.OpenPart("Response times", "")
	default:
		v.OpenTab(int(a - act.TabPackets))
	}
}

// OpenPart opens a part of the statistics by its title, of a layer by its name unless that is "".
func (v *Views) OpenPart(title, layer string) {
	v.OpenTab(Statistics)
	if problem := v.views[Statistics].(*statistics.View).Show(title, layer); problem != "" {
		v.c.Notify(problem)
	}
}
