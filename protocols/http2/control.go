package http2

import (
	"fmt"

	"remora/dissect"
)

var (
	fExclusive = proto.Bool("exclusive", "Exclusive", "No other stream depends on that one.").TrueFalse("True", "False").
			Wide(4).Masked(0x80000000)
	fDependency = proto.Uint32("stream_dependency", "Stream Dependency", "The stream that this one waits for.").
			Masked(0x7fffffff)
	fWeight     = proto.Uint8("headers.weight", "Weight", "The stream's share, less one.")
	fRealWeight = proto.Uint8("headers.weight_real", "Weight real", "The stream's share.").Wide(2).Derived()

	fReset = proto.Uint32("rst_stream.error", "Error", "Why the stream ends.").Named(errorCodes)

	fSettings  = proto.Node("settings", "Settings", "What the sender can take.")
	fSetting   = proto.Uint16("settings.id", "Settings Identifier", "What is set.").Named(settingNames)
	fTableSize = proto.Uint32("settings.header_table_size", "Header table size",
		"Bytes of headers that the sender can remember.")
	fPush       = proto.Uint32("settings.enable_push", "Enable PUSH", "The server may send what nobody asked for.")
	fMaxStreams = proto.Uint32("settings.max_concurrent_streams", "Max concurrent streams",
		"How many exchanges may be under way at once.")
	fWindowSize = proto.Uint32("settings.initial_window_size", "Initial Windows Size",
		"Bytes that may be under way in a new stream.")
	fMaxFrame   = proto.Uint32("settings.max_frame_size", "Max frame size", "Length that a frame may have.")
	fMaxHeaders = proto.Uint32("settings.max_header_list_size", "Max header list size", "Bytes that a header may have.")
	fConnect    = proto.Uint32("settings.extended_connect", "Extended CONNECT",
		"Streams can become those of other protocols (RFC 8441).")
	fOtherSetting = proto.Uint32("settings.unknown", "Unknown Settings", "The value of a setting that nobody knows.")

	fPing = proto.Bytes("ping", "Ping", "What the answer shall repeat.")
	fPong = proto.Bytes("pong", "Pong", "What the ping said.")

	fGoAwayR    = proto.Uint32("goway.r", "Reserved", "A bit without a meaning.").Hex().Masked(0x80000000)
	fLastStream = proto.Uint32("goaway.last_stream_id", "Last-Stream-ID", "The last stream that the sender saw to.").
			Masked(0x7fffffff)
	fGoAway = proto.Uint32("goaway.error", "Error", "Why the connection ends.").Named(errorCodes)
	fDebug  = proto.Bytes("goaway.addata", "Additional Debug Data", "What else there is to say of it.")

	fWindowR   = proto.Uint32("window_update.r", "Reserved", "A bit without a meaning.").Hex().Masked(0x80000000)
	fIncrement = proto.Uint32("window_update.window_size_increment", "Window Size Increment",
		"How many bytes more may be under way.").Masked(0x7fffffff)

	fAltLength = proto.Uint16("altsvc.origin.len", "Origin Length", "Length of the origin.")
	fAltOrigin = proto.String("altsvc.origin", "Origin", "What can be had elsewhere.")
	fAltValue  = proto.String("altsvc.field_value", "Field/Value", "Where it can be had.")

	fOrigin       = proto.Node("origin", "Origin", "What the server speaks for.")
	fOriginLength = proto.Uint16("origin.origin_len", "Origin Length", "Length of the origin.")
	fOriginText   = proto.String("origin.origin", "Origin", "What the server speaks for.")

	fUpdateOf = proto.Uint64("priority_update_stream_id", "Priority Update Stream ID",
		"The stream whose priority changes.").Wide(4)
	fUpdateValue = proto.String("priority_update_field_value", "Priority Update Field Value", "The priority.")
)

// settingFields are the fields of the settings that are known.
var settingFields = map[uint64]*dissect.Field{
	1: fTableSize, 2: fPush, 3: fMaxStreams, 4: fWindowSize, 5: fMaxFrame, 6: fMaxHeaders, 8: fConnect,
}

// control reads the frames that carry neither headers nor data.
func control(d *dissect.D, h *head) {
	switch h.typ {
	case typePriority:
		priority(d)
	case typeReset:
		d.Uint(fReset)
	case typeSettings:
		for more := d.Elements(); more.Next(); {
			d.In(fSettings, func() { setting(d) })
		}
	case typePing:
		if h.flags&flagAck != 0 {
			d.Bytes(fPong, 8)
		} else {
			d.Bytes(fPing, 8)
		}
	case typeGoAway:
		d.Bits(fGoAwayR, fLastStream)
		d.Uint(fGoAway)
		d.Rest(fDebug)
	case typeWindow:
		d.Bits(fWindowR, fIncrement)
	case typeAltSvc:
		d.Counted(fAltLength, fAltOrigin)
		d.Rest(fAltValue)
	case typeOrigin:
		for more := d.Elements(); more.Next(); {
			d.In(fOrigin, func() { d.Counted(fOriginLength, fOriginText) })
		}
	case typeUpdate:
		d.Uint(fUpdateOf)
		d.Rest(fUpdateValue)
	}
}

// priority reads what a stream depends on, and its weight.
func priority(d *dissect.D) {
	d.Bits(fExclusive, fDependency)
	weight := d.Uint(fWeight)
	d.Set(fRealWeight, weight+1)
}

// setting reads one setting.
func setting(d *dissect.D) {
	id := d.Uint(fSetting)
	f := settingFields[id]
	if f == nil {
		f = fOtherSetting
	}
	v := d.Uint(f)
	if d.Labelling() {
		name, ok := settingNames[id]
		if !ok {
			name = fmt.Sprintf("Unknown (%d)", id)
		}
		d.Suffix(fSettings, fmt.Sprintf(" - %s : %d", name, v))
	}
}
