package lua

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// A run is one call of a script's dissector for a packet, and what it recorded.
type run struct {
	m       *machine
	d       *dissect.D
	outer   *run
	proto   *proto
	visited bool
	trial   bool // whether the packet is the protocol's is not known yet: what is inside is not dissected
	guess   bool // a heuristic is asked
	base    int  // where the layer begins in its source
	own     int  // the number of that source
	sources []source
	root    *item
	steps   []step // what is done behind the tree, in order
	pinfo   *pinfo
	pi      *lua.LUserData
	tap     bool
	count   int
}

// A source is bytes that a script made in this run; number is the engine's for it.
type source struct {
	name   string
	b      []byte
	number int
}

// Numbers of tvb.src: the layer's own bytes, those that the run made, and any of the engine.
const foreignSource = 1 << 20

// A step is a change of a column, or the call of another dissector.
type step struct {
	kind        byte // see the constants
	text        string
	src, off, n int
	key         uint32
	behind      int // how many items of the tree's first level were there already
	nested      int // it stands within an item, so many levels below the layer's own
	encoded     bool
}

const (
	stepProtocol byte = 'p'
	stepInfo     byte = 'i'
	stepAppend   byte = 'a'
	stepPrepend  byte = 'b'
	stepClear    byte = 'c'
	stepFence    byte = 'f'
	stepUnfence  byte = 'u'
	stepCall     byte = 'C' // a protocol by its name
	stepTable    byte = 'T'
	stepGuess    byte = 'G'
)

// An item is a node of the tree that a script makes.
type item struct {
	run      *run
	parent   *item
	children []*item

	field       *pfield
	proto       *proto
	expert      *dissect.Field
	src, off, n int
	outside     bool // no bytes stand for it
	value       value
	label       string // in place of the usual one
	front       string
	behind      string
	generated   bool
	hidden      bool
	little      bool
	group       int // of an expert info, and how severe it is
	severity    int
	raw         []byte // of a value that is kept as text
	step        int    // no item, but the place of a step: its number, from 1 on
}

// A value is what a field has: a number or text, by its type.
type value struct {
	n    uint64
	text []byte // not nil: text or bytes
}

const maxItems = 1 << 16

func (r *run) add(parent *item, it *item) *item {
	it.run, it.parent = r, parent
	if r.count++; r.count > maxItems {
		r.m.l.RaiseError("too many items")
	}
	parent.children = append(parent.children, it)
	return it
}

// newTvb makes a data source of bytes.
func (r *run) newTvb(name string, b []byte) *tvb {
	r.sources = append(r.sources, source{name: name, b: b})
	if !r.trial {
		r.sources[len(r.sources)-1].number = r.d.Recorder().AddSource(name, b)
	}
	return &tvb{b: b, src: len(r.sources), reported: len(b), fixed: true}
}

// place is where bytes of a tvb lie for the engine.
func (r *run) place(src, off int) (number, at int) {
	switch {
	case src == 0:
		return r.own, r.base + off
	case src >= foreignSource:
		return src - foreignSource, off
	case src <= len(r.sources):
		return r.sources[src-1].number, off
	}
	return 0, 0
}

// begin makes a run, and it the machine's own until end.
func (m *machine) begun(d *dissect.D, p *proto) *run {
	r := &run{m: m, d: d, outer: m.run, proto: p, visited: !d.Session().FirstPass(), own: d.Recorder().Source(),
		base: d.Pos()}
	r.root = &item{run: r}
	r.pinfo = m.packetInfo(r)
	m.run = r
	return r
}

func (r *run) end() { r.m.run = r.outer }

// call calls a function of the script for the packet. An error of the script becomes one of the packet.
func (r *run) call(fn *lua.LFunction, t *tvb) (ret lua.LValue, ok bool) {
	m := r.m
	if r.outer == nil {
		m.steps.grant(packetSteps)
	}
	tv, root := m.tvb.object(t), m.item.object(r.root)
	r.pi = m.pinfo.object(r.pinfo)
	top := m.l.GetTop()
	err := m.l.CallByParam(lua.P{Fn: fn, NRet: 1, Protect: true}, tv, r.pi, root)
	if err != nil {
		m.l.SetTop(top)
		if m.steps.err != nil {
			m.steps.grant(packetSteps) // for those that are called next
		}
		r.fail(m.told(err).Error())
		return lua.LNil, false
	}
	ret = m.l.Get(-1)
	m.l.SetTop(top)
	return ret, true
}

// fail tells of an error of the script in the tree.
func (r *run) fail(text string) {
	if r.proto != nil && r.proto.failed != nil {
		line := &item{run: r, parent: r.root, label: "Lua Error: " + text, outside: true}
		line.children = []*item{{run: r, parent: line, expert: r.proto.failed, label: line.label, outside: true}}
		r.root.children = append(r.root.children, line)
		r.d.Recorder().Raise(r.proto.failed)
	}
	r.m.reported(text)
}

// dissect is the plugin's: it runs the script in the first pass, and records what it recorded then.
func (p *proto) dissect(d *dissect.D) {
	m := p.m
	unlock := m.enter(d)
	defer unlock()
	d.Spend(64 * 16)
	if d.Quoted() {
		m.perform(p, d).record(d)
		return
	}
	slot := slots.FirstPassIn(d, func(*struct{}) uint32 { return m.bookOf(d).reserve() })
	b := m.bookOf(d)
	if !d.Session().FirstPass() {
		if kept := b.get(slot); kept != nil {
			replay(p, d, kept)
			return
		}
		m.perform(p, d).record(d)
		return
	}
	r := m.perform(p, d)
	r.record(d)
	b.put(slot, r.encode())
}

// slots tell for each layer of a script where it is kept what the script recorded.
var slots = dissect.NewStore[struct{}, uint32]()

// perform runs the script, or takes the run that told that the packet is the protocol's.
func (m *machine) perform(p *proto, d *dissect.D) *run {
	if was := m.pending; was != nil {
		m.pending = nil
		if was.frame == d.Frame && was.r.proto == p && was.size == d.Left() && !was.visitedOther(d) {
			was.r.settle(d)
			return was.r
		}
	}
	r := m.begun(d, p)
	defer r.end()
	r.work(p.dissector, d)
	return r
}

// A pending run told that a packet is the protocol's before the packet was given to it.
type pending struct {
	r     *run
	frame dissect.FrameNum
	size  int
}

func (p *pending) visitedOther(d *dissect.D) bool { return p.r.visited == d.Session().FirstPass() }

// work calls the dissector for what is left of the range.
func (r *run) work(fn *lua.LFunction, d *dissect.D) {
	if fn == nil {
		r.fail(fmt.Sprintf("%s: no dissector is assigned to the protocol", r.proto.name))
		return
	}
	ret, ok := r.call(fn, &tvb{b: d.Data(), reported: d.Left() + d.Missing()})
	if ok && !r.trial && isRefusal(ret) && len(r.root.children)+len(r.steps) == 0 {
		r.refused(d)
	}
}

// isRefusal tells of a dissector's result that the packet is not its protocol's.
func isRefusal(v lua.LValue) bool {
	n, ok := v.(lua.LNumber)
	return ok && n == 0 || v == lua.LFalse
}

// refused gives a packet to whoever is sure of it, or has it be data.
func (r *run) refused(d *dissect.D) {
	next := step{kind: stepCall, n: d.Left()}
	if t := d.Ends().Transport(); t != "" {
		next.kind, next.text = stepGuess, string(t)
	}
	r.take(next)
}

// settle gives a run that was a trial its place in the packet, and does what it left for then.
func (r *run) settle(d *dissect.D) {
	r.trial, r.d, r.own, r.base = false, d, d.Recorder().Source(), d.Pos()
	for i := range r.sources {
		r.sources[i].number = d.Recorder().AddSource(r.sources[i].name, r.sources[i].b)
	}
	r.eachExpert(r.root)
	for i := range r.steps {
		r.steps[i].do(r)
	}
}

// eachExpert counts the expert infos of a trial.
func (r *run) eachExpert(it *item) {
	for _, c := range it.children {
		if c.expert != nil {
			r.d.Recorder().Raise(c.expert)
		}
		r.eachExpert(c)
	}
}

// do does a step in the engine.
func (s *step) do(r *run) bool {
	d := r.d
	info := d.Info()
	number, at := r.place(s.src, s.off)
	switch s.kind {
	case stepProtocol:
		info.Retitle(s.text)
	case stepInfo:
		info.Rewrite(func(string) string { return s.text })
	case stepAppend:
		info.Rewrite(func(before string) string { return before + s.text })
	case stepPrepend:
		info.Rewrite(func(before string) string { return s.text + before })
	case stepClear:
		info.Rewrite(func(string) string { return "" })
	case stepFence:
		info.FenceHere()
	case stepUnfence:
		info.Unfence()
	}
	took := false
	d.Recorder().Nested(s.nested, func() {
		switch s.kind {
		case stepCall:
			name, told, _ := strings.Cut(s.text, toldBy)
			if told != "" {
				d.SetLayerData([]byte(told))
			}
			took = d.Inner().Enter(name, number, at, s.n)
		case stepTable:
			took = d.Inner().EnterTable(dissect.Table(s.text), s.key, number, at, s.n)
		case stepGuess:
			took = d.Inner().EnterGuessed(dissect.Table(s.text), number, at, s.n)
		}
	})
	return took
}

// takeIn is take for the call of another dissector, whose layers stand within the item that it is given.
func (r *run) takeIn(l *lua.LState, arg int, s step) bool {
	it, ok := is[*item](l.Get(arg))
	if ok && it != r.root && it.run == r && it.step == 0 {
		for up := it; up != r.root && up != nil; up = up.parent {
			s.nested++
		}
		it.children = append(it.children, &item{run: r, parent: it, step: len(r.steps) + 1})
	}
	return r.take(s)
}

// take adds a step, and does it where the packet is known to be the protocol's.
func (r *run) take(s step) bool {
	s.behind = len(r.root.children)
	r.steps = append(r.steps, s)
	if r.trial {
		return true
	}
	return r.steps[len(r.steps)-1].do(r)
}

// record records the tree.
func (r *run) record(d *dissect.D) {
	if r.count > 0 {
		r.recordCall(d)
	}
	for _, c := range r.root.children {
		r.recordItem(d, c, 0)
	}
}

// recordCall records the field that stands in front of what a script adds in Wireshark. Where it adds nothing there is
// none: what comes late in other layers would stand within it.
func (r *run) recordCall(d *dissect.D) {
	d.Recorder().Record(&dissect.RecordedNode{Field: r.proto.called, Source: r.own, Off: r.base, Outside: true,
		Hidden: true})
}

func (r *run) recordItem(d *dissect.D, it *item, depth int) {
	if it.step > 0 {
		return
	}
	var n dissect.RecordedNode
	it.node(&n)
	n.Depth = depth
	n.Source, n.Off = r.place(it.src, it.off)
	d.Recorder().Record(&n)
	for _, c := range it.children {
		r.recordItem(d, c, depth+1)
	}
}

// node is the item as the engine records it; where it lies comes later.
func (it *item) node(n *dissect.RecordedNode) {
	*n = dissect.RecordedNode{Len: it.n, Off: it.off, Source: it.src, Value: it.value.n, Text: it.value.text,
		Label: it.label, Derived: it.generated, Outside: it.outside, Hidden: it.hidden}
	p := it.run.proto
	switch {
	case it.expert != nil:
		n.Field, n.Derived = it.expert, true
		if n.Label != "" {
			n.Text, n.Label = []byte(n.Label), ""
		}
		return
	case it.proto != nil && it.proto.p != nil:
		n.Field, n.Value = it.proto.p.Self(), uint64(it.off+it.n)
	case it.field != nil && it.field.f != nil:
		n.Field = it.field.f
	default:
		n.Field = p.text
		n.Label = orText(n.Label, "")
		if it.generated {
			n.Label = "[" + it.front + n.Label + it.behind + "]"
			return
		}
	}
	if f := it.field; f != nil && f.isBytes() && n.Label == "" &&
		(len(it.value.text) > 36 || separators[f.base&0xff] != "") {
		n.Label = f.line(it.value)
	}
	if it.front != "" {
		n.Label = it.front + orText(n.Label, it.line())
	}
	n.Behind = it.behind
}

func orText(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// reported tells of an error once.
func (m *machine) reported(text string) {
	if m.loaded == nil {
		m.loaded = map[string]bool{}
	}
	if !m.loaded["!"+text] && len(m.loaded) < 1000 {
		m.loaded["!"+text] = true
		m.say(text)
	}
}

// fits asks a heuristic of the script whether a packet is the protocol's.
func (p *proto) fits(d *dissect.D, fn *lua.LFunction) bool {
	m := p.m
	unlock := m.enter(d)
	defer unlock()
	r := m.begun(d, p)
	r.trial, r.guess = true, true
	ret, ok := r.call(fn, &tvb{b: d.Data(), reported: d.Left()})
	r.end()
	taken := ok && (ret == lua.LTrue || isCount(ret))
	if !taken && ok && len(r.root.children) > 0 { // what it recorded stays, and the packet is data
		r.steps = append(r.steps, step{kind: stepCall, n: d.Left()})
		taken = true
	}
	if taken {
		m.pending = &pending{r, d.Frame, d.Left()}
	}
	return taken
}

// isCount tells of a dissector's result that it took bytes.
func isCount(v lua.LValue) bool {
	n, ok := v.(lua.LNumber)
	return ok && n != 0
}

// cut tells how long a message in a stream is: the script dissects what there is, and says what it lacks.
func (p *proto) cut(d *dissect.D, b []byte) int {
	if p.dissector == nil {
		return len(b)
	}
	m := p.m
	unlock := m.enter(d)
	defer unlock()
	r := m.begun(d, p)
	r.trial, r.pinfo.canDesegment = true, 2
	r.call(p.dissector, &tvb{b: b, reported: len(b)})
	r.end()
	pi := r.pinfo
	switch {
	case pi.desegmentLen <= 0:
	case pi.desegmentOffset > 0 && pi.desegmentOffset < len(b):
		// what is complete is a message; the script runs anew on the rest
		m.pending = &pending{r, d.Frame, pi.desegmentOffset}
		return pi.desegmentOffset
	case pi.desegmentLen >= oneMoreSegment:
		return 0
	default:
		return len(b) + pi.desegmentLen
	}
	m.pending = &pending{r, d.Frame, len(b)}
	return len(b)
}

const oneMoreSegment = 0x0fffffff

// line is the item without what the script said otherwise.
func (it *item) line() string {
	switch {
	case it.proto != nil:
		return it.proto.title
	case it.field != nil:
		return it.field.line(it.value)
	}
	return ""
}

// text is the item as it stands in the tree.
func (it *item) text() string {
	if it.label != "" {
		return it.front + it.label + it.behind
	}
	text := it.front + it.line() + it.behind
	if it.generated {
		return "[" + strings.TrimSpace(text) + "]"
	}
	return text
}
