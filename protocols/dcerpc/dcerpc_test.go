package dcerpc_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The captures hold calls of Samba's rpcclient and net with Samba between two network namespaces: over TCP with the
// endpoint mapper, signed and encrypted, and over the pipes of SMB. The values are what tshark 4.0 prints for them.
const (
	overTCP   = "testdata/tcp.pcap"
	overPipes = "testdata/pipes.pcap"
)

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), overTCP), 66)
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), overPipes), 66+64)
}

func TestConnection(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), overTCP)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 5, Field: "info", Want: "Bind: call_id: 1, Fragment: Single, 1 context items: EPMv4 V3.0 (32bit NDR)"},
		{Frame: 5, Field: "dcerpc.cn_bind_to_uuid", Want: "e1af8308-5d1f-11c9-91a4-08002b14a0fa"},
		{Frame: 7, Field: "info",
			Want: "Bind_ack: call_id: 1, Fragment: Single, max_xmit: 4280 max_recv: 4280, 1 results: Acceptance"},
		{Frame: 7, Field: "dcerpc.cn_sec_addr", Want: "135"},
		{Frame: 21, Field: "info", Want: "NetSrvGetInfo request"},
		{Frame: 21, Field: "srvsvc.opnum", Want: "NetSrvGetInfo (21)"},
		{Frame: 43, Field: "info", Want: "Fault: call_id: 8, Fragment: Single, Ctx: 0, status: nca_s_fault_access_denied"},
		{Frame: 43, Field: "dcerpc.opnum", Want: "6"},
		{Frame: 43, Field: "dcerpc.request_in", Want: "42"},
		{Frame: 93, Field: "info", Want: `AUTH3: call_id: 1, Fragment: Single, NTLMSSP_AUTH, User: EXAMPLE\root`},
		{Frame: 93, Field: "dcerpc.auth_type", Want: "NTLMSSP (10)"},
		{Frame: 112, Field: "tcp.completeness", Want: "Incomplete (28)"},
		{Frame: 155, Field: "info", Want: "NetShareEnumAll request"},
		{Frame: 157, Field: "srvsvc.opnum", Want: "NetShareEnumAll (15)"},
		{Frame: 158, Field: "info", Want: "Request: call_id: 4, Fragment: Single, opnum: 15, Ctx: 0"},
	})
}

func TestPipes(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), overPipes)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 18, Field: "info", Want: "Bind: call_id: 1, Fragment: Single, 1 context items: SRVSVC V3.0 (32bit NDR)"},
		{Frame: 23, Field: "info", Want: "NetSrvGetInfo request"},
		{Frame: 24, Field: "info", Want: "NetSrvGetInfo response"},
		{Frame: 24, Field: "dcerpc.request_in", Want: "23,23"},
		{Frame: 31, Field: "info", Want: "NetShareEnumAll request"},
		// packets of both directions are missing in front of it
		{Frame: 33, Field: "dcerpc.pkt_type", Want: "Bind (11)"},
		{Frame: 35, Field: "dcerpc.cn_ack_result", Want: "Acceptance (0)"}, // the client had what is missing in front of it
	})
}

// Every interface, and the forms of packets that programs seldom send; most values are what tshark 4.0 prints for them.
func TestEvery(t *testing.T) {
	dissecttest.CheckHex(t, protocols.All(), []dissecttest.HexRows{{Path: "testdata/every.hex", Rows: []dissecttest.Row{
		{Frame: 10, Field: "info", Want: "NetrLogonUasLogon request"},
		{Frame: 38, Field: "info",
			Want: "Request: call_id: 34, Fragment: Single, opnum: 0, Ctx: 32 01020304-0506-0708-090a-0b0c0d0e0f10 V1"},
		{Frame: 42, Field: "wkssvc.stub_data", Want: "667261676d656e747321"},
		{Frame: 42, Field: "dcerpc.fragment", Want: "40,41,42"},
		{Frame: 43, Field: "dcerpc.obj_id", Want: "01020304-0506-0708-090a-0b0c0d0e0f10"},
		{Frame: 44, Field: "info", Want: "Fault: call_id: 91, Fragment: Single, Ctx: 21, status: nca_unk_if"},
		{Frame: 45, Field: "dcerpc.cn_bind_if_ver", Want: "3"},
		{Frame: 46, Field: "info", Want: "Bind_nak: call_id: 93, Fragment: Single reason: Protocol version not supported"},
		{Frame: 47, Field: "info", Want: "NetShareEnumAll request"},
	}}})
	dissecttest.MutateHex(t, protocols.All(), []dissecttest.HexRows{{Path: "testdata/every.hex"}}, 40)
}

// FuzzDCERPC changes recorded calls: over TCP, and over pipes of SMB.
func FuzzDCERPC(f *testing.F) { dissecttest.Fuzz(f, protocols.All(), overTCP, overPipes) }
