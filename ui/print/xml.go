package print

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
)

// xmlHead begins the output of -T pdml and psml.
func (p *Printer) xmlHead(w io.Writer) {
	fmt.Fprint(w, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
	if p.opt.Format == "psml" {
		fmt.Fprintf(w, "<psml version=\"0\" creator=\"%s\">\n<structure>\n", appendXML(nil, p.opt.Creator))
		for _, title := range p.titles() {
			fmt.Fprintf(w, "<section>%s</section>\n", appendXML(nil, title))
		}
		fmt.Fprint(w, "</structure>\n\n")
		return
	}
	fmt.Fprintf(w, "<pdml version=\"0\" creator=\"%s\" time=\"%s\" capture_file=\"%s\">\n", appendXML(nil, p.opt.Creator),
		time.Now().In(p.zone()).Format(time.ANSIC), appendXML(nil, p.opt.File))
}

// xmlEnd ends it.
func (p *Printer) xmlEnd() string { return "</" + p.opt.Format + ">\n" }

// usualCells are the columns of summary lines where nobody chose others.
var usualCells = []string{"No.", "%m", "Time", "%t", "Source", "%s", "Destination", "%d", "Protocol", "%p", "Length",
	"%L", "Info", "%i"}

func (p *Printer) titles() (titles []string) {
	for _, c := range p.opt.Cells {
		titles = append(titles, c.title)
	}
	return titles
}

// psml prints the columns of a summary line.
func (p *Printer) psml(t *dissect.Tree) {
	p.buf = append(p.buf, "<packet>\n"...)
	for i := range p.opt.Cells {
		p.label = p.appendCell(p.label[:0], t, &p.opt.Cells[i])
		p.buf = append(appendXML(append(p.buf, "<section>"...), p.label), "</section>\n"...)
	}
	p.buf = append(p.buf, "</packet>\n\n"...)
}

// pdml prints the packet's tree as elements, in Wireshark's form of NetPDL's language.
func (p *Printer) pdml(t *dissect.Tree) {
	p.buf = append(p.buf, "<packet>\n"...)
	p.geninfo(t)
	if len(p.cols) > 0 {
		p.pdmlFields(t)
	} else {
		x := xmlTree{p: p, t: t}
		x.list(0, len(t.Nodes), 1)
	}
	p.buf = append(p.buf, "</packet>\n\n\n"...)
}

// geninfo prints what is known of the packet before it is dissected.
func (p *Printer) geninfo(t *dissect.Tree) {
	size := int(p.s.Store().Meta(int(t.Frame) - 1).CapLen)
	length, at := t.Len(), t.Time()
	p.buf = fmt.Appendf(p.buf, `  <proto name="geninfo" pos="0" showname="General information" size="%d">
    <field name="num" pos="0" show="%d" showname="Number" value="%x" size="%d"/>
    <field name="len" pos="0" show="%d" showname="Frame Length" value="%x" size="%d"/>
    <field name="caplen" pos="0" show="%d" showname="Captured Length" value="%x" size="%d"/>
    <field name="timestamp" pos="0" show="%s" showname="Captured Time" value="%d.%09d" size="%d"/>
  </proto>
`, length, p.s.Number(t.Frame), p.s.Number(t.Frame), length, length, length, length, size, size, length,
		dissect.AppendTime(nil, at, p.zone()), at/1e9, at%1e9, length)
}

// pdmlFields prints the fields of -e.
func (p *Printer) pdmlFields(t *dissect.Tree) {
	p.collect(t)
	for i := range p.cols {
		c := &p.cols[i]
		for j := range c.ends {
			p.buf = append(append(append(p.buf, `  <field name="`...), c.name...), `" value="`...)
			p.buf = append(appendXML(p.buf, c.value(j)), "\"/>\n"...)
		}
	}
}

type xmlTree struct {
	p *Printer
	t *dissect.Tree
}

func (x *xmlTree) indent(depth int) {
	for range depth {
		x.p.buf = append(x.p.buf, "  "...)
	}
}

// list prints the nodes [from, to), which stand beside each other.
func (x *xmlTree) list(from, to, depth int) {
	for i := from; i < to; i = x.t.End(i) {
		if !x.p.leavesOut(x.t.Field(i)) {
			x.node(i, x.t.End(i), depth)
		}
	}
}

// node prints a node, what lies below it and its other names. What is of no protocol is wrapped, so that all of a
// packet's elements are protocols.
func (x *xmlTree) node(i, end, depth int) {
	f := x.t.Field(i)
	isData := f.Type() == dissect.TypeProtocol && f.Name() == "data"
	wrapped := depth == 1 && (f.Type() != dissect.TypeProtocol || isData)
	if wrapped {
		x.indent(depth)
		x.p.buf = append(x.p.buf, "<proto name=\"fake-field-wrapper\">\n"...)
		depth++
	}
	tag := "field"
	if f.Type() == dissect.TypeProtocol && !isData {
		tag = "proto"
	}
	x.indent(depth)
	x.p.buf = append(append(append(x.p.buf, '<'), tag...), ` name="`...)
	below := end > i+1
	ether := f.Type() == dissect.TypeEther && len(f.Aliases()) > 0
	switch {
	case isData:
		x.p.buf = append(appendHexBytes(append(x.p.buf, `data" value="`...), x.t.Carried(i)), '"')
		below = true
	case f.IsText():
		x.p.buf = append(appendXML(append(x.p.buf, `" show="`...), x.label(i)), '"')
		x.place(i)
	default:
		x.p.buf = append(append(x.p.buf, f.Name()...), '"')
		x.p.buf = append(appendXML(append(x.p.buf, ` showname="`...), x.label(i)), '"')
		if x.t.IsHidden(i) {
			x.p.buf = append(x.p.buf, ` hide="yes"`...)
		}
		x.place(i)
		x.values(i)
	}
	if below || ether && end > i+1 {
		x.p.buf = append(x.p.buf, ">\n"...)
		x.below(i, end, depth)
		x.indent(depth)
		x.p.buf = append(append(append(x.p.buf, "</"...), tag...), ">\n"...)
	} else {
		x.p.buf = append(x.p.buf, "/>\n"...)
	}
	if !ether || end == i+1 {
		x.aliases(i, depth)
	}
	if wrapped {
		x.indent(depth - 1)
		x.p.buf = append(x.p.buf, "</proto>\n"...)
	}
}

// below prints what lies below a node, or that -j and -J leave it out.
func (x *xmlTree) below(i, end, depth int) {
	f := x.t.Field(i)
	if !x.p.shows(f) {
		x.indent(depth + 1)
		x.p.buf = append(append(append(x.p.buf, `<field name="filtered" value="`...), f.Name()...), "\" />\n"...)
		return
	}
	defer x.p.showAll(f)()
	x.list(i+1, end, depth+1)
	if f.Type() == dissect.TypeEther {
		x.aliases(i, depth+1)
	}
}

// aliases prints the other names of a node, as Wireshark has them: as hidden nodes.
func (x *xmlTree) aliases(i, depth int) {
	f := x.t.Field(i)
	if len(f.Aliases()) == 0 {
		return
	}
	label := string(x.label(i))
	for _, a := range f.Aliases() {
		x.indent(depth)
		x.p.buf = append(append(append(x.p.buf, `<field name="`...), a.Name()...), `" showname="`...)
		x.p.buf = appendXML(x.p.buf, strings.Replace(label, f.Label(), a.Label(), 1))
		x.p.buf = append(x.p.buf, '"')
		if a.Type() != dissect.TypeEther {
			x.p.buf = append(x.p.buf, ` hide="yes"`...)
		}
		x.place(i)
		x.values(i)
		x.p.buf = append(x.p.buf, "/>\n"...)
	}
}

// label is a node's line, without the brackets around what was worked out.
func (x *xmlTree) label(i int) []byte {
	x.p.label = x.t.AppendLabel(x.p.label[:0], i)
	if x.t.IsDerived(i) {
		return unbracketed(x.p.label)
	}
	return x.p.label
}

// place prints how many bytes a node covers, and where.
func (x *xmlTree) place(i int) {
	n := &x.t.Nodes[i]
	x.p.buf = strconv.AppendUint(append(x.p.buf, ` size="`...), uint64(n.Len), 10)
	x.p.buf = append(strconv.AppendUint(append(x.p.buf, `" pos="`...), uint64(n.Off), 10), '"')
}

// values prints a node's value, and the bytes that it was read from.
func (x *xmlTree) values(i int) {
	f, n := x.t.Field(i), &x.t.Nodes[i]
	switch f.Type() {
	case dissect.TypeProtocol:
		return
	case dissect.TypeNone:
		x.p.buf = append(x.p.buf, ` show="" value=""`...)
		return
	case dissect.TypeBytes:
		x.p.buf = append(appendColons(append(x.p.buf, ` show="`...), x.t.Bytes(i)), '"')
	case dissect.TypeString:
		x.p.buf = append(appendXML(append(x.p.buf, ` show="`...), x.t.TextBytes(i)), '"')
	default:
		x.p.buf = append(x.t.AppendShow(append(x.p.buf, ` show="`...), i), '"')
	}
	if n.Len == 0 {
		return
	}
	x.p.buf = append(appendRaw(append(x.p.buf, ` value="`...), x.t, i), '"')
	if rawMask(f) != 0 {
		x.p.buf = append(appendHexBytes(append(x.p.buf, ` unmaskedvalue="`...), x.t.Raw(i)), '"')
	}
}

func appendHexBytes(dst, b []byte) []byte {
	for _, c := range b {
		dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
	}
	return dst
}

// appendXML appends a text as the value of an attribute or the content of an element. Control characters, which XML has
// no word for, become escapes as in Go.
func appendXML[T string | []byte](dst []byte, text T) []byte {
	for _, r := range dissect.Escape(string(text)) {
		if at := slices.IndexFunc(xmlNames, func(n xmlName) bool { return n.r == r }); at >= 0 {
			dst = append(dst, xmlNames[at].name...)
		} else {
			dst = append(dst, string(r)...)
		}
	}
	return dst
}

type xmlName struct {
	r    rune
	name string
}

var xmlNames = []xmlName{{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#x27;"}}
