package wlan

import (
	"fmt"

	"remora/dissect"
)

// Management frames by their subtype.
const (
	mgtAssocReq   = 0
	mgtAssocResp  = 1
	mgtReassocReq = 2
	mgtReassocRsp = 3
	mgtProbeReq   = 4
	mgtProbeResp  = 5
	mgtBeacon     = 8
	mgtDisassoc   = 10
	mgtAuth       = 11
	mgtDeauth     = 12
	mgtAction     = 13
	mgtActionNo   = 14
)

// categoryPublic are the actions that stations take with those that they have no association with.
const categoryPublic = 4

// management is a management frame (IEEE 802.11-2020 section 9.3.3).
func (h *header) management(d *dissect.D) {
	h.dst = address(d, fRA, fDA)
	h.src = address(d, fTA, fSA)
	address(d, fBSSID)
	beacon, name := h.peek(d)
	n := d.PeekUint(0, 2)
	n = n>>8 | n<<8&0xff00
	dissect.Parts(d, fFrag, fSeq)
	d.Ends().Set(h.src, h.dst)
	if d.Info().Wanted() {
		d.Info().Setf("%s, SN=%d, FN=%d, Flags=%s%s%s", h.name(), n>>4, n&15, h.letters(), beacon, name)
	}
	if h.flags&flagOrder != 0 {
		d.Uint(fHTC)
	}
	if h.flags&flagProtected != 0 {
		// the frame check sequence comes behind it
		within := func(d *dissect.D, p *dissect.Protocol, read func()) { d.In(p.Self(), read) }
		if !h.decrypted(d, func() { h.managed(d, within) }) {
			d.Rest(fMIC)
		}
		return
	}
	h.body, h.bodyAt = d.Left(), d.Pos() // behind the frame check sequence in trees
}

// managed reads a body that is not encrypted, or no longer.
func (h *header) managed(d *dissect.D, beside func(*dissect.D, *dissect.Protocol, func())) {
	if !d.More() {
		return
	}
	h.learn(d, d.Data())
	beside(d, mgt, func() {
		sized(d, fFixed, func() { h.fixed(d) })
		switch h.kind {
		case mgtAction, mgtActionNo:
			d.Rest(fMIC)
		default:
			if d.More() {
				sized(d, fTagged, func() { elements(d) })
			}
		}
	})
}

// sized reads what stands below a line that says how many bytes it has.
func sized(d *dissect.D, f *dissect.Field, read func()) {
	at, node := d.Pos(), d.Open(f)
	read()
	d.Close(node)
	if d.Labelling() {
		d.Suffix(f, fmt.Sprintf(" (%d bytes)", d.Pos()-at))
	}
}

// fixedLength is how many bytes stand in front of the elements.
var fixedLength = map[uint64]int{mgtAssocReq: 4, mgtAssocResp: 6, mgtReassocReq: 10, mgtReassocRsp: 6, mgtProbeResp: 12,
	mgtBeacon: 12, mgtAuth: 6, mgtDisassoc: 2, mgtDeauth: 2}

// peek finds what the Info column says of a frame: the time between beacons, and the network's name. The cursor stands
// at the sequence number.
func (h *header) peek(d *dissect.D) (beacon, name string) {
	if !d.Info().Wanted() || h.flags&flagProtected != 0 {
		return "", ""
	}
	b := d.Data()
	at := 2
	if h.flags&flagOrder != 0 {
		at += 4
	}
	if h.kind == mgtBeacon || h.kind == mgtProbeResp {
		if len(b) < at+12 {
			return "", ""
		}
		beacon = fmt.Sprintf(", BI=%d", int(b[at+8])|int(b[at+9])<<8)
	}
	if (h.kind == mgtAction || h.kind == mgtActionNo) && len(b) >= at+3 && b[at] == categoryBlock && b[at+1] <= 1 {
		return fmt.Sprintf(", Dialog Token=%d", b[at+2]), ""
	}
	if h.kind > mgtBeacon || h.kind == 6 || h.kind == 7 {
		return beacon, ""
	}
	at += fixedLength[h.kind]
	if len(b) >= at+2 && b[at] == 0 && at+2+int(b[at+1]) <= len(b) {
		if name = ssidText(b[at+2 : at+2+int(b[at+1])]); name == "" {
			return beacon, ", SSID=Wildcard (Broadcast)"
		}
		return beacon, `, SSID="` + name + `"`
	}
	return beacon, name
}

func ssidText(b []byte) string { return dissect.Escape(string(b)) }

// fixed are the fields that every frame of the subtype has.
func (h *header) fixed(d *dissect.D) {
	switch h.kind {
	case mgtBeacon, mgtProbeResp:
		d.Uint(fTimestamp)
		d.Uint(fBeacon)
		capabilities(d)
	case mgtAssocReq, mgtReassocReq:
		capabilities(d)
		d.Uint(fListen)
		if h.kind == mgtReassocReq {
			d.Ether(fCurrentAP)
		}
	case mgtAssocResp, mgtReassocRsp:
		capabilities(d)
		d.Uint(fStatus)
		d.Uint(fAssocID)
	case mgtDisassoc, mgtDeauth:
		d.Uint(fReason)
	case mgtAuth:
		d.Uint(fAuthAlg)
		d.Uint(fAuthSeq)
		d.Uint(fStatus)
	case mgtAction, mgtActionNo:
		f := fAction
		switch d.Uint(fCategory) {
		case categoryPublic:
			f = fPublic
		case categoryBlock:
			blockAction(d)
			return
		}
		if d.More() {
			d.Uint(f)
		}
	}
}

func capabilities(d *dissect.D) { dissect.Parts(d, fCaps, capBits...) }
