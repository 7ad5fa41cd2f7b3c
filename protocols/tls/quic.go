package tls

import "remora/dissect"

// The transport parameters of QUIC (RFC 9000 section 18), which travel in an extension.
var (
	fParam = proto.Node("quic.parameter", "Parameter", "One parameter.").
		Summary("Parameter: {quic.parameter.type:name} (len={quic.parameter.length})")
	fParamType = proto.Uint64("quic.parameter.type", "Type", "Which parameter it is.").Named(paramTypes)
	fParamLen  = proto.Uint64("quic.parameter.length", "Length", "Bytes of the value.")
	fParamsLen = proto.Uint16("quic.len", "Parameters Length", "Bytes of all parameters, in drafts up to 26.")
	fParamLen0 = proto.Uint16("quic.parameter.lengt.old", "Length", "Bytes of the value, in drafts up to 26.")
	fParamVal  = proto.Bytes("quic.parameter.value", "Value", "The value.")
	paramBytes = map[uint64]*dissect.Field{
		0x00: proto.Bytes("quic.parameter.original_destination_connection_id", "original_destination_connection_id",
			"The ID that the client began with."),
		0x02: proto.Bytes("quic.parameter.stateless_reset_token", "stateless_reset_token",
			"What tells that the server forgot the connection."),
		0x0f: proto.Bytes("quic.parameter.initial_source_connection_id", "Initial Source Connection ID",
			"The ID that the sender began with."),
		0x10: proto.Bytes("quic.parameter.retry_source_connection_id", "Retry Source Connection ID",
			"The ID that the server chose in its Retry."),
	}
	paramNumbers = map[uint64]*dissect.Field{
		0x01: proto.Uint64("quic.parameter.max_idle_timeout", "max_idle_timeout", "How long the connection may be silent.").
			In("ms"),
		0x03: proto.Uint64("quic.parameter.max_udp_payload_size", "max_udp_payload_size",
			"The longest datagram that is taken."),
		0x04: proto.Uint64("quic.parameter.initial_max_data", "initial_max_data", "How many bytes may be sent at first."),
		0x05: proto.Uint64("quic.parameter.initial_max_stream_data_bidi_local", "initial_max_stream_data_bidi_local",
			"How many on a stream that the sender opens."),
		0x06: proto.Uint64("quic.parameter.initial_max_stream_data_bidi_remote", "initial_max_stream_data_bidi_remote",
			"How many on a stream that the receiver opens."),
		0x07: proto.Uint64("quic.parameter.initial_max_stream_data_uni", "initial_max_stream_data_uni",
			"How many on a stream in one direction."),
		0x08: proto.Uint64("quic.parameter.initial_max_streams_bidi", "initial_max_streams_bidi",
			"How many streams in both directions."),
		0x09: proto.Uint64("quic.parameter.initial_max_streams_uni", "initial_max_streams_uni",
			"How many streams in one direction."),
		0x0a: proto.Uint64("quic.parameter.ack_delay_exponent", "ack_delay_exponent", "By how many bits delays are shifted."),
		0x0b: proto.Uint64("quic.parameter.max_ack_delay", "max_ack_delay", "How long acknowledgments wait at most."),
		0x0e: proto.Uint64("quic.parameter.active_connection_id_limit", "Active Connection ID Limit",
			"How many IDs are kept."),
		0x20: proto.Uint64("quic.parameter.max_datagram_frame_size", "max_datagram_frame_size",
			"The longest unreliable datagram that is taken."),
	}
)

var paramTypes = dissect.Values{0x00: "original_destination_connection_id", 0x01: "max_idle_timeout",
	0x02: "stateless_reset_token", 0x03: "max_udp_payload_size",
	0x04: "initial_max_data", 0x05: "initial_max_stream_data_bidi_local", 0x06: "initial_max_stream_data_bidi_remote",
	0x07: "initial_max_stream_data_uni",
	0x08: "initial_max_streams_bidi", 0x09: "initial_max_streams_uni", 0x0a: "ack_delay_exponent", 0x0b: "max_ack_delay",
	0x0c: "disable_active_migration",
	0x0d: "preferred_address", 0x0e: "active_connection_id_limit", 0x0f: "initial_source_connection_id",
	0x10: "retry_source_connection_id",
	0x11: "version_information", 0x20: "max_datagram_frame_size", 0x2ab2: "grease_quic_bit"}

// quicParameters reads the parameters to the end of the range.
func quicParameters(d *dissect.D) {
	old := sized16(d)
	if old {
		d.Uint(fParamsLen)
	}
	for more := d.Elements(); more.Next(); {
		d.In(fParam, func() {
			typ, n := parameterHead(d, old)
			if n > uint64(d.Left()) {
				d.Skip(d.Left() + 1)
				return
			}
			d.Within(int(n), func() {
				if n > 0 {
					d.Put(fParamVal, 0, d.Pos(), d.Left())
				}
				switch {
				case paramBytes[typ] != nil:
					d.Rest(paramBytes[typ])
				case paramNumbers[typ] != nil && n > 0:
					varint(d, paramNumbers[typ])
				default:
					d.Skip(d.Left())
				}
			})
		})
	}
}

// sized16 tells whether types and lengths have two bytes each and all have their length in front, as up to
// draft-ietf-quic-transport-26 section 18.
func sized16(d *dissect.D) bool {
	return d.Left() >= 6 && 2+int(d.PeekUint(0, 2)) == d.Left() && 6+int(d.PeekUint(4, 2)) <= d.Left()
}

// parameterHead reads the type and the length of a parameter.
func parameterHead(d *dissect.D, old bool) (typ, size uint64) {
	if !old {
		return varint(d, fParamType), varint(d, fParamLen)
	}
	typ = d.PeekUint(0, 2)
	d.Put(fParamType, typ, d.Pos(), 2)
	d.Skip(2)
	return typ, d.Uint(fParamLen0)
}

// varint reads a number of one, two, four or eight bytes (RFC 9000 section 16).
func varint(d *dissect.D, f *dissect.Field) uint64 {
	n := 1 << (d.Peek(0) >> 6)
	if n > d.Left() {
		d.Skip(n)
		return 0
	}
	v := d.PeekUint(0, n) & (1<<(8*n-2) - 1)
	d.Put(f, v, d.Pos(), n)
	d.Skip(n)
	return v
}
