package bluetooth

import (
	"fmt"

	"remora/dissect"
)

const pbContinuing = 1

// data is a piece of a connection's data (volume 4 part E section 5.4.2).
func data(d *dissect.D) {
	direction := d.Inner().Key() >> 8 & 3
	head := d.Bits(aHandle, aPB, aBC)
	n := int(d.Uint(aLength))
	if d.Short() {
		return
	}
	d.Limit(n)
	setInfo(d, "ACL")
	if head>>12&3 == pbContinuing || d.Left() < 4 {
		d.Rest(aData)
		return
	}
	d.Next(tableACL, direction)
}

// The fixed channels (volume 3 part A table 2.1).
const (
	channelSignal   = 1
	channelNoConn   = 2
	channelSignalLE = 5
)

// channel names a channel by its number.
func channel(v uint64) string {
	name := cids[v]
	switch {
	case name != "":
	case v >= 0x40:
		name = "Dynamically Allocated Channel"
	default:
		name = "Reserved"
	}
	return fmt.Sprintf("%s (0x%04x)", name, v)
}

// message is a message of a channel, or its beginning (volume 3 part A section 3).
func message(d *dissect.D) {
	direction := directions[min(d.Inner().Key(), unknown)]
	n := int(d.Uint(lLength))
	cid := d.Uint(lCID)
	if d.Short() {
		return
	}
	d.Limit(n)
	if cid != channelSignal && cid != channelSignalLE {
		if d.Info().Wanted() {
			d.Info().Setf("%s %s", direction, channel(cid))
		}
		if cid == channelNoConn && d.Left() >= 2 {
			d.Uint(lPSM)
		}
		d.Rest(lPayload)
		return
	}
	text := ""
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		text += " " + signal(d)
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s%s", direction, text)
	}
	d.Rest(lData)
}

// signalled are the parameters of signalling commands (volume 3 part A section 4), in their order.
var signalled = map[uint64][]*dissect.Field{
	0x01: {lReject}, 0x02: {lPSM, lSCID}, 0x03: {lDCID, lSCID, lResult, lStatus}, 0x04: {lDCID}, 0x05: {lSCID},
	0x06: {lDCID, lSCID}, 0x07: {lDCID, lSCID}, 0x0a: {lInfo}, 0x0b: {lInfo, lResult},
	0x12: {lMinInt, lMaxInt, lLatency, lTimeout}, 0x13: {lResult},
}

// signal reads one signalling command and names it for the Info column.
func signal(d *dissect.D) string {
	name := ""
	d.In(lCommand, func() {
		code := d.Uint(lCode)
		d.Uint(lIdent)
		n := int(d.Uint(lCmdLen))
		if name = signals[code]; name == "" {
			name = fmt.Sprintf("Unknown command 0x%02x", code)
		}
		name += details(d.Data(), code)
		d.Within(n, func() {
			each(d, signalled[code])
			d.Rest(lData)
		})
	})
	return name
}

// details are the parameters of a signalling command that the Info column shows.
func details(b []byte, code uint64) string {
	word := func(i int) uint64 { return uint64(b[i]) | uint64(b[i+1])<<8 }
	switch {
	case code == 0x02 && len(b) >= 4:
		name := psms[word(0)]
		if name == "" {
			name = fmt.Sprintf("Unknown PSM 0x%04x", word(0))
		}
		return fmt.Sprintf(" (%s, SCID: 0x%04x)", name, word(2))
	case code == 0x03 && len(b) >= 8 && word(4) == 0:
		return fmt.Sprintf(" - Success (SCID: 0x%04x, DCID: 0x%04x)", word(2), word(0))
	case (code == 0x06 || code == 0x07) && len(b) >= 4:
		return fmt.Sprintf(" (SCID: 0x%04x, DCID: 0x%04x)", word(2), word(0))
	case code == 0x04 && len(b) >= 2:
		return fmt.Sprintf(" (DCID: 0x%04x)", word(0))
	case code == 0x05 && len(b) >= 2:
		return fmt.Sprintf(" (SCID: 0x%04x)", word(0))
	case code == 0x0a && len(b) >= 2 && lInfo.ValueName(word(0)) != "":
		return fmt.Sprintf(" (%s)", lInfo.ValueName(word(0)))
	}
	return ""
}
