package wlan

import "remora/dissect"

// Control frames, as type<<4 | subtype.
const (
	controlBlockReq = 0x18
	controlTrigger  = 0x12
	controlNDP      = 0x15
	controlBlockAck = 0x19
	controlPoll     = 0x1a
	controlRTS      = 0x1b
	controlEnd      = 0x1e
	controlEndAck   = 0x1f
)

// short is a control frame (IEEE 802.11-2020 section 9.3.1).
func (h *header) short(d *dissect.D) {
	switch h.kind {
	case controlPoll:
		h.dst = address(d, fRA, fBSSID)
		h.src = address(d, fTA)
	case controlEnd, controlEndAck:
		h.dst = address(d, fRA)
		h.src = address(d, fTA, fBSSID)
	default:
		h.dst = address(d, fRA)
		switch h.kind {
		case controlTrigger, controlNDP, controlRTS, controlBlockReq, controlBlockAck:
			h.src = address(d, fTA)
		}
	}
	d.Ends().Set(h.src, h.dst)
	if d.Info().Wanted() {
		d.Info().Setf("%s, Flags=%s", h.name(), h.letters())
	}
	if h.kind == controlBlockReq || h.kind == controlBlockAck {
		dissect.Parts(d, fBACtl, fBAPolicy, fBAType, fBATID)
		if d.Left() >= 2 {
			dissect.Parts(d, fSSC, fSSCFrag, fSSCSeq)
		}
		if h.kind == controlBlockAck {
			d.Rest(fBitmap)
		}
	}
	d.Rest(fMIC)
}
