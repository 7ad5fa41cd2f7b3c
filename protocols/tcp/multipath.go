package tcp

import "remora/dissect"

// What an option of Multipath TCP is about (RFC 8684 section 8).
const (
	mpCapable = iota
	mpJoin
	mpData
	mpAddAddress
	mpRemoveAddress
	mpPriority
	mpFail
	mpFastClose
	mpReset
)

// multipath reads the option behind its length. Its subtype is the first half byte.
func multipath(d *dissect.D) {
	d.Info().Protocol("MPTCP")
	if !d.More() {
		return
	}
	first := uint64(d.Peek(0))
	d.Put(fSubtype, first, d.Pos(), 1)
	switch first >> 4 {
	case mpCapable:
		capable(d, first&15)
	case mpJoin:
		join(d)
	case mpData:
		mapping(d)
	case mpAddAddress:
		addAddress(d)
	case mpRemoveAddress:
		d.Skip(1)
		for more := d.Elements(); more.Next(); {
			d.Uint(mAddrID)
		}
	case mpPriority:
		flagged(d, mBackup)
		if d.More() {
			d.Uint(mAddrID)
		}
	case mpFail:
		d.Bits(mReserved)
		d.Uint(mDataSeq)
	case mpFastClose:
		d.Bits(mReserved)
		d.Uint(mRecvKey)
	case mpReset:
		flagged(d, mU, mV, mW, mT)
		d.Uint(mReason)
	}
	d.Rest(fMPRest)
}

// flagged reads a byte of flags and shows them below it.
func flagged(d *dissect.D, flags ...*dissect.Field) uint64 { return d.Bits(mFlags, flags...) }

// capable is in the handshake of the first path (RFC 8684 section 3.1).
func capable(d *dissect.D, version uint64) {
	d.Bits(mVersion)
	if version == 0 { // RFC 6824
		flagged(d, mSums, mExt, mFree, mSHA1)
	} else {
		flagged(d, mSums, mExt, mNoMore, mFree, mSHA256)
	}
	for _, f := range [...]*dissect.Field{mSendKey, mRecvKey} {
		if d.Left() >= 8 {
			d.Uint(f)
		}
	}
	for _, f := range [...]*dissect.Field{mDataLen, mSum} {
		if d.Left() >= 2 {
			d.Uint(f)
		}
	}
}

// join is in the handshake of a further path; its length says at which step (RFC 8684 section 3.2).
func join(d *dissect.D) {
	switch n := d.Left(); {
	case n >= 22:
		d.Bits(mReserved)
		d.Bytes(mMAC, 20)
	case n >= 14:
		flagged(d, mBackup)
		d.Uint(mAddrID)
		d.Uint(mShortMAC)
		d.Uint(mRandom)
	default:
		flagged(d, mBackup)
		d.Uint(mAddrID)
		d.Uint(mToken)
		d.Uint(mRandom)
	}
}

// mapping says where data of the path belong in the whole, and acknowledges others (RFC 8684 section 3.3).
func mapping(d *dissect.D) {
	d.Skip(1)
	flags := flagged(d, mFin, mSeq8, mSeqHere, mAck8, mAckHere)
	if flags&1 != 0 {
		wide(d, mDataAck, flags&2 != 0)
	}
	if flags&4 == 0 {
		return
	}
	wide(d, mDataSeq, flags&8 != 0)
	d.Uint(mSubSeq)
	d.Uint(mDataLen)
	if d.Left() >= 2 {
		d.Uint(mSum)
	}
}

// wide reads a number of 8 bytes, or of 4.
func wide(d *dissect.D, f *dissect.Field, eight bool) {
	if eight {
		d.Uint(f)
		return
	}
	at, v := d.Pos(), d.PeekUint(0, 4)
	d.Skip(4)
	if !d.Short() {
		d.Put(f, v, at, 4)
	}
}

// addAddress tells a further address; its length says of which version it is, and what follows it (RFC 8684 section
// 3.4.1).
func addAddress(d *dissect.D) {
	if v := d.Peek(0) & 15; v == 4 || v == 6 { // RFC 6824
		d.Bits(mIPVersion)
	} else {
		d.Bits(mEcho)
	}
	d.Uint(mAddrID)
	if d.Left() >= 16 {
		d.IPv6(mIPv6)
	} else {
		d.IPv4(mIPv4)
	}
	if n := d.Left(); n == 2 || n == 10 {
		d.Uint(mPort)
	}
	if d.Left() >= 8 {
		d.Uint(mAddrMAC)
	}
}
