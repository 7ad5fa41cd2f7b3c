package dissect

// CallFields say where a protocol that sets up calls tells of them.
type CallFields struct {
	ID             *Field // joins the messages of a call
	Other          *Field // the ID of a call that this one carries on; nil: none is told
	Method, Status *Field // what is asked, and how it went as a number
	Of             *Field // the method that a response is of
	From, To       *Field // who calls whom
}

// MediaFields say where a protocol that carries sound and pictures tells of its packets.
type MediaFields struct {
	Source    *Field // names the stream
	Sequence  *Field // counts its packets, in 16 bits
	Timestamp *Field // by the clock of what it carries
	Type      *Field // of what it carries
	Payload   *Field
	Setup     *Field               // the packet that described the stream
	Form      func(t *Tree) string // what the description calls what a packet carries, or ""
}

// SegmentNumbers say where a protocol of streams numbers their bytes.
type SegmentNumbers struct {
	Sequence, Acknowledged *Field // relative, in 32 bits
	Length, Window         *Field
	RoundTrip              *Field // from the segment that is acknowledged
	InFlight               *Field // bytes that are not acknowledged yet
}

// firstDeclared is what the first plugin has that declares something of a kind, or nil.
func firstDeclared[T any](r *Registry, of func(p *Plugin) *T) *T {
	for i := range r.plugins {
		if fields := of(&r.plugins[i]); fields != nil {
			return fields
		}
	}
	return nil
}

// CallFields are those of the first plugin that declares some, or nil.
func (r *Registry) CallFields() *CallFields {
	return firstDeclared(r, func(p *Plugin) *CallFields { return p.Calls })
}

// MediaFields are those of the first plugin that declares some, or nil.
func (r *Registry) MediaFields() *MediaFields {
	return firstDeclared(r, func(p *Plugin) *MediaFields { return p.Media })
}

// SegmentNumbers are those of the first plugin that declares some, or nil.
func (r *Registry) SegmentNumbers() *SegmentNumbers {
	return firstDeclared(r, func(p *Plugin) *SegmentNumbers { return p.Segments })
}
