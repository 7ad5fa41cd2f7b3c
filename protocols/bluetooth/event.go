package bluetooth

import (
	"fmt"

	"remora/dissect"
)

// The events with parameters of their own sort (volume 4 part E section 7.7).
const (
	eventComplete = 0x0e
	eventStatus   = 0x0f
	eventDone     = 0x13
	eventMeta     = 0x3e

	metaConnection = 1
	metaReport     = 2
)

// results are the parameters of events, in their order.
var results = map[uint64][]*dissect.Field{
	0x01: {eStatus}, 0x03: {eStatus, eHandle, eAddr, eLink, eEncMode}, 0x04: {eAddr, eClassDev, eLink},
	0x05: {eStatus, eHandle, eReason},
	0x06: {eStatus, eHandle}, 0x07: {eStatus, eAddr, eName}, 0x08: {eStatus, eHandle, eEncOn}, 0x0b: {eStatus, eHandle},
	0x0c: {eStatus, eHandle, eLMP, eCompany, eLMPSub},
	0x12: {eStatus, eAddr, eRole}, 0x14: {eStatus, eHandle}, 0x16: {eAddr}, 0x17: {eAddr}, 0x18: {eAddr}, 0x1b: {eHandle},
	0x30: {eStatus, eHandle}, 0x36: {eStatus, eAddr},
}

// returned are the parameters with which commands end, behind the status.
var returned = map[uint64][]*dissect.Field{
	0x1001: {eVersion, eRevision, eLMP, eCompany, eLMPSub}, 0x1009: {eAddr}, 0x1405: {eHandle, eRSSI},
}

func event(d *dissect.D) {
	code := d.Kind(eCode)
	n := int(d.Uint(eLength))
	if d.Short() {
		return
	}
	d.Limit(n)
	name := eventCodes[code]
	if name == "" {
		name = fmt.Sprintf("Unknown 0x%02x", code)
	}
	switch code {
	case eventComplete:
		d.Uint(ePackets)
		op := answered(d)
		name += " (" + commandName(op) + ")"
		if op != 0 {
			each(d, []*dissect.Field{eStatus})
			each(d, returned[op])
		}
	case eventStatus:
		d.Uint(eStatus)
		d.Uint(ePackets)
		name += " (" + commandName(answered(d)) + ")"
	case eventDone:
		for n, more := d.Uint(eHandles), d.Elements(); n > 0 && more.Next(); n-- {
			d.Uint(eHandle)
			d.Uint(eDone)
		}
	case eventMeta:
		sub := d.Uint(eMeta)
		if metaEvents[sub] != "" {
			name += " (" + metaEvents[sub] + ")"
		}
		meta(d, sub)
	default:
		each(d, results[code])
	}
	setInfo(d, "%s", name)
	d.Rest(eParams)
}

// answered reads the command that an event answers.
func answered(d *dissect.D) uint64 { return d.Bits(eOpcode, eOGF, eOCF) }

// meta is an event of Low Energy (volume 4 part E section 7.7.65).
func meta(d *dissect.D, sub uint64) {
	switch sub {
	case metaConnection:
		each(d, []*dissect.Field{eStatus, eHandle, eRole, ePeerType, eAddr, eInterval, eLatency, eSupv, eClock})
	case metaReport:
		n := d.Uint(eReports)
		if n != 1 { // several reports keep their parameters apart: all types, then all addresses
			return
		}
		each(d, []*dissect.Field{eAdvType, ePeerType, eAddr})
		if size := int(d.Uint(eDataLen)); size > 0 {
			d.Bytes(eAdvData, size)
		}
		each(d, []*dissect.Field{eRSSI})
	}
}
