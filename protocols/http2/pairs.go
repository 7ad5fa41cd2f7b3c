package http2

import "remora/dissect"

// words are the pairs that are kept already: names and values of headers repeat a lot.
type words struct {
	pairs  map[pair]uint32
	static [len(static)]uint32 // the pairs of the static table, 0 where they are not kept yet
}

var lexicon = dissect.NewStore[words, uint8]()

// maxPairs bounds the pairs that are looked for in the list before they are put there once more.
const maxPairs = 1 << 16

// pairOf puts a pair in the list, or finds it there. It serves the first pass.
func pairOf(d *dissect.D, p pair) (n uint32) {
	lexicon.FirstPassIn(d, func(w *words) uint8 {
		if n = w.pairs[p]; n != 0 {
			return 0
		}
		if w.pairs == nil || len(w.pairs) >= maxPairs {
			w.pairs = map[pair]uint32{}
		}
		n = pairs.Put(d, p)
		w.pairs[p] = n
		return 0
	})
	return n
}
