package sctp

import "remora/dissect"

var (
	fPort    = proto.Uint16("port", "Port", "Port of either end.")
	fSrcPort = proto.Uint16("srcport", "Source port", "Port of the sender.").Also(fPort)
	fDstPort = proto.Uint16("dstport", "Destination port", "Port of the receiver.").Also(fPort)
	fTag     = proto.Uint32("verification_tag", "Verification tag",
		"Proves that the packet belongs to the association.").Hex()
	fSum    = proto.Uint32("checksum", "Checksum", "Checksum over the packet (CRC32c).").Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").
		Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified", 3: "Not present", 4: "Illegal"}).Derived()
	fAssoc = proto.Uint16("assoc_index", "Association index",
		"Number of the association among those of SCTP, counted from 0.").Derived()
	fType = proto.Kind("chunk_type", "Chunk type", chunkTypes, "What the chunk is.").Dec().Wordless()
	fBit1 = proto.Bool("chunk_bit_1", "Bit", "What a receiver does with the packet that does not know the type.").
		Masked(0x80).TrueFalse("Skip chunk and continue processing of the packet", "Stop processing of the packet")
	fBit2 = proto.Bool("chunk_bit_2", "Bit", "Whether it reports that.").Masked(0x40).
		TrueFalse("Do report", "Do not report")
	fFlags      = proto.Uint8("chunk_flags", "Chunk flags", "Flags of the chunk.").Hex()
	fLength     = proto.Uint16("chunk_length", "Chunk length", "Length of the chunk in bytes, the padding not counted.")
	fPad        = proto.Bytes("chunk_padding", "Chunk padding", "Zeros up to the next four bytes.")
	fValue      = proto.Bytes("chunk_value", "Chunk value", "A chunk of another sort.")
	fCookie     = proto.Bytes("cookie", "Cookie", "What the other end sent, to prove that it was heard.")
	fInitTag0   = proto.Uint32("initiate_tag", "Initiate tag", "The tag that the other end must use.").Hex()
	fInitTag    = proto.Uint32("init_initiate_tag", "Initiate tag", "The tag that the other end must use.").Hex()
	fInitCredit = proto.Uint32("init_credit", "Advertised receiver window credit (a_rwnd)",
		"Bytes that the sender can take.")
	fInitOut = proto.Uint16("init_nr_out_streams", "Number of outbound streams",
		"Streams that the sender wants to use.")
	fInitIn    = proto.Uint16("init_nr_in_streams", "Number of inbound streams", "Streams that the sender can take.")
	fInitTSN   = proto.Uint32("init_initial_tsn", "Initial TSN", "Number of the first data chunk.")
	fAckTag    = proto.Uint32("initack_initiate_tag", "Initiate tag", "The tag that the other end must use.").Hex()
	fAckCredit = proto.Uint32("initack_credit", "Advertised receiver window credit (a_rwnd)",
		"Bytes that the sender can take.")
	fAckOut = proto.Uint16("initack_nr_out_streams", "Number of outbound streams",
		"Streams that the sender wants to use.")
	fAckIn  = proto.Uint16("initack_nr_in_streams", "Number of inbound streams", "Streams that the sender can take.")
	fAckTSN = proto.Uint32("initack_initial_tsn", "Initial TSN", "Number of the first data chunk.")
	fTSN    = proto.Uint32("data_tsn", "Transmission sequence number (relative)",
		"Number of the chunk, counted from the first.").Derived()
	fTSNRaw   = proto.Uint32("data_tsn_raw", "Transmission sequence number (absolute)", "Number of the chunk.")
	fSID      = proto.Uint16("data_sid", "Stream identifier", "Which stream the data belongs to.").Hex()
	fSSN      = proto.Uint16("data_ssn", "Stream sequence number", "Number of the message in its stream.")
	fPPID     = proto.Uint32("data_payload_proto_id", "Payload protocol identifier", "What the data is.").Named(ppids)
	fReserved = proto.Uint16("data_reserved", "Reserved", "Zero.")
	fMID      = proto.Uint32("data_mid", "Message identifier", "Number of the message in its stream.")
	fFSN      = proto.Uint32("data_fsn", "Fragment sequence number", "Number of the fragment in its message.")
	fE        = proto.Bool("data_e_bit", "E-Bit", "The chunk ends a message.").Masked(0x01).
			TrueFalse("Last segment", "Not the last segment")
	fB = proto.Bool("data_b_bit", "B-Bit", "The chunk starts a message.").Masked(0x02).
		TrueFalse("First segment", "Subsequent segment")
	fU = proto.Bool("data_u_bit", "U-Bit", "The message need not wait for others.").Masked(0x04).
		TrueFalse("Unordered delivery", "Ordered delivery")
	fI = proto.Bool("data_i_bit", "I-Bit", "The receiver shall acknowledge at once.").Masked(0x08).
		TrueFalse("Send SACK immediately", "Possibly delay SACK")
	fNonce = proto.Uint8("sack_nounce_sum", "Nounce sum", "Sum of the nonces.").Masked(0x01)
	fCum   = proto.Uint32("sack_cumulative_tsn_ack", "Cumulative TSN ACK (relative)",
		"Everything up to this chunk has come, counted from the first.").Derived()
	fCumRaw = proto.Uint32("sack_cumulative_tsn_ack_raw", "Cumulative TSN ACK (absolute)",
		"Everything up to this chunk has come.")
	fCredit = proto.Uint32("sack_a_rwnd", "Advertised receiver window credit (a_rwnd)",
		"Bytes that the sender can take.")
	fGaps = proto.Uint16("sack_number_of_gap_blocks", "Number of gap acknowledgement blocks",
		"How many runs of later chunks have come.")
	fDups = proto.Uint16("sack_number_of_duplicated_tsns", "Number of duplicated TSNs",
		"How many chunks came again.")
	fGapStart = proto.Uint16("sack_gap_block_start", "Start",
		"Start of a run, from the last chunk that is acknowledged.")
	fGapStartTSN = proto.Uint32("sack_gap_block_start_tsn", "Start TSN", "First chunk of a run.").Derived()
	fGapEnd      = proto.Uint16("sack_gap_block_end", "End", "End of a run.")
	fGapEndTSN   = proto.Uint32("sack_gap_block_end_tsn", "End TSN", "Last chunk of a run.").Derived()
	fGapTSNs     = proto.Uint32("sack_number_of_tsns_gap_acked", "Number of TSNs in gap acknowledgement blocks",
		"How many chunks are in all runs.").Derived()
	fDup     = proto.Uint32("sack_duplicate_tsn", "Duplicate TSN", "A chunk that came again.")
	fShutTSN = proto.Uint32("shutdown_cumulative_tsn_ack", "Cumulative TSN Ack",
		"Everything up to this chunk has come.")
	fECN   = proto.Uint32("ecne_lowest_tsn", "Lowest TSN", "The chunk that met a jam.")
	fCWR   = proto.Uint32("cwr_lowest_tsn", "Lowest TSN", "The chunk up to which the sender has slowed down.")
	fShutT = proto.Bool("shutdown_complete_t_bit", "T-Bit", "The tag is that of the packet answered.").Masked(0x01).
		TrueFalse("Tag reflected", "Tag not reflected")
	fAbortT = proto.Bool("abort_t_bit", "T-Bit", "The tag is that of the packet answered.").Masked(0x01).
		TrueFalse("Tag reflected", "Tag not reflected")
	fFwd     = proto.Uint32("forward_tsn_tsn", "New cumulative TSN", "What is missing up to this chunk will not come.")
	fFwdSID  = proto.Uint16("forward_tsn_sid", "Stream identifier", "A stream that is concerned.")
	fFwdSSN  = proto.Uint16("forward_tsn_ssn", "Stream sequence number", "Its last message.")
	fParType = proto.Uint16("parameter_type", "Parameter type", "What the parameter says.").Hex().Named(paramTypes)
	fParBit1 = proto.Bool("parameter_bit_1", "Bit",
		"What a receiver does with the chunk that does not know the type.").Wide(2).Masked(0x8000).
		TrueFalse("Skip parameter and continue processing of the chunk", "Stop processing of chunk")
	fParBit2 = proto.Bool("parameter_bit_2", "Bit", "Whether it reports that.").Wide(2).Masked(0x4000).
			TrueFalse("Do report", "Do not report")
	fParLen = proto.Uint16("parameter_length", "Parameter length",
		"Length of the parameter in bytes, the padding not counted.")
	fParValue  = proto.Bytes("parameter_value", "Parameter value", "A parameter of another sort.")
	fParPad    = proto.Bytes("parameter_padding", "Parameter padding", "Zeros up to the next four bytes.")
	fPar4      = proto.IPv4("parameter_ipv4_address", "IP Version 4 address", "An address of the sender.")
	fPar6      = proto.IPv6("parameter_ipv6_address", "IP Version 6 address", "An address of the sender.")
	fParHeart  = proto.Bytes("parameter_heartbeat_information", "Heartbeat information", "What must come back as it is.")
	fParCookie = proto.Bytes("parameter_state_cookie", "State cookie", "What the other end must send back.")
	fParLife   = proto.Uint32("parameter_cookie_preservative_incr", "Suggested Cookie life-span increment (msec)",
		"How much longer the cookie shall be good.")
	fParHost = proto.String("parameter_hostname", "Hostname", "Name of the sender.")
	fParAddr = proto.Uint16("parameter_supported_address_type", "Supported address type",
		"A sort of address that the sender understands.").
		Named(dissect.Values{5: "IPv4 address", 6: "IPv6 address", 11: "Hostname address"})
	fParReqSeq = proto.Uint32("parameter_reconfig_request_sequence_number", "Re-configuration request sequence number",
		"Number of the request.")
	fParRspSeq = proto.Uint32("parameter_reconfig_response_sequence_number", "Re-configuration response sequence number",
		"Number of the request that is answered.")
	fParLast = proto.Uint32("parameter_senders_last_assigned_tsn", "Senders last assigned TSN",
		"Last data chunk of the sender.")
	fParNext = proto.Uint32("parameter_senders_next_tsn", "Senders next TSN", "Next data chunk of the sender.")
	fParRecv = proto.Uint32("parameter_receivers_next_tsn", "Receivers next TSN",
		"Next data chunk that the receiver expects.")
	fParResult = proto.Uint32("parameter_reconfig_response_result", "Result", "What became of the request.").
			Named(dissect.Values{0: "Nothing to do", 1: "Performed", 2: "Denied", 3: "Error - Wrong SSN",
			4: "Error - Request already in progress", 5: "Error - Bad sequence number", 6: "In progress"})
	fParSID    = proto.Uint16("parameter_reconfig_sid", "Stream Identifier", "A stream that is reset.")
	fAdapt     = proto.Uint32("adaptation_layer_indication", "Indication", "A number for what runs over SCTP.").Hex()
	fRandom    = proto.Bytes("random_number", "Random number", "A random number for the authentication.")
	fChunkAuth = proto.Uint8("chunk_type_to_auth", "Chunk type", "A chunk that must be authenticated.").Named(chunkTypes)
	fHMACID    = proto.Uint16("hmac_id", "HMAC identifier", "A way to authenticate.").
			Named(dissect.Values{0: "Reserved", 1: "SHA-1", 2: "Reserved", 3: "SHA-256"})
	fHMAC      = proto.Bytes("hmac", "HMAC", "Digest over the chunks that follow.")
	fKeyID     = proto.Uint16("shared_key_id", "Shared key identifier", "Which key was used.")
	fSupported = proto.Uint8("supported_chunk_type", "Supported chunk type",
		"A chunk of an extension that the sender understands.").Named(chunkTypes)
	fSeqConf    = proto.Uint32("asconf_seq_nr_number", "Sequence number", "Number of the change.").Hex()
	fSeqConfAck = proto.Uint32("asconf_ack_seq_nr_number", "Sequence number", "Number of the change that is answered.").
			Hex()
	fCorrelation = proto.Uint32("correlation_id", "Correlation_id", "Joins an answer with its request.").Hex()
	fCause       = proto.Uint16("cause_code", "Cause code", "What went wrong.").Hex().Named(causeCodes)
	fCauseLen    = proto.Uint16("cause_length", "Cause length", "Length of the cause in bytes, the padding not counted.")
	fCauseInfo   = proto.Bytes("cause_information", "Cause information", "More about it.")
	fCausePad    = proto.Bytes("cause_padding", "Cause padding", "Zeros up to the next four bytes.")
	fCauseSID    = proto.Uint16("cause_stream_identifier", "Stream identifier", "A stream that does not exist.")
	fCauseRes    = proto.Uint16("cause_reserved", "Reserved", "Zero.")
	fCauseN      = proto.Uint32("cause_nr_of_missing_parameters", "Number of missing parameters",
		"How many parameters are missing.")
	fCauseMiss = proto.Uint16("cause_missing_parameter_type", "Missing parameter type", "A parameter that is missing.").
			Hex().Named(paramTypes)
	fCauseStale = proto.Uint32("cause_measure_of_staleness", "Measure of staleness in usec",
		"How much too old the cookie is.")
	fCauseTSN = proto.Uint32("cause_tsn", "TSN", "A data chunk without data.")
	fPadding  = proto.Bytes("padding_data", "Padding data", "Bytes that only fill the packet.")

	fChunk = proto.Group("chunk", "Chunk", "One chunk. Wireshark has no name for it.").Summary("{chunk_type:name} chunk")
	fParam = proto.Group("parameter", "Parameter", "One parameter. Wireshark has no name for it.").
		Summary("{parameter_type:name} parameter")
	fWrong = proto.Group("cause", "Cause", "One cause of an error. Wireshark has no name for it.").
		Summary("{cause_code:name} cause")
	fGap = proto.Group("gap", "Gap Acknowledgement", "A run of chunks that have come. Wireshark has no name for it.").
		Summary("Gap Acknowledgement for TSN {sack_gap_block_start} to {sack_gap_block_end}")
	fWhole  = proto.FrameRef("reassembled_in", "Reassembled Message in frame", "The frame in which the message is whole.")
	fPieces = proto.Node("fragments", "Reassembled SCTP Fragments", "The parts that the message came in.")
	fPiece  = proto.FrameRef("fragment", "SCTP Fragment", "A frame with a part of the message.")
	fData   = proto.Bytes("data", "Data",
		"What the chunk carries, where it is a part of a message. Wireshark has no name for it.")

	nSum    = proto.Expert("checksum_bad.expert", dissect.Error, "Bad SCTP checksum.").About(dissect.AboutChecksum)
	nLength = proto.Expert("chunk_length.bad", dissect.Error, "Chunk length bad").About(dissect.AboutMalformed)
	nParam  = proto.Expert("parameter_length.bad", dissect.Error, "Parameter length bad").About(dissect.AboutMalformed)
	nWindow = proto.Expert("sack_a_rwnd.expert", dissect.Hint, "Zero Advertised Receiver Window Credit").
		About(dissect.AboutSequence)
	nOrder = proto.Expert("sack_gap_block_out_of_order", dissect.Warn, "Gap blocks not in strict order.")
	nGap   = proto.Expert("sack_gap_block_malformed", dissect.Error, "Malformed gap block.")
)

var chunkTypes = dissect.Values{
	0: "DATA", 1: "INIT", 2: "INIT_ACK", 3: "SACK", 4: "HEARTBEAT", 5: "HEARTBEAT_ACK", 6: "ABORT", 7: "SHUTDOWN",
	8: "SHUTDOWN_ACK", 9: "ERROR", 10: "COOKIE_ECHO",
	11: "COOKIE_ACK", 12: "ECNE", 13: "CWR", 14: "SHUTDOWN_COMPLETE", 15: "AUTH", 16: "NR_SACK", 64: "I_DATA",
	128: "ASCONF_ACK", 129: "PKTDROP", 130: "RE_CONFIG",
	132: "PAD", 192: "FORWARD_TSN", 193: "ASCONF", 194: "I_FORWARD_TSN", 255: "IETF_EXTENSION",
}

var paramTypes = dissect.Values{
	0x1: "Heartbeat info", 0x5: "IPv4 address", 0x6: "IPv6 address", 0x7: "State cookie", 0x8: "Unrecognized parameter",
	0x9: "Cookie preservative", 0xb: "Hostname address",
	0xc: "Supported address types", 0xd: "Outgoing SSN reset request", 0xe: "Incoming SSN reset request",
	0xf: "SSN/TSN reset request", 0x10: "Re-configuration response",
	0x11: "Add outgoing streams request", 0x12: "Add incoming streams request", 0x8000: "ECN", 0x8002: "Random",
	0x8003: "Authenticated Chunk list",
	0x8004: "Requested HMAC Algorithm", 0x8008: "Supported Extensions", 0xc000: "Forward TSN supported",
	0xc001: "Add IP address", 0xc002: "Delete IP address",
	0xc003: "Error cause indication", 0xc004: "Set primary address", 0xc005: "Success report",
	0xc006: "Adaptation Layer Indication",
}

var causeCodes = dissect.Values{
	0x1: "Invalid stream identifier", 0x2: "Missing mandatory parameter", 0x3: "Stale cookie error",
	0x4: "Out of resource", 0x5: "Unresolvable address",
	0x6: "Unrecognized chunk type", 0x7: "Invalid mandatory parameter", 0x8: "Unrecognized parameters",
	0x9: "No user data", 0xa: "Cookie received while shutting down",
	0xb: "Restart of an association with new addresses", 0xc: "User initiated ABORT", 0xd: "Protocol violation",
	0xa0: "Request to delete last address",
	0xa1: "Operation refused due to resource shortage", 0xa2: "Request to delete source address",
	0xa3: "Association Aborted due to illegal ASCONF-ACK",
	0xa4: "Request refused - no authorization", 0x105: "Unsupported HMAC identifier",
}

var ppids = dissect.Values{
	0: "not specified", 1: "IUA", 2: "M2UA", 3: "M3UA", 4: "SUA", 5: "M2PA", 6: "V5UA", 7: "H.248/MEGACO",
	8: "BICC/Q.2150.3", 9: "TALI", 10: "DUA", 11: "ASAP", 12: "ENRP",
	13: "H.323", 14: "Q.IPC/Q.2150.3", 15: "SIMCO", 16: "DDP Segment Chunk", 17: "DDP Stream Session Control",
	18: "S1 Application Protocol (S1AP)", 19: "RUA", 20: "HNBAP",
	21: "ForCES-HP", 22: "ForCES-MP", 23: "ForCES-LP", 24: "SBc-AP", 25: "NBAP", 26: "Unassigned", 27: "X2AP", 28: "IRCP",
	29: "LCS-AP", 30: "MPICH2", 31: "SABP",
	32: "Fractal Generator Protocol", 33: "Ping Pong Protocol", 34: "CalcApp Protocol", 35: "Scripting Service Protocol",
	36: "NetPerfMeter Control",
	37: "NetPerfMeter Data", 38: "Echo", 39: "Discard", 40: "Daytime", 41: "Character Generator", 42: "3GPP RNA",
	43: "3GPP M2AP", 44: "3GPP M3AP", 45: "SSH",
	46: "DIAMETER", 47: "DIAMETER over DTLS", 48: "R14P", 49: "Generic Data Transfer Protocol (GDT)", 50: "WebRTC Control",
	51: "WebRTC String",
	52: "WebRTC Binary Partial (Deprecated)", 53: "WebRTC Binary", 54: "WebRTC String Partial (Deprecated)",
	55: "3GPP PUA", 56: "WebRTC String Empty",
	57: "WebRTC Binary Empty", 58: "XwAP", 59: "Xw - Control Plane", 60: "NGAP", 61: "XnAP", 62: "F1 AP",
	65: "ELE2 Lawful Interception", 66: "NGAP over DTLS",
	67: "XnAP over DTLS", 68: "F1AP over DTLS", 69: "E1AP over DTLS", 70: "E2-CP", 71: "E2-UP", 72: "E2-DU", 73: "W1AP",
}
