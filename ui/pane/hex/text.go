package hex

import (
	"strings"

	"remora/dissect"
	"remora/ui/paint"
)

// The text beside the bytes is ASCII, or what the bytes are in another encoding: old games speak those of their
// country.

// A byteText is an encoding of the text beside the bytes.
type byteText struct {
	name  string
	as    dissect.Encoding
	width func(b []byte) int // of the character that bytes begin with, in bytes
}

// byteTexts are the encodings in the order in which a key goes through them. The first is plain ASCII.
var byteTexts = []byteText{
	{"ASCII", dissect.UTF8, func([]byte) int { return 1 }},
	{"UTF-8", dissect.UTF8, utf8Width},
	{"CP1252", dissect.Windows1252, func([]byte) int { return 1 }},
	{"Shift-JIS", dissect.ShiftJIS, shiftJISWidth},
	{"UTF-16 LE", dissect.UTF16LE, func([]byte) int { return 2 }},
	{"UTF-16 BE", dissect.UTF16BE, func([]byte) int { return 2 }},
}

func utf8Width(b []byte) int {
	switch c := b[0]; {
	case c >= 0xf0 && c < 0xf8:
		return 4
	case c >= 0xe0 && c < 0xf0:
		return 3
	case c >= 0xc2 && c < 0xe0:
		return 2
	}
	return 1
}

func shiftJISWidth(b []byte) int {
	if c := b[0]; c >= 0x81 && c <= 0x9f || c >= 0xe0 && c <= 0xfc {
		return 2
	}
	return 1
}

// NextText goes to the next encoding.
func (p *Pane) NextText() {
	p.text = (p.text + 1) % len(byteTexts)
	p.c.Notify("the text beside the bytes is " + byteTexts[p.text].name)
}

// textCells is the text of bytes, a cell for each: a character of several bytes stands at its first one, and the cells
// that it leaves are blank. Whatever would not keep its place is a dot. start is a byte that a character begins with,
// so that the selected text is read from its own start on.
func textCells(b []byte, e byteText, start int, dot string) []string {
	out := make([]string, len(b))
	for i := 0; i < len(b); {
		n := e.width(b[i:])
		if i < start && i+n > start {
			out[i] = dot
			i++
			continue
		}
		n = min(n, len(b)-i)
		text, cells := textOf(b[i:i+n], e), 0
		if text != "" {
			cells = paint.Width(text)
		}
		if cells == 0 || cells > n {
			out[i] = dot
			i++
			continue
		}
		out[i] = text
		for k := i + 1; k < i+n; k++ {
			if k < i+cells {
				out[k] = "" // the character reaches over it
			} else {
				out[k] = " "
			}
		}
		i += n
	}
	return out
}

// textOf is one character, or "" where the bytes are none that may stand on the screen by itself.
func textOf(b []byte, e byteText) string {
	if len(b) == 1 && b[0] < 0x80 {
		if b[0] < 0x20 || b[0] == 0x7f {
			return ""
		}
		return string(rune(b[0]))
	}
	if e.name == "ASCII" {
		return ""
	}
	text := e.as.Decode(b)
	if strings.ContainsRune(text, '\uFFFD') || len([]rune(text)) != 1 || dissect.Escape(text) != text ||
		paint.KeepColumns(text) != text {
		return ""
	}
	return text
}
