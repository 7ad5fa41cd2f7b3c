package dissect

import "bytes"

// parts describes the pieces of a set of which some do not fit, two Refs for each: where its bytes are, and its offset
// with its oddities. whole is the datagram.
func (set *fragmentSet) parts(d *D, whole []byte) []Ref {
	out := make([]Ref, 0, 2*len(set.pieces))
	at := 0
	for _, p := range set.pieces {
		var odd FragmentOddity
		end := p.off + int(p.ref.Len)
		if p.tail {
			odd |= FragmentTail
		}
		if end > set.total {
			odd |= FragmentTooLong
		}
		if p.off < at {
			odd |= FragmentOverlap
			n := min(at, end) - p.off
			if b := d.Stream().Gather([]Ref{p.ref}); !bytes.Equal(b[:n], whole[p.off:p.off+n]) {
				odd |= FragmentConflict
			}
		}
		at = max(at, min(end, set.total))
		out = append(out, p.ref, Ref{Off: uint32(p.off), Len: uint32(odd)})
	}
	return out
}

// oddParts reads what parts wrote.
func oddParts(refs []Ref) []FragmentPart {
	out := make([]FragmentPart, 0, len(refs)/2)
	for i := 0; i+1 < len(refs); i += 2 {
		r, more := refs[i], refs[i+1]
		out = append(out, FragmentPart{Frame: r.Frame, Off: int(more.Off), Len: int(r.Len), Odd: FragmentOddity(more.Len)})
	}
	return out
}

// evenParts are the fragments of a datagram that all fit.
func evenParts(refs []Ref) []FragmentPart {
	out, at := make([]FragmentPart, len(refs)), 0
	for i, r := range refs {
		out[i] = FragmentPart{Frame: r.Frame, Off: at, Len: int(r.Len)}
		at += int(r.Len)
	}
	return out
}
