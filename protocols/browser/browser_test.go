package browser_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The file holds datagrams of every command, put together from the specification; the values are what tshark 4.0
// prints.
var made = []dissecttest.HexRows{{Path: "testdata/neighbourhood.hex", Rows: []dissecttest.Row{
	{Frame: 1, Field: "info",
		Want: "Host Announcement BOB, Workstation, Server, Print Queue Server, Xenix Server, NT Workstation, NT Server, " +
			"Potential Browser, DFS server"},
	{Frame: 1, Field: "browser.comment", Want: "a machine"},
	{Frame: 1, Field: "mailslot.name", Want: `\MAILSLOT\BROWSE`},
	{Frame: 2, Field: "browser.command", Want: "Local Master Announcement (0x0f)"},
	{Frame: 3, Field: "info", Want: "Domain/Workgroup Announcement EXAMPLE, NT Workstation, Domain Enum"},
	{Frame: 3, Field: "browser.mb_server", Want: "BOB"},
	{Frame: 4, Field: "info", Want: "Request Announcement ALICE"},
	{Frame: 6, Field: "browser.backup.server", Want: "BOB,ALICE"},
	{Frame: 10, Field: "browser.election.desire.nt", Want: "Set"},
	{Frame: 11, Field: "info", Want: "Write Mail Slot"},
}}}

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), made, 28+82) }

func TestValues(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), made) }
