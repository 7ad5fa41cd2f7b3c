package filter

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"remora/dissect"
)

// Options are what a filter's meaning depends on beside the declared fields.
type Options struct {
	Macros  Macros                         // may be nil
	Resolve func(name string) []netip.Addr // the addresses of a host, for names in place of IP addresses; nil knows none
	Zone    *time.Location                 // of dates without a zone; nil is the local one
}

// A Filter is a compiled display filter. It may be used by several goroutines at once, each with its own Dissector.
type Filter struct {
	text       string
	reg        *dissect.Registry
	opt        Options
	root       test
	wants      *dissect.Wants
	fields     []*dissect.Field
	warnings   []Error
	references bool
	whole      bool // it asks for what only a whole tree has
	indexed    bool // it asks for what the index has of frames
	shares     int  // how many of its tests are shared
	asksEnds   bool // some of them ask what ends are called
	costly     []costly

	plans   atomic.Pointer[plans]
	growing sync.Mutex
	scratch sync.Pool // of *eval
}

// A costly part of a filter may have to be given up; err says so.
type costly struct {
	re  *regex
	err error
}

// plans keep for each layer stack of a session what is left of the filter for its frames.
type plans struct {
	session      *dissect.Session
	byLayerStack []atomic.Pointer[plan]
	told         []*answers // by shared test
}

type plan struct {
	rest   test
	answer constantTest
	open   bool // the answer depends on more than the layer stack
	shared bool // conversations may know the answer
	light  bool // the rest needs no scratch memory
	values bool // the rest asks for values alone (see dissect.Dissector.Values)
}

// Compile checks a filter against the registry and makes it ready. The empty filter matches every packet. Errors are of
// type *Error. Names of hosts are looked up in the system's hosts file only.
func Compile(reg *dissect.Registry, text string) (*Filter, error) {
	return CompileWith(reg, text, Options{Resolve: HostsFile})
}

// CompileWith is Compile with options.
func CompileWith(reg *dissect.Registry, text string, opt Options) (*Filter, error) {
	return compile(reg, text, opt, nil)
}

func compile(reg *dissect.Registry, text string, opt Options, selected *dissect.Tree) (*Filter, error) {
	f := &Filter{text: text, reg: reg, opt: opt, root: constantTest(true)}
	f.scratch.New = func() any { return new(eval) }
	x, err := opt.Macros.expand(text)
	if err != nil {
		return nil, err
	}
	expr, err := Parse(x.text)
	if err != nil {
		return nil, x.back(err)
	}
	if expr == nil {
		return f, nil
	}
	c := checker{reg: reg, opt: opt, text: x.text, selected: selected}
	if f.root, err = c.logical(expr); err != nil {
		return nil, x.back(err)
	}
	for i := range c.warnings {
		w := x.back(&c.warnings[i]).(*Error)
		f.warnings = append(f.warnings, *w)
	}
	f.references, f.whole, f.indexed = c.references, c.whole, c.indexed
	for _, part := range c.costly {
		part.err = x.back(part.err)
		f.costly = append(f.costly, part)
	}
	seen := map[*dissect.Field]bool{}
	f.root.needs(func(field *dissect.Field) {
		if !seen[field] {
			seen[field] = true
			f.fields = append(f.fields, field)
		}
	})
	f.wants = reg.Wants(f.fields...)
	if !f.whole {
		f.root = f.share(f.root)
	}
	return f, nil
}

// String is the filter as written.
func (f *Filter) String() string { return f.text }

// Wants are the fields to look at in frames whose layer stack leaves the answer open.
func (f *Filter) Wants() *dissect.Wants { return f.wants }

// Fields are the fields that the filter names.
func (f *Filter) Fields() []*dissect.Field { return f.fields }

// Warnings are doubts about a valid filter.
func (f *Filter) Warnings() []Error { return f.warnings }

// References tells whether the filter asks for fields of the selected packet.
func (f *Filter) References() bool { return f.references }

// With is the filter with the values that the selected packet gives its references. The tree must be whole; it is not
// kept. nil stands for no selection: comparisons with references are false then. A filter without references is
// returned as it is.
func (f *Filter) With(selected *dissect.Tree) *Filter {
	if !f.references {
		return f
	}
	g, err := compile(f.reg, f.text, f.opt, selected)
	if err != nil {
		return f // it compiled before; the selection only changes values
	}
	return g
}

// Stopped is why the filter matches nothing any more, or nil: a regular expression that takes ages on these packets is
// given up. It is of type *Error.
func (f *Filter) Stopped() error {
	for i := range f.costly {
		if f.costly[i].re.budget.exhausted.Load() {
			return f.costly[i].err
		}
	}
	return nil
}

// MatchTree tells whether a tree that has the filter's fields passes.
func (f *Filter) MatchTree(t *dissect.Tree) bool { return f.root.match(new(eval), t) }

// Match tells whether a frame that has passed matches. The Dissector's tree is used for it.
func (f *Filter) Match(l *dissect.Dissector, n dissect.FrameNum) bool {
	rec := l.Session().RecordOf(n)
	p, ps := f.plan(l.Session(), rec.Stack())
	if !p.open {
		return bool(p.answer)
	}
	return f.match(l, n, p, ps, rec)
}

// match is Match for a frame whose layer stack leaves the answer open.
func (f *Filter) match(l *dissect.Dissector, n dissect.FrameNum, p *plan, ps *plans, rec dissect.Record) bool {
	if p.shared {
		a := asker{f, ps, l, rec, n}
		if v := a.verdict(p.rest); v != open {
			return v == accept
		}
	}
	return f.read(l, n, p)
}

// read answers from the packet.
func (f *Filter) read(l *dissect.Dissector, n dissect.FrameNum, p *plan) bool {
	if f.costly != nil && f.Stopped() != nil {
		return false
	}
	if f.whole {
		return p.rest.match(new(eval), l.Tree(n))
	}
	if p.values {
		return p.rest.match(nil, l.Values(n, f.wants))
	}
	t := l.Redissect(n, f.wants)
	if p.light {
		return p.rest.match(nil, t)
	}
	e := f.scratch.Get().(*eval)
	e.reset()
	ok := p.rest.match(e, t)
	f.scratch.Put(e)
	return ok
}

// asksValues tells whether a test asks for nothing of fields but their numbers, which need not stand in the packet.
func asksValues(x test) bool {
	switch x := x.(type) {
	case constantTest:
		return true
	case *shared:
		return asksValues(x.test)
	case occurrence:
		return x.number && x.field.layers == nil && !x.field.raw
	case negation:
		return asksValues(x.of)
	case exclusiveOr:
		return asksValues(x.a) && asksValues(x.b)
	case conjunction:
		return !slices.ContainsFunc(x, func(x test) bool { return !asksValues(x) })
	case disjunction:
		return !slices.ContainsFunc(x, func(x test) bool { return !asksValues(x) })
	}
	return false
}

// isLight tells whether a test needs no scratch memory: it asks for presence and numbers alone.
func isLight(x test) bool {
	switch x := x.(type) {
	case constantTest, presenceTest:
		return true
	case *shared:
		return isLight(x.test)
	case occurrence:
		return x.number
	case negation:
		return isLight(x.of)
	case exclusiveOr:
		return isLight(x.a) && isLight(x.b)
	case conjunction:
		return allLight(x)
	case disjunction:
		return allLight(x)
	}
	return false
}

func allLight(xs []test) bool {
	for _, x := range xs {
		if !isLight(x) {
			return false
		}
	}
	return true
}

// plan is what is left of the filter for frames of a layer stack, worked out once per layer stack.
func (f *Filter) plan(s *dissect.Session, shape uint32) (*plan, *plans) {
	ps := f.plans.Load()
	if ps == nil || ps.session != s || int(shape) >= len(ps.byLayerStack) {
		ps = f.grow(s, int(shape))
	}
	p := ps.byLayerStack[shape].Load()
	if p == nil {
		p = &plan{rest: f.root.reduce(s, s.LayerStack(shape))}
		answer, closed := p.rest.(constantTest)
		p.answer, p.open, p.light, p.shared = answer, !closed, isLight(p.rest), hasShared(p.rest)
		p.values = asksValues(p.rest)
		ps.byLayerStack[shape].Store(p)
	}
	return p, ps
}

func (f *Filter) grow(s *dissect.Session, id int) *plans {
	f.growing.Lock()
	defer f.growing.Unlock()
	old := f.plans.Load()
	if old != nil && old.session == s && id < len(old.byLayerStack) {
		return old
	}
	ps := &plans{session: s, byLayerStack: make([]atomic.Pointer[plan], max(64, 2*id+2))}
	if old != nil && old.session == s {
		ps.told = old.told
		for i := range old.byLayerStack {
			ps.byLayerStack[i].Store(old.byLayerStack[i].Load())
		}
	}
	for len(ps.told) < f.shares {
		ps.told = append(ps.told, new(answers))
	}
	f.plans.Store(ps)
	return ps
}
