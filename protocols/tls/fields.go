package tls

import "remora/dissect"

// The record layer.
var (
	fKind = proto.Kind("type", "Message type", kinds, "What the record carries; for handshakes, the message.").
		Wide(2).Dec().Derived().Wordless()
	fRecord  = proto.Node("record", "Record Layer", "One record.").Summary("[{tls.none}]")
	fContent = proto.Uint8("record.content_type", "Content Type", "What the record carries.").Named(contentTypes)
	fOpaque  = proto.Uint8("record.opaque_type", "Opaque Type",
		"What the record pretends to carry: TLS 1.3 hides the type.").Named(contentTypes)
	fAgreed = proto.Uint16("agreed_version", "Version agreed on",
		"The version of the session, where only later packets tell it. Wireshark has no name for it.").Hex().Named(versions).
		Derived().Hidden()
	fVersion = proto.Uint16("record.version", "Version", "The version of the record layer; TLS 1.3 says 1.2.").Hex().
			Named(versions)
	fLength    = proto.Uint16("record.length", "Length", "Bytes of the record behind its header.")
	fInnerPad  = proto.Bytes("record.padding", "Padding", "Zero bytes that hide the length of what the record carries.")
	fInnerType = proto.Uint8("record.content_type", "Content Type", "What the decrypted record carries.").
			Named(contentTypes)
	fSecret = proto.Bytes("record.encrypted", "Encrypted Record",
		"What the record carries, as it is on the wire; decrypted it is a source of its own.")
	fData      = proto.Bytes("app_data", "Encrypted Application Data", "What the record carries, encrypted.")
	fDataProto = proto.String("app_data_proto", "Application Data Protocol", "The protocol of what the record carries.").
			Derived()
	fCipher = proto.Label("change_cipher_spec", "Change Cipher Spec Message", "From here on this side encrypts.")
	fPart   = proto.Bytes("segment.data", "TLS segment data", "A part of a message that ends in a later record.")
	fPieces = proto.Node("handshake.fragments", "Reassembled Handshake Fragments",
		"The records that the message came in.")
	fPiece = proto.FrameRef("handshake.fragment", "Handshake Fragment", "A frame that a part of the message came in.")
	fCount = proto.Uint32("handshake.fragment.count", "Handshake Fragment count",
		"How many parts the message came in.").Derived()
	fJoinedIn = proto.FrameRef("handshake.reassembled_in", "Reassembled Handshake Message in frame",
		"The frame in which the message ends.")
	fSegments = proto.Node("segments", "Reassembled TLS segments",
		"The records that a message of the inner protocol came in.")
	fSegment  = proto.FrameRef("segment", "TLS segment", "A frame that a part of the message came in.")
	fSegCount = proto.Uint32("segment.count", "Segment count", "How many parts the message came in.").Derived()
	fDataIn   = proto.FrameRef("reassembled_in", "Reassembled PDU in frame", "The frame in which the message ends.")

	fAlert     = proto.Node("alert_message", "Alert Message", "What went wrong, or that the stream ends.")
	fAlertLev  = proto.Uint8("alert_message.level", "Level", "Whether the session is over with it.").Named(alertLevels)
	fAlertDesc = proto.Uint8("alert_message.desc", "Description", "What happened.").Named(alerts)

	fBeat     = proto.Node("heartbeat_message", "Heartbeat Message", "A sign of life (RFC 6520).")
	fBeatType = proto.Uint8("heartbeat_message.type", "Type", "Question or answer.").Named(heartbeatTypes)
	fBeatLen  = proto.Uint16("heartbeat_message.payload_length", "Payload Length", "Bytes to send back.")
	fBeatLoad = proto.Bytes("heartbeat_message.payload", "Payload", "The bytes to send back.")
	fBeatPad  = proto.Bytes("heartbeat_message.padding", "Padding", "Bytes without meaning.")
	nBeat     = proto.Expert("heartbeat_message.payload_length.invalid", dissect.Error,
		"Invalid heartbeat payload length: it asks for more than it brings").About(dissect.AboutMalformed)
	nLong    = proto.Expert("record.length.invalid", dissect.Warn, "Record fragment length is too small or too large")
	nResumed = proto.Expert("resumed", dissect.Chat,
		"This session reuses previously negotiated keys (Session resumption)")
	nFatal     = proto.Expert("alert_message.fatal", dissect.Hint, "The session ends with a fatal alert")
	nUnsealed  = proto.Expert("decryption.failed", dissect.Hint, "The keys of the key log do not open this record")
	fHandshake = proto.Node("handshake", "Handshake Protocol", "One message of the handshake.").
			Summary("Handshake Protocol: {handshake.type:name}")
	fSealed = proto.Label("handshake", "Handshake Protocol: Encrypted Handshake Message",
		"A message of the handshake that cannot be read.")
	fSealedAl = proto.Label("alert_message", "Alert Message: Encrypted Alert", "An alert that cannot be read.")
	fType     = proto.Uint8("handshake.type", "Handshake Type", "Which message it is.").Named(handshakeTypes)
	fHsLength = proto.Uint24("handshake.length", "Length", "Bytes of the message behind its header.")
)

// kinds are the packet types: the content type above the message's type.
var kinds = packetTypes()

const (
	sealed  = 0xff // as the sub-type: encrypted
	retried = 6    // a Server Hello that asks the client to try again
)

func packetTypes() dissect.Values {
	v := dissect.Values{
		typeCipher << 8: "Change Cipher Spec", typeAlert << 8: "Alert", typeData << 8: "Application Data",
		typeHeartbeat << 8:        "Heartbeat",
		typeHandshake<<8 | sealed: "Encrypted Handshake Message", typeAlert<<8 | sealed: "Encrypted Alert",
		typeHeartbeat<<8 | sealed: "Encrypted Heartbeat",
	}
	for n, name := range handshakeTypes {
		v[typeHandshake<<8|n] = name
	}
	return v
}
