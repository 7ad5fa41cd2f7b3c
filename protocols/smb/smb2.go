package smb

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var proto = dissect.NewProtocol("smb2", "SMB2",
	"Server Message Block, versions 2 and 3: files, printers and pipes on other machines.").LittleEndian().
	Summary("SMB2 (Server Message Block Protocol version 2)").Color(dissect.HueBlue).SharesFields(old)

var (
	fMessage = proto.Group("message", "SMB2 Message", "One of the messages that came together.").
			Summary("{smb2.cmd:name}[, File: {smb2.filename}]")
	fHeader  = proto.Group("header", "SMB2 Header", "What all messages begin with.")
	fMagic   = proto.Uint32("protocol_id", "ProtocolId", "Always the same.").Hex().BE()
	fHeadLen = proto.Uint16("header_len", "Header Length", "Length of the header.")
	fCharge  = proto.Uint16("credit.charge", "Credit Charge", "How many credits the request costs.")
	fStatus  = proto.Uint32("nt_status", "NT Status", "How the request went.").Hex().Named(statuses)
	fChannel = proto.Uint16("channel_sequence", "Channel Sequence", "How often the connection was lost.")
	fRes     = proto.Bytes("reserved", "Reserved", "Unused.")
	fCmd     = proto.Kind("cmd", "Command", commands, "What is asked.").Wide(2).LE().Dec().Wordless()
	fAsked   = proto.Uint16("credits.requested", "Credits requested", "How many credits the client wants.")
	fGiven   = proto.Uint16("credits.granted", "Credits granted", "How many it gets.")
	fFlags   = proto.Flags32("flags", "Flags", []dissect.Flag{
		{Name: "response", Label: "Response", Mask: 1, Doc: "This is a response."},
		{Name: "async", Label: "Async command", Mask: 2, Doc: "The response comes later."},
		{Name: "chained", Label: "Chained", Mask: 4, Doc: "The request goes on with what the one before opened."},
		{Name: "signature", Label: "Signing", Mask: 8, Doc: "The message is signed."},
		{Name: "dfs", Label: "DFS operation", Mask: 0x10000000, Doc: "The request is about a distributed file system."},
		{Name: "replay", Label: "Replay operation", Mask: 0x20000000, Doc: "The request was sent before."},
	}, "What the message is.")
	fPrio    = proto.Uint32("flags.priority_mask", "Priority", "How urgent it is.").Masked(0x70)
	fNext    = proto.Uint32("chain_offset", "Chain Offset", "Where the next message begins, counted from this one.").Hex()
	fID      = proto.Uint64("msg_id", "Message ID", "Joins request and response.")
	fPID     = proto.Uint32("pid", "Process Id", "The client's process.").Hex()
	fTID     = proto.Uint32("tid", "Tree Id", "Which share.").Hex()
	fAsync   = proto.Uint64("aid", "Async Id", "Joins responses that come later.").Hex()
	fTree    = proto.String("tree", "Tree", "The share.").Derived()
	fShareOf = proto.Uint8("share_type", "Share Type", "What is shared.").Hex().Named(shareTypes).Derived()
	fJoined  = proto.FrameRef("tcon_frame", "Connected in Frame", "Where the client connected to the share.")
	fProven  = proto.FrameRef("auth_frame", "Authenticated in Frame", "Where the session was set up.")
	fSession = proto.Uint64("sesid", "Session Id", "Which session.").Hex()
	fSign    = proto.Bytes("signature", "Signature", "Proof that nobody changed the message.")
	fTo      = proto.FrameRef("response_to", "Response to", "The request.")
	fIn      = proto.FrameRef("response_in", "Response in", "The response.")
	fTime    = proto.Span("time", "Time from request", "Time from the request to this response.").Derived()
	fPad     = proto.Bytes("padding", "Padding", "Bytes that align what follows.")
	fUnknown = proto.Bytes("unknown", "Unknown", "Bytes of an unknown form.")

	nChain = proto.Expert("chain_offset.bad", dissect.Warn, "The next message does not begin within this one")
	nFail  = proto.Expert("failed", dissect.Hint, "The request failed")
)

// The first bytes of messages.
const (
	magicPlain     = 0xfe534d42
	magicEncrypted = 0xfd534d42
	magicPacked    = 0xfc534d42
	magicOld       = 0xff534d42
)

// statusPending is that of a response that says only that another one will come.
const statusPending = 0x103

// Plugin attaches version 2 to what sessions carry.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Objects: objects, Dissect: packet,
		On: []dissect.Key{{Table: payloads, Value: magicPlain}, {Table: payloads, Value: magicEncrypted},
			{Table: payloads, Value: magicPacked}},
	}
}

// maxChain bounds the messages that come together.
const maxChain = 256

func packet(d *dissect.D) {
	switch d.PeekUint(0, 4) {
	case magicEncrypted:
		encrypted(d)
		return
	case magicPacked:
		packed(d)
		return
	}
	for i, more := 0, d.Elements(); i < maxChain && more.Next(); i++ {
		n := d.Left()
		if next := int(little(d.Data(), 20, 4)); next != 0 {
			switch {
			case next >= 64 && next <= n:
				n = next
			case next < 64 || !d.CutShort():
				d.Expert(nChain)
			}
		}
		if i > 0 {
			d.Info().Glue(";")
		}
		d.Within(n, func() {
			d.Message(func() { d.In(fMessage, func() { message(d) }) })
		})
	}
	d.Rest(fUnknown)
}

// little is a number in little-endian order at an offset, 0 beyond the end.
func little(b []byte, at, size int) (v uint64) {
	if at < 0 || at+size > len(b) {
		return 0
	}
	for i := size - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[at+i])
	}
	return v
}

// A reader is one message while it is read.
type reader struct {
	d        *dissect.D
	base     int // where its header begins
	whole    []byte
	cmd      uint64
	status   uint64
	response bool
	note     note
	after    string // what the Info text ends with
	content  [2]int // where what is read or written is, and its length
	carried  bool   // what a pipe carries has said what there is
}

// message reads one message.
func message(d *dissect.D) {
	b := d.Data()
	m := &reader{d: d, base: d.Pos(), whole: b, cmd: little(b, 12, 2), response: little(b, 16, 4)&1 != 0}
	if m.response {
		m.status = little(b, 8, 4)
	}
	prepare(d, b, m)
	m.note = remember(d, b, m)
	d.In(fHeader, func() { m.header(b) })
	if d.Short() {
		return
	}
	m.pair(little(b, 24, 8))
	m.title()
	m.body()
	m.tail()
	if d.Left() < 8 {
		d.Rest(fPad)
	}
	d.Rest(fUnknown)
}

func (m *reader) header(b []byte) {
	d := m.d
	d.Uint(fMagic)
	d.Uint(fHeadLen)
	d.Uint(fCharge)
	if m.response {
		d.Uint(fStatus)
	} else {
		d.Uint(fChannel)
		d.Bytes(fRes, 2)
	}
	d.Kind(fCmd)
	if m.response {
		d.Uint(fGiven)
	} else {
		d.Uint(fAsked)
	}
	d.Put(fPrio, little(b, 16, 4), d.Pos(), min(4, d.Left()))
	async := d.Uint(fFlags)&2 != 0
	d.Uint(fNext)
	d.Uint(fID)
	if async {
		d.Uint(fAsync)
	} else {
		d.Uint(fPID)
		d.Uint(fTID)
		d.Below(m.share)
	}
	d.Uint(fSession)
	d.Below(m.session)
	d.Bytes(fSign, 16)
}

// share shows what is known of the share.
func (m *reader) share() {
	d, t := m.d, m.note.Tree
	if t.Frame == d.Frame && d.Links().Past() {
		return
	}
	if d.Wanted(fTree) && !t.Name.empty() {
		if name := m.text(t.Name); name != "" {
			d.SetText(fTree, name)
		}
	}
	if t.Frame != 0 {
		d.Set(fShareOf, uint64(t.Kind))
		d.Set(fJoined, uint64(t.Frame))
	}
}

// session shows where the session was set up. Its first messages come before.
func (m *reader) session() {
	if m.note.Session != 0 {
		m.d.Set(fProven, uint64(m.note.Session))
	} else {
		m.d.Links().ShowForward(fProven)
	}
}

// pair joins requests and responses. Those that no client asked for have the highest number.
func (m *reader) pair(id uint64) {
	switch {
	case id == 1<<64-1:
	case m.response && m.status == statusPending:
		m.d.Response(id, nil, fTo, fTime) // another response follows
	case m.response:
		m.d.Response(id, fIn, fTo, fTime)
	default:
		m.d.Request(id, fIn)
	}
}

// text is a name of an earlier message, as far as it is known.
func (m *reader) text(n name16) string {
	if n.kept.Len > 0 {
		return dissect.UTF16LE.Decode([]byte(n.kept.String(m.d)))
	}
	b, known := m.d.Stream().Recall(n.at)
	if !known {
		return ""
	}
	return dissect.UTF16LE.Decode(b)
}

// here is a name in the message itself.
func (m *reader) here(at, size uint64) string {
	b := m.whole
	if at > uint64(len(b)) || size > uint64(len(b))-at {
		return ""
	}
	return dissect.UTF16LE.Decode(b[at : at+size])
}

// title is what Wireshark says first of a message.
func (m *reader) title() {
	d := m.d
	if !d.Info().Wanted() {
		return
	}
	what := "Request"
	if m.response {
		what = "Response"
		if m.status != 0 {
			name := statuses[m.status]
			if name == "" {
				name = fmt.Sprintf("Unknown (0x%08x)", m.status)
			}
			what += ", Error: " + name
		}
	}
	name := commands[m.cmd]
	if name == "" {
		name = fmt.Sprintf("unknown-%d", m.cmd)
	}
	d.Info().Setf("%s %s", name, what)
}

// tail is what Wireshark says last: the file.
func (m *reader) tail() {
	d := m.d
	if m.failed() && m.status>>30 == 3 {
		d.Expert(nFail)
	}
	switch {
	case m.cmd != cmdFind && !m.carried:
		m.file()
	case m.cmd == cmdFind && m.response && !m.note.File.empty() && d.Info().Wanted():
		m.searched(m.text(m.note.File))
	}
	if m.after != "" {
		d.Info().Setf("%s", m.after)
	}
	m.handOn()
}

// searched says what a search is for.
func (m *reader) searched(pattern string) {
	m.d.Info().Setf("%s Pattern: %s", findLevels[uint64(m.note.Level)], pattern)
}

// file says which file a message is about. The share itself has no name.
func (m *reader) file() {
	if d := m.d; d.Info().Wanted() && m.note.Named && !m.failed() && (!m.response || m.cmd == cmdCreate) {
		if name := m.text(m.note.File); name != "" || m.note.File.empty() {
			d.Info().Setf("File: %s", strings.TrimRight(name, "\x00"))
		}
	}
}

// failed tells whether the body is that of an error. More data or more steps are no errors.
func (m *reader) failed() bool {
	return m.response && m.status != 0 && m.status != 0x80000005 && !(m.status == 0xc0000016 && m.cmd == 1) &&
		m.status != 0x10c
}
