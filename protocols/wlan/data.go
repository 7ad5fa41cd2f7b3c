package wlan

import (
	"fmt"

	"remora/dissect"
)

// tableEncrypted is empty: what is encrypted is data.
const tableEncrypted dissect.Table = "wlan.encrypted"

// The bits of a data frame's subtype.
const (
	subNoData = 0x4
	subQoS    = 0x8
)

// data is a data frame: who the addresses are depends on where it goes (IEEE 802.11-2020 table 9-30).
func (h *header) data(d *dissect.D) {
	switch h.flags & (flagToDS | flagFromDS) {
	case 0:
		h.dst = address(d, fRA, fDA)
		h.src = address(d, fTA, fSA, fStation)
		address(d, fBSSID)
	case flagToDS:
		address(d, fRA, fBSSID)
		h.src = address(d, fTA, fSA, fStation)
		h.dst = address(d, fDA)
	case flagFromDS:
		h.dst = address(d, fRA, fDA, fStation)
		address(d, fTA, fBSSID)
		h.src = address(d, fSA)
	default:
		address(d, fRA)
		address(d, fTA)
		h.dst = address(d, fDA)
	}
	h.sequence(d)
	if h.flags&(flagToDS|flagFromDS) == flagToDS|flagFromDS {
		h.src = address(d, fSA)
		d.Ends().Set(h.src, h.dst)
	}
	if h.kind&subQoS != 0 {
		h.qos = dissect.Parts(d, fQoS, h.qosBits(d)...)
		if h.flags&flagOrder != 0 {
			d.Uint(fHTC)
		}
	}
	if gap := -(d.Pos() - h.start) & 3; h.pad && gap > 0 && d.More() {
		h.gap = min(gap, d.Left())
		d.Bytes(fFill, h.gap)
	}
	if h.kind&subNoData != 0 || !d.More() {
		d.Rest(fMIC)
		return
	}
	h.payload(d)
}

const qosAMSDU = 0x80

// What the QoS control is made of depends on who sent it (IEEE 802.11-2020 table 9-10).
var (
	qosBuffers = []*dissect.Field{fTID, fPriority, fEOSP, fAck, fAMSDU, fBuffers, fBuffered, fBufferedAC, fLoad}
	qosLimit   = []*dissect.Field{fTID, fPriority, fEOSP, fAck, fAMSDU, fTXOPLimit}
	qosQueue   = []*dissect.Field{fTID, fPriority, fBit4, fAck, fAMSDU, fQueue}
	qosAsked   = []*dissect.Field{fTID, fPriority, fBit4, fAck, fAMSDU, fTXOPAsked}
)

// qosBits are the parts of the QoS control at the cursor.
func (h *header) qosBits(d *dissect.D) []*dissect.Field {
	const poll, queue, indicated = 2, 0x10, 2
	switch {
	case h.flags&flagFromDS != 0 && h.kind&poll == 0 && d.Peek(1)&indicated == 0:
		return qosBuffers[:len(qosBuffers)-2]
	case h.flags&flagFromDS != 0 && h.kind&poll == 0:
		return qosBuffers
	case h.flags&flagFromDS != 0:
		return qosLimit
	case h.kind&subNoData == 0 && h.kind&poll != 0:
		return qosAsked[:len(qosAsked)-1]
	case d.Peek(0)&queue != 0:
		return qosQueue
	}
	return qosAsked
}

func (h *header) payload(d *dissect.D) {
	if h.flags&flagProtected == 0 {
		h.plain(d)
	} else if !h.decrypted(d, func() { h.plain(d) }) && d.More() {
		d.Next(tableEncrypted, 0)
	}
}

// plain reads a body that is not encrypted, or no longer.
func (h *header) plain(d *dissect.D) {
	switch {
	case h.kind&subQoS != 0 && h.qos&qosAMSDU != 0:
		for more := d.Elements(); d.Left() > 14 && more.Next(); {
			subframe(d)
		}
		d.Rest(fMIC)
	default:
		h.carried(d)
	}
}

// carried hands the payload on, which has an LLC header; fragments after the first have none, and a first one is not
// whole.
func (h *header) carried(d *dissect.D) {
	if h.flags&0x04 != 0 {
		d.Rest(fMIC)
		return
	}
	h.agree(d)
	d.Next(dissect.TableLLC, 0)
}

// subframe is one of several frames in one body (IEEE 802.11-2020 section 9.3.2.2).
func subframe(d *dissect.D) {
	n := 0
	d.In(fSub, func() {
		dst := address(d, fDA)
		src := address(d, fSA)
		n = int(d.Uint(fSubLen))
		d.Ends().Set(src, dst)
	})
	d.Within(min(n, d.Left()), func() {
		if d.More() {
			d.Next(dissect.TableLLC, 0)
		}
	})
	if gap := -(14 + n) & 3; gap > 0 && d.Left() > gap {
		d.Bytes(fFill, gap)
	}
}

const extendedIV = 0x20

// encryption is what stands in front of an encrypted body: WEP's four bytes, or eight of TKIP or CCMP, which are told
// apart by the second byte (IEEE 802.11-2020 sections 12.5.2.2 and 12.5.3.2).
func encryption(d *dissect.D) {
	b := d.Data()
	if len(b) < 4 {
		d.Rest(fMIC)
		return
	}
	at := d.Pos()
	if b[3]&extendedIV == 0 {
		d.Uint(fWEPIV)
		d.Put(fWEPKey, uint64(b[3]>>6), at+3, 1)
		d.Skip(1)
		return
	}
	if len(b) < 8 {
		d.Rest(fMIC)
		return
	}
	d.Skip(8)
	if b[1] == (b[0]|0x20)&0x7f {
		d.PutText(fTKIP, fmt.Sprintf("0x%02X%02X%02X%02X%02X%02X", b[7], b[6], b[5], b[4], b[0], b[2]), at, 8)
	} else {
		d.PutText(fCCMP, fmt.Sprintf("0x%02X%02X%02X%02X%02X%02X", b[7], b[6], b[5], b[4], b[1], b[0]), at, 8)
	}
	d.Put(fWEPKey, uint64(b[3]>>6), at+3, 1)
}
