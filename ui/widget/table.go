package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/ui/act"
)

// A Table is a list of lines with a cursor. Only the lines that are seen are ever drawn.
type Table struct {
	Cur, Top int

	rows int // of the last picture, and how one is drawn
	row  func(i int, selected bool) string
}

// Find puts the cursor on the next row that holds a text, or the one before, from beside the cursor on and around the
// ends; it tells whether there is one. The case of letters does not count.
func (t *Table) Find(text string, step int) bool {
	text = strings.ToLower(text)
	for i := 1; i <= t.rows; i++ {
		at := ((t.Cur+i*step)%t.rows + t.rows) % t.rows
		if strings.Contains(strings.ToLower(ansi.Strip(t.row(at, false))), text) {
			t.Cur = at
			return true
		}
	}
	return false
}

// Update moves the cursor among rows by what a key stands for, and tells whether it stands for a move; n is the count
// before the key, or 0, and page the lines that are seen.
func (t *Table) Update(a act.Action, n, rows, page int) bool {
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		t.Cur += Step(a, max(1, n), max(1, page))
	case act.First:
		t.Cur = max(0, n-1)
	case act.Last:
		t.Cur = rows - 1
		if n > 0 {
			t.Cur = n - 1
		}
	default:
		return false
	}
	t.Cur = Clamp(t.Cur, 0, max(0, rows-1))
	return true
}

// Step is how many lines a key that moves goes on.
func Step(a act.Action, n, page int) int {
	switch a {
	case act.Down:
		return n
	case act.Up:
		return -n
	case act.PageDown:
		return page * n
	case act.PageUp:
		return -page * n
	case act.HalfDown:
		return max(1, page/2) * n
	}
	return -max(1, page/2) * n
}

// Wheel moves the cursor as the wheel was turned.
func (t *Table) Wheel(n int) { t.Cur = max(0, t.Cur+n) }

// Click puts the cursor on a line, counted from the first one drawn, if there are so many rows.
func (t *Table) Click(line, rows int) {
	if i := t.Top + line; line >= 0 && i < rows {
		t.Cur = i
	}
}

// Draw draws h lines of w cells, each of the rows that fit by a function.
func (t *Table) Draw(w, h, rows int, row func(i int, selected bool) string) []string {
	t.rows, t.row = rows, row
	t.Cur = Clamp(t.Cur, 0, max(0, rows-1))
	if t.Cur < t.Top {
		t.Top = t.Cur
	}
	if t.Cur >= t.Top+h {
		t.Top = t.Cur - h + 1
	}
	t.Top = Clamp(t.Top, 0, max(0, rows-1))
	out := make([]string, 0, h)
	for i := t.Top; len(out) < h; i++ {
		if i >= rows {
			out = append(out, strings.Repeat(" ", w))
			continue
		}
		out = append(out, row(i, i == t.Cur))
	}
	return out
}
