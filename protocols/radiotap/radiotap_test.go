package radiotap_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Clear-to-send, Flags=........C"},
		{Frame: 3, Field: "info", Want: "53 → 53 Len=0"},
		{Frame: 4, Field: "info", Want: "Clear-to-send, Flags=........"},
		{Frame: 10, Field: "info", Want: "6 bytes"},
		{Frame: 14, Field: "info", Want: "Beacon frame, SN=2431, FN=0, Flags=........C, BI=100, SSID=\"Wi2\""},
		{Frame: 15, Field: "info", Want: "Who has 140.180.51.68? Tell 169.254.247.0"},
		{Frame: 16, Field: "info", Want: "Action, SN=432, FN=0, Flags=........C"},
		{Frame: 17, Field: "info", Want: "Acknowledgement, Flags=........C"},
		{Frame: 18, Field: "info", Want: "Who has 67.8.14.54? Tell 169.254.247.0"},
		{Frame: 19, Field: "info", Want: "DHCP Discover - Transaction ID 0x131f8c43"},
		{Frame: 20, Field: "info", Want: "QoS Data, SN=3505, FN=0, Flags=.p.....TC"},
		{Frame: 21, Field: "info", Want: "QoS Data, SN=3036, FN=0, Flags=op..R..T"},
		{Frame: 23, Field: "info", Want: "Null function (No data), SN=2855, FN=0, Flags=...P...TC"},
		{Frame: 1, Field: "radiotap.length", Want: "28"},
		{Frame: 2, Field: "radiotap.length", Want: "9"},
		{Frame: 1, Field: "radiotap.mactime", Want: "1000"},
		{Frame: 13, Field: "radiotap.mactime", Want: "20604983"},
		{Frame: 1, Field: "radiotap.flags.fcs", Want: "True"},
		{Frame: 3, Field: "radiotap.flags.fcs", Want: "False"},
		{Frame: 1, Field: "radiotap.datarate", Want: "1"},
		{Frame: 13, Field: "radiotap.datarate", Want: "24"},
		{Frame: 1, Field: "radiotap.channel.freq", Want: "2437"},
		{Frame: 13, Field: "radiotap.channel.freq", Want: "5240"},
		{Frame: 1, Field: "radiotap.channel.flags.5ghz", Want: "False"},
		{Frame: 13, Field: "radiotap.channel.flags.5ghz", Want: "True"},
		{Frame: 1, Field: "radiotap.dbm_antsignal", Want: "-40 dBm"},
		{Frame: 4, Field: "radiotap.dbm_antsignal", Want: "-50 dBm,-51 dBm"},
		{Frame: 1, Field: "radiotap.antenna", Want: "1"},
		{Frame: 4, Field: "radiotap.antenna", Want: "0"},
		{Frame: 6, Field: "radiotap.mcs.index", Want: "7"},
		{Frame: 20, Field: "radiotap.mcs.index", Want: "12"},
		{Frame: 6, Field: "radiotap.ampdu.reference", Want: "7"},
		{Frame: 20, Field: "radiotap.ampdu.reference", Want: "3505"},
		{Frame: 7, Field: "radiotap.xchannel.channel", Want: "36"},
		{Frame: 20, Field: "radiotap.xchannel.channel", Want: "48"},
		{Frame: 1, Field: "wlan_radio.channel", Want: "6"},
		{Frame: 7, Field: "wlan_radio.channel", Want: "36"},
		{Frame: 1, Field: "wlan_radio.snr", Want: "55 dB"},
		{Frame: 13, Field: "wlan_radio.snr", Want: "13 dB"},
		{Frame: 1, Field: "wlan_radio.signal_dbm", Want: "-40 dBm"},
		{Frame: 4, Field: "wlan_radio.signal_dbm", Want: "-51 dBm"},
		{Frame: 1, Field: "wlan_radio.phy", Want: "802.11b (HR/DSSS) (4)"},
		{Frame: 1, Field: "wlan_radio.duration", Want: "304µs"},
		{Frame: 1, Field: "wlan_radio.preamble", Want: "192µs"},
		{Frame: 14, Field: "wlan_radio.phy", Want: "802.11g (ERP) (6)"},
		{Frame: 14, Field: "wlan_radio.duration", Want: "320µs"},
		{Frame: 18, Field: "wlan_radio.phy", Want: "802.11a (OFDM) (5)"},
		{Frame: 18, Field: "wlan_radio.start_tsf", Want: "622463694µs"},
		{Frame: 18, Field: "wlan_radio.ifs", Want: "-16294344µs"},
		{Frame: 20, Field: "wlan_radio.phy", Want: "802.11n (HT) (7)"},
		{Frame: 20, Field: "wlan_radio.duration", Want: ""},
		{Frame: 1, Field: "wlan.fcs.status", Want: "Good"},
		{Frame: 2, Field: "wlan.fcs.status", Want: "Bad"},
		{Frame: 14, Field: "wlan.ssid", Want: "576932"},
		{Frame: 15, Field: "arp.dst.proto_ipv4", Want: "140.180.51.68"},
		{Frame: 18, Field: "arp.dst.proto_ipv4", Want: "67.8.14.54"},
	}},
}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 8) }
