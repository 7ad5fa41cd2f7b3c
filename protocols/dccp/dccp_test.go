package dccp_test

import (
	"encoding/hex"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/dccp"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
)

// packets are a handshake, data and a reset between 10.0.0.1:4000 and 10.0.0.2:5000.
var packets = []string{
	// Request with the options Timestamp and Change L, service NPMP
	"4500003c00000000402100000a0000010a000002" + "0fa013880a000000010000000000006" + "4" + "6e706d70" +
		"2906000000072004010" + "2" + "00000000000000000000",
	// Response: it acknowledges the request
	"4500003000000000402100000a0000020a000001" + "13880fa00700000003000000000003e8" + "000000000000" + "0064" + "6e706d70",
	// DataAck with short numbers, and four bytes of data
	"4500002800000000402100000a0000010a000002" + "0fa0138804000000080000650000" + "03e8" + "01020304",
	// Reset, closed
	"4500003000000000402100000a0000010a000002" + "0fa01388070000000f00000000000066" + "00000000000003e8" + "01000000",
}

func TestConnection(t *testing.T) {
	var made [][]byte
	for _, p := range packets {
		b, err := hex.DecodeString(p)
		if err != nil {
			t.Fatal(err)
		}
		b[3] = byte(len(b))
		made = append(made, b)
	}
	s := dissecttest.Session(t, []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), dccp.Plugin(), data.Plugin()},
		101,
		dissecttest.Packets(made...))
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "4000 → 5000 [Request] Seq=100 (service=NPMP: NetPerfMeter Data)"},
		{1, "dccp.timestamp", "7"}, {1, "dccp.feature_number", "Congestion Control ID (CCID) (1)"},
		{1, "dccp.checksum.status", "Bad"},
		{2, "info", "5000 → 4000 [Response] Seq=1000 (Ack=0) (service=NPMP: NetPerfMeter Data)"},
		{3, "info", "4000 → 5000 [DataAck] Seq=1 (Ack=0)"}, {3, "data.len", "4"}, {3, "dccp.stream", "0"},
		{4, "info", "4000 → 5000 [Reset] Seq=2 (Ack=0) (code=Closed)"}, {4, "dccp.seq_raw", "102"},
	})
}
