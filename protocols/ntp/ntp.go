// Package ntp dissects the Network Time Protocol, versions 1 to 4 (RFC 5905; SNTP, RFC 4330, has the same format), its
// extension fields (RFC 7822), its control messages (RFC 9327) and the header of ntpd's private ones.
package ntp

import (
	"fmt"
	"math"

	"remora/dissect"
)

var proto = dissect.NewProtocol("ntp", "NTP", "Network Time Protocol: what time it is.").
	Summary("Network Time Protocol[ ({flags.vn:name}, {flags.mode:name})]").Color(dissect.HueCyan)

var (
	fFlags = proto.Uint8("flags", "Flags", "Leap indicator, version and mode.").Hex().
		Summary("[, Leap Indicator: {flags.li:name}], Version number: {flags.vn:name}, Mode: {flags.mode:name}")
	fLeap = proto.Uint8("flags.li", "Leap Indicator", "Whether a second is added to or left out of the day.").
		Masked(0xc0).Named(leaps)
	fVersion = proto.Uint8("flags.vn", "Version number", "Version of the protocol.").Masked(0x38).Named(versions)
	fMode    = proto.Kind("flags.mode", "Mode", modes, "Who sends this, and to what end.").Dec().Masked(0x07).Wordless()
	fStratum = proto.Uint8("stratum", "Peer Clock Stratum",
		"How many clocks there are between this one and the reference.").Format(stratumText)
	fPoll = proto.Uint8("ppoll", "Peer Polling Interval",
		"Longest time between messages, as a power of two of seconds.").Format(pollText)
	fPrecision = proto.Uint8("precision", "Peer Clock Precision",
		"Precision of the clock, as a power of two of seconds (signed).").Format(precisionText)
	fDelay = proto.Uint32("rootdelay", "Root Delay",
		"Round trip to the reference clock, in seconds with 16 bits behind the point.").Format(shortText)
	fSpread = proto.Uint32("rootdispersion", "Root Dispersion",
		"How far the time may be off, in seconds with 16 bits behind the point.").Format(shortText)
	fRefID    = proto.Bytes("refid", "Reference ID", "The clock this one follows: four letters or an address.")
	fRefTime  = proto.Time("reftime", "Reference Timestamp", "When the clock was last set.").Null()
	fOrigin   = proto.Time("org", "Origin Timestamp", "When the request left the client.").Null()
	fReceive  = proto.Time("rec", "Receive Timestamp", "When the request came to the server.").Null()
	fTransmit = proto.Time("xmt", "Transmit Timestamp", "When this message left.").Null()
	fKeyID    = proto.Bytes("keyid", "Key ID", "Number of the key of the code behind it.")
	fMAC      = proto.Bytes("mac", "Message Authentication Code", "Proof that the message is from who knows the key.")
	fExt      = proto.Node("ext", "Extension", "An extension field.")
	fExtType  = proto.Uint16("ext.type", "Field Type", "What the field is.").Hex().Named(extensions)
	fExtLen   = proto.Uint16("ext.length", "Length", "Length of the field with its header.")
	fExtValue = proto.Bytes("ext.value", "Value", "The field's value.")
	fRest     = proto.Bytes("padding", "Padding", "Bytes behind the message.")
	fRespIn   = proto.FrameRef("response_in", "Response In", "The frame with the answer.")
	fReqIn    = proto.FrameRef("request_in", "Request In", "The frame with the question.")
	fTime     = proto.Span("delta_time", "Delta Time", "Time from question to answer.").Derived()

	nKiss = proto.Expert("kod", dissect.Warn, "The server refuses: a kiss-o'-death packet")
	nExt  = proto.Expert("ext.invalid_length", dissect.Warn, "Invalid length of an extension field")
)

// Plugin attaches NTP to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{123}, Fits: fits}
}

const (
	modeClient  = 3
	modeServer  = 4
	modeControl = 6
	modePrivate = 7
)

// fits tells whether a datagram can be of one of the versions so far: with a stratum and a dispersion that there are,
// or with as many data as a control message says.
func fits(d *dissect.D) bool {
	first := d.Peek(0)
	version := first >> 3 & 7
	if version < 1 || version > 4 {
		return false
	}
	switch first & 7 {
	case modeControl:
		return d.CutShort() || 12+int(d.PeekUint(10, 2)) <= d.Left()
	case modePrivate:
		items, size := int(d.PeekUint(4, 2)&0xfff), int(d.PeekUint(6, 2)&0xfff)
		return d.CutShort() || d.Left() >= 8 && 8+items*size <= d.Left()
	}
	return (d.CutShort() || d.Left() >= 48 && d.Left()%4 == 0) && d.Peek(1) <= 16 && d.Peek(8) == 0
}

func packet(d *dissect.D) {
	first := uint64(d.Peek(0))
	if d.Left() == 0 {
		d.Skip(1)
		return
	}
	if first&7 == modePrivate {
		private(d)
		return
	}
	d.Bits(fFlags, fLeap, fVersion, fMode)
	if first&7 == modeControl {
		d.Info().Set("{flags.vn:name}, control")
	} else {
		d.Info().Set("{flags.vn:name}, {flags.mode:name}")
	}
	if first&7 == modeControl {
		control(d)
		return
	}
	switch first & 7 {
	case modeClient:
		d.Request(d.PeekUint(39, 8), fRespIn)
	case modeServer:
		d.Response(d.PeekUint(23, 8), fRespIn, fReqIn, fTime)
	}
	clock(d)
	for more := d.Elements(); d.Left() > maxMAC && !d.Short() && more.Next(); {
		if !extension(d) {
			break
		}
	}
	if n := d.Left(); n >= 4 && n <= maxMAC {
		d.Bytes(fKeyID, 4)
		d.Rest(fMAC)
	}
	d.Rest(fRest)
}

// maxMAC is the length of the longest authentication code with its key's number (RFC 7822 section 7.5.1.3).
const maxMAC = 24

// clock reads the fields behind the flags.
func clock(d *dissect.D) {
	stratum := d.Uint(fStratum)
	d.Uint(fPoll)
	d.Uint(fPrecision)
	d.Uint(fDelay)
	d.Uint(fSpread)
	id := d.Bytes(fRefID, 4)
	if d.Labelling() && len(id) == 4 {
		d.Suffix(fRefID, referenceText(stratum, id))
	}
	if stratum == 0 && len(id) == 4 && id[0] >= 'A' && id[0] <= 'Z' {
		d.Expert(nKiss)
	}
	for _, f := range [...]*dissect.Field{fRefTime, fOrigin, fReceive, fTransmit} {
		timestamp(d, f)
	}
}

// timestamp reads seconds since 1900 and their fraction in 32 bits each. Those that are past the end of 32 bits began
// anew in 2036 (RFC 4330 section 3).
func timestamp(d *dissect.D, f *dissect.Field) {
	at, v := d.Pos(), d.PeekUint(0, 8)
	d.Skip(8)
	if d.Short() {
		return
	}
	if v == 0 {
		d.Put(f, 0, at, 8)
		return
	}
	seconds := int64(v>>32) - since1900
	if v>>63 == 0 {
		seconds += 1 << 32
	}
	d.Put(f, uint64(seconds*1e9+int64(v&0xffffffff*1e9>>32)), at, 8)
}

// since1900 is 1970-01-01 in seconds since 1900-01-01.
const since1900 = 2208988800

// extension reads an extension field; false says that there is none.
func extension(d *dissect.D) bool {
	n := int(d.PeekUint(2, 2))
	if n < 4 || n > d.Left() {
		if d.Left() >= 4 && !d.CutShort() {
			d.Expert(nExt)
		}
		return false
	}
	d.In(fExt, func() {
		d.Uint(fExtType)
		d.Uint(fExtLen)
		if n > 4 {
			d.Bytes(fExtValue, n-4)
		}
	})
	return true
}

func stratumText(v uint64) string {
	switch {
	case v == 0:
		return "unspecified or invalid (0)"
	case v == 1:
		return "primary reference (1)"
	case v <= 15:
		return fmt.Sprintf("secondary reference (%d)", v)
	case v == 16:
		return "unsynchronized (16)"
	}
	return fmt.Sprintf("reserved: %d", v)
}

func pollText(v uint64) string {
	switch {
	case v < 4:
		return fmt.Sprintf("invalid (%d)", v)
	case v > 17:
		return fmt.Sprintf("invalid (%d)", v)
	}
	return fmt.Sprintf("%d (%d seconds)", v, 1<<v)
}

func precisionText(v uint64) string {
	return fmt.Sprintf("%8.6f seconds", math.Pow(2, float64(int8(v))))
}

func shortText(v uint64) string { return fmt.Sprintf("%8.6f seconds", float64(v)/65536) }

// referenceText says what a reference ID means: letters for the clocks of stratum 1 and for refusals, else an address.
func referenceText(stratum uint64, id []byte) string {
	if stratum >= 2 {
		return fmt.Sprintf(" (%d.%d.%d.%d)", id[0], id[1], id[2], id[3])
	}
	n := 0
	for n < 4 && id[n] >= 0x20 && id[n] < 0x7f {
		n++
	}
	if n == 0 {
		return ""
	}
	return " (" + string(id[:n]) + ")"
}
