package sctp_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "INIT"},
		{Frame: 2, Field: "info", Want: "INIT_ACK"},
		{Frame: 3, Field: "info", Want: "COOKIE_ECHO DATA (TSN=0)"},
		{Frame: 4, Field: "info", Want: "COOKIE_ACK SACK (Ack=0, Arwnd=62458)"},
		{Frame: 5, Field: "info", Want: "DATA (TSN=1)"},
		{Frame: 6, Field: "info", Want: "SACK (Ack=1, Arwnd=62464)"},
		{Frame: 7, Field: "info", Want: "SHUTDOWN"},
		{Frame: 8, Field: "info", Want: "SHUTDOWN_ACK"},
		{Frame: 9, Field: "info", Want: "SHUTDOWN_COMPLETE"},
		{Frame: 13, Field: "info", Want: "COOKIE_ACK SACK (Ack=0+5, Arwnd=65000)"},
		{Frame: 14, Field: "info", Want: "DATA (TSN=1) (Message Fragment) DATA (TSN=2) (Message Fragment) DATA (TSN=3)"},
		{Frame: 15, Field: "info", Want: "HEARTBEAT"},
		{Frame: 16, Field: "info", Want: "HEARTBEAT_ACK"},
		{Frame: 17, Field: "info", Want: "ERROR"},
		{Frame: 18, Field: "info", Want: "ABORT"},
		{Frame: 23, Field: "info", Want: "ECNE CWR"},
		{Frame: 24, Field: "info", Want: "AUTH ASCONF"},
		{Frame: 25, Field: "info", Want: "ASCONF_ACK"},
		{Frame: 26, Field: "info", Want: "RE_CONFIG"},
		{Frame: 27, Field: "info", Want: "FORWARD_TSN"},
		{Frame: 28, Field: "info", Want: "PAD RESERVED"},
		{Frame: 29, Field: "info", Want: "I_DATA (TSN=4) I_DATA (TSN=5) (Message Fragment)"},
		{Frame: 30, Field: "info", Want: "NR_SACK"},
		{Frame: 31, Field: "info", Want: "DATA"},
		{Frame: 35, Field: "info", Want: "SACK (Ack=4294966896, Arwnd=0)"},
		{Frame: 1, Field: "sctp.verification_tag", Want: "0x00000000"},
		{Frame: 2, Field: "sctp.verification_tag", Want: "0xb696b09e"},
		{Frame: 1, Field: "sctp.checksum.status", Want: "Good"},
		{Frame: 33, Field: "sctp.checksum.status", Want: "Bad"},
		{Frame: 1, Field: "sctp.chunk_type", Want: "INIT (1)"},
		{Frame: 2, Field: "sctp.chunk_type", Want: "INIT_ACK (2)"},
		{Frame: 1, Field: "sctp.init_initiate_tag", Want: "0xb696b09e"},
		{Frame: 10, Field: "sctp.init_initiate_tag", Want: "0x0000aaaa"},
		{Frame: 1, Field: "sctp.init_nr_in_streams", Want: "65535"},
		{Frame: 10, Field: "sctp.init_nr_in_streams", Want: "20"},
		{Frame: 2, Field: "sctp.initack_initial_tsn", Want: "2241376550"},
		{Frame: 11, Field: "sctp.initack_initial_tsn", Want: "500"},
		{Frame: 3, Field: "sctp.data_tsn", Want: "0"},
		{Frame: 5, Field: "sctp.data_tsn", Want: "1"},
		{Frame: 3, Field: "sctp.data_tsn_raw", Want: "3682951203"},
		{Frame: 5, Field: "sctp.data_tsn_raw", Want: "3682951204"},
		{Frame: 3, Field: "sctp.data_sid", Want: "0x0000"},
		{Frame: 12, Field: "sctp.data_sid", Want: "0x0001"},
		{Frame: 3, Field: "sctp.data_payload_proto_id", Want: "not specified (0)"},
		{Frame: 14, Field: "sctp.data_payload_proto_id", Want: "DIAMETER (46),DIAMETER (46),M3UA (3)"},
		{Frame: 3, Field: "sctp.data_b_bit", Want: "First segment"},
		{Frame: 14, Field: "sctp.data_b_bit", Want: "First segment,Subsequent segment,First segment"},
		{Frame: 4, Field: "sctp.sack_cumulative_tsn_ack", Want: "0"},
		{Frame: 6, Field: "sctp.sack_cumulative_tsn_ack", Want: "1"},
		{Frame: 13, Field: "sctp.sack_gap_block_start_tsn", Want: "2,5"},
		{Frame: 35, Field: "sctp.sack_gap_block_start_tsn", Want: "4294966898"},
		{Frame: 13, Field: "sctp.sack_duplicate_tsn", Want: "99"},
		{Frame: 1, Field: "sctp.parameter_type",
			Want: "Supported address types (0x000c),ECN (0x8000),Forward TSN supported (0xc000)"},
		{Frame: 2, Field: "sctp.parameter_type", Want: "State cookie (0x0007),ECN (0x8000),Forward TSN supported (0xc000)"},
		{Frame: 10, Field: "sctp.parameter_ipv4_address", Want: "10.0.0.1"},
		{Frame: 17, Field: "sctp.parameter_ipv4_address", Want: "1.2.3.4,1.2.3.4"},
		{Frame: 10, Field: "sctp.parameter_hostname", Want: "host.example"},
		{Frame: 18, Field: "sctp.cause_code", Want: "User initiated ABORT (0x000c)"},
		{Frame: 17, Field: "sctp.cause_missing_parameter_type", Want: "State cookie (0x0007),IPv4 address (0x0005)"},
		{Frame: 10, Field: "sctp.chunk_type_to_auth", Want: "ASCONF (193),ASCONF_ACK (128),DATA (0)"},
		{Frame: 24, Field: "sctp.correlation_id", Want: "0x00000001"},
		{Frame: 26, Field: "sctp.parameter_reconfig_sid", Want: "4,5"},
		{Frame: 29, Field: "sctp.data_mid", Want: "7,7"},
	}},
}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 46) }
