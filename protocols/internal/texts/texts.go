// Package texts keeps texts of the first pass for re-dissections: per-frame data is plain and of a fixed size, so it
// holds where a text is.
package texts

import "remora/dissect"

// A Text is kept in pieces that follow each other: from which one on, and how many bytes. The zero Text is empty.
type Text struct{ From, Len uint32 }

type piece [32]byte

var pieces = dissect.NewList[piece]()

// words are the texts that are kept already.
type words struct {
	known map[string]Text
	size  int
}

var lexicon = dissect.NewStore[words, uint8]()

// maxWords bounds the bytes of the texts that Keep looks for before they are put once more.
const maxWords = 8 << 20

// Keep puts a text, or finds one that is the same. It serves the first pass.
func Keep(d *dissect.D, s string) (t Text) {
	if s == "" {
		return t
	}
	lexicon.FirstPassIn(d, func(w *words) uint8 {
		var ok bool
		if t, ok = w.known[s]; ok {
			return 0
		}
		if w.size += len(s) + len(piece{}); w.known == nil || w.size > maxWords {
			w.known, w.size = map[string]Text{}, len(s)
		}
		t = Put(d, s)
		w.known[s] = t
		return 0
	})
	return t
}

// Put puts a text that is not expected again. It serves the first pass.
func Put(d *dissect.D, s string) Text {
	t := Text{Len: uint32(len(s))}
	for steps := (dissect.Progress{}); len(s) > 0 && steps.Down(len(s)); {
		var p piece
		s = s[copy(p[:], s):]
		n := pieces.Put(d, p)
		if t.From == 0 {
			t.From = n
		}
	}
	return t
}

// Append appends the text to b.
func (t Text) Append(d *dissect.D, b []byte) []byte {
	for n, left := t.From, int(t.Len); left > 0; n++ {
		p := pieces.At(d, n)
		b = append(b, p[:min(len(p), left)]...)
		left -= len(p)
	}
	return b
}

// String is the text.
func (t Text) String(d *dissect.D) string {
	if t.Len == 0 {
		return ""
	}
	return string(t.Append(d, make([]byte, 0, t.Len)))
}
