package transcript

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"remora/dissect"
	"remora/dissect/follow"
)

// perLine is how many bytes stand on a line of hex or of a C array where there is room for them.
const perLine = 16

// HexPerLine is how many bytes a line of hex has in a width: 16, or 8 where those do not fit.
func HexPerLine(width int) int {
	if width < len("0000  ")+4*perLine+2 {
		return perLine / 2
	}
	return perLine
}

// arrayPerLine is how many elements of an array a line has.
func arrayPerLine(width int) int {
	for _, n := range [...]int{perLine, 12} {
		if width >= n*len("0x00, ")-1 {
			return n
		}
	}
	return perLine / 2
}

// perLine is how many bytes stand on a line as it is read now.
func (s *Script) perLine() int {
	if s.Reading == Array {
		return arrayPerLine(s.Width)
	}
	return HexPerLine(s.Width)
}

func (s *Script) layBytes(u *follow.Unit) {
	n := s.perLine()
	for at := 0; at < len(u.Data); at += n {
		s.Lines = append(s.Lines, Line{Unit: s.next, Last: s.next, At: at, N: min(n, len(u.Data)-at)})
	}
	s.layLoss(u)
}

func (s *Script) layText(u *follow.Unit) {
	width := max(20, s.Width)
	at := s.continueLine(u, width)
	for at < len(u.Data) {
		n := textLine(u.Data[at:], width)
		s.Lines = append(s.Lines, Line{Unit: s.next, Last: s.next, At: at, N: n})
		at += n
	}
	s.layLoss(u)
	if n := len(u.Data); n > 0 {
		s.ended = lineEnd{unit: u.Conv, dir: u.Dir, open: s.Joined && (letter(u.Data[n-1]) || u.Data[n-1] == '\r')}
	} else if u.Missing > 0 {
		s.ended = lineEnd{}
	}
}

// A lineEnd is how the text laid out so far ends: whose it is, and whether a line may go on with what follows.
type lineEnd struct {
	unit uint32 // the conversation
	dir  int
	open bool
}

// continueLine puts the beginning of a packet on the last line, where the packet before it ended within that line: a
// stream breaks its segments anywhere. It returns how many bytes that took.
func (s *Script) continueLine(u *follow.Unit, width int) int {
	if !s.ended.open || s.ended.unit != u.Conv || s.ended.dir != u.Dir || u.Missing > 0 || len(u.Data) == 0 ||
		!letter(u.Data[0]) && u.Data[0] != '\r' && u.Data[0] != '\n' {
		return 0
	}
	l := &s.Lines[len(s.Lines)-1]
	if l.N >= width {
		return 0
	}
	n := textLine(u.Data, width-l.N)
	l.N, l.Until = l.N+n, s.next
	return n
}

// letter tells whether a byte is printable ASCII or may be of a character of UTF-8.
func letter(c byte) bool { return c >= 0x20 && c != 0x7f || c == '\t' }

// text is the bytes of a line, and whether they are UTF-8: also those that later packets brought.
func (s *Script) text(src Source, l Line) (data []byte, wide bool) {
	u := src.Unit(l.Unit)
	from := min(len(u.Data), l.At)
	data, wide = u.Data[from:min(len(u.Data), l.At+l.N)], isText(u.Data)
	for i := l.Unit + 1; i <= l.Until && len(data) < l.N; i++ {
		if v := src.Unit(i); !s.skips(&v) && len(v.Data) > 0 {
			data = append(slices.Clip(data), v.Data[:min(len(v.Data), l.N-len(data))]...)
			wide = wide && isText(v.Data)
		}
	}
	return data, wide
}

// layLoss gives bytes that were never captured a line, where nothing else of the packet has one.
func (s *Script) layLoss(u *follow.Unit) {
	if u.Missing > 0 && len(u.Data) == 0 {
		s.Lines = append(s.Lines, Line{Unit: s.next, Last: s.next})
	}
}

// textLine is how many bytes go on one line: up to a line break or the width, there at a space if one is near, but no
// character is broken.
func textLine(b []byte, w int) int {
	if i := bytes.IndexByte(b[:min(len(b), w)], '\n'); i >= 0 {
		return i + 1
	}
	if len(b) <= w {
		return len(b)
	}
	if i := bytes.LastIndexByte(b[w-w/4:w], ' '); i >= 0 && w >= 20 {
		return w - w/4 + i + 1
	}
	n := w
	for back := 0; back < utf8.UTFMax && n > 1 && !utf8.RuneStart(b[n]); back++ {
		n--
	}
	if !utf8.RuneStart(b[n]) { // it is no UTF-8
		return w
	}
	return n
}

// Said is the message on a line.
func Said(u *follow.Unit, l Line) follow.Part {
	if l.Part < len(u.Parts) {
		return u.Parts[l.Part]
	}
	return follow.Part{Kind: u.Kind, Text: u.Info, Repeat: u.Repeat, Sent: u.Sent}
}

// Of is the text of a line, for drawing and for searching. dot stands for what is not printable.
func (s *Script) Of(src Source, l Line, dot string) string {
	if s.Reading == Text {
		data, wide := s.text(src, l)
		return printable(data, wide, dot)
	}
	u := src.Unit(l.Unit)
	data := u.Data[min(len(u.Data), l.At):min(len(u.Data), l.At+l.N)]
	switch s.Reading {
	case Bytes:
		return Hex(l.At, data, dot, HexPerLine(s.Width))
	case Array:
		return cBytes(data)
	}
	say := Said(&u, l)
	return dissect.Escape(say.Kind) + " " + say.Text
}

// printable shows bytes as text. Those of a packet that is not UTF-8 throughout are no text but for their ASCII:
// letters that they happen to make would only mislead.
func printable(b []byte, wide bool, dot string) string {
	var out strings.Builder
	for len(b) > 0 {
		r, n := rune(b[0]), 1
		if wide {
			r, n = utf8.DecodeRune(b)
		}
		switch {
		case r == '\r' || r == '\n':
		case r == '\t':
			out.WriteByte(' ')
		case r < 0x20 || r == 0x7f || r == utf8.RuneError || !wide && r > 0x7e:
			out.WriteString(dot)
		default:
			out.WriteRune(r)
		}
		b = b[n:]
	}
	return dissect.Escape(out.String())
}

// isText tells whether bytes are UTF-8, but for a character that is cut at either end.
func isText(b []byte) bool {
	for range utf8.UTFMax - 1 {
		if len(b) > 0 && !utf8.RuneStart(b[0]) {
			b = b[1:]
		}
	}
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if k := len(b) - back; utf8.RuneStart(b[k]) {
			if !utf8.FullRune(b[k:]) {
				b = b[:k]
			}
			break
		}
	}
	return utf8.Valid(b)
}

// Hex is up to n bytes as a line: their offset, each as two digits, their text.
func Hex(off int, b []byte, dot string, n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%04x ", off)
	for i := range n {
		if i == perLine/2 {
			s.WriteByte(' ')
		}
		if i < len(b) {
			fmt.Fprintf(&s, " %02x", b[i])
		} else {
			s.WriteString("   ")
		}
	}
	s.WriteString("  ")
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			s.WriteString(dot)
		} else {
			s.WriteByte(c)
		}
	}
	return s.String()
}

// cBytes are bytes as elements of an array in C.
func cBytes(b []byte) string {
	var s strings.Builder
	for i, c := range b {
		if i > 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "0x%02x,", c)
	}
	return s.String()
}
