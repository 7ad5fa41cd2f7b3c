package views

import (
	"remora/ui/humanize"
	"remora/ui/paint"
)

// names are the names of the tabs, short ones on a narrow screen.
func (v *Views) names() [Tabs]string {
	names := [Tabs]string{"Packets", "Packet types", "Statistics", "Expert info"}
	if w, _ := v.c.Size(); w < 100 {
		names = [Tabs]string{"Packets", "Types", "Statistics", "Expert"}
	}
	if n := v.c.Scope().Session.ExpertInfos(); n > 0 {
		names[Expert] += " " + humanize.Group(n)
	}
	return names
}

// Draw draws the names of the views; the one that is open has brackets; what lies over them has a title of its own.
func (v *Views) Draw() (text string, width int) {
	var l paint.Line
	for i, name := range v.names() {
		if i == v.tab && v.over == nil {
			l.Put(paint.Pen{}, "["+name+"]")
		} else {
			l.Put(v.c.Style().Pens.Dim, " "+name+" ")
		}
	}
	l.Put(paint.Pen{}, " ")
	if w, _ := v.c.Size(); w >= 100 {
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
	for i, name := range v.names() {
		if x >= at && x < at+len(name)+2 {
			v.OpenTab(i)
			break
		}
		at += len(name) + 2
	}
	return true
}
