package cli

import "remora/dissect"

// trees are copies of trees that the first pass has recorded, on their way to the goroutine that prints them.
type trees struct {
	made  []*dissect.Tree // of the next block
	spare []*dissect.Tree
	lists [][]*dissect.Tree
}

// pass has the packets behind n pass, as far as to, and keeps their trees.
func (k *trees) pass(l *dissect.Dissector, w *dissect.Wants, n *int, to int) {
	for ; *n < to; *n++ {
		k.made = append(k.made, k.copied(l.Pass(dissect.FrameNum(*n+1), w), w))
	}
}

// copied is a copy of a tree, or nil where the packet is to be dissected again.
func (k *trees) copied(t *dissect.Tree, w *dissect.Wants) *dissect.Tree {
	if t == nil {
		return nil
	}
	n := len(k.spare)
	if n == 0 {
		k.spare, n = append(k.spare, new(dissect.Tree)), 1
	}
	c := k.spare[n-1]
	if !t.CopyTo(c, w) {
		return nil
	}
	k.spare = k.spare[:n-1]
	return c
}

// take is the trees of a block that is complete.
func (k *trees) take() []*dissect.Tree {
	made := k.made
	k.made = nil
	if n := len(k.lists); n > 0 {
		k.made, k.lists = k.lists[n-1], k.lists[:n-1]
	}
	return made
}

// giveBack has the memory of trees that are printed used again.
func (k *trees) giveBack(list []*dissect.Tree) {
	for _, t := range list {
		if t != nil {
			k.spare = append(k.spare, t)
		}
	}
	if cap(list) > 0 {
		k.lists = append(k.lists, list[:0])
	}
}

// tree is the tree of a packet of the block as it passed, or nil.
func (n *block) tree(at dissect.FrameNum) *dissect.Tree {
	if i := int(at - n.from); i < len(n.trees) {
		return n.trees[i]
	}
	return nil
}
