package dissect

// Forward is the frame that a later packet named for this one under the field (see Link and Request), or 0. It is for
// texts; Links.Links.ShowForward records the field. In the first pass, which has not come that far, it is 0.
func (hd *Links) Forward(f *Field) FrameNum {
	d := (*D)(hd)
	if d.first {
		return 0
	}
	return d.s.forward.get(f.id, d.Frame)
}

// SetForward gives an earlier frame a number that only this one tells, such as the version that both ends agreed on.
// The field says which number it is; the first that is told stays. It serves the first pass.
func (hd *Links) SetForward(earlier FrameNum, f *Field, v uint32) {
	d := (*D)(hd)
	d.alive()
	if d.first && !d.quoted {
		d.s.forward.put(f.id, earlier, FrameNum(v))
	}
}

// ForwardValue is the number that a later packet gave this one under the field (see Links.SetForward), or 0. In the
// first pass, which has not come that far, it is 0. It is for texts: what depends on it would differ from the first
// pass.
func (hd *Links) ForwardValue(f *Field) uint32 {
	d := (*D)(hd)
	return uint32(d.Links().Forward(f))
}
