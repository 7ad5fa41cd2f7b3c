package radius

import (
	"bufio"
	"fmt"
	"slices"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that RADIUS declares.
var statistics = []dissect.Statistic{{Name: "radius,rtd", Args: "[,FILTER]",
	Help: "how long RADIUS took, open and discarded packets", New: newDelays}}

// delays is radius,rtd: how long answers of each sort took, and what went without.
type delays struct {
	session  *dissect.Session
	filter   string
	wants    *dissect.Wants
	rows     map[string]*delayRow
	overall  delayRow
	answered map[dissect.FrameNum]bool // requests
}

// A delayRow is one sort of requests. A request without an answer is open; a second answer to one is discarded.
type delayRow struct {
	tap.Delay
	asked, discarded int
}

// requestSorts are the sorts of requests with the codes of their packets (RFC 2865, RFC 2866, RFC 5176).
var requestSorts = []struct {
	name    string
	asks    uint64
	answers []uint64
}{
	{"Access", 1, []uint64{2, 3, 11}}, {"Accounting", 4, []uint64{5}}, {"Access Password", 7, []uint64{8, 9}},
	{"Ascend Access Event", 33, []uint64{34}}, {"Disconnect", 40, []uint64{41, 42}},
	{"Change Filter", 43, []uint64{44, 45}},
}

func newDelays(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &delays{session: r.Session, filter: r.Filter(), wants: r.Session.Registry().Wants(fCode, fTime, fReqIn),
		rows: map[string]*delayRow{}, answered: map[dissect.FrameNum]bool{}}, nil
}

func (c *delays) row(name string) *delayRow {
	if c.rows[name] == nil {
		c.rows[name] = &delayRow{}
	}
	return c.rows[name]
}

// Add counts a request or an answer.
func (c *delays) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !c.session.MayHave(c.session.LayerStackOf(n), fCode) {
		return
	}
	t := l.Redissect(n, c.wants)
	code, took, asked := uint64(0), int64(0), dissect.FrameNum(0)
	for i := range t.Nodes {
		switch t.Field(i) {
		case fCode:
			code = t.Nodes[i].Val
		case fTime:
			took = int64(t.Nodes[i].Val)
		case fReqIn:
			asked = dissect.FrameNum(t.Nodes[i].Val)
		}
	}
	for _, sort := range requestSorts {
		if code == sort.asks {
			c.row(sort.name).asked++
			c.overall.asked++
		}
		if asked == 0 || !slices.Contains(sort.answers, code) {
			continue
		}
		for _, row := range []*delayRow{c.row(sort.name), &c.overall} {
			if c.answered[asked] {
				row.discarded++
			} else {
				row.Add(took, n)
			}
		}
		if len(c.answered) < tap.MaxRows {
			c.answered[asked] = true
		}
		return
	}
}

// Print writes the table.
func (c *delays) Print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%sRADIUS Response Time Delay (RTD) Statistics:\nFilter for statistics: %s\n", tap.ColumnRule,
		dissect.Escape(c.filter))
	w.WriteString("Type    | Messages   |    Min RTD    |    Max RTD    |    Avg RTD    | Min in Frame | Max in Frame | " +
		"Open Requests | Discarded responses | Duplicate requests | Duplicate responses\n")
	c.line(w, "Overall", &c.overall)
	for _, sort := range requestSorts {
		if row := c.rows[sort.name]; row != nil {
			c.line(w, sort.name, row)
		}
	}
	w.WriteString(tap.ColumnRule)
}

func (c *delays) line(w *bufio.Writer, name string, row *delayRow) {
	if row.N == 0 {
		return
	}
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	mean := float64(row.Sum) / float64(row.N) / 1e6
	fmt.Fprintf(w, "%s | %7d    | %8.2f msec | %8.2f msec | %8.2f msec |  %10d  |  %10d  |  %10d  |  %10d  | %4d "+
		"(%.2f%%) | %4d (%.2f%%)  |\n", name, row.N,
		ms(row.Low), ms(row.High), mean, row.LowAt, row.HighAt, max(0, row.asked-int(row.N)), row.discarded, 0, 0.0, 0, 0.0)
}
