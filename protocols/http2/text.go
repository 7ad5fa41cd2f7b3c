package http2

import "remora/dissect"

// A text is kept in pieces on their shelf: from which one on, and how many bytes.
type text struct{ From, Len uint32 }

type textPiece [32]byte

var texts = dissect.NewList[textPiece]()

// words are the texts that are on the shelf already: names and values of headers repeat a lot.
type words struct {
	known  map[string]text
	size   int
	pairs  map[pair]uint32
	static [len(static)]uint32 // the pairs of the static table, 0 where they are not on the shelf yet
}

// maxPairs bounds the pairs that are looked for on the shelf before they are put there once more.
const maxPairs = 1 << 16

// pairOf puts a pair on the shelf, or finds it there. It serves the first pass.
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

// maxWords bounds the bytes of the texts that are looked for on the shelf before they are put there once more.
const maxWords = 8 << 20

var lexicon = dissect.NewStore[words, uint8]()

// keep puts a text on the shelf, or finds it there. It serves the first pass.
func keep(d *dissect.D, s string) (t text) {
	if s == "" {
		return t
	}
	lexicon.FirstPassIn(d, func(w *words) uint8 {
		var ok bool
		if t, ok = w.known[s]; ok {
			return 0
		}
		if w.size += len(s) + 32; w.known == nil || w.size > maxWords {
			w.known, w.size = map[string]text{}, len(s)
		}
		t = put(d, s)
		w.known[s] = t
		return 0
	})
	return t
}

// put puts a text on the shelf.
func put(d *dissect.D, s string) text {
	t := text{Len: uint32(len(s))}
	for steps := (dissect.Progress{}); len(s) > 0 && steps.Down(len(s)); {
		var p textPiece
		s = s[copy(p[:], s):]
		n := texts.Put(d, p)
		if t.From == 0 {
			t.From = n
		}
	}
	return t
}

// append reads a text from the shelf.
func (t text) append(d *dissect.D, b []byte) []byte {
	for n, left := t.From, int(t.Len); left > 0; n++ {
		p := texts.At(d, n)
		b = append(b, p[:min(len(p), left)]...)
		left -= len(p)
	}
	return b
}

func (t text) string(d *dissect.D) string {
	if t.Len == 0 {
		return ""
	}
	return string(t.append(d, make([]byte, 0, t.Len)))
}
