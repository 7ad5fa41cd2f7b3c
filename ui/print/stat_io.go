package print

import (
	"bufio"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
)

// intervals is io,stat: columns of numbers for each interval since the first packet.
type intervals struct {
	s       *dissect.Session
	every   time.Duration // 0: the whole capture
	columns []*stats.Intervals
	titles  []string
}

func newIntervals(r *request) (counter, []string, error) {
	every, err := r.interval()
	if err != nil {
		return nil, nil, err
	}
	v := &intervals{s: r.s, every: every}
	titles := SplitFilters(strings.Join(r.args[1:], ","))
	if len(titles) == 0 {
		titles = []string{""}
	}
	var filters []string
	for _, title := range titles {
		what, f, text, err := r.measure(title)
		if err != nil {
			return nil, nil, err
		}
		v.titles, filters = append(v.titles, title), append(filters, text)
		v.columns = append(v.columns, stats.NewIntervals(r.s, every, what, f))
	}
	return v, filters, nil
}

func (r *request) interval() (time.Duration, error) {
	if len(r.args) == 0 {
		return 0, r.wrong("it takes an interval in seconds, as in io,stat,1; 0 is the whole capture")
	}
	v, err := strconv.ParseFloat(r.args[0], 64)
	if err != nil || v < 0 || v > 1e9 || v != v || v > 0 && v < 1e-6 {
		return 0, r.wrong("the interval is a number of seconds, from 0.000001 on; 0 is the whole capture")
	}
	return time.Duration(v * float64(time.Second)), nil
}

// SplitFilters divides display filters at commas, but for those within brackets and quotes.
func SplitFilters(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	from, depth, quote := 0, 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth <= 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// measures are the functions that stand in front of a filter, as their columns are headed.
var measures = map[string]stats.Measure{"FRAMES": stats.PacketsOnly, "BYTES": stats.BytesOnly, "COUNT": stats.CountOf,
	"SUM": stats.SumOf,
	"MIN": stats.MinOf, "MAX": stats.MaxOf, "AVG": stats.AverageOf, "LOAD": stats.LoadOf}

var measureForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^\s*(?:(FRAMES|BYTES)\s*$|(FRAMES|BYTES|COUNT|SUM|MIN|MAX|AVG|LOAD)\s*\(\s*([^)]*?)\s*\)(.*)$)`)
})

// measure takes SUM(FIELD)FILTER apart. A text without a function is a filter of packets and bytes.
func (r *request) measure(text string) (what stats.Measure, f *dissect.Field, rest string, err error) {
	m := measureForm().FindStringSubmatch(text)
	if m == nil {
		return stats.PacketsAndBytes, nil, text, nil
	}
	name := m[1] + m[2]
	what, rest = measures[name], strings.TrimSpace(m[4])
	if what < stats.CountOf {
		if m[3] != "" {
			return 0, nil, "", r.wrong("%s takes no field: it is %s()FILTER", name, name)
		}
		return what, nil, rest, nil
	}
	if f = r.s.Registry().Field(m[3]); f == nil {
		near := ""
		if n := filter.Suggest(r.s.Registry(), m[3]); n != "" {
			near = "; did you mean " + n + "?"
		}
		return 0, nil, "", r.wrong("there is no field called %q%s", m[3], near)
	}
	switch {
	case what == stats.LoadOf && f.Type() != dissect.TypeSpan:
		return 0, nil, "", r.wrong("LOAD is of a time that something took, which %s is not", f.Name())
	case what > stats.CountOf && !stats.Numeric(f):
		return 0, nil, "", r.wrong("%s has no numbers, so %s of it cannot be worked out; COUNT can", f.Name(), name)
	}
	return what, f, rest, nil
}

func (v *intervals) add(l *dissect.Dissector, n dissect.FrameNum, filter int) {
	v.columns[filter].Frame(l, n)
}

// duration is the time from the first packet to the latest.
func (v *intervals) duration() int64 {
	d, store := int64(0), v.s.Store()
	for i := range store.Len() {
		d = max(d, store.Time(i)-store.Time(0))
	}
	return d
}

// A statColumn is one filter's numbers as text, row by row: two of packets and bytes, else one.
type statColumn struct {
	heads []string
	cells [][]string // by row
	width []int
}

func (v *intervals) column(i int, g *grid) statColumn {
	c := v.columns[i]
	out := statColumn{heads: []string{"Frames", "Bytes"}}
	if c.Measure() != stats.PacketsAndBytes {
		for name, m := range measures {
			if m == c.Measure() {
				out.heads = []string{name}
			}
		}
	}
	for _, h := range out.heads {
		out.width = append(out.width, len(h))
	}
	if c.Measure() > stats.CountOf {
		out.width[0] = valueWidth(c, g, len(out.heads[0]))
	}
	for row := range max(1, g.rows) { // the first has its width even where it is not listed
		cells := []string{v.number(c, row, g)}
		if c.Measure() == stats.PacketsAndBytes {
			at := c.At(row)
			cells = []string{strconv.FormatUint(at.Packets, 10), strconv.FormatUint(at.Bytes, 10)}
		}
		for k, text := range cells {
			if c.Measure() <= stats.CountOf {
				out.width[k] = max(out.width[k], len(text))
			}
		}
		out.cells = append(out.cells, cells)
	}
	return out
}

// valueWidth is the width of a column of a field's values: that of the greatest number there was on the way, which the
// last one of an interval need not be. Times and fractions have six decimals.
func valueWidth(c *stats.Intervals, g *grid, head int) int {
	x := c.Highest()
	switch t := c.Field().Type(); {
	case c.Measure() == stats.LoadOf:
		x /= float64(max(1, g.every))
	case t == dissect.TypeSpan:
		x = x/1e9 + 0.5
	case t != dissect.TypeFloat:
		return max(head, digits(x))
	case c.Measure() != stats.AverageOf:
		x += 0.5
	}
	return digits(x) + len(".000000")
}

// digits is how many digits stand in front of the point, up to fifteen.
func digits(x float64) int { return min(15, len(strconv.FormatFloat(math.Trunc(x), 'f', 0, 64))) }

// number writes an interval's number as tshark does: times and loads with six decimals, whole numbers as such.
func (v *intervals) number(c *stats.Intervals, row int, g *grid) string {
	length := g.every
	if row == g.rows-1 { // the last one ends with the capture
		length = g.duration - int64(row)*g.every
	}
	x := c.Value(row, time.Duration(length))
	switch {
	case c.Measure() == stats.LoadOf:
		return strconv.FormatFloat(x, 'f', 6, 64)
	case c.Field() == nil || c.Measure() == stats.CountOf:
	case c.Field().Type() == dissect.TypeSpan:
		us := (int64(x) + 500) / 1000
		return fmt.Sprintf("%d.%06d", us/1e6, us%1e6)
	case c.Field().Type() == dissect.TypeFloat:
		return strconv.FormatFloat(x, 'f', 6, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// total is the width of a column with its border on the right.
func (c *statColumn) total() int {
	n := 0
	for _, w := range c.width {
		n += w + 3
	}
	return n
}

// head is the names in the middle of what they stand above; numbers stand on the right.
func (c *statColumn) head() string {
	out := ""
	for k, name := range c.heads {
		free := c.width[k] + 2 - len(name)
		out += fmt.Sprintf("%*s%s%*s|", (free+1)/2, "", name, free/2, "")
	}
	return out
}

func (c *statColumn) row(i int) string {
	out := ""
	for k, text := range c.cells[i] {
		out += fmt.Sprintf(" %*s |", c.width[k], text)
	}
	return out
}

// widestTitle is the width of the table at which filters are wrapped.
const widestTitle = 102

// box is the width of the whole table: that of its columns, or of what stands above them.
func (v *intervals) box(g *grid, columns int) int {
	box := 30 + g.width
	if !g.whole {
		box = 25 + max(g.width, magnitude(g.every))
	}
	if g.digits > 0 {
		box += g.digits + 1
	}
	box = max(box, g.column())
	for _, title := range v.titles {
		box = max(box, min(widestTitle, max(15, len(title))+11))
	}
	if box = max(box, columns); box == columns+1 {
		box++ // or there would be two borders side by side
	}
	return box
}

// wrapTitle breaks a filter at blanks into lines of no more than w characters.
func wrapTitle(s string, w int) []string {
	var out []string
	for len(s) > w {
		at := strings.LastIndexByte(s[:w+1], ' ')
		if at <= 0 {
			break
		}
		out, s = append(out, s[:at]), s[at+1:]
	}
	return append(out, s)
}

func (v *intervals) print(w *bufio.Writer) {
	g := v.grid()
	numbers, head := fmt.Sprintf("|%*s|", g.column()-2, ""), fmt.Sprintf("| %-*s|", g.column()-3, "Interval")
	var columns []statColumn
	for i := range v.titles {
		c := v.column(i, &g)
		columns = append(columns, c)
		numbers += fmt.Sprintf("%-*d|", c.total()-1, i+1)
		head += c.head()
	}
	inner := len(head)
	box := v.box(&g, inner)
	wide := func(line string) string { // a line of the table within a box that a title made wider
		if box > inner {
			line += strings.Repeat(" ", box-inner-1) + "|"
		}
		return line + "\n"
	}
	rule := strings.Repeat("=", box) + "\n"
	dashes := wide("|" + strings.Repeat("-", inner-2) + "|")
	w.WriteString("\n" + rule + boxed("IO Statistics", box) + boxed("", box))
	// tshark fills these lines up as if the seconds had as many digits as those of the rounded duration.
	spent := func(label, time string) string {
		return boxed(label+time+" secs", box-g.magnitude+strings.IndexByte(time+".", '.'))
	}
	duration := fmt.Sprintf("%d.%6d", g.exact/1e9, g.exact%1e9/1e3)
	if g.digits > 0 {
		duration = g.time(g.duration)
	}
	w.WriteString(spent("Duration: ", duration) + spent("Interval: ", g.time(g.every)) + boxed("", box))
	for i, name := range v.titles {
		label := "Col 1: "
		if i > 0 {
			label = fmt.Sprintf("%5d: ", i+1)
		}
		if name == "" {
			name = "Frames and bytes"
		}
		for _, part := range wrapTitle(dissect.Escape(name), box-11) {
			w.WriteString(boxed(label+part, box))
			label = strings.Repeat(" ", 7)
		}
	}
	w.WriteString("|" + strings.Repeat("-", box-2) + "|\n")
	w.WriteString(wide(numbers) + wide(head) + dashes)
	beyond := uint64(0)
	for i := range g.rows {
		line := g.times(i)
		for k := range columns {
			line += columns[k].row(i)
		}
		w.WriteString(wide(line))
	}
	w.WriteString(rule)
	for _, c := range v.columns {
		beyond = max(beyond, c.Beyond())
	}
	if beyond > 0 {
		fmt.Fprintf(w, "%d packets lie behind the last of %d intervals: choose a longer interval\n", beyond,
			stats.MaxIntervals)
	}
}

// A grid is the column of times of io,stat. Times are in nanoseconds.
type grid struct {
	every, duration  int64
	exact            int64 // the duration before it was rounded to the digits of the interval
	whole            bool  // one interval: the capture
	rows             int
	digits           int // behind the second
	width, magnitude int // digits in front of it: of the exact duration, and of the rounded one
}

// grid chooses as tshark does: as many digits as the interval has, six for the duration when it has none. An interval
// that is longer than the capture is the capture. A capture that takes no time has no intervals.
func (v *intervals) grid() grid {
	g := grid{every: int64(v.every), exact: (v.duration() + 500) / 1000 * 1000}
	g.width = magnitude(g.exact)
	if g.whole = g.every == 0 || g.every >= g.exact; !g.whole {
		for unit := int64(1e9); g.digits < 6 && g.every%unit != 0; unit /= 10 {
			g.digits++
		}
	} else if g.digits = 3; g.width >= 2 {
		g.digits = 1
	}
	unit := int64(1e9)
	for range g.digits {
		unit /= 10
	}
	if g.duration = g.exact; g.duration%unit > unit/2 {
		g.duration = (g.duration + unit/2) / unit * unit
	}
	g.magnitude = magnitude(g.duration)
	if g.whole {
		g.every = g.duration
	}
	if g.every > 0 {
		g.rows = int(min((g.duration+g.every-1)/g.every, stats.MaxIntervals))
	}
	return g
}

// magnitude is how many digits the seconds of a time have, up to five.
func magnitude(ns int64) int { return min(5, len(strconv.FormatInt(ns/1e9, 10))) }

// column is the width of the times with their borders.
func (g *grid) column() int {
	w := 2*g.magnitude + 8
	if g.digits > 0 {
		w += 2*g.digits + 2
	}
	return max(12, w)
}

// time writes a time as wide as the duration is before it is rounded, which tshark takes for all lines.
func (g *grid) time(ns int64) string {
	w := g.width
	if g.digits > 0 {
		return fmt.Sprintf("%*d.%0*d", w, ns/1e9, g.digits, ns%1e9/int64(math.Pow10(9-g.digits)))
	}
	return fmt.Sprintf("%*d", w, ns/1e9)
}

// times is the first cell of a row. The last one ends with the capture.
func (g *grid) times(i int) string {
	from, to := int64(i)*g.every, int64(i+1)*g.every
	front, end := "| ", " |"
	if g.digits == 0 && g.magnitude == 1 {
		front, end = "|  ", "  |"
	}
	if i == g.rows-1 {
		if to = g.duration; g.digits == 0 {
			w := 3
			if g.magnitude >= 3 {
				w = g.magnitude + 1
			}
			return front + g.time(from) + fmt.Sprintf(" <> %-*s|", w, "Dur")
		}
	}
	return front + g.time(from) + " <> " + g.time(to) + end
}

// seconds writes nanoseconds as seconds, rounded.
func seconds(ns int64, digits int) string {
	return strconv.FormatFloat(float64(ns)/1e9, 'f', digits, 64)
}

func boxed(s string, width int) string { return fmt.Sprintf("| %-*s|\n", width-3, s) }
