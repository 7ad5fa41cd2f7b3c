package usb

import "remora/dissect"

// The standard descriptors (USB 2.0 table 9-5).
const (
	descDevice    = 1
	descConfig    = 2
	descString    = 3
	descInterface = 4
	descEndpoint  = 5
	descQualifier = 6
	descOther     = 7
	descFunction  = 11
)

// read reads descriptors: one, or a configuration with those of its interfaces.
func read(d *dissect.D, kind uint64) {
	switch kind {
	case descDevice, descConfig, descString, descQualifier, descOther:
	default:
		d.Rest(fDescData)
		return
	}
	for more := d.Elements(); more.Next(); {
		n := int(d.Peek(0))
		if n < 2 || n > d.Left() && !d.CutShort() {
			d.Expert(nDesc)
			d.Rest(fDescData)
			return
		}
		d.In(fDesc, func() { descriptor(d, n) })
	}
}

func descriptor(d *dissect.D, n int) {
	d.Uint(dLength)
	kind := d.Uint(fDescType)
	d.Within(n-2, func() {
		switch kind {
		case descDevice:
			each(d, dUSB, dClass, dSubClass, dProto, dMax0, dVendor, dProduct, dDevice, dMaker, dName, dSerial, dConfs)
		case descQualifier:
			each(d, dUSB, dClass, dSubClass, dProto, dMax0, dConfs)
		case descConfig, descOther:
			each(d, dTotal, dIfaces, dConf, dConfName)
			if d.More() {
				d.Bits(dConfAttr, dMust, dSelf, dWake)
			}
			each(d, dPower)
		case descString:
			text(d)
		case descInterface:
			each(d, dIface, dAlt, dEPs, dIfClass, dIfSub, dIfProto, dIfName)
		case descEndpoint:
			endpoint(d)
		case descFunction:
			each(d, dFirst, dCount, dFnClass, dFnSub, dFnProto, dFnName)
		}
		d.Rest(fBody)
	})
}

// each reads the fields that the descriptor is long enough for.
func each(d *dissect.D, fields ...*dissect.Field) {
	for _, f := range fields {
		if !d.More() || d.Left() < f.Size() {
			return
		}
		d.Uint(f)
	}
}

func endpoint(d *dissect.D) {
	if d.Left() < 4 {
		return
	}
	d.Bits(dEP, dEPDir, dEPNum)
	d.Bits(dAttr, dAttrX)
	d.Bits(dMaxPkt, dMaxSlots, dMaxSize)
	each(d, dInterval)
}

// text is a string, or the languages that strings are there in, whose numbers few strings look like.
func text(d *dissect.D) {
	if d.Left() == 2 {
		each(d, dLangID)
		return
	}
	d.Rest(dString)
}
