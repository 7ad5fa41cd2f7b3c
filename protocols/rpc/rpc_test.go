package rpc_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds calls of rpcinfo, showmount and the tools of libnfs to rpcbind and NFS-Ganesha between two network
// namespaces, without the packets around them. The values are what tshark 4.0 prints for them.
const file = "testdata/nfs.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 68)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "V4 GETADDR Call (Reply In 2)"},
		{Frame: 1, Field: "rpc.reqframe", Want: "2"},
		{Frame: 1, Field: "portmap.rpcb.addr", Want: "10.77.0.2.0.111"},
		{Frame: 2, Field: "rpc.repframe", Want: "1"},
		{Frame: 3, Field: "rpc.program", Want: "Portmap (100000)"},
		{Frame: 14, Field: "info", Want: "V2 GETPORT Call (Reply In 15) MOUNT(100005) V:3 TCP"},
		{Frame: 14, Field: "rpc.auth.machinename", Want: "libnfs"},
		{Frame: 15, Field: "info", Want: "V2 GETPORT Reply (Call In 14) Port:45075"},
		{Frame: 18, Field: "info", Want: "V3 MNT Call (Reply In 19) /exp/"},
		{Frame: 19, Field: "nfs.fh.hash", Want: "0x6a7b41f7"},
		{Frame: 19, Field: "mount.flavor", Want: "AUTH_UNIX (1),AUTH_NULL (0)"},
		{Frame: 28, Field: "info", Want: "V3 FSINFO Call (Reply In 29), FH: 0x6a7b41f7"},
		{Frame: 29, Field: "nfs.fsinfo.rtmax", Want: "67108864"},
		{Frame: 31, Field: "info", Want: "V3 GETATTR Reply (Call In 30)  Directory mode: 0755 uid: 0 gid: 0"},
		{Frame: 31, Field: "nfs.mode3.wusr", Want: "Set"},
		{Frame: 31, Field: "nfs.mode3.wgrp", Want: "Not set"},
		{Frame: 29, Field: "nfs.dtime.nsec", Want: "100"},
		{Frame: 35, Field: "info", Want: "V3 READDIRPLUS Reply (Call In 34) . .. new4 dir ln f1"},
		{Frame: 58, Field: "info", Want: "V3 CREATE Call (Reply In 59), DH: 0x6a7b41f7/new3 Mode: GUARDED"},
		{Frame: 26, Field: "info", Want: "V3 NULL Call (Reply In 27)"},
		{Frame: 26, Field: "nfs.procedure_v3", Want: "NULL"},
		{Frame: 91, Field: "nfs.access_check", Want: "0x01"},
		{Frame: 126, Field: "nfs.mode", Want: "0755"},
		{Frame: 126, Field: "nfs.fattr4_owner", Want: "root@localdomain"},
		{Frame: 126, Field: "nfs.main_opcode", Want: "LOOKUP"},
		{Frame: 148, Field: "nfs.stateid.hash", Want: "0x095c"},
		{Frame: 153, Field: "info", Want: "V4 Call (Reply In 154) READ StateID: 0x07ab Offset: 0 Len: 5"},
		{Frame: 66, Field: "nfs.write.committed", Want: "UNSTABLE (0)"},
	})
}
