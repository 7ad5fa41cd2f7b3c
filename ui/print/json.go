package print

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
)

// json prints a packet as tshark's -T json does: an array of documents with the layers as nested objects. A field that
// occurs twice is a key that occurs twice, unless OneKey is set.
func (p *Printer) json(t *dissect.Tree) {
	open := "[\n"
	if p.at.Packets > 0 {
		open = ",\n"
	}
	b := append(p.buf, open...)
	b = append(b, "  {\n    \"_index\": \""...)
	b = p.appendIndex(b, t)
	p.buf = append(b, "\",\n    \"_type\": \"doc\",\n    \"_score\": null,\n    \"_source\": {\n      \"layers\": "...)
	if len(p.cols) > 0 {
		p.jsonFields(t)
	} else {
		j := jsonTree{p: p, t: t, indent: 6}
		j.object(0, len(t.Nodes))
	}
	p.buf = append(p.buf, "\n    }\n  }"...)
}

// jsonEnd ends the array.
func (p *Printer) jsonEnd() string {
	if p.at.Packets == 0 {
		return "[]\n"
	}
	return "\n]\n"
}

// appendIndex is tshark's name for the day's packets.
func (p *Printer) appendIndex(dst []byte, t *dissect.Tree) []byte {
	if second := t.Time() / 1e9; second != p.indexAt || second <= 0 {
		p.index = time.Unix(0, t.Time()).In(p.zone()).AppendFormat(p.index[:0], "packets-2006-01-02")
		p.indexAt = second
	}
	return append(dst, p.index...)
}

func (p *Printer) zone() *time.Location {
	if z := p.s.Zone; z != nil {
		return z
	}
	return time.UTC
}

// jsonFields prints the fields of -e, each as an array of its values.
func (p *Printer) jsonFields(t *dissect.Tree) {
	p.collect(t)
	p.buf = append(p.buf, '{')
	first := true
	for i := range p.cols {
		c := &p.cols[i]
		if len(c.ends) == 0 {
			continue
		}
		p.comma(&first)
		p.buf = append(appendQuoted(append(p.buf, "\n        "...), c.name), ": ["...)
		for j := range c.ends {
			if j > 0 {
				p.buf = append(p.buf, ',')
			}
			p.buf = appendQuoted(append(p.buf, "\n          "...), c.value(j))
		}
		p.buf = append(p.buf, "\n        ]"...)
	}
	if !first {
		p.buf = append(p.buf, "\n      "...)
	}
	p.buf = append(p.buf, '}')
}

func (p *Printer) comma(first *bool) {
	if !*first {
		p.buf = append(p.buf, ',')
	}
	*first = false
}

// jsonKeys are the keys that a field is written under, quoted and with a colon behind, made once.
type jsonKeys struct{ value, tree, raw []byte }

func (p *Printer) keysOf(f *dissect.Field) *jsonKeys {
	for int(f.ID()) >= len(p.keys) {
		p.keys = append(p.keys, jsonKeys{})
	}
	k := &p.keys[f.ID()]
	if k.value == nil {
		k.value = append(appendQuoted(nil, f.Name()), ": "...)
		k.tree = append(appendQuoted(nil, f.Name()+"_tree"), ": "...)
		k.raw = append(appendQuoted(nil, f.Name()+"_raw"), ": "...)
	}
	return k
}

// part says what of a node a member of an object is.
type part uint8

const (
	partValue  part = iota // "name": "value"
	partAlias              // the same under the name of an alias
	partTree               // "name_tree", or "name" for what has no value: an object
	partRaw                // "name_raw": [bytes, offset, length, mask, type]
	partExpert             // "_ws.expert": an object with an expert info
)

// A member is one "key": value of an object.
type member struct {
	node, end int
	part      part
	alias     int
	done      bool // written already, in the array of an earlier one
}

// jsonTree writes the nodes of one packet as nested objects.
type jsonTree struct {
	p      *Printer
	t      *dissect.Tree
	indent int
}

// object writes the nodes [from, to), which lie one level below what holds them.
func (j *jsonTree) object(from, to int) {
	base := len(j.p.members)
	all := j.p.siblings(j.t, from, to)
	for _, s := range all {
		if s.alias < 0 {
			j.list(s.node, j.t.End(s.node))
			continue
		}
		if j.p.rawOf(j.t, s.node) {
			j.p.members = append(j.p.members, member{node: s.node, part: partRaw, alias: s.alias})
		}
		if j.p.opt.Format != "jsonraw" {
			j.p.members = append(j.p.members, member{node: s.node, part: partAlias, alias: s.alias})
		}
	}
	j.p.release(all)
	members := j.p.members[base:len(j.p.members):len(j.p.members)]
	j.p.buf = append(j.p.buf, '{')
	j.indent += 2
	for k := range members {
		if members[k].done {
			continue
		}
		if k > 0 {
			j.p.buf = append(j.p.buf, ',')
		}
		j.line()
		j.p.buf = j.appendKey(j.p.buf, &members[k])
		if j.p.opt.OneKey {
			j.merged(members, k)
		} else {
			j.value(&members[k])
		}
	}
	j.indent -= 2
	if len(members) > 0 {
		j.line()
	}
	j.p.buf = append(j.p.buf, '}')
	j.p.members = j.p.members[:base]
}

// isColumn is true for the fields that stand for columns of the list: they say nothing about the packet of their own.
func isColumn(f *dissect.Field) bool { return strings.HasPrefix(f.Name(), "_ws.col.") }

// leavesOut is true for what is not written: columns, and with Exact what Wireshark does not have.
func (p *Printer) leavesOut(f *dissect.Field) bool { return isColumn(f) || p.opt.Exact && f.IsOwn() }

// isText tells whether a field's line is no more than text in Wireshark.
func (p *Printer) isText(f *dissect.Field) bool { return f.IsText() || p.opt.Exact && f.IsLine() }

// rawOf tells whether a node is written with its bytes.
func (p *Printer) rawOf(t *dissect.Tree, i int) bool {
	return p.opt.Format == "jsonraw" || p.opt.Hex && t.Nodes[i].Len > 0
}

// list puts what a node is written as to the members of its object.
func (j *jsonTree) list(i, end int) {
	f := j.t.Field(i)
	add := func(kind part) {
		j.p.members = append(j.p.members, member{node: i, end: end, part: kind, alias: -1})
	}
	if isPlainExpert(j.t, i) {
		add(partExpert)
		return
	}
	if j.p.rawOf(j.t, i) && !j.p.isText(f) {
		add(partRaw)
	}
	if f.Type() == dissect.TypeProtocol && end > i+1 || j.p.isText(f) || f.Type() == dissect.TypeNone && end > i+1 {
		add(partTree)
		return
	}
	if j.p.opt.Format != "jsonraw" {
		add(partValue)
	}
	if end > i+1 {
		add(partTree)
	}
}

func (j *jsonTree) line() {
	j.p.buf = append(j.p.buf, '\n')
	n := j.indent
	for ; n > len(blanks); n -= len(blanks) {
		j.p.buf = append(j.p.buf, blanks...)
	}
	j.p.buf = append(j.p.buf, blanks[:n]...)
}

// appendKey appends the member's key and the colon. Groups, which are text alone in Wireshark, go by that text.
func (j *jsonTree) appendKey(dst []byte, m *member) []byte {
	f := j.t.Field(m.node)
	if m.alias >= 0 {
		f = f.Aliases()[m.alias]
	}
	switch keys := j.p.keysOf(f); {
	case m.part == partExpert:
		return append(dst, `"_ws.expert": `...)
	case j.p.isText(f):
		j.p.label = j.t.AppendLabel(j.p.label[:0], m.node)
		return append(appendQuoted(dst, unbracketed(j.p.label)), ": "...)
	case m.part == partRaw:
		return append(dst, keys.raw...)
	case m.part == partTree && f.Type() != dissect.TypeProtocol && f.Type() != dissect.TypeNone:
		return append(dst, keys.tree...)
	default:
		return append(dst, keys.value...)
	}
}

// unbracketed is the text of a label without the brackets around what no bytes are behind.
func unbracketed[T string | []byte](label T) T {
	if n := len(label); n > 1 && label[0] == '[' && label[n-1] == ']' {
		return label[1 : n-1]
	}
	return label
}

// merged writes all members of the key of number k: alone as they are, several as an array.
func (j *jsonTree) merged(members []member, k int) {
	key := string(j.appendKey(nil, &members[k]))
	same := []int{k}
	var other []byte
	for i := k + 1; i < len(members); i++ {
		if members[i].done || members[i].part == partTree != (members[k].part == partTree) {
			continue
		}
		if other = j.appendKey(other[:0], &members[i]); string(other) == key {
			same = append(same, i)
		}
	}
	if len(same) == 1 {
		j.value(&members[k])
		return
	}
	j.p.buf = append(j.p.buf, '[')
	j.indent += 2
	for n, i := range same {
		if n > 0 {
			j.p.buf = append(j.p.buf, ',')
		}
		j.line()
		j.value(&members[i])
		members[i].done = true
	}
	j.indent -= 2
	j.line()
	j.p.buf = append(j.p.buf, ']')
}

func (j *jsonTree) value(m *member) {
	switch m.part {
	case partTree:
		f := j.t.Field(m.node)
		if m.end == m.node+1 && j.p.isText(f) {
			j.p.buf = append(j.p.buf, `""`...)
			return
		}
		if !j.p.shows(f) {
			j.p.buf = append(j.p.buf, '{')
			j.indent += 2
			j.line()
			name := f.Name()
			if j.p.isText(f) {
				name = unbracketed(j.t.Label(m.node))
			}
			j.p.buf = appendQuoted(append(j.p.buf, `"filtered": `...), name)
			j.indent -= 2
			j.line()
			j.p.buf = append(j.p.buf, '}')
			return
		}
		defer j.p.showAll(f)()
		j.object(m.node+1, m.end)
	case partRaw:
		j.raw(m.node)
	case partExpert:
		j.expert(m.node)
	default:
		if j.t.Field(m.node).Type() == dissect.TypeProtocol {
			j.p.label = j.t.AppendLabel(j.p.label[:0], m.node)
			j.p.buf = appendQuoted(j.p.buf, j.p.label)
			return
		}
		j.p.buf = appendText(j.p.buf, j.t, m.node)
	}
}

// expert writes an expert info as Wireshark has it: below a field that all of them have.
func (j *jsonTree) expert(i int) {
	f := j.t.Field(i)
	if j.p.opt.Format == "jsonraw" {
		j.p.buf = append(j.p.buf, "{}"...)
		return
	}
	j.p.label = j.t.AppendLabel(j.p.label[:0], i)
	j.p.buf = append(j.p.buf, '{')
	j.indent += 2
	j.line()
	j.p.buf = append(appendQuoted(j.p.buf, f.Name()), `: "",`...)
	j.line()
	j.p.buf = append(appendQuoted(append(j.p.buf, `"_ws.expert.message": `...), unbracketed(j.p.label)), ',')
	j.line()
	j.p.buf = strconv.AppendUint(append(j.p.buf, `"_ws.expert.severity": "`...), f.Severity().Number(), 10)
	j.p.buf = append(j.p.buf, `",`...)
	j.line()
	j.p.buf = strconv.AppendUint(append(j.p.buf, `"_ws.expert.group": "`...), f.Group().Number(), 10)
	j.p.buf = append(j.p.buf, '"')
	j.indent -= 2
	j.line()
	j.p.buf = append(j.p.buf, '}')
}

// appendText appends a node's value as a JSON string. Bytes have colons between them here, unlike in -T fields, and
// what has no value is the empty string.
func appendText(dst []byte, t *dissect.Tree, i int) []byte {
	switch t.Field(i).Type() {
	case dissect.TypeNone:
		return append(dst, `""`...)
	case dissect.TypeString:
		return appendQuoted(dst, t.TextBytes(i))
	case dissect.TypeBytes:
		return append(appendColons(append(dst, '"'), t.Bytes(i)), '"')
	}
	return append(t.AppendShow(append(dst, '"'), i), '"') // digits, addresses and times need no escapes
}

// appendColons appends bytes in hex with colons between them.
func appendColons(dst, b []byte) []byte {
	if len(b) == 0 {
		return dst
	}
	at := len(dst)
	dst = slices.Grow(dst, 3*len(b)+1)[:at+3*len(b)+1]
	for _, c := range b {
		binary.LittleEndian.PutUint32(dst[at:], colons[c]) // the fourth byte is the next one's
		at += 3
	}
	return dst[:at-1]
}

// colons are two digits and a colon for each byte.
var colons = func() (text [256]uint32) {
	for c := range text {
		text[c] = uint32(hexDigits[c>>4]) | uint32(hexDigits[c&15])<<8 | ':'<<16
	}
	return text
}()

// raw writes tshark's "_raw": the bytes in hex (the bare number of a masked field), where they stand in their source,
// how many there are, the field's mask and the number of its type.
func (j *jsonTree) raw(i int) {
	n, f := &j.t.Nodes[i], j.t.Field(i)
	j.p.buf = append(j.p.buf, '[')
	j.indent += 2
	j.line()
	j.p.buf = append(j.p.buf, '"')
	if n.Len > 0 || !j.p.opt.Exact {
		j.p.buf = appendRaw(j.p.buf, j.t, i)
	}
	j.p.buf = append(j.p.buf, '"')
	for _, v := range []uint64{uint64(n.Off), uint64(n.Len), rawMask(f), uint64(wiresharkType(f))} {
		j.p.buf = append(j.p.buf, ',')
		j.line()
		j.p.buf = strconv.AppendUint(j.p.buf, v, 10)
	}
	j.indent -= 2
	j.line()
	j.p.buf = append(j.p.buf, ']')
}

// appendRaw appends the bytes of a node in hex, or the number of a field that has only some of their bits.
func appendRaw(dst []byte, t *dissect.Tree, i int) []byte {
	if mask, v := t.Field(i).Mask(),
		t.Nodes[i].Val; mask != 0 && !t.Field(i).IsWhole() && v <= mask>>bits.TrailingZeros64(mask) {
		at := len(dst)
		dst = strconv.AppendUint(dst, v, 16)
		copy(dst[at:], bytes.ToUpper(dst[at:]))
		return dst
	}
	return hex.AppendEncode(dst, t.Raw(i))
}

// wiresharkType is the number that Wireshark 4.0 has for the type of a field (epan/ftypes/ftypes.h).
func wiresharkType(f *dissect.Field) int {
	size := min(max(f.Size(), 1), 8)
	switch f.Type() {
	case dissect.TypeProtocol:
		return 1
	case dissect.TypeBool:
		return 2
	case dissect.TypeUint:
		return 3 + size
	case dissect.TypeInt:
		return 11 + size
	case dissect.TypeFloat:
		if f.Size() == 4 {
			return 22
		}
		return 23
	}
	return map[dissect.Type]int{dissect.TypeTime: 24, dissect.TypeSpan: 25, dissect.TypeString: 26, dissect.TypeEther: 29,
		dissect.TypeBytes: 30, dissect.TypeIPv4: 32, dissect.TypeIPv6: 33, dissect.TypeFrame: 35,
		dissect.TypeGUID: 36}[f.Type()]
}

// rawMask is the mask that Wireshark declares.
func rawMask(f *dissect.Field) uint64 {
	if f.IsWhole() {
		return 0
	}
	return f.Mask()
}

// shows tells whether -j and -J let the content of a field through.
func (p *Printer) shows(f *dissect.Field) bool {
	if p.all || len(p.opt.Tops)+len(p.opt.Whole) == 0 {
		return true
	}
	return slices.ContainsFunc(append(slices.Clip(p.opt.Tops), p.opt.Whole...),
		func(name string) bool { return name == f.Name() || name == flat(f.Name()) })
}

// showAll lets everything below a field through where -J names it, until the function that it returns is called.
func (p *Printer) showAll(f *dissect.Field) (end func()) {
	if p.all || !slices.Contains(p.opt.Whole, f.Name()) {
		return func() {}
	}
	p.all = true
	return func() { p.all = false }
}
