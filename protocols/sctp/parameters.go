package sctp

import "remora/dissect"

// The types of parameters (RFC 9260 section 3.3.2 and the extensions).
const (
	parBeat       = 1
	parIPv4       = 5
	parIPv6       = 6
	parCookie     = 7
	parUnknown    = 8
	parLife       = 9
	parHost       = 11
	parAddresses  = 12
	parOutReset   = 13
	parInReset    = 14
	parTSNReset   = 15
	parResponse   = 16
	parRandom     = 0x8002
	parChunks     = 0x8003
	parHMACs      = 0x8004
	parExtensions = 0x8008
	parAdd        = 0xc001
	parDelete     = 0xc002
	parFailed     = 0xc003
	parPrimary    = 0xc004
	parSuccess    = 0xc005
	parAdaptation = 0xc006
)

// maxNested bounds parameters inside parameters.
const maxNested = 4

func parameters(d *dissect.D) { nested(d, 0) }

func nested(d *dissect.D, depth int) {
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		n := int(d.PeekUint(2, 2)) - 4
		d.In(fParam, func() { parameter(d, n, depth) })
		if n < 0 {
			return
		}
	}
}

func parameter(d *dissect.D, n, depth int) {
	at, kind := d.Pos(), d.PeekUint(0, 2)
	d.Uint(fParType)
	d.Below(func() {
		d.Put(fParBit1, kind, at, 2)
		d.Put(fParBit2, kind, at, 2)
	})
	d.Uint(fParLen)
	if n < 0 || n > d.Left() && !d.CutShort() {
		d.Expert(nParam)
		d.Rest(fParValue)
		return
	}
	d.Within(n, func() {
		value(d, kind, depth)
		d.Rest(fParValue)
	})
	pad(d, n, fParPad)
}

func value(d *dissect.D, kind uint64, depth int) {
	n := d.Left()
	switch kind {
	case parIPv4:
		d.IPv4(fPar4)
	case parIPv6:
		d.IPv6(fPar6)
	case parBeat:
		d.Rest(fParHeart)
	case parCookie:
		d.Rest(fParCookie)
	case parLife:
		d.Uint(fParLife)
	case parHost:
		d.Padded(fParHost, n)
	case parAddresses:
		each(d, fParAddr)
	case parRandom:
		d.Rest(fRandom)
	case parChunks:
		each(d, fChunkAuth)
	case parHMACs:
		each(d, fHMACID)
	case parExtensions:
		each(d, fSupported)
	case parAdaptation:
		d.Uint(fAdapt)
	case parOutReset, parInReset, parTSNReset, parResponse:
		reconfigure(d, kind)
	case parAdd, parDelete, parFailed, parPrimary, parSuccess:
		d.Uint(fCorrelation)
		fallthrough
	case parUnknown:
		if depth < maxNested {
			nested(d, depth+1)
		}
	}
}

func each(d *dissect.D, f *dissect.Field) {
	for more := d.Elements(); d.Left() >= f.Size() && more.Next(); {
		d.Uint(f)
	}
}

// reconfigure resets streams, or answers such a wish (RFC 6525 section 4).
func reconfigure(d *dissect.D, kind uint64) {
	switch kind {
	case parOutReset:
		d.Uint(fParReqSeq)
		d.Uint(fParRspSeq)
		d.Uint(fParLast)
		each(d, fParSID)
	case parInReset:
		d.Uint(fParReqSeq)
		each(d, fParSID)
	case parTSNReset:
		d.Uint(fParReqSeq)
	case parResponse:
		d.Uint(fParRspSeq)
		d.Uint(fParResult)
		if d.More() {
			d.Uint(fParNext)
			d.Uint(fParRecv)
		}
	}
}

// causes are what went wrong (RFC 9260 section 3.3.10).
func causes(d *dissect.D) {
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		n := int(d.PeekUint(2, 2)) - 4
		d.In(fWrong, func() {
			code := d.Uint(fCause)
			d.Uint(fCauseLen)
			if n < 0 || n > d.Left() && !d.CutShort() {
				d.Expert(nParam)
				d.Rest(fCauseInfo)
				return
			}
			d.Within(n, func() {
				cause(d, code)
				d.Rest(fCauseInfo)
			})
			pad(d, n, fCausePad)
		})
		if n < 0 {
			return
		}
	}
}

func cause(d *dissect.D, code uint64) {
	switch code {
	case 1:
		d.Uint(fCauseSID)
		d.Uint(fCauseRes)
	case 2:
		for n, more := d.Uint(fCauseN), d.Elements(); n > 0 && more.Next(); n-- {
			d.Uint(fCauseMiss)
		}
	case 3:
		d.Uint(fCauseStale)
	case 5, 8, 11:
		nested(d, 0)
	case 9:
		d.Uint(fCauseTSN)
	}
}
