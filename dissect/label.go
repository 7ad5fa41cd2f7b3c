package dissect

import (
	"encoding/hex"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Texts are appended to what is there already, so that printing a packet needs no memory for each line.

// Value is the value of node i as people read it, escaped: "UDP (17)", "0x0800", "192.0.2.1". Nodes without a value
// give "".
func (t *Tree) Value(i int) string { return string(t.appendValue(nil, i)) }

func (t *Tree) appendValue(dst []byte, i int) []byte {
	f, n := t.Field(i), &t.Nodes[i]
	switch f.typ {
	case TypeUint, TypeInt, TypeBool, TypeFloat:
		dst = f.appendNumber(dst, n.Val)
		if p := f.rare.unitIf; p != nil && !t.session.preferences[p.id].On {
			dst = dst[:len(dst)-len(f.rare.unit)-1]
		}
		return dst
	case TypeString:
		return appendEscaped(dst, t.TextBytes(i))
	case TypeBytes:
		b := t.Bytes(i)
		if len(b) > 64 {
			return append(hex.AppendEncode(dst, b[:64]), "…"...)
		}
		return hex.AppendEncode(dst, b)
	}
	return t.AppendShow(dst, i)
}

// drawnBytes is how many bytes of a value are drawn, as in Wireshark.
const drawnBytes = 36

// NumberText writes a number of the field as people read it: with its name, base and unit. The result is escaped.
func (f *Field) NumberText(v uint64) string { return string(f.appendNumber(nil, v)) }

func (f *Field) appendNumber(dst []byte, v uint64) []byte {
	if f.format != nil {
		return append(dst, Escape(f.format(v))...)
	}
	if f.rare.formatTo != nil {
		return f.rare.formatTo(dst, v)
	}
	switch f.typ {
	case TypeBool:
		if v != 0 {
			return append(dst, f.rare.labels[1]...)
		}
		return append(dst, f.rare.labels[0]...)
	case TypeFloat:
		return f.appendUnit(append(dst, floatText(f, v)...))
	}
	if name, ok := f.values[v]; ok {
		if dst = append(dst, name...); f.derived { // the number of what was worked out is nobody's but ours
			return dst
		}
		return append(f.appendPlain(append(dst, " ("...), v), ')')
	}
	dst = f.appendPlain(dst, v)
	if len(f.rare.flags) > 0 {
		return f.appendFlags(dst, v)
	}
	return f.appendUnit(dst)
}

// ValueName is the name of a number of the field, or "".
func (f *Field) ValueName(v uint64) string { return f.values[v] }

func (f *Field) plainNumber(v uint64) string { return string(f.appendPlain(nil, v)) }

func (f *Field) appendPlain(dst []byte, v uint64) []byte {
	switch {
	case f.typ == TypeInt:
		return strconv.AppendInt(dst, int64(v), 10)
	case f.base == Hex:
		return f.appendDigits(dst, v)
	case f.base == HexThenDecimal:
		return append(strconv.AppendUint(append(f.appendDigits(dst, v), " ("...), v, 10), ')')
	case f.base == Both:
		return append(f.appendDigits(append(strconv.AppendUint(dst, v, 10), " ("...), v), ')')
	case f.base == Octal:
		return strconv.AppendUint(append(dst, '0'), v, 8)
	}
	return strconv.AppendUint(dst, v, 10)
}

func (f *Field) appendUnit(dst []byte) []byte {
	if f.rare.unit == "" {
		return dst
	}
	return append(append(dst, ' '), f.rare.unit...)
}

func (f *Field) hexText(v uint64) string { return string(f.appendDigits(nil, v)) }

// appendDigits writes hexadecimal padded to the width of the field: of its bytes, or of its bits where it is masked. So
// does Wireshark in the tree.
func (f *Field) appendDigits(dst []byte, v uint64) []byte {
	width := 2 * int(f.size)
	if f.mask != 0 {
		width = (bits.Len64(f.mask>>f.shift) + 3) / 4
	}
	return appendHex(dst, v, width)
}

// appendFlags writes which flags of the number are set, in parentheses behind it; nothing where none is.
func (f *Field) appendFlags(dst []byte, v uint64) []byte {
	open := " ("
	for _, b := range f.rare.flags {
		if v<<f.shift&b.mask != 0 {
			dst = append(append(dst, open...), b.label...)
			open = ", "
		}
	}
	if open == ", " {
		dst = append(dst, ')')
	}
	return dst
}

func floatText(f *Field, v uint64) string {
	x := math.Float64frombits(v)
	if f.size == 4 {
		return strconv.FormatFloat(x, 'g', -1, 32)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Label is the text of node i in the tree, escaped.
func (t *Tree) Label(i int) string { return string(t.AppendLabel(nil, i)) }

// AppendLabel appends the text of node i in the tree, escaped.
func (t *Tree) AppendLabel(dst []byte, i int) []byte {
	f, n, start := t.Field(i), &t.Nodes[i], len(dst)
	switch {
	case f.role == roleExpert:
		dst = append(dst, '[')
		if n.Flags&nodeArena != 0 {
			dst = appendEscaped(dst, t.arenaBytes(n))
		} else {
			dst = append(dst, f.label...)
		}
		return append(dst, ']')
	case f.role == roleGroup || f.typ == TypeNone || f.typ == TypeProtocol:
		if f.rare.summary != "" {
			dst = t.appendExpanded(dst, f.rare.summary, f.proto, i+1, t.End(i))
		} else if f.derived && f.role != roleGroup {
			dst = append(append(append(dst, '['), f.label...), ']')
		} else {
			dst = append(dst, f.label...)
		}
		return t.appendSuffixes(dst, start, i)
	}
	derived := t.IsDerived(i)
	if derived {
		dst, start = append(dst, '['), start+1
	}
	dst = t.appendLine(dst, f, i)
	if f.rare.summary != "" {
		dst = t.appendExpanded(dst, f.rare.summary, f.proto, i+1, t.End(i))
	}
	if dst = t.appendSuffixes(dst, start, i); derived {
		dst = append(dst, ']')
	}
	return dst
}

// appendLine appends the bits, the label and the value of a field.
func (t *Tree) appendLine(dst []byte, f *Field, i int) []byte {
	v := t.Nodes[i].Val
	if f.rare.plain {
		return t.appendValue(dst, i)
	}
	if f.rare.sized && f.typ == TypeString {
		return appendSize(append(append(dst, f.label...), ": "...), len(t.Bytes(i)))
	}
	if f.rare.sized {
		return append(appendSize(append(append(dst, f.label...), " ("...), len(t.Bytes(i))), ')')
	}
	if f.mask != 0 && f.rare.boxes != unboxed {
		dst = append(f.appendBits(dst, v), " = "...)
	}
	dst = append(append(dst, f.label...), ": "...)
	if f.typ == TypeBytes && len(t.Bytes(i)) > drawnBytes {
		return append(hex.AppendEncode(dst, t.Bytes(i)[:drawnBytes]), "…"...)
	}
	dst = t.appendCalled(dst, i)
	if f.typ == TypeSpan {
		dst = append(dst, " seconds"...)
	}
	return dst
}

// appendSize appends a number of bytes.
func appendSize(dst []byte, n int) []byte {
	if dst = strconv.AppendInt(dst, int64(n), 10); n == 1 {
		return append(dst, " byte"...)
	}
	return append(dst, " bytes"...)
}

// appendBits draws which bits of its bytes a masked field takes: ".... .101".
func (f *Field) appendBits(dst []byte, v uint64) []byte {
	if n := f.rare.times; n > 1 {
		v /= n
	}
	width := 8 * int(f.size)
	if f.rare.boxes != 0 {
		width = int(f.rare.boxes)
	}
	for i := width - 1; i >= 0; i-- {
		bit := uint64(1) << i
		switch {
		case f.mask&bit == 0:
			dst = append(dst, '.')
		case f.typ == TypeBool && v != 0 || v>>(i-int(f.shift))&1 != 0:
			dst = append(dst, '1')
		default:
			dst = append(dst, '0')
		}
		if i > 0 && i%4 == 0 {
			dst = append(dst, ' ')
		}
	}
	return dst
}

func (t *Tree) appendForm(dst []byte, i int, f *Field, form string) []byte {
	v := t.Nodes[i].Val
	switch form {
	case "name":
		if name, ok := f.values[v]; ok {
			return append(dst, name...)
		}
		return append(f.appendPlain(append(dst, "Unknown ("...), v), ')')
	case "hex":
		return append(dst, strings.TrimPrefix(f.hexText(v), "0x")...)
	case "raw":
		return append(dst, Escape(t.Show(i))...)
	case "flags":
		return append(dst, strings.Trim(string(f.appendFlags(nil, v)), " ()")...)
	case "label":
		return t.AppendLabel(dst, i)
	}
	if t.read { // Wireshark's Info column has addresses alone
		return t.appendCalled(dst, i)
	}
	return t.appendValue(dst, i)
}
