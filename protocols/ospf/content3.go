package ospf

import "remora/dissect"

// content3 is what an advertisement of version 3 says (RFC 5340 section A.4).
func content3(d *dissect.D, kind uint64) {
	switch kind {
	case 1:
		router3(d)
	case 2:
		d.Bytes(fReserved, 1)
		options3(d)
		for more := d.Elements(); more.Next(); {
			d.IPv4(fAttach3)
		}
	case 3:
		d.Bytes(fReserved, 1)
		uint24(d, fMetric)
		prefix(d, fReserved)
	case 4:
		d.Bytes(fReserved, 1)
		options3(d)
		d.Bytes(fReserved, 1)
		uint24(d, fMetric)
		d.IPv4(fDest)
	case 5, kindNSSA:
		external3(d)
	case 8:
		d.Uint(fLPrio)
		options3(d)
		d.IPv6(fLLocal)
		prefixes(d, d.Uint(fPrefixes), fReserved)
	case 9:
		n := d.Uint(fPrefixes2)
		d.Uint(fRefType)
		d.IPv4(fRefID)
		d.IPv4(fRefRouter)
		prefixes(d, n, fMetric)
	case 12:
		information(d)
	}
}

// fPrefixes2 is the number of prefixes where it has two bytes.
var fPrefixes2 = proto.Uint16("v3.lsa.num_prefixes", "# prefixes", "How many prefixes follow.")

func router3(d *dissect.D) {
	d.Bits(fFlags3, r3W, r3V, r3E, r3B)
	options3(d)
	for more := d.Elements(); more.Next(); {
		d.In(fLink, func() {
			d.Uint(fLType)
			d.Bytes(fReserved, 1)
			at, v := d.Pos(), d.PeekUint(0, 2)
			d.Skip(2)
			if !d.Short() {
				d.Put(fMetric, v, at, 2)
			}
			d.Uint(fLIfID)
			d.Uint(fLNbrIf)
			d.IPv4(fLNbr)
		})
	}
}

func prefixes(d *dissect.D, n uint64, two *dissect.Field) {
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		prefix(d, two)
	}
}

// prefix is a prefix with as many bytes of the address as it needs, in units of four (RFC 5340 section A.4.1); two is
// what its second pair of bytes is.
func prefix(d *dissect.D, two *dissect.Field) {
	d.In(fPfx, func() {
		bits := d.Uint(fPfxLen)
		d.Bits(fPfxOpt, p3P, p3MC, p3LA, p3NU)
		at, v := d.Pos(), d.PeekUint(0, 2)
		switch two {
		case fReserved:
			d.Bytes(two, 2)
		case fMetric:
			d.Skip(2)
			if !d.Short() {
				d.Put(two, v, at, 2)
			}
		default:
			d.Uint(two)
		}
		address(d, int(bits+31)/32*4)
	})
}

// address reads the first n bytes of an address; the others are zero.
func address(d *dissect.D, n int) {
	if n == 0 || d.Short() {
		return
	}
	if n > 16 {
		d.Expert(nLen)
		return
	}
	b := d.Data()
	if n > len(b) {
		d.Skip(n)
		return
	}
	at := d.Pos()
	d.Skip(n)
	if n == 16 {
		d.Seek(at)
		d.IPv6(fPrefix)
		return
	}
	var whole [16]byte
	copy(whole[:], b[:n])
	d.PutText(fPrefix, string(whole[:]), at, n)
}

const (
	flagForward = 0x02
	flagTag     = 0x01
)

func external3(d *dissect.D) {
	flags := d.Bits(fExtFlags, e3E, e3F, e3T)
	uint24(d, fMetric)
	kind := d.PeekUint(2, 2)
	prefix(d, fRefType)
	if flags&flagForward != 0 {
		d.IPv6(fForward6)
	}
	if flags&flagTag != 0 {
		d.Uint(fTag6)
	}
	if kind != 0 {
		d.IPv4(fRefID)
	}
}
