package dcerpc

import (
	"fmt"

	"remora/dissect"
)

var (
	fPieces = proto.Node("fragments", "Reassembled DCE/RPC Fragments", "The fragments that a call came in.")
	fPiece  = proto.FrameRef("fragment", "DCE/RPC Fragment", "One of them.")
	fWhole  = proto.FrameRef("reassembled_in", "Reassembled PDU in frame", "The frame that completes the call.")
	fSize   = proto.Uint32("reassembled.length", "Reassembled DCE/RPC length", "Length of the whole.").Derived()
	fPart   = proto.Bytes("fragment_data", "Fragment data", "A part of arguments or results.")
)

// A run is what waits of one direction of a call.
type run struct {
	refs  []dissect.Ref
	size  int
	count int
}

type waiting struct{ calls map[place]*run }

// A recipe says which pieces make the whole: a run of them in their list. Number is which fragment a packet brings.
type recipe struct{ First, Count, Number uint32 }

var (
	fragments = dissect.NewStore[waiting, recipe]()
	parts     = dissect.NewList[dissect.Ref]()
)

// Limits of what waits.
const (
	maxCalls = 256
	maxParts = 4096
)

// fragment takes n bytes as a part of a call; the last one hands on the whole.
func (p *pdu) fragment(n int) {
	d := p.d
	result := fragments.FirstPass(d, func(w *waiting) recipe { return p.collect(w, n) })
	if n > 0 {
		d.Bytes(fPart, n)
	}
	if result.Count == 0 {
		d.Links().ShowForward(fWhole)
		if d.Info().Wanted() {
			if in := d.Links().Forward(fWhole); in != 0 {
				d.Info().Setf("[DCE/RPC %s fragment, reas: #%d]", p.part(), in)
			}
		}
		return
	}
	refs := make([]dissect.Ref, result.Count)
	for i := range refs {
		refs[i] = parts.At(d, result.First+uint32(i))
		if refs[i].Frame != d.Frame {
			d.Link(refs[i].Frame, fWhole, nil)
		}
	}
	whole := d.Stream().Gather(refs)
	d.From(fmt.Sprintf("Reassembled DCE/RPC (%d bytes)", len(whole)), whole, func() {
		d.In(fPieces, func() {
			from := 0
			for _, r := range refs {
				d.Put(fPiece, uint64(r.Frame), from, int(r.Len))
				from += int(r.Len)
			}
			d.Set(fSize, uint64(len(whole)))
		})
		p.hand()
	})
}

// collect keeps a fragment. The last one gets what to put together.
func (p *pdu) collect(w *waiting, n int) recipe {
	d := p.d
	at := place{p.pipe, p.call}
	at.number = at.number<<1 | uint32(truth(p.kind == typeResponse))
	if w.calls == nil || len(w.calls) >= maxCalls {
		w.calls = map[place]*run{}
	}
	r := w.calls[at]
	if p.flags&flagFirst != 0 || r == nil {
		if p.flags&flagFirst == 0 {
			return recipe{}
		}
		r = &run{}
		w.calls[at] = r
	}
	refs, ok := d.Stream().RefsAt(d.Pos(), n)
	r.refs, r.size, r.count = append(r.refs, refs...), r.size+n, r.count+1
	if !ok || r.size > dissect.MaxReassembly || len(r.refs) > maxParts {
		delete(w.calls, at)
		return recipe{}
	}
	if p.flags&flagLast == 0 {
		return recipe{Number: uint32(r.count)}
	}
	delete(w.calls, at)
	out := recipe{Number: uint32(r.count), Count: uint32(len(r.refs))}
	for i, ref := range r.refs {
		number := parts.Put(d, ref)
		if i == 0 {
			out.First = number
		}
	}
	return out
}
