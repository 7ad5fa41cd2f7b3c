package dissect

import "fmt"

// A loading is what Preference.Loads made of a value, with all that it depends on as it was written.
type loading struct {
	value string
	made  any
}

// loadedBy is what the loading of a preference depends on: its value, and where fields are declared by it, those of all
// that say how.
func (r *Registry) loadedBy(f *Preference) string {
	value := f.Format(r.Preferred(f))
	if f.declares {
		for _, g := range r.Preferences() {
			if g.declares && g != f {
				value += "\x00" + g.Format(r.Preferred(g))
			}
		}
	}
	return value
}

// Loads says what to make of the preference's values: what the files hold that they name. It is asked before packets
// are read, while files may be.
func (f *Preference) Loads(load func(Setting) (any, error)) *Preference {
	f.load = load
	return f
}

// Loaded is what Loads made of the value, nil where nobody set one.
func (f *Preference) Loaded(d *D) any { return d.s.preferences[f.id].loaded }

// inheritLoaded takes over what Loads made for another registry, unless that has another value by now.
func (r *Registry) inheritLoaded(f *Preference, from *Registry) {
	made, ok := from.loadingOf(f)
	if !ok || made.value != from.loadedBy(f) || r.declare(made.made) != nil {
		return
	}
	r.preferring.Lock()
	defer r.preferring.Unlock()
	if r.loaded == nil {
		r.loaded = map[*Preference]loading{}
	}
	r.loaded[f] = made
}

func (r *Registry) loadingOf(f *Preference) (l loading, ok bool) {
	r.preferring.Lock()
	defer r.preferring.Unlock()
	l, ok = r.loaded[f]
	return l, ok
}

// LoadedOf is what Loads made of the value for sessions that are made now, nil where nobody set one.
func (r *Registry) LoadedOf(f *Preference) any {
	l, _ := r.loadingOf(f)
	return l.made
}

// LoadPreferences makes of preferences what Loads says, for the sessions that are made from now on.
func (r *Registry) LoadPreferences() error {
	for _, f := range r.Preferences() {
		if f.load == nil || !r.IsPreferred(f) {
			continue
		}
		s := r.Preferred(f)
		value := r.loadedBy(f)
		if f.Format(s) == f.Format(f.usual) {
			r.preferring.Lock()
			delete(r.loaded, f)
			r.preferring.Unlock()
			continue
		}
		if had, ok := r.loadingOf(f); ok && had.value == value {
			continue
		}
		made, err := f.load(s)
		if err == nil {
			err = r.declare(made)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		r.preferring.Lock()
		if r.loaded == nil {
			r.loaded = map[*Preference]loading{}
		}
		r.loaded[f] = loading{value, made}
		r.preferring.Unlock()
	}
	return nil
}
