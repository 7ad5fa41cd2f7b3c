package smb

import (
	"strings"

	"remora/dissect"
)

var (
	fFunc   = proto.Uint32("ioctl.function", "Function", "What the server is to do.").Hex().Named(functions)
	fMaxIn  = proto.Uint32("max_ioctl_in_size", "Max Ioctl In Size", "How much may come in.")
	fMaxOut = proto.Uint32("max_ioctl_out_size", "Max Ioctl Out Size", "How much may go out.")
	fIn2    = proto.Bytes("ioctl.in_data", "In Data", "What the function gets.")
	fOut2   = proto.Bytes("ioctl.out_data", "Out Data", "What it gives.")
	fDevice = proto.Uint32("ioctl.function.device", "Device", "Whose function it is.").Hex().Masked(0xffff0000).
		Named(devices)
	fRights = proto.Uint32("ioctl.function.access", "Access", "What it takes to call it.").Hex().Masked(0xc000).
		Named(dissect.Values{0: "FILE_ANY_ACCESS", 1: "FILE_READ_ACCESS", 2: "FILE_WRITE_ACCESS",
			3: "FILE_READ_WRITE_ACCESS"})
	fNumber = proto.Uint32("ioctl.function.function", "Function", "Its number.").Hex().Masked(0x3ffc)
	fMethod = proto.Uint32("ioctl.function.method", "Method", "How its data are handed over.").Hex().Masked(3).
		Named(dissect.Values{0: "METHOD_BUFFERED", 1: "METHOD_IN_DIRECT", 2: "METHOD_OUT_DIRECT", 3: "METHOD_NEITHER"})
	fReferral = old.Uint16("max_referral_level", "Max Referral Level",
		"The newest form of the answer that the client knows.")
	fReferred = old.String("file", "File Name", "The share or folder that is asked for.")
)

// Functions whose data are known.
const (
	functionReferrals = 0x60194
	functionPipe      = 0x11c017
	functionValidate  = 0x140204
)

// asked reads which function is meant, and the parts of its number.
func (m *reader) asked() uint64 {
	d := m.d
	code := d.Uint(fFunc)
	if !d.Short() {
		d.Seek(d.Pos() - 4)
		d.Below(func() { d.Bits(fDevice, fRights, fNumber, fMethod) })
	}
	return code
}

// given reads what a function gets or gives, where that is known.
func (m *reader) given(code uint64, in bool) {
	d := m.d
	switch {
	case code == functionPipe:
		m.piped()
	case code == functionReferrals && in:
		d.Uint(fReferral)
		text := strings.TrimRight(dissect.UTF16LE.Decode(d.Data()), "\x00")
		d.PutText(fReferred, text, d.Pos(), d.Left())
		d.Skip(d.Left())
		if d.Info().Wanted() {
			d.Info().List("File: " + text)
		}
	case code == functionValidate && in:
		d.Uint(fCaps)
		m.guid(fClientID)
		d.Uint(fSecMode)
		d.Bytes(fPad, 1)
		for n, more := d.Uint(fDialects), d.Elements(); n > 0 && more.Next(); n-- {
			d.Uint(fDialect)
		}
	case code == functionValidate:
		d.Uint(fCaps)
		m.guid(fServerID)
		d.Uint(fSecMode)
		d.Bytes(fPad, 1)
		d.Uint(fDialect)
	}
}

func ioctl(m *reader) {
	d := m.d
	m.spare(2)
	code := m.asked()
	m.fid()
	inOff, inLen := d.Uint(fBlobO4), d.Uint(fBlobL4)
	d.Uint(fMaxIn)
	outOff, outLen := d.Uint(fBlobO4), d.Uint(fBlobL4)
	d.Uint(fMaxOut)
	d.Uint(fIoctlFl)
	m.spare(4)
	m.function(code)
	m.at(inOff, inLen, func() { m.given(code, true); d.Rest(fIn2) })
	m.at(outOff, outLen, func() { m.given(code, false); d.Rest(fOut2) })
}

func controlled(m *reader) {
	d := m.d
	m.spare(2)
	code := m.asked()
	m.fid()
	inOff, inLen := d.Uint(fBlobO4), d.Uint(fBlobL4)
	outOff, outLen := d.Uint(fBlobO4), d.Uint(fBlobL4)
	d.Uint(fIoctlFl)
	m.spare(4)
	m.function(code)
	m.at(inOff, inLen, func() { m.given(code, true); d.Rest(fIn2) })
	m.at(outOff, outLen, func() { m.given(code, false); d.Rest(fOut2) })
}

func (m *reader) function(code uint64) {
	if name := functions[code]; name != "" {
		m.d.Info().Setf("%s", name)
	}
}
