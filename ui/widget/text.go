package widget

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect/stats"
	"remora/ui/humanize"
	"remora/ui/paint"
)

// Milliseconds writes a span of nanoseconds in milliseconds, with as many decimals as its size leaves room for.
func Milliseconds(ns int64) string {
	ms := float64(ns) / 1e6
	switch {
	case ms >= 99999.5 || ms <= -9999.5:
		return strconv.FormatFloat(ms/1000, 'f', 0, 64) + " s"
	case ms >= 999.5:
		return strconv.FormatFloat(ms, 'f', 0, 64)
	case ms >= 99.5:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 2, 64)
}

// Span writes a span of nanoseconds with its unit.
func Span(ns int64) string {
	if ns < 1e9 {
		return Milliseconds(ns) + " ms"
	}
	return strconv.FormatFloat(float64(ns)/1e9, 'f', 1, 64) + " s"
}

// SecondsAsMs writes seconds in milliseconds; none are a dash.
func SecondsAsMs(s float64) string {
	switch {
	case s <= 0:
		return "–"
	case s >= 10:
		return humanize.Group(int(s * 1000))
	}
	return strconv.FormatFloat(s*1000, 'f', 2, 64)
}

// PerSecond is a count over a span of nanoseconds as a rate, as humanize.Aligned writes it.
func PerSecond(n uint64, span int64) string {
	return humanize.Aligned(float64(n) * 1e9 / float64(max(1, span)))
}

// SizeRange is the length of all packets of a group, or the shortest and the longest.
func SizeRange(g *stats.Group) string {
	switch k := len(g.Sizes); {
	case k == 0:
		return ""
	case k == 1 && g.OtherSizes == 0:
		return strconv.Itoa(int(g.Sizes[0].Length))
	case g.OtherSizes > 0:
		return "≈ " + strconv.Itoa(int(g.Bytes/max(1, g.Packets)))
	default:
		return strconv.Itoa(int(g.Sizes[0].Length)) + "–" + strconv.Itoa(int(g.Sizes[k-1].Length))
	}
}

// FitEnd fits an end into a column: whole, else by its short name; of an address both ends are kept.
func FitEnd(text, short string, w int) string {
	switch {
	case paint.Width(text) <= w:
		return paint.Fit(text, w)
	case short != "":
		return paint.Fit(short, w)
	}
	return paint.FitEnds(text, w)
}

// HexPair is a byte as two digits.
func HexPair(c byte) string { const d = "0123456789abcdef"; return string([]byte{d[c>>4], d[c&15]}) }

// longNumber is a number of thousands: alone, or in front of a unit. Four digits among others may be a year.
var (
	longNumber = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[ (])(\d{5,}([ .,)]|$)|\d{4}(\.\d+)? (bytes|packets|bits|values)|\d{4}$)`)
	})
	thousands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d{4,}`) })
)

// GroupNumbers puts a space between the thousands of numbers that stand alone.
func GroupNumbers(s string) string {
	return longNumber().ReplaceAllStringFunc(s, func(found string) string {
		digits := thousands().FindString(found)
		n, err := strconv.Atoi(digits)
		if err != nil {
			return found
		}
		return strings.Replace(found, digits, humanize.Group(n), 1)
	})
}

// BreakText breaks a text into lines of at most n cells: between words where it can, a long word anywhere.
func BreakText(s string, n int) []string {
	var out []string
	for _, l := range paint.Wrap(s, n) {
		for paint.Width(l) > n {
			head := ansi.Truncate(l, n, "")
			if head == "" { // not even one letter has room
				break
			}
			out, l = append(out, head), l[len(head):]
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		out = []string{""}
	}
	return out
}

// Share shortens the widest of some widths until all take no more than a room, none below least.
func Share(widths []int, room, least int) {
	for _, w := range widths {
		room -= w
	}
	for ; room < 0; room++ {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if len(widths) == 0 || widths[widest] <= least {
			return
		}
		widths[widest]--
	}
}
