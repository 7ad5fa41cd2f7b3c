//go:build unix

package main

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A screen is what a terminal shows: it takes what a program writes and keeps the text, and which cells are reversed or
// bold. It knows the sequences that the renderer uses on xterm, and that every character of remora's screens is one
// cell wide.
type screen struct {
	w, h     int
	rows     [][]cell
	pen      pen
	x, y     int
	wrap     bool // the last column was written: the next character goes to the next line
	top, end int  // the region that scrolls, end exclusive
	last     rune // what a repetition repeats
	parser   *ansi.Parser
	rest     []byte // the beginning of a sequence or character that was cut
	answer   func(reply string)
	frame    func() // a picture is complete
}

func newScreen(w, h int, answer func(string), frame func()) *screen {
	s := &screen{parser: ansi.NewParser(), answer: answer, frame: frame}
	s.resize(w, h)
	return s
}

// A cell is a character and how it is drawn.
type cell struct {
	r   rune
	pen pen
}

// A pen is what of colours and weights shows where the focus is.
type pen struct {
	bold, faint, reverse bool
	ground               int32
}

// resize empties the screen: the program draws all of it anew.
func (s *screen) resize(w, h int) {
	s.w, s.h, s.top, s.end, s.x, s.y, s.wrap = w, h, 0, h, 0, 0, false
	s.rows = make([][]cell, h)
	for i := range s.rows {
		s.rows[i] = blank(w)
	}
}

func blank(n int) []cell {
	row := make([]cell, n)
	for i := range row {
		row[i].r = ' '
	}
	return row
}

// line is a line's text, and how it is drawn.
func (s *screen) line(i int) (string, []pen) {
	text, pens := make([]rune, s.w), make([]pen, s.w)
	for k, c := range s.rows[i] {
		text[k], pens[k] = c.r, c.pen
	}
	return string(text), pens
}

// write takes a piece of output, which may end anywhere.
func (s *screen) write(b []byte) {
	b = append(s.rest, b...)
	whole := len(b) - cutCharacter(b)
	var state byte
	at := 0
	for at < whole {
		seq, _, n, next := ansi.DecodeSequence(b[at:whole], state, s.parser)
		if at+n == whole && next != ansi.NormalState {
			break
		}
		s.take(seq)
		at, state = at+n, next
	}
	s.rest = append([]byte(nil), b[at:]...)
}

// cutCharacter is how many bytes at the end begin a character that is not all there.
func cutCharacter(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

func (s *screen) take(seq []byte) {
	switch {
	case ansi.HasCsiPrefix(seq):
		s.control(ansi.Cmd(s.parser.Command()), s.parser.Params())
	case ansi.HasOscPrefix(seq):
		if strings.HasPrefix(string(seq), "\x1b]11;?") {
			s.answer("\x1b]11;rgb:0000/0000/0000\x1b\\")
		}
	case string(seq) == "\x1bM":
		if s.y == s.top {
			s.scroll(s.top, -1)
		} else {
			s.y = max(0, s.y-1)
		}
		s.wrap = false
	case seq[0] == 0x1b:
	case len(seq) == 1 && seq[0] < 0x20:
		s.plainControl(seq[0])
	default:
		for _, r := range string(seq) {
			s.put(r)
			break // a cluster is one cell
		}
	}
}

func (s *screen) plainControl(c byte) {
	switch c {
	case '\r':
		s.x, s.wrap = 0, false
	case '\n':
		s.down()
	case '\b':
		s.x, s.wrap = max(0, s.x-1), false
	case '\t':
		s.x, s.wrap = min(s.w-1, (s.x/8+1)*8), false
	}
}

func (s *screen) down() {
	if s.y == s.end-1 {
		s.scroll(s.top, 1)
	} else {
		s.y = min(s.h-1, s.y+1)
	}
	s.wrap = false
}

func (s *screen) put(r rune) {
	if s.wrap {
		s.x = 0
		s.down()
	}
	s.rows[s.y][s.x], s.last = cell{r, s.pen}, r
	if s.x == s.w-1 {
		s.wrap = true
	} else {
		s.x++
	}
}

// scroll moves the lines from one to the end of the region up, or down for n below 0.
func (s *screen) scroll(from, n int) {
	rows := s.rows[from:s.end]
	for range min(n, len(rows)) {
		copy(rows, rows[1:])
		rows[len(rows)-1] = blank(s.w)
	}
	for range min(-n, len(rows)) {
		copy(rows[1:], rows)
		rows[0] = blank(s.w)
	}
}

func (s *screen) control(cmd ansi.Cmd, params ansi.Params) {
	n, _, _ := params.Param(0, 1)
	n = max(n, 1)
	if cmd.Prefix() != 0 {
		s.private(cmd, params)
		return
	}
	wrap := s.wrap
	s.wrap = false
	switch cmd.Final() {
	case 'A':
		s.y = max(0, s.y-n)
	case 'B', 'e':
		s.y = min(s.h-1, s.y+n)
	case 'C', 'a':
		s.x = min(s.w-1, s.x+n)
	case 'D':
		s.x = max(0, s.x-n)
	case 'G', '`':
		s.x = min(s.w, n) - 1
	case 'd':
		s.y = min(s.h, n) - 1
	case 'H', 'f':
		col, _, _ := params.Param(1, 1)
		s.y, s.x = min(s.h, n)-1, min(s.w, max(1, col))-1
	case 'I':
		s.x = min(s.w-1, (s.x/8+n)*8)
	case 'Z':
		s.x = max(0, ((s.x+7)/8-n)*8)
	case 'r':
		end, _, _ := params.Param(1, s.h)
		s.top, s.end, s.x, s.y = min(n, s.h)-1, min(max(end, 1), s.h), 0, 0
	default:
		s.edit(cmd.Final(), n, params)
		s.wrap = wrap && cmd.Final() == 'm'
	}
}

// edit erases, inserts and deletes.
func (s *screen) edit(final byte, n int, params ansi.Params) {
	row := s.rows[s.y]
	how, _, _ := params.Param(0, 0)
	switch final {
	case 'J':
		for i := range s.rows {
			if how == 2 || how == 0 && i > s.y || how == 1 && i < s.y {
				s.rows[i] = blank(s.w)
			}
		}
		if how != 2 {
			s.eraseLine(how)
		}
	case 'K':
		s.eraseLine(how)
	case 'X':
		copy(row[s.x:min(s.w, s.x+n)], blank(n))
	case '@':
		n = min(n, s.w-s.x)
		copy(row[s.x+n:], row[s.x:])
		copy(row[s.x:], blank(n))
	case 'P':
		n = min(n, s.w-s.x)
		copy(row[s.x:], row[s.x+n:])
		copy(row[s.w-n:], blank(n))
	case 'L':
		s.scroll(s.y, -n)
	case 'M':
		s.scroll(s.y, n)
	case 'S':
		s.scroll(s.top, n)
	case 'T':
		s.scroll(s.top, -n)
	case 'b':
		for range n {
			s.put(s.last)
		}
	case 'm':
		s.style(params)
	}
}

func (s *screen) eraseLine(how int) {
	from, to := s.x, s.w
	switch how {
	case 1:
		from, to = 0, s.x+1
	case 2:
		from = 0
	}
	copy(s.rows[s.y][from:to], blank(to-from))
}

// private says that pictures can be marked as a whole, and learns where they end.
func (s *screen) private(cmd ansi.Cmd, params ansi.Params) {
	mode, _, _ := params.Param(0, 0)
	switch {
	case cmd.Final() == 'p' && cmd.Intermediate() == '$' && mode == 2026:
		s.answer("\x1b[?2026;2$y")
	case cmd.Final() == 'p' && cmd.Intermediate() == '$':
		s.answer("\x1b[?" + itoa(mode) + ";0$y")
	case cmd.Final() == 'l' && mode == 2026:
		s.frame()
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// style takes colours and weights. Only the colour of the ground matters, and that by what it was set to.
func (s *screen) style(params ansi.Params) {
	for i := 0; i < max(1, len(params)); i++ {
		switch n, _, _ := params.Param(i, 0); {
		case n == 0:
			s.pen = pen{}
		case n == 1:
			s.pen.bold = true
		case n == 2:
			s.pen.faint = true
		case n == 7:
			s.pen.reverse = true
		case n == 22:
			s.pen.bold, s.pen.faint = false, false
		case n == 27:
			s.pen.reverse = false
		case n >= 40 && n <= 47 || n == 49 || n >= 100 && n <= 107:
			s.pen.ground = int32(n)
		case n == 38 || n == 48:
			kind, _, _ := params.Param(i+1, 0)
			used := map[int]int{2: 4, 5: 2}[kind]
			last, _, _ := params.Param(i+used, 0)
			if n == 48 {
				s.pen.ground = int32(1000 + last)
			}
			i += used
		}
	}
}
