package dissect

import (
	"encoding/hex"
	"fmt"
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

// Escape makes text from anywhere safe to print: control characters, and characters that reorder, hide or pile up
// text, are written as escapes of C with three octal digits or \u and four hexadecimal ones, as tshark writes them, and
// bytes that are no UTF-8 as U+FFFD. It is the one place where outside bytes become text.
func Escape(s string) string {
	clean := cleanLen(s)
	if clean == len(s) {
		return s
	}
	return string(escapeRest(append(make([]byte, 0, len(s)+8), s[:clean]...), s[clean:]))
}

// appendEscaped appends text as Escape makes it safe.
func appendEscaped(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c >= 0x20 && c < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if !legible(r) {
			return escapeRest(append(dst, text[:i]...), text[i:])
		}
		i += n
	}
	return append(dst, text...)
}

// escapeRest appends text from its first character on that may need an escape.
func escapeRest[T string | []byte](dst []byte, s T) []byte {
	marks := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f {
			marks = 0
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && n == 1:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case r >= '\a' && r <= '\r':
			dst = append(dst, '\\', "abtnvfr"[r-'\a'])
		case r < 0x20 || r == 0x7f:
			dst = append(dst, '\\', '0'+byte(r>>6), '0'+byte(r>>3&7), '0'+byte(r&7))
		// fillers are letters that nobody sees
		case !unicode.IsPrint(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || marks > 2:
			dst = fmt.Appendf(dst, `\u%04X`, r)
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return dst
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
