package http2

import (
	"errors"

	"golang.org/x/net/http2/hpack"
)

// A line is one field of a header as HPACK (RFC 7541) writes it: what it says, how it is written, and where.
type line struct {
	name, value string
	form        form
	index       uint32 // in the tables, 0 where the name is written out
	off, size   int    // in the header block
	unknown     bool   // it refers to a part of the dynamic table that the capture does not hold
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
	formIndexed: "Indexed Header Field",
	formKept:    "Literal Header Field with Incremental Indexing - Indexed Name", formKeptNew: "Literal Header Field with Incremental Indexing - New Name",
	formPlain: "Literal Header Field without Indexing - Indexed Name", formPlainNew: "Literal Header Field without Indexing - New Name",
	formNever: "Literal Header Field never Indexed - Indexed Name", formNeverNew: "Literal Header Field never Indexed - New Name",
	formResize: "Maximum Header Table Size Change",
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

// Limits of the dynamic table (RFC 7541 section 4): its size at the start, and the largest that is followed. What each line
// costs beside its bytes is fixed.
const (
	startTable = 4096
	maxTable   = 64 << 10
	lineCost   = 32
)

// A table is the dynamic table of one direction, newest line last. The zero table is an empty one of the size at the start.
type table struct {
	lines   []hpack.HeaderField
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
	n := 0
	for t.size > t.most() && n < len(t.lines) {
		t.size -= len(t.lines[n].Name) + len(t.lines[n].Value) + lineCost
		n++
	}
	t.lines = append(t.lines[:0], t.lines[n:]...)
}

func (t *table) add(name, value string) {
	t.lines = append(t.lines, hpack.HeaderField{Name: name, Value: value})
	t.size += len(name) + len(value) + lineCost
	t.evict()
}

// at is the line of an index; false is one that the table does not hold.
func (t *table) at(index uint64) (name, value string, ok bool) {
	var h hpack.HeaderField
	switch n := index - uint64(len(static)); {
	case index == 0:
		return "", "", false
	case index < uint64(len(static)):
		h = static[index]
	case n < uint64(len(t.lines)):
		h = t.lines[len(t.lines)-1-int(n)]
	default:
		return "", "", false
	}
	return h.Name, h.Value, true
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
	for r.at < len(b) {
		l := line{off: r.at}
		c := b[r.at]
		switch {
		case c&0x80 != 0:
			l.form = formIndexed
			index := r.number(7)
			l.index = uint32(index)
			var ok bool
			l.name, l.value, ok = t.at(index)
			l.unknown = !ok
		case c&0xc0 == 0x40:
			t.literal(&r, &l, 6, formKept)
			if r.err == nil {
				t.add(l.name, l.value)
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
		l.size = r.at - l.off
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
		l.name, _, ok = t.at(index)
		l.unknown = !ok
	}
	l.value = r.text()
}
