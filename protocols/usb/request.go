package usb

import "remora/dissect"

// The standard requests (USB 2.0 table 9-4).
const (
	getStatus     = 0
	clearFeature  = 1
	setFeature    = 3
	getDescriptor = 6
	setDescriptor = 7
	getInterface  = 10
	setInterface  = 11
	synchFrame    = 12
)

const (
	toDevice    = 0
	toInterface = 1
	toEndpoint  = 2
)

// The parts of a setup packet that is kept as a number.
func (b *block) requestType() uint64 { return b.setup >> 56 }
func (b *block) request() uint64     { return b.setup >> 48 & 0xff }
func (b *block) descriptor() uint64  { return b.setup >> 32 & 0xff }

// standard tells requests that all devices know.
func (b *block) standard() bool {
	return b.has && b.requestType()>>5&3 == 0 && requests[b.request()] != ""
}

// setInfo is the Info column of a standard request.
func (b *block) setInfo(d *dissect.D, word string) {
	if !d.Info().Wanted() {
		return
	}
	text := requests[b.request()] + " " + word
	if r := b.request(); r == getDescriptor || r == setDescriptor {
		name := descriptors[b.descriptor()]
		if name == "" {
			name = "Unknown type"
		}
		text += " " + name
	}
	d.Info().Setf("%s", text)
}

// packet is a setup packet (USB 2.0 section 9.3).
func (b *block) packet(d *dissect.D) {
	d.Bits(fReqType, fReqDir, fReqKind, fReqTo)
	if !b.standard() {
		d.Uint(fOther)
		d.Uint(fValue)
		d.Uint(fIndex)
		d.Uint(fLength)
		return
	}
	r, to := d.Uint(fRequest), b.requestType()&0x1f
	switch r {
	case getDescriptor, setDescriptor:
		d.Uint(fDescIdx)
		d.Uint(fDescType)
		d.Uint(fLang)
	case clearFeature, setFeature:
		d.Uint(fFeature)
		index(d, to)
	case getInterface, setInterface, synchFrame, getStatus:
		d.Uint(fValue)
		index(d, to)
	default:
		d.Uint(fValue)
		d.Uint(fIndex)
	}
	d.Uint(fLength)
}

// fOther is the request where it is not a standard one.
var fOther = proto.Uint8("setup.bRequest", "bRequest", "What is asked, by a class or a vendor.")

func index(d *dissect.D, to uint64) {
	switch to {
	case toInterface:
		d.Uint(fIface)
	case toEndpoint:
		d.Uint(fEndpoint)
	case toDevice:
		d.Uint(fIndex)
	default:
		d.Uint(fIndex)
	}
}

// data is what follows the header.
func (b *block) data(d *dissect.D, old bool) {
	if b.xfer == xferISO && !old {
		for n, more := b.number, d.Elements(); n > 0 && d.Left() >= 16 && more.Next(); n-- {
			d.In(fISO, func() {
				d.Int(fISOStat)
				d.Uint(fISOOff)
				d.Uint(fISOLen)
				d.Uint(fISOPad)
			})
		}
	}
	if !b.standard() {
		if b.has && d.More() {
			f := fCtlData
			if b.submit {
				f = fFragment
			}
			d.Rest(f)
		}
		d.Rest(fCapData)
		return
	}
	if b.submit {
		b.setInfo(d, "Request")
		d.Rest(fFragment)
		return
	}
	b.setInfo(d, "Response")
	b.answer(d)
	d.Rest(fCapData)
}

// answer is the data of a standard request.
func (b *block) answer(d *dissect.D) {
	switch b.request() {
	case getDescriptor:
		read(d, b.descriptor())
	case getStatus:
		if d.Left() >= 2 {
			d.Uint(fWStatus)
		}
	case synchFrame:
		if d.Left() >= 2 {
			d.Uint(fWFrame)
		}
	case 8:
		if d.More() {
			d.Uint(dConf)
		}
	case getInterface:
		if d.More() {
			d.Uint(dAlt)
		}
	}
}
