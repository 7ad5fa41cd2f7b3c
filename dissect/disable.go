package dissect

import "slices"

// Disable has no packet dissected as a protocol any more, and tells whether there is that protocol. Its fields stay
// declared. It must happen before the registry is given to a session.
func (r *Registry) Disable(name string) bool {
	p, ok := r.plugin[name]
	if !ok {
		return r.Protocol(name) != nil
	}
	if p == r.root { // what every packet begins with
		return true
	}
	var led []Key // what leads to it leads to data then, not to one that stands in where there is no other
	other := func(id uint16) bool { return int(id) != p && len(r.plugins[id].Fallback) == 0 }
	for t, numbers := range r.tables {
		for v, ids := range numbers {
			if slices.Contains(ids, uint16(p)) && !slices.ContainsFunc(ids, other) {
				led = append(led, Key{t, v})
			}
		}
	}
	r.unplug(uint16(p))
	if data, ok := r.plugin[plainName]; ok {
		for _, k := range led {
			r.setAttached(k, []uint16{uint16(data)})
		}
	}
	return true
}

// Enable has packets dissected as a protocol that is off unless somebody asks for it, and tells whether there is that
// protocol. It must happen before the registry is given to a session.
func (r *Registry) Enable(name string) bool {
	i, ok := r.plugin[name]
	if ok && r.plugins[i].Off && !slices.Contains(r.post, uint16(i)) {
		r.post = append(r.post, uint16(i))
	}
	return ok
}

// DisableGuess has a protocol asked no more about what no number leads to it in a table, and tells whether it was. It
// must happen before the registry is given to a session.
func (r *Registry) DisableGuess(t Table, name string) bool {
	p, ok := r.plugin[name]
	if !ok || !slices.Contains(r.Guessers(t), name) {
		return false
	}
	lists := []*[]uint16{&r.guessUDP, &r.shared, &r.special}
	if t == TableTCP {
		lists = []*[]uint16{&r.guessTCP, &r.special}
	}
	for _, list := range lists {
		*list = without(*list, uint16(p))
	}
	return true
}
