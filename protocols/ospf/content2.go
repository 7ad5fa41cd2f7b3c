package ospf

import (
	"fmt"

	"remora/dissect"
)

// The sorts of opaque advertisements that are read here.
const (
	opaqueTE    = 1
	opaqueGrace = 3
	opaqueRI    = 4
)

// content2 is what an advertisement of version 2 says.
func content2(d *dissect.D, kind, opaque uint64) {
	switch kind {
	case 1:
		router2(d)
	case 2:
		d.IPv4(fNetMask)
		for more := d.Elements(); more.Next(); {
			d.IPv4(fAttached)
		}
	case 3, 4:
		d.IPv4(fSumMask)
		for more := d.Elements(); more.Next(); {
			d.Uint(fTOS)
			uint24(d, fMetric)
		}
	case 5, kindNSSA:
		external2(d)
	case 9, 10, 11:
		opaqueContent(d, opaque)
	default:
		d.Expert(nType)
	}
}

// uint24 reads three bytes into a wider field.
func uint24(d *dissect.D, f *dissect.Field) {
	at, v := d.Pos(), d.PeekUint(0, 3)
	d.Skip(3)
	if !d.Short() {
		d.Put(f, v, at, 3)
	}
}

// router2 are the links of a router (RFC 2328 section A.4.2).
func router2(d *dissect.D) {
	d.Bits(fFlags2, r2H, r2N, r2W, r2V, r2E, r2B)
	d.Bytes(fReserved, 1)
	for n, more := d.Uint(fLinks), d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fLink, func() { link2(d) })
	}
}

var linkIDs = dissect.Values{1: " - Neighboring router's Router ID", 2: " - IP address of Designated Router",
	3: " - IP network/subnet number", 4: " - Neighboring router's Router ID"}

func link2(d *dissect.D) {
	kind := uint64(d.Peek(8))
	d.IPv4(fRLinkID)
	d.Suffix(fRLinkID, linkIDs[kind])
	d.IPv4(fRData)
	d.Uint(fRType)
	n := d.Uint(fRTOS)
	d.Suffix(fRTOS, " - TOS")
	d.Uint(fRMetric)
	for ; n > 0; n-- {
		if d.Left() < 4 {
			d.Expert(nTOS)
			return
		}
		tos, metric, at := uint64(d.Peek(0)), d.PeekUint(2, 2), d.Pos()
		d.Skip(4)
		d.Put(fTOSLink, metric, at, 4)
		if d.Labelling() {
			d.Suffix(fTOSLink, fmt.Sprintf(" (TOS %d)", tos))
		}
	}
}

// external2 are networks from elsewhere (RFC 2328 section A.4.5).
func external2(d *dissect.D) {
	d.IPv4(fExtMask)
	for more := d.Elements(); more.Next(); {
		at, v := d.Pos(), uint64(d.Peek(0))
		d.Bool(fExtType)
		if !d.Short() {
			d.Put(fTOS, v&0x7f, at, 1)
		}
		uint24(d, fMetric)
		d.IPv4(fForward)
		d.Uint(fTag)
	}
}

func opaqueContent(d *dissect.D, kind uint64) {
	switch kind {
	case opaqueTE:
		d.Set(fIsTE, 1)
		for more := d.Elements(); more.Next(); {
			traffic(d)
		}
	case opaqueGrace:
		for more := d.Elements(); more.Next(); {
			d.In(fGrace, func() { grace(d) })
		}
	case opaqueRI:
		information(d)
	}
}

// value reads the value of a TLV and the zeros that fill it up to four bytes.
func value(d *dissect.D, n int, read func()) {
	d.Within(n, func() {
		read()
		d.Rest(fTLVValue)
	})
	if pad := -n & 3; pad > 0 && d.Left() >= pad {
		d.Bytes(fPad, pad)
	}
}

// grace says how long the others shall wait for a router that restarts (RFC 3623 section A).
func grace(d *dissect.D) {
	kind := d.Uint(fTLVType)
	value(d, int(d.Uint(fTLVLen)), func() {
		switch {
		case kind == 1 && d.Left() == 4:
			d.Uint(fPeriod)
		case kind == 2 && d.Left() >= 1:
			d.Uint(fReason)
		case kind == 3 && d.Left() == 4:
			d.IPv4(fGraceIP)
		}
	})
}

// information is what a router can do (RFC 7770).
func information(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		d.In(fTLV, func() {
			kind := d.Uint(fTLVRI)
			value(d, int(d.Uint(fTLVLen)), func() {
				switch {
				case kind == 1 && d.Left() == 4:
					d.Bits(fRI, iGRC, iGRH, iSRS, iTES, iP2P, iETE, iHost)
					d.Bytes(fReserved, 3)
				case kind == 7:
					d.Rest(fHostname)
				case kind == 8:
					for more := d.Elements(); more.Next(); {
						d.Uint(fSA)
					}
				}
			})
		})
	}
}

// signalling is the block of local signalling (RFC 5613).
func signalling(d *dissect.D) {
	d.Uint(fLLSSum)
	length := int(d.PeekUint(0, 2)) * 4
	at := d.Pos()
	d.Skip(2)
	if d.Short() {
		return
	}
	d.Put(fLLSLen, uint64(length), at, 2)
	d.Limit(length - 4)
	for more := d.Elements(); more.Next(); {
		d.In(fTLV, func() {
			kind := d.Uint(fTLVType)
			value(d, int(d.Uint(fTLVLen)), func() {
				switch {
				case kind == 1 && d.Left() == 4:
					d.Bits(fLLSOpt, sRS, sLR)
				case kind == 2 && d.Left() > 4:
					d.Uint(fLLSSeq)
					d.Rest(fLLSAuth)
				}
			})
		})
	}
}
