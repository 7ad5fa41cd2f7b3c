package list

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/internal/testall"
	"remora/protocols"
	"remora/ui/columns"
	"remora/ui/view/viewtest"
)

// TestColumnsOnEveryWidth draws the packets of the captures of all protocols on lists of all widths: Info has its
// share, and neither an address nor the name of a packet type is cut where it tells most.
func TestColumnsOnEveryWidth(t *testing.T) {
	files, err := filepath.Glob("../../../fixtures/captures/*/*.pcap*")
	if err != nil || len(files) < 80 {
		t.Fatalf("there are %d captures (%v)", len(files), err)
	}
	step := testall.Of(7, 1)
	for i := 0; i < len(files); i += testall.Of(3, 1) {
		if strings.HasSuffix(files[i], ".tree") {
			continue
		}
		x := of(t, viewtest.OpenFile(t, protocols.All(), files[i], 120, 24))
		for w := 60 + i%step; w <= 220; w += step {
			x.W = w
			for _, top := range []int{0, x.list.Rows() / 2} {
				x.pane.top = top
				x.checkWidths(filepath.Base(files[i]))
			}
		}
	}
}

// checkWidths checks the rows in view.
func (x *screen) checkWidths(file string) {
	lines := x.lines()
	placed, _ := x.pane.scrolled(x.W)
	for i, line := range lines[1:] {
		at := x.pane.top + i
		if at >= x.list.Rows() {
			break
		}
		r, from := x.pane.rowOf(x.list.Frame(at)), Margin
		for _, c := range placed {
			cell := strings.TrimSpace(ansi.Cut(line, from, from+c.W))
			x.checkCell(file, r, c, placed, cell, at)
			from += c.W + c.Gap
		}
	}
}

func (x *screen) checkCell(file string, r row, c columns.Placed, placed []columns.Placed, cell string, at int) {
	x.t.Helper()
	wrong := func(what, want string) {
		x.t.Errorf("%s, %d cells, row %d: %s is %q of %q\n%s", file, x.W, at, what, cell, want, x.lines()[at-x.pane.top+1])
	}
	switch c.Kind {
	case columns.Source, columns.Destination:
		forms := r.ends[c.Kind-columns.Source]
		begin, end, cut := strings.Cut(cell, "…")
		host := forms[columns.HostOnly]
		whole := cell == forms[0] || cell == host || c.Form == columns.PortOnly && cell == forms[columns.PortOnly]
		if !whole && (!cut || len(end) < 4 || !strings.HasPrefix(host, begin) || !strings.HasSuffix(host, end)) {
			wrong("an end", forms[0])
		}
	case columns.Type:
		if cell != r.kind && !wordsOf(cell, r.kind) {
			wrong("the type", r.kind)
		}
	case columns.Info:
		need := x.pane.needs().Cells[c.At]
		if c.W < min(need, (x.W*2+4)/5) && x.W >= 110 {
			wrong("Info", r.line)
		}
		name := r.line[r.kindAt:r.kindEnd]
		if r.wholeInfo(placed) == r.line && !strings.Contains(cell, name) && !wordsOf(cell, name) {
			wrong("the type in Info", r.line)
		}
	}
}

// wordsOf tells whether a cell has the first words of a name, and no part of a word.
func wordsOf(cell, name string) bool {
	begin, _, cut := strings.Cut(cell, "…")
	rest, is := strings.CutPrefix(name, begin)
	return cut && is && strings.ContainsAny(rest[:1], " ,_-")
}
