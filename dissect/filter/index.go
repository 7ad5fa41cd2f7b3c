package filter

import "remora/dissect"

// Some fields are not of a packet's bytes: the index knows them of every frame that has passed, and nothing is
// dissected for them. So the ticks of ten million packets are looked up as fast as their numbers.

// fromIndex is where the values of such a field come from, or nil.
func fromIndex(f *dissect.Field) source {
	if dissect.Indexed(f.Protocol()) {
		return nil // of a protocol, whatever its name
	}
	switch f.Name() {
	case "dir":
		return direction{}
	case "talk":
		return conversationNumbers{}
	case "frame.path":
		return layerStackValues(func(s *dissect.Session, sh *dissect.LayerStack) []string {
			return []string{s.StackPath(sh)}
		})
	case "frame.top":
		return layerStackValues(func(s *dissect.Session, sh *dissect.LayerStack) []string {
			return []string{s.StackTop(sh).Name()}
		})
	case "frame.type":
		return layerStackValues((*dissect.Session).TypeNames)
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

// conversationNumbers are the numbers of a frame's conversations.
type conversationNumbers struct{}

func (conversationNumbers) push(e *eval, t *dissect.Tree) {
	s := t.Session()
	conv, _ := s.DirectionOf(t.Frame)
	if conv == 0 {
		return
	}
	e.push(value{n: uint64(conv), class: classUint})
	s.InnerConversations(t.Frame, func(conv uint32, _ int) { e.push(value{n: uint64(conv), class: classUint}) })
}
func (conversationNumbers) possible(*dissect.Session, *dissect.LayerStack) bool { return true }
func (conversationNumbers) needs(func(*dissect.Field))                          {}

// layerStackValues is texts that all frames of a layer stack have.
type layerStackValues func(s *dissect.Session, sh *dissect.LayerStack) []string

func (x layerStackValues) push(e *eval, t *dissect.Tree) {
	if t != nil {
		x.pushOf(e, t.Session(), t.LayerStack)
	}
}
func (x layerStackValues) pushOf(e *eval, s *dissect.Session, sh *dissect.LayerStack) {
	for _, text := range x(s, sh) {
		e.push(value{b: []byte(text), class: classString})
	}
}
func (x layerStackValues) possible(s *dissect.Session, sh *dissect.LayerStack) bool {
	return len(x(s, sh)) > 0
}
func (layerStackValues) needs(func(*dissect.Field)) {}

// answered answers a test once for all frames of a layer stack, where its term is the same in all of them.
func answered(x test, of source, s *dissect.Session, sh *dissect.LayerStack) test {
	texts, ok := of.(layerStackValues)
	if !ok {
		return x
	}
	var e eval
	texts.pushOf(&e, s, sh)
	switch x := x.(type) {
	case exists:
		return constantTest(len(e.stack) > 0)
	case valueTest:
		return constantTest(quantified(e.stack, x.all, x.pass))
	case regexTest:
		return constantTest(x.among(&e, e.stack))
	}
	return x
}

// Decided is what the filter says of all frames of a layer stack; ok tells whether the layer stack alone decides it.
func (f *Filter) Decided(s *dissect.Session, shape uint32) (answer, ok bool) {
	p, _ := f.plan(s, shape)
	return bool(p.answer), !p.open
}
