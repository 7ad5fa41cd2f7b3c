package filter

import "remora/dissect"

// Some fields are not of a packet's bytes: the index knows them of every frame that has passed, and nothing is dissected for
// them. So the ticks of ten million packets are looked up as fast as their numbers.

// fromIndex is where the values of such a field come from, or nil.
func fromIndex(f *dissect.Field) source {
	if dissect.Indexed(f.Protocol()) {
		return nil // of a protocol, whatever its name
	}
	switch f.Name() {
	case "dir":
		return direction{}
	case "talk":
		return talks{}
	case "frame.path":
		return ofShape(func(s *dissect.Session, sh *dissect.LayerStack) []string { return []string{s.StackPath(sh)} })
	case "frame.top":
		return ofShape(func(s *dissect.Session, sh *dissect.LayerStack) []string { return []string{s.StackTop(sh).Name()} })
	case "frame.type":
		return ofShape((*dissect.Session).TypeNames)
	}
	return nil
}

// direction is which way a frame goes in its conversation.
type direction struct{}

func (direction) push(e *eval, t *dissect.Tree) {
	if conv, dir := t.Session().DirectionOf(t.Frame); conv != 0 {
		e.push(value{n: uint64(dir), class: classUint})
	}
}
func (direction) possible(*dissect.Session, *dissect.LayerStack) bool { return true }
func (direction) needs(func(*dissect.Field))                          {}

// talks are the numbers of a frame's conversations.
type talks struct{}

func (talks) push(e *eval, t *dissect.Tree) {
	s := t.Session()
	conv, _ := s.DirectionOf(t.Frame)
	if conv == 0 {
		return
	}
	e.push(value{n: uint64(conv), class: classUint})
	s.InnerConversations(t.Frame, func(conv uint32, _ int) { e.push(value{n: uint64(conv), class: classUint}) })
}
func (talks) possible(*dissect.Session, *dissect.LayerStack) bool { return true }
func (talks) needs(func(*dissect.Field))                          {}

// ofShape is texts that all frames of a layer stack have.
type ofShape func(s *dissect.Session, sh *dissect.LayerStack) []string

func (x ofShape) push(e *eval, t *dissect.Tree) {
	if t != nil {
		x.pushOf(e, t.Session(), t.LayerStack)
	}
}
func (x ofShape) pushOf(e *eval, s *dissect.Session, sh *dissect.LayerStack) {
	for _, text := range x(s, sh) {
		e.push(value{b: []byte(text), class: classString})
	}
}
func (x ofShape) possible(s *dissect.Session, sh *dissect.LayerStack) bool { return len(x(s, sh)) > 0 }
func (ofShape) needs(func(*dissect.Field))                                 {}

// answered answers a test once for all frames of a layer stack, where its term is the same in all of them.
func answered(x test, of source, s *dissect.Session, sh *dissect.LayerStack) test {
	texts, ok := of.(ofShape)
	if !ok {
		return x
	}
	var e eval
	texts.pushOf(&e, s, sh)
	switch x := x.(type) {
	case something:
		return known(len(e.stack) > 0)
	case passing:
		return known(quantified(e.stack, x.all, x.pass))
	case matching:
		return known(x.among(&e, e.stack))
	}
	return x
}

// Decided is what the filter says of all frames of a layer stack; ok tells whether the layer stack alone decides it.
func (f *Filter) Decided(s *dissect.Session, shape uint32) (answer, ok bool) {
	p := f.plan(s, shape)
	return bool(p.answer), !p.open
}
