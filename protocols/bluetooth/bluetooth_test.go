package bluetooth_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of tshark 4.0,
// but for what only one of the two reads.
var files = []struct {
	path string
	rows []dissecttest.Row
}{
	{"testdata/directions.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Sent Reset"},
		{Frame: 2, Field: "info", Want: "Rcvd Command Complete (Reset)"},
		{Frame: 3, Field: "info", Want: "Sent Inquiry"},
		{Frame: 4, Field: "info", Want: "Rcvd Command Status (Inquiry)"},
		{Frame: 5, Field: "info", Want: "Sent Create Connection"},
		{Frame: 6, Field: "info", Want: "Rcvd Connect Complete"},
		{Frame: 7, Field: "info", Want: "Sent Disconnect"},
		{Frame: 8, Field: "info", Want: "Rcvd Disconnect Complete"},
		{Frame: 9, Field: "info", Want: "Rcvd Number of Completed Packets"},
		{Frame: 10, Field: "info", Want: "Sent Change Local Name"},
		{Frame: 11, Field: "info", Want: "Sent Read Local Version Information"},
		{Frame: 12, Field: "info", Want: "Rcvd Command Complete (Read Local Version Information)"},
		{Frame: 13, Field: "info", Want: "Sent Read BD ADDR"},
		{Frame: 14, Field: "info", Want: "Rcvd Command Complete (Read BD ADDR)"},
		{Frame: 15, Field: "info", Want: "Sent LE Set Scan Parameters"},
		{Frame: 16, Field: "info", Want: "Sent LE Set Scan Enable"},
		{Frame: 17, Field: "info", Want: "Rcvd LE Meta (LE Advertising Report)"},
		{Frame: 18, Field: "info", Want: "Rcvd LE Meta (LE Connection Complete)"},
		{Frame: 19, Field: "info", Want: "Sent LE Create Connection"},
		{Frame: 20, Field: "info", Want: "Rcvd Inquiry Result"},
		{Frame: 21, Field: "info", Want: "Rcvd Remote Name Request Complete"},
		{Frame: 22, Field: "info", Want: "Rcvd Inquiry Complete"},
		{Frame: 23, Field: "info", Want: "Rcvd Vendor-Specific"},
		{Frame: 24, Field: "info", Want: "Sent Vendor Command 0xfc01"},
		{Frame: 25, Field: "info", Want: "Sent Unknown 0x3fff"},
		{Frame: 26, Field: "info", Want: "Rcvd Unknown 0x77"},
		{Frame: 27, Field: "info", Want: "Rcvd Encryption Change"},
		{Frame: 28, Field: "info", Want: "Sent Connection Request (SDP, SCID: 0x0040)"},
		{Frame: 29, Field: "info", Want: "Rcvd Connection Response - Success (SCID: 0x0040, DCID: 0x0050)"},
		{Frame: 30, Field: "info", Want: "Sent Information Request (Extended Features Mask)"},
		{Frame: 31, Field: "info", Want: "Sent Attribute Protocol (0x0004)"},
		{Frame: 32, Field: "info", Want: "Rcvd Dynamically Allocated Channel (0x0040)"},
		{Frame: 34, Field: "info", Want: "Rcvd ACL"},
		{Frame: 35, Field: "info", Want: "Sent Security Manager Protocol (0x0006)"},
		{Frame: 36, Field: "info", Want: "Sent Connection Parameter Update Request"},
		{Frame: 37, Field: "info", Want: "Sent SCO - Correctly Received Data"},
		{Frame: 38, Field: "info", Want: "Sent ISO"},
		{Frame: 39, Field: "info", Want: "Sent Unknown HCI packet type 0x09"},
		{Frame: 40, Field: "info", Want: "Sent Disconnection Request (SCID: 0x0050, DCID: 0x0040)"},
		{Frame: 41, Field: "info", Want: "Sent Command Reject"},
		{Frame: 42, Field: "info", Want: "Rcvd Configure Request (DCID: 0x0040)"},
		{Frame: 43, Field: "info", Want: "Rcvd Connectionless Channel (0x0002)"},
		{Frame: 44, Field: "info", Want: "Rcvd HCI Event"},
		{Frame: 45, Field: "info", Want: "Sent ACL"},
		{Frame: 1, Field: "hci_h4.direction", Want: "Sent"},
		{Frame: 2, Field: "hci_h4.direction", Want: "Rcvd"},
		{Frame: 1, Field: "hci_h4.type", Want: "HCI Command (0x01)"},
		{Frame: 2, Field: "hci_h4.type", Want: "HCI Event (0x04)"},
		{Frame: 1, Field: "bthci_cmd.opcode", Want: "Reset (0x0c03)"},
		{Frame: 3, Field: "bthci_cmd.opcode", Want: "Inquiry (0x0401)"},
		{Frame: 1, Field: "bthci_cmd.opcode.ogf", Want: "Host Controller & Baseband Commands (0x03)"},
		{Frame: 3, Field: "bthci_cmd.opcode.ogf", Want: "Link Control Commands (0x01)"},
		{Frame: 1, Field: "bthci_cmd.opcode.ocf", Want: "0x003"},
		{Frame: 3, Field: "bthci_cmd.opcode.ocf", Want: "0x001"},
		{Frame: 5, Field: "bthci_cmd.bd_addr", Want: "01:02:03:04:05:06"},
		{Frame: 19, Field: "bthci_cmd.bd_addr", Want: "00:00:00:00:00:00"},
		{Frame: 3, Field: "bthci_cmd.lap", Want: "0x9e8b33"},
		{Frame: 10, Field: "bthci_cmd.device_name", Want: "name"},
		{Frame: 16, Field: "bthci_cmd.le_scan_enable", Want: "true (0x01)"},
		{Frame: 2, Field: "bthci_evt.code", Want: "Command Complete (0x0e)"},
		{Frame: 4, Field: "bthci_evt.code", Want: "Command Status (0x0f)"},
		{Frame: 2, Field: "bthci_evt.opcode", Want: "Reset (0x0c03)"},
		{Frame: 4, Field: "bthci_evt.opcode", Want: "Inquiry (0x0401)"},
		{Frame: 2, Field: "bthci_evt.status", Want: "Success (0x00)"},
		{Frame: 6, Field: "bthci_evt.bd_addr", Want: "01:02:03:04:05:06"},
		{Frame: 6, Field: "bthci_evt.connection_handle", Want: "0x002a"},
		{Frame: 18, Field: "bthci_evt.connection_handle", Want: "0x0040"},
		{Frame: 12, Field: "bthci_evt.lmp_vers_nr", Want: "0x09"},
		{Frame: 17, Field: "bthci_evt.le_meta_subevent", Want: "LE Advertising Report (0x02)"},
		{Frame: 18, Field: "bthci_evt.le_meta_subevent", Want: "LE Connection Complete (0x01)"},
		{Frame: 17, Field: "bthci_evt.rssi", Want: "-56 dBm"},
		{Frame: 21, Field: "bthci_evt.remote_name", Want: "peer"},
		{Frame: 28, Field: "bthci_acl.chandle", Want: "0x02a"},
		{Frame: 28, Field: "bthci_acl.pb_flag", Want: "First Non-automatically Flushable Packet (0)"},
		{Frame: 29, Field: "bthci_acl.pb_flag", Want: "First Automatically Flushable Packet (2)"},
		{Frame: 28, Field: "btl2cap.cid", Want: "L2CAP Signaling Channel (0x0001)"},
		{Frame: 31, Field: "btl2cap.cid", Want: "Attribute Protocol (0x0004)"},
		{Frame: 28, Field: "btl2cap.cmd_code", Want: "Connection Request (0x02)"},
		{Frame: 29, Field: "btl2cap.cmd_code", Want: "Connection Response (0x03)"},
		{Frame: 28, Field: "btl2cap.psm", Want: "SDP (0x0001)"},
		{Frame: 43, Field: "btl2cap.psm", Want: "RFCOMM (0x0003)"},
		{Frame: 28, Field: "btl2cap.scid", Want: "Dynamically Allocated Channel (0x0040)"},
		{Frame: 40, Field: "btl2cap.scid", Want: "Dynamically Allocated Channel (0x0050)"},
		{Frame: 37, Field: "bthci_sco.packet_status", Want: "Correctly Received Data (0x0)"},
	}},
	{"testdata/h4.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "UnknownDirection Reset"},
		{Frame: 2, Field: "info", Want: "UnknownDirection Command Complete (Reset)"},
		{Frame: 3, Field: "info", Want: "UnknownDirection Inquiry"},
		{Frame: 4, Field: "info", Want: "UnknownDirection Command Status (Inquiry)"},
		{Frame: 5, Field: "info", Want: "UnknownDirection Create Connection"},
		{Frame: 6, Field: "info", Want: "UnknownDirection Connect Complete"},
		{Frame: 7, Field: "info", Want: "UnknownDirection Disconnect"},
		{Frame: 8, Field: "info", Want: "UnknownDirection Disconnect Complete"},
		{Frame: 9, Field: "info", Want: "UnknownDirection Number of Completed Packets"},
		{Frame: 10, Field: "info", Want: "UnknownDirection Change Local Name"},
		{Frame: 11, Field: "info", Want: "UnknownDirection Read Local Version Information"},
		{Frame: 12, Field: "info", Want: "UnknownDirection Command Complete (Read Local Version Information)"},
		{Frame: 13, Field: "info", Want: "UnknownDirection Read BD ADDR"},
		{Frame: 14, Field: "info", Want: "UnknownDirection Command Complete (Read BD ADDR)"},
		{Frame: 15, Field: "info", Want: "UnknownDirection LE Set Scan Parameters"},
		{Frame: 16, Field: "info", Want: "UnknownDirection LE Set Scan Enable"},
		{Frame: 17, Field: "info", Want: "UnknownDirection LE Meta (LE Advertising Report)"},
		{Frame: 18, Field: "info", Want: "UnknownDirection LE Meta (LE Connection Complete)"},
		{Frame: 19, Field: "info", Want: "UnknownDirection LE Create Connection"},
		{Frame: 20, Field: "info", Want: "UnknownDirection Inquiry Result"},
		{Frame: 21, Field: "info", Want: "UnknownDirection Remote Name Request Complete"},
		{Frame: 22, Field: "info", Want: "UnknownDirection Inquiry Complete"},
		{Frame: 23, Field: "info", Want: "UnknownDirection Vendor-Specific"},
		{Frame: 24, Field: "info", Want: "UnknownDirection Vendor Command 0xfc01"},
		{Frame: 25, Field: "info", Want: "UnknownDirection Unknown 0x3fff"},
		{Frame: 26, Field: "info", Want: "UnknownDirection Unknown 0x77"},
		{Frame: 27, Field: "info", Want: "UnknownDirection Encryption Change"},
		{Frame: 28, Field: "info", Want: "UnknownDirection Connection Request (SDP, SCID: 0x0040)"},
		{Frame: 29, Field: "info", Want: "UnknownDirection Connection Response - Success (SCID: 0x0040, DCID: 0x0050)"},
		{Frame: 30, Field: "info", Want: "UnknownDirection Information Request (Extended Features Mask)"},
		{Frame: 31, Field: "info", Want: "UnknownDirection Attribute Protocol (0x0004)"},
		{Frame: 32, Field: "info", Want: "UnknownDirection Dynamically Allocated Channel (0x0040)"},
		{Frame: 34, Field: "info", Want: "UnknownDirection ACL"},
		{Frame: 35, Field: "info", Want: "UnknownDirection Security Manager Protocol (0x0006)"},
		{Frame: 36, Field: "info", Want: "UnknownDirection Connection Parameter Update Request"},
		{Frame: 37, Field: "info", Want: "UnknownDirection SCO - Correctly Received Data"},
		{Frame: 38, Field: "info", Want: "UnknownDirection ISO"},
		{Frame: 39, Field: "info", Want: "UnknownDirection Unknown HCI packet type 0x09"},
		{Frame: 40, Field: "info", Want: "UnknownDirection Disconnection Request (SCID: 0x0050, DCID: 0x0040)"},
		{Frame: 41, Field: "info", Want: "UnknownDirection Command Reject"},
		{Frame: 42, Field: "info", Want: "UnknownDirection Configure Request (DCID: 0x0040)"},
		{Frame: 43, Field: "info", Want: "UnknownDirection Connectionless Channel (0x0002)"},
		{Frame: 44, Field: "info", Want: "UnknownDirection HCI Event"},
		{Frame: 2, Field: "bthci_evt.code", Want: "Command Complete (0x0e)"},
		{Frame: 4, Field: "bthci_evt.code", Want: "Command Status (0x0f)"},
		{Frame: 28, Field: "btl2cap.length", Want: "8"},
		{Frame: 29, Field: "btl2cap.length", Want: "12"},
	}},
}

func TestPackets(t *testing.T) {
	for _, f := range files {
		link, made := dissecttest.HexFile(t, f.path)
		s := dissecttest.Session(t, protocols.All(), link, made)
		dissecttest.Owned(t, s)
		dissecttest.Check(t, s, f.rows)
	}
}

func TestStandard(t *testing.T) {
	for _, f := range files {
		dissecttest.Run(t, protocols.All(), dissecttest.HexPcap(t, f.path))
	}
}

func TestHostile(t *testing.T) {
	for _, f := range files {
		link, made := dissecttest.HexFile(t, f.path)
		dissecttest.Mutations(t, protocols.All(), dissecttest.Session(t, protocols.All(), link, made), 5)
	}
}
