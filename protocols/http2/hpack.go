package http2

import (
	"errors"

	"golang.org/x/net/http2/hpack"

	"remora/dissect"
	"remora/protocols/internal/texts"
)

// A line is one field of a header as HPACK (RFC 7541) writes it: what it says, how it is written, and where.
type line struct {
	name, value string
	form        form
	index       uint32 // in the tables, 0 where the name is written out
	unknown     bool   // it refers to a part of the dynamic table that the capture does not hold
	whole       *known // the line of the dynamic table that it is, or becomes
	named       *known // the one that its name is from
}

// A known is a line in a dynamic table, with where its texts are in the list once they are there: a line of one byte
// must not put a long text there again.
type known struct {
	name, value string
	nameOn      texts.Text
	named       bool   // the name is in the list
	pair        uint32 // both are, 0 where they are not yet
}

// pair puts a line's name and value in the list, or finds them there.
func (l *line) pair(d *dissect.D) (n uint32) {
	if l.whole != nil && l.whole.pair != 0 {
		return l.whole.pair
	}
	fixed := l.form == formIndexed && l.index < uint32(len(static))
	lexicon.FirstPassIn(d, func(w *words) uint8 {
		if fixed {
			n = w.static[l.index]
		}
		return 0
	})
	if n != 0 || l.name == "" && l.value == "" {
		return n
	}
	name, value := l.texts(d)
	n = pairOf(d, pair{name, value})
	if l.whole != nil {
		l.whole.pair = n
	}
	if fixed {
		lexicon.FirstPassIn(d, func(w *words) uint8 {
			w.static[l.index] = n
			return 0
		})
	}
	return n
}

// texts puts a line's texts in the list, or finds them there.
func (l *line) texts(d *dissect.D) (name, value texts.Text) {
	switch {
	case l.named != nil && l.named.named:
		name = l.named.nameOn
	default:
		name = texts.Keep(d, l.name)
	}
	value = texts.Keep(d, l.value)
	if l.named != nil {
		l.named.nameOn, l.named.named = name, true
	}
	if l.whole != nil {
		l.whole.nameOn, l.whole.named = name, true
	}
	return name, value
}

// A form is a way to write a line (RFC 7541 section 6).
type form uint8

const (
	formNone form = iota
	formIndexed
	formKept
	formKeptNew
	formPlain
	formPlainNew
	formNever
	formNeverNew
	formResize
)

// forms are the words that Wireshark has for them.
var forms = [...]string{
	formIndexed:  "Indexed Header Field",
	formKept:     "Literal Header Field with Incremental Indexing - Indexed Name",
	formKeptNew:  "Literal Header Field with Incremental Indexing - New Name",
	formPlain:    "Literal Header Field without Indexing - Indexed Name",
	formPlainNew: "Literal Header Field without Indexing - New Name",
	formNever:    "Literal Header Field never Indexed - Indexed Name",
	formNeverNew: "Literal Header Field never Indexed - New Name",
	formResize:   "Maximum Header Table Size Change",
}

// static are the first lines of every table (RFC 7541 appendix A), from index 1 on.
var static = func() (out [62]hpack.HeaderField) {
	for i := 1; i < len(out); i++ {
		if lines, err := hpack.NewDecoder(0, nil).DecodeFull([]byte{0x80 | byte(i)}); err == nil && len(lines) == 1 {
			out[i] = lines[0]
		}
	}
	return out
}()

// Limits of the dynamic table (RFC 7541 section 4): its size at the start, and the largest that is followed. What each
// line costs beside its bytes is fixed.
const (
	startTable = 4096
	maxTable   = 64 << 10
	lineCost   = 32
)

// A table is the dynamic table of one direction, newest line last. The zero table is an empty one of the size at the
// start.
type table struct {
	lines   []*known
	gone    int // so many of them, at the front, are forgotten
	size    int
	limit   int
	limited bool
}

func (t *table) most() int {
	if t.limited {
		return t.limit
	}
	return startTable
}

// resize sets the size that the sender keeps to.
func (t *table) resize(n uint64) {
	t.limit, t.limited = int(min(n, maxTable)), true
	t.evict()
}

func (t *table) evict() {
	for t.size > t.most() && t.gone < len(t.lines) {
		k := t.lines[t.gone]
		t.size -= len(k.name) + len(k.value) + lineCost
		t.lines[t.gone] = nil
		t.gone++
	}
	if t.gone > len(t.lines)/2 { // seldom: a line that pushes out one must not cost as much as the table is long
		n := copy(t.lines, t.lines[t.gone:])
		clear(t.lines[n:])
		t.lines, t.gone = t.lines[:n], 0
	}
}

func (t *table) add(name, value string) *known {
	k := &known{name: name, value: value}
	t.lines = append(t.lines, k)
	t.size += len(name) + len(value) + lineCost
	t.evict()
	return k
}

// forget empties the table, whose lines are not known any more.
func (t *table) forget() { t.lines, t.gone, t.size = nil, 0, 0 }

// at is the line of an index, k where it is in the dynamic table; false is one that the table does not hold.
func (t *table) at(index uint64) (name, value string, k *known, ok bool) {
	switch n := index - uint64(len(static)); {
	case index == 0:
	case index < uint64(len(static)):
		return static[index].Name, static[index].Value, nil, true
	case n < uint64(len(t.lines)-t.gone):
		k = t.lines[len(t.lines)-1-int(n)]
		return k.name, k.value, k, true
	}
	return "", "", nil, false
}

var (
	errBroken = errors.New("the header block ends too early")
	errNumber = errors.New("a number in the header block is too large")
)

// A blockReader reads a header block.
type blockReader struct {
	b   []byte
	at  int
	err error
}

// number reads an integer whose first bits stand in a byte with others (RFC 7541 section 5.1).
func (r *blockReader) number(bits uint) uint64 {
	if r.at >= len(r.b) {
		r.err = errBroken
		return 0
	}
	full := uint64(1)<<bits - 1
	v := uint64(r.b[r.at]) & full
	r.at++
	if v < full {
		return v
	}
	for shift := uint(0); ; shift += 7 {
		switch {
		case r.at >= len(r.b):
			r.err = errBroken
			return 0
		case shift > 28:
			r.err = errNumber
			return 0
		}
		c := r.b[r.at]
		r.at++
		v += uint64(c&0x7f) << shift
		if c&0x80 == 0 {
			return v
		}
	}
}

// text reads a string (RFC 7541 section 5.2).
func (r *blockReader) text() string {
	packed := r.at < len(r.b) && r.b[r.at]&0x80 != 0
	n := r.number(7)
	if r.err == nil && n > uint64(len(r.b)-r.at) {
		r.err = errBroken
	}
	if r.err != nil {
		return ""
	}
	b := r.b[r.at : r.at+int(n)]
	r.at += int(n)
	if !packed {
		return string(b)
	}
	s, err := hpack.HuffmanDecodeToString(b)
	if err != nil {
		r.err = err
	}
	return s
}

// read reads a whole block and hands out its lines. The table moves on with them.
func (t *table) read(b []byte, each func(line)) error {
	r := blockReader{b: b}
	for p := (dissect.Progress{}); r.at < len(b) && p.Up(r.at); {
		var l line
		c := b[r.at]
		switch {
		case c&0x80 != 0:
			l.form = formIndexed
			index := r.number(7)
			l.index = uint32(index)
			var ok bool
			l.name, l.value, l.whole, ok = t.at(index)
			l.unknown = !ok
		case c&0xc0 == 0x40:
			t.literal(&r, &l, 6, formKept)
			if r.err == nil {
				l.whole = t.add(l.name, l.value)
			}
		case c&0xe0 == 0x20:
			n := r.number(5)
			l.form, l.index = formResize, uint32(n)
			if r.err == nil {
				t.resize(n)
			}
		case c&0xf0 == 0x10:
			t.literal(&r, &l, 4, formNever)
		default:
			t.literal(&r, &l, 4, formPlain)
		}
		if r.err != nil {
			return r.err
		}
		each(l)
	}
	return nil
}

// literal reads a line whose value is written out, its name in bits of the first byte.
func (t *table) literal(r *blockReader, l *line, bits uint, form form) {
	index := r.number(bits)
	l.form, l.index = form, uint32(index)
	if index == 0 {
		l.form++
		l.name = r.text()
	} else {
		var ok bool
		l.name, _, l.named, ok = t.at(index)
		l.unknown = !ok
	}
	l.value = r.text()
}
