package undo

import (
	"fmt"
	"testing"

	"remora/ui/columns"
	"remora/ui/order"
)

// A screen is a filter and a list without packets.
type screen struct {
	filter  string
	notice  string
	columns []columns.Column
	by      *order.By
}

func (x *screen) FilterText() string               { return x.filter }
func (x *screen) Filter(text string)               { x.filter = text }
func (x *screen) Notify(text string)               { x.notice = text }
func (x *screen) Listed() []columns.Column         { return x.columns }
func (x *screen) SetColumns(list []columns.Column) { x.columns = list }
func (x *screen) SortedBy() *order.By              { return x.by }
func (x *screen) SortAs(by order.By)               { x.by = &by }
func (x *screen) Unsort()                          { x.by = nil }

func (x *screen) text() string {
	title := ""
	if x.by != nil {
		title = x.by.Title() + map[bool]string{true: " down"}[x.by.Down]
	}
	return fmt.Sprint(x.filter, " ", len(x.columns), " ", title)
}

// TestBackThroughWhatWasShown: each change is one step back, also the last one, which nobody has noted yet.
func TestBackThroughWhatWasShown(t *testing.T) {
	x := &screen{columns: columns.Standard()}
	h := New(x, x)
	var seen []string
	for _, change := range []func(){
		func() {},
		func() { x.filter = "dns" },
		func() { x.columns = columns.Standard()[1:] },
		func() { x.by = &order.By{Kind: columns.Length} },
		func() { x.by = &order.By{Kind: columns.Length, Down: true} },
		func() { x.filter, x.by = "udp", nil },
	} {
		change()
		h.Note()
		h.Note()
		seen = append(seen, x.text())
	}
	for i := len(seen) - 2; i >= 0; i-- {
		if h.Back(); x.text() != seen[i] {
			t.Errorf("back leads to %s, want %s", x.text(), seen[i])
		}
	}
	if h.Back(); x.notice != "there is nothing to undo: this is how it began" {
		t.Error(x.notice)
	}
	x.filter = "tcp"
	if h.Back(); x.text() != seen[0] {
		t.Errorf("what was not noted yet is not taken back: %s", x.text())
	}
}

// TestHowFarBack is bounded.
func TestHowFarBack(t *testing.T) {
	x := &screen{columns: columns.Standard()}
	h := New(x, x)
	for i := range most + 10 {
		x.filter = fmt.Sprint("frame.number == ", i)
		h.Note()
	}
	for range most {
		h.Back()
	}
	if x.filter != "frame.number == 9" {
		t.Errorf("the first is %s", x.filter)
	}
}
