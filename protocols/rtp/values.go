package rtp

import (
	"fmt"

	"remora/dissect"
)

// versions are those of RTP and RTCP.
var versions = dissect.Values{2: "RFC 1889 Version", 0: "Old VAT Version", 1: "First Draft Version"}

// formats are the payload types that RFC 3551 gives to formats, and the free ones.
var formats = func() dissect.Values {
	all := dissect.Values{
		0: "ITU-T G.711 PCMU", 1: "USA Federal Standard FS-1016", 2: "ITU-T G.721", 3: "GSM 06.10", 4: "ITU-T G.723",
		5: "DVI4 8000 samples/s",
		6: "DVI4 16000 samples/s", 7: "Experimental linear predictive encoding from Xerox PARC", 8: "ITU-T G.711 PCMA",
		9:  "ITU-T G.722",
		10: "16-bit uncompressed audio, stereo", 11: "16-bit uncompressed audio, monaural",
		12: "Qualcomm Code Excited Linear Predictive coding",
		13: "Comfort noise", 14: "MPEG-I/II Audio", 15: "ITU-T G.728", 16: "DVI4 11025 samples/s", 17: "DVI4 22050 samples/s",
		18: "ITU-T G.729",
		19: "Comfort noise (old)", 25: "Sun CellB video encoding", 26: "JPEG-compressed video", 28: "'nv' program",
		31: "ITU-T H.261",
		32: "MPEG-I/II Video", 33: "MPEG-II transport streams", 34: "ITU-T H.263",
	}
	for n := uint64(0); n < 72; n++ {
		if all[n] == "" {
			all[n] = "Unassigned"
		}
	}
	for n := uint64(96); n < 128; n++ {
		all[n] = fmt.Sprintf("DynamicRTP-Type-%d", n)
	}
	return all
}()

// rates are the clocks of the formats of RFC 3551 in Hz; those that are not listed run at 8000.
var rates = map[uint64]uint32{6: 16000, 10: 44100, 11: 44100, 14: 90000, 16: 11025, 17: 22050, 25: 90000, 26: 90000,
	28: 90000, 31: 90000, 32: 90000, 33: 90000, 34: 90000}

// events are the named events of RFC 4733.
var events = dissect.Values{
	0: "DTMF Zero 0", 1: "DTMF One 1", 2: "DTMF Two 2", 3: "DTMF Three 3", 4: "DTMF Four 4", 5: "DTMF Five 5",
	6: "DTMF Six 6",
	7: "DTMF Seven 7", 8: "DTMF Eight 8", 9: "DTMF Nine 9", 10: "DTMF Star *", 11: "DTMF Pound #", 12: "DTMF A",
	13: "DTMF B", 14: "DTMF C",
	15: "DTMF D", 16: "Flash", 23: "CRdSeg: second segment of V.8 bis CRd signal",
	24: "CReSeg : second segment of V.8 bis CRe signal",
	25: "MRdSeg : second segment of V.8 bis MRd signal", 26: "MReSeg : second segment of V.8 bis MRe signal",
	27: "V32AC : A pattern of bits modulated at 4800 bits / s, emitted by a V.32 / V.32bis answering terminal upon " +
		"detection of the AA pattern.",
	28: "V8bISeg : first segment of initiating V.8 bis signal", 29: "V8bRSeg : first segment of responding V.8 bis signal",
	30: "V21L300 : 300 bits / s low channel V.21 indication", 31: "V21H300 : 300 bits / s high channel V.21 indication",
	32: "Fax ANS",
	33: "Fax /ANS", 34: "Fax ANSam", 35: "Fax /ANSam", 36: "Fax CNG", 37: "V.21 channel 1, 0 bit",
	38: "V.21 channel 1, 1 bit",
	39: "V.21 channel 2, 0 bit", 40: "V.21 channel 2, 1 bit", 41: "Fax CRdi", 42: "Fax CRdr", 43: "Fax CRe", 44: "Fax ESi",
	45: "Fax ESr",
	46: "Fax MRdi", 47: "Fax MRdr", 48: "Fax MRe", 49: "Fax CT", 52: "ANS2225: 2225 Hz indication for text telephony",
	53: "CI(V.8 Call Indicator signal preamble)", 54: "V.21 preamble flag(T.30)",
	55: "V21L110 : 110 bits / s V.21 indication for text telephony",
	56: "B103L300 : Bell 103 low channel indication for text telephony",
	57: "V23Main : V.23 main channel indication for text telephony",
	58: "V23Back : V.23 back channel indication for text telephony",
	59: "Baud4545 : 45.45 bits / s Baudot indication for text telephony",
	60: "Baud50 : 50 bits / s Baudot indication for text telephony",
	61: "VBDGen : Tone patterns indicative of use of an unidentified modem type",
	62: "XCIMark : A pattern of bits modulated in the V.23 main channel, emitted by a V.18 calling terminal",
	63: "V32AA : A pattern of bits modulated at 4800 bits / s, emitted by a V.32 / V.23bis calling terminal",
	64: "Off Hook", 65: "On Hook",
	66: "Dial tone", 67: "PABX internal dial tone", 68: "Special dial tone", 69: "Second dial tone", 70: "Ringing tone",
	71: "Special ringing tone", 72: "Busy tone", 73: "Congestion tone", 74: "Special information tone", 75: "Comfort tone",
	76: "Hold tone",
	77: "Record tone", 78: "Caller waiting tone", 79: "Call waiting tone", 80: "Pay tone", 81: "Positive indication tone",
	82: "Negative indication tone", 83: "Warning tone", 84: "Intrusion tone", 85: "Calling card service tone",
	86: "Payphone recognition tone", 87: "CPE alerting signal (CAS)", 88: "Off-hook warning tone", 89: "Ring",
	96: "Acceptance tone",
	97: "Confirmation tone", 98: "Dial tone, recall", 99: "End of three party service tone", 100: "Facilities tone",
	101: "Line lockout tone",
	102: "Number unobtainable tone", 103: "Offering tone", 104: "Permanent signal tone", 105: "Preemption tone",
	106: "Queue tone",
	107: "Refusal tone", 108: "Route tone", 109: "Valid tone", 110: "Waiting tone", 111: "Warning tone (end of period)",
	112: "Warning Tone (PIP tone)", 115: "North American SIT Segment 1 Low", 116: "North American SIT Segment 1 High",
	117: "North American SIT Segment 2 Low", 118: "North American SIT Segment 2 High", 119: "North American SIT Segment 3",
	120: "North American Coin Deposit", 121: "Continuity check - tone", 122: "Continuity verify - tone",
	123: "MF Code 11 (SS No. 5) or KP3P / ST3P(R1) or North American Ringback",
	124: "MF KP(SS No. 5) or KP1(R1) or North American Coin Return", 125: "MF KP2(SS No. 5) or KP2P / ST2P(R1)",
	126: "MF ST(SS No. 5 and R1) or North American Coin Collect / Operator Released",
	127: "MF Code 12 (SS No. 5) or KP'/STP (R1)",
	128: "MF 0", 129: "MF 1", 130: "MF 2", 131: "MF 3", 132: "MF 4", 133: "MF 5", 134: "MF 6", 135: "MF 7", 136: "MF 8",
	137: "MF 9",
	138: "MF K0 or KP (start-of-pulsing)", 139: "MF K1", 140: "MF K2", 141: "MF S0 to ST (end-of-pulsing)", 142: "MF S1",
	143: "MF S3",
	144: "ABCD signalling state '0000'", 145: "ABCD signalling state '0001'", 146: "ABCD signalling state '0010'",
	147: "ABCD signalling state '0011'", 148: "ABCD signalling state '0100'", 149: "ABCD signalling state '0101'",
	150: "ABCD signalling state '0110'", 151: "ABCD signalling state '0111'", 152: "ABCD signalling state '1000'",
	153: "ABCD signalling state '1001'", 154: "ABCD signalling state '1010'", 155: "ABCD signalling state '1011'",
	156: "ABCD signalling state '1100'", 157: "ABCD signalling state '1101'", 158: "ABCD signalling state '1110'",
	159: "ABCD signalling state '1111'", 160: "Wink", 161: "Wink off", 162: "Incoming seizure", 163: "Seizure",
	164: "Unseize circuit",
	165: "Continuity test", 166: "Default continuity tone", 167: "Continuity tone (single tone)",
	168: "Continuity test send",
	170: "Continuity verified", 171: "Loopback", 172: "Old milliwatt tone (1000 Hz)", 173: "New milliwatt tone (1004 Hz)",
	174: "Metering pulse", 175: "Trunk unavailable", 176: "MFC forward signal 1", 177: "MFC forward signal 2",
	178: "MFC forward signal 3",
	179: "MFC forward signal 4", 180: "MFC forward signal 5", 181: "MFC forward signal 6", 182: "MFC forward signal 7",
	183: "MFC forward signal 8", 184: "MFC forward signal 9", 185: "MFC forward signal 10", 186: "MFC forward signal 11",
	187: "MFC forward signal 12", 188: "MFC forward signal 13", 189: "MFC forward signal 14", 190: "MFC forward signal 15",
	191: "MFC backward signal 1", 192: "MFC backward signal 2", 193: "Cisco NSE: Disable echo cancellation",
	194: "Cisco NSE: Shift to voice mode", 199: "Cisco NSE: Advertise Modem relay capability",
	200: "Cisco NSE: Shift to fax relay mode",
	201: "Positive acknowledgement of Cisco NSE", 202: "Negative acknowledgement of Cisco NSE",
	203: "Cisco NSE: Shift to modem relay mode",
}
