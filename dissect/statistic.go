package dissect

import (
	"bufio"
	"strings"
)

// A Statistic is a -z of the command line that a protocol declares in its Plugin.
type Statistic struct {
	Name string // the words that ask for it: "dns,tree"
	Args string // what may stand behind them, for the help: "[,FILTER]"
	Help string // one line; "" where another one's line tells of it, too
	// New begins to count. Its error says what is wrong with the arguments.
	New func(r *StatisticRequest) (Counter, error)
}

// A Counter counts packets for one statistic.
type Counter interface {
	// Add counts a packet that has passed and that the filter let through.
	Add(l *Dissector, n FrameNum)
	// Print writes the table of what was counted.
	Print(w *bufio.Writer)
}

// A StatisticRequest is what was asked of a statistic.
type StatisticRequest struct {
	Session *Session
	Args    []string // the words behind the name, which commas part
	Taken   int      // how many of Args are the statistic's own: New sets it; what follows is the display filter
}

// Filter is the display filter behind the arguments, or "". It may hold commas itself.
func (r *StatisticRequest) Filter() string {
	if len(r.Args) <= r.Taken {
		return ""
	}
	return strings.Join(r.Args[r.Taken:], ",")
}

// Statistics are those that the plugins declare, in the order of the plugins.
func (r *Registry) Statistics() []Statistic {
	var out []Statistic
	for i := range r.plugins {
		out = append(out, r.plugins[i].Statistics...)
	}
	return out
}

// LoginFields say where a protocol tells who logs in, without secrecy. One of the three ways is used.
type LoginFields struct {
	Title string // what tables call the protocol
	Info  string // says in which packet the name was, with %d for its number; "" where that is the packet of the login

	Name           *Field // the name alone is the login; behind a colon stands the password
	User, Password *Field // fields of their own, in one packet or in two
	Verb, Argument *Field // commands: USER with the name, and then PASS
}

// Logins are the declared LoginFields, in the order of the plugins.
func (r *Registry) Logins() []*LoginFields {
	var out []*LoginFields
	for i := range r.plugins {
		if l := r.plugins[i].Logins; l != nil {
			out = append(out, l)
		}
	}
	return out
}

// A FlowGraph says which arrows a protocol's packets are in a flow graph.
type FlowGraph struct {
	Fields []*Field // what Arrows reads; nil: the whole tree, with the text of the Info column
	// Arrows hands on the arrows of a packet, mostly one.
	Arrows func(t *Tree, put func(FlowArrow))
}

// A FlowArrow is a packet, or a part of one, on its way from one end to another.
type FlowArrow struct {
	Ports          [2]uint16 // of the sender and the receiver, or what stands in their place
	Label, Comment string
	Stream         int // of its conversation, where the graph tells them apart
}

// A NamedFlow is a declared FlowGraph with its protocol.
type NamedFlow struct {
	Protocol *Protocol
	*FlowGraph
}

// FlowGraphs are the declared ones, in the order of the plugins.
func (r *Registry) FlowGraphs() []NamedFlow {
	var out []NamedFlow
	for i := range r.plugins {
		if p := &r.plugins[i]; p.Flow != nil {
			out = append(out, NamedFlow{p.Protocol, p.Flow})
		}
	}
	return out
}

// The sides of a packet that a field belongs to.
const (
	senderSide uint8 = iota + 1
	receiverSide
)

// Sender marks a field as the address or port that a packet comes from, as statistics count it.
func (f *Field) Sender() *Field { f.side = senderSide; return f }

// Receiver marks a field as the address or port that a packet goes to.
func (f *Field) Receiver() *Field { f.side = receiverSide; return f }

// Senders are the fields marked as the sender's, in the order of the protocols.
func (r *Registry) Senders() []*Field { return r.onSide(senderSide) }

// Receivers are the fields marked as the receiver's, in the order of the protocols.
func (r *Registry) Receivers() []*Field { return r.onSide(receiverSide) }

func (r *Registry) onSide(side uint8) []*Field {
	var out []*Field
	for _, p := range r.protocols {
		for _, f := range p.fields {
			if f.side == side {
				out = append(out, f)
			}
		}
	}
	return out
}
