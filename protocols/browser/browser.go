// Package browser dissects how machines of Windows' neighbourhood learn of each other (MS-BRWS): datagrams to the mail
// slot BROWSE, with which they announce themselves and elect who keeps the list.
package browser

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("browser", "BROWSER",
	"Windows' neighbourhood: machines announce themselves and elect who keeps the list.").LittleEndian().
	Summary("Microsoft Windows Browser Protocol").Color(dissect.HueBlue)

var (
	fCommand = proto.Kind("command", "Command", commands, "What the datagram is.").Hex().Wordless()
	fCount   = proto.Uint8("update_count", "Update Count", "How often the machine announced itself.")
	fPeriod  = proto.Uint32("period", "Update Periodicity", "How often it does.").In("ms")
	fServer  = proto.String("server", "Server Name", "The machine, or its workgroup.")
	fMajor   = proto.Uint8("os_major", "OS Major Version", "Its system.")
	fMinor   = proto.Uint8("os_minor", "OS Minor Version", "Its system.")
	fType    = proto.FlagsUnder("server_type", "server_type", "Server Type", 4, serverTypes, "What it is.")
	fVersion = proto.Uint8("proto_major", "Browser Protocol Major Version", "The version of this protocol.")
	fVerLow  = proto.Uint8("proto_minor", "Browser Protocol Minor Version", "The version of this protocol.")
	fSign    = proto.Uint16("sig", "Signature", "Always 0xaa55.").Hex()
	fMystery = proto.Uint32("mysterious_field", "Mysterious Field", "In the announcement of a workgroup.").Hex().Unknown()
	fComment = proto.String("comment", "Host Comment", "What the machine says of itself.")
	fMaster  = proto.String("mb_server", "Master Browser Server Name", "Who keeps the list.")
	fUnused  = proto.Uint8("unused", "Unused flags", "Unused.").Hex()
	fAnswer  = proto.String("response_computer_name", "Response Computer Name", "Who wants to know.")

	fElection = proto.Uint8("election.version", "Election Version", "The form of the vote.")
	fCriteria = proto.Uint32("election.criteria", "Election Criteria", "The vote: the highest wins.").Hex()
	fDesire   = proto.Flags8("election.desire", "Election Desire", []dissect.Flag{
		{Name: "backup", Label: "Backup", Mask: 0x01, Doc: "The machine keeps a copy of the list."},
		{Name: "standby", Label: "Standby", Mask: 0x02, Doc: "It could keep one."},
		{Name: "master", Label: "Master", Mask: 0x04, Doc: "It keeps the list."},
		{Name: "domain_master", Label: "Domain Master", Mask: 0x08, Doc: "It keeps that of the domain."},
		{Name: "wins", Label: "WINS", Mask: 0x20, Doc: "It asks a server for names."},
		{Name: "nt", Label: "NT", Mask: 0x80, Doc: "It is a server of Windows NT."},
	}, "What the machine is, or wants to be.")
	fOS = proto.Flags8("election.os", "Election OS", []dissect.Flag{
		{Name: "wfw", Label: "WfW", Mask: 0x01, Doc: "Windows for Workgroups."},
		{Name: "ntw", Label: "NT Workstation", Mask: 0x10, Doc: "A workstation of Windows NT."},
		{Name: "nts", Label: "NT Server", Mask: 0x20, Doc: "A server of Windows NT."},
	}, "Its system.")
	fUptime = proto.Uint32("uptime", "Uptime", "How long the machine has run.").In("ms")
	fWanted = proto.Uint8("backup.count", "Backup List Requested Count",
		"How many machines with a copy of the list are wanted, or listed.")
	fToken   = proto.Uint32("backup.token", "Backup Request Token", "Joins request and response.")
	fBackup  = proto.String("backup.server", "Backup Server", "A machine with a copy of the list.")
	fPromote = proto.String("browser_to_promote", "Browser to Promote", "The machine that is to keep a copy.")
	fReset   = proto.Flags8("reset_cmd", "ResetBrowserState Command", []dissect.Flag{
		{Name: "demote", Label: "Demote LMB", Mask: 1, Doc: "Keep the list no more."},
		{Name: "flush", Label: "Flush Browse List", Mask: 2, Doc: "Forget it."},
		{Name: "stop_lmb", Label: "Stop Being LMB", Mask: 4, Doc: "Never keep it again."},
	}, "What the machine is to do.")
	fRest = proto.Bytes("data", "Data", "Bytes that are of no known kind.")
)

var commands = dissect.Values{
	1: "Host Announcement", 2: "Request Announcement", 8: "Browser Election Request", 9: "Get Backup List Request",
	10: "Get Backup List Response",
	11: "Become Backup Browser", 12: "Domain/Workgroup Announcement", 13: "Master Announcement",
	14: "Reset Browser State Announcement", 15: "Local Master Announcement",
}

// Plugin attaches the protocol to its mail slots.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: datagram, On: []dissect.Key{
		{Table: tables.SMBMailslot, Value: dissect.Word(`\MAILSLOT\BROWSE`)},
		{Table: tables.SMBMailslot, Value: dissect.Word(`\MAILSLOT\LANMAN`)},
	}}
}

func datagram(d *dissect.D) {
	command := d.Kind(fCommand)
	if d.Info().Wanted() {
		d.Info().Setf("%s", commands[command])
	}
	switch command {
	case 1, 12, 15:
		announcement(d, command)
	case 2:
		d.Uint(fUnused)
		if who := text(d.CString(fAnswer)); d.Info().Wanted() {
			d.Info().Setf("%s", who)
		}
	case 8:
		election(d)
	case 9:
		d.Uint(fWanted)
		d.Uint(fToken)
	case 10:
		n := d.Uint(fWanted)
		d.Uint(fToken)
		for more := d.Elements(); n > 0 && more.Next(); n-- {
			d.CString(fBackup)
		}
	case 11:
		d.CString(fPromote)
	case 13:
		d.CString(fMaster)
	case 14:
		d.Uint(fReset)
	}
	d.Rest(fRest)
}

// announcement reads what a machine says of itself, or of its workgroup (MS-BRWS sections 2.2.1, 2.2.6 and 2.2.10).
func announcement(d *dissect.D, command uint64) {
	d.Uint(fCount)
	d.Uint(fPeriod)
	name := text(d.Padded(fServer, 16))
	d.Uint(fMajor)
	d.Uint(fMinor)
	kind := d.Uint(fType)
	if command == 12 {
		d.Uint(fMystery)
		d.CString(fMaster)
		if d.Info().Wanted() {
			d.Info().Setf("%s", strings.Join(append([]string{name}, words(kind)...), ", "))
		}
		return
	}
	d.Uint(fVersion)
	d.Uint(fVerLow)
	d.Uint(fSign)
	if d.More() {
		d.CString(fComment)
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s", strings.Join(append([]string{name}, words(kind)...), ", "))
	}
}

// text is a string up to its first NUL.
func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// words are what a machine is, or what is looked for.
func words(kind uint64) (all []string) {
	for bit, word := range serverWords {
		switch {
		case kind>>bit&1 == 0:
		case word == "":
			all = append(all, fmt.Sprintf("Unknown server type:%d", bit))
		default:
			all = append(all, word)
		}
	}
	return all
}

// election reads a vote (MS-BRWS section 2.2.3).
func election(d *dissect.D) {
	d.Uint(fElection)
	at := d.Pos()
	d.Uint(fCriteria)
	if !d.Short() {
		d.Seek(at)
		d.Below(func() {
			d.Uint(fDesire)
			d.Uint(fVerLow)
			d.Uint(fVersion)
			d.Uint(fOS)
		})
	}
	d.Uint(fUptime)
	d.Uint(fUnusedTime)
	if d.More() {
		d.CString(fServer)
	}
}

var fUnusedTime = proto.Uint32("election.reserved", "Reserved", "Unused.")
