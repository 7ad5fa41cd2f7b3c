package kaillera

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"

	"remora/dissect"
)

// A charset is what the strings of a server are written in. Nothing on the wire says it; it is guessed from the strings
// that are no UTF-8, and the guess of each server gets better with every one of them. People can say it for a capture,
// by the number of Windows' code page: decode kaillera.charset==932 as kaillera.
type charset uint8

// charsetTable is the table of the code pages that a person can choose.
const charsetTable dissect.Table = "kaillera.charset"

// codePages are their numbers.
var codePages = [charsetCount]uint32{charsetJapanese: 932, charsetKorean: 949, charsetChinese: 936,
	charsetCyrillic: 1251, charsetWestern: 1252}

const (
	charsetUnknown charset = iota
	charsetJapanese
	charsetKorean
	charsetChinese
	charsetCyrillic
	charsetWestern
	charsetCount
)

func (c charset) encoding() encoding.Encoding {
	switch c {
	case charsetJapanese:
		return japanese.ShiftJIS
	case charsetKorean:
		return korean.EUCKR
	case charsetChinese:
		return simplifiedchinese.GBK
	case charsetCyrillic:
		return charmap.Windows1251
	case charsetWestern:
		return charmap.Windows1252
	}
	return nil
}

// decode makes text of a string: UTF-8 stays as it is, and so do bytes while the character set is unknown; they are
// escaped where they are shown.
func (c charset) decode(b []byte) string {
	enc := c.encoding()
	if enc == nil || utf8.Valid(b) {
		return string(b)
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return string(b)
	}
	return string(out)
}

// A guess sums up how well the strings of a server fit each character set.
type guess struct {
	points [charsetCount]int
	seen   int
	best   charset
}

// enough is the number of strings after which a guess no longer changes.
const enough = 64

// choose fixes the character set that the user gave, if any; then nothing is guessed.
func (g *guess) choose(d *dissect.D) {
	for c := charsetJapanese; c < charsetCount; c++ {
		if d.Inner().Find(charsetTable, codePages[c]) != 0 {
			g.best, g.seen = c, enough
		}
	}
}

// charsetChoices are the code pages that decode-as may say.
func charsetChoices() (out []dissect.Key) {
	for c := charsetJapanese; c < charsetCount; c++ {
		out = append(out, dissect.Key{Table: charsetTable, Value: codePages[c]})
	}
	return out
}

// feed adds one string to the guess.
func (g *guess) feed(b []byte) {
	if g.seen >= enough || plain(b) || utf8.Valid(b) {
		return
	}
	g.seen++
	for c := charsetJapanese; c < charsetCount; c++ {
		g.points[c] += c.fits(b)
	}
	g.best = charsetUnknown
	for c := charsetJapanese; c < charsetCount; c++ {
		if g.points[c] > 0 && (g.best == charsetUnknown || g.points[c] > g.points[g.best]) {
			g.best = c
		}
	}
}

func plain(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// fits says how much like text a string is in the character set: from -100, not possible, to 100 for the characters
// that people use most.
func (c charset) fits(b []byte) int {
	if c == charsetCyrillic || c == charsetWestern {
		return c.letters(b)
	}
	sum, count := 0, 0
	for i := 0; i < len(b); i++ {
		if b[i] < 0x80 {
			continue
		}
		points, wide := c.points(b[i:])
		if points < 0 {
			return -100
		}
		if wide {
			i++
		}
		sum += points
		count++
	}
	return sum / max(count, 1)
}

// points rates the character that b begins with: its first byte is above 0x7F.
func (c charset) points(b []byte) (points int, wide bool) {
	lead, trail := b[0], byte(0)
	if len(b) > 1 {
		trail = b[1]
	}
	if c == charsetJapanese {
		switch {
		case lead >= 0xA1 && lead <= 0xDF: // half-width katakana
			return 30, false
		case trail < 0x40 || trail == 0x7F || trail > 0xFC || lead == 0x80 || lead == 0xA0 || lead > 0xFC:
			return -1, false
		case lead == 0x82 || lead == 0x83: // kana
			return 100, true
		case lead >= 0x88 && lead <= 0x98: // everyday kanji
			return 90, true
		case lead == 0x81:
			return 60, true
		}
		return 40, true
	}
	everyday := trail >= 0xA1 && trail <= 0xFE
	switch {
	case trail < 0x41 || trail == 0x7F || lead == 0x80 || lead == 0xFF || trail == 0xFF:
		return -1, false
	case c == charsetKorean && everyday && lead >= 0xB0 && lead <= 0xC8: // everyday Hangul
		return 100, true
	case c == charsetKorean && lead <= 0xC6: // other Hangul
		return 20, true
	case c == charsetChinese && everyday && lead >= 0xB0 && lead <= 0xD7: // everyday Han
		return 90, true
	case c == charsetChinese && everyday:
		return 40, true
	}
	return 10, true
}

// letters rates the character sets of one byte each: Cyrillic letters stand together, Western ones between others.
func (c charset) letters(b []byte) int {
	enc := charmap.Windows1251
	if c == charsetWestern {
		enc = charmap.Windows1252
	}
	sum, count := 0, 0
	for i, x := range b {
		if x < 0x80 {
			continue
		}
		count++
		r := enc.DecodeByte(x)
		high := i > 0 && b[i-1] >= 0x80 || i+1 < len(b) && b[i+1] >= 0x80
		latin := i > 0 && unicode.IsLetter(rune(b[i-1])) && b[i-1] < 0x80 ||
			i+1 < len(b) && b[i+1] < 0x80 && unicode.IsLetter(rune(b[i+1]))
		switch {
		case r == utf8.RuneError || unicode.IsControl(r):
			return -100
		case !unicode.IsLetter(r):
			sum += 5
		case c == charsetCyrillic && high && !latin:
			sum += 85
		case c == charsetWestern && !high:
			sum += 70
		default:
			sum += 15
		}
	}
	return sum / max(count, 1)
}

// read feeds the strings of a message.
func (g *guess) read(p *piece) {
	if g.seen >= enough || p.typ >= typeCount || p.typ == gameData || plain(p.body) {
		return
	}
	s := scan{b: p.body}
	if !s.walk(grammars[p.typ]) {
		return
	}
	s = scan{b: p.body, heard: g}
	s.walk(grammars[p.typ])
}
