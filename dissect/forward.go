package dissect

// Forward is the frame that a later packet named for this one under the field (see Link and Request), or 0. It is for
// texts; ShowForward records the field. In the first pass, which has not come that far, it is 0.
func (d *D) Forward(f *Field) FrameNum {
	if d.first {
		return 0
	}
	return d.s.forward.get(f.id, d.Frame)
}

// Foretell gives an earlier frame a number that only this one tells, such as the version that both ends agreed on. The
// field says which number it is; the first that is told stays. It serves the first pass.
func (d *D) Foretell(earlier FrameNum, f *Field, v uint32) {
	if d.first && !d.quoted {
		d.s.forward.put(f.id, earlier, FrameNum(v))
	}
}

// Foretold is the number that a later packet gave this one under the field (see Foretell), or 0. In the first pass, which
// has not come that far, it is 0. It is for texts: what depends on it would differ from the first pass.
func (d *D) Foretold(f *Field) uint32 { return uint32(d.Forward(f)) }
