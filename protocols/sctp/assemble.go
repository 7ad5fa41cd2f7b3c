package sctp

import "remora/dissect"

// A series is what fragments of one message have in common beside their direction: for chunks of interleaved data
// stream and number of the message, for others nothing, since their numbers run through all streams.
type series uint64

// A place is where a fragment stands in its series.
type place struct {
	series series
	number uint32
}

// A fragment is one that waits for the others of its message.
type fragment struct {
	ref   dissect.Ref
	ppid  uint32
	flags uint8
}

// waiting are the fragments of an association whose messages are not whole, by direction.
type waiting [2]map[place]fragment

// A recipe says which fragments make a message: a run of them in their list. The first one
// says what is in it.
type recipe struct{ First, Count, PPID uint32 }

var (
	fragments = dissect.NewStore[waiting, recipe]()
	parts     = dissect.NewList[dissect.Ref]()
)

// maxWaiting bounds the fragments that wait in a direction; beyond it they are given up.
const maxWaiting = 1024

// add keeps a fragment, and returns those of the message that it completes, in order.
func (w *waiting) add(dir int, at place, f fragment) (whole []dissect.Ref, ppid uint32) {
	all := w[dir&1]
	if all == nil || len(all) >= maxWaiting {
		all = map[place]fragment{}
		w[dir&1] = all
	}
	if _, known := all[at]; known { // it was sent again
		return nil, 0
	}
	all[at] = f
	last, ok := reach(all, at, flagEnd, 1) // most come in order: then this is one step
	if !ok {
		return nil, 0
	}
	first, ok := reach(all, at, flagBegin, -1)
	if !ok {
		return nil, 0
	}
	size, ppid := 0, all[place{at.series, first}].ppid
	for n := first; ; n++ {
		p := place{at.series, n}
		whole = append(whole, all[p].ref)
		size += int(all[p].ref.Len)
		delete(all, p)
		if n == last {
			break
		}
	}
	if size > dissect.MaxReassembly {
		return nil, 0
	}
	return whole, ppid
}

// reach goes from a fragment along its neighbours to the one with a flag.
func reach(all map[place]fragment, at place, flag uint8, step int32) (uint32, bool) {
	for {
		f, ok := all[at]
		if !ok {
			return 0, false
		}
		if f.flags&flag != 0 {
			return at.number, true
		}
		at.number += uint32(step)
	}
}

// piece takes the rest of the range as a fragment. The one that completes a message shows it and hands it on.
func piece(d *dissect.D, p *packetState, at place, flags uint64, ppid uint32) {
	n := d.Left()
	result := fragments.FirstPass(d, func(w *waiting) (r recipe) {
		ref, ok := d.Stream().RefAt(d.Pos(), n)
		if !ok || n == 0 {
			return recipe{}
		}
		whole, first := w.add(d.Dir, at, fragment{ref, ppid, uint8(flags)})
		r.PPID = first
		for i, ref := range whole {
			number := parts.Put(d, ref)
			if i == 0 {
				r.First = number
			}
			r.Count++
		}
		return r
	})
	d.Rest(fData)
	if result.Count == 0 {
		d.Links().ShowForward(fWhole)
		return
	}
	refs := make([]dissect.Ref, result.Count)
	for i := range refs {
		refs[i] = parts.At(d, result.First+uint32(i))
		if refs[i].Frame != d.Frame {
			d.Link(refs[i].Frame, fWhole, nil)
		}
	}
	d.From("Reassembled SCTP", d.Stream().Gather(refs), func() {
		d.In(fPieces, func() {
			from := 0
			for _, r := range refs {
				d.Put(fPiece, uint64(r.Frame), from, int(r.Len))
				from += int(r.Len)
			}
		})
		if d.More() {
			message(d, p, result.PPID)
		}
	})
}
