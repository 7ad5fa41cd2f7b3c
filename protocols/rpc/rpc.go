// Package rpc dissects remote procedure calls of ONC (RFC 5531) and what is called with them: the port mapper and
// rpcbind (RFC 1833), the mount protocol and the Network File System in its versions 3 (RFC 1813) and 4 (RFC 7530, RFC
// 8881).
package rpc

import (
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("rpc", "RPC", "Remote procedure calls of ONC: programs that ask programs elsewhere.").
	Summary("Remote Procedure Call, Type:{rpc.msgtyp:name} XID:0x{rpc.xid:hex}").Color(dissect.HueYellow)

// programs are the ones that have names here.
var programs = dissect.Values{
	100000: "Portmap", 100003: "NFS", 100005: "MOUNT", 100021: "NLM", 100024: "STAT", 100011: "RQUOTA", 100227: "NFSACL",
	100004: "YPSERV", 100007: "YPBIND",
	100001: "RSTAT", 100002: "RUSERS", 100026: "BOOTPARAM", 100009: "YPPASSWD", 1073741824: "NFS_CALLBACK",
	150001: "PCNFSD", 390113: "NISPLUS",
}

var (
	fFragment = proto.Group("fragment_header", "Fragment header",
		"Length of what follows on a stream, and whether more follows.").Summary("Fragment header: {rpc.fraglen} bytes")
	fLast = proto.Bool("lastfrag", "Last Fragment", "The message ends with this fragment.").Wide(4).Masked(0x80000000).
		TrueFalse("Yes", "No")
	fLength = proto.Uint32("fraglen", "Fragment Length", "Length of the fragment.").Masked(0x7fffffff)
	fPart   = proto.Bytes("fragment_data", "Fragment Data", "A part of the message.")
	fXID    = proto.Uint32("xid", "XID", "Joins call and reply.").HexFirst()
	fType   = proto.Kind("msgtyp", "Message Type", messageTypes, "Whether this is a call or a reply.").Wide(4).Dec().
		Wordless()
	fVersion  = proto.Uint32("version", "RPC Version", "Always 2.")
	fProgram  = proto.Uint32("program", "Program", "What is called.").Named(programs)
	fProgVer  = proto.Uint32("programversion", "Program Version", "Its version.")
	fProc     = proto.Uint32("procedure", "Procedure", "What it is to do.")
	fOfProg   = proto.Uint32("program", "Program", "What was called.").Named(programs).Derived()
	fOfVer    = proto.Uint32("programversion", "Program Version", "Its version.").Derived()
	fLayerVer = proto.Uint32("programversion", "Program Version", "Its version, with what the program says.").Derived().
			Late()
	fOfProc  = proto.Uint32("procedure", "Procedure", "What it was to do.").Derived()
	fReplyIn = proto.FrameRef("reqframe", "Reply in frame", "The frame with the reply.")
	fCallIn  = proto.FrameRef("repframe", "Call in frame", "The frame with the call.")
	fTime    = proto.Span("time", "Time from request", "Time from the call to the reply.").Derived()
	fReply   = proto.Uint32("replystat", "Reply State", "Whether the call was taken.").Named(replyStates)
	fAccept  = proto.Uint32("state_accept", "Accept State", "How a call that was taken went.").Named(acceptStates)
	fReject  = proto.Uint32("state_reject", "Reject State", "Why a call was not taken.").Named(rejectStates)
	fDenied  = proto.Uint32("state_auth", "Auth State", "What is wrong with the credentials.").Named(authStates)
	fVerMin  = proto.Uint32("version.min", "RPC Version (Minimum)", "The lowest that is understood.")
	fVerMax  = proto.Uint32("version.max", "RPC Version (Maximum)", "The highest that is understood.")
	fProgMin = proto.Uint32("programversion.min", "Program Version (Minimum)", "The lowest that is there.")
	fProgMax = proto.Uint32("programversion.max", "Program Version (Maximum)", "The highest that is there.")
	fOther   = proto.Bytes("unknown_data", "Data", "Arguments or results that nobody knows.")
	fStray   = proto.Bytes("continuation_data", "Continuation data", "Bytes that belong to no message.")

	nLength = proto.Expert("length.bad", dissect.Warn, "A length does not fit")
	nDup    = proto.Expert("dup", dissect.Hint, "Duplicate Call/Reply")
)

// procedures is the table of what is called; see target.
const procedures dissect.Table = "rpc.procedure"

// Plugin attaches calls to the ports of the port mapper and of NFS. On others it knows calls by their programs.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Dissect: packet, UDP: []uint16{111, 2049}, TCP: []uint16{111, 2049},
		Guess: recognise, GuessAll: true,
		Message: length,
	}
}

// Limits of one message, and of its fragments.
const (
	maxRecord = 4 << 20
	maxParts  = 512
)

// length is how long the message at the start of b is, with the headers of its fragments.
func length(b []byte) int {
	at := 0
	for range maxParts {
		if at+4 > len(b) {
			if at == 0 {
				return 0
			}
			return at + 4
		}
		mark := uint32(b[at])<<24 | uint32(b[at+1])<<16 | uint32(b[at+2])<<8 | uint32(b[at+3])
		n := int(mark & 0x7fffffff)
		if n > maxRecord || at+n > maxRecord {
			return len(b)
		}
		at += 4 + n
		if mark>>31 != 0 {
			return at
		}
		if at > len(b) {
			return at + 4
		}
	}
	return len(b)
}

// recognise takes calls of known programs; replies say too little.
func recognise(d *dissect.D) dissect.Confidence {
	at := 0
	if d.Ends().Transport() == dissect.TableTCP {
		n := int(d.PeekUint(0, 4) & 0x7fffffff)
		if n < 24 || n > maxRecord {
			return dissect.No
		}
		at = 4
	}
	switch {
	case d.Left() < at+24:
		return dissect.No
	case d.PeekUint(at+4, 4) == 1 && d.PeekUint(at+8, 4) <= 1:
		return dissect.Weak
	case d.PeekUint(at+4, 4) != 0 || d.PeekUint(at+8, 4) != 2 || programs[d.PeekUint(at+12, 4)] == "" ||
		d.PeekUint(at+16, 4) > 8 || d.PeekUint(at+20, 4) > 64:
		return dissect.No
	}
	return dissect.Strong
}

func packet(d *dissect.D) {
	if d.Ends().Transport() != dissect.TableTCP {
		message(d)
		return
	}
	if d.PeekUint(0, 4)&0x7fffffff > maxRecord || d.Left() < 12 {
		d.Rest(fStray)
		d.Info().Setf("Continuation")
		return
	}
	if d.Peek(0)>>7 != 0 {
		fragmentHeader(d)
		message(d)
		return
	}
	whole := []byte{}
	for i, more := 0, d.Elements(); i < maxParts && d.Left() >= 4 && more.Next(); i++ {
		n := fragmentHeader(d)
		n = min(n, d.Left())
		whole = append(whole, d.Data()[:n]...)
		if n > 0 {
			d.Bytes(fPart, n)
		}
	}
	d.From("Reassembled RPC message", whole, func() { message(d) })
}

func fragmentHeader(d *dissect.D) (n int) {
	d.In(fFragment, func() { n = int(d.Bits(fLast, fLength) & 0x7fffffff) })
	return n
}

// message reads one call or reply.
func message(d *dissect.D) {
	xid := d.Uint(fXID)
	kind := d.Kind(fType)
	switch {
	case d.Short():
	case kind == 0:
		call(d, uint32(xid))
	case kind == 1:
		reply(d, uint32(xid))
	}
	d.Rest(fOther)
}

// A callState is the calls between two ends that were not answered so far, by their numbers.
type callState struct{ open map[uint32]callNote }

// A callNote is what is known of a call.
type callNote struct {
	Frame, Again              dissect.FrameNum
	Program, Version, Routine uint32
}

var calls = dissect.NewStore[callState, callNote]()

// maxCalls bounds the calls of a conversation that are remembered.
const maxCalls = 4096

func call(d *dissect.D, xid uint32) {
	d.Uint(fVersion)
	c := callNote{Program: uint32(d.Uint(fProgram)), Version: uint32(d.Uint(fProgVer)), Routine: uint32(d.Uint(fProc)),
		Frame: d.Frame}
	if d.Short() {
		return
	}
	was := calls.FirstPass(d, func(s *callState) callNote {
		if s.open == nil || len(s.open) >= maxCalls {
			s.open = map[uint32]callNote{}
		}
		if old, ok := s.open[xid]; ok && old.Program == c.Program && old.Routine == c.Routine {
			return callNote{Again: old.Frame}
		}
		s.open[xid] = c
		return callNote{}
	})
	if was.Again != 0 && was.Again != d.Frame {
		d.Expert(nDup)
	}
	d.Suffix(fProc, named(c))
	d.Links().RequestOf(procedureFields[progVer{c.Program, c.Version}], uint64(c.Routine), uint64(xid), fReplyIn)
	credentials(d, fCredentials)
	credentials(d, fVerifier)
	hand(d, c, false, 0)
}

// named is the name of what is called, for labels.
func named(c callNote) string {
	if p, ok := known[progVer{c.Program, c.Version}]; ok && p.names[uint64(c.Routine)] != "" {
		return " [" + p.names[uint64(c.Routine)] + "]"
	}
	return ""
}

func reply(d *dissect.D, xid uint32) {
	c := calls.FirstPass(d, func(s *callState) callNote { return s.open[xid] })
	if c.Frame != 0 {
		d.Set(fOfProg, uint64(c.Program))
		d.Set(fOfVer, uint64(c.Version))
		d.Set(fOfProc, uint64(c.Routine))
		d.Suffix(fOfProc, named(c))
	}
	state := d.Uint(fReply)
	from := d.Response(uint64(xid), fReplyIn, fCallIn, fTime)
	if state != 0 {
		denied(d)
		return
	}
	credentials(d, fVerifier)
	accepted := d.Uint(fAccept)
	if accepted == 2 {
		d.Uint(fProgMin)
		d.Uint(fProgMax)
	}
	switch {
	case d.Short():
	case c.Frame == 0:
		d.Info().Setf("Reply")
	case accepted != 0:
		d.Info().Fence(title(c, true, from, 0) + " Error: " + acceptStates[accepted])
	default:
		hand(d, c, true, from)
	}
}

func denied(d *dissect.D) {
	if d.Uint(fReject) == 0 {
		d.Uint(fVerMin)
		d.Uint(fVerMax)
	} else {
		d.Uint(fDenied)
	}
	d.Info().Set("Reply Error: {rpc.state_reject:name}[ {rpc.state_auth:name}]")
}

// title is what Wireshark says first of a call or reply: "V3 GETATTR Reply (Call In 5)". from is the call's frame, in
// the reply's, 0 where it is not known.
func title(c callNote, answers bool, from, in dissect.FrameNum) string {
	what := "Call"
	switch {
	case !answers && in != 0:
		what = fmt.Sprintf("Call (Reply In %d)", in)
	case answers:
		what = "Reply"
		if from != 0 {
			what = fmt.Sprintf("Reply (Call In %d)", from)
		}
	}
	p, ok := known[progVer{c.Program, c.Version}]
	switch name := p.names[uint64(c.Routine)]; {
	case ok && c.Program == programNFS && c.Version == 4 && c.Routine == 1:
		return fmt.Sprintf("V%d %s", c.Version, what)
	case ok && name != "":
		return fmt.Sprintf("V%d %s %s", c.Version, name, what)
	}
	name := programs[uint64(c.Program)]
	if name == "" {
		name = fmt.Sprintf("Program %d", c.Program)
	}
	return fmt.Sprintf("%s V%d proc-%d %s", name, c.Version, c.Routine, what)
}

// hand gives the arguments or results to the program.
func hand(d *dissect.D, c callNote, answers bool, from dissect.FrameNum) {
	if d.Info().Wanted() {
		d.Info().Fence(title(c, answers, from, d.Links().Forward(fReplyIn)))
	}
	if name := programs[uint64(c.Program)]; name != "" {
		d.Info().Protocol(name)
	}
	if key, ok := target(c.Program, c.Version, c.Routine, answers); ok {
		d.Inner().NextBare(procedures, key)
		return
	}
	if c.Routine != 0 {
		d.Rest(fOther)
	}
}
