package dissect

import (
	"slices"

	"remora/internal/sorting"
)

// A FollowMode is what can be read of a conversation beside the bytes of its transport: what TLS decrypts, the messages
// of HTTP. Protocols may share a mode by naming it alike.
type FollowMode struct {
	Name      string // in lower case, as -z follow has it: "tls"
	Transport Table  // what the conversation must be of; "" for any
	Opens     FollowOpening
	Decrypts  bool // there is nothing to read without keys
	// Read hands on the pieces that a packet brings, in their order.
	Read func(t *Tree, add func(FollowPiece))
	// Sub numbers the streams within a conversation, each of which ReadSub reads alone; nil where there are none.
	Sub     *Field
	ReadSub func(t *Tree, sub uint64, add func(FollowPiece))
	// Number numbers what is followed in place of the transport's number of the conversation; nil for that.
	Number *Field
	// OneEnd tells that tshark names but the end that speaks first.
	OneEnd bool

	of *Protocol
}

// Protocol is whose mode it is.
func (m *FollowMode) Protocol() *Protocol { return m.of }

// A FollowOpening says when a conversation is followed in a mode without being asked to.
type FollowOpening uint8

// The openings, from never on.
const (
	OpensAsked   FollowOpening = iota // only when the mode is chosen
	OpensRead                         // when a packet brings a piece
	OpensCarried                      // when the conversation carries the protocol
)

// A FollowPiece is a part of what is read in a FollowMode.
type FollowPiece struct {
	Data []byte
	Info string // what it is, in place of the packet's Info; "" for the packet's own
	// Empty says that something was said in no bytes: that a stream ends.
	Empty bool
	// Typed keeps the packet's type although there is an Info.
	Typed bool
}

// FollowModes are those of all plugins: what is decrypted first, then the order of the plugins.
func (r *Registry) FollowModes() []FollowMode {
	var out []FollowMode
	for i := range r.plugins {
		for _, m := range r.plugins[i].Follow {
			m.of = r.plugins[i].Protocol
			out = append(out, m)
		}
	}
	sorting.Stable(out, func(a, b FollowMode) int { return rank(a) - rank(b) })
	return out
}

func rank(m FollowMode) int {
	if m.Decrypts {
		return 0
	}
	return 1
}

// A Transport says where a protocol of ports has what is put together when a conversation is followed.
type Transport struct {
	Table   Table  // TableTCP or TableUDP
	SrcPort *Field // what Ends.Converse is told
	DstPort *Field
	Stream  *Field   // the number of the conversation
	Payload *Field   // the bytes that it carries
	Numbers []*Field // the number of the payload's first byte, the first of these that a packet has; none of datagrams
	Opens   *Field   // set in the packet that opens a stream, whose number is one less; nil of datagrams
	Acks    *Field   // the packet whose last byte is acknowledged; nil where nobody says so
}

// Transports are the declared ones: TCP, UDP, then the others.
func (r *Registry) Transports() (list []*Transport) {
	for i := range r.plugins {
		if t := r.plugins[i].Transport; t != nil {
			list = append(list, t)
		}
	}
	order := func(t *Transport) int { return max(0, 1+slices.Index([]Table{"", TableUDP, TableTCP}, t.Table)) }
	sorting.Stable(list, func(a, b *Transport) int { return order(b) - order(a) })
	return list
}

// Transport is the declared one of a table, or nil.
func (r *Registry) Transport(of Table) *Transport {
	for i := range r.plugins {
		if t := r.plugins[i].Transport; t != nil && t.Table == of {
			return t
		}
	}
	return nil
}
