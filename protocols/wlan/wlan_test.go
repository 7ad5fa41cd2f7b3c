package wlan_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Beacon frame, SN=291, FN=0, Flags=........, BI=100, SSID=\"café net\""},
		{Frame: 2, Field: "info", Want: "Probe Request, SN=1, FN=0, Flags=........, SSID=Wildcard (Broadcast)"},
		{Frame: 3, Field: "info", Want: "Probe Response, SN=292, FN=0, Flags=........, BI=100, SSID=\"net\""},
		{Frame: 4, Field: "info", Want: "Authentication, SN=2, FN=0, Flags=........"},
		{Frame: 5, Field: "info", Want: "Authentication, SN=3, FN=0, Flags=....R..."},
		{Frame: 6, Field: "info", Want: "Association Request, SN=4, FN=0, Flags=........, SSID=\"net\""},
		{Frame: 7, Field: "info", Want: "Association Response, SN=5, FN=0, Flags=........"},
		{Frame: 8, Field: "info", Want: "Reassociation Request, SN=6, FN=0, Flags=........, SSID=\"net\""},
		{Frame: 9, Field: "info", Want: "Deauthentication, SN=7, FN=0, Flags=........"},
		{Frame: 10, Field: "info", Want: "Disassociate, SN=8, FN=0, Flags=........"},
		{Frame: 11, Field: "info", Want: "Action, SN=9, FN=0, Flags=........, Dialog Token=1"},
		{Frame: 12, Field: "info", Want: "Deauthentication, SN=10, FN=0, Flags=.p......"},
		{Frame: 13, Field: "info", Want: "Request-to-send, Flags=........"},
		{Frame: 14, Field: "info", Want: "Clear-to-send, Flags=........"},
		{Frame: 15, Field: "info", Want: "Acknowledgement, Flags=........"},
		{Frame: 16, Field: "info", Want: "Power-Save poll, Flags=........"},
		{Frame: 17, Field: "info", Want: "CF-End (Control-frame), Flags=........"},
		{Frame: 18, Field: "info", Want: "802.11 Block Ack Req, Flags=........"},
		{Frame: 19, Field: "info", Want: "802.11 Block Ack, Flags=........"},
		{Frame: 20, Field: "info", Want: "53 → 53 Len=0"},
		{Frame: 25, Field: "info", Want: "Null function (No data), SN=16, FN=0, Flags=...P...T"},
		{Frame: 26, Field: "info", Want: "QoS Null function (No data), SN=17, FN=0, Flags=...P...T"},
		{Frame: 28, Field: "info", Want: "Data, SN=19, FN=0, Flags=.p.....T"},
		{Frame: 29, Field: "info", Want: "Data, SN=20, FN=0, Flags=.p.....T"},
		{Frame: 30, Field: "info", Want: "QoS Data, SN=21, FN=0, Flags=.p.....T"},
		{Frame: 31, Field: "info", Want: "Key (Message 2 of 4)"},
		{Frame: 32, Field: "info", Want: "Data, SN=23, FN=1, Flags=.....M.T"},
		{Frame: 33, Field: "info", Want: "Beacon frame, SN=291, FN=0, Flags=........, BI=100"},
		{Frame: 34, Field: "info", Want: "S1G Beacon, Flags=........"},
		{Frame: 36, Field: "info", Want: "Control Wrapper, Flags=........"},
		{Frame: 37, Field: "info", Want: "[Malformed Packet]"},
		{Frame: 1, Field: "wlan.fc.type_subtype", Want: "Beacon frame (0x0008)"},
		{Frame: 2, Field: "wlan.fc.type_subtype", Want: "Probe Request (0x0004)"},
		{Frame: 1, Field: "wlan.fc", Want: "0x8000"},
		{Frame: 2, Field: "wlan.fc", Want: "0x4000"},
		{Frame: 1, Field: "wlan.bssid", Want: "02:00:00:00:00:01"},
		{Frame: 2, Field: "wlan.bssid", Want: "ff:ff:ff:ff:ff:ff"},
		{Frame: 20, Field: "wlan.staa", Want: "02:00:00:00:00:02"},
		{Frame: 22, Field: "wlan.staa", Want: "02:00:00:00:00:aa"},
		{Frame: 1, Field: "wlan.seq", Want: "291"},
		{Frame: 2, Field: "wlan.seq", Want: "1"},
		{Frame: 1, Field: "wlan.duration", Want: "44 microseconds"},
		{Frame: 16, Field: "wlan.aid", Want: "1"},
		{Frame: 23, Field: "wlan.qos.priority", Want: "Voice (Voice) (6)"},
		{Frame: 26, Field: "wlan.qos.priority", Want: "Best Effort (Best Effort) (0)"},
		{Frame: 1, Field: "wlan.fixed.capabilities", Want: "0x0431"},
		{Frame: 9, Field: "wlan.fixed.reason_code", Want: "Class 3 frame received from nonassociated STA (0x0007)"},
		{Frame: 10, Field: "wlan.fixed.reason_code",
			Want: "Disassociated because sending STA is leaving (or has left) BSS (0x0008)"},
		{Frame: 4, Field: "wlan.fixed.auth_seq", Want: "0x0001"},
		{Frame: 5, Field: "wlan.fixed.auth_seq", Want: "0x0002"},
		{Frame: 11, Field: "wlan.fixed.category_code", Want: "Block Ack (3)"},
		{Frame: 18, Field: "wlan.fixed.ssc.sequence", Want: "291"},
		{Frame: 19, Field: "wlan.ba.bm", Want: "ffffffffffffffff"},
		{Frame: 2, Field: "wlan.tag.number",
			Want: "SSID parameter set (0),Supported Rates (1),Extended Supported Rates (50),HT Capabilities (802.11n D1.10) " +
				"(45)"},
		{Frame: 3, Field: "wlan.tag.number", Want: "SSID parameter set (0),Supported Rates (1)"},
		{Frame: 1, Field: "wlan.ssid", Want: "636166c3a9206e6574"},
		{Frame: 3, Field: "wlan.ssid", Want: "6e6574"},
		{Frame: 1, Field: "wlan.supported_rates",
			Want: "1(B) (0x82),2(B) (0x84),5.5(B) (0x8b),11(B) (0x96),6 (0x0c),9 (0x12),12 (0x18),18 (0x24)"},
		{Frame: 1, Field: "wlan.ds.current_channel", Want: "6"},
		{Frame: 1, Field: "wlan.tim.dtim_period", Want: "3"},
		{Frame: 1, Field: "wlan.country_info.code", Want: "DE"},
		{Frame: 1, Field: "wlan.rsn.akms.type", Want: "PSK (2),SAE (SHA256) (8)"},
		{Frame: 31, Field: "wlan.rsn.akms.type", Want: "PSK (2)"},
		{Frame: 1, Field: "wlan.rsn.pcs.type", Want: "TKIP (2),AES (CCM) (4)"},
		{Frame: 31, Field: "wlan.rsn.pcs.type", Want: "AES (CCM) (4)"},
		{Frame: 1, Field: "wlan.ht.capabilities.short40", Want: "Supported"},
		{Frame: 28, Field: "wlan.wep.iv", Want: "0x010203"},
		{Frame: 29, Field: "wlan.tkip.extiv", Want: "0x060504030102"},
		{Frame: 12, Field: "wlan.ccmp.extiv", Want: "0x060504030201"},
		{Frame: 31, Field: "wlan_rsna_eapol.keydes.msgnr", Want: "2"},
		{Frame: 20, Field: "ip.dst", Want: "10.0.0.2"},
		{Frame: 27, Field: "ip.dst", Want: "10.0.0.2,10.0.0.2"},
		{Frame: 27, Field: "wlan.aggregate.a_mdsu.length", Want: "36,36"},
	}},
}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 2) }
