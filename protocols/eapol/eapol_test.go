package eapol_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Key (Message 1 of 4)"},
		{Frame: 2, Field: "info", Want: "Key (Message 2 of 4)"},
		{Frame: 3, Field: "info", Want: "Key (Message 3 of 4)"},
		{Frame: 4, Field: "info", Want: "Key (Message 4 of 4)"},
		{Frame: 5, Field: "info", Want: "Key (Group Message 1 of 2)"},
		{Frame: 6, Field: "info", Want: "Key (Group Message 2 of 2)"},
		{Frame: 13, Field: "info", Want: "Key (Request, Error)"},
		{Frame: 14, Field: "info", Want: "Key"},
		{Frame: 17, Field: "info", Want: "Start"},
		{Frame: 18, Field: "info", Want: "Logoff"},
		{Frame: 19, Field: "info", Want: "MKA"},
		{Frame: 20, Field: "info", Want: "Unknown Type (0x09)"},
		{Frame: 1, Field: "eapol.version", Want: "802.1X-2004 (2)"},
		{Frame: 14, Field: "eapol.version", Want: "802.1X-2001 (1)"},
		{Frame: 1, Field: "eapol.keydes.type", Want: "EAPOL RSN Key (2)"},
		{Frame: 7, Field: "eapol.keydes.type", Want: "EAPOL WPA Key (254)"},
		{Frame: 1, Field: "wlan_rsna_eapol.keydes.msgnr", Want: "1"},
		{Frame: 2, Field: "wlan_rsna_eapol.keydes.msgnr", Want: "2"},
		{Frame: 1, Field: "wlan_rsna_eapol.keydes.key_info", Want: "0x008a"},
		{Frame: 2, Field: "wlan_rsna_eapol.keydes.key_info", Want: "0x010a"},
		{Frame: 1, Field: "wlan_rsna_eapol.keydes.key_info.key_type", Want: "Pairwise Key"},
		{Frame: 5, Field: "wlan_rsna_eapol.keydes.key_info.key_type", Want: "Group Key"},
		{Frame: 1, Field: "wlan_rsna_eapol.keydes.mic", Want: "00000000000000000000000000000000"},
		{Frame: 2, Field: "wlan_rsna_eapol.keydes.mic", Want: "22222222222222222222222222222222"},
		{Frame: 1, Field: "wlan_rsna_eapol.keydes.data_len", Want: "22"},
		{Frame: 3, Field: "wlan_rsna_eapol.keydes.data_len", Want: "56"},
		{Frame: 1, Field: "wlan_rsna_eapol.keydes.data", Want: "dd14000fac04592da88096c461da246c69001e877f3d"},
		{Frame: 2, Field: "wlan_rsna_eapol.keydes.data", Want: "30140100000fac040100000fac040100000fac020000"},
		{Frame: 1, Field: "eapol.keydes.replay_counter", Want: "1"},
		{Frame: 3, Field: "eapol.keydes.replay_counter", Want: "2"},
		{Frame: 14, Field: "eapol.keydes.key_index.number", Want: "3"},
		{Frame: 14, Field: "eapol.keydes.key", Want: "4b4b4b4b4b4b4b4b4b4b4b4b4b"},
		{Frame: 14, Field: "eapol.keydes.key.generated_locally", Want: "False"},
		{Frame: 15, Field: "eapol.keydes.key.generated_locally", Want: "True"},
		{Frame: 16, Field: "eapol.keydes.body", Want: "616263"},
	}},
}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 14) }
