package dcerpc

import "remora/dissect"

// An ndr reads arguments in the Network Data Representation (C706 chapter 14): numbers stand at multiples of their size,
// and what a pointer points to comes after what holds the pointer.
type ndr struct {
	d       *dissect.D
	service *service
	big     bool
	start   int // from where alignment counts
}

// align skips to a multiple of n.
func (r *ndr) align(n int) {
	d := r.d
	if gap := (r.start - d.Pos()) & (n - 1); gap > 0 {
		d.Bytes(fPadding, min(gap, d.Left()))
	}
}
