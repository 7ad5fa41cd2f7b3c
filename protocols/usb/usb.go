// Package usb dissects what Linux captures of the Universal Serial Bus (Documentation/usb/usbmon.rst): the header of
// each transfer, the setup packets of control transfers, and the standard descriptors (USB 2.0 specification chapter
// 9). Numbers have the lowest byte first.
package usb

import (
	"fmt"

	"remora/dissect"
)

const (
	linkOld    = 189 // the header has 48 bytes
	linkMapped = 220 // it has 64

	// headLength is the length of the header's part that both have.
	headLength = 48

	typeSubmit = 'S'

	xferISO     = 0
	xferControl = 2
)

// Plugin attaches USB to its link types.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: urb,
		On: []dissect.Key{{Table: dissect.TableLink, Value: linkOld}, {Table: dissect.TableLink, Value: linkMapped}}}
}

// A transfer is what started and has not ended yet.
type transfer struct {
	id  uint64
	bus uint64
}

// A start is what the end of a transfer needs of its start: the frame, and the setup packet as a number.
type start struct {
	Frame dissect.FrameNum
	Setup uint64
	Has   bool
}

var transfers = dissect.NewStore[map[transfer]start, start]()

// maxTransfers bounds the transfers that wait for their end.
const maxTransfers = 4096

// A block is what the parts behind the header must know of it.
type block struct {
	submit, in bool
	xfer       uint64
	number     uint64 // of ISO packets
	setup      uint64 // eight bytes, the first one highest
	has        bool   // there is a setup packet, here or in the start of the transfer
}

var xferNames = [4]string{"URB_ISOCHRONOUS", "URB_INTERRUPT", "URB_CONTROL", "URB_BULK"}

func urb(d *dissect.D) {
	old := d.Inner().Key() == linkOld
	ends(d)
	id := d.Uint(fID)
	b := block{submit: d.Kind(fType) == typeSubmit}
	b.xfer = d.Uint(fXfer)
	b.in = d.Bits(fEP, fEPDir, fEPNum)&0x80 != 0
	d.Uint(fDev)
	bus := d.Uint(fBus)
	setup := d.Uint(fSetupF) == 0
	d.Uint(fDataF)
	d.Uint(fSec)
	d.Uint(fUsec)
	d.Int(fStatus)
	d.Uint(fURBLen)
	d.Uint(fDataLen)
	if d.Short() {
		return
	}
	if setup && b.xfer != xferControl {
		d.Expert(nSetup)
	}
	b.has = setup && b.submit && b.xfer == xferControl
	if b.has {
		b.setup = d.PeekUint(0, 8)
	}
	join(d, transfer{id, bus}, &b)
	if d.Info().Wanted() && b.xfer < 4 && !b.standard() {
		d.Info().Setf("%s %s", xferNames[b.xfer], map[bool]string{true: "in", false: "out"}[b.in])
	}
	b.eight(d, setup)
	if !old {
		d.Uint(fInterval)
		d.Uint(fStart)
		d.Bits(fFlags, transferBits...)
		b.number = d.Uint(fISONum)
	}
	b.data(d, old)
}

// ends names the two ends: the host, and bus, device and endpoint.
func ends(d *dissect.D) {
	if !d.Wanted(fSrc) && !d.Wanted(fDst) || d.Left() < headLength {
		return
	}
	device := fmt.Sprintf("%d.%d.%d", int(d.Peek(12))|int(d.Peek(13))<<8, d.Peek(11), d.Peek(10)&0x7f)
	if d.Peek(8) == typeSubmit {
		d.SetText(fSrc, "host")
		d.SetText(fDst, device)
		return
	}
	d.SetText(fSrc, device)
	d.SetText(fDst, "host")
}

// join links the start of a transfer with its end, and gives the end the setup packet.
func join(d *dissect.D, t transfer, b *block) {
	note := transfers.FirstPassIn(d, func(s *map[transfer]start) start {
		if *s == nil || len(*s) > maxTransfers {
			*s = map[transfer]start{}
		}
		if b.submit {
			(*s)[t] = start{d.Frame, b.setup, b.has}
			return start{}
		}
		was := (*s)[t]
		delete(*s, t)
		return was
	})
	if b.submit {
		d.Links().ShowForward(fRspIn)
		return
	}
	if note.Frame == 0 {
		return
	}
	b.setup, b.has = note.Setup, note.Has
	d.Link(note.Frame, fRspIn, fReqIn)
	d.Packet().SetSince(fTime, note.Frame)
}

// eight are the bytes of the header that hold a setup packet, or numbers of an isochronous transfer.
func (b *block) eight(d *dissect.D, setup bool) {
	switch {
	case b.xfer == xferISO:
		d.Uint(fISOErr)
		b.number = d.Uint(fISONum)
	case setup && b.submit:
		d.In(fSetup, func() { b.packet(d) })
	default:
		d.In(fUnused, func() { d.Skip(8) })
	}
}

// status writes how a transfer ended: nothing, or a number of Linux's with the sign changed.
func status(v uint64) string {
	n := int32(uint32(v))
	if n == 0 {
		return "Success (0)"
	}
	if name := errors[-n]; name != "" {
		return fmt.Sprintf("%s (%d)", name, n)
	}
	return fmt.Sprint(n)
}

// errors are those that USB drivers return (Documentation/driver-api/usb/error-codes.rst).
var errors = map[int32]string{
	2: "No such file or directory (-ENOENT)", 18: "Invalid cross-device link (-EXDEV)", 19: "No such device (-ENODEV)",
	22: "Invalid argument (-EINVAL)", 32: "Broken pipe (-EPIPE)",
	62: "Timer expired (-ETIME)", 71: "Protocol error (-EPROTO)", 75: "Value too large for defined data type (-EOVERFLOW)",
	84:  "Invalid or incomplete multibyte or wide character (-EILSEQ)",
	104: "Connection reset by peer (-ECONNRESET)", 108: "Cannot send after transport endpoint shutdown (-ESHUTDOWN)",
	110: "Connection timed out (-ETIMEDOUT)",
	115: "Operation now in progress (-EINPROGRESS)", 121: "Remote I/O error (-EREMOTEIO)",
}

// flag writes a flag that is set when it is zero.
func flag(v uint64, word string) string {
	if v == 0 {
		return word + ` ('\0')`
	}
	return fmt.Sprintf("not %s ('%c')", word, rune(v))
}
