package paint

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Pad pads a text that may hold sequences.
func Pad(s string, n int) string {
	if w := Width(s); w < n {
		return s + strings.Repeat(" ", n-w)
	}
	return s
}

// Wrap breaks a text into lines of at most n cells.
func Wrap(s string, n int) []string {
	var out []string
	at := ""
	for _, word := range strings.Fields(s) {
		if at != "" && Width(at)+1+Width(word) > n {
			out = append(out, at)
			at = ""
		}
		if at != "" {
			at += " "
		}
		at += word
	}
	return append(out, at)
}

// Width is how many cells a text takes.
func Width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// Fit cuts or pads a text to n cells; a cut ends in an ellipsis.
func Fit(s string, n int) string {
	if n <= 0 {
		return ""
	}
	w := Width(s)
	if w > n {
		s = ansi.Truncate(s, n, "…")
		w = Width(s)
	}
	if w < n {
		s += strings.Repeat(" ", n-w)
	}
	return s
}

// FitRight is fit with the padding in front.
func FitRight(s string, n int) string {
	if w := Width(s); w < n {
		return strings.Repeat(" ", n-w) + s
	}
	return Fit(s, n)
}

// FitTail keeps the end of a text, as of a path.
func FitTail(s string, n int) string {
	if w := Width(s); w > n && n > 1 {
		return ansi.TruncateLeft(s, w-n+1, "…")
	}
	return Fit(s, n)
}

// FitEnds keeps both ends of an address: a third of the room is for its begin, and the rest for its end, where
// addresses differ most.
func FitEnds(s string, n int) string {
	w := Width(s)
	if w <= n || n < 6 {
		return Fit(s, n)
	}
	head := (n - 1) / 3
	begin, end := ansi.Truncate(s, head, ""), ansi.TruncateLeft(s, w-(n-1-head), "")
	return Fit(strings.TrimRight(begin, ".:")+"…"+strings.TrimLeft(end, ".:"), n)
}

// FitMiddle keeps both ends of a text: the types of a protocol often begin alike, as requests and their replies do.
func FitMiddle(s string, n int) string {
	w := Width(s)
	if w <= n || n < 8 {
		return Fit(s, n)
	}
	tail := (n - 1) / 2
	return Fit(ansi.Truncate(s, n-1-tail, "")+"…"+ansi.TruncateLeft(s, w-tail, ""), n)
}

// FitWords cuts a name, as of a packet type, behind one of its words, if there is one in the second half of the room.
// What it has in brackets goes first, as in "Echo (ping) request".
func FitWords(s string, n int) string {
	if from, to := strings.Index(s, " ("), strings.Index(s, ") "); from > 0 && to > from && Width(s) > n {
		s = s[:from] + s[to+1:]
	}
	if Width(s) <= n || n < 2 {
		return Fit(s, n)
	}
	begin := ansi.Truncate(s, n-1, "")
	at, rest := strings.LastIndexAny(begin, " ,_-"), strings.TrimPrefix(s, begin)
	if at >= len(begin)/2 && !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, ",") {
		begin = begin[:at]
	}
	return Fit(strings.TrimRight(begin, " ,")+"…", n)
}

// Clip cuts a drawn line to n cells, minding its sequences.
func Clip(s string, n int) string {
	if ansi.StringWidth(s) > n {
		return ansi.Truncate(s, n, "") + "\x1b[m"
	}
	return s
}

// Cut keeps the first n cells of a drawn line.
func Cut(s string, n int) string { return ansi.Truncate(s, n, "") + "\x1b[m" }

// Over lays a box of lines on the screen, from column x and row y on.
func Over(lines, box []string, x, y int) {
	for i, b := range box {
		if y+i >= len(lines) {
			return
		}
		old := lines[y+i]
		lines[y+i] = KeepColumns(ansi.Truncate(old, x, "")) + "\x1b[m" + b + ansi.TruncateLeft(old, x+ansi.StringWidth(b), "")
	}
}
