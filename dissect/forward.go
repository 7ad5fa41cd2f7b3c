package dissect

// Forward is the frame that a later packet named for this one under the field (see Link and Request), or 0. It is for
// texts; ShowForward records the field. In the first pass, which has not come that far, it is 0.
func (d *D) Forward(f *Field) FrameNum {
	if d.first {
		return 0
	}
	return d.s.forward.get(f.id, d.Frame)
}
