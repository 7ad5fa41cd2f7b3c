package eap_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of tshark 4.0,
// but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Request, Identity"},
		{Frame: 2, Field: "info", Want: "Response, Identity"},
		{Frame: 3, Field: "info", Want: "Request, Notification"},
		{Frame: 4, Field: "info", Want: "Response, Notification"},
		{Frame: 5, Field: "info", Want: "Response, Legacy Nak (Response Only)"},
		{Frame: 6, Field: "info", Want: "Request, Cisco Wireless EAP / Lightweight EAP (EAP-LEAP)"},
		{Frame: 7, Field: "info", Want: "Request, GSM Subscriber Identity Modules EAP (EAP-SIM)"},
		{Frame: 8, Field: "info", Want: "Request, UMTS Authentication and Key Agreement EAP (EAP-AKA)"},
		{Frame: 9, Field: "info", Want: "Request, Flexible Authentication via Secure Tunneling EAP (EAP-FAST)"},
		{Frame: 10, Field: "info", Want: "Request, Expanded Type"},
		{Frame: 11, Field: "info", Want: "Unknown code (0x09)"},
		{Frame: 12, Field: "info", Want: "Request, Unknown type (0xc8)"},
		{Frame: 13, Field: "info", Want: "Initiate"},
		{Frame: 14, Field: "info", Want: "Failure"},
		{Frame: 15, Field: "info", Want: "Request, Generic Token Card EAP (EAP-GTC)"},
		{Frame: 16, Field: "info", Want: "Response, MS-Authentication EAP (EAP-MS-AUTH)"},
		{Frame: 17, Field: "info", Want: "Request, MS-Authentication EAP (EAP-MS-AUTH)"},
		{Frame: 18, Field: "info", Want: "Request"},
		{Frame: 19, Field: "info", Want: "Request, MD5-Challenge EAP (EAP-MD5-CHALLENGE)"},
		{Frame: 1, Field: "eap.code", Want: "Request (1)"},
		{Frame: 2, Field: "eap.code", Want: "Response (2)"},
		{Frame: 1, Field: "eap.type", Want: "Identity (1)"},
		{Frame: 3, Field: "eap.type", Want: "Notification (2)"},
		{Frame: 1, Field: "eap.identity", Want: "Who are you?"},
		{Frame: 2, Field: "eap.identity", Want: "bob@example"},
		{Frame: 3, Field: "eap.notification", Want: "Maintenance"},
		{Frame: 5, Field: "eap.desired_type", Want: "TLS EAP (EAP-TLS) (13),Protected EAP (EAP-PEAP) (25),Tunneled TLS EAP (EAP-TTLS) (21)"},
		{Frame: 6, Field: "eap.leap.name", Want: "ap1"},
		{Frame: 7, Field: "eap.sim.subtype", Want: "Start (10)"},
		{Frame: 7, Field: "eap.sim.subtype.type", Want: "AT_VERSION_LIST (15),AT_ANY_ID_REQ (13)"},
		{Frame: 8, Field: "eap.aka.subtype.type", Want: "AT_RAND (1),AT_MAC (11)"},
		{Frame: 10, Field: "eap.ext.vendor_type", Want: "SimpleConfig (0x01)"},
		{Frame: 9, Field: "eap.fast.authority_id_data", Want: "41414141414141414141414141414141"},
		{Frame: 17, Field: "eap.ms_chap_v2.failure_request", Want: "E=691 R=0"},
	}},
	{"testdata/recorded.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Start"},
		{Frame: 2, Field: "info", Want: "Request, Identity"},
		{Frame: 3, Field: "info", Want: "Response, Identity"},
		{Frame: 4, Field: "info", Want: "Request, MD5-Challenge EAP (EAP-MD5-CHALLENGE)"},
		{Frame: 5, Field: "info", Want: "Response, MD5-Challenge EAP (EAP-MD5-CHALLENGE)"},
		{Frame: 6, Field: "info", Want: "Success"},
		{Frame: 10, Field: "info", Want: "Request, Tunneled TLS EAP (EAP-TTLS)"},
		{Frame: 11, Field: "info", Want: "Client Hello"},
		{Frame: 13, Field: "info", Want: "Response, Tunneled TLS EAP (EAP-TTLS)"},
		{Frame: 14, Field: "info", Want: "Server Hello, Certificate, Server Key Exchange, Server Hello Done"},
		{Frame: 15, Field: "info", Want: "Client Key Exchange, Change Cipher Spec, Encrypted Handshake Message"},
		{Frame: 16, Field: "info", Want: "Change Cipher Spec, Encrypted Handshake Message"},
		{Frame: 17, Field: "info", Want: "Application Data"},
		{Frame: 21, Field: "info", Want: "Request, Protected EAP (EAP-PEAP)"},
		{Frame: 24, Field: "info", Want: "Response, Protected EAP (EAP-PEAP)"},
		{Frame: 40, Field: "info", Want: "Request, TLS EAP (EAP-TLS)"},
		{Frame: 43, Field: "info", Want: "Response, TLS EAP (EAP-TLS)"},
		{Frame: 46, Field: "info", Want: "Server Hello, Certificate, Server Key Exchange, Certificate Request, Server Hello Done"},
		{Frame: 47, Field: "info", Want: "Certificate, Client Key Exchange, Certificate Verify, Change Cipher Spec, Encrypted Handshake Message"},
		{Frame: 54, Field: "info", Want: "Request, Generic Token Card EAP (EAP-GTC)"},
		{Frame: 55, Field: "info", Want: "Response, Generic Token Card EAP (EAP-GTC)"},
		{Frame: 58, Field: "info", Want: "Request, MS-Authentication EAP (EAP-MS-AUTH)"},
		{Frame: 59, Field: "info", Want: "Response, MS-Authentication EAP (EAP-MS-AUTH)"},
		{Frame: 63, Field: "info", Want: "Response, Legacy Nak (Response Only)"},
		{Frame: 2, Field: "eap.id", Want: "116"},
		{Frame: 4, Field: "eap.id", Want: "117"},
		{Frame: 4, Field: "eap.md5.value", Want: "fba378b66d8b0c9d55258a741ac5dfe0"},
		{Frame: 5, Field: "eap.md5.value", Want: "d6545c94522d01fe4c417593cb6f5ff8"},
		{Frame: 10, Field: "eap.tls.flags.more_fragments", Want: "False"},
		{Frame: 12, Field: "eap.tls.flags.more_fragments", Want: "True"},
		{Frame: 14, Field: "eap.tls.fragment", Want: "12,14"},
		{Frame: 25, Field: "eap.tls.fragment", Want: "23,25"},
		{Frame: 12, Field: "eap.tls.len", Want: "1186"},
		{Frame: 42, Field: "eap.tls.len", Want: "1272"},
		{Frame: 14, Field: "eap.tls.reassembled.len", Want: "1186"},
		{Frame: 46, Field: "eap.tls.reassembled.len", Want: "1272"},
		{Frame: 14, Field: "tls.handshake.ciphersuite", Want: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 (0xc030)"},
		{Frame: 58, Field: "eap.ms_chap_v2.opcode", Want: "Challenge (1)"},
		{Frame: 59, Field: "eap.ms_chap_v2.opcode", Want: "Response (2)"},
		{Frame: 60, Field: "eap.ms_chap_v2.message", Want: "S=6AEB7C3E5DEA669CF04465E17842FBDD9BA78355 M=OK"},
		{Frame: 58, Field: "eap.ms_chap_v2.name", Want: "hostapd"},
		{Frame: 59, Field: "eap.ms_chap_v2.name", Want: "mschap"},
	}},
}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }

func TestStandard(t *testing.T) { dissecttest.RunHex(t, protocols.All(), files) }

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 18) }
