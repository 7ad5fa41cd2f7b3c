package filter

import "remora/dissect"

// MatchTree asks a whole tree, without the index.
func MatchTree(f *Filter, t *dissect.Tree) bool { return f.root.match(new(eval), t) }
