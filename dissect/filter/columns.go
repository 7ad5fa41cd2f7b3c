package filter

import (
	"strconv"

	"remora/dissect"
)

// columns are the texts of the summary line as fields, under Wireshark's names. They need the whole tree of a frame.
var columns = map[string]struct {
	doc    string
	append func(dst []byte, t *dissect.Tree) []byte
}{
	"_ws.col.number": {"The No. column.",
		func(dst []byte, t *dissect.Tree) []byte { return strconv.AppendUint(dst, uint64(t.Frame), 10) }},
	"_ws.col.def_src": {"The Source column: the sender's address.",
		func(dst []byte, t *dissect.Tree) []byte { return t.Src.Addr.AppendTo(dst) }},
	"_ws.col.def_dst": {"The Destination column: the receiver's address.",
		func(dst []byte, t *dissect.Tree) []byte { return t.Dst.Addr.AppendTo(dst) }},
	"_ws.col.protocol": {"The Protocol column.",
		func(dst []byte, t *dissect.Tree) []byte { return append(dst, t.ProtocolText()...) }},
	"_ws.col.packet_length": {"The Length column.",
		func(dst []byte, t *dissect.Tree) []byte { return strconv.AppendInt(dst, int64(t.Len()), 10) }},
	"_ws.col.info": {"The Info column.",
		func(dst []byte, t *dissect.Tree) []byte { return append(dst, t.InfoLine()...) }},
}

// isColumn tells whether a name is one of the summary line's texts.
func isColumn(name string) bool { return columns[name].append != nil }

// column is the text of one of them.
type column struct{ name string }

func (x column) push(e *eval, t *dissect.Tree) {
	start := len(e.arena)
	if e.arena = columns[x.name].append(e.arena, t); len(e.arena) > start {
		e.push(value{b: e.arena[start:len(e.arena):len(e.arena)], class: classString})
	}
}

func (column) possible(*dissect.Session, *dissect.LayerStack) bool { return true }
func (column) needs(func(*dissect.Field))                          {}

// column resolves the name of a column.
func (c *checker) column(e *Expr) (*operand, error) {
	if e.Layered {
		return nil, c.fail(e, "", "columns have no layers")
	}
	c.whole = true
	return &operand{source: column{e.Text}, class: classString, expr: e}, nil
}
