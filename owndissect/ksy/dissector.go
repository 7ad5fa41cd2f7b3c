package ksy

import (
	"errors"
	"hash/fnv"
	"strings"
	"sync"

	"remora/dissect"
	"remora/internal/kaitai"
)

// limits are for one packet.
var limits = kaitai.Limits{Steps: 1 << 18, Depth: 100, Memory: 16 << 20}

// stepBytes is how many bytes' worth of a frame's budget a step of the parser takes.
const stepBytes = 64

// A dissector shows packets as a description says.
type dissector struct {
	spec    *kaitai.Spec
	proto   *dissect.Protocol
	types   map[*kaitai.Type]*shown
	root    *shown
	parsers sync.Pool

	kind              []*kaitai.Attr // the way to the packet type
	kindField         *dissect.Field
	info              *kaitai.Template
	source, target    *kaitai.Expr // the roles
	from, to          *kaitai.Expr // the names
	request, response *pairing
	fIn, fTo, fTime   *dissect.Field
	nMalformed        *dissect.Field
	fFailed           *dissect.Field
}

// pairing says which packets are requests, or responses, and what joins both.
type pairing struct{ when, key *kaitai.Expr }

func newDissector(spec *kaitai.Spec) (*dissector, error) {
	d := &dissector{spec: spec, types: map[*kaitai.Type]*shown{}}
	s := spec.Remora
	name, title, doc := spec.ID, spec.Title, strings.Join(strings.Fields(spec.Doc), " ")
	if n := s.Text("name"); n != "" {
		name = n
	}
	if t := s.Text("title"); t != "" {
		title = t
	}
	if title == "" {
		title = name
	}
	if doc == "" {
		doc = "Described in Kaitai Struct."
	} else if !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	d.parsers.New = func() any { return kaitai.NewParser(spec, limits) }
	d.proto = dissect.NewRuntimeProtocol(strings.ToLower(name), title, doc)
	decl := &declaring{dissector: d, used: map[string]bool{}}
	if k := s.Get("type"); k != nil {
		if err := d.findKind(k); err != nil {
			return nil, err
		}
		decl.kind = d.kind[len(d.kind)-1]
	}
	d.root = decl.declare(spec.Root)
	if decl.err != nil {
		return nil, decl.err
	}
	d.gather()
	d.nMalformed = d.proto.Expert("malformed", dissect.Error, "The packet is not as the description says")
	d.fFailed = d.proto.String("failed", "Instance", "Why an instance could not be read.").Derived()
	return d, d.settings(s)
}

// gather collects for each type the fields of all that is in it, through types that hold each other.
func (d *dissector) gather() {
	for _, s := range d.types {
		seen := map[*shown]bool{}
		var all []*dissect.Field
		var walk func(*shown)
		walk = func(s *shown) {
			if seen[s] {
				return
			}
			seen[s] = true
			for _, a := range s.attrs {
				for _, f := range []*dissect.Field{a.group, a.number, a.real, a.text, a.binary} {
					if f != nil {
						all = append(all, f)
					}
				}
				for _, in := range a.inner {
					walk(in)
				}
			}
		}
		walk(s)
		s.all = all
	}
	for _, s := range d.types {
		for _, a := range s.attrs {
			if a.kind {
				d.kindField = a.number
			}
		}
	}
}

// findKind follows the path to the packet type.
func (d *dissector) findKind(s *kaitai.Setting) error {
	t := d.spec.Root
	for _, name := range strings.Split(s.Word, ".") {
		var a *kaitai.Attr
		if t != nil {
			a = t.Attr(name)
		}
		if a == nil {
			return s.Mistake("there is no field " + s.Word)
		}
		d.kind = append(d.kind, a)
		t = a.Shape().Type
	}
	k := d.kind[len(d.kind)-1].Shape()
	if k.List || k.Kind != kaitai.Int && k.Kind != kaitai.Enum {
		return s.Mistake(s.Word + " is no integer: the packet type is one, or an enum")
	}
	return nil
}

// settings reads what the description says of packets.
func (d *dissector) settings(s *kaitai.Setting) (err error) {
	if d.info = d.spec.Root.Represent(); s.Get("info") != nil {
		if d.info, err = d.spec.Template(d.spec.Root, s.Get("info")); err != nil {
			return err
		}
	}
	for _, e := range []struct {
		of       **kaitai.Expr
		key, end string
	}{{&d.source, "roles", "source"}, {&d.target, "roles", "destination"}, {&d.from, "names", "source"},
		{&d.to, "names", "destination"}} {
		if x := s.Get(e.key).Get(e.end); x != nil {
			if *e.of, err = d.spec.Compile(d.spec.Root, x); err != nil {
				return err
			}
		}
	}
	if d.request, err = d.pairing(s.Get("request")); err != nil {
		return err
	}
	if d.response, err = d.pairing(s.Get("response")); err != nil {
		return err
	}
	if d.request != nil && d.response != nil {
		d.fIn = d.proto.FrameRef("response_in", "Response in", "The response to this request.")
		d.fTo = d.proto.FrameRef("request_in", "Request in", "The request that this answers.")
		d.fTime = d.proto.Span("time", "Time", "Between the request and the response.").Derived()
	}
	return nil
}

func (d *dissector) pairing(s *kaitai.Setting) (*pairing, error) {
	if s == nil {
		return nil, nil
	}
	if s.Get("if") == nil {
		return nil, s.Mistake("if is missing: which packets these are")
	}
	when, err := d.spec.Compile(d.spec.Root, s.Get("if"))
	if err != nil {
		return nil, err
	}
	p := &pairing{when: when}
	if key := s.Get("key"); key != nil {
		if p.key, err = d.spec.Compile(d.spec.Root, key); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (d *dissector) parser() *kaitai.Parser { return d.parsers.Get().(*kaitai.Parser) }

// dissect shows a packet.
func (k *dissector) dissect(d *dissect.D) {
	p := k.parser()
	defer k.parsers.Put(p)
	data, base := d.Data(), d.Pos()
	o, err := p.Parse(data)
	w := &walk{dissector: k, d: d, p: p, base: base, source: o.IO.Source}
	if d.WantedOf(k.proto) || k.kindField != nil && d.Wanted(k.kindField) {
		w.object(k.root, o)
	}
	if k.kindField != nil && !w.typed {
		if v, ok := k.kindOf(p, o); ok {
			d.SetKind(k.kindField, v)
		}
	}
	k.tell(d, p, o)
	d.Spend(stepBytes * p.Spent())
	if k.info != nil && d.Info().Wanted() {
		if text := p.Text(k.info, o); text != "" {
			d.Info().Setf("%s", text)
		}
	}
	w.end(o, err, len(data))
}

// kindOf is the packet type of what was read.
func (k *dissector) kindOf(p *kaitai.Parser, o *kaitai.Object) (uint64, bool) {
	for i, a := range k.kind {
		v, _, ok, err := p.Read(o, a)
		switch {
		case !ok || err != nil:
			return 0, false
		case i == len(k.kind)-1:
			return number(v), true
		}
		if o = v.Object(); o == nil {
			return 0, false
		}
	}
	return 0, false
}

func number(v kaitai.Value) uint64 {
	if v.Kind == kaitai.Enum {
		return v.Label().Number().Uint64()
	}
	return v.Uint64()
}

// tell says what a packet tells of its ends, and joins requests with responses.
func (k *dissector) tell(d *dissect.D, p *kaitai.Parser, o *kaitai.Object) {
	say := func(e *kaitai.Expr, end dissect.Endpoint, what func(dissect.Endpoint, string)) {
		if e == nil {
			return
		}
		if v, err := p.Eval(e, o); err == nil && v.Kind != kaitai.Null && v.String() != "" {
			what(end, v.String())
		}
	}
	if d.Session().FirstPass() {
		say(k.source, d.Src, d.Ends().Role)
		say(k.target, d.Dst, d.Ends().Role)
		say(k.from, d.Src, d.Ends().Name)
		say(k.to, d.Dst, d.Ends().Name)
	}
	if k.fIn == nil {
		return
	}
	if key, ok := k.request.of(p, o); ok {
		d.Request(key, k.fIn)
	} else if key, ok := k.response.of(p, o); ok {
		d.Response(key, k.fIn, k.fTo, k.fTime)
	}
}

// of tells whether a packet is one of the pairing, and its key.
func (q *pairing) of(p *kaitai.Parser, o *kaitai.Object) (uint64, bool) {
	if v, err := p.Eval(q.when, o); err != nil || v.Kind != kaitai.Bool || v.Uint64() == 0 {
		return 0, false
	}
	if q.key == nil {
		return 0, true
	}
	v, err := p.Eval(q.key, o)
	switch {
	case err != nil || v.Kind == kaitai.Null:
		return 0, false
	case v.Kind == kaitai.Str || v.Kind == kaitai.Bytes:
		h := fnv.New64a()
		h.Write(append([]byte(v.Text()), v.Raw()...))
		return h.Sum64(), true
	}
	return number(v), true
}

// end puts the cursor behind what was read, or marks where it could not be read on.
func (w *walk) end(o *kaitai.Object, err error, size int) {
	d := w.d
	if err == nil {
		d.Seek(w.base + o.IO.Pos())
		return
	}
	at := min(o.IO.Pos(), size)
	var e *kaitai.Error
	if errors.As(err, &e) {
		if span, ok := e.At.Outermost(); ok {
			at, _ = span.Bytes()
		}
	}
	d.Seek(w.base + min(at, size))
	d.ExpertText(w.nMalformed, err.Error())
	d.Skip(d.Left() + 1)
}
