package bluetooth

import "remora/dissect"

var (
	hDirection = h4.Uint8("direction", "Direction", "Whether the host sends or receives.").Hex().
			Named(dissect.Values{0x0: "Sent", 0x1: "Rcvd", 0xff: "Unspecified"}).Derived()
	hType = h4.Kind("type", "HCI Packet Type",
		dissect.Values{0x1: "HCI Command", 0x2: "ACL Data", 0x3: "SCO Data", 0x4: "HCI Event", 0x5: "ISO Data"},
		"What the packet is.").Wordless()
	cOpcode = cmd.Kind("opcode", "Command Opcode", opcodes, "What the controller shall do.").Wide(2).Wordless()
	cOGF    = cmd.Uint16("opcode.ogf", "Opcode Group Field", "Group of the command.").Hex().Masked(0xfc00).
		Named(groups)
	cOCF = cmd.Uint16("opcode.ocf", "Opcode Command Field", "Number of the command in its group.").Hex().
		Masked(0x3ff)
	cLength    = cmd.Uint8("param_length", "Parameter Total Length", "Length of the parameters in bytes.")
	cAddr      = cmd.Ether("bd_addr", "BD_ADDR", "Address of the other device.")
	cHandle    = cmd.Uint16("connection_handle", "Connection Handle", "Which connection.").Hex()
	cReason    = cmd.Uint8("reason", "Reason", "Why.").Hex().Named(errors)
	cLAP       = cmd.Uint24("lap", "LAP", "Which inquiry: part of an address.").Hex()
	cInqLen    = cmd.Uint8("inq_length", "Inquiry Length", "How long to look, in units of 1.28 s.")
	cResponses = cmd.Uint8("num_responses", "Num Responses", "How many devices to find; 0 is no limit.")
	cName      = cmd.String("device_name", "Device Name", "The device's name.")
	cScanType  = cmd.Uint8("le_scan_type", "Scan Type", "Whether devices are asked for more.").Hex().
			Named(dissect.Values{0x0: "Passive", 0x1: "Active"})
	cScanInt = cmd.Uint16("le_scan_interval", "Scan Interval", "Time between scans in units of 0.625 ms.")
	cScanWin = cmd.Uint16("le_scan_window", "Scan Window", "Length of a scan in units of 0.625 ms.")
	cOwnType = cmd.Uint8("le_own_address_type", "Own Address Type", "Sort of the own address.").Hex().
			Named(dissect.Values{0x0: "Public Device Address", 0x1: "Random Device Address",
			0x2: "Public Identity Address (Corresponds to Resolved Private Address)",
			0x3: "Random (Static) Identity Address (Corresponds to Resolved Private Address)"})
	cFilter = cmd.Uint8("le_scan_filter_policy", "Scan Filter Policy", "Which devices are heard.").Hex().
		Named(dissect.Values{0x0: "Accept all advertisements, except directed advertisements not addressed to this device",
			0x1: "Accept only advertisements from devices in the White List. Ignore directed advertisements not addressed to " +
				"this device",
			0x2: "Accept all advertisements, except directed advertisements not addressed to this device (but accept those " +
				"with resolvable addresses that can not be resolved)",
			0x3: "Accept only advertisements from devices in the White List. Ignore directed advertisements not addressed to " +
				"this device (but accept those with resolvable addresses that can not be resolved)"})
	cScanOn = cmd.Uint8("le_scan_enable", "Scan Enable", "Whether to scan.").Hex().
		Named(dissect.Values{0x0: "false", 0x1: "true"})
	cDups = cmd.Uint8("le_filter_duplicates", "Filter Duplicates", "Whether a device is told of once only.").Hex().
		Named(dissect.Values{0x0: "false", 0x1: "true"})
	cInitFilter = cmd.Uint8("le_initiator_filter_policy", "Initiator Filter Policy", "Which device to connect to.").Hex().
			Named(dissect.Values{0x0: "Use Peer Address", 0x1: "Use White List. Ignore Peer Address"})
	cPeerType = cmd.Uint8("le_peer_address_type", "Peer Address Type", "Sort of the other device's address.").Hex().
			Named(dissect.Values{0x0: "Public Device Address", 0x1: "Random Device Address",
			0x2: "Public Identity Address (Corresponds to Resolved Private Address)",
			0x3: "Random (Static) Identity Address (Corresponds to Resolved Private Address)"})
	cConMin = cmd.Uint16("le_con_interval_min", "Connection Interval Min",
		"Shortest time between events in units of 1.25 ms.")
	cConMax = cmd.Uint16("le_con_interval_max", "Connection Interval Max",
		"Longest time between events in units of 1.25 ms.")
	cLatency = cmd.Uint16("le_con_latency", "Max Connection Latency", "Events that the peripheral may skip.")
	cSupv    = cmd.Uint16("le_supv_timeout", "Supervision Timeout",
		"Silence that ends the connection, in units of 10 ms.")
	cMinCE   = cmd.Uint16("le_min_ce_length", "Min CE Length", "Shortest event in units of 0.625 ms.")
	cMaxCE   = cmd.Uint16("le_max_ce_length", "Max CE Length", "Longest event in units of 0.625 ms.")
	eCode    = evt.Kind("code", "Event Code", eventCodes, "What has happened.").Wordless()
	eLength  = evt.Uint8("param_length", "Parameter Total Length", "Length of the parameters in bytes.")
	ePackets = evt.Uint8("num_command_packets", "Number of Allowed Command Packets",
		"Commands that the controller can take now.")
	eOpcode = evt.Uint16("opcode", "Command Opcode", "The command that is answered.").Hex().Named(opcodes)
	eOGF    = evt.Uint16("opcode.ogf", "Opcode Group Field", "Group of the command.").Hex().Masked(0xfc00).
		Named(groups)
	eOCF = evt.Uint16("opcode.ocf", "Opcode Command Field", "Number of the command in its group.").Hex().
		Masked(0x3ff)
	eStatus = evt.Uint8("status", "Status", "Whether it went well.").Hex().Named(errors)
	eHandle = evt.Uint16("connection_handle", "Connection Handle", "Which connection.").Hex()
	eAddr   = evt.Ether("bd_addr", "BD_ADDR", "Address of the other device, or of this one.")
	eLink   = evt.Uint8("link_type", "Link Type", "Sort of the connection.").Hex().
		Named(dissect.Values{0x0: "SCO connection (Voice Channels)", 0x1: "ACL connection (Data Channels)",
			0x2: "eSCO connection (Voice Channels)"})
	eEncMode = evt.Uint8("encryption_mode", "Encryption Mode", "How the connection is encrypted.").Hex().
			Named(dissect.Values{0x0: "Encryption Disabled", 0x1: "Encryption only for point-to-point packets",
			0x2: "Encryption for both point-to-point and broadcast packets"})
	eEncOn = evt.Uint8("encryption_enable", "Encryption Enable", "Whether the connection is encrypted.").Hex().
		Named(dissect.Values{0x0: "Link Level Encryption is OFF", 0x1: "Link Level Encryption is ON"})
	eReason  = evt.Uint8("reason", "Reason", "Why.").Hex().Named(errors)
	eHandles = evt.Uint8("num_handles", "Number of Connection Handles", "How many connections follow.")
	eDone    = evt.Uint16("num_compl_packets", "Number of Completed Packets", "Packets that have been sent.")
	eVersion = evt.Uint8("hci_vers_nr", "HCI Version", "Version of the interface.").Hex()
	eLMP     = evt.Uint8("lmp_vers_nr", "LMP Version", "Version of the link manager.").Hex()
	eCompany = evt.Uint16("comp_id", "Manufacturer Name", "Who made the controller.").Hex()
	eLMPSub  = evt.Uint16("lmp_sub_vers_nr", "LMP Subversion", "Subversion of the link manager.")
	eMeta    = evt.Uint8("le_meta_subevent", "Sub Event", "Which event of Bluetooth Low Energy.").Hex().
			Named(metaEvents)
	eReports = evt.Uint8("le_num_reports", "Num Reports", "How many reports follow.")
	eAdvType = evt.Uint8("le_advts_event_type", "Event Type", "Sort of the advertisement.").Hex().
			Named(dissect.Values{0x0: "Connectable Undirected Advertising", 0x1: "Connectable Directed Advertising",
			0x2: "Scannable Undirected Advertising", 0x3: "Non-Connectable Undirected Advertising", 0x4: "Scan Response"})
	ePeerType = evt.Uint8("le_peer_address_type", "Peer Address Type", "Sort of the other device's address.").Hex().
			Named(dissect.Values{0x0: "Public Device Address", 0x1: "Random Device Address",
			0x2: "Public Identity Address (Corresponds to Resolved Private Address)",
			0x3: "Random (Static) Identity Address (Corresponds to Resolved Private Address)"})
	eDataLen = evt.Uint8("data_length", "Data Length", "Length of the advertisement.")
	eRSSI    = evt.Int8("rssi", "RSSI", "Power of the signal.").In("dBm")
	eRole    = evt.Uint8("role", "Role", "Who leads the connection.").Hex().
			Named(dissect.Values{0x0: "Currently the Master for specified BD_ADDR",
			0x1: "Currently the Slave for specified BD_ADDR"})
	eInterval = evt.Uint16("le_con_interval", "Connection Interval", "Time between events in units of 1.25 ms.")
	eLatency  = evt.Uint16("le_con_latency", "Connection Latency", "Events that the peripheral may skip.")
	eSupv     = evt.Uint16("le_supv_timeout", "Supervision Timeout",
		"Silence that ends the connection, in units of 10 ms.")
	eClock = evt.Uint8("le_master_clock_accuracy", "Master Clock Accuracy", "How good the clock of the central is.").
		Hex().Named(dissect.Values{0x0: "251-500 ppm", 0x1: "151-250 ppm", 0x2: "101-150 ppm", 0x3: "76-100 ppm",
		0x4: "51-75 ppm", 0x5: "31-50 ppm", 0x6: "21-30 ppm", 0x7: "0-20 ppm"})
	eName   = evt.String("remote_name", "Remote Name", "Name of the other device.")
	aHandle = acl.Uint16("chandle", "Connection Handle", "Which connection.").Hex().Masked(0xfff)
	aPB     = acl.Uint16("pb_flag", "PB Flag", "Whether a message starts here.").Masked(0x3000).
		Named(dissect.Values{0: "First Non-automatically Flushable Packet", 1: "Continuing Fragment",
			2: "First Automatically Flushable Packet"})
	aBC = acl.Uint16("bc_flag", "BC Flag", "To one device or all.").Masked(0xc000).
		Named(dissect.Values{0: "Point-To-Point", 1: "Active Broadcast", 2: "Piconet Broadcast"})
	aLength  = acl.Uint16("length", "Data Total Length", "Length of the data in bytes.")
	lLength  = l2cap.Uint16("length", "Length", "Length of the message in bytes.")
	lCID     = l2cap.Uint16("cid", "CID", "Which channel.").Hex().Format(channel)
	lCommand = l2cap.Group("command", "Command", "One signalling command.")
	lCode    = l2cap.Uint8("cmd_code", "Command Code", "What the command is.").Hex().Named(signals)
	lIdent   = l2cap.Uint8("cmd_ident", "Command Identifier", "Joins an answer with its request.").Hex()
	lCmdLen  = l2cap.Uint16("cmd_length", "Command Length", "Length of the command's data in bytes.")
	lPSM     = l2cap.Uint16("psm", "PSM", "What the channel shall carry.").Hex().Named(psms)
	lSCID    = l2cap.Uint16("scid", "Source CID", "Number of the channel at the sender.").Hex().Format(channel)
	lDCID    = l2cap.Uint16("dcid", "Destination CID", "Number of the channel at the receiver.").Hex().Format(channel)
	lResult  = l2cap.Uint16("result", "Result", "What became of the request.").Hex().
			Named(dissect.Values{0x0: "Successful", 0x1: "Pending", 0x2: "Refused - PSM not supported",
			0x3: "Refused - security block", 0x4: "Refused - no resources available",
			0x5: "Refused - Controller ID not supported"})
	lStatus = l2cap.Uint16("status", "Status", "More about it.").Hex().
		Named(dissect.Values{0x0: "No further information available", 0x1: "Authentication pending",
			0x2: "Authorization pending"})
	lReject = l2cap.Uint16("rej_reason", "Reason", "Why the command is not taken.").Hex().
		Named(dissect.Values{0x0: "Command not understood", 0x1: "Signaling MTU exceeded", 0x2: "Invalid CID in request"})
	lInfo = l2cap.Uint16("info_type", "Information Type", "What is asked.").Hex().
		Named(dissect.Values{0x1: "Connectionless MTU", 0x2: "Extended Features Mask", 0x3: "Fixed Channels Supported"})
	lMinInt  = l2cap.Uint16("min_interval", "Min. Interval", "Shortest time between events in units of 1.25 ms.")
	lMaxInt  = l2cap.Uint16("max_interval", "Max. Interval", "Longest time between events in units of 1.25 ms.")
	lLatency = l2cap.Uint16("slave_latency", "Slave Latency", "Events that the peripheral may skip.")
	lTimeout = l2cap.Uint16("timeout_multiplier", "Timeout Multiplier",
		"Silence that ends the connection, in units of 10 ms.")
	lPayload = l2cap.Bytes("payload", "Payload", "What the channel carries.")
	sStatus  = sco.Uint16("packet_status", "Packet Status", "Whether the data is right.").Hex().Masked(0x3000).
			Named(dissect.Values{0x0: "Correctly Received Data", 0x1: "Possibly Invalid Data", 0x2: "No Data Received",
			0x3: "Data Partially Lost"})
	sHandle = sco.Uint16("chandle", "Connection Handle", "Which connection.").Hex().Masked(0xfff)
	sLength = sco.Uint8("length", "Data Total Length", "Length of the data in bytes.")
	iHandle = iso.Uint16("chandle", "Connection Handle", "Which connection.").Hex().Masked(0xfff)
	iPB     = iso.Uint16("pb_flag", "PB Flag", "Whether a unit starts here.").Hex().Masked(0x3000).
		Named(dissect.Values{0x0: "First SDU Fragment", 0x1: "Continuation SDU Fragment", 0x2: "Complete SDU",
			0x3: "Last SDU Fragment"})
	iTS = iso.Bool("ts_flag", "Timestamp present", "A time stamp is there.").Wide(2).Masked(0x4000).
		TrueFalse("True", "False")
	iLength = iso.Uint16("data_length", "Data Length", "Length of the data in bytes.").Masked(0x3fff)

	cParams   = cmd.Bytes("parameter", "Parameter", "Parameters that are not read here.")
	eParams   = evt.Bytes("ret_params", "Return Parameter", "Parameters that are not read here.")
	eRevision = evt.Uint16("hci_revision", "HCI Revision",
		"Revision of the interface. Wireshark has a name of its own for it.")
	eAdvData = evt.Bytes("advertising_data", "Advertising Data",
		"What the device says of itself. Wireshark has names of their own for its parts.")
	eClassDev = evt.Uint24("class_of_device", "Class of Device",
		"Sort of the device. Wireshark has a name of its own for it.").Hex()
	aData = acl.Bytes("fragment", "Fragment", "A part of a message. Wireshark puts it together.")
	lData = l2cap.Bytes("cmd_data", "Command Data", "Data of a command that is not read here.")
	sData = sco.Bytes("data", "Data", "Sound.")
	iData = iso.Bytes("data", "Data Fragment", "Sound.")
	hData = h4.Bytes("data", "Data", "A packet of another sort. Wireshark has no name for it.")
)

var opcodes = dissect.Values{
	0x0: "No Operation", 0x401: "Inquiry", 0x402: "Inquiry Cancel", 0x403: "Periodic Inquiry Mode",
	0x404: "Exit Periodic Inquiry Mode", 0x405: "Create Connection",
	0x406: "Disconnect", 0x407: "Add SCO Connection", 0x408: "Create Connection Cancel",
	0x409: "Accept Connection Request", 0x40a: "Reject Connection Request",
	0x40b: "Link Key Request Reply", 0x40c: "Link Key Request Negative Reply", 0x40d: "PIN Code Request Reply",
	0x40e: "PIN Code Request Negative Reply",
	0x40f: "Change Connection Packet Type", 0x411: "Authentication Requested", 0x413: "Set Connection Encryption",
	0x415: "Change Connection Link Key",
	0x417: "Master Link Key", 0x419: "Remote Name Request", 0x41a: "Remote Name Request Cancel",
	0x41b: "Read Remote Supported Features",
	0x41c: "Read Remote Extended Features", 0x41d: "Read Remote Version Information", 0x41f: "Read Clock offset",
	0x420: "Read LMP Handle",
	0x428: "Setup Synchronous Connection", 0x429: "Accept Synchronous Connection Request",
	0x42a: "Reject Synchronous Connection Request",
	0x42b: "IO Capability Request Reply", 0x42c: "User Confirmation Request Reply",
	0x42d: "User Confirmation Request Negative Reply", 0x42e: "User Passkey Request Reply",
	0x42f: "User Passkey Request Negative Reply", 0x430: "Remote OOB Data Request Reply",
	0x433: "Remote OOB Data Request Negative Reply",
	0x434: "IO Capability Request Negative Reply", 0x435: "Create Physical Link", 0x436: "Accept Physical Link",
	0x437: "Disconnect Physical Link",
	0x438: "Create Logical Link", 0x439: "Accept Logical Link", 0x43a: "Disconnect Logical Link",
	0x43b: "Logical Link Cancel", 0x43c: "Flow Spec Modify",
	0x43d: "Enhanced Setup Synchronous Connection", 0x43e: "Enhanced Accept Synchronous Connection Request",
	0x43f: "Truncated Page", 0x440: "Truncated Page Cancel",
	0x441: "Set Connectionless Slave Broadcast", 0x442: "Set Connectionless Slave Broadcast Receive",
	0x443: "Start Synchronization Train",
	0x444: "Receive Synchronization Train", 0x445: "Remote OOB Extended Data Request Reply", 0x801: "Hold Mode",
	0x803: "Sniff Mode", 0x804: "Exit Sniff Mode",
	0x805: "Park Mode", 0x806: "Exit Park Mode", 0x807: "QoS Setup", 0x809: "Role Discovery", 0x80b: "Switch Role",
	0x80c: "Read Link Policy Settings",
	0x80d: "Write Link Policy Settings", 0x80e: "Read Default Link Policy Settings",
	0x80f: "Write Default Link Policy Settings", 0x810: "Flow Specification",
	0x811: "Sniff Subrating", 0xc01: "Set Event Mask", 0xc03: "Reset", 0xc05: "Set Event Filter", 0xc08: "Flush",
	0xc09: "Read PIN Type", 0xc0a: "Write PIN Type",
	0xc0b: "Create New Unit Key", 0xc0d: "Read Stored Link Key", 0xc11: "Write Stored Link Key",
	0xc12: "Delete Stored Link Key", 0xc13: "Change Local Name",
	0xc14: "Read Local Name", 0xc15: "Read Connection Accept Timeout", 0xc16: "Write Connection Accept Timeout",
	0xc17: "Read Page Timeout", 0xc18: "Write Page Timeout",
	0xc19: "Read Scan Enable", 0xc1a: "Write Scan Enable", 0xc1b: "Read Page Scan Activity",
	0xc1c: "Write Page Scan Activity", 0xc1d: "Read Inquiry Scan Activity",
	0xc1e: "Write Inquiry Scan Activity", 0xc1f: "Read Authentication Enable", 0xc20: "Write Authentication Enable",
	0xc21: "Read Encryption Mode",
	0xc22: "Write Encryption Mode", 0xc23: "Read Class of Device", 0xc24: "Write Class of Device",
	0xc25: "Read Voice Setting", 0xc26: "Write Voice Setting",
	0xc27: "Read Automatic Flush Timeout", 0xc28: "Write Automatic Flush Timeout",
	0xc29: "Read Num Broadcast Retransmissions", 0xc2a: "Write Num Broadcast Retransmissions",
	0xc2b: "Read Hold Mode Activity", 0xc2c: "Write Hold Mode Activity", 0xc2d: "Read Tx Power Level",
	0xc2e: "Read SCO Flow Control Enable",
	0xc2f: "Write SCO Flow Control Enable", 0xc31: "Set Host Controller To Host Flow Control", 0xc33: "Host Buffer Size",
	0xc35: "Host Number of Completed Packets",
	0xc36: "Read Link Supervision Timeout", 0xc37: "Write Link Supervision Timeout", 0xc38: "Read Number of Supported IAC",
	0xc39: "Read Current IAC LAP",
	0xc3a: "Write Current IAC LAP", 0xc3b: "Read Page Scan Period Mode", 0xc3c: "Write Page Scan Period Mode",
	0xc3d: "Read Page Scan Mode", 0xc3e: "Write Page Scan Mode",
	0xc3f: "Set AFH Host Channel Classification", 0xc42: "Read Inquiry Scan Type", 0xc43: "Write Inquiry Scan Type",
	0xc44: "Read Inquiry Mode", 0xc45: "Write Inquiry Mode",
	0xc46: "Read Page Scan Type", 0xc47: "Write Page Scan Type", 0xc48: "Read AFH Channel Assessment Mode",
	0xc49: "Write AFH Channel Assessment Mode",
	0xc51: "Read Extended Inquiry Response", 0xc52: "Write Extended Inquiry Response", 0xc53: "Refresh Encryption Key",
	0xc55: "Read Simple Pairing Mode",
	0xc56: "Write Simple Pairing Mode", 0xc57: "Read Local OOB Data", 0xc58: "Read Inquiry Response Tx Power Level",
	0xc59: "Write Inquiry Tx Power Level",
	0xc5a: "Read Default Erroneous Data Reporting", 0xc5b: "Write Default Erroneous Data Reporting",
	0xc5f: "Enhanced Flush", 0xc60: "Send Keypress Notification",
	0xc61: "Read Logical Link Accept Timeout", 0xc62: "Write Logical Link Accept Timeout", 0xc63: "Set Event Mask Page 2",
	0xc64: "Read Location Data",
	0xc65: "Write Location Data", 0xc66: "Read Flow Control Mode", 0xc67: "Write Flow Control Mode",
	0xc68: "Read Enhanced Transmit Power Level",
	0xc69: "Read Best Effort Flush Timeout", 0xc6a: "Write Best Effort Flush Timeout", 0xc6b: "Short Range Mode",
	0xc6c: "Read LE Host Supported",
	0xc6d: "Write LE Host Supported", 0xc6e: "Set MWS Channel Parameters", 0xc6f: "Set External Frame Configuration",
	0xc70: "Set MWS Signaling",
	0xc71: "Set MWS Transport Layer", 0xc72: "Set MWS Scan Frequency Table", 0xc73: "Set MWS Pattern Configuration",
	0xc74: "Set Reserved LT_ADDR",
	0xc75: "Delete Reserved LT_ADDR", 0xc76: "Set Connectionless Slave Broadcast Data",
	0xc77: "Read Synchronization Train Parameters",
	0xc78: "Write Synchronization Train Parameters", 0xc79: "Read Secure Connections Host Support",
	0xc7a: "Write Secure Connections Host Support",
	0xc7b: "Read Authenticated Payload Timeout", 0xc7c: "Write Authenticated Payload Timeout",
	0xc7d: "Read Local OOB Extended Data", 0xc7e: "Read Extended Page Timeout",
	0xc7f: "Write Extended Page Timeout", 0xc80: "Read Extended Inquiry Length", 0xc81: "Write Extended Inquiry Length",
	0x1001: "Read Local Version Information",
	0x1002: "Read Local Supported Commands", 0x1003: "Read Local Supported Features",
	0x1004: "Read Local Extended Features", 0x1005: "Read Buffer Size",
	0x1007: "Read Country Code", 0x1009: "Read BD ADDR", 0x100a: "Read Data Block Size",
	0x100b: "Read Local Supported Codecs", 0x100c: "Read Local Simple Pairing Options",
	0x1401: "Read Failed Contact Counter", 0x1402: "Reset Failed Contact Counter", 0x1403: "Read Link Quality",
	0x1405: "Read RSSI", 0x1406: "Read AFH Channel Map",
	0x1407: "Read Clock", 0x1408: "Read Encryption Key Size", 0x1409: "Read Local AMP Info",
	0x140a: "Read Local AMP Assoc", 0x140b: "Write Remote AMP Assoc",
	0x140c: "Get MWS Transport Layer Configuration", 0x140d: "Set Triggered Clock Capture", 0x1801: "Read Loopback Mode",
	0x1802: "Write Loopback Mode",
	0x1803: "Enable Device Under Test Mode", 0x1804: "Write Simple Pairing Debug Mode",
	0x1807: "Enable AMP Receiver Reports", 0x1808: "AMP Test End", 0x1809: "AMP Test",
	0x180a: "Write Secure Connections Test Mode", 0x2001: "LE Set Event Mask", 0x2002: "LE Read Buffer Size [v1]",
	0x2003: "LE Read Local Supported Features",
	0x2005: "LE Set Random Address", 0x2006: "LE Set Advertising Parameters",
	0x2007: "LE Read Advertising Channel Tx Power", 0x2008: "LE Set Advertising Data",
	0x2009: "LE Set Scan Response Data", 0x200a: "LE Set Advertise Enable", 0x200b: "LE Set Scan Parameters",
	0x200c: "LE Set Scan Enable", 0x200d: "LE Create Connection",
	0x200e: "LE Create Connection Cancel", 0x200f: "LE Read White List Size", 0x2010: "LE Clear White List",
	0x2011: "LE Add Device To White List",
	0x2012: "LE Remove Device From White List", 0x2013: "LE Connection Update",
	0x2014: "LE Set Host Channel Classification", 0x2015: "LE Read Channel Map",
	0x2016: "LE Read Remote Features", 0x2017: "LE Encrypt", 0x2018: "LE Rand", 0x2019: "LE Start Encryption",
	0x201a: "LE Long Term Key Request Reply",
	0x201b: "LE Long Term Key Request Negative Reply", 0x201c: "LE Read Supported States", 0x201d: "LE Receiver Test [v1]",
	0x201e: "LE Transmitter Test [v1]",
	0x201f: "LE Test End", 0x2020: "LE Remote Connection Parameter Request Reply",
	0x2021: "LE Remote Connection Parameter Request Negative Reply",
	0x2022: "LE Set Data Length", 0x2023: "LE Read Suggested Default Data Length",
	0x2024: "LE Write Suggested Default Data Length",
	0x2025: "LE Read Local P-256 Public Key", 0x2026: "LE Generate DHKey [v1]", 0x2027: "LE Add Device to Resolving List",
	0x2028: "LE Remove Device From Resolving List",
	0x2029: "LE Clear Resolving List", 0x202a: "LE Read Resolving List Size", 0x202b: "LE Read Peer Resolvable Address",
	0x202c: "LE Read Local Resolvable Address",
	0x202d: "LE Set Address Resolution Enable", 0x202e: "LE Set Resolvable Private Address Timeout",
	0x202f: "LE Read Maximum Data Length", 0x2030: "LE Read PHY",
	0x2031: "LE Set Default PHY", 0x2032: "LE Set PHY", 0x2033: "LE Receiver Test [v2]",
	0x2034: "LE Transmitter Test [v2]", 0x2035: "LE Set Advertising Set Random Address",
	0x2036: "LE Set Extended Advertising Parameters", 0x2037: "LE Set Extended Advertising Data",
	0x2038: "LE Set Extended Scan Response Data",
	0x2039: "LE Set Extended Advertising Enable", 0x203a: "LE Read Maximum Advertising Data Length",
	0x203b: "LE Read Number of Supported Advertising Sets",
	0x203c: "LE Remove Advertising Set", 0x203d: "LE Clear Advertising Sets",
	0x203e: "LE Set Periodic Advertising Parameters", 0x203f: "LE Set Periodic Advertising Data",
	0x2040: "LE Set Periodic Advertising Enable", 0x2041: "LE Set Extended Scan Parameters",
	0x2042: "LE Set Extended Scan Enable", 0x2043: "LE Extended Create Connection",
	0x2044: "LE Periodic Advertising Create Sync", 0x2045: "LE Periodic Advertising Create Sync Cancel",
	0x2046: "LE Periodic Advertising Terminate Sync",
	0x2047: "LE Add Device To Periodic Advertiser List", 0x2048: "LE Remove Device From Periodic Advertiser List",
	0x2049: "LE Clear Periodic Advertiser List",
	0x204a: "LE Read Periodic Advertiser List Size", 0x204b: "LE Read Transmit Power",
	0x204c: "LE Read RF Path Compensation", 0x204d: "LE Write RF Path Compensation",
	0x204e: "LE Set Privacy Mode", 0x204f: "LE Receiver Test [v3]", 0x2050: "LE Transmitter Test [v3]",
	0x2051: "LE Set Connectionless CTE Transmit Parameters",
	0x2052: "LE Set Connectionless CTE Transmit Enable", 0x2053: "LE Set Connectionless IQ Sampling Enable",
	0x2054: "LE Set Connection CTE Receive Parameters",
	0x2055: "LE Set Connection CTE Transmit Parameters", 0x2056: "LE Connection CTE Request Enable",
	0x2057: "LE Connection CTE Response Enable",
	0x2058: "LE Read Antenna Information", 0x2059: "LE Set Periodic Advertising Receive Enable",
	0x205a: "LE Periodic Advertising Sync Transfer",
	0x205b: "LE Periodic Advertising Set Info Transfer", 0x205c: "LE Set Periodic Advertising Sync Transfer Parameters",
	0x205d: "LE Set Default Periodic Advertising Sync Transfer Parameters", 0x205e: "LE Generate DHKey [v2]",
	0x205f: "LE Modify Sleep Clock Accuracy",
	0x2060: "LE Read Buffer Size [v2]", 0x2061: "LE Read ISO Tx Sync", 0x2062: "LE Set CIG Parameters",
	0x2063: "LE Set CIG Parameters Test", 0x2064: "LE Create CIS",
	0x2065: "LE Remove CIG", 0x2066: "LE Accept CIS Request", 0x2067: "LE Reject CIS Request", 0x2068: "LE Create BIG",
	0x2069: "LE Create BIG Test",
	0x206a: "LE Terminate BIG", 0x206b: "LE BIG Create Sync", 0x206c: "LE BIG Terminate Sync",
	0x206d: "LE Request Peer SCA", 0x206e: "LE Setup ISO Data Path",
	0x206f: "LE Remove ISO Data Path", 0x2070: "LE ISO Transmit Test", 0x2071: "LE ISO Receive Test",
	0x2072: "LE ISO Read Test Counters", 0x2073: "LE ISO Test End",
	0x2074: "LE Set Host Feature", 0x2075: "LE Read ISO Link Quality", 0x2076: "LE Enhanced Read Transmit Power Level",
	0x2077: "LE Read Remote Transmit Power Level",
	0x2078: "LE Set Path Loss Reporting Parameters", 0x2079: "LE Set Path Loss Reporting Enable",
	0x207a: "LE Set Transmit Power Reporting Enable",
	0x207b: "LE Transmitter Test [v4]", 0x207c: "LE Set Data Related Address Changes", 0x207d: "LE Set Default Subrate",
	0x207e: "LE Subrate Request",
}

var eventCodes = dissect.Values{
	0x1: "Inquiry Complete", 0x2: "Inquiry Result", 0x3: "Connect Complete", 0x4: "Connect Request",
	0x5: "Disconnect Complete", 0x6: "Authentication Complete",
	0x7: "Remote Name Request Complete", 0x8: "Encryption Change", 0x9: "Change Connection Link Key Complete",
	0xa: "Master Link Key Complete",
	0xb: "Read Remote Supported Features", 0xc: "Read Remote Version Information Complete", 0xd: "QoS Setup Complete",
	0xe: "Command Complete", 0xf: "Command Status",
	0x10: "Hardware Error", 0x11: "Flush Occurred", 0x12: "Role Change", 0x13: "Number of Completed Packets",
	0x14: "Mode Change", 0x15: "Return Link Keys",
	0x16: "PIN Code Request", 0x17: "Link Key Request", 0x18: "Link Key Notification", 0x19: "Loopback Command",
	0x1a: "Data Buffer Overflow", 0x1b: "Max Slots Change",
	0x1c: "Read Clock Offset Complete", 0x1d: "Connection Packet Type Changed", 0x1e: "QoS Violation",
	0x1f: "Page Scan Mode Change",
	0x20: "Page Scan Repetition Mode Change", 0x21: "Flow Specification Complete", 0x22: "Inquiry Result With RSSI",
	0x23: "Read Remote Extended Features Complete",
	0x2c: "Synchronous Connection Complete", 0x2d: "Synchronous Connection Changed", 0x2e: "Sniff Subrating",
	0x2f: "Extended Inquiry Result",
	0x30: "Encryption Key Refresh Complete", 0x31: "IO Capability Request", 0x32: "IO Capability Response",
	0x33: "User Confirmation Request", 0x34: "User Passkey Request",
	0x35: "Remote OOB Data Request", 0x36: "Simple Pairing Complete", 0x38: "Link Supervision Timeout Changed",
	0x39: "Enhanced Flush Complete",
	0x3b: "User Passkey Notification", 0x3c: "Keypress Notification", 0x3d: "Remote Host Supported Features Notification",
	0x3e: "LE Meta", 0x40: "Physical Link Complete",
	0x41: "Channel Selected", 0x42: "Disconnect Physical Link Complete", 0x43: "Physical Link Loss Early Warning",
	0x44: "Physical Link Recovery",
	0x45: "Logical Link Complete", 0x46: "Disconnect Logical Link Complete", 0x47: "Flow Spec Modify Complete",
	0x48: "Number Of Completed Data Blocks",
	0x49: "AMP Start Test", 0x4a: "AMP Test End", 0x4b: "AMP Receiver Report", 0x4c: "Short Range Mode Change Complete",
	0x4d: "AMP Status Change",
	0x4e: "Triggered Clock Capture", 0x4f: "Synchronization Train Complete", 0x50: "Synchronization Train Received",
	0x51: "Connectionless Slave Broadcast Receive",
	0x52: "Connectionless Slave Broadcast Timeout", 0x53: "Truncated Page Complete", 0x54: "Slave Page Response Timeout",
	0x55: "Connectionless Slave Broadcast Channel Map Change", 0x56: "Inquiry Response Notification",
	0x57: "Authenticated Payload Timeout Expired",
	0x58: "SAM Status Change", 0xff: "Vendor-Specific",
}

var metaEvents = dissect.Values{
	0x1: "LE Connection Complete", 0x2: "LE Advertising Report", 0x3: "LE Connection Update Complete",
	0x4: "LE Read Remote Features Complete",
	0x5: "LE Long Term Key Request", 0x6: "LE Remote Connection Parameter Request", 0x7: "LE Data Length Change",
	0x8: "LE Read Local P-256 Public Key Complete",
	0x9: "LE Generate DHKey Complete", 0xa: "LE Enhanced Connection Complete", 0xb: "LE Direct Advertising Report",
	0xc: "LE PHY Update Complete",
	0xd: "LE Extended Advertising Report", 0xe: "LE Periodic Advertising Sync Established",
	0xf: "LE Periodic Advertising Report", 0x10: "LE Periodic Advertising Sync Lost",
	0x11: "LE Scan Timeout", 0x12: "LE Advertising Set Terminated", 0x13: "LE Scan Request Received",
	0x14: "LE Channel Selection Algorithm",
	0x15: "LE Connectionless IQ Report", 0x16: "LE Connection IQ Report", 0x17: "LE CTE Request Failed",
	0x18: "LE Periodic Advertising Sync Transfer Received",
	0x19: "LE CIS Established", 0x1a: "LE CIS Request", 0x1b: "LE Create BIG Complete", 0x1c: "LE Terminate BIG Complete",
	0x1d: "LE BIG Sync Established",
	0x1e: "LE BIG Sync Lost", 0x1f: "LE Request Peer SCA Complete", 0x20: "LE Path Loss Threshold",
	0x21: "LE Transmit Power Reporting",
	0x22: "LE BIGInfo Advertising Report", 0x23: "LE Subrate Change",
}

var errors = dissect.Values{
	0x0: "Success", 0x1: "Unknown HCI Command", 0x2: "Unknown Connection Identifier", 0x3: "Hardware Failure",
	0x4: "Page Timeout", 0x5: "Authentication Failure",
	0x6: "PIN or Key Missing", 0x7: "Memory Capacity Exceeded", 0x8: "Connection Timeout",
	0x9: "Connection Limit Exceeded",
	0xa: "Synchronous Connection Limit To A Device Exceeded", 0xb: "ACL Connection Already Exists",
	0xc: "Command Disallowed",
	0xd: "Connection Rejected due to Limited Resources", 0xe: "Connection Rejected due To Security Reasons",
	0xf:  "Connection Rejected due to Unacceptable BD_ADDR",
	0x10: "Connection Accept Timeout Exceeded", 0x11: "Unsupported Feature or Parameter Value",
	0x12: "Invalid HCI Command Parameters",
	0x13: "Remote User Terminated Connection", 0x14: "Remote Device Terminated Connection due to Low Resources",
	0x15: "Remote Device Terminated Connection due to Power Off", 0x16: "Connection Terminated by Local Host",
	0x17: "Repeated Attempts", 0x18: "Pairing Not Allowed",
	0x19: "Unknown LMP PDU", 0x1a: "Unsupported Remote/LMP Feature", 0x1b: "SCO Offset Rejected",
	0x1c: "SCO Interval Rejected", 0x1d: "SCO Air Mode Rejected",
	0x1e: "Invalid LMP/LL Parameters", 0x1f: "Unspecified Error", 0x20: "Unsupported LMP/LL Parameter Value",
	0x21: "Role Change Not Allowed",
	0x22: "LMP/LL Response Timeout", 0x23: "LMP Error Transaction Collision/LL Procedure Collision",
	0x24: "LMP PDU Not Allowed", 0x25: "Encryption Mode Not Acceptable",
	0x26: "Link Key cannot be Changed", 0x27: "Requested QoS Not Supported", 0x28: "Instant Passed",
	0x29: "Pairing with Unit Key Not Supported",
	0x2a: "Different Transaction Collision", 0x2c: "QoS Unacceptable Parameter", 0x2d: "QoS Rejected",
	0x2e: "Channel Classification Not Supported",
	0x2f: "Insufficient Security", 0x30: "Parameter Out Of Mandatory Range", 0x32: "Role Switch Pending",
	0x34: "Reserved Slot Violation", 0x35: "Role Switch Failed",
	0x36: "Extended Inquiry Response Too Large", 0x37: "Secure Simple Pairing Not Supported By Host",
	0x38: "Host Busy - Pairing",
	0x39: "Connection Rejected due to No Suitable Channel Found", 0x3a: "Controller Busy",
	0x3b: "Unacceptable Connection Parameters", 0x3c: "Directed Advertising Timeout",
	0x3d: "Connection Terminated due to MIC Failure", 0x3e: "Connection Failed to be Established",
	0x3f: "MAC Connection Failed",
	0x40: "Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging", 0x41: "Type0 Submap Not Defined",
	0x42: "Unknown Advertising Identifier",
	0x43: "Limit Reached", 0x44: "Operation Cancelled by Host", 0x45: "Packet Too Long",
}

var cids = dissect.Values{
	0x0: "Null identifier", 0x1: "L2CAP Signaling Channel", 0x2: "Connectionless Channel", 0x3: "AMP Manager Protocol",
	0x4: "Attribute Protocol",
	0x5: "Low Energy L2CAP Signaling Channel", 0x6: "Security Manager Protocol", 0x7: "Reserved", 0x8: "Reserved",
	0x9: "Reserved", 0xa: "Reserved", 0xb: "Reserved",
	0xc: "Reserved", 0xd: "Reserved", 0xe: "Reserved", 0xf: "Reserved", 0x10: "Reserved", 0x11: "Reserved",
	0x12: "Reserved", 0x13: "Reserved", 0x14: "Reserved",
	0x15: "Reserved", 0x16: "Reserved", 0x17: "Reserved", 0x18: "Reserved", 0x19: "Reserved", 0x1a: "Reserved",
	0x1b: "Reserved", 0x1c: "Reserved", 0x1d: "Reserved",
	0x1e: "Reserved", 0x1f: "Reserved", 0x20: "Reserved", 0x21: "Reserved", 0x22: "Reserved", 0x23: "Reserved",
	0x24: "Reserved", 0x25: "Reserved", 0x26: "Reserved",
	0x27: "Reserved", 0x28: "Reserved", 0x29: "Reserved", 0x2a: "Reserved", 0x2b: "Reserved", 0x2c: "Reserved",
	0x2d: "Reserved", 0x2e: "Reserved", 0x2f: "Reserved",
	0x30: "Reserved", 0x31: "Reserved", 0x32: "Reserved", 0x33: "Reserved", 0x34: "Reserved", 0x35: "Reserved",
	0x36: "Reserved", 0x37: "Reserved", 0x38: "Reserved",
	0x39: "Reserved", 0x3a: "Reserved", 0x3b: "Reserved", 0x3c: "Reserved", 0x3d: "Reserved", 0x3e: "Reserved",
	0x3f: "AMP Test Manager",
}

var psms = dissect.Values{
	0x1: "SDP", 0x3: "RFCOMM", 0x5: "TCS-BIN", 0x7: "TCS-BIN-CORDLESS", 0xf: "BNEP", 0x11: "HID-Control",
	0x13: "HID-Interrupt", 0x15: "UPnP", 0x17: "AVCTP-Control",
	0x19: "AVDTP", 0x1b: "AVCTP-Browsing", 0x1d: "UDI_C-Plane", 0x1f: "ATT", 0x21: "3DSP", 0x23: "IPSP", 0x25: "OTS",
}

var signals = dissect.Values{
	0x1: "Command Reject", 0x2: "Connection Request", 0x3: "Connection Response", 0x4: "Configure Request",
	0x5: "Configure Response", 0x6: "Disconnection Request",
	0x7: "Disconnection Response", 0x8: "Echo Request", 0x9: "Echo Response", 0xa: "Information Request",
	0xb: "Information Response", 0xc: "Create Channel Request",
	0xd: "Create Channel Response", 0xe: "Move Channel Request", 0xf: "Move Channel Response",
	0x10: "Move Channel Confirmation", 0x11: "Move Channel Confirmation Response",
	0x12: "Connection Parameter Update Request", 0x13: "Connection Parameter Update Response",
	0x14: "LE Credit Based Connection Request",
	0x15: "LE Credit Based Connection Response", 0x16: "LE Flow Control Credit",
}

var groups = dissect.Values{
	0x1: "Link Control Commands", 0x2: "Link Policy Commands", 0x3: "Host Controller & Baseband Commands",
	0x4: "Informational Parameters", 0x5: "Status Parameters",
	0x6: "Testing Commands", 0x8: "LE Controller Commands", 0x3e: "Bluetooth Logo Testing Commands",
	0x3f: "Vendor-Specific Commands",
}
