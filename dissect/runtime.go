package dissect

import (
	"fmt"
	"slices"
	"sync"
)

// NewRuntimeProtocol is NewProtocol for one that is declared while the program runs, maybe often: what is declared anew
// under a name has the numbers of fields that the name had before.
func NewRuntimeProtocol(name, title, doc string) *Protocol {
	p := &Protocol{name: name, title: title, doc: doc, runtime: true}
	p.self = newField(p, "", title, doc, TypeProtocol)
	p.self.name = name
	return p
}

// runtimeFields are the numbers of fields declared while the program runs.
var runtimeFields struct {
	sync.Mutex
	ids map[runtimeField]uint32
}

// A runtimeField names a field: a protocol may declare several of one name.
type runtimeField struct {
	protocol string
	number   int
}

// nextFieldID is the number of a protocol's next field.
func (p *Protocol) nextFieldID() uint32 {
	if !p.runtime {
		return lastField.Add(1)
	}
	runtimeFields.Lock()
	defer runtimeFields.Unlock()
	key := runtimeField{p.name, p.declared}
	p.declared++
	id, known := runtimeFields.ids[key]
	if !known {
		id = lastField.Add(1)
		if runtimeFields.ids == nil {
			runtimeFields.ids = map[runtimeField]uint32{}
		}
		runtimeFields.ids[key] = id
	}
	return id
}

// Remove takes a plugin and what it declared out of the registry, for another one in its place. It must happen before
// the registry is given to a session.
func (r *Registry) Remove(name string) {
	i, ok := r.plugin[name]
	if !ok {
		return
	}
	id, p := uint16(i), r.plugins[i].Protocol
	delete(r.plugin, name)
	r.unplug(id)
	r.protocols = slices.DeleteFunc(r.protocols, func(q *Protocol) bool { return q == p })
	r.fields.Store(nil)
	r.names.Store(nil)
}

// unplug takes a plugin away from all that leads to it.
func (r *Registry) unplug(id uint16) {
	for t, keys := range r.tables {
		for v := range keys {
			r.detach(Key{t, v}, id)
		}
	}
	for t := range r.fallback {
		r.fallback[t] = without(r.fallback[t], id)
	}
	for _, list := range []*[]uint16{&r.guessUDP, &r.guessTCP, &r.special, &r.shared, &r.post} {
		*list = without(*list, id)
	}
	for t := range r.heuristics {
		r.heuristics[t] = without(r.heuristics[t], id)
	}
}

func without(list []uint16, id uint16) []uint16 {
	return slices.DeleteFunc(slices.Clone(list), func(other uint16) bool { return other == id })
}

// Prefer attaches a plugin to a number of a table, in front of what is attached to it. It must happen before the
// registry is given to a session.
func (r *Registry) Prefer(k Key, name string) error {
	i, ok := r.plugin[name]
	if !ok {
		return fmt.Errorf("there is no protocol called %q", name)
	}
	r.attach(k, uint16(i))
	if !slices.Contains(r.people, uint16(i)) {
		r.people = append(r.people, uint16(i))
	}
	r.setAttached(k, append([]uint16{uint16(i)}, without(r.tables[k.Table][k.Value], uint16(i))...))
	return nil
}

// Detach takes a plugin away from a number of a table. It must happen before the registry is given to a session.
func (r *Registry) Detach(k Key, name string) {
	if i, ok := r.plugin[name]; ok {
		r.detach(k, uint16(i))
	}
}

func (r *Registry) detach(k Key, id uint16) {
	if list := r.tables[k.Table][k.Value]; slices.Contains(list, id) {
		r.setAttached(k, without(list, id))
	}
}

func (r *Registry) setAttached(k Key, list []uint16) {
	r.tables[k.Table][k.Value] = list
	if n := k.Table.everyday(); n >= 0 {
		r.quick[n].set(k.Value, list)
	}
}

// AddTable makes a table to which nothing is attached yet.
func (r *Registry) AddTable(t Table) {
	if r.tables[t] == nil {
		r.tables[t] = map[uint32][]uint16{}
	}
}

// AttachedTo is the name of the protocol that is found under a number of a table, or "".
func (r *Registry) AttachedTo(k Key) string {
	if list := r.attached(k.Table, k.Value); len(list) > 0 {
		return r.plugins[list[0]].Protocol.name
	}
	return ""
}

// Attach attaches a protocol to a number of a table for the rest of the session, as a dissector that a packet tells the
// port of another conversation does. It serves the first pass; conversations that are known already stay what they are.
func (hd *SessionState) Attach(k Key, name string) {
	d := (*D)(hd)
	i, ok := d.reg.plugin[name]
	if !ok || !d.first || d.quoted {
		return
	}
	d.alive()
	if d.s.given == nil {
		d.s.given = map[Key]uint16{}
	}
	if len(d.s.given) < maxGiven {
		d.s.given[k] = uint16(i)
	}
	d.settle()
}

// Claim gives the frame's conversation to a protocol from the next packet on. It serves the first pass.
func (hd *SessionState) Claim(name string) {
	d := (*D)(hd)
	if i, ok := d.reg.plugin[name]; ok && d.first && !d.quoted && d.conv != nil {
		d.alive()
		d.claim(d.conv, uint16(i), ByGuess)
		d.settle()
	}
}

// maxGiven bounds the numbers that packets attach protocols to.
const maxGiven = 1 << 16

// wasGiven is the protocol that an earlier packet attached to one of the ports, or noPlugin.
func (d *D) wasGiven(t Table, ports ...uint16) uint16 {
	if len(d.s.given) == 0 {
		return noPlugin
	}
	for _, port := range ports {
		if id, ok := d.s.given[Key{t, uint32(port)}]; ok {
			return id
		}
	}
	return noPlugin
}

// tryHeuristics asks the plugins that want to see each packet that nobody claims. A stream is theirs from then on.
func (d *D) tryHeuristics(t Table) step {
	for _, id := range d.reg.heuristics[t] {
		if d.inquire(id, d.reg.plugins[id].heuristic(t)) == Strong {
			if t == TableTCP && d.conv.plugin == noPlugin {
				d.claim(d.conv, id, ByGuess)
			}
			return step{id, ByGuess}
		}
	}
	return step{noPlugin, ByTable}
}

func (p *Plugin) heuristic(t Table) func(d *D) Confidence {
	return func(d *D) Confidence {
		if p.Heuristics[t](d) {
			return Strong
		}
		return No
	}
}

// postDissect has the plugins look at the frame that look at it when all others have: they are its last layers.
func (d *D) postDissect() {
	for _, id := range d.reg.post {
		d.basis = basis{}
		d.data, d.pos, d.end, d.src, d.short, d.depth, d.quoted = d.t.frameBytes, 0, len(d.t.frameBytes), 0, false, 0, false
		d.dispatch(func() step { return step{id, ByTable} }, 0)
	}
}
