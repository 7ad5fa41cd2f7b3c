package dissect

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	xunicode "golang.org/x/text/encoding/unicode"
)

// Escape makes text from anywhere safe to print: control characters, bytes that are no UTF-8, and characters that
// reorder, hide or pile up text are written as escapes. It is the one place where outside bytes become text.
func Escape(s string) string {
	clean := cleanLen(s)
	if clean == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:clean])
	marks := 0
	for i := clean; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		// fillers are letters that nobody sees
		case !unicode.IsPrint(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || marks > 2:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// cleanLen is how many bytes of a text need no escape for sure: those up to a character that is not legible at once.
func cleanLen(s string) int {
	for i, r := range s {
		if (r < 0x20 || r >= 0x7f) && !legible(r) {
			return i
		}
	}
	return len(s)
}

// legible tells of characters beyond ASCII that are common, in the texts of remora and in names, that they are printed
// as they are. The others are looked up.
func legible(r rune) bool {
	return r > 0xa0 && r < 0x300 && r != 0xad || r >= '←' && r <= '⇿' || r >= 'ぁ' && r <= 'ゖ' || r >= 'ァ' && r <= 'ヺ' ||
		r >= 0x4e00 && r <= 0x9fa5
}

// Decode makes text of bytes in the encoding; what is no text in it becomes U+FFFD.
func (e Encoding) Decode(b []byte) string {
	var enc encoding.Encoding
	switch e {
	case ShiftJIS:
		enc = japanese.ShiftJIS
	case ShiftJISOrGBK:
		return japaneseOrChinese(b)
	case Windows1252:
		enc = charmap.Windows1252
	case UTF16LE:
		enc = xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM)
	case UTF16BE:
		enc = xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM)
	default:
		return string(b)
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return string(b)
	}
	return string(out)
}

// japaneseOrChinese decodes Shift-JIS, or GBK where that fits better: where the bytes are no Shift-JIS, or would mix
// half-width katakana with kanji, as Chinese words read as Shift-JIS do and hardly any Japanese name does.
func japaneseOrChinese(b []byte) string {
	text := ShiftJIS.Decode(b)
	narrow := strings.ContainsFunc(text, func(r rune) bool { return r >= 0xff61 && r <= 0xff9f })
	if !strings.ContainsRune(text, utf8.RuneError) &&
		!(narrow && strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })) {
		return text
	}
	out, err := simplifiedchinese.GBK.NewDecoder().Bytes(b)
	if err != nil || strings.ContainsRune(string(out), utf8.RuneError) {
		return text
	}
	return string(out)
}

// Text is the string of a string node, decoded but not escaped: what filters compare.
func (t *Tree) Text(i int) string {
	if t.Nodes[i].Flags&nodeArena != 0 {
		return string(t.arenaBytes(&t.Nodes[i]))
	}
	return t.Field(i).encoding.Decode(t.Bytes(i))
}

// Value is the value of node i as people read it, escaped: "UDP (17)", "0x0800", "192.0.2.1". Nodes without a value
// give "".
func (t *Tree) Value(i int) string {
	f, n := t.Field(i), &t.Nodes[i]
	switch f.typ {
	case TypeUint, TypeInt, TypeBool, TypeFloat:
		return f.NumberText(n.Val)
	case TypeString:
		return Escape(t.Text(i))
	case TypeBytes:
		b := t.Bytes(i)
		if len(b) > 64 {
			return hex.EncodeToString(b[:64]) + "…"
		}
		return hex.EncodeToString(b)
	}
	return t.Show(i)
}

// NumberText writes a number of the field as people read it: with its name, base and unit. The result is escaped.
func (f *Field) NumberText(v uint64) string {
	if f.format != nil {
		return Escape(f.format(v))
	}
	switch f.typ {
	case TypeBool:
		if v != 0 {
			return f.rare.labels[1]
		}
		return f.rare.labels[0]
	case TypeFloat:
		return f.withUnit(floatText(f, v))
	}
	num := f.plainNumber(v)
	if name, ok := f.values[v]; ok {
		if f.derived { // the number of what was worked out is nobody's but ours
			return name
		}
		return name + " (" + num + ")"
	}
	if len(f.rare.flags) > 0 {
		return num + f.flagNames(v)
	}
	return f.withUnit(num)
}

// ValueName is the name of a number of the field, or "".
func (f *Field) ValueName(v uint64) string { return f.values[v] }

func (f *Field) plainNumber(v uint64) string {
	switch {
	case f.typ == TypeInt:
		return strconv.FormatInt(int64(v), 10)
	case f.base == Hex:
		return f.hexText(v)
	case f.base == HexThenDecimal:
		return f.hexText(v) + " (" + strconv.FormatUint(v, 10) + ")"
	case f.base == Both:
		return strconv.FormatUint(v, 10) + " (" + f.hexText(v) + ")"
	case f.base == Octal:
		return "0" + strconv.FormatUint(v, 8)
	}
	return strconv.FormatUint(v, 10)
}

func (f *Field) withUnit(s string) string {
	if f.rare.unit == "" {
		return s
	}
	return s + " " + f.rare.unit
}

// hexText pads to the width of the field: of its bytes, or of its bits where it is masked. So does Wireshark in the
// tree.
func (f *Field) hexText(v uint64) string {
	width := 2 * int(f.size)
	if f.mask != 0 {
		width = (64 - leadingZeros(f.mask>>f.shift) + 3) / 4
	}
	return string(appendHex(nil, v, width))
}

func leadingZeros(v uint64) (n int) {
	for n = 64; v != 0; n-- {
		v >>= 1
	}
	return n
}

func (f *Field) flagNames(v uint64) string {
	var names []string
	for _, b := range f.rare.flags {
		if v<<f.shift&b.mask != 0 {
			names = append(names, b.label)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

func floatText(f *Field, v uint64) string {
	x := math.Float64frombits(v)
	if f.size == 4 {
		return strconv.FormatFloat(x, 'g', -1, 32)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func guidText(b []byte) string {
	if len(b) < 16 {
		return hex.EncodeToString(b)
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// TimeText writes a point in time as Wireshark does: "Nov 21, 2026 04:26:00.000000000 UTC".
func TimeText(ns int64, zone *time.Location) string { return string(AppendTime(nil, ns, zone)) }

// SpanText writes a duration in seconds with nine decimals.
func SpanText(ns int64) string { return string(AppendSpan(nil, ns, 9)) }

// Label is the text of node i in the tree, escaped.
func (t *Tree) Label(i int) string {
	f, n := t.Field(i), &t.Nodes[i]
	switch {
	case f.role == roleExpert:
		text := f.label
		if n.Flags&nodeArena != 0 {
			text = Escape(string(t.arenaBytes(n)))
		}
		return "[" + text + "]"
	case f.role == roleGroup || f.typ == TypeNone || f.typ == TypeProtocol:
		text := f.label
		if f.rare.summary != "" {
			text = t.expand(f.rare.summary, f.proto, i+1, t.End(i))
		}
		return t.suffixed(i, text)
	}
	value := t.called(i)
	if f.typ == TypeSpan {
		value += " seconds"
	}
	text := f.label + ": " + value
	if f.mask != 0 {
		text = f.bitPattern(n.Val) + " = " + text
	}
	if f.rare.summary != "" {
		text += t.expand(f.rare.summary, f.proto, i+1, t.End(i))
	}
	text = t.suffixed(i, text)
	if t.IsDerived(i) {
		return "[" + text + "]"
	}
	return text
}

// bitPattern draws which bits of its bytes a masked field takes: ".... .101".
func (f *Field) bitPattern(v uint64) string {
	var b strings.Builder
	width := 8 * int(f.size)
	if n := f.rare.times; n > 1 {
		v /= n
	}
	for i := width - 1; i >= 0; i-- {
		bit := uint64(1) << i
		switch {
		case f.mask&bit == 0:
			b.WriteByte('.')
		case f.typ == TypeBool && v != 0 || v>>(i-int(f.shift))&1 != 0:
			b.WriteByte('1')
		default:
			b.WriteByte('0')
		}
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// expand fills a template from the nodes [from, to). A name in braces stands for the value of the first such field, a
// part in square brackets is dropped when a name in it has none.
func (t *Tree) expand(template string, p *Protocol, from, to int) string {
	text, _ := t.expandPart(template, p, from, to)
	return text
}

func (t *Tree) expandPart(s string, p *Protocol, from, to int) (text string, complete bool) {
	var b strings.Builder
	complete = true
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			j := strings.IndexByte(s[i:], '}')
			if j < 0 {
				b.WriteString(s[i:])
				return b.String(), complete
			}
			v, ok := t.named(s[i+1:i+j], p, from, to)
			complete = complete && ok
			b.WriteString(v)
			i += j
		case '[':
			j := closing(s[i:])
			if j < 0 {
				b.WriteString(s[i:])
				return b.String(), complete
			}
			if part, ok := t.expandPart(s[i+1:i+j], p, from, to); ok {
				b.WriteString(part)
			}
			i += j
		case '\\':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), complete
}

// closing is the place of the bracket that closes the one s starts with, or -1.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// named is the value of the first field of that name; ":name" behind it takes the value's name alone, ":raw" the number
// alone.
func (t *Tree) named(name string, p *Protocol, from, to int) (string, bool) {
	name, form, _ := strings.Cut(name, ":")
	for i := from; i < to; i++ {
		f := t.Field(i)
		if f.name != name && (f.proto != p || len(f.name) != len(p.name)+1+len(name) || !strings.HasSuffix(f.name, name)) {
			continue
		}
		switch form {
		case "name":
			if v, ok := f.values[t.Nodes[i].Val]; ok {
				return v, true
			}
			return "Unknown (" + f.plainNumber(t.Nodes[i].Val) + ")", true
		case "hex":
			return strings.TrimPrefix(f.hexText(t.Nodes[i].Val), "0x"), true
		case "raw":
			return Escape(t.Show(i)), true
		case "flags":
			return strings.Trim(f.flagNames(t.Nodes[i].Val), " ()"), true
		case "label":
			return t.Label(i), true
		}
		if t.read { // Wireshark's Info column has addresses alone
			return t.called(i), true
		}
		return t.Value(i), true
	}
	if t.by != nil && !t.read && t.by.want.text {
		t.by.learnNamed(name, p)
	}
	return "", false
}

// TextBytes is the string of a string node as UTF-8, decoded but not escaped. Where no decoding is needed it is a view
// of the packet's bytes.
func (t *Tree) TextBytes(i int) []byte {
	if f := t.Field(i); f.encoding != UTF8 && t.Nodes[i].Flags&nodeArena == 0 {
		return []byte(f.encoding.Decode(t.Bytes(i)))
	}
	return t.Bytes(i)
}

// IsText tells whether bytes begin as text does: no control characters but those of lines, tabs, bells and escapes, and
// in ASCII or UTF-8, or mostly so. It looks at the first line or so.
func IsText(b []byte) bool {
	b = b[:min(len(b), 64)]
	plain := 0
	for _, c := range b {
		switch {
		case c < 0x20 && c != '\r' && c != '\n' && c != '\t' && c != 7 && c != 8 && c != 0x1b || c == 0x7f:
			return false
		case c < 0x80:
			plain++
		}
	}
	return 4*plain >= 3*len(b)
}
