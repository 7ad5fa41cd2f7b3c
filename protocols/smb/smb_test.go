package smb_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds sessions of smbclient with Samba between two network namespaces, of several versions, over NetBIOS
// and without, and an encrypted one. The values are what tshark 4.0 prints for them.
const file = "testdata/files.pcap"

// older holds sessions of version 1, of smbclient and rpcclient.
const older = "testdata/old.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 66)
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), older), 66+33)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 4, Field: "info", Want: "Negotiate Protocol Request"},
		{Frame: 4, Field: "smb.flags2.long_names_used", Want: "Set"},
		{Frame: 6, Field: "smb2.dialect", Want: "SMB2 wildcard (0x02ff)"},
		{Frame: 6, Field: "smb2.server_guid", Want: "736d6572-7672-0000-0000-000000000000"},
		{Frame: 6, Field: "smb2.capabilities", Want: "0x00000007 (DFS, LEASING, LARGE MTU)"},
		{Frame: 8, Field: "smb2.response_in", Want: "9"},
		{Frame: 8, Field: "smb2.negotiate_context.hash_algorithm", Want: "SHA-512 (0x0001)"},
		{Frame: 9, Field: "smb2.response_to", Want: "8"},
		{Frame: 11, Field: "info", Want: "Session Setup Response, Error: STATUS_MORE_PROCESSING_REQUIRED, NTLMSSP_CHALLENGE"},
		{Frame: 11, Field: "ntlmssp.challenge.target_name", Want: "REMSRV"},
		{Frame: 12, Field: "info", Want: `Session Setup Request, NTLMSSP_AUTH, User: WG\root`},
		{Frame: 12, Field: "ntlmssp.auth.hostname", Want: "REMSRV"},
		{Frame: 20, Field: "info", Want: `Tree Connect Request Tree: \\10.77.0.2\pub`},
		{Frame: 25, Field: "smb2.filename", Want: ".,..,a.txt,big.bin"},
		{Frame: 25, Field: "smb2.eof", Want: "0,0,6,70000"},
		{Frame: 11, Field: "smb2.auth_frame", Want: "13"}, // a later frame
		{Frame: 13, Field: "smb2.auth_frame", Want: "13"},
		{Frame: 15, Field: "smb2.tcon_frame", Want: "15"},
		{Frame: 16, Field: "smb.file", Want: `\10.77.0.2\pub`},
		{Frame: 39, Field: "smb2.mode_info", Want: "0x00000020"},
		{Frame: 39, Field: "smb.access.read", Want: "Set"},
		{Frame: 11, Field: "ntlmssp.challenge.target_info.item.type",
			Want: "NetBIOS domain name (0x0002),NetBIOS computer name (0x0001),DNS domain name (0x0004),DNS computer name " +
				"(0x0003),Timestamp (0x0007),End of list (0x0000)"},
		{Frame: 27, Field: "info",
			Want: "Find Response, Error: STATUS_NO_MORE_FILES SMB2_FIND_ID_BOTH_DIRECTORY_INFO Pattern: *"},
	})
}

// Files and shares are known by their numbers after they were opened.
func TestFiles(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 36, Field: "info", Want: "Create Request File: a.txt"},
		{Frame: 36, Field: "smb2.tree", Want: `\\10.77.0.2\pub`},
		{Frame: 37, Field: "smb2.create.action", Want: "The file existed and was opened (1)"},
		{Frame: 38, Field: "info", Want: "GetInfo Request FILE_INFO/SMB2_FILE_ALL_INFO File: a.txt"},
		{Frame: 37, Field: "dcerpc.nt.open_frame", Want: "37"},
		{Frame: 44, Field: "dcerpc.nt.open_frame", Want: "37"},
		{Frame: 40, Field: "info", Want: "Read Request Len:6 Off:0 File: a.txt"},
		{Frame: 41, Field: "smb2.nt_status", Want: "STATUS_PENDING (0x00000103)"},
		{Frame: 42, Field: "smb2.read_data", Want: "68656c6c6f0a"},
		{Frame: 44, Field: "info", Want: "Close Request File: a.txt"},
		{Frame: 52, Field: "info", Want: "SetInfo Request FILE_INFO/SMB2_FILE_RENAME_INFO File: a.txt NewName:b.txt"},
	})
}

// What version 1 says of shares, files and pipes.
func TestOld(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), older)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 12, Field: "info", Want: `Tree Connect AndX Request, Path: \\192.0.2.2\IPC$`},
		{Frame: 24, Field: "info", Want: `NT Create AndX Request, Path: \letter.txt`},
		{Frame: 25, Field: "info", Want: "NT Create AndX Response, FID: 0x1404"},
		{Frame: 28, Field: "info", Want: "Read AndX Request, FID: 0x1404, 6 bytes at offset 0"},
		{Frame: 29, Field: "info", Want: "Read AndX Response, FID: 0x1404, 6 bytes"},
		{Frame: 31, Field: "smb.fid", Want: "0x1404"},
		{Frame: 61, Field: "smb.nt_status", Want: "STATUS_OBJECT_NAME_NOT_FOUND (0xc0000034)"},
		{Frame: 82, Field: "info", Want: "Bind: call_id: 1, Fragment: Single, 1 context items: SRVSVC V3.0 (32bit NDR)"},
	})
}

// TestAsked says what version 1 asks of files and file systems, as tshark does.
func TestAsked(t *testing.T) {
	dissecttest.Check(t, dissecttest.Load(t, protocols.All(), older), []dissecttest.Row{
		{Frame: 14, Field: "info", Want: `Trans2 Request, GET_DFS_REFERRAL, File: \192.0.2.2\share`},
		{Frame: 20, Field: "info", Want: `Trans2 Request, FIND_FIRST2, Pattern: \*`},
		{Frame: 22, Field: "info", Want: "Trans2 Request, QUERY_FS_INFO, Query Full FS Size Info"},
		{Frame: 26, Field: "info", Want: "Trans2 Request, QUERY_FILE_INFO, FID: 0x1404, Query File All Info"},
		{Frame: 40, Field: "info", Want: `Trans2 Request, QUERY_PATH_INFO, Query File Alt Name Info, Path: \letter.txt`},
	})
}

// FuzzSMB changes recorded files being read and written, and the proofs of NTLM in front.
func FuzzSMB(f *testing.F) { dissecttest.Fuzz(f, protocols.All(), file, older) }
