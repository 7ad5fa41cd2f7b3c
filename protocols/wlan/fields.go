package wlan

import (
	"cmp"
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("wlan", "802.11", "IEEE 802.11: wireless local networks.").
	Summary("IEEE 802.11 {fc.type_subtype:name}").Color(dissect.HueCyan).LittleEndian().SharesFields(mgt)

// mgt is the tree of what a management frame says. Its fields are those of proto.
var mgt = dissect.NewProtocol("wlan.mgt", "802.11 MGT", "What a management frame of IEEE 802.11 says.").
	Summary("IEEE 802.11 Wireless Management").Quiet()

// Management declares it.
func Management() dissect.Plugin {
	return dissect.Plugin{Protocol: mgt, Dissect: func(d *dissect.D) { d.Reject() },
		On: []dissect.Key{{Table: tableManagement}}}
}

// tableManagement is that of Decode As alone: nothing hands on by it.
const tableManagement dissect.Table = "wlan.mgt"

var (
	fKind    = proto.Kind("fc.type_subtype", "Type/Subtype", subtypes, "What the frame is.").Wide(2).Wordless()
	fFC      = proto.Uint16("fc", "Frame Control Field", "What the frame is, and how it travels.").Hex().BE()
	fVersion = proto.Uint8("fc.version", "Version", "Version of the protocol; 0.").Masked(0x03)
	fType    = proto.Uint8("fc.type", "Type", "Management, control or data.").Masked(0x0c).
			Named(dissect.Values{0: "Management frame", 1: "Control frame", 2: "Data frame", 3: "Extension frame",
			4: "PV1 Reserved", 5: "PV1 Reserved", 6: "PV1 Reserved", 7: "PV1 Extension (currently reserved)"})
	fSubtype = proto.Uint8("fc.subtype", "Subtype", "Which of the type.").Masked(0xf0).
			Named(dissect.Values{0: "Action", 1: "Action No Ack", 2: "PV1 Probe Response", 3: "Resource Allocation",
			4: "Reserved", 5: "Reserved", 6: "Reserved", 7: "Reserved"})
	fFlags = proto.Uint8("flags", "Flags", "How the frame travels.").Hex()
	fDS    = proto.Uint8("fc.ds", "DS status", "Between whom the frame travels.").Hex().Masked(0x03).
		Named(dissect.Values{0x0: "Not leaving DS or network is operating in AD-HOC mode (To DS: 0 From DS: 0)",
			0x1: "Frame from STA to DS via an AP (To DS: 1 From DS: 0)",
			0x2: "Frame from DS to a STA via AP(To DS: 0 From DS: 1)",
			0x3: "WDS (AP to AP) or Mesh (MP to MP) Frame (To DS: 1 From DS: 1)"})
	fToDS = proto.Bool("fc.tods", "To DS", "To the distribution system: to an access point.").Masked(0x01).
		TrueFalse("Frame is entering DS", "Frame is not entering DS").Hidden()
	fFromDS = proto.Bool("fc.fromds", "From DS", "From the distribution system: from an access point.").Masked(0x02).
		TrueFalse("Frame is exiting DS", "Frame is not exiting DS").Hidden()
	fMoreFrag = proto.Bool("fc.frag", "More Fragments", "More fragments follow.").Masked(0x04).
			TrueFalse("More fragments follow", "This is the last fragment")
	fRetry = proto.Bool("fc.retry", "Retry", "The frame is sent again.").Masked(0x08).
		TrueFalse("Frame is being retransmitted", "Frame is not being retransmitted")
	fPower = proto.Bool("fc.pwrmgt", "PWR MGT", "The sender goes to sleep.").Masked(0x10).
		TrueFalse("STA will go to sleep", "STA will stay up")
	fMoreData = proto.Bool("fc.moredata", "More Data", "More frames wait for the receiver.").Masked(0x20).
			TrueFalse("Data is buffered for STA at AP", "No data buffered")
	fProtected = proto.Bool("fc.protected", "Protected flag", "The body is encrypted.").Masked(0x40).
			TrueFalse("Data is protected", "Data is not protected")
	fOrder = proto.Bool("fc.order", "+HTC/Order flag", "Strict order, or an HT control field is there.").Masked(0x80).
		TrueFalse("Strictly ordered", "Not strictly ordered")
	fDuration = proto.Uint16("duration", "Duration", "How long the medium will be in use, in microseconds.").
			Masked(0x7fff).In("microseconds")
	fAID      = proto.Uint16("aid", "Association ID", "Number of the station at its access point.").Masked(0x3fff)
	fAddrRes  = named("addr", "Hardware address")
	fAddr     = proto.Ether("addr", "Hardware address", "An address of the frame.").Hidden()
	fRA       = proto.Ether("ra", "Receiver address", "The station that shall take the frame.").InColumn("%hd", nil)
	fTA       = proto.Ether("ta", "Transmitter address", "The station that sends the frame.").InColumn("%hs", nil)
	fDA       = proto.Ether("da", "Destination address", "Where the frame goes in the end.").InColumn("%hd", nil)
	fSA       = proto.Ether("sa", "Source address", "Where the frame came from at first.").InColumn("%hs", nil)
	fBSSID    = proto.Ether("bssid", "BSS Id", "The network that the frame belongs to.")
	fStation  = proto.Ether("staa", "STA address", "The station that is no access point.")
	fFrag     = proto.Uint16("frag", "Fragment number", "Number of the fragment.").Masked(0x0f)
	fSeq      = proto.Uint16("seq", "Sequence number", "Number of the frame.").Masked(0xfff0)
	fQoS      = proto.Uint16("qos", "Qos Control", "Priority and acknowledgement.").Hex()
	fTID      = proto.Uint16("qos.tid", "TID", "Which flow of traffic.").Masked(0x0f)
	fPriority = proto.Uint16("qos.priority", "Priority", "How urgent the frame is.").Masked(0x07).
			Named(dissect.Values{0: "Best Effort (Best Effort)", 1: "Background (Background)", 2: "Spare (Background)",
			3: "Excellent Effort (Best Effort)", 4: "Controlled Load (Video)", 5: "Video (Video)", 6: "Voice (Voice)",
			7: "Network Control (Voice)"})
	fAck = proto.Uint16("qos.ack", "Ack Policy", "How the frame is acknowledged.").Hex().Masked(0x60).
		Named(dissect.Values{0x0: "Normal Ack", 0x1: "No Ack", 0x2: "No explicit acknowledgment", 0x3: "Block Ack"})
	fEOSP    = qosFlag("eosp", "EOSP", "The access point sends no more in this period.", 0x10)
	fBit4    = qosFlag("bit4", "QoS bit 4", "The byte behind tells the length of the queue.", 0x10)
	fBuffers = proto.Uint16("qos.ps_buf_state", "QAP PS Buffer State", "What waits for the station.").Hex().
			Masked(0xff00)
	fBuffered   = qosFlag("buf_state_indicated", "Buffer State Indicated", "That is told.", 0x200)
	fBufferedAC = proto.Uint16("qos.highest_pri_buf_ac", "Highest-Priority Buffered AC", "The most urgent that waits.").
			Masked(0xc00)
	fLoad      = proto.Uint16("qos.qap_buf_load", "QAP Buffered Load", "How much waits, in 4096 bytes.").Masked(0xf000)
	fTXOPLimit = proto.Uint16("qos.txop_limit", "TXOP Limit", "How long the station may send.").Masked(0xff00)
	fTXOPAsked = proto.Uint16("qos.txop_dur_req", "TXOP Duration Requested", "How long the station wants to send.").
			Masked(0xff00)
	fQueue = proto.Uint16("qos.queue_size", "Queue Size", "How much waits at the station.").Masked(0xff00)
	fAMSDU = proto.Bool("qos.amsdupresent", "Payload Type", "Whether the body is several frames.").Wide(2).
		Masked(0x80).TrueFalse("A-MSDU", "MSDU")
	fHTC       = proto.Uint32("htc", "HT Control (+HTC)", "Control of 802.11n and later.").Hex()
	fFCS       = proto.Uint32("fcs", "Frame check sequence", "Checksum over the frame (CRC-32).").Hex()
	fFCSStatus = proto.Uint8("fcs.status", "FCS Status", "What the check of the checksum says.").
			Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified", 3: "Not present", 4: "Illegal"}).Derived()
	fBACtl    = proto.Uint16("ba.control", "Block Ack Control", "Sort of the block acknowledgement.").Hex()
	fBAPolicy = proto.Bool("ba.control.ackpolicy", "BA Ack Policy", "Whether it is acknowledged itself.").Wide(2).
			Masked(0x01).TrueFalse("Sender Does Not Require Immediate Acknowledgement", "Immediate Acknowledgement Required")
	fBAType = proto.Uint16("ba.control.ba_type", "BA Type", "Sort of the block acknowledgement.").Hex().Masked(0x1e).
		Named(dissect.Values{0x0: "Basic BlockAck", 0x1: "Extended Compressed BlockAck", 0x2: "Compressed BlockAck",
			0x3: "Multi-TID BlockAck", 0x6: "GCR BlockAck", 0xa: "GLK-GCR BlockAck", 0xb: "Multi-STA BlockAck"})
	fBATID = proto.Uint16("ba.basic.tidinfo", "TID for which a Basic BlockAck frame is requested",
		"Which flow of traffic.").Hex().Masked(0xf000)
	fSSC     = proto.Uint16("fixed.ssc", "Block Ack Starting Sequence Control (SSC)", "Where the block starts.").Hex()
	fSSCFrag = proto.Uint16("fixed.ssc.fragment", "Fragment", "Number of the fragment.").Masked(0x0f)
	fSSCSeq  = proto.Uint16("fixed.ssc.sequence", "Starting Sequence Number", "Number of the first frame.").
			Masked(0xfff0)
	fBitmap    = proto.Bytes("ba.bm", "Block Ack Bitmap", "Which frames of the block have come.")
	fWEPIV     = proto.Uint24("wep.iv", "Initialization Vector", "Where the encryption starts.").Hex().BE()
	fWEPKey    = proto.Uint8("wep.key", "Key Index", "Which key was used.")
	fTKIP      = proto.String("tkip.extiv", "TKIP Ext. Initialization Vector", "Number of the packet.")
	fCCMP      = proto.String("ccmp.extiv", "CCMP Ext. Initialization Vector", "Number of the packet.")
	fFixed     = proto.Node("fixed.all", "Fixed parameters", "What every such frame has.")
	fTagged    = proto.Node("tagged.all", "Tagged parameters", "Elements that may be there.")
	fTimestamp = proto.Uint64("fixed.timestamp", "Timestamp", "The sender's clock in microseconds.")
	fBeacon    = proto.Uint32("fixed.beacon", "Beacon Interval", "Time between beacons in units of 1024 microseconds.").
			Wide(2).Format(beaconTime)
	fCaps    = proto.Uint16("fixed.capabilities", "Capabilities Information", "What the sender can do.").Hex()
	fListen  = proto.Uint16("fixed.listen_ival", "Listen Interval", "How often the station wakes up, in beacons.").Hex()
	fStatus  = proto.Uint16("fixed.status_code", "Status code", "What became of the request.").Hex().Named(statuses)
	fReason  = proto.Uint16("fixed.reason_code", "Reason code", "Why the station goes.").Hex().Named(reasons)
	fAssocID = proto.Uint16("fixed.aid", "Association ID", "Number of the station at its access point.").Hex().
			Masked(0x3fff)
	fAuthAlg = proto.Uint16("fixed.auth.alg", "Authentication Algorithm", "How the station proves itself.").
			Named(dissect.Values{0: "Open System", 1: "Shared key", 2: "Fast BSS Transition",
			3: "Simultaneous Authentication of Equals (SAE)", 4: "FILS Shared Key authentication without PFS",
			5: "FILS Shared Key authentication with PFS", 6: "FILS Public Key authentication",
			7: "Pre-Association Security Negotiation (PASN)", 128: "Network EAP"})
	fAuthSeq    = proto.Uint16("fixed.auth_seq", "Authentication SEQ", "Which step of the proof.").Hex()
	fCurrentAP  = proto.Ether("fixed.current_ap", "Current AP", "The access point that the station is with.")
	fCategory   = proto.Uint8("fixed.category_code", "Category code", "Sort of the action.").Named(categories)
	fAction     = proto.Uint8("fixed.action_code", "Action code", "Which of the sort.")
	fTag        = proto.Node("tag", "Tag", "One element.")
	fTagNum     = proto.Uint8("tag.number", "Tag Number", "Which element.").Named(tagNames)
	fTagLen     = proto.Uint8("tag.length", "Tag length", "Length of the element in bytes.")
	fTagData    = proto.Bytes("tag.data", "Tag Data", "An element of another sort.")
	fOUI        = proto.Uint24("tag.oui", "OUI", "Whose element it is.").BE().Format(ouiText)
	fVendor     = proto.Uint8("tag.vendor.oui.type", "Vendor Specific OUI Type", "Which of the vendor's.")
	fVendorData = proto.Bytes("tag.vendor.data", "Vendor Specific Data", "The vendor's data.")
	fSSID       = proto.Bytes("ssid", "SSID", "Name of the network.")
	fRates      = proto.Uint8("supported_rates", "Supported Rates", "A rate that the sender can take.").Hex().
			Named(rateNames)
	fRatesExt = proto.Uint8("extended_supported_rates", "Extended Supported Rates", "A rate that the sender can take.").
			Hex().Named(rateNames)
	fChannel   = proto.Uint8("ds.current_channel", "Current Channel", "Number of the channel.")
	fDTIMCount = proto.Uint8("tim.dtim_count", "DTIM count", "Beacons until frames for groups are sent.")
	fDTIM      = proto.Uint8("tim.dtim_period", "DTIM period", "How often they are.")
	fBmapCtl   = proto.Uint8("tim.bmapctl", "Bitmap control",
		"Whether frames for groups wait, and where the bitmap starts.").Hex()
	fBmapMulti = proto.Bool("tim.bmapctl.multicast", "Multicast", "Frames for groups wait.").Masked(0x01).
			TrueFalse("True", "False")
	fBmapOff    = proto.Uint8("tim.bmapctl.offset", "Bitmap Offset", "Where the bitmap starts.").Hex().Masked(0xfe)
	fBmap       = proto.Bytes("tim.partial_virtual_bitmap", "Partial Virtual Bitmap", "For which stations frames wait.")
	fCountry    = proto.String("country_info.code", "Code", "The country whose rules hold.")
	fCountryEnv = proto.Uint8("country_info.environment", "Environment", "Inside or outside.").
			Named(dissect.Values{1: "Operating classes in the United States", 2: "Operating classes in Europe",
			3: "Operating classes in Japan", 4: "Global operating classes", 5: "S1G operating classes",
			6: "Operating classes in China", 32: "All", 73: "Indoor", 79: "Outdoor", 88: "Non Country Entity"})
	fFirstCh    = proto.Uint8("country_info.fnm.fcn", "First Channel Number", "First channel of a range.")
	fNumCh      = proto.Uint8("country_info.fnm.nc", "Number of Channels", "How many channels it has.")
	fMaxPower   = proto.Int8("country_info.fnm.mtpl", "Maximum Transmit Power Level", "Largest power.").In("dBm")
	fERP        = proto.Uint8("erp_info", "ERP Information", "Whether older stations are near.").Hex()
	fRSNVersion = proto.Uint16("rsn.version", "RSN Version", "Version of the element.")
	fGroup      = proto.Uint32("rsn.gcs", "Group Cipher Suite", "How frames for groups are encrypted.").BE().
			Format(suiteText(ciphers))
	fGroupOUI  = proto.Uint24("rsn.gcs.oui", "Group Cipher Suite OUI", "Who defined it.").BE().Format(ouiText)
	fGroupType = proto.Uint8("rsn.gcs.type", "Group Cipher Suite type", "Which cipher.").Named(ciphers)
	fPairN     = proto.Uint16("rsn.pcs.count", "Pairwise Cipher Suite Count",
		"How many ciphers there are for frames to one station.")
	fPair = proto.Uint32("rsn.pcs", "Pairwise Cipher Suite", "A cipher for frames to one station.").BE().
		Format(suiteText(ciphers))
	fPairs    = proto.Node("rsn.pcs.list", "Pairwise Cipher Suite List", "The ciphers for frames to one station.")
	fAKMs     = proto.Node("rsn.akms.list", "Auth Key Management (AKM) List", "The ways to agree on keys.")
	fPairOUI  = proto.Uint24("rsn.pcs.oui", "Pairwise Cipher Suite OUI", "Who defined it.").BE().Format(ouiText)
	fPairType = proto.Uint8("rsn.pcs.type", "Pairwise Cipher Suite type", "Which cipher.").Named(ciphers)
	fAKMN     = proto.Uint16("rsn.akms.count", "Auth Key Management (AKM) Suite Count",
		"How many ways there are to agree on keys.")
	fAKM = proto.Uint32("rsn.akms", "Auth Key Management (AKM) Suite", "A way to agree on keys.").BE().
		Format(suiteText(keyWays))
	fAKMOUI    = proto.Uint24("rsn.akms.oui", "Auth Key Management (AKM) OUI", "Who defined it.").BE().Format(ouiText)
	fAKMType   = proto.Uint8("rsn.akms.type", "Auth Key Management (AKM) type", "Which way.").Named(keyWays)
	fRSNCaps   = proto.Uint16("rsn.capabilities", "RSN Capabilities", "What the sender can do.").Hex()
	fPMKIDN    = proto.Uint16("rsn.pmkid.count", "PMKID Count", "How many keys are known from before.")
	fMgmtGroup = proto.Uint32("rsn.gmcs", "Group Management Cipher Suite",
		"How management frames for groups are protected.").BE().
		Format(suiteText(ciphers))
	fMgmtOUI  = proto.Uint24("rsn.gmcs.oui", "Group Management Cipher Suite OUI", "Who defined it.").BE().Format(ouiText)
	fMgmtType = proto.Uint8("rsn.gmcs.type", "Group Management Cipher Suite type", "Which cipher.").Named(ciphers)
	fHT       = proto.Uint16("ht.capabilities", "HT Capabilities Info", "What the sender can do of 802.11n.").Hex()
	fHTAmpdu  = proto.Uint8("ht.ampduparam", "A-MPDU Parameters", "Aggregates that it can take.").Hex()
	fVHT      = proto.Uint32("vht.capabilities", "VHT Capabilities Info", "What the sender can do of 802.11ac.").Hex()
	fPrimary  = proto.Uint8("ht.info.primarychannel", "Primary Channel", "The channel that beacons are on.")

	fPublic = proto.Uint8("fixed.action_code", "Action code", "Which of the public actions.").Named(actions)
	fSub    = proto.Group("aggregate.a_mdsu.subframe", "A-MSDU Subframe", "One of the frames in the body.")
	fSubLen = proto.Uint16("aggregate.a_mdsu.length", "A-MSDU Length", "Length of the subframe's body.").BE()
	fFill   = proto.Bytes("padding", "Padding",
		"Bytes that fill up the header or a subframe. Wireshark has no name for them.")
	fKeyID = proto.Bytes("rsn.pmkid.list", "PMKID List", "Keys that are known from before.")
	fMIC   = proto.Bytes("body", "Body", "What is not read here. Wireshark has no common name for it.")

	nTagLength = proto.Expert("tag.length.bad", dissect.Error, "Tag length is longer than remaining payload").
			About(dissect.AboutMalformed)
	nRetry = proto.Expert("fc.retry.expert", dissect.Hint, "Retransmission (retry)").About(dissect.AboutSequence)
	nFCS   = proto.Expert("fcs.bad_checksum", dissect.Error, "Bad checksum").About(dissect.AboutMalformed)
)

var subtypes = dissect.Values{
	0x0: "Association Request", 0x1: "Association Response", 0x2: "Reassociation Request", 0x3: "Reassociation Response",
	0x4: "Probe Request", 0x5: "Probe Response",
	0x6: "Measurement Pilot", 0x8: "Beacon frame", 0x9: "ATIM", 0xa: "Disassociate", 0xb: "Authentication",
	0xc: "Deauthentication", 0xd: "Action", 0xe: "Action No Ack",
	0xf: "Aruba Management", 0x12: "Trigger", 0x14: "Beamforming Report Poll", 0x15: "VHT/HE NDP Announcement",
	0x17: "Control Wrapper", 0x18: "802.11 Block Ack Req",
	0x19: "802.11 Block Ack", 0x1a: "Power-Save poll", 0x1b: "Request-to-send", 0x1c: "Clear-to-send",
	0x1d: "Acknowledgement", 0x1e: "CF-End (Control-frame)",
	0x1f: "CF-End + CF-Ack (Control-frame)", 0x20: "Data", 0x21: "Data + CF-Ack", 0x22: "Data + CF-Poll",
	0x23: "Data + CF-Ack + CF-Poll", 0x24: "Null function (No data)",
	0x25: "Acknowledgement (No data)", 0x26: "CF-Poll (No data)", 0x27: "CF-Ack/Poll (No data)", 0x28: "QoS Data",
	0x29: "QoS Data + CF-Acknowledgment",
	0x2a: "QoS Data + CF-Poll", 0x2b: "QoS Data + CF-Ack + CF-Poll", 0x2c: "QoS Null function (No data)",
	0x2e: "QoS CF-Poll (No Data)",
	0x2f: "QoS CF-Ack + CF-Poll (No data)", 0x30: "DMG Beacon", 0x31: "S1G Beacon", 0x162: "Poll",
	0x163: "Service Period Request", 0x164: "Grant",
	0x165: "DMG Clear-to-send", 0x166: "DMG Denial-to-send", 0x167: "Grant Acknowledgment", 0x168: "Sector Sweep",
	0x169: "Sector Sweep Feedback",
	0x16a: "Sector Sweep Acknowledgment",
}

var tagNames = dissect.Values{
	0: "SSID parameter set", 1: "Supported Rates", 2: "FH Parameter set", 3: "DS Parameter set", 4: "CF Parameter set",
	5: "Traffic Indication Map (TIM)",
	6: "IBSS Parameter set", 7: "Country Information", 8: "Hopping Pattern Parameters", 9: "Hopping Pattern Table",
	10: "Request", 11: "QBSS Load Element",
	12: "EDCA Parameter Set", 13: "Traffic Specification", 14: "Traffic Classification", 15: "Schedule",
	16: "Challenge text", 32: "Power Constraint",
	33: "Power Capability", 34: "TPC Request", 35: "TPC Report", 36: "Supported Channels",
	37: "Channel Switch Announcement", 38: "Measurement Request",
	39: "Measurement Report", 40: "Quiet", 41: "IBSS DFS", 42: "ERP Information", 43: "TS Delay", 44: "TCLAS Processing",
	45: "HT Capabilities (802.11n D1.10)",
	46: "QoS Capability", 47: "ERP Information", 48: "RSN Information", 50: "Extended Supported Rates",
	51: "AP Channel Report", 52: "Neighbor Report", 53: "RCPI",
	54: "Mobility Domain", 55: "Fast BSS Transition", 56: "Timeout Interval", 57: "RIC Data",
	58: "DSE Registered Location", 59: "Supported Operating Classes",
	60: "Extended Channel Switch Announcement", 61: "HT Information (802.11n D1.10)",
	62: "Secondary Channel Offset (802.11n D1.10)", 63: "BSS Average Access Delay",
	64: "Antenna", 65: "RSNI", 66: "Measurement Pilot Transmission", 67: "BSS Available Admission Capacity",
	68: "BSS AC Access Delay/WAPI Parameter Set",
	69: "Time Advertisement", 70: "RM Enabled Capabilities", 71: "Multiple BSSID", 72: "20/40 BSS Coexistence",
	73: "20/40 BSS Intolerant Channel Report",
	74: "Overlapping BSS Scan Parameters", 75: "RIC Descriptor", 76: "Management MIC", 78: "Event Request",
	79: "Event Report", 80: "Diagnostic Request",
	81: "Diagnostic Report", 82: "Location Parameters", 83: "Non Transmitted BSSID Capability", 84: "SSID List",
	85: "Multiple BSSID Index", 86: "FMS Descriptor",
	87: "FMS Request", 88: "FMS Response", 89: "QoS Traffic Capability", 90: "BSS Max Idle Period", 91: "TFS Request",
	92: "TFS Response", 93: "WNM-Sleep Mode",
	94: "TIM Broadcast Request", 95: "TIM Broadcast Response", 96: "Collocated Interference Report", 97: "Channel Usage",
	98: "Time Zone", 99: "DMS Request",
	100: "DMS Response", 101: "Link Identifier", 102: "Wakeup Schedule", 104: "Channel Switch Timing", 105: "PTI Control",
	106: "PU Buffer Status", 107: "Interworking",
	108: "Advertisement Protocol", 109: "Expedited Bandwidth Request", 110: "QoS Map Set", 111: "Roaming Consortium",
	112: "Emergency Alert Identifier",
	113: "Mesh Configuration", 114: "Mesh ID", 115: "Mesh Link Metric Report", 116: "Congestion Notification",
	117: "Mesh Peering Management",
	118: "Mesh Channel Switch Parameters", 119: "Mesh Awake Window", 120: "Beacon Timing", 121: "MCCAOP Setup Request",
	122: "MCCAOP SETUP Reply",
	123: "MCCAOP Advertisement", 124: "MCCAOP Teardown", 125: "Gate Announcement", 126: "Root Announcement",
	127: "Extended Capabilities", 128: "Agere Proprietary",
	130: "Path Request", 131: "Path Reply", 132: "Path Error", 133: "Cisco CCX1 CKIP + Device Name", 136: "Cisco CCX2",
	137: "Proxy Update",
	138: "Proxy Update Confirmation", 139: "Authenticated Mesh Peering Exchange", 140: "MIC (Message Integrity Code)",
	141: "Destination URI", 142: "U-APSD Coexistence",
	143: "Wakeup Schedule 802.11ad", 144: "Extended Schedule", 145: "STA Availability", 146: "DMG TSPEC",
	147: "Next DMG ATI", 148: "DMG Capabilities",
	149: "Cisco Unknown 95", 150: "Vendor Specific", 151: "DMG Operating", 152: "DMG BSS Parameter Change",
	153: "DMG Beam Refinement", 154: "Channel Measurement Feedback",
	157: "Awake Window", 158: "Multi Band", 159: "ADDBA Extension", 160: "NEXTPCP List", 161: "PCP Handover",
	162: "DMG Link Margin", 163: "Switching Stream",
	164: "Session Transmission", 165: "Dynamic Tone Pairing Report", 166: "Cluster Report", 167: "Relay Capabilities",
	168: "Relay Transfer Parameter",
	169: "Beamlink Maintenance", 170: "Multiple MAC Sublayers", 171: "U-PID", 172: "DMG Link Adaption Acknowledgment",
	173: "Symbol Proprietary",
	174: "MCCAOP Advertisement Overview", 175: "Quiet Period Request", 177: "Quiet Period Response", 182: "ECAPC Policy",
	183: "Cluster Time Offset",
	184: "Intra-Access Category Priority", 185: "SCS Descriptor", 190: "Antenna Sector ID", 191: "VHT Capabilities",
	192: "VHT Operation", 193: "Extended BSS Load",
	194: "Wide Bandwidth Channel Switch", 195: "Tx Power Envelope", 196: "Channel Switch Wrapper",
	199: "Operating Mode Notification", 201: "Reduced Neighbor Report",
	206: "Fine Time Measurement Params", 207: "S1G Open-Loop Link Margin Index", 208: "RPS", 209: "Page Slice",
	210: "AID Request", 211: "AID Response",
	212: "Sector Operation", 213: "S1G Beacon Compatibility", 214: "Short Beacon Interval", 215: "Change Sequence",
	216: "Target Wake Time", 217: "S1G Capabilities",
	220: "Subchannel Selective Transmission", 221: "Vendor Specific", 222: "Authentication Control",
	223: "TSF Timer Accuracy", 224: "S1G Relay", 225: "Reachable Address",
	226: "S1G Relay Discovery", 228: "AID Announcement", 229: "PV1 Probe Response Option", 230: "EL Operation",
	231: "Sectorized Group ID List", 232: "S1G Operation",
	233: "Header Compression", 234: "SST Operation", 235: "MAD", 236: "S1G Relay Activation", 237: "CAG Number",
	239: "AP-CSN", 240: "FILS Indication",
	241: "Differential Initial Link Setup", 242: "Fragment", 244: "RSN eXtension", 255: "Element ID Extension",
}

var reasons = dissect.Values{
	0x1: "Unspecified reason", 0x2: "Previous authentication no longer valid",
	0x3: "Deauthenticated because sending STA is leaving (or has left) the BSS",
	0x4: "Disassociated due to inactivity",
	0x5: "Disassociated because AP is unable to handle all currently associated STAs",
	0x6: "Class 2 frame received from nonauthenticated STA", 0x7: "Class 3 frame received from nonassociated STA",
	0x8: "Disassociated because sending STA is leaving (or has left) BSS",
	0x9: "STA requesting (re)association is not authenticated with responding STA",
	0xa: "Disassociated because the information in the Power Capability element is unacceptable",
	0xb: "Disassociated because the information in the Supported Channels element is unacceptable",
	0xc: "Disassociated due to BSS transition management",
	0xd: "Invalid information element, i.e., an information element defined in this standard for which the content does " +
		"not meet the specifications in Clause 9",
	0xe: "Message integrity code (MIC) failure", 0xf: "4-way handshake timeout", 0x10: "Group key handshake timeout",
	0x11: "Element in 4-way handshake different from (Re)Association Request/Probe Response/Beacon frame",
	0x12: "Invalid group cipher", 0x13: "Invalid pairwise cipher",
	0x14: "Invalid AKMP", 0x15: "Unsupported RSNE version", 0x16: "Invalid RSNE capabilities",
	0x17: "IEEE 802.1X authentication failed",
	0x18: "Cipher suite rejected because of the security policy",
	0x19: "TDLS direct-link teardown due to TDLS peer STA unreachable via the TDLS direct link",
	0x1a: "TDLS direct-link teardown for unspecified reason",
	0x1b: "Disassociated because session terminated by SSP request",
	0x1c: "Disassociated because of lack of SSP roaming agreement",
	0x1d: "Requested service rejected because of SSP cipher suite or AKM requirement ",
	0x1e: "Requested service not authorized in this location",
	0x1f: "TS deleted because QoS AP lacks sufficient bandwidth for this QoS STA due to a change in BSS service " +
		"characteristics or operational mode",
	0x20: "Disassociated for unspecified, QoS-related reason",
	0x21: "Disassociated because QoS AP lacks sufficient bandwidth for this QoS STA",
	0x22: "Disassociated because excessive number of frames need to be acknowledged, but are not acknowledged due to AP " +
		"transmissions and/or poor channel conditions",
	0x23: "Disassociated because STA is transmitting outside the limits of its TXOPs",
	0x24: "Requested from peer STA as the STA is leaving the BSS (or resetting)",
	0x25: "Requesting STA is no longer using the stream or session",
	0x26: "Requesting STA received frames using a mechanism for which a setup has not been completed",
	0x27: "Requested from peer STA due to timeout", 0x2e: "Disassociated because authorized access limit reached",
	0x2f: "Disassociated due to external service requirements", 0x30: "Invalid FT Action frame count",
	0x31: "Invalid pairwise master key identifier (PMKID)",
	0x32: "Invalid MDE", 0x33: "Invalid FTE", 0x34: "Mesh peering canceled for unknown reasons",
	0x35: "The mesh STA has reached the supported maximum number of peer mesh STAs",
	0x36: "The received information violates the Mesh Configuration policy configured in the mesh STA profile",
	0x37: "The mesh STA has received a Mesh Peering Close message requesting to close the mesh peering",
	0x38: "The mesh STA has re-sent dot11MeshMaxRetries Mesh Peering Open messages, without receiving a Mesh Peering " +
		"Confirm message",
	0x39: "The confirmTimer for the mesh peering instance times out",
	0x3a: "The mesh STA fails to unwrap the GTK or the values in the wrapped contents do not match",
	0x3b: "The mesh STA receives inconsistent information about the mesh parameters between Mesh Peering Management " +
		"frames",
	0x3c: "The mesh STA fails the authenticated mesh peering exchange because due to failure in selecting either the " +
		"pairwise ciphersuite or group ciphersuite",
	0x3d: "The mesh STA does not have proxy information for this external destination",
	0x3e: "The mesh STA does not have forwarding information for this destination",
	0x3f: "The mesh STA determines that the link to the next hop of an active path in its forwarding information is no " +
		"longer usable",
	0x40: "The Deauthentication frame was sent because the MAC address of the STA already exists in the mesh BSS. See " +
		"11.3.3 (Additional mechanisms for an AP collocated with a mesh STA)",
	0x41: "The mesh STA performs channel switch to meet regulatory requirements",
	0x42: "The mesh STA performs channel switch with unspecified reason",
	0x43: "Transmission link establishment in alternative channel failed", 0x44: "The alternative channel is occupied",
	0x47: "Disassociated due to poor RSSI",
}

var statuses = dissect.Values{
	0x0: "Successful", 0x1: "Unspecified failure", 0x2: "TDLS wakeup schedule rejected but alternative schedule provided",
	0x3: "TDLS wakeup schedule rejected",
	0x4: "Reserved", 0x5: "Security disabled", 0x6: "Unacceptable lifetime", 0x7: "Not in same BSS", 0x8: "Reserved",
	0x9:  "Reserved",
	0xa:  "Cannot support all requested capabilities in the Capability Information field",
	0xb:  "Reassociation denied due to inability to confirm that association exists",
	0xc:  "Association denied due to reason outside the scope of this standard",
	0xd:  "Responding STA does not support the specified authentication algorithm",
	0xe:  "Received an Authentication frame with authentication transaction sequence number out of expected sequence",
	0xf:  "Authentication rejected because of challenge failure",
	0x10: "Authentication rejected due to timeout waiting for next frame in sequence",
	0x11: "Association denied because AP is unable to handle additional associated STAs",
	0x12: "Association denied due to requesting STA not supporting all of the data rates in the BSSBasicRateSet " +
		"parameter, the Basic HT-MCS Set field of the HT Operation parameter, or the Basic VHT-MCS and NSS Set field in " +
		"the VHT Operation parameter",
	0x13: "Association denied due to requesting STA not supporting the short preamble option", 0x14: "Reserved",
	0x15: "Reserved",
	0x16: "Association request rejected because spectrum management capability is required",
	0x17: "Association request rejected because the information in the Power Capability element is unacceptable",
	0x18: "Association request rejected because the information in the Supported Channels element is unacceptable",
	0x19: "Association denied due to requesting STA not supporting short slot time", 0x1a: "Reserved",
	0x1b: "Association denied because the requesting STA does not support HT features", 0x1c: "R0KH unreachable",
	0x1d: "Reserved",
	0x1e: "Association request rejected temporarily; try again later", 0x1f: "Robust management frame policy violation",
	0x20: "Unspecified, QoS-related failure",
	0x21: "Association denied because QoS AP or PCP has insufficient bandwidth to handle another QoS STA",
	0x22: "Association denied due to excessive frame loss rates and/ or poor conditions on current operating channel",
	0x23: "Association (with QoS BSS) denied because the requesting STA does not support the QoS facility",
	0x24: "Reserved", 0x25: "The request has been declined",
	0x26: "The request has not been successful as one or more parameters have invalid values",
	0x27: "The allocation or TS has not been created because the request cannot be honored; however, a suggested " +
		"TSPEC/DMG TSPEC is provided so that the initiating STA can attempt to set another allocation or TS with the " +
		"suggested changes to the TSPEC/DMG TSPEC",
	0x28: "Invalid element, i.e., an element defined in this standard for which the content does not meet the " +
		"specifications in Clause 9 (Frame formats)",
	0x29: "Invalid group cipher", 0x2a: "Invalid pairwise cipher", 0x2b: "Invalid AKMP", 0x2c: "Unsupported RSNE version",
	0x2d: "Invalid RSNE capabilities",
	0x2e: "Cipher suite rejected because of security policy",
	0x2f: "The TS or allocation has not been created; however, the HC or PCP might be capable of creating a TS or " +
		"allocation, in response to a request, after the time indicated in the TS Delay element",
	0x30: "Reserved", 0x31: "The Destination STA is not present within this BSS",
	0x32: "The Destination STA is not a QoS STA",
	0x33: "Association denied because the listen interval is too large", 0x34: "Invalid FT Action frame count",
	0x35: "Invalid pairwise master key identifier (PMKID)",
	0x36: "Invalid MDE", 0x37: "Invalid FTE", 0x38: "Requested TCLAS processing is not supported by the AP or PCP",
	0x39: "The AP or PCP has insufficient TCLAS processing resources to satisfy the request",
	0x3a: "The TS has not been created because the request cannot be honored; however, the HC or PCP suggests that the " +
		"STA transition to a different BSS to set up the TS",
	0x3b: "GAS advertisement protocol not supported", 0x3c: "No outstanding GAS request",
	0x3d: "GAS response not received from the advertisement server",
	0x3e: "STA timed out waiting for GAS query response", 0x3f: "GAS response is larger than query response length limit",
	0x40: "Request refused because home network does not support request",
	0x41: "Advertisement server in the network is not currently reachable", 0x42: "Reserved",
	0x43: "Request refused due to permissions received via SSPN interface",
	0x44: "Request refused because the AP or PCP does not support unauthenticated access",
	0x45: "Reserved", 0x46: "Reserved", 0x47: "Reserved",
	0x48: "Invalid contents of RSNE, other than unsupported RSNE version or invalid RSNE capabilities, AKMP or pairwise " +
		"cipher", 0x49: "U-APSD coexistence is not supported",
	0x4a: "Requested U-APSD coexistence mode is not supported",
	0x4b: "Requested interval/duration value cannot be supported with U-APSD coexistence",
	0x4c: "Authentication is rejected because an anti-clogging token is required",
	0x4d: "Authentication is rejected because the offered finite cyclic group is not supported",
	0x4e: "The TBTT adjustment request has not been successful because the STA could not find an alternative TBTT",
	0x4f: "Transmission failure",
	0x50: "Requested TCLAS not supported", 0x51: "TCLAS resources exhausted",
	0x52: "Rejected with suggested BSS transition", 0x53: "Reject with recommended schedule",
	0x54: "Reject because no wakeup schedule specified", 0x55: "Success, the destination STA is in power save mode",
	0x56: "FST pending, in process of admitting FST session", 0x57: "Performing FST now",
	0x58: "FST pending, gap(s) in block ack window",
	0x59: "Reject because of U-PID setting", 0x5a: "Reserved", 0x5b: "Reserved",
	0x5c: "(Re)Association refused for some external reason",
	0x5d: "(Re)Association refused because of memory limits at the AP",
	0x5e: "(Re)Association refused because emergency services are not supported at the AP",
	0x5f: "GAS query response not yet received",
	0x60: "Reject since the request is for transition to a frequency band subject to DSE procedures and FST Initiator " +
		"is a dependent STA",
	0x61: "Requested TCLAS processing has been terminated by the AP",
	0x62: "The TS schedule conflicts with an existing schedule; an alternative schedule is provided",
	0x63: "The association has been denied; however, one or more Multi-band elements are included that can be used by " +
		"the receiving STA to join the BSS",
	0x64: "The request failed due to a reservation conflict", 0x65: "The request failed due to exceeded MAF limit",
	0x66: "The request failed due to exceeded MCCA track limit",
	0x67: "Association denied because the information in the Spectrum Management field is unacceptable",
	0x68: "Association denied because the requesting STA does not support VHT features", 0x69: "Enablement denied",
	0x6a: "Enablement denied due to restriction from an authorized GDB", 0x6b: "Authorization deenabled",
	0x6c: "Re(association) refused or disassociated because energy limited operation is not supported at the AP",
	0x6d: "BlockAck negotiation refused because, due to buffer constraints and other unspecified reasons, the recipient " +
		"prefers to generate only NDP BlockAck frames",
	0x6e: "Association denied/disassociated because the suggested value for max away duration is unacceptable",
	0x6f: "Re(association) refused or disassociated because flow control operation is not supported by the non-AP STA",
	0x70: "Authentication rejected due to FILS authentication failure",
	0x71: "Authentication rejected due to unknown Authentication Server", 0x72: "Reserved",
	0x73: "Reserved", 0x74: "Request denied because the allocation of notification period is failed",
	0x75: "Request denied because the request of channel splitting is failed",
	0x76: "Request denied because the allocation request is failed",
	0x77: "Association denied because the requesting STA does not support CMMG features",
	0x78: "The requested GAS fragment is not available",
	0x79: "Success, the CAG Version provided by the requesting STA is the same as the latest CAG Version provided by " +
		"the relevant server",
	0x7a: "The STA is not authorized to use GLK per local policy",
	0x7b: "Authentication rejected because the password identifier is unknown",
	0x7c: "Requested TCLAS processing has been terminated by the AP due to insufficient QoS capacity",
	0x7d: "Requested TCLAS processing has been terminated by the AP due to conflict with higher layer QoS policies",
	0x7e: "SAE authentication uses direct hashing, instead of looping, to obtain the PWE", 0x7f: "Reserved",
}

var categories = dissect.Values{
	0: "Spectrum Management (SM)", 1: "Quality of Service (QoS)", 2: "Direct-Link Setup (DLS)", 3: "Block Ack",
	4: "Public Action", 5: "Radio Measurement",
	6: "Fast BSS Transition", 7: "High Throughput", 8: "SA Query", 9: "Protected Dual of Public Action", 10: "WNM",
	11: "Unprotected WNM", 12: "TDLS", 13: "MESH",
	14: "Multihop", 15: "Self-protected", 16: "DMG", 17: "Management Notification", 18: "Fast Session Transfer",
	19: "Robust AV Streaming", 20: "Unprotected DMG", 21: "VHT",
	22: "S1G", 23: "S1G Relay", 24: "Flow Control", 25: "Control Response MCS Negotiation", 26: "FILS", 30: "HE",
	31: "Protected HE", 34: "Protected FTM",
	126: "Vendor-specific Protected", 127: "Vendor Specific", 128: "Spectrum Management (SM) (error)",
	129: "Quality of Service (QoS (error))",
	130: "Direct-Link Setup (DLS) (error)", 131: "Block Ack (error)", 132: "Public Action (error)",
	133: "Radio Measurement (error)", 134: "Fast BSS Transition (error)",
	135: "High Throughput (error)", 136: "SA Query (error)", 137: "Protected Dual of Public Action (error)",
	138: "WNM (error)", 139: "Unprotected WNM (error)",
	140: "TDLS (error)", 141: "Mesh (error)", 142: "Multihop (error)", 143: "Self-protected (error)", 144: "DMG (error)",
	145: "Management Notification (error)",
	146: "Fast Session Transfer (error)", 147: "Robust AV Streaming (error)", 148: "Unprotected DMG (error)",
	149: "VHT (error)", 158: "HE (error)",
	159: "Protected HE (error)", 162: "Protected FTM (error)", 254: "Vendor-specific Protected (error)",
	255: "Vendor Specific (error)",
}

func qosFlag(name, label, doc string, mask uint64) *dissect.Field {
	return proto.Bool("qos."+name, label, doc).Wide(2).Masked(mask).TrueFalse("Set", "Not set")
}

var actions = dissect.Values{
	0: "TDLS Setup Request", 1: "TDLS Setup Response", 2: "TDLS Setup Confirm", 3: "TDLS Teardown",
	4: "TDLS Peer Traffic Indication", 5: "TDLS Channel Switch Request",
	6: "TDLS Channel Switch Response", 7: "TDLS Peer PSM Request", 8: "TDLS Peer PSM Response",
	9: "TDLS Peer Traffic Response", 10: "TDLS Discovery Request",
	11: "Collocated Interference Request", 12: "Collocated Interference Report", 13: "TFS Request", 14: "TFS Response",
	15: "TFS Notify", 16: "WNM-Sleep Mode Request",
	17: "WNM-Sleep Mode Response", 18: "TIM Broadcast Request", 19: "TIM Broadcast Response",
	20: "QoS Traffic Capability Update", 21: "Channel Usage Request",
	22: "Channel Usage Response", 23: "DMS Request", 24: "DMS Response", 25: "Timing Measurement Request",
	26: "WNM-Notification Request", 27: "WNM-Notification Response",
	128: "NDP ADDBA Request", 129: "NDP ADDBA Response", 130: "NDP DELBA", 132: "BAT ADDBA Request",
	133: "BAT ADDBA Request", 134: "BAT DELBA",
}

var rateNames = dissect.Values{
	0x2: "1", 0x3: "1.5", 0x4: "2", 0x5: "2.5", 0x6: "3", 0x9: "4.5", 0xb: "5.5", 0xc: "6", 0x12: "9", 0x16: "11",
	0x18: "12", 0x1b: "13.5", 0x24: "18", 0x2c: "22",
	0x30: "24", 0x36: "27", 0x42: "33", 0x48: "36", 0x60: "48", 0x6c: "54", 0x82: "1(B)", 0x83: "1.5(B)", 0x84: "2(B)",
	0x85: "2.5(B)", 0x86: "3(B)", 0x89: "4.5(B)",
	0x8b: "5.5(B)", 0x8c: "6(B)", 0x92: "9(B)", 0x96: "11(B)", 0x98: "12(B)", 0x9b: "13.5(B)", 0xa4: "18(B)",
	0xac: "22(B)", 0xb0: "24(B)", 0xb6: "27(B)", 0xc2: "33(B)",
	0xc8: "36(B)", 0xe0: "48(B)", 0xec: "54(B)", 0xfb: "SAE Hash to Element Only", 0xfc: "EPD", 0xfd: "GLK",
	0xfe: "VHT PHY", 0xff: "HT PHY",
}

var ciphers = dissect.Values{
	0: "NONE", 1: "WEP (40-bit)", 2: "TKIP", 3: "AES (OCB)", 4: "AES (CCM)", 5: "WEP (104-bit)", 6: "BIP (128)",
	7: "Group addressed traffic not allowed", 8: "GCMP (128)",
	9: "GCMP (256)", 10: "CCMP (256)", 11: "BIP (GMAC-128)", 12: "BIP (GMAC-256)", 13: "BIP (CMAC-256)",
}

var keyWays = dissect.Values{
	0: "NONE", 1: "WPA", 2: "PSK", 3: "FT over IEEE 802.1X", 4: "FT using PSK", 5: "WPA (SHA256)", 6: "PSK (SHA256)",
	7: "TDLS / TPK Handshake (SHA256)", 8: "SAE (SHA256)",
	9: "FT using SAE (SHA256)", 10: "APPeerKey (SHA256)", 11: "WPA (SHA256-SuiteB)", 12: "WPA (SHA384-SuiteB)",
	13: "FT over IEEE 802.1X (SHA384)",
	14: "FILS (SHA256 and AES-SIV-256)", 15: "FILS (SHA384 and AES-SIV-512)", 16: "FT over FILS (SHA256 and AES-SIV-256)",
	17: "FT over FILS (SHA384 and AES-SIV-512)",
	18: "Opportunistic Wireless Encryption", 19: "FT using PSK (SHA384)", 20: "PSK (SHA384)", 21: "PASN",
}

var capBits = []*dissect.Field{
	proto.Bool("fixed.capabilities.ess", "ESS capabilities", "What the sender can do: ESS capabilities.").Wide(2).
		Masked(0x01).TrueFalse("Transmitter is an AP", "Transmitter is a STA"),
	proto.Bool("fixed.capabilities.ibss", "IBSS status", "What the sender can do: IBSS status.").Wide(2).Masked(0x02).
		TrueFalse("Transmitter belongs to an IBSS", "Transmitter belongs to a BSS"),
	proto.Uint16("fixed.capabilities.reserved1", "Reserved", "What the sender can do: Reserved.").Masked(0x04),
	proto.Uint16("fixed.capabilities.reserved2", "Reserved", "What the sender can do: Reserved.").Masked(0x08),
	proto.Bool("fixed.capabilities.privacy", "Privacy", "What the sender can do: Privacy.").Wide(2).Masked(0x10).
		TrueFalse("Data confidentiality required", "Data confidentiality not required"),
	proto.Bool("fixed.capabilities.short_preamble", "Short Preamble", "What the sender can do: Short Preamble.").Wide(2).
		Masked(0x20).TrueFalse("Allowed", "Not Allowed"),
	proto.Uint16("fixed.capabilities.reserved3", "Reserved", "What the sender can do: Reserved.").Masked(0x40),
	proto.Uint16("fixed.capabilities.reserved4", "Reserved", "What the sender can do: Reserved.").Masked(0x80),
	proto.Bool("fixed.capabilities.spec_man", "Spectrum Management", "What the sender can do: Spectrum Management.").
		Wide(2).Masked(0x100).TrueFalse("Implemented", "Not Implemented"),
	proto.Bool("fixed.capabilities.qos", "QoS", "What the sender can do: QoS.").Wide(2).Masked(0x200).
		TrueFalse("Implemented", "Not Implemented"),
	proto.Bool("fixed.capabilities.short_slot_time", "Short Slot Time", "What the sender can do: Short Slot Time.").
		Wide(2).Masked(0x400).TrueFalse("In use", "Not in use"),
	proto.Bool("fixed.capabilities.apsd", "Automatic Power Save Delivery",
		"What the sender can do: Automatic Power Save Delivery.").Wide(2).Masked(0x800).
		TrueFalse("Implemented", "Not Implemented"),
	proto.Bool("fixed.capabilities.radio_measurement", "Radio Measurement", "What the sender can do: Radio Measurement.").
		Wide(2).Masked(0x1000).TrueFalse("Implemented", "Not Implemented"),
	proto.Bool("fixed.capabilities.epd", "EPD", "What the sender can do: EPD.").Wide(2).Masked(0x2000).
		TrueFalse("Implemented", "Not Implemented"),
	proto.Uint16("fixed.capabilities.reserved5", "Reserved", "What the sender can do: Reserved.").Masked(0x4000),
	proto.Uint16("fixed.capabilities.reserved6", "Reserved", "What the sender can do: Reserved.").Masked(0x8000),
}

var rsnBits = []*dissect.Field{
	proto.Bool("rsn.capabilities.preauth", "RSN Pre-Auth capabilities",
		"What the sender can do: RSN Pre-Auth capabilities.").Wide(2).Masked(0x01).
		TrueFalse("Transmitter supports pre-authentication", "Transmitter does not support pre-authentication"),
	proto.Bool("rsn.capabilities.no_pairwise", "RSN No Pairwise capabilities",
		"What the sender can do: RSN No Pairwise capabilities.").Wide(2).Masked(0x02).
		TrueFalse("Transmitter cannot support WEP default key 0 simultaneously with Pairwise key",
			"Transmitter can support WEP default key 0 simultaneously with Pairwise key"),
	proto.Uint16("rsn.capabilities.ptksa_replay_counter", "RSN PTKSA Replay Counter capabilities",
		"What the sender can do: RSN PTKSA Replay Counter capabilities.").Hex().Masked(0x0c).
		Named(dissect.Values{0x0: "1 replay counter per PTKSA/GTKSA/STAKeySA",
			0x1: "2 replay counters per PTKSA/GTKSA/STAKeySA", 0x2: "4 replay counters per PTKSA/GTKSA/STAKeySA",
			0x3: "16 replay counters per PTKSA/GTKSA/STAKeySA"}),
	proto.Uint16("rsn.capabilities.gtksa_replay_counter", "RSN GTKSA Replay Counter capabilities",
		"What the sender can do: RSN GTKSA Replay Counter capabilities.").Hex().Masked(0x30).
		Named(dissect.Values{0x0: "1 replay counter per PTKSA/GTKSA/STAKeySA",
			0x1: "2 replay counters per PTKSA/GTKSA/STAKeySA", 0x2: "4 replay counters per PTKSA/GTKSA/STAKeySA",
			0x3: "16 replay counters per PTKSA/GTKSA/STAKeySA"}),
	proto.Bool("rsn.capabilities.mfpr", "Management Frame Protection Required",
		"What the sender can do: Management Frame Protection Required.").Wide(2).Masked(0x40).TrueFalse("True", "False"),
	proto.Bool("rsn.capabilities.mfpc", "Management Frame Protection Capable",
		"What the sender can do: Management Frame Protection Capable.").Wide(2).Masked(0x80).TrueFalse("True", "False"),
	proto.Bool("rsn.capabilities.jmr", "Joint Multi-band RSNA", "What the sender can do: Joint Multi-band RSNA.").Wide(2).
		Masked(0x100).TrueFalse("True", "False"),
	proto.Bool("rsn.capabilities.peerkey", "PeerKey Enabled", "What the sender can do: PeerKey Enabled.").Wide(2).
		Masked(0x200).TrueFalse("True", "False"),
	proto.Bool("rsn.capabilities.extended_key_id_iaf", "Extended Key ID for Individually Addressed Frames",
		"What the sender can do: Extended Key ID for Individually Addressed Frames.").Wide(2).Masked(0x2000).
		TrueFalse("Supported", "Not supported"),
}

var htBits = []*dissect.Field{
	proto.Bool("ht.capabilities.ldpccoding", "HT LDPC coding capability",
		"What the sender can do: HT LDPC coding capability.").Wide(2).Masked(0x01).
		TrueFalse("Transmitter supports receiving LDPC coded packets",
			"Transmitter does not support receiving LDPC coded packets"),
	proto.Bool("ht.capabilities.width", "HT Support channel width", "What the sender can do: HT Support channel width.").
		Wide(2).Masked(0x02).
		TrueFalse("Transmitter supports 20MHz and 40MHz operation", "Transmitter only supports 20MHz operation"),
	proto.Uint16("ht.capabilities.sm", "HT SM Power Save", "What the sender can do: HT SM Power Save.").Hex().Masked(0x0c).
		Named(dissect.Values{0x0: "Static SM Power Save mode", 0x1: "Dynamic SM Power Save mode", 0x2: "Reserved",
			0x3: "SM Power Save disabled"}),
	proto.Bool("ht.capabilities.green", "HT Green Field", "What the sender can do: HT Green Field.").Wide(2).Masked(0x10).
		TrueFalse("Transmitter is able to receive PPDUs with Green Field (GF) preamble",
			"Transmitter is not able to receive PPDUs with Green Field (GF) preamble"),
	proto.Bool("ht.capabilities.short20", "HT Short GI for 20MHz", "What the sender can do: HT Short GI for 20MHz.").
		Wide(2).Masked(0x20).TrueFalse("Supported", "Not supported"),
	proto.Bool("ht.capabilities.short40", "HT Short GI for 40MHz", "What the sender can do: HT Short GI for 40MHz.").
		Wide(2).Masked(0x40).TrueFalse("Supported", "Not supported"),
	proto.Bool("ht.capabilities.txstbc", "HT Tx STBC", "What the sender can do: HT Tx STBC.").Wide(2).Masked(0x80).
		TrueFalse("Supported", "Not supported"),
	proto.Uint16("ht.capabilities.rxstbc", "HT Rx STBC", "What the sender can do: HT Rx STBC.").Hex().Masked(0x300).
		Named(dissect.Values{0x0: "No Rx STBC support", 0x1: "Rx support of one spatial stream",
			0x2: "Rx support of one and two spatial streams", 0x3: "Rx support of one, two, and three spatial streams"}),
	proto.Bool("ht.capabilities.delayedblockack", "HT Delayed Block ACK", "What the sender can do: HT Delayed Block ACK.").
		Wide(2).Masked(0x400).
		TrueFalse("Transmitter supports HT-Delayed BlockAck", "Transmitter does not support HT-Delayed BlockAck"),
	proto.Bool("ht.capabilities.amsdu", "HT Max A-MSDU length", "What the sender can do: HT Max A-MSDU length.").Wide(2).
		Masked(0x800).TrueFalse("7935 bytes", "3839 bytes"),
	proto.Bool("ht.capabilities.dsscck", "HT DSSS/CCK mode in 40MHz",
		"What the sender can do: HT DSSS/CCK mode in 40MHz.").Wide(2).Masked(0x1000).
		TrueFalse("Will/Can use DSSS/CCK in 40 MHz", "Won't/Can't use of DSSS/CCK in 40 MHz"),
	proto.Bool("ht.capabilities.psmp", "HT PSMP Support", "What the sender can do: HT PSMP Support.").Wide(2).
		Masked(0x2000).TrueFalse("Will/Can support PSMP operation", "Won't/Can't support PSMP operation"),
	proto.Bool("ht.capabilities.40mhzintolerant", "HT Forty MHz Intolerant",
		"What the sender can do: HT Forty MHz Intolerant.").Wide(2).Masked(0x4000).
		TrueFalse("Use of 40 MHz transmissions restricted/disallowed", "Use of 40 MHz transmissions unrestricted/allowed"),
	proto.Bool("ht.capabilities.lsig", "HT L-SIG TXOP Protection support",
		"What the sender can do: HT L-SIG TXOP Protection support.").Wide(2).Masked(0x8000).
		TrueFalse("Supported", "Not supported"),
}

var vhtBits = []*dissect.Field{
	proto.Uint32("vht.capabilities.maxmpdulength", "Maximum MPDU Length", "What the sender can do: Maximum MPDU Length.").
		Hex().Masked(0x03).Named(dissect.Values{0x0: "3 895", 0x1: "7 991", 0x2: "11 454", 0x3: "Reserved"}),
	proto.Uint32("vht.capabilities.supportedchanwidthset", "Supported Channel Width Set",
		"What the sender can do: Supported Channel Width Set.").Hex().Masked(0x0c).
		Named(dissect.Values{0x0: "Neither 160MHz nor 80+80 supported", 0x1: "160MHz supported",
			0x2: "160MHz and 80+80 Supported", 0x3: "Reserved"}),
	proto.Bool("vht.capabilities.rxldpc", "Rx LDPC", "What the sender can do: Rx LDPC.").Wide(4).Masked(0x10).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.short80", "Short GI for 80MHz/TVHT_MODE_4C",
		"What the sender can do: Short GI for 80MHz/TVHT_MODE_4C.").Wide(4).Masked(0x20).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.short160", "Short GI for 160MHz and 80+80MHz",
		"What the sender can do: Short GI for 160MHz and 80+80MHz.").Wide(4).Masked(0x40).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.txstbc", "Tx STBC", "What the sender can do: Tx STBC.").Wide(4).Masked(0x80).
		TrueFalse("Supported", "Not supported"),
	proto.Uint32("vht.capabilities.rxstbc", "Rx STBC", "What the sender can do: Rx STBC.").Hex().Masked(0x700).
		Named(dissect.Values{0x0: "None", 0x1: "1 Spatial Stream Supported", 0x2: "1 to 2 Spatial Stream Supported",
			0x3: "1 to 3 Spatial Stream Supported", 0x4: "1 to 4 Spatial Stream Supported", 0x5: "Reserved", 0x6: "Reserved",
			0x7: "Reserved"}),
	proto.Bool("vht.capabilities.subeamformer", "SU Beamformer Capable", "What the sender can do: SU Beamformer Capable.").
		Wide(4).Masked(0x800).TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.subeamformee", "SU Beamformee Capable", "What the sender can do: SU Beamformee Capable.").
		Wide(4).Masked(0x1000).TrueFalse("Supported", "Not supported"),
	proto.Uint32("vht.capabilities.beamformee_sts_cap", "Beamformee STS Capability",
		"What the sender can do: Beamformee STS Capability.").Hex().Masked(0xe000).
		Named(dissect.Values{0x0: "1", 0x1: "2", 0x2: "3", 0x3: "4", 0x4: "5", 0x5: "6", 0x6: "7", 0x7: "8"}),
	proto.Uint32("vht.capabilities.soundingdimensions", "Number of Sounding Dimensions",
		"What the sender can do: Number of Sounding Dimensions.").Hex().Masked(0x70000).
		Named(dissect.Values{0x0: "1", 0x1: "2", 0x2: "3", 0x3: "4", 0x4: "5", 0x5: "6", 0x6: "7", 0x7: "8"}),
	proto.Bool("vht.capabilities.mubeamformer", "MU Beamformer Capable", "What the sender can do: MU Beamformer Capable.").
		Wide(4).Masked(0x80000).TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.mubeamformee", "MU Beamformee Capable", "What the sender can do: MU Beamformee Capable.").
		Wide(4).Masked(0x100000).TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.vhttxopps", "TXOP PS", "What the sender can do: TXOP PS.").Wide(4).Masked(0x200000).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.vhthtc", "+HTC-VHT Capable", "What the sender can do: +HTC-VHT Capable.").Wide(4).
		Masked(0x400000).TrueFalse("Supported", "Not supported"),
	proto.Uint32("vht.capabilities.maxampdu", "Max A-MPDU Length Exponent",
		"What the sender can do: Max A-MPDU Length Exponent.").Hex().Masked(0x3800000).
		Named(dissect.Values{0x0: "8 191", 0x1: "16 383", 0x2: "32 767", 0x3: "65 535", 0x4: "131 071", 0x5: "262 143",
			0x6: "524 287", 0x7: "1 048 575"}),
	proto.Uint32("vht.capabilities.linkadapt", "VHT Link Adaptation", "What the sender can do: VHT Link Adaptation.").
		Hex().Masked(0xc000000).
		Named(dissect.Values{0x0: "No Feedback", 0x1: "Reserved (logically only solicited feedback)",
			0x2: "Unsolicited feedback only", 0x3: "Both (can provide unsolicited feedback and respond to VHT MRQ)"}),
	proto.Bool("vht.capabilities.rxpatconsist", "Rx Antenna Pattern Consistency",
		"What the sender can do: Rx Antenna Pattern Consistency.").Wide(4).Masked(0x10000000).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("vht.capabilities.txpatconsist", "Tx Antenna Pattern Consistency",
		"What the sender can do: Tx Antenna Pattern Consistency.").Wide(4).Masked(0x20000000).
		TrueFalse("Supported", "Not supported"),
	proto.Uint32("vht.capabilities.ext_nss_bw_support", "Extended NSS BW Support",
		"What the sender can do: Extended NSS BW Support.").Hex().Masked(0xc0000000),
}

var erpBits = []*dissect.Field{
	proto.Bool("erp_info.erp_present", "Non ERP Present", "Whether older stations are near: Non ERP Present.").
		Masked(0x01),
	proto.Bool("erp_info.use_protection", "Use Protection", "Whether older stations are near: Use Protection.").
		Masked(0x02),
	proto.Bool("erp_info.barker_preamble_mode", "Barker Preamble Mode",
		"Whether older stations are near: Barker Preamble Mode.").Masked(0x04),
	proto.Uint8("erp_info.reserved", "Reserved", "Whether older stations are near: Reserved.").Hex().Masked(0xf8),
}

var ampduBits = []*dissect.Field{
	proto.Uint8("ht.ampduparam.maxlength", "Maximum Rx A-MPDU Length", "Aggregates: Maximum Rx A-MPDU Length.").Hex().
		Masked(0x03),
	proto.Uint8("ht.ampduparam.mpdudensity", "MPDU Density", "Aggregates: MPDU Density.").Hex().Masked(0x1c).
		Named(dissect.Values{0x0: "no restriction", 0x1: "1/4 [usec]", 0x2: "1/2 [usec]", 0x3: "1 [usec]", 0x4: "2 [usec]",
			0x5: "4 [usec]", 0x6: "8 [usec]", 0x7: "16 [usec]"}),
	proto.Uint8("ht.ampduparam.reserved", "Reserved", "Aggregates: Reserved.").Hex().Masked(0xe0),
}

// beaconTime is a time between beacons in seconds.
func beaconTime(v uint64) string { return fmt.Sprintf("%.6f [Seconds]", float64(v)*1024/1e6) }

// ouiText writes who defined a suite or an element.
func ouiText(v uint64) string {
	text := fmt.Sprintf("%02x:%02x:%02x", v>>16, v>>8&0xff, v&0xff)
	switch v {
	case ouiRSN:
		text += " (Ieee 802.11)"
	case ouiMicrosoft:
		text += " (Microsoft Corp.)"
	}
	return text
}

// suiteText writes a suite: who defined it, and which it is.
func suiteText(names dissect.Values) func(v uint64) string {
	return func(v uint64) string { return ouiText(v>>8) + " " + cmp.Or(names[v&0xff], "Unknown") }
}
