package filter

import "remora/dissect"

// MatchTree asks a whole tree, without the index.
func MatchTree(f *Filter, t *dissect.Tree) bool { return f.root.match(new(eval), t) }

// Open tells whether the index leaves a frame's answer open.
func Open(f *Filter, s *dissect.Session, n dissect.FrameNum) bool {
	return f.plan(s, s.LayerStackID(n)).open
}

// FunctionNames are the functions of the language.
func FunctionNames() []string { return functionNames() }
