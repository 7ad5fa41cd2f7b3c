package dht

import (
	"bytes"
	"encoding/hex"

	"remora/dissect"
)

// maxDepth bounds lists in lists: messages have four levels.
const maxDepth = 12

// reader reads bencoding: strings with their length in front, numbers between i and e, lists and dictionaries up to an
// e.
type reader struct {
	d     *dissect.D
	depth int
}

// value reads one value and tells whether there was one. key is what it belongs to.
func (r *reader) value(key string) bool {
	d := r.d
	switch c := d.Peek(0); {
	case d.Left() == 0:
		return false
	case c == 'd' || c == 'l':
		return r.nest(c, key)
	case c == 'i':
		return r.number()
	case c >= '0' && c <= '9':
		return r.text(key)
	}
	d.Expert(nString)
	d.Rest(fRest)
	return false
}

// nest reads a list or a dictionary.
func (r *reader) nest(c byte, key string) (ok bool) {
	d := r.d
	if r.depth >= maxDepth {
		d.Expert(nDeep)
		d.Rest(fRest)
		return false
	}
	f := fDict
	if c == 'l' {
		f = fList
	}
	r.depth++
	peers := 0
	d.In(f, func() {
		d.Bytes(fMark, 1)
		for more := d.Elements(); d.Peek(0) != 'e' && more.Next(); {
			if c == 'l' {
				ok = r.value(key)
				peers++
			} else {
				ok = r.entry()
			}
			if !ok {
				return
			}
		}
		if ok = d.Left() > 0; ok {
			d.Bytes(fEnd, 1)
		}
	})
	if key == "values" && c == 'l' && d.Info().Wanted() {
		d.Info().Setf("reply=%d peers", peers)
	}
	r.depth--
	return ok
}

// entry reads a key and its value.
func (r *reader) entry() (ok bool) {
	d := r.d
	d.In(fEntry, func() {
		n, at := length(d.Data())
		if at == 0 || n > d.Left()-at {
			r.badLength()
			d.Rest(fRest)
			return
		}
		key := string(d.Data()[at : at+n])
		d.PutText(fKey, show([]byte(key)), d.Pos(), at+n)
		d.Skip(at + n)
		ok = r.value(key)
	})
	return ok
}

// number reads a number between i and e.
func (r *reader) number() bool {
	d := r.d
	n := bytes.IndexByte(d.Data(), 'e')
	if n < 2 || n > 21 {
		r.badLength()
		d.Rest(fRest)
		return false
	}
	d.PutText(fInt, string(d.Data()[1:n]), d.Pos(), n+1)
	d.Skip(n + 1)
	return true
}

// text reads a string, and takes addresses apart.
func (r *reader) text(key string) bool {
	d := r.d
	n, at := length(d.Data())
	if at == 0 || n > d.Left()-at {
		r.badLength()
		d.Rest(fRest)
		return false
	}
	b := d.Data()[at : at+n]
	pos := d.Pos()
	if d.Wanted(fString) {
		d.PutText(fString, show(b), pos, at+n)
	}
	d.Skip(at)
	d.Below(func() {
		switch {
		case key == "nodes" && n%26 == 0 && n > 0:
			r.nodes(n, 26)
		case key == "nodes6" && n%38 == 0 && n > 0:
			r.nodes(n, 38)
		case key == "values" && (n == 6 || n == 18):
			d.In(fPeer, func() { r.address(n - 2) })
		default:
			d.Skip(n)
		}
	})
	return !d.Short()
}

func (r *reader) nodes(n, size int) {
	d := r.d
	if d.Info().Wanted() {
		d.Info().Setf("reply=%d nodes", n/size)
	}
	d.In(fNodes, func() {
		for more := d.Elements(); n >= size && more.Next(); n -= size {
			d.In(fNode, func() {
				d.Bytes(fID, 20)
				r.address(size - 22)
			})
		}
	})
}

// address reads an address of n bytes and a port.
func (r *reader) address(n int) {
	if n == 4 {
		r.d.IPv4(fIP)
	} else {
		r.d.IPv6(fIP6)
	}
	r.d.Uint(fPort)
}

// length reads the length in front of a string; at is where the string starts, 0 when there is none.
func length(b []byte) (n, at int) {
	for i, c := range b[:min(len(b), 8)] {
		switch {
		case c == ':' && i > 0:
			return n, i + 1
		case c < '0' || c > '9':
			return 0, 0
		}
		n = n*10 + int(c-'0')
	}
	return 0, 0
}

// show is a string as text, or in hexadecimal where it is none.
func show(b []byte) string {
	for _, c := range b {
		if c < 0x20 || c >= 0x7f {
			return hex.EncodeToString(b[:min(len(b), 1024)])
		}
	}
	return string(b)
}

// badLength notes a length that does not fit, unless the capture cut off what it is of.
func (r *reader) badLength() {
	if !r.d.CutShort() {
		r.d.Expert(nLength)
	}
}
