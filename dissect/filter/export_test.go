package filter

import "remora/dissect"

// MatchTree asks a whole tree, without the index.
func MatchTree(f *Filter, t *dissect.Tree) bool { return f.root.match(new(eval), t) }

// Open tells whether the index leaves a frame's answer open.
func Open(f *Filter, s *dissect.Session, n dissect.FrameNum) bool {
	p, _ := f.plan(s, s.LayerStackID(n))
	return p.open
}

// MatchReading asks the packet wherever its layer stack leaves the answer open, and never its conversation.
func MatchReading(f *Filter, l *dissect.Dissector, n dissect.FrameNum) bool {
	p, _ := f.plan(l.Session(), l.Session().LayerStackID(n))
	if !p.open {
		return bool(p.answer)
	}
	reading := *p
	reading.values = false
	return f.read(l, n, &reading)
}

// AsksValues tells whether a frame is asked for values alone, which need not be read from its bytes.
func AsksValues(f *Filter, s *dissect.Session, n dissect.FrameNum) bool {
	p, _ := f.plan(s, s.LayerStackID(n))
	return p.open && p.values
}

// Unread tells whether a frame's conversation answers.
func Unread(f *Filter, l *dissect.Dissector, n dissect.FrameNum) bool {
	rec := l.Session().RecordOf(n)
	p, ps := f.plan(l.Session(), rec.Stack())
	a := asker{f, ps, l, rec, n}
	return p.shared && a.verdict(p.rest) != open
}

// Recalled tells whether a frame need not be read: its layer stack or columns of fields answer.
func Recalled(f *Filter, l *dissect.Dissector, n dissect.FrameNum) bool {
	c := f.fieldColumns(l.Session(), 1)
	defer c.end()
	return !Open(f, l.Session(), n) || len(c.of) > 0 && n <= c.have && l.Recalled(n, c.of) != nil
}

// FunctionNames are the functions of the language.
func FunctionNames() []string { return functionNames() }
