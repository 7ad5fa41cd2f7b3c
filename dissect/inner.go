package dissect

import "hash/fnv"

// Secrets are the keys with which encrypted traffic can be read, as programs write them to a key log: by the label of
// the secret and what tells the connection, for TLS the client's random. A secret that is not known is nil. Secrets may
// become known later; they are asked for in the first pass alone, from its goroutine.
type Secrets interface {
	Secret(label string, id []byte) []byte
}

// Secret asks the registry's Secrets. It belongs into the closures of Store.Once: what comes of it must be kept in notes
// or on a Shelf.
func (d *D) Secret(label string, id []byte) []byte {
	if d.reg.Secrets == nil || !d.first {
		return nil
	}
	return d.reg.Secrets.Secret(label, id)
}

// Word is the number of a word in a table whose keys are words, such as the protocol names of ALPN.
func Word(word string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(word))
	return h.Sum32()
}

// Attached tells whether a protocol is found under the number of a table, by decode as or by declaration.
func (d *D) Attached(t Table, key uint32) bool {
	_, ok := d.s.decodeAs[Key{t, key}]
	return ok || len(d.reg.attached(t, key)) > 0
}

// Framing is how the protocol found under the number of a table cuts its messages from a stream, or nil; remainder
// tells whether it wants what waits at the end. It serves protocols that carry the stream of another one.
func (d *D) Framing(t Table, key uint32) (length func(b []byte) int, remainder bool) {
	id, ok := d.s.decodeAs[Key{t, key}]
	if !ok {
		ps := d.reg.attached(t, key)
		if len(ps) == 0 {
			return nil, false
		}
		id = ps[0]
	}
	p := &d.reg.plugins[id]
	return p.Message, p.Remainder
}

// RefsAt names n bytes at an offset of the current source by the frames they came in: those of the frame itself, or of a
// message put together from a stream. It tells false for bytes that came about in other ways.
func (d *D) RefsAt(off, n int) ([]Ref, bool) {
	if r, ok := d.RefAt(off, n); ok {
		return []Ref{r}, true
	}
	if d.src == 0 || d.src != d.joinedSrc || off < 0 || n < 0 || off+n > len(d.data) {
		return nil, false
	}
	var out []Ref
	for _, r := range d.joined {
		if skip := min(off, int(r.Len)); skip > 0 {
			off -= skip
			r.Off += uint32(skip)
			r.Len -= uint32(skip)
		}
		if r.Len = min(r.Len, uint32(n)); r.Len > 0 {
			out = append(out, r)
			n -= int(r.Len)
		}
	}
	return out, true
}

// Listed adds one item of a list to the Info column: with a comma where the layer has said something before.
func (d *D) Listed(text string) {
	if !d.want.text {
		return
	}
	before := len(d.t.info)
	if !d.ownInfo() {
		return
	}
	if n := len(d.t.info); n > d.fence && n > before && d.t.info[n-1] == ' ' {
		d.t.info = append(d.t.info[:n-1], ", "...)
	}
	d.t.info = append(d.t.info, Escape(text)...)
}
