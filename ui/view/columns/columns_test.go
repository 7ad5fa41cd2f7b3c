package columns

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"remora/protocols"
	"remora/ui/columns"
	"remora/ui/order"
	"remora/ui/view/viewtest"
)

// A screen shows the box over nothing.
type screen struct{ *viewtest.Screen }

func (x screen) Panes() []string { return x.List().Draw(x.W, x.H) }

// A list has columns, and remembers what else was done to them.
type list struct {
	columns []columns.Column
	by      *order.By
	done    string
}

func (l *list) do(format string, args ...any) { l.done += fmt.Sprintf(format, args...) + " " }

func (l *list) Listed() []columns.Column     { return l.columns }
func (l *list) SortedBy() *order.By          { return l.by }
func (l *list) Unsort()                      { l.by = nil }
func (l *list) SortColumn(c columns.Column)  { l.by = &order.By{Kind: c.Kind, Field: c.Field} }
func (l *list) Remove(at int)                { l.columns = slices.Delete(slices.Clone(l.columns), at, at+1) }
func (l *list) Widen(at, w int)              { l.columns[at].Set = w }
func (l *list) Nudge(at, by int)             { l.do("nudge %d %d", at, by) }
func (l *list) Retitle(at int, title string) { l.columns[at].Own = title }
func (l *list) ColumnCommand(name string)    { l.do("column %s", name) }
func (l *list) Usual()                       { l.columns = columns.Standard() }
func (l *list) Move(from, to int)            { l.columns[from], l.columns[to] = l.columns[to], l.columns[from] }
func (l *list) Toggle(at int) {
	all := columns.All(l.columns)
	all[at].Off = !all[at].Off
	l.columns = all[:max(len(l.columns), at+1)]
}

func (l *list) heads() string {
	var out []string
	for _, c := range l.columns {
		out = append(out, map[bool]string{true: "-"}[c.Off]+c.Head())
	}
	return strings.Join(out, ",")
}

func open(t *testing.T, w int) (screen, *list) {
	t.Helper()
	x, l := screen{viewtest.OpenSample(t, protocols.All(), w, 32)}, &list{columns: columns.Standard()[:6]}
	l.columns = append(l.columns, columns.Of(x.Scope().Session.Registry().Field("udp.srcport")))
	Command(x, l, "")
	x.Settle()
	return x, l
}

// TestColumnsAreChosen: shown, moved, widened, named, removed, and as they were at first.
func TestColumnsAreChosen(t *testing.T) {
	x, l := open(t, 120)
	x.Has("columns", "Enter sorts, Space shows", "Destination", "udp.srcport", "auto", "Unsorted", " ✓ No.", "   Info")
	x.Keys("jjj<space>j+")
	if got := l.heads(); got != "No.,Time,Δ ms,-Source,Protocol,Destination,Source Port" {
		t.Errorf("the columns are %s", got)
	}
	x.Keys("-3><")
	if got := l.heads(); got != "No.,Time,Δ ms,-Source,Destination,Protocol,Source Port" ||
		l.done != "nudge 4 3 nudge 4 -1 " {
		t.Errorf("the columns are %s, done is %s", got, l.done)
	}
	l.columns[4].Set = 9
	if x.Keys("="); l.columns[4].Set != 0 {
		t.Error("the width stays")
	}
	x.Keys("jjr").Type("Port").Has(" Port ", "udp.srcport")
	x.Keys("xC").Type("dns.id")
	if got := l.heads(); strings.Contains(got, "Port") || !strings.HasSuffix(l.done, "column dns.id ") {
		t.Errorf("the columns are %s, done is %s", got, l.done)
	}
	x.Keys("kx")
	if got := l.heads(); !strings.HasSuffix(got, "-Protocol") {
		t.Errorf("the columns are %s", got)
	}
	x.Keys("<enter>").Has("▴ up", "the list is sorted by Protocol")
	if x.Keys("u"); len(l.columns) != len(columns.Standard()) || l.by != nil {
		t.Error("u does not go back to what was at first")
	}
	if x.Keys("s"); x.View != nil {
		t.Error("s leaves the box open")
	}
	Command(x, l, "no")
	if x.Notice != "columns takes nothing, or default" {
		t.Error(x.Notice)
	}
}

// TestAHiddenColumnIsOnlyShown: what is none of the list's columns has no place, no width and no title to change.
func TestAHiddenColumnIsOnlyShown(t *testing.T) {
	x, l := open(t, 60)
	was := l.heads()
	x.Keys("G+-><=xr")
	if l.heads() != was || l.done != "" || x.Asked != nil {
		t.Errorf("the columns are %s, done is %s", l.heads(), l.done)
	}
	if x.Keys("<space>"); l.heads() == was {
		t.Error("it is not shown")
	}
}

// TestTheMouse shows and hides a column by its sign, and closes the box beside it.
func TestTheMouse(t *testing.T) {
	x, l := open(t, 120)
	box := x.View.(*View).box
	x.View.Click(box.X+30, box.Y+2)
	x.View.Click(box.X+1, box.Y+2)
	if got := l.heads(); !strings.HasPrefix(got, "No.,-Time") {
		t.Errorf("the columns are %s", got)
	}
	if x.View.Click(0, 0); x.View != nil {
		t.Error("a click beside the box leaves it open")
	}
}
