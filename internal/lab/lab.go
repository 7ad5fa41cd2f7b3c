// Package lab looks for the fields of an unknown protocol in its messages: which bytes tell the type of a message,
// which count, which say how long something is, which are times, floating-point numbers or text. It proposes; a person
// decides.
package lab

import (
	"cmp"
	"slices"

	"remora/internal/sorting"
)

// A Message is one message as it was sent. Those of one direction of a conversation are in the order of their times.
type Message struct {
	Time      int64 // nanoseconds
	Flow      uint32
	Direction int
	Data      []byte
	Frame     uint32 // the packet that it began in, or 0
}

// A Kind is what a field seems to be.
type Kind uint8

// The kinds of fields.
const (
	Unknown Kind = iota
	Constant
	Type
	Enumeration
	Counter
	Length
	Count
	Timestamp
	Float
	Text
	Flags
	Checksum
	Compressed
	Random
)

var kindNames = [...]string{"unknown", "constant", "type", "enumeration", "counter", "length", "count", "timestamp",
	"float", "text", "flags", "checksum", "compressed", "random"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// A Field is a proposal for some bytes of the messages of a group.
type Field struct {
	Kind       Kind
	Off, Size  int // Size 0: up to the end
	Little     bool
	Confidence float64 // 0 to 1
	Note       string  // why: "+1", "length - 4", "ms"
	Value      uint64  // of a constant
	Values     []uint64
	Name, As   string // by which somebody named it, and the type that it was given
}

// A Match is bytes that the messages of a group have in common: their type.
type Match struct {
	Off, Size int
	Value     uint64
}

// A Group is messages that are alike.
type Group struct {
	Match     []Match
	Direction int // -1 for both
	Messages  []Message
	Min, Max  int // lengths
	Fields    []Field
	Framing   *Framing // by which the messages are told apart

	orders  orders
	whole   []Message // all of the report
	sums    []Field   // the checksums, once they are looked for
	scratch []byte
}

// A Report is what the lab found.
type Report struct {
	Messages int
	Framing  *Framing // of a stream
	Records  *Records // messages are lists of these: the groups are theirs
	Head     *Group   // what stands in front of the list
	Groups   []*Group
	Pairs    []Pair // groups of requests, and those of their responses

	orders orders
}

// Analyse groups messages and proposes fields for each group.
func Analyse(messages []Message, framing *Framing) *Report {
	messages = slices.DeleteFunc(slices.Clone(messages), func(m Message) bool { return len(m.Data) == 0 })
	r := &Report{Messages: len(messages), Framing: framing}
	if len(messages) == 0 {
		return r
	}
	if rec, ok := findRecords(messages); ok && framing == nil {
		r.Records, framing = &rec, &rec.Framing
		r.Head = rec.head(messages)
		messages = rec.cut(messages)
	}
	split(&Group{Direction: -1, Messages: messages, Framing: framing}, 0, &r.Groups)
	r.Groups = evenly(r.Groups)
	for _, g := range r.Groups {
		g.measure()
		g.whole = messages
	}
	r.orders = r.order()
	for _, g := range r.Groups {
		g.propose(r.orders)
	}
	sorting.Stable(r.Groups, func(a, b *Group) int { return cmp.Compare(len(b.Messages), len(a.Messages)) })
	r.Pairs = r.pairs()
	return r
}

func (g *Group) measure() {
	g.Min, g.Max = len(g.Messages[0].Data), 0
	for _, m := range g.Messages {
		g.Min, g.Max = min(g.Min, len(m.Data)), max(g.Max, len(m.Data))
	}
}

// value reads a number.
func value(b []byte, off, size int, little bool) (v uint64) {
	for i := range size {
		at := off + i
		if little {
			at = off + size - 1 - i
		}
		v = v<<8 | uint64(b[at])
	}
	return v
}

// orders are the orders of bytes in which numbers are looked for.
type orders uint8

const (
	bothOrders orders = iota
	littleOnly
	bigOnly
)

// order is the order of bytes that most numbers of several bytes have, of whose upper bytes something is seen: a
// protocol rarely has both.
func (r *Report) order() orders {
	votes := map[orders]float64{}
	for _, in := range []orders{littleOnly, bigOnly} {
		for _, g := range r.Groups {
			g.propose(in)
			for _, f := range g.Fields {
				if f.Size > 1 && f.Size <= 8 && slices.Contains(numbers, f.Kind) && g.varies(f) {
					votes[in] += f.Confidence * float64(min(len(g.Messages), 100))
				}
			}
		}
	}
	switch all := votes[littleOnly] + votes[bigOnly]; {
	case all == 0:
	case votes[littleOnly] >= 0.6*all:
		return littleOnly
	case votes[bigOnly] >= 0.6*all:
		return bigOnly
	}
	return bothOrders
}

var numbers = []Kind{Counter, Length, Count, Timestamp, Float}

// varies tells of a number whether it is not its lowest byte alone that changes.
func (g *Group) varies(f Field) bool {
	first := value(g.Messages[0].Data, f.Off, f.Size, f.Little) >> 8
	return slices.ContainsFunc(g.Messages, func(m Message) bool {
		return value(m.Data, f.Off, f.Size, f.Little)>>8 != first
	})
}
