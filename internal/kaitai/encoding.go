package kaitai

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// found are the encodings that were looked for, by their names: there are few in a description.
var found sync.Map

type lookedUp struct {
	enc encoding.Encoding
	ok  bool
}

// encodingOf is the encoding of a name as descriptions write it, nil for UTF-8 and ASCII.
func encodingOf(name string) (encoding.Encoding, bool) {
	if l, ok := found.Load(name); ok {
		return l.(lookedUp).enc, l.(lookedUp).ok
	}
	enc, ok := findEncoding(mapName(name))
	if ok { // others would be as many as there are texts
		found.Store(name, lookedUp{enc, ok})
	}
	return enc, ok
}

func findEncoding(name string) (encoding.Encoding, bool) {
	switch name {
	case "ASCII", "USASCII", "UTF8":
		return nil, true
	case "UTF16LE":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), true
	case "UTF16BE":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), true
	case "UTF16":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM), true
	case "SJIS", "SHIFTJIS", "CP932", "WINDOWS31J", "MS932":
		return japanese.ShiftJIS, true
	case "EUCJP":
		return japanese.EUCJP, true
	case "EUCKR", "CP949", "WINDOWS949", "MS949", "UHC", "KSC56011987", "KSC5601":
		return korean.EUCKR, true
	case "GBK", "CP936":
		return simplifiedchinese.GBK, true
	case "GB18030":
		return simplifiedchinese.GB18030, true
	case "GB2312", "EUCCN":
		return simplifiedchinese.GBK, true
	case "UTF32LE", "UTF32BE":
		return utf32{big: strings.HasSuffix(name, "BE")}, true
	}
	if digits, found := strings.CutPrefix(name, "CP"); found {
		name = "IBM" + digits
	}
	for _, c := range charmap.All {
		m, ok := c.(*charmap.Charmap)
		if !ok {
			continue
		}
		if known := mapName(m.String()); name == known || name == aliases[known] {
			return m, true
		}
	}
	return nil, false
}

// aliases are other names of code pages, by the names that the tables have, both without what separates their parts.
var aliases = map[string]string{"IBMCODEPAGE437": "IBM437", "IBMCODEPAGE850": "IBM850", "IBMCODEPAGE852": "IBM852",
	"IBMCODEPAGE855": "IBM855", "IBMCODEPAGE858": "IBM858", "IBMCODEPAGE860": "IBM860", "IBMCODEPAGE862": "IBM862",
	"IBMCODEPAGE863": "IBM863", "IBMCODEPAGE865": "IBM865", "IBMCODEPAGE866": "IBM866", "IBMCODEPAGE037": "IBM037"}

func mapName(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToUpper(name))
}

// utf32 is left to decode by hand.
type utf32 struct {
	encoding.Encoding
	big bool
}

// unit is how many bytes the terminator of a string of the encoding has.
func unit(name string) int {
	switch name = strings.ToUpper(name); {
	case strings.HasPrefix(name, "UTF-16"), strings.HasPrefix(name, "UTF16"):
		return 2
	case strings.HasPrefix(name, "UTF-32"), strings.HasPrefix(name, "UTF32"):
		return 4
	}
	return 1
}

// decode makes text of bytes; what is none becomes U+FFFD.
func decode(b []byte, name string) string {
	if name == "UTF-8" || name == "ASCII" || name == "" {
		return strings.ToValidUTF8(string(b), string(utf8.RuneError))
	}
	enc, ok := encodingOf(name)
	if !ok {
		fail(Expression, "unknown encoding %q", name)
	}
	switch enc := enc.(type) {
	case nil:
		return strings.ToValidUTF8(string(b), string(utf8.RuneError))
	case utf32:
		return enc.text(b)
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), string(utf8.RuneError))
	}
	return string(out)
}

// encode makes bytes of text; what the encoding lacks becomes what stands for that in it.
func encode(s, name string) []byte {
	enc, ok := encodingOf(name)
	if _, by := enc.(utf32); !ok || by {
		fail(Expression, "text cannot be written in the encoding %q", name)
	}
	if enc == nil {
		return []byte(s)
	}
	out, err := encoding.ReplaceUnsupported(enc.NewEncoder()).Bytes([]byte(s))
	if err != nil {
		fail(Expression, "text cannot be written in the encoding %q", name)
	}
	return out
}

func (u utf32) text(b []byte) string {
	var out strings.Builder
	for ; len(b) >= 4; b = b[4:] {
		n := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
		if u.big {
			n = uint32(b[3]) | uint32(b[2])<<8 | uint32(b[1])<<16 | uint32(b[0])<<24
		}
		out.WriteRune(rune(min(n, utf8.MaxRune+1)))
	}
	if len(b) > 0 {
		out.WriteRune(utf8.RuneError)
	}
	return out.String()
}
