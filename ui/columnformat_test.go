package ui

import (
	"strings"
	"testing"

	"remora/ui/columns"
)

// titlesOf are what stands over columns.
func titlesOf(list []columns.Column) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Head())
	}
	return strings.Join(out, " ")
}

// TestColumnFormat sets the columns as Wireshark's preference has them; u takes them back.
func TestColumnFormat(t *testing.T) {
	x := open(t, 120, 30, Config{})
	x.keys(`:set gui.column.format="No.","%m","To","%d","Id","%Cus:ip.id"<enter>`)
	if got := titlesOf(x.m.list.Listed()); got != "No. To Id Info" {
		t.Errorf("the columns are %s", got)
	}
	x.keys(`:set gui.column.format="No.","%y"<enter>`)
	x.has("the packet list has no column %y")
	x.keys(`:set gui.column.format="No.<enter>`)
	if got := titlesOf(x.m.list.Listed()); got != "No. To Id Info" {
		t.Errorf("what is no list of columns changes them to %s", got)
	}
	x.keys("u")
	if got := titlesOf(x.m.list.Listed()); got == "No. To Id Info" {
		t.Error("u does not take it back")
	}
}
