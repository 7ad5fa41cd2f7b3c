package eth

import (
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var llc = dissect.NewProtocol("llc", "LLC", "Logical Link Control, the header of IEEE 802.3 payloads.").
	Traits(dissect.HandsOn | dissect.Underlies).Summary("Logical-Link Control")

var saps = dissect.Values{0x00: "NULL LSAP", 0x01: "NULL LSAP", 0x02: "LLC Sub-Layer Management",
	0x04: "SNA Path Control", 0x06: "TCP/IP", 0x08: "SNA", 0x0c: "SNA", 0x42: "Spanning Tree BPDU",
	0x4e: "EIA RS-511 Manufacturing Message Service", 0x7e: "ISO 8208 (X.25 over 802.2)",
	0x80: "XNS", 0x82: "BACnet", 0x86: "Nestar", 0x98: "ARP", 0xaa: "SNAP", 0xb4: "HP JetDirect Printer",
	0xba: "Banyan Vines", 0xbc: "Banyan Vines", 0xe0: "NetWare", 0xf0: "NetBIOS", 0xf4: "IBM Net Management",
	0xf8: "HP Extended LLC", 0xfa: "Ungermann-Bass", 0xfc: "Remote Program Load", 0xfe: "ISO Network Layer",
	0xff: "Global LSAP"}

var organizations = dissect.Values{0: "Encapsulated Ethernet", 0x00000c: "Cisco", 0x000081: "Bay Networks",
	0x00005e: "IANA", 0x080007: "Apple"}

var (
	lDSAP    = llc.Uint8("dsap", "DSAP", "Service access point of the receiver.").Hex().Named(saps)
	lDSAPNum = llc.Uint8("dsap.sap", "SAP", "Service access point of the receiver without the group bit.").Masked(0xfe).
			Format(sapName)
	lDSAPIG  = llc.Bool("dsap.ig", "IG Bit", "The receiver is a group.").Masked(0x01).TrueFalse("Group", "Individual")
	lSSAP    = llc.Uint8("ssap", "SSAP", "Service access point of the sender.").Hex().Named(saps)
	lSSAPNum = llc.Uint8("ssap.sap", "SAP", "Service access point of the sender without the response bit.").Masked(0xfe).
			Format(sapName)
	lSSAPCR  = llc.Bool("ssap.cr", "CR Bit", "The frame is a response.").Masked(0x01).TrueFalse("Response", "Command")
	lCommand = llc.Uint16("control", "Control field", "Sort of frame, in commands.").Hex().
			Format(func(v uint64) string { return control(v, " P", commands) })
	lAnswer = llc.Uint16("control", "Control field", "Sort of frame, in responses.").Hex().
		Format(func(v uint64) string { return control(v, " F", responses) })
	lRecv   = llc.Uint16("control.n_r", "N(R)", "Number of the frame that is expected.").Masked(0xfe00)
	lSend   = llc.Uint16("control.n_s", "N(S)", "Number of this frame.").Masked(0x00fe)
	lPoll   = llc.Bool("control.p", "Poll", "An answer is asked for.").Masked(0x10)
	lFinal  = llc.Bool("control.f", "Final", "This answers a poll.").Masked(0x10)
	lPoll2  = llc.Bool("control.p", "Poll", "An answer is asked for.").Wide(2).Masked(0x0100)
	lFinal2 = llc.Bool("control.f", "Final", "This answers a poll.").Wide(2).Masked(0x0100)
	lSuper  = llc.Uint16("control.s_ftype", "Supervisory frame type", "What a frame without data says.").Hex().
		Masked(0x000c).Named(dissect.Values{0: "Receiver ready", 1: "Receiver not ready", 2: "Reject", 3: "Selective reject"})
	lModCmd = llc.Uint8("control.u_modifier_cmd", "Command", "What an unnumbered frame orders.").Hex().Masked(0xec).
		Format(func(v uint64) string { return modifier(v, commandNames) })
	lModRsp = llc.Uint8("control.u_modifier_resp", "Response", "What an unnumbered frame answers.").Hex().Masked(0xec).
		Format(func(v uint64) string { return modifier(v, responseNames) })
	lKind  = llc.Uint8("control.ftype", "Frame type", "Sort of frame.").Hex().Masked(0x03).Named(frameTypes)
	lKindS = llc.Uint16("control.ftype", "Frame type", "Sort of frame.").Hex().Masked(0x0003).Named(frameTypes)
	lKindI = llc.Uint16("control.ftype", "Frame type", "Sort of frame.").Hex().Masked(0x0001).Named(frameTypes)
	lOUI   = llc.Uint24("oui", "Organization Code", "Who gave the protocol its number.").Format(organization)
	lType  = llc.Uint16("type", "Type", "What the payload is (EtherType).").Hex().Named(etherTypes)
	lPID   = llc.Uint16("pid", "Protocol ID", "Number of the organization's protocol.").Hex()
	lCisco = llc.Uint16("cisco_pid", "PID", "Number of Cisco's protocol.").Hex().
		Named(dissect.Values{0x0102: "DRiP", 0x0104: "PAgP", 0x0105: "MLS Hello", 0x010b: "PVSTP+", 0x010c: "VLAN Bridge",
			0x0111: "UDLD", 0x2000: "CDP", 0x2001: "CGMP", 0x2003: "VTP", 0x2004: "DTP", 0x200a: "STP Uplink Fast"})
	lNortel = llc.Uint16("nortel_pid", "PID", "Number of Nortel's protocol.").Hex().
		Named(dissect.Values{0x01a1: "NDP flatnet hello", 0x01a2: "NDP segment hello", 0x01a3: "NDP bridge hello"})
	lExtreme = llc.Uint16("extreme_pid", "PID", "Number of Extreme's protocol.").Hex().Named(dissect.Values{0x00bb: "EDP"})
	lApple   = llc.Uint16("apple_atalk_pid", "PID", "Number of Apple's protocol.").Hex().
			Named(dissect.Values{0x809b: "AppleTalk"})
)

var frameTypes = dissect.Values{0: "Information frame", 1: "Supervisory frame", 3: "Unnumbered frame"}

// The unnumbered frames (ISO 8802-2 section 5.4.2) by their modifier bits: short for the Info column, and in words.
var (
	commands = map[uint64]string{0x00: "UI", 0x08: "UP", 0x10: "DISC", 0x18: "UA", 0x20: "SNRM", 0x38: "TEST",
		0x01: "SIM", 0x21: "FRMR", 0x31: "CFGR", 0x03: "SARM", 0x0b: "SABM", 0x13: "SARME", 0x1b: "SABME", 0x23: "RSET",
		0x2b: "XID", 0x33: "SNRME", 0x3b: "BCN"}
	responses = map[uint64]string{0x00: "UI", 0x08: "UP", 0x10: "RD", 0x18: "UA", 0x20: "SNRM", 0x38: "TEST",
		0x01: "RIM", 0x21: "FRMR", 0x31: "CFGR", 0x03: "DM", 0x0b: "SABM", 0x13: "SARME", 0x1b: "SABME", 0x23: "RSET",
		0x2b: "XID", 0x33: "SNRME", 0x3b: "BCN"}
	commandNames = map[uint64]string{0x00: "Unnumbered Information", 0x08: "Unnumbered Poll", 0x10: "Disconnect",
		0x18: "Unnumbered Acknowledge", 0x20: "Set Normal Response Mode", 0x38: "Test", 0x01: "Set Initialization Mode",
		0x21: "Frame reject", 0x03: "Set Asynchronous Response Mode", 0x0b: "Set Asynchronous Balanced Mode",
		0x1b: "Set Asynchronous Balanced Mode Extended", 0x23: "Reset", 0x2b: "Exchange identification"}
	responseNames = map[uint64]string{0x00: "Unnumbered Information", 0x08: "Unnumbered Poll", 0x10: "Request Disconnect",
		0x18: "Unnumbered Acknowledge", 0x38: "Test", 0x01: "Request Initialization Mode", 0x21: "Frame reject",
		0x03: "Disconnected mode", 0x2b: "Exchange identification"}
	supervisory = [4]string{"RR", "RNR", "REJ", "SREJ"}
)

// LLC attaches the header to 802.3 payloads.
func LLC() dissect.Plugin {
	return dissect.Plugin{Protocol: llc, Dissect: linkControl, On: []dissect.Key{{Table: dissect.TableLLC}}}
}

func linkControl(d *dissect.D) {
	dsap := point(d, lDSAP, lDSAPNum, lDSAPIG)
	ssap := point(d, lSSAP, lSSAPNum, lSSAPCR)
	c := controlField(d, ssap&1 != 0)
	if d.Short() {
		return
	}
	word := " P"
	if ssap&1 != 0 {
		word = " F"
	}
	if dsap == 0xaa && ssap == 0xaa && c == 3 {
		snap(d)
		return
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s; DSAP %s %s, SSAP %s %s", controlWords(c, word, commands), sapShort(dsap),
			[2]string{"Individual", "Group"}[dsap&1], sapShort(ssap), [2]string{"Command", "Response"}[ssap&1])
	}
	switch {
	case !d.More():
	case dsap == 0x06 && c == 3:
		d.Next(dissect.TableEther, 0x0800)
	default:
		d.Next(tables.LLCPayload, uint32(dsap))
	}
}

// point reads a service access point and its parts.
func point(d *dissect.D, f, number, bit *dissect.Field) uint64 {
	at := d.Pos()
	v := d.Uint(f)
	if !d.Short() {
		d.Below(func() {
			d.Put(number, v, at, 1)
			d.Put(bit, v, at, 1)
		})
	}
	return v
}

// controlField reads one byte for unnumbered frames, else two, the lower one first.
func controlField(d *dissect.D, response bool) uint64 {
	f, at, n := lCommand, d.Pos(), 1
	if response {
		f = lAnswer
	}
	v := uint64(d.Peek(0))
	if v&3 != 3 {
		v, n = v|uint64(d.Peek(1))<<8, 2
	}
	d.Skip(n)
	if d.Short() {
		return v
	}
	d.Put(f, v, at, n)
	d.Below(func() { controlParts(d, v, at, n, response) })
	return v
}

func controlParts(d *dissect.D, v uint64, at, n int, response bool) {
	bit, bit2, mod := lPoll, lPoll2, lModCmd
	if response {
		bit, bit2, mod = lFinal, lFinal2, lModRsp
	}
	if n == 1 {
		if v&0x10 != 0 {
			d.Put(bit, v, at, 1)
		}
		d.Put(mod, v, at, 1)
		d.Put(lKind, v, at, 1)
		return
	}
	d.Put(lRecv, v, at, 2)
	if v&1 == 0 {
		d.Put(lSend, v, at, 2)
	}
	if v&0x100 != 0 {
		d.Put(bit2, v, at, 2)
	}
	if v&1 == 0 {
		d.Put(lKindI, v, at, 2)
		return
	}
	d.Put(lSuper, v, at, 2)
	d.Put(lKindS, v, at, 2)
}

// control is the control field in words with its number; controlWords the words alone.
func control(v uint64, poll string, names map[uint64]string) string {
	if v&3 == 3 {
		return fmt.Sprintf("%s (0x%02x)", controlWords(v, poll, names), v)
	}
	return fmt.Sprintf("%s (0x%04x)", controlWords(v, poll, names), v)
}

func controlWords(v uint64, poll string, names map[uint64]string) string {
	bit := uint64(0x100)
	if v&3 == 3 {
		bit = 0x10
	}
	if v&bit == 0 {
		poll = ""
	}
	switch {
	case v&3 == 3:
		name := names[v>>2&0x3b]
		if name == "" {
			name = "Unknown"
		}
		return "U" + poll + ", func=" + name
	case v&1 == 1:
		return fmt.Sprintf("S%s, func=%s, N(R)=%d", poll, supervisory[v>>2&3], v>>9)
	}
	return fmt.Sprintf("I%s, N(R)=%d, N(S)=%d", poll, v>>9, v>>1&0x7f)
}

// snap reads the header that names a protocol by an organization and its number (IEEE 802.1 section 9.5).
func snap(d *dissect.D) {
	oui := d.Uint(lOUI)
	if oui == 0 {
		d.Next(dissect.TableEther, uint32(d.Uint(lType)))
		return
	}
	f, table := lPID, tables.LLCPID
	switch oui {
	case 0x00000c:
		f, table = lCisco, tables.LLCCisco
	case 0x000081:
		f, table = lNortel, tables.LLCNortel
	case 0x00e02b:
		f, table = lExtreme, tables.LLCExtreme
	case 0x080007:
		f = lApple
	}
	pid := d.Uint(f)
	if d.Short() {
		return
	}
	if d.Info().Wanted() {
		d.Info().Setf("U, func=UI; SNAP, OUI 0x%06x, PID 0x%04x", oui, pid)
	}
	d.Next(table, uint32(pid))
}

func sapName(v uint64) string {
	if name := saps[v<<1]; name != "" {
		return name
	}
	return fmt.Sprintf("Unknown (0x%02x)", v<<1)
}

// sapShort is a service access point for the Info column.
func sapShort(v uint64) string {
	if name := saps[v&0xfe]; name != "" {
		return name
	}
	return fmt.Sprintf("0x%02x", v&0xfe)
}

func modifier(v uint64, names map[uint64]string) string {
	name := names[v]
	if name == "" {
		name = "Unknown"
	}
	return fmt.Sprintf("%s (0x%02x)", name, v)
}

func organization(v uint64) string {
	text := fmt.Sprintf("%02x:%02x:%02x", v>>16&0xff, v>>8&0xff, v&0xff)
	if name := organizations[v]; name != "" {
		text += " (" + name + ")"
	}
	return text
}
