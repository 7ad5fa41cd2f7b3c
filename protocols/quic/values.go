package quic

import "remora/dissect"

// versions are the versions that are in use or were.
var versions = dissect.Values{
	0x00000000: "Version Negotiation",
	0x00000001: "1",
	0x50435130: "Picoquic internal",
	0x50435131: "Picoquic internal",
	0x50524f58: "Proxied QUIC (PROX)",
	0x51303433: "Google Q043",
	0x51303434: "Google Q044",
	0x51303436: "Google Q046",
	0x51303530: "Google Q050",
	0x54303530: "Google T050",
	0x54303531: "Google T051",
	0x6b3343cf: "2",
	0x709a50c4: "v2-draft-01",
	0xfaceb001: "Facebook mvfst (draft-22)",
	0xfaceb002: "Facebook mvfst (draft-27)",
	0xfaceb003: "Facebook mvfst",
	0xfaceb004: "Facebook mvfst",
	0xfaceb005: "Facebook mvfst",
	0xfaceb006: "Facebook mvfst",
	0xfaceb007: "Facebook mvfst",
	0xfaceb008: "Facebook mvfst",
	0xfaceb009: "Facebook mvfst",
	0xfaceb00a: "Facebook mvfst",
	0xfaceb00b: "Facebook mvfst",
	0xfaceb00c: "Facebook mvfst",
	0xfaceb00d: "Facebook mvfst",
	0xfaceb00e: "Facebook mvfst (Experimental)",
	0xfaceb00f: "Facebook mvfst",
	0xff000004: "draft-04",
	0xff000005: "draft-05",
	0xff000006: "draft-06",
	0xff000007: "draft-07",
	0xff000008: "draft-08",
	0xff000009: "draft-09",
	0xff00000a: "draft-10",
	0xff00000b: "draft-11",
	0xff00000c: "draft-12",
	0xff00000d: "draft-13",
	0xff00000e: "draft-14",
	0xff00000f: "draft-15",
	0xff000010: "draft-16",
	0xff000011: "draft-17",
	0xff000012: "draft-18",
	0xff000013: "draft-19",
	0xff000014: "draft-20",
	0xff000015: "draft-21",
	0xff000016: "draft-22",
	0xff000017: "draft-23",
	0xff000018: "draft-24",
	0xff000019: "draft-25",
	0xff00001a: "draft-26",
	0xff00001b: "draft-27",
	0xff00001c: "draft-28",
	0xff00001d: "draft-29",
	0xff00001e: "draft-30",
	0xff00001f: "draft-31",
	0xff000020: "draft-32",
	0xff000021: "draft-33",
	0xff000022: "draft-34",
	0xff020000: "v2-draft-00",
}

// frameTypes are the types of frames (RFC 9000 section 19, RFC 9221).
var frameTypes = dissect.Values{
	0x00:  "PADDING",
	0x01:  "PING",
	0x02:  "ACK",
	0x03:  "ACK",
	0x04:  "RESET_STREAM",
	0x05:  "STOP_SENDING",
	0x06:  "CRYPTO",
	0x07:  "NEW_TOKEN",
	0x08:  "STREAM",
	0x09:  "STREAM",
	0x0a:  "STREAM",
	0x0b:  "STREAM",
	0x0c:  "STREAM",
	0x0d:  "STREAM",
	0x0e:  "STREAM",
	0x0f:  "STREAM",
	0x10:  "MAX_DATA",
	0x11:  "MAX_STREAM_DATA",
	0x12:  "MAX_STREAMS (BIDI)",
	0x13:  "MAX_STREAMS (UNI)",
	0x14:  "DATA_BLOCKED",
	0x15:  "STREAM_DATA_BLOCKED",
	0x16:  "STREAMS_BLOCKED (BIDI)",
	0x17:  "STREAMS_BLOCKED (UNI)",
	0x18:  "NEW_CONNECTION_ID",
	0x19:  "RETIRE_CONNECTION_ID",
	0x1a:  "PATH_CHALLENGE",
	0x1b:  "PATH_RESPONSE",
	0x1c:  "CONNECTION_CLOSE (Transport)",
	0x1d:  "CONNECTION_CLOSE (Application)",
	0x1e:  "HANDSHAKE_DONE",
	0x30:  "DATAGRAM",
	0x31:  "DATAGRAM",
	0xac:  "IMMEDIATE_ACK",
	0xaf:  "ACK_FREQUENCY",
	0x2f5: "TIME_STAMP",
}

// errorCodes are why connections end (RFC 9000 section 20). From 0x100 on they hold an alert of TLS.
var errorCodes = dissect.Values{
	0:  "NO_ERROR",
	1:  "INTERNAL_ERROR",
	2:  "CONNECTION_REFUSED",
	3:  "FLOW_CONTROL_ERROR",
	4:  "STREAM_ID_ERROR",
	5:  "STREAM_STATE_ERROR",
	6:  "FINAL_SIZE_ERROR",
	7:  "FRAME_ENCODING_ERROR",
	8:  "TRANSPORT_PARAMETER_ERROR",
	9:  "CONNECTION_ID_LIMIT_ERROR",
	10: "PROTOCOL_VIOLATION",
	11: "INVALID_TOKEN",
	12: "APPLICATION_ERROR",
	13: "CRYPTO_BUFFER_EXCEEDED",
	14: "KEY_UPDATE_ERROR",
	15: "AEAD_LIMIT_REACHED",
	16: "NO_VIABLE_PATH",
	17: "VERSION_NEGOTIATION_ERROR",
}

// longTypes are the types of packets with long headers.
var longTypes = dissect.Values{
	0: "Initial",
	1: "0-RTT",
	2: "Handshake",
	3: "Retry",
}

// longTypes2 are those of version 2 (RFC 9369 section 3.2).
var longTypes2 = dissect.Values{
	0: "Retry",
	1: "Initial",
	2: "0-RTT",
	3: "Handshake",
}

// longType is the type of a packet with a long header.
func longType(first byte, version uint32) uint64 {
	typ := uint64(first >> 4 & 3)
	if second(version) {
		return (typ + 3) & 3
	}
	return typ
}
