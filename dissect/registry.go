package dissect

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"remora/internal/suggest"
)

// A Registry knows the plugins a session may use and everything they declared.
type Registry struct {
	knowing    sync.Once
	known      []knownField // by field: what conversations know of it; see knowing
	plugins    []Plugin
	plugin     map[string]int // protocol name -> index
	tables     map[Table]map[uint32][]uint16
	quick      [len(everydayTables)]ports
	fallback   map[Table][]uint16
	choices    map[Table][]uint32 // of tables in which only these numbers mean something
	guessUDP   []uint16
	guessTCP   []uint16
	extracted  []*Field // that the first pass records
	extractAll bool
	begins     []func(*Session)
	passed     []func(*D)
	special    []uint16           // plugins whose strong guess wins against ports
	post       []uint16           // plugins that look at each frame behind all others
	people     []uint16           // plugins that a person attached to a number
	heuristics map[Table][]uint16 // plugins asked about each packet that nobody claims
	root       int
	foreign    bool                       // some are declared while the program runs
	fields     atomic.Pointer[fieldNames] // once they were asked for
	names      atomic.Pointer[[]string]   // of fields, sorted, once they were asked for
	byID       []*Field
	protocols  []*Protocol
	shared     []uint16 // plugins whose datagrams stand among those of others
	Strict     bool     // let a panic in a plugin pass: for tests
	naming     atomic.Pointer[Naming]
	// ListSecrets has sessions list the secrets that they were decrypted with, see Session.UsedSecrets.
	ListSecrets bool

	secrets atomic.Pointer[map[*Keys]Secrets] // that encrypted traffic is read with

	begun atomic.Bool // a session has it

	preferring sync.Mutex
	preferred  map[*Preference]Setting // that differ from the usual
	loaded     map[*Preference]loading

	// Altered, in tests, gives the bytes that stand in the place of those of a source that D.From is about to read, as
	// many of them, and where reading ends. For the same bytes it gives the same in both passes. It is set before a
	// session is made.
	Altered func(name string, b []byte) (data []byte, end int)
	// Spent, in tests, is told how many steps a pass took over a frame (see MaxSteps), and whether it was given up. It is
	// set before a session is made, and called by every goroutine that dissects.
	Spent func(n FrameNum, steps int, over bool)
	// Retention is how much sessions may hold that are made from now on, unless they are told otherwise.
	Retention Retention
}

// NewRegistry checks the declarations of the plugins and joins them. Its errors name the plugin to mend.
func NewRegistry(plugins ...Plugin) (*Registry, error) {
	r := &Registry{plugin: map[string]int{}, tables: map[Table]map[uint32][]uint16{}, fallback: map[Table][]uint16{},
		choices: map[Table][]uint32{}, heuristics: map[Table][]uint16{},
		root: -1}
	r.makeRoom(plugins)
	r.addProtocol(ws)
	r.addProtocol(ends)
	for _, p := range plugins {
		if err := r.Add(p); err != nil {
			return nil, err
		}
	}
	if r.root < 0 {
		return nil, fmt.Errorf("no plugin is attached to the table %q, so no frame could be dissected", TableRoot)
	}
	return r, nil
}

// Inherit takes over what another registry was given since it was made, for one that is to stand in its place: names,
// secrets, preferences by their names, and how much sessions may hold. It must happen before the registry is given to a
// session.
func (r *Registry) Inherit(from *Registry) {
	r.naming.Store(from.naming.Load())
	r.secrets.Store(from.secrets.Load())
	r.Retention, r.ListSecrets = from.Retention, from.ListSecrets
	for _, f := range from.Preferences() {
		if same := r.Preference(f.name); same != nil && same.kind == f.kind && from.IsPreferred(f) {
			r.SetPreference(same, from.Preferred(f))
			r.inheritLoaded(same, from)
		}
	}
}

// Add attaches one more plugin. It must happen before the registry is given to a session.
func (r *Registry) Add(p Plugin) error {
	if p.Protocol == nil || p.Dissect == nil {
		return fmt.Errorf("a plugin needs a Protocol and a Dissect function")
	}
	name := p.Protocol.name
	if _, dup := r.plugin[name]; dup {
		return fmt.Errorf("two plugins are called %q", name)
	}
	i := uint16(len(r.plugins))
	r.plugins = append(r.plugins, p)
	r.foreign = r.foreign || p.Protocol.runtime
	r.plugin[name] = int(i)
	r.addProtocol(p.Protocol)
	for _, k := range p.keys() {
		if k.Table == TableRoot {
			r.root = int(i)
		}
		r.attach(k, i)
	}
	for _, k := range p.Choices {
		if r.tables[k.Table] == nil {
			r.tables[k.Table] = map[uint32][]uint16{}
		}
		r.choices[k.Table] = append(r.choices[k.Table], k.Value)
	}
	for _, t := range p.Fallback {
		r.fallback[t] = append(r.fallback[t], i)
	}
	for t := range p.Heuristics {
		r.heuristics[t] = append(r.heuristics[t], i)
	}
	if p.Post {
		p.Protocol.post = true
		if !p.Off {
			r.post = append(r.post, i)
		}
	}
	if p.Guess != nil && p.Special {
		r.special = append(r.special, i)
	}
	if p.Guess != nil && p.Shared {
		r.shared = append(r.shared, i)
	} else if p.Guess != nil && !p.GuessTCP {
		r.guessUDP = append(r.guessUDP, i)
	}
	if p.Guess != nil && (p.GuessTCP || p.GuessAll) {
		r.guessTCP = append(r.guessTCP, i)
	}
	return nil
}

func (p *Plugin) keys() []Key {
	keys := slices.Clone(p.On)
	for _, port := range p.UDP {
		keys = append(keys, Key{TableUDP, uint32(port)})
	}
	for _, port := range p.TCP {
		keys = append(keys, Key{TableTCP, uint32(port)})
	}
	return keys
}

func (r *Registry) attach(k Key, plugin uint16) {
	t := r.tables[k.Table]
	if t == nil {
		t = map[uint32][]uint16{}
		r.tables[k.Table] = t
	}
	t[k.Value] = append(t[k.Value], plugin)
	if n := k.Table.everyday(); n >= 0 {
		r.quick[n].set(k.Value, t[k.Value])
	}
}

func (r *Registry) addProtocol(p *Protocol) {
	r.protocols = append(r.protocols, p)
	r.fields.Store(nil)
	r.names.Store(nil)
	r.addField(p.self)
	for _, f := range p.fields {
		r.addField(f)
	}
}

// makeRoom is for hundreds of plugins and thousands of fields: their lists would else grow a dozen times.
func (r *Registry) makeRoom(plugins []Plugin) {
	r.plugins = make([]Plugin, 0, len(plugins)+1) // a caller may add one
	most := FieldID(0)
	for _, p := range plugins {
		if p.Protocol == nil {
			continue // Add says so
		}
		most = max(most, p.Protocol.self.id)
		for _, f := range p.Protocol.fields {
			most = max(most, f.id)
		}
	}
	r.byID = make([]*Field, most+1)
}

func (r *Registry) addField(f *Field) {
	for int(f.id) >= len(r.byID) {
		r.byID = append(r.byID, nil)
	}
	r.byID[f.id] = f
}

// FieldByID is the field of that number, or nil if the registry does not have it.
func (r *Registry) FieldByID(id FieldID) *Field {
	if int(id) < len(r.byID) {
		return r.byID[id]
	}
	return nil
}

// Protocols are all protocols by name, the engine's own included.
func (r *Registry) Protocols() []*Protocol {
	ps := slices.Clone(r.protocols)
	sort.Slice(ps, func(i, j int) bool { return ps[i].name < ps[j].name })
	return ps
}

// Protocol is the protocol of that name, or nil.
func (r *Registry) Protocol(name string) *Protocol {
	if f := r.Field(name); f != nil && f.typ == TypeProtocol {
		return f.proto
	}
	return nil
}

// Ports are the numbers under which a protocol is found in a table, sorted.
func (r *Registry) Ports(protocol string, t Table) []uint32 {
	i, ok := r.plugin[protocol]
	if !ok {
		return nil
	}
	var ports []uint32
	for v, ps := range r.tables[t] {
		if slices.Contains(ps, uint16(i)) {
			ports = append(ports, v)
		}
	}
	slices.Sort(ports)
	return ports
}

// Tables are the names of all dispatch tables, sorted.
func (r *Registry) Tables() []Table { return slices.Sorted(maps.Keys(r.tables)) }

// Guessers are the names of the protocols that look at what no number of a table leads to them.
func (r *Registry) Guessers(t Table) (list []string) {
	for i := range r.plugins {
		p := &r.plugins[i]
		if p.Guess != nil && (p.GuessAll || p.GuessTCP == (t == TableTCP)) {
			list = append(list, p.Protocol.name)
		}
	}
	return list
}

// Choices are the numbers that decode-as may give a table, or nil where any number means something.
func (r *Registry) Choices(t Table) []uint32 { return r.choices[t] }

// SuggestProtocol is a hint for somebody who misspelt the name of a protocol.
func (r *Registry) SuggestProtocol(name string) string {
	var names []string
	for _, p := range r.Protocols() {
		names = append(names, p.Name())
	}
	if best := suggest.One(strings.ToLower(name), names); best != "" {
		return "did you mean " + best + "?"
	}
	return "remora --protocols lists them"
}
