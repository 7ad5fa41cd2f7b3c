package dissect

import "fmt"

// A loading is what Preference.Loads made of a value, which is kept as it was written.
type loading struct {
	value string
	made  any
}

// Loads says what to make of the preference's values: what the files hold that they name. It is asked before packets
// are read, while files may be.
func (f *Preference) Loads(load func(Setting) (any, error)) *Preference {
	f.load = load
	return f
}

// Loaded is what Loads made of the value, nil where nobody set one.
func (f *Preference) Loaded(d *D) any { return d.s.preferences[f.id].loaded }

// LoadPreferences makes of preferences what Loads says, for the sessions that are made from now on.
func (r *Registry) LoadPreferences() error {
	for _, f := range r.Preferences() {
		if f.load == nil || !r.IsPreferred(f) {
			continue
		}
		s := r.Preferred(f)
		value := f.Format(s)
		if value == f.Format(f.usual) {
			r.preferring.Lock()
			delete(r.loaded, f)
			r.preferring.Unlock()
			continue
		}
		r.preferring.Lock()
		had, ok := r.loaded[f]
		r.preferring.Unlock()
		if ok && had.value == value {
			continue
		}
		made, err := f.load(s)
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
