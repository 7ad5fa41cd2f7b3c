package lab

import (
	"bytes"
	"slices"
)

// Records is how messages hold a list of records, each with its length: behind some bytes up to the end.
type Records struct {
	Behind int
	Framing
}

const (
	mostBehind = 4  // bytes in front of a list
	copies     = 40 // records back in which the same one again is a copy
)

// findRecords finds a list in messages: nearly all fall into records exactly, and many into several.
func findRecords(messages []Message) (best Records, ok bool) {
	if len(messages) < 16 {
		return best, false
	}
	most := 0
	for behind := range mostBehind + 1 {
		for off := range 5 {
			for _, size := range []int{2, 1, 4} {
				for _, little := range []bool{true, false} {
					for _, plus := range []int{off + size, 0} { // what is behind the length, or all
						r := Records{behind, Framing{off, size, little, plus}}
						if n := r.fit(messages); n > most {
							best, most = r, n
						}
					}
				}
			}
		}
	}
	return best, most > 0
}

// fit is how many records the messages fall into, 0 where too few messages do or hardly any hold several.
func (r Records) fit(messages []Message) (count int) {
	bad, several := 0, 0
	sizes := map[int]bool{}
	for _, m := range messages {
		if len(m.Data) <= r.Behind {
			bad++
			continue
		}
		list, left := r.Cut(m.Data[r.Behind:])
		if left > 0 || len(list) == 0 {
			if bad++; bad*20 > len(messages) {
				return 0
			}
			continue
		}
		for _, b := range list {
			sizes[len(b)] = true
		}
		if count += len(list); len(list) > 1 {
			several++
		}
	}
	if several*4 < len(messages) || len(sizes) < 3 {
		return 0
	}
	return count
}

// head is the group of the bytes in front of the lists.
func (r Records) head(messages []Message) *Group {
	g := &Group{Direction: -1, Min: r.Behind, Max: r.Behind}
	number := true
	for _, m := range messages {
		if len(m.Data) > r.Behind {
			g.Messages = append(g.Messages, m)
			list, left := r.Cut(m.Data[r.Behind:])
			number = number && (left > 0 || r.Behind == 0 || int(m.Data[0]) == len(list))
		}
	}
	if r.Behind > 0 && number {
		g.Fields = []Field{{Kind: Count, Size: 1, Confidence: 1, Note: "of records"}}
	}
	return g
}

// cut gives the records, each once: copies of records that were sent before are left out. Those of one message are
// taken from the last to the first, as many protocols put the newest first.
func (r Records) cut(messages []Message) (out []Message) {
	type flow struct {
		flow uint32
		dir  int
	}
	last := map[flow][][]byte{}
	for _, m := range messages {
		if len(m.Data) <= r.Behind {
			continue
		}
		list, left := r.Cut(m.Data[r.Behind:])
		if left > 0 {
			continue
		}
		k := flow{m.Flow, m.Direction}
		slices.Reverse(list)
		for _, b := range list {
			if slices.ContainsFunc(last[k], func(c []byte) bool { return bytes.Equal(b, c) }) {
				continue
			}
			if last[k] = append(last[k], b); len(last[k]) > copies {
				last[k] = last[k][1:]
			}
			out = append(out, Message{m.Time, m.Flow, m.Direction, b, m.Frame})
		}
	}
	return out
}
