package dissect

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"strings"
)

// Word is the number of a word in a table whose keys are words, such as the protocol names of ALPN.
func Word(word string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(word))
	return h.Sum32()
}

// An InnerProtocol is a protocol whose stream another one carries, such as HTTP within TLS. It is a plain value for
// notes; zero is none.
type InnerProtocol uint16

// Find looks for the protocol of a carried stream: under the number of a table, by decode as or by declaration.
func (hd *InnerLayers) Find(t Table, key uint32) InnerProtocol {
	d := (*D)(hd)
	if id, ok := d.s.decodeAs[Key{t, key}]; ok {
		return InnerProtocol(id + 1)
	}
	if ps := d.reg.attached(t, key); len(ps) > 0 {
		return InnerProtocol(ps[0] + 1)
	}
	return 0
}

// Called looks for a protocol by its short name, as people write it in tables of keys.
func (hd *InnerLayers) Called(name string) InnerProtocol {
	d := (*D)(hd)
	if id, ok := d.reg.plugin[name]; ok {
		return InnerProtocol(id + 1)
	}
	return 0
}

// Guess looks for the protocol of a carried stream by its first bytes: one that is sure about a stream of TCP.
func (hd *InnerLayers) Guess(b []byte) InnerProtocol {
	d := (*D)(hd)
	data, pos, end, short := d.data, d.pos, d.end, d.short
	d.data, d.pos, d.end, d.short = b, 0, len(b), false
	defer func() { d.data, d.pos, d.end, d.short = data, pos, end, short }()
	for _, id := range d.reg.guessTCP {
		if id != d.plugin && d.ask(id) == Strong {
			return InnerProtocol(id + 1)
		}
	}
	return 0
}

// Name is the protocol's name in full, "Hypertext Transfer Protocol", or "" for none.
func (hd *InnerLayers) Name(in InnerProtocol) string {
	d := (*D)(hd)
	if in == 0 {
		return ""
	}
	p := d.reg.plugins[in-1].Protocol
	name := p.self.rare.summary
	if i := strings.IndexAny(name, "[{(,"); i >= 0 {
		name = name[:i]
	}
	return cmp.Or(strings.TrimSpace(name), p.title)
}

// Framing is how the protocol cuts its messages from a stream, or nil; remainder tells whether it wants what waits at
// the end. It serves the first pass.
func (hd *Streams) Framing(in InnerProtocol) (length func(b []byte) int, remainder bool) {
	d := (*D)(hd)
	if in == 0 {
		return nil, false
	}
	p := &d.reg.plugins[in-1]
	if p.Cut == nil {
		return p.Message, p.Remainder
	}
	return func(b []byte) int {
		if d.cutting >= MaxLayers { // it carries itself
			return len(b)
		}
		d.cutting++
		defer func() { d.cutting-- }()
		return p.Cut(d, b)
	}, p.Remainder
}

// Self is the protocol of this layer, as one that is carried.
func (hd *InnerLayers) Self() InnerProtocol {
	d := (*D)(hd)
	return InnerProtocol(d.plugin + 1)
}

// Carry hands the rest of the range to a protocol whose stream this layer carries; zero leaves it to the plugin "data".
// It tells whether there was one that took it.
func (hd *Streams) Carry(in InnerProtocol) bool {
	d := (*D)(hd)
	id, why := uint16(noPlugin), ByTable
	if in != 0 {
		id, why = uint16(in-1), ByStream
	}
	return d.dispatch(func() step { return step{id, why} }, 0)
}

// RefsAt names n bytes at an offset of the current source by the frames they came in: those of the frame itself, or of
// a message put together from a stream. It tells false for bytes that came about in other ways.
func (hd *Streams) RefsAt(off, n int) ([]Ref, bool) {
	d := (*D)(hd)
	if r, ok := d.Stream().RefAt(off, n); ok && d.src == d.basis.src {
		return []Ref{r}, true
	}
	if d.src == 0 || d.src != d.joinedSrc || off < 0 || n < 0 || off+n > len(d.data) {
		return nil, false
	}
	return within(d.joined, off, n), true
}

// List adds one item of a list to the Info column: with a comma where the layer has said something before.
func (hd *InfoColumn) List(text string) { (*D)(hd).list(text, false) }

// ListBehind is List with a comma behind remarks on the packet, too, as tshark writes it for some protocols.
func (hd *InfoColumn) ListBehind(text string) { (*D)(hd).list(text, true) }

func (d *D) list(text string, behind bool) {
	if !d.want.text {
		return
	}
	before := len(d.t.info)
	if !d.ownInfo() {
		return
	}
	switch n := len(d.t.info); {
	case n > d.fence && n > before && d.t.info[n-1] == ' ':
		d.t.info = append(d.t.info[:n-1], ", "...)
	case behind && n > 0 && n == d.fence && bytes.HasSuffix(d.t.info, remarked):
		d.t.info = append(d.t.info, ", "...)
	}
	d.t.info = append(d.t.info, Escape(text)...)
}

// Add adds one item to what the layers around said in the Info column, instead of taking its place as the first words
// of a layer otherwise do. They may go on behind it. Without a text it only keeps what they said.
func (hd *InfoColumn) Add(text string) {
	d := (*D)(hd)
	if !d.want.text || d.quoted || d.aside || d.layer < d.infoLayer {
		return
	}
	d.infoLayer, d.infoBy = d.layer, d.plugin
	if text == "" {
		return
	}
	if n := len(d.t.info); n > d.fence || n > 0 && !bytes.HasSuffix(d.t.info, remarked) {
		d.t.info = append(d.t.info, ", "...)
	}
	d.t.info = append(d.t.info, Escape(text)...)
}

// remarked ends a remark on the packet in the Info column, behind which no comma belongs.
var remarked = []byte("] ")

// Attached tells whether a protocol is found under the number of a table, by decode as or by declaration.
func (hd *InnerLayers) Attached(t Table, key uint32) bool {
	d := (*D)(hd)
	return d.Inner().Find(t, key) != 0
}

// KeepProtocol keeps this layer in the Protocol column, whatever layers were inside.
func (hd *InfoColumn) KeepProtocol() {
	d := (*D)(hd)
	d.top = d.plugin
}
