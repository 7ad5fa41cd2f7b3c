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
		d.Parts(o1Flags, o1Can, o1On)
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
	}
}

// wired is a piece of IEEE 802.3.
func wired(d *dissect.D, sub uint64) {
	switch sub {
	case 1:
		d.Parts(o3Neg, o3Can, o3On)
		d.Parts(o3Adv, advertisedBits...)
		d.Uint(o3MAU)
	case 3:
		d.Parts(o3Agg, o3AggCan, o3AggOn)
		d.Uint(o3AggPort)
	case 4:
		d.Uint(o3Max)
	}
}

// inventory are the texts of LLDP-MED by their subtype.
var inventory = map[uint64]*dissect.Field{5: oMHW, 6: oMFW, 7: oMSW, 8: oMSerial, 9: oMMaker, 10: oMModel, 11: oMAsset}

// media is a piece of LLDP-MED.
func media(d *dissect.D, sub uint64) {
	switch sub {
	case 1:
		d.Parts(oMCaps, mediaBits...)
		d.Uint(oMClass)
	case 2:
		d.Uint(oMApp)
		d.Bits(oMPolicy, oMTag, oMVLAN, oMPrio, oMDSCP)
	default:
		if f := inventory[sub]; f != nil {
			d.Rest(f)
		}
	}
}
