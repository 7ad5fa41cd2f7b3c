package print

import (
	"bufio"
	"fmt"
	"slices"

	"remora/dissect"
)

// radiusTimes is radius,rtd: how long answers of each sort took, and what went without.
type radiusTimes struct {
	s                 *dissect.Session
	filter            string
	code, took, asked *dissect.Field
	wants             *dissect.Wants
	rows              map[string]*radiusRow
	overall           radiusRow
	answered          map[dissect.FrameNum]bool // requests
}

// A radiusRow is one sort of requests. A request without an answer is open; a second answer to one is discarded.
type radiusRow struct {
	delay
	asked, discarded int
}

// radiusSorts are the sorts of requests with the codes of their packets (RFC 2865, RFC 2866, RFC 5176).
var radiusSorts = []struct {
	name    string
	asks    uint64
	answers []uint64
}{
	{"Access", 1, []uint64{2, 3, 11}}, {"Accounting", 4, []uint64{5}}, {"Access Password", 7, []uint64{8, 9}},
	{"Ascend Access Event", 33, []uint64{34}}, {"Disconnect", 40, []uint64{41, 42}}, {"Change Filter", 43, []uint64{44, 45}},
}

func newRadius(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("radius.code", "radius.time", "radius.reqframe")
	if err != nil {
		return nil, nil, err
	}
	return &radiusTimes{s: r.s, filter: r.rest(0), code: f[0], took: f[1], asked: f[2], wants: r.s.Registry().Wants(f...), rows: map[string]*radiusRow{}, answered: map[dissect.FrameNum]bool{}},
		[]string{r.rest(0)}, nil
}

func (c *radiusTimes) row(name string) *radiusRow {
	if c.rows[name] == nil {
		c.rows[name] = &radiusRow{}
	}
	return c.rows[name]
}

func (c *radiusTimes) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !c.s.MayHave(c.s.ShapeOf(n), c.code) {
		return
	}
	t := l.Look(n, c.wants)
	code, took, asked := uint64(0), int64(0), dissect.FrameNum(0)
	for i := range t.Nodes {
		switch t.Field(i) {
		case c.code:
			code = t.Nodes[i].Val
		case c.took:
			took = int64(t.Nodes[i].Val)
		case c.asked:
			asked = dissect.FrameNum(t.Nodes[i].Val)
		}
	}
	for _, sort := range radiusSorts {
		if code == sort.asks {
			c.row(sort.name).asked++
			c.overall.asked++
		}
		if asked == 0 || !slices.Contains(sort.answers, code) {
			continue
		}
		for _, row := range []*radiusRow{c.row(sort.name), &c.overall} {
			if c.answered[asked] {
				row.discarded++
			} else {
				row.add(took, n)
			}
		}
		if len(c.answered) < maxRows {
			c.answered[asked] = true
		}
		return
	}
}

func (c *radiusTimes) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%sRADIUS Response Time Delay (RTD) Statistics:\nFilter for statistics: %s\n", bootRule, dissect.Escape(c.filter))
	w.WriteString("Type    | Messages   |    Min RTD    |    Max RTD    |    Avg RTD    | Min in Frame | Max in Frame | Open Requests | Discarded responses | Duplicate requests | Duplicate responses\n")
	c.line(w, "Overall", &c.overall)
	for _, sort := range radiusSorts {
		if row := c.rows[sort.name]; row != nil {
			c.line(w, sort.name, row)
		}
	}
	w.WriteString(bootRule)
}

func (c *radiusTimes) line(w *bufio.Writer, name string, row *radiusRow) {
	if row.n == 0 {
		return
	}
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	mean := float64(row.sum) / float64(row.n) / 1e6
	fmt.Fprintf(w, "%s | %7d    | %8.2f msec | %8.2f msec | %8.2f msec |  %10d  |  %10d  |  %10d  |  %10d  | %4d (%.2f%%) | %4d (%.2f%%)  |\n", name, row.n,
		ms(row.low), ms(row.high), mean, row.lowAt, row.highAt, max(0, row.asked-int(row.n)), row.discarded, 0, 0.0, 0, 0.0)
}
