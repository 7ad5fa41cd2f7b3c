// Package find looks for what people search in packets: a text, bytes, a regular expression, a filter, a line of the
// tree. It finds it within a packet, and in all packets of a list beside everything else.
package find

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
)

// A Mode is what a search looks at.
type Mode int

// The modes, in the order in which a key goes through them.
const (
	Anything Mode = iota // the row and the bytes
	Details              // the lines of the tree
	Bytes
	Pattern // a regular expression: the row and the lines of the tree
	Filter  // a display filter
	Modes
)

// A Finder is what is searched, understood.
type Finder struct {
	Mode  Mode
	text  string // in small letters
	lower []byte // the same
	texts []byte // of the row looked at, with zeros between them
	raw   []byte // in small letters unless exact
	exact bool   // bytes were written, not a text
	re    *regexp.Regexp
	f     *filter.Filter
	row   *dissect.Wants // of the texts of a row
	stem  string         // letters of the text that no number has
	bare  []bareRows     // by layer stack: whether a row may have the stem
}

// bareRows says whether rows of a layer stack may have a text.
type bareRows uint8

const (
	notAsked bareRows = iota
	mayHave
	copies // of what stands among the packet's bytes
	haveNot
)

// New understands what is searched. A filter may ask for fields of a packet, which is here; nil is none.
func New(reg *dissect.Registry, mode Mode, text string, options filter.Options, here *dissect.Tree) (*Finder, error) {
	fd := &Finder{Mode: mode, text: strings.ToLower(text), row: reg.RowWants()}
	fd.lower = []byte(fd.text)
	var err error
	switch mode {
	case Anything:
		fd.raw, fd.exact = bytesToFind(text)
		fd.stem = stemOf(fd.text)
	case Bytes:
		fd.raw, fd.exact = bytesMeant(text)
	case Pattern:
		if fd.re, err = regexp.Compile("(?i)" + text); err != nil {
			return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	case Filter:
		if fd.f, err = filter.CompileWith(reg, text, options); err == nil && fd.f.References() && here != nil {
			fd.f = fd.f.With(here)
		}
	}
	return fd, err
}

// Stopped says why a filter stopped before it was done, as one that costs too much does; nil where none did.
func (fd *Finder) Stopped() error {
	if fd.f == nil {
		return nil
	}
	return fd.f.Stopped()
}

// Packet tells whether a packet holds what is searched.
func (fd *Finder) Packet(l *dissect.Dissector, n dissect.FrameNum) bool {
	if fd.Mode == Filter {
		return fd.f.Match(l, n)
	}
	if fd.Mode == Bytes || fd.Mode == Anything {
		return fd.inBytes(l, n, fd.ByteAt) || fd.Mode == Anything && fd.inSomeRow(l, n) && fd.inRow(l.Redissect(n, fd.row))
	}
	t := l.Tree(n)
	if fd.Mode == Pattern && (fd.re.MatchString(t.Info()) || fd.re.MatchString(t.Kind())) {
		return true
	}
	return fd.Node(t, 0, 1) >= 0
}

// inBytes looks into the bytes of a packet, and into those that were made of them.
func (fd *Finder) inBytes(l *dissect.Dissector, n dissect.FrameNum, place func(b []byte, from, step int) int) bool {
	if b, err := l.Bytes(n); err == nil && place(b, 0, 1) >= 0 {
		return true
	}
	sources, _ := l.Sources(n)
	for _, src := range sources[1:] {
		if place(src.Data, 0, 1) >= 0 {
			return true
		}
	}
	return false
}

// inSomeRow tells whether the row of a packet, whose bytes do not have the text, may have it: many rows have few words
// beside numbers and what stands in the packet, and need not be made.
func (fd *Finder) inSomeRow(l *dissect.Dissector, n dissect.FrameNum) bool {
	if fd.stem == "" {
		return true
	}
	sh := l.Session().LayerStackOf(n)
	if int(sh.ID) >= len(fd.bare) {
		fd.bare = append(fd.bare, make([]bareRows, int(sh.ID)+1-len(fd.bare))...)
	}
	is := &fd.bare[sh.ID]
	if *is == notAsked {
		*is = fd.rowsOf(l.Session(), sh)
	}
	return *is == mayHave || *is == copies && fd.stem != string(fd.raw) && fd.inBytes(l, n, fd.stemAt) || l.TellsMessage(n)
}

// rowsOf tells whether rows of a layer stack may have the text.
func (fd *Finder) rowsOf(s *dissect.Session, sh *dissect.LayerStack) bareRows {
	words, copied, ok := s.RowWords(sh)
	switch {
	case !ok || slices.ContainsFunc(words, fd.inWord):
		return mayHave
	case copied:
		return copies
	}
	return haveNot
}

func (fd *Finder) stemAt(b []byte, _, _ int) int { return bytesFold(b, []byte(fd.stem)) }

func (fd *Finder) inWord(word string) bool { return strings.Contains(strings.ToLower(word), fd.stem) }

// stemOf is the longest run of letters of ASCII in a text that are no hexadecimal number. A text with a backslash has
// none: letters of rows may be part of what stands for a byte.
func stemOf(text string) (stem string) {
	if strings.Contains(text, `\`) {
		return ""
	}
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if len(run) > len(stem) && strings.Trim(run, "abcdefx") != "" {
			stem = run
		}
	}
	return stem
}

// inRow looks into the texts of a packet's row.
func (fd *Finder) inRow(t *dissect.Tree) bool {
	b := append(append(t.AppendInfo(fd.texts[:0]), 0), t.Kind()...)
	b = append(append(append(b, 0), t.ProtocolText()...), 0)
	b = append(t.Src.AppendTo(b), 0)
	fd.texts = t.Dst.AppendTo(b)
	if fd.text == "" || bytesFold(fd.texts, fd.lower) >= 0 {
		return true
	}
	return beyondASCII(fd.text) && strings.Contains(strings.ToLower(string(fd.texts)), fd.text)
}

// Node is the next line of a tree, in a direction, that holds what is searched, or -1.
func (fd *Finder) Node(t *dissect.Tree, from, step int) int {
	for i := from; i >= 0 && i < len(t.Nodes); i += step {
		if t.IsHidden(i) || hiddenAbove(t, i) {
			continue
		}
		label := t.Label(i)
		if fd.re != nil && fd.re.MatchString(label) || fd.re == nil && indexFold(label, fd.text) >= 0 {
			return i
		}
	}
	return -1
}

func hiddenAbove(t *dissect.Tree, i int) bool {
	for i = t.Parent(i); i >= 0; i = t.Parent(i) {
		if t.IsHidden(i) {
			return true
		}
	}
	return false
}

// ByteAt is the next place, in a direction, of the bytes that are searched, or -1. Letters are found in either case
// unless bytes were written.
func (fd *Finder) ByteAt(data []byte, from, step int) int {
	if len(fd.raw) == 0 {
		return -1
	}
	if step > 0 {
		if from < 0 || from >= len(data) {
			return -1
		}
		i := bytes.Index
		if !fd.exact {
			i = bytesFold
		}
		if at := i(data[from:], fd.raw); at >= 0 {
			return from + at
		}
		return -1
	}
	for i := min(from, len(data)-len(fd.raw)); i >= 0; i-- {
		if fd.exact && bytes.HasPrefix(data[i:], fd.raw) || !fd.exact && hasPrefixFold(data[i:], fd.raw) {
			return i
		}
	}
	return -1
}

// bytesFold is the first place of bytes in others, whatever the case of letters of ASCII there, or -1. Bytes are found
// many at once by their beginning.
func bytesFold(b, lower []byte) int {
	if len(b) < len(lower) {
		return -1
	}
	starts := b[:len(b)-len(lower)+1]
	low, up := bytes.IndexByte(starts, lower[0]), -1
	if c := lower[0]; 'a' <= c && c <= 'z' {
		up = bytes.IndexByte(starts, c-'a'+'A')
	}
	for low >= 0 || up >= 0 {
		at := &low
		if low < 0 || up >= 0 && up < low {
			at = &up
		}
		if i := *at; hasPrefixFold(b[i:], lower) {
			return i
		}
		*at = nextByte(starts, *at)
	}
	return -1
}

// nextByte is the next place of the byte at i, or -1.
func nextByte(b []byte, i int) int {
	if next := bytes.IndexByte(b[i+1:], b[i]); next >= 0 {
		return i + 1 + next
	}
	return -1
}

// hasPrefixFold tells whether bytes begin with others, which have no capital letters of ASCII, whatever the case of
// theirs.
func hasPrefixFold[T, U ~string | ~[]byte](s T, lower U) bool {
	if len(s) < len(lower) {
		return false
	}
	for i := range len(lower) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// indexFold is the place of a text in small letters in another one, whatever the case there, or -1. Only letters beyond
// ASCII cost a copy.
func indexFold(s, lower string) int {
	for i := 0; i+len(lower) <= len(s); i++ {
		if hasPrefixFold(s[i:], lower) {
			return i
		}
	}
	if beyondASCII(lower) {
		return strings.Index(strings.ToLower(s), lower)
	}
	return -1
}

func beyondASCII(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// bytesToFind are the bytes that 0x… stands for, else those of the text in small letters.
func bytesToFind(text string) (b []byte, exact bool) {
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		if b, ok := hexBytes(digits); ok {
			return b, true
		}
	}
	return []byte(strings.ToLower(text)), false
}

// bytesMeant are bytes where bytes are searched: pairs of hexadecimal digits as they are, a text in quotes.
func bytesMeant(text string) (b []byte, exact bool) {
	if b, ok := hexBytes(strings.TrimPrefix(strings.ToLower(text), "0x")); ok {
		return b, true
	}
	return []byte(strings.ToLower(strings.Trim(text, `"`))), false
}

func hexBytes(digits string) ([]byte, bool) {
	b, err := hex.DecodeString(strings.NewReplacer(":", "", " ", "", "-", "").Replace(digits))
	return b, err == nil && len(b) > 0
}
