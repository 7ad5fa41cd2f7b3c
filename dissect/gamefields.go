package dissect

// GameFields say where a protocol's packets tell how a game runs while it is played. What is missing is not told.
// Spans, numbers of milliseconds and links to an earlier packet are times; other numbers are in the unit of their
// field.
type GameFields struct {
	Tick    []*Field // the newest frame or turn that the packet's player has come to
	Latency []*Field // how long the player's input waits until it acts or is answered
	Trip    []*Field // a round trip, beside those that Links.ResponseTo joins
	Lost    []*Field // what is missing: a number, or one for each expert info
	Saved   []*Field // what was missing and came with a later packet
	Repeats []*Field // what was sent again
	Stalls  []GameStall
}

// A GameStall tells of a time in which a game stood still.
type GameStall struct {
	Length  *Field // it lasted so long, up to this packet
	Expert  *Field // without it the length is not one of a stall; nil: any length is
	Missing *Field // names who was waited for, each once; nil: the packet's sender
}

// fields are all of them.
func (g *GameFields) fields() []*Field {
	var out []*Field
	for _, list := range [][]*Field{g.Tick, g.Latency, g.Trip, g.Lost, g.Saved, g.Repeats} {
		out = append(out, list...)
	}
	for _, s := range g.Stalls {
		for _, f := range []*Field{s.Length, s.Expert, s.Missing} {
			if f != nil {
				out = append(out, f)
			}
		}
	}
	return out
}

// GameFields are those that the plugins declare, with the wants of all their fields.
func (r *Registry) GameFields() (all []*GameFields, wants *Wants) {
	var fields []*Field
	for i := range r.plugins {
		if g := r.plugins[i].Game; g != nil {
			all, fields = append(all, g), append(fields, g.fields()...)
		}
	}
	return all, r.Wants(fields...)
}
