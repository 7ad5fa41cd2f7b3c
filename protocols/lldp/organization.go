package lldp

import "remora/dissect"

// The organizations whose pieces are read.
const (
	owner8021 = 0x0080c2
	owner8023 = 0x00120f
	ownerTIA  = 0x0012bb
)

// organization is a piece that an organization defined (IEEE 802.1AB section 8.6).
func organization(d *dissect.D) {
	switch d.Uint(fOUI) {
	case owner8021:
		bridged(d, d.Uint(o1Sub))
	case owner8023:
		wired(d, d.Uint(o3Sub))
	case ownerTIA:
		media(d, d.Uint(oMSub))
	default:
		d.Uint(oXSub)
		d.Rest(oXData)
	}
}

// bridged is a piece of IEEE 802.1.
func bridged(d *dissect.D, sub uint64) {
	switch sub {
	case 1:
		d.Uint(o1PVID)
	case 2:
		d.Bits(o1Flags, o1Can, o1On)
		d.Uint(o1PPVID)
	case 3:
		d.Uint(o1VID)
		if n := int(d.Uint(o1NameLen)); n > 0 {
			d.Bytes(o1Name, n)
		}
	case 4:
		if n := int(d.Uint(o1IDLen)); n > 0 {
			d.Bytes(o1ID, n)
		}
	case 7:
		d.Bits(o1Agg, o1AggCan, o1AggOn, o1AggType)
		d.Uint(o1AggPort)
	case 8:
		d.Bits(capableBits[0], capableBits[1:]...)
		d.Bits(readyBits[0], readyBits[1:]...)
	case 9:
		d.Bits(oDWill, oDShaper, oDClasses)
		shares(d)
	case 10:
		d.Bits(oDRes)
		shares(d)
	case 11:
		d.Bits(oDWill, oDBypass, oDPause)
		d.Bits(pauseBits[0], pauseBits[1:]...)
	case 12:
		d.Uint(oDAppRes)
		for more := d.Elements(); d.Left() >= 3 && more.Next(); {
			d.Bits(oDAppPrio, oDAppSel)
			d.Uint(oDApp)
		}
	}
}

// shares are how classes of traffic share a link: the class of each priority, and the share and the scheduling of each
// class.
func shares(d *dissect.D) {
	d.Bits(groupOf[0], groupOf[1:4]...)
	d.Bits(groupOf[4], groupOf[5:]...)
	for _, f := range shareOf {
		d.Uint(f)
	}
	for _, f := range methodOf {
		d.Uint(f)
	}
}

// wired is a piece of IEEE 802.3.
func wired(d *dissect.D, sub uint64) {
	switch sub {
	case 1:
		d.Bits(o3Neg, o3Can, o3On)
		offers(d)
		d.Uint(o3MAU)
	case 2:
		power(d)
	case 3:
		d.Bits(o3Agg, o3AggCan, o3AggOn)
		d.Uint(o3AggPort)
	case 4:
		d.Uint(o3Max)
	case 5:
		for _, f := range []*dissect.Field{o3Tx, o3Rx, o3Fall, o3EchoTx, o3EchoRx} {
			d.Uint(f)
		}
	}
}

// offers are the speeds and modes that a port can have, in the right order of the bits and in that of stations which
// have it the wrong way round.
func offers(d *dissect.D) {
	at, v := d.Pos(), d.PeekUint(0, 2)
	d.Bits(o3Adv, advertisedBits...)
	if d.Short() {
		return
	}
	d.In(o3Swapped, func() {
		for _, f := range swappedBits {
			d.Put(f, v, at, 2)
		}
	})
}

// power is how one end feeds the other. What they negotiate follows where they do.
func power(d *dissect.D) {
	d.Bits(o3Power, powerBits...)
	d.Uint(o3Pair)
	d.Uint(o3Class)
	if d.Left() >= 5 {
		d.Bits(o3Type, o3Source, o3Prio)
		d.Uint(o3Want)
		d.Uint(o3Grant)
	}
}

// inventory are the texts of LLDP-MED by their subtype.
var inventory = map[uint64]*dissect.Field{5: oMHW, 6: oMFW, 7: oMSW, 8: oMSerial, 9: oMMaker, 10: oMModel, 11: oMAsset}

// media is a piece of LLDP-MED.
func media(d *dissect.D, sub uint64) {
	switch sub {
	case 1:
		d.Bits(oMCaps, mediaBits...)
		d.Uint(oMClass)
	case 2:
		d.Uint(oMApp)
		d.Bits(oMPolicy, oMTag, oMVLAN, oMPrio, oMDSCP)
	case 3:
		place(d)
	case 4:
		d.Bits(oMPType, oMPSource, oMPPrio)
		d.Uint(oMPValue)
	default:
		if f := inventory[sub]; f != nil {
			d.Rest(f)
		}
	}
}

// place is where a station is: coordinates (RFC 6225), an address (RFC 4776) or a number for emergency calls.
func place(d *dissect.D) {
	switch d.Uint(oMFormat) {
	case 1:
		coordinates(d)
	case 2:
		civic(d)
	case 3:
		d.Rest(oMELIN)
	}
}

func coordinates(d *dissect.D) {
	for _, f := range [][2]*dissect.Field{{oMLatRes, oMLat}, {oMLongRes, oMLong}} {
		at, v := d.Pos(), d.PeekUint(0, 5)
		d.Skip(5)
		if d.Short() {
			return
		}
		d.Put(f[0], v>>32, at, 1)
		d.Put(f[1], v&(1<<34-1), at, 5)
	}
	at, v := d.Pos(), d.PeekUint(0, 5)
	d.Skip(5)
	if d.Short() {
		return
	}
	d.Put(oMAltType, v>>32, at, 1)
	d.Put(oMAltRes, v>>24, at, 2)
	d.Put(oMAlt, v, at+1, 4)
	d.Uint(oMDatum)
}

func civic(d *dissect.D) {
	n := int(d.Uint(oMCivLen))
	if n > d.Left() {
		return
	}
	d.Uint(oMCivWhat)
	d.Bytes(oMCountry, 2)
	for more := d.Elements(); d.Left() >= 2 && more.Next(); {
		d.Uint(oMCAType)
		if n := int(d.Uint(oMCALen)); n > 0 {
			d.Bytes(oMCAText, n)
		}
	}
}
