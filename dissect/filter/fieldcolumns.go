package filter

import "remora/dissect"

// mostColumns is how many fields a filter may ask for whose values are kept in columns.
const mostColumns = 2

// fieldColumns are those with the values of all fields that a filter asks for, or none.
type fieldColumns struct {
	of    []*dissect.FieldColumn
	fills []*dissect.FieldColumn // those of them to which this scan appends
	have  dissect.FrameNum       // all have values of packets up to this one
}

// fieldColumns are those for a scan from a frame on, where the filter asks for nothing but the numbers of a field or
// two.
func (f *Filter) fieldColumns(s *dissect.Session, from dissect.FrameNum) (c fieldColumns) {
	if len(f.fields) == 0 || len(f.fields) > mostColumns || f.whole || hasShared(f.root) || !asksValues(f.root) {
		return c
	}
	c.of = s.FieldColumns(f.fields)
	for i, col := range c.of {
		if n := dissect.FrameNum(col.Len()); i == 0 || n < c.have {
			c.have = n
		}
	}
	if from > c.have+1 {
		return c
	}
	for _, col := range c.of {
		if int(c.have) < s.Passed() && col.Begin(int(c.have)) {
			c.fills = append(c.fills, col)
		}
	}
	return c
}

func (c *fieldColumns) end() {
	for _, col := range c.fills {
		col.End()
	}
}

// empty makes room for the cells of a job.
func (c *fieldColumns) empty(d *decided) {
	for len(d.cells) < len(c.fills) {
		d.cells = append(d.cells, nil)
	}
	for i := range d.cells {
		d.cells[i] = d.cells[i][:0]
	}
}

// note keeps what was read of a packet.
func (c *fieldColumns) note(n dissect.FrameNum, t *dissect.Tree, d *decided) {
	if n <= c.have {
		return
	}
	for i, col := range c.fills {
		d.cells[i] = append(d.cells[i], col.Cell(t))
	}
}

// skip keeps what is known of a packet that was not read.
func (c *fieldColumns) skip(s *dissect.Session, n dissect.FrameNum, d *decided) {
	if n <= c.have {
		return
	}
	for i, col := range c.fills {
		d.cells[i] = append(d.cells[i], col.Unread(s, n))
	}
}

func (c *fieldColumns) append(s *dissect.Session, d *decided) {
	for i, col := range c.fills {
		col.Append(s, d.cells[i])
	}
}

// matchBy is Match for a frame of which the layer stack leaves the answer open: what columns have is not read.
func (f *Filter) matchBy(l *dissect.Dissector, n dissect.FrameNum, c *fieldColumns, d *decided) bool {
	if len(c.of) == 0 {
		return f.Match(l, n)
	}
	p, _ := f.plan(l.Session(), l.Session().LayerStackID(n))
	if n <= c.have {
		if t := l.Recalled(n, c.of); t != nil {
			return p.rest.match(nil, t)
		}
	}
	t := l.Values(n, f.wants)
	c.note(n, t, d)
	return p.rest.match(nil, t)
}
