package print

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
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
	all := x.p.siblings(x.t, from, to)
	for _, s := range all {
		switch {
		case s.alias >= 0:
			x.alias(s.node, x.t.Field(s.node).Aliases()[s.alias], depth)
		case isPlainExpert(x.t, s.node):
			x.expert(s.node, depth)
		default:
			x.node(s.node, x.t.End(s.node), depth)
		}
	}
	x.p.release(all)
}

// expert prints an expert info as Wireshark has it: a field within one that all of them have.
func (x *xmlTree) expert(i, depth int) {
	f, at := x.t.Field(i), uint32(0)
	if parent := x.t.Parent(i); parent >= 0 {
		at = x.t.Nodes[parent].Off
	}
	title := appendXML(nil, x.p.appendExpert(nil, x.t, i))
	text := appendXML(nil, unbracketed(x.t.Label(i)))
	x.line(depth, `<field name="_ws.expert" showname="%s" size="0" pos="%d">`, title, at)
	x.line(depth+1, `<field name="%s" showname="%s" size="0" pos="0" show="" value=""/>`, f.Name(), text)
	x.line(depth+1, `<field name="_ws.expert.message" showname="Message: %s" hide="yes" size="0" pos="0" show="%s"/>`,
		text, text)
	x.line(depth+1, `<field name="_ws.expert.severity" showname="Severity level: %s" size="0" pos="0" show="%d"/>`,
		f.Severity(), f.Severity().Number())
	x.line(depth+1, `<field name="_ws.expert.group" showname="Group: %s" size="0" pos="0" show="%d"/>`, f.Group(),
		f.Group().Number())
	x.line(depth, "</field>")
}

// line prints a line of its own.
func (x *xmlTree) line(depth int, format string, args ...any) {
	x.indent(depth)
	x.p.buf = append(fmt.Appendf(x.p.buf, format, args...), '\n')
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
	switch {
	case isData:
		x.p.buf = append(hex.AppendEncode(append(x.p.buf, `data" value="`...), x.t.Carried(i)), '"')
		below = true
	case x.p.isText(f):
		x.p.buf = append(appendXML(append(x.p.buf, `" show="`...), unbracketed(x.label(i))), '"')
		x.place(i)
		if x.t.Nodes[i].Len > 0 {
			x.p.buf = append(hex.AppendEncode(append(x.p.buf, ` value="`...), x.t.Raw(i)), '"')
		}
	default:
		x.p.buf = append(append(x.p.buf, f.Name()...), '"')
		x.p.buf = append(appendXML(append(x.p.buf, ` showname="`...), x.label(i)), '"')
		if x.t.IsHidden(i) {
			x.p.buf = append(x.p.buf, ` hide="yes"`...)
		}
		x.place(i)
		x.values(i)
	}
	if below {
		x.p.buf = append(x.p.buf, ">\n"...)
		x.below(i, end, depth)
		x.indent(depth)
		x.p.buf = append(append(append(x.p.buf, "</"...), tag...), ">\n"...)
	} else {
		x.p.buf = append(x.p.buf, "/>\n"...)
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
}

// alias prints another name of a node, as Wireshark has it: as a hidden node, unless it stands below an address.
func (x *xmlTree) alias(i int, a *dissect.Field, depth int) {
	x.indent(depth)
	x.p.buf = append(append(append(x.p.buf, `<field name="`...), a.Name()...), `" showname="`...)
	x.p.buf = appendXML(x.p.buf, strings.Replace(string(x.label(i)), x.t.Field(i).Label(), a.Label(), 1))
	x.p.buf = append(x.p.buf, '"')
	if !hasNamesBelow(x.t, i) {
		x.p.buf = append(x.p.buf, ` hide="yes"`...)
	}
	x.place(i)
	x.values(i)
	x.p.buf = append(x.p.buf, "/>\n"...)
}

// label is a node's line, without the brackets around what was worked out.
func (x *xmlTree) label(i int) []byte {
	x.p.label = x.t.AppendLabel(x.p.label[:0], i)
	f := x.t.Field(i)
	if isOUI(f) {
		return x.vendor(i)
	}
	if x.t.IsDerived(i) || f.IsGroup() {
		return unbracketed(x.p.label)
	}
	return x.p.label
}

// isOUI tells whether a field is the first half of an address.
func isOUI(f *dissect.Field) bool {
	return f.Type() == dissect.TypeUint && f.Size() == 3 && strings.HasSuffix(f.Name(), ".oui") && f.IsHidden()
}

// vendor is the label of the first half of an address: its bytes and the vendor of the next node, in as much room as
// Wireshark has for both.
func (x *xmlTree) vendor(i int) []byte {
	v, name := x.t.Nodes[i].Val, ""
	if i+1 < len(x.t.Nodes) && x.t.Field(i+1).Name() == x.t.Field(i).Name()+"_resolved" {
		name = " (" + x.t.Text(i+1) + ")"
	}
	text := fmt.Sprintf("%02x:%02x:%02x%s", v>>16, v>>8&0xff, v&0xff, name)
	x.p.label = append(append(x.p.label[:0], x.t.Field(i).Label()...), ": "...)
	x.p.label = append(x.p.label, dissect.Escape(text[:min(len(text), 31)])...)
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
		x.p.buf = append(appendXMLText(append(x.p.buf, ` show="`...), x.t.TextBytes(i)), '"')
	default:
		x.p.buf = append(x.t.AppendShow(append(x.p.buf, ` show="`...), i), '"')
	}
	if n.Len == 0 {
		return
	}
	x.p.buf = append(appendRaw(append(x.p.buf, ` value="`...), x.t, i), '"')
	if rawMask(f) != 0 {
		x.p.buf = append(hex.AppendEncode(append(x.p.buf, ` unmaskedvalue="`...), x.t.Raw(i)), '"')
	}
}

// appendXML appends a text as the value of an attribute or the content of an element. Control characters, which XML has
// no word for, become escapes.
func appendXML[T string | []byte](dst []byte, text T) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return appendEntities(appendEntities(dst, text[:i]), dissect.Escape(string(text[i:])))
		}
	}
	return appendEntities(dst, text)
}

// appendXMLText is appendXML for a value, in which ends of lines and tabs stand as they are.
func appendXMLText(dst, text []byte) []byte {
	for len(text) > 0 {
		at := bytes.IndexAny(text, "\r\n\t")
		if at < 0 {
			return appendXML(dst, text)
		}
		dst = append(appendXML(dst, text[:at]), text[at])
		text = text[at+1:]
	}
	return dst
}

// appendEntities appends a text that is safe, without what is of the markup.
func appendEntities[T string | []byte](dst []byte, text T) []byte {
	from := 0
	for i := range len(text) {
		if name := xmlNames[text[i]]; name != "" {
			dst = append(append(dst, text[from:i]...), name...)
			from = i + 1
		}
	}
	return append(dst, text[from:]...)
}

// xmlNames are what stands for characters that are of the markup.
var xmlNames = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;", '\'': "&#x27;"}
