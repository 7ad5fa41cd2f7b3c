package dhcp

import "remora/dissect"

// clientID reads the client's identifier: a hardware address, a DUID (RFC 4361), or anything.
func clientID(d *dissect.D) {
	switch kind, n := d.Peek(0), d.Left(); {
	case n == 7 && kind > 0 && kind < 48:
		d.Uint(fIDHType)
		d.Ether(fMAC)
	case n == 17 && kind == 0:
		uuid(d)
	case kind == 0xff && n > 7:
		d.Skip(1)
		d.Put(fIDType, 0xff, d.Pos()-1, 1)
		d.Bytes(fID4, 4)
		duid(d)
	default:
		d.Uint(fIDType)
		d.Rest(fIDText)
	}
}

// duid reads a DHCP unique identifier (RFC 8415 section 11).
func duid(d *dissect.D) {
	const (
		withTime = 1
		byVendor = 2
		plain    = 3
	)
	switch d.Uint(fDUIDType) {
	case withTime:
		d.Uint(fDUIDLLT)
		d.Uint(fDUIDTime)
	case byVendor:
		d.Uint(fDUIDPEN)
		d.Rest(fDUIDRest)
	case plain:
		d.Uint(fDUIDLL)
	}
	if d.Left() == 6 {
		d.Ether(fDUIDAddr)
	}
	d.Rest(fDUIDRest)
}

func uuid(d *dissect.D) {
	d.Uint(fIDType)
	if d.Left() == 16 {
		at, b := d.Pos(), d.Data()
		d.Skip(16)
		if d.Wanted(fIDUUID) { // its first three numbers are little-endian (RFC 4578 section 2.3)
			d.PutText(fIDUUID, string([]byte{b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6]})+string(b[8:16]), at, 16)
		}
	}
	d.Rest(fIDText)
}

// userClass reads classes with a length each (RFC 3004), or the text that clients send instead.
func userClass(d *dissect.D) {
	if int(d.Peek(0)) >= d.Left() {
		d.Rest(fUserText)
		return
	}
	for i, more := uint64(0), d.Elements(); more.Next(); i++ {
		n := int(d.Peek(0))
		d.Put(fUser, i, d.Pos(), min(1+n, d.Left()))
		d.Below(func() {
			d.Uint(fUserLen)
			if n > 0 {
				d.Bytes(fUserData, n)
			}
		})
	}
}

// name reads the client's name (RFC 4702).
func name(d *dissect.D) {
	v := d.Peek(0)
	d.Put(fFQFlags, uint64(v), d.Pos(), min(1, d.Left()))
	d.Below(func() { d.Bits(fFQRes, fFQN, fFQE, fFQO, fFQS) })
	d.Uint(fFQ1)
	d.Uint(fFQ2)
	if v&4 != 0 {
		text, n := domain(d.Data(), 0)
		d.PutText(fFQName, text, d.Pos(), n)
		d.Skip(n)
	}
	d.Rest(fFQName)
}

func network(d *dissect.D) {
	d.Skip(1)
	d.Put(fIDType, uint64(0), d.Pos()-1, 1)
	d.Uint(fMajor)
	d.Uint(fMinor)
}
