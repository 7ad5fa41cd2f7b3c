package eap

import "remora/dissect"

var proto = dissect.NewProtocol("eap", "EAP",
	"Extensible Authentication Protocol: who may use a network, by one of many methods.").
	Summary("Extensible Authentication Protocol").Color(dissect.HueYellow)

var (
	fCode = proto.Kind("code", "Code",
		dissect.Values{1: "Request", 2: "Response", 3: "Success", 4: "Failure", 5: "Initiate", 6: "Finish"},
		"What the packet is.").Dec().Wordless()
	fID       = proto.Uint8("id", "Id", "Joins a response with its request.")
	fLen      = proto.Uint16("len", "Length", "Length of the packet in bytes.")
	fType     = proto.Uint8("type", "Type", "The method, or a message of its own kind.").Named(typeNames)
	fIdentity = proto.String("identity", "Identity", "Who asks to be let in.")
	fNotice   = proto.String("notification", "Notification", "A text for people.")
	fDesired  = proto.Uint8("desired_type", "Desired Auth Type", "A method that the sender would rather use.").
			Named(typeNames)
	fMD5Len   = proto.Uint8("md5.value_size", "EAP-MD5 Value-Size", "Length of the value in bytes.")
	fMD5      = proto.Bytes("md5.value", "EAP-MD5 Value", "The challenge, or what the secret makes of it.")
	fMD5Rest  = proto.Bytes("md5.extra_data", "EAP-MD5 Extra Data", "Bytes behind the value: the name of the sender.")
	fTLSFlags = proto.Uint8("tls.flags", "EAP-TLS Flags", "How the message is cut.").Hex()
	fTLSLenIn = proto.Bool("tls.flags.len_included", "Length Included", "The length of the whole message is there.").
			Masked(0x80).TrueFalse("True", "False")
	fTLSMore = proto.Bool("tls.flags.more_fragments", "More Fragments", "More fragments follow.").Masked(0x40).
			TrueFalse("True", "False")
	fTLSStart = proto.Bool("tls.flags.start", "Start", "The server starts the method.").Masked(0x20).
			TrueFalse("True", "False")
	fTLSOuter = proto.Bool("tls.flags.outer_tlv_len_included", "Outer TLV Length Included",
		"The length of the TLVs outside of TLS is there.").Masked(0x10).TrueFalse("True", "False")
	fTLSVersion = proto.Uint8("tls.flags.version", "Version", "Version of the method.").Masked(0x07)
	fTLSLen     = proto.Uint32("tls.len", "EAP-TLS Length", "Length of the whole message in bytes.")
	fPieces     = proto.Node("tls.fragments", "EAP-TLS Fragments", "The frames that the message came in.")
	fPiece      = proto.FrameRef("tls.fragment", "EAP-TLS Fragment", "A frame that a part of the message came in.")
	fCount      = proto.Uint32("tls.fragment.count", "Fragment Count", "How many parts the message has.")
	fWhole      = proto.Uint32("tls.reassembled.len", "Reassembled EAP-TLS Length", "Length of the message put together.")
	fFastType   = proto.Uint16("fast.type", "EAP-FAST Type", "Sort of the data.")
	fFastLen    = proto.Uint16("fast.length", "EAP-FAST Length", "Length of the data.")
	fFastID     = proto.Bytes("fast.authority_id_data", "Authority ID Data", "Which server it is.")
	fLeapVer    = proto.Uint8("leap.version", "EAP-LEAP Version", "Version of LEAP.")
	fLeapRes    = proto.Uint8("leap.reserved", "EAP-LEAP Reserved", "Not used.").Hex()
	fLeapCount  = proto.Uint8("leap.count", "EAP-LEAP Count", "Length of the value in bytes.")
	fLeapData   = proto.Bytes("leap.data", "EAP-LEAP Data", "The challenge or the response.")
	fLeapChal   = proto.Bytes("leap.peer_challenge", "EAP-LEAP Peer-Challenge", "The access point's challenge.")
	fLeapResp   = proto.Bytes("leap.peer_response", "EAP-LEAP Peer-Response", "The station's response.")
	fLeapName   = proto.String("leap.name", "EAP-LEAP Name", "Name of the sender.")
	fChapOp     = proto.Uint8("ms_chap_v2.opcode", "EAP-MS-CHAP-v2 OpCode", "What the message is.").
			Named(dissect.Values{1: "Challenge", 2: "Response", 3: "Success", 4: "Failure", 7: "Change-Password"})
	fChapID   = proto.Uint8("ms_chap_v2.id", "EAP-MS-CHAP-v2 Id", "Joins a response with its challenge.")
	fChapLen  = proto.Uint16("ms_chap_v2.length", "EAP-MS-CHAP-v2 Length", "Length of the message in bytes.")
	fChapSize = proto.Uint8("ms_chap_v2.value_size", "EAP-MS-CHAP-v2 Value-Size", "Length of the value in bytes.")
	fChapChal = proto.Bytes("ms_chap_v2.challenge", "EAP-MS-CHAP-v2 Challenge", "The server's challenge.")
	fChapName = proto.String("ms_chap_v2.name", "EAP-MS-CHAP-v2 Name", "Name of the sender.")
	fChapPeer = proto.Bytes("ms_chap_v2.peer_challenge", "EAP-MS-CHAP-v2 Peer-Challenge", "The peer's challenge.")
	fChapRes  = proto.Bytes("ms_chap_v2.reserved", "EAP-MS-CHAP-v2 Reserved", "Zero.")
	fChapNT   = proto.Bytes("ms_chap_v2.nt_response", "EAP-MS-CHAP-v2 NT-Response",
		"Proof that the peer knows the password.")
	fChapFlags = proto.Uint8("ms_chap_v2.flags", "EAP-MS-CHAP-v2 Flags", "Zero.").Hex()
	fChapResp  = proto.Bytes("ms_chap_v2.response", "EAP-MS-CHAP-v2 Response (Unknown Length)",
		"A response of another length.")
	fChapText = proto.String("ms_chap_v2.message", "EAP-MS-CHAP-v2 Message", "Proof of the server, or a text.")
	fChapFail = proto.String("ms_chap_v2.failure_request", "EAP-MS-CHAP-v2 Failure-Request", "What went wrong.")
	fChapData = proto.Bytes("ms_chap_v2.data", "EAP-MS-CHAP-v2 Data", "A message of another sort.")
	fSimType  = proto.Uint8("sim.subtype", "EAP-SIM Subtype", "What the message is.").
			Named(dissect.Values{10: "Start", 11: "Challenge", 12: "Notification", 13: "Re-authentication", 14: "Client-Error"})
	fSimRes   = proto.Uint16("sim.reserved", "EAP-SIM Reserved", "Zero.").Hex()
	fSimAttr  = proto.Node("sim.subtype.attribute", "EAP-SIM Attribute", "One attribute.")
	fSimAttrT = proto.Uint8("sim.subtype.type", "EAP-SIM Type", "Which attribute.").Named(simAttributes)
	fSimAttrL = proto.Uint8("sim.subtype.len", "EAP-SIM Length", "Length of the attribute in units of 4 bytes.")
	fSimValue = proto.Bytes("sim.subtype.value", "EAP-SIM Value", "The attribute's value.")
	fAkaType  = proto.Uint8("aka.subtype", "EAP-AKA Subtype", "What the message is.").
			Named(dissect.Values{1: "AKA-Challenge", 2: "AKA-Authentication-Reject", 4: "AKA-Synchronization-Failure",
			5: "AKA-Identity", 12: "Notification", 13: "Re-authentication", 14: "Client-Error"})
	fAkaRes    = proto.Uint16("aka.reserved", "EAP-AKA Reserved", "Zero.").Hex()
	fAkaAttr   = proto.Node("aka.subtype.attribute", "EAP-AKA Attribute", "One attribute.")
	fAkaAttrT  = proto.Uint8("aka.subtype.type", "EAP-AKA Type", "Which attribute.").Named(simAttributes)
	fAkaAttrL  = proto.Uint8("aka.subtype.len", "EAP-AKA Length", "Length of the attribute in units of 4 bytes.")
	fAkaValue  = proto.Bytes("aka.subtype.value", "EAP-AKA Value", "The attribute's value.")
	fExtVendor = proto.Uint16("ext.vendor_id", "EAP-EXT Vendor Id", "Whose method it is.").Hex().
			Named(dissect.Values{0x372a: "WFA"})
	fExtType = proto.Uint8("ext.vendor_type", "EAP-EXT Vendor Type", "Which of the vendor's methods.").Hex().
			Named(dissect.Values{0x1: "SimpleConfig"})
	fData = proto.Bytes("data", "EAP Data", "Data of the method.")

	nExposed = proto.Expert("mitm_attacks", dissect.Warn, "Vulnerable to MITM attacks. If possible, change EAP type.").
			About(dissect.AboutSecurity)
	nGuessed = proto.Expert("dictionary_attacks", dissect.Warn,
		"Vulnerable to dictionary attacks. If possible, change EAP type.").About(dissect.AboutSecurity)
	nSize    = proto.Expert("md5.value_size.overflow", dissect.Warn, "Overflow")
	nChapLen = proto.Expert("ms_chap_v2.length.invalid", dissect.Warn, "Invalid Length")
	nAgain   = proto.Expert("retransmission", dissect.Hint, "This packet is a retransmission").About(dissect.AboutSequence)
	nLength  = proto.Expert("bad_length", dissect.Warn, "Bad length (too small or too large)")
)
var typeNames = dissect.Values{
	1: "Identity", 2: "Notification", 3: "Legacy Nak (Response Only)", 4: "MD5-Challenge EAP (EAP-MD5-CHALLENGE)",
	5: "One-Time Password EAP (EAP-OTP)",
	6: "Generic Token Card EAP (EAP-GTC)", 7: "Allocated", 8: "Allocated",
	9: "RSA Public Key Authentication EAP (EAP-RSA-PKA)", 10: "DSS Unilateral EAP (EAP-DSS)",
	11: "KEA EAP (EAP-KEA)", 12: "KEA Validate EAP (EAP-KEA-VALIDATE)", 13: "TLS EAP (EAP-TLS)",
	14: "Defender Token EAP (EAP-AXENT)",
	15: "RSA Security SecurID EAP (EAP-RSA-SECURID)", 16: "Arcot Systems EAP (EAP-ARCOT-SYSTEMS)",
	17: "Cisco Wireless EAP / Lightweight EAP (EAP-LEAP)",
	18: "GSM Subscriber Identity Modules EAP (EAP-SIM)", 19: "Secure Remote Password SHA1 Part 1 EAP (EAP-SRP-SHA1-PART1)",
	20: "Secure Remote Password SHA1 Part 2 EAP (EAP-SRP-SHA1-PART2)", 21: "Tunneled TLS EAP (EAP-TTLS)",
	22: "Remote Access Service EAP (EAP-RAS)",
	23: "UMTS Authentication and Key Agreement EAP (EAP-AKA)", 24: "3Com Wireless EAP (EAP-3COM-WIRELESS)",
	25: "Protected EAP (EAP-PEAP)",
	26: "MS-Authentication EAP (EAP-MS-AUTH)", 27: "Mutual Authentication w/Key Exchange EAP (EAP-MAKE)",
	28: "CRYPTOCard EAP (EAP-CRYPTOCARD)",
	29: "MS-CHAP-v2 EAP (EAP-MS-CHAP-V2)", 30: "DynamID EAP (EAP-DYNAMID)", 31: "Rob EAP (EAP-ROB)",
	32: "Protected One-Time Password EAP (EAP-POTP)",
	33: "MS-Authentication TLV EAP (EAP-MS-AUTH-TLV)", 34: "SentriNET (EAP-SENTRINET)",
	35: "Actiontec Wireless EAP (EAP-ACTIONTEC-WIRELESS)",
	36: "Cogent Systems Biometrics Authentication EAP (EAP-COGENT-BIOMETRIC)", 37: "AirFortress EAP (EAP-AIRFORTRESS)",
	38: "HTTP Digest EAP (EAP-HTTP-DIGEST)",
	39: "SecureSuite EAP (EAP-SECURESUITE)", 40: "DeviceConnect EAP (EAP-DEVICECONNECT)",
	41: "Simple Password Exponential Key Exchange EAP (EAP-SPEKE)",
	42: "MOBAC EAP (EAP-MOBAC)", 43: "Flexible Authentication via Secure Tunneling EAP (EAP-FAST)",
	44: "ZoneLabs EAP (EAP-ZLXEAP)", 45: "Link EAP (EAP-LINK)",
	46: "Password Authenticated eXchange EAP (EAP-PAX)", 47: "Pre-Shared Key EAP (EAP-PSK)",
	48: "Shared-secret Authentication and Key Establishment EAP (EAP-SAKE)",
	49: "Internet Key Exchange v2 EAP (EAP-IKEv2)", 50: "UMTS Authentication and Key Agreement' EAP (EAP-AKA')",
	51: "Generalized Pre-Shared Key EAP (EAP-GPSK)",
	52: "Password EAP (EAP-pwd)", 53: "Encrypted Key Exchange v1 EAP (EAP-EKEv1)", 55: "Tunneled EAP protocol",
	254: "Expanded Type", 255: "Experimental",
}

var simAttributes = dissect.Values{
	1: "AT_RAND", 2: "AT_AUTN", 3: "AT_RES", 4: "AT_AUTS", 6: "AT_PADDING", 7: "AT_NONCE_MT", 10: "AT_PERMANENT_ID_REQ",
	11: "AT_MAC", 12: "AT_NOTIFICATION",
	13: "AT_ANY_ID_REQ", 14: "AT_IDENTITY", 15: "AT_VERSION_LIST", 16: "AT_SELECTED_VERSION", 17: "AT_FULLAUTH_ID_REQ",
	19: "AT_COUNTER", 20: "AT_COUNTER_TOO_SMALL",
	21: "AT_NONCE_S", 22: "AT_CLIENT_ERROR_CODE", 23: "AT_KDF_INPUT", 24: "AT_KDF", 128: "Unassigned", 129: "AT_IV",
	130: "AT_ENCR_DATA", 131: "Unassigned",
	132: "AT_NEXT_PSEUDONYM", 133: "AT_NEXT_REAUTH_ID", 134: "AT_CHECKCODE", 135: "AT_RESULT_IND", 136: "AT_BIDDING",
	137: "AT_IPMS_IND", 138: "AT_IPMS_RES",
	139: "AT_TRUST_IND", 140: "AT_SHORT_NAME_FOR_NETWORK", 141: "AT_FULL_NAME_FOR_NETWORK", 142: "AT_RQSI_IND",
	143: "AT_RQSI_RES", 144: "AT_TWAN_CONN_MODE",
	145: "AT_VIRTUAL_NETWORK_ID", 146: "AT_VIRTUAL_NETWORK_REQ", 147: "AT_CONNECTIVITY_TYPE",
	148: "AT_HANDOVER_INDICATION", 149: "AT_HANDOVER_SESSION_ID",
	150: "AT_MN_SERIAL_ID", 151: "AT_DEVICE_IDENTITY",
}
