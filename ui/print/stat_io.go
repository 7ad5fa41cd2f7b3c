package print

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
)

// maxIntervals bounds the lines of io,stat: the times of a damaged capture may be centuries apart.
const maxIntervals = 1 << 20

// intervals is io,stat: packets and bytes in each interval since the first packet. Packets stamped before the first
// one count for the first interval.
type intervals struct {
	s       *dissect.Session
	every   time.Duration // 0: the whole capture
	filters []string
	cells   [][]tally // by filter, then interval
	beyond  uint64    // packets behind the last interval that is counted
}

func (v *intervals) add(_ *dissect.Looker, n dissect.FrameNum, filter int) {
	for len(v.cells) <= max(filter, len(v.filters)-1) {
		v.cells = append(v.cells, nil)
	}
	m := v.s.Store().Meta(int(n) - 1)
	at := v.slot(m.Time)
	if at >= maxIntervals {
		v.beyond++
		return
	}
	for len(v.cells[filter]) <= at {
		v.cells[filter] = append(v.cells[filter], tally{})
	}
	v.cells[filter][at].count(m.Len)
}

func (v *intervals) slot(t int64) int {
	since := max(0, t-v.s.Store().Meta(0).Time)
	if v.every == 0 {
		return 0
	}
	return int(min(since/int64(v.every), maxIntervals))
}

// duration is the time from the first packet to the latest.
func (v *intervals) duration() int64 {
	d, store := int64(0), v.s.Store()
	for i := range store.Len() {
		d = max(d, store.Meta(i).Time-store.Meta(0).Time)
	}
	return d
}

func (v *intervals) print(w *bufio.Writer) {
	g := v.grid()
	names := v.filters
	if len(names) == 0 {
		names = []string{""}
	}
	frames, size := v.widths()
	numbers, head := fmt.Sprintf("|%*s|", 2*g.width+6, ""), fmt.Sprintf("| %-*s|", 2*g.width+5, "Interval")
	for i := range names {
		numbers += fmt.Sprintf("%-*d|", frames+size+5, i+1)
		head += fmt.Sprintf(" %*s | %*s |", frames, "Frames", size, "Bytes")
	}
	rule := strings.Repeat("=", len(head)) + "\n"
	dashes := "|" + strings.Repeat("-", len(head)-2) + "|\n"
	w.WriteString("\n" + rule + boxed("IO Statistics", len(head)) + boxed("", len(head)))
	w.WriteString(boxed("Duration: "+seconds(g.duration, g.durationDigits)+" secs", len(head)))
	w.WriteString(boxed(fmt.Sprintf("Interval: %*s secs", g.width, seconds(g.every, g.digits)), len(head)) + boxed("", len(head)))
	for i, name := range names {
		label := "Col 1: "
		if i > 0 {
			label = fmt.Sprintf("%5d: ", i+1)
		}
		if name == "" {
			name = "Frames and bytes"
		}
		w.WriteString(boxed(label+dissect.Escape(name), len(head)))
	}
	w.WriteString(dashes + numbers + "\n" + head + "\n" + dashes)
	for i := 0; i < g.rows; i++ {
		fmt.Fprintf(w, "| %*s <> %-*s|", g.width, seconds(int64(i)*g.every, g.digits), g.width+1, g.end(i))
		for f := range names {
			var c tally
			if f < len(v.cells) && i < len(v.cells[f]) {
				c = v.cells[f][i]
			}
			fmt.Fprintf(w, " %*d | %*d |", frames, c.frames, size, c.bytes)
		}
		w.WriteByte('\n')
	}
	w.WriteString(rule)
	if v.beyond > 0 {
		fmt.Fprintf(w, "%d packets lie behind the last of %d intervals: choose a longer interval\n", v.beyond, maxIntervals)
	}
}

// A grid is the column of times of io,stat. Times are in nanoseconds.
type grid struct {
	every, duration        int64
	rows                   int
	digits, durationDigits int // behind the second
	width                  int // of a time
}

// grid chooses as tshark does: as many digits as the interval has, six for the duration when it has none. An interval
// that is longer than the capture is the capture.
func (v *intervals) grid() grid {
	g := grid{every: int64(v.every), duration: v.duration()}
	if g.every == 0 || g.every > g.duration {
		g.every, g.digits = max(g.duration, 1), 3
		if g.duration >= 10e9 {
			g.digits = 1
		}
	} else {
		for unit := int64(1e9); g.digits < 6 && g.every%unit != 0; unit /= 10 {
			g.digits++
		}
	}
	g.durationDigits = g.digits
	if g.digits == 0 {
		g.durationDigits = 6
	}
	g.width = max(2, len(seconds(g.duration-g.duration%1e9, g.digits)), len(seconds(g.every, g.digits)))
	g.rows = int(min((g.duration+g.every-1)/g.every, maxIntervals))
	if v.every != 0 && g.duration%g.every == 0 && g.every < g.duration {
		g.rows++ // the packet at the very end
	}
	g.rows = max(1, g.rows)
	return g
}

// end is where an interval ends. The last one ends with the capture.
func (g *grid) end(i int) string {
	to := int64(i+1) * g.every
	switch {
	case to <= g.duration:
		return fmt.Sprintf("%*s", g.width, seconds(to, g.digits))
	case g.digits == 0:
		return "Dur"
	}
	return fmt.Sprintf("%*s", g.width, seconds(g.duration, g.digits))
}

// widths are those of the two columns of numbers.
func (v *intervals) widths() (frames, size int) {
	frames, size = len("Frames"), len("Bytes")
	for _, cells := range v.cells {
		for _, c := range cells {
			frames = max(frames, len(strconv.FormatUint(c.frames, 10)))
			size = max(size, len(strconv.FormatUint(c.bytes, 10)))
		}
	}
	return frames, size
}

// seconds writes nanoseconds as seconds, rounded.
func seconds(ns int64, digits int) string {
	return strconv.FormatFloat(float64(ns)/1e9, 'f', digits, 64)
}

func boxed(s string, width int) string { return fmt.Sprintf("| %-*s |\n", width-4, s) }
