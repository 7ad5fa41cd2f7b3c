// Package dcerpc dissects remote procedure calls of the Distributed Computing Environment over connections (C706
// chapter 12, with the extensions of MS-RPCE): those of TCP, and named pipes of file sharing. It names the interfaces
// and operations of Windows; their arguments and results stay bytes.
package dcerpc

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("dcerpc", "DCERPC",
	"Remote procedure calls of the Distributed Computing Environment, as Windows uses them.").LittleEndian().
	Summary("Distributed Computing Environment / Remote Procedure Call (DCE/RPC) {dcerpc.pkt_type:name}[, FragLen: " +
		"{dcerpc.cn_frag_len}][, Call: {dcerpc.cn_call_id}]").
	Color(dissect.HueYellow)

var (
	fVersion = proto.Uint8("ver", "Version", "Always 5.")
	fMinor   = proto.Uint8("ver_minor", "Version (minor)", "0 or 1.")
	fType    = proto.Kind("pkt_type", "Packet type", packetTypes, "What the packet is.").Dec().Wordless()
	fFlags   = proto.Flags8("cn_flags", "Packet Flags", []dissect.Flag{
		{Name: "object", Label: "Object", Mask: 0x80, Doc: "The number of an object is there."},
		{Name: "maybe", Label: "Maybe", Mask: 0x40, Doc: "No answer is wanted."},
		{Name: "dne", Label: "Did Not Execute", Mask: 0x20, Doc: "The call was not begun."},
		{Name: "mpx", Label: "Multiplex", Mask: 0x10, Doc: "Several calls can be open at a time."},
		{Name: "reserved", Label: "Reserved", Mask: 0x08, Doc: "Unused."},
		{Name: "cancel_pending", Label: "Cancel Pending", Mask: 0x04,
			Doc: "The call is to be given up; in a bind, headers are signed."},
		{Name: "last_frag", Label: "Last Frag", Mask: 0x02, Doc: "The last fragment."},
		{Name: "first_frag", Label: "First Frag", Mask: 0x01, Doc: "The first fragment."},
	}, "What the packet is.")
	fDrep  = proto.Bytes("drep", "Data Representation", "How numbers and texts are written.")
	fOrder = proto.Uint8("drep.byteorder", "Byte order", "Which byte of a number comes first.").Masked(0xf0).
		Named(byteOrders)
	fLetters = proto.Uint8("drep.character", "Character", "How texts are written.").Masked(0x0f).
			Named(dissect.Values{0: "ASCII", 1: "EBCDIC"})
	fFloat = proto.Uint8("drep.fp", "Floating-point", "How broken numbers are written.").
		Named(dissect.Values{0: "IEEE", 1: "VAX", 2: "Cray", 3: "IBM"})
	fLength  = proto.Uint16("cn_frag_len", "Frag Length", "Length of the packet.")
	fAuthLen = proto.Uint16("cn_auth_len", "Auth Length", "Length of the proof at its end.")
	fCall    = proto.Uint32("cn_call_id", "Call ID", "Joins request and response.").InColumn("%y", nil)
	fUnknown = proto.Bytes("unknown", "Unknown", "Bytes of an unknown form.")

	nLength = proto.Expert("length.bad", dissect.Warn, "A length does not fit")
)

// Packet types (C706 section 12.6.3.1, MS-RPCE section 2.2.1.1.1).
const (
	typeRequest   = 0
	typeResponse  = 2
	typeFault     = 3
	typeBind      = 11
	typeBindAck   = 12
	typeBindNak   = 13
	typeAlter     = 14
	typeAlterResp = 15
	typeAuth3     = 16
	lastType      = 20
)

const (
	headerSize   = 16
	littleEndian = 0x10 // of the data representation
	flagFirst    = 0x01
	flagLast     = 0x02
	flagObject   = 0x80
)

// Plugin attaches the calls to the port of the endpoint mapper and to pipes; other connections are known by their first
// packet.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Dissect: packets, TCP: []uint16{135},
		On:    []dissect.Key{{Table: tables.SMBPipe, Value: 1}},
		Guess: recognise, GuessTCP: true,
		Message: length,
	}
}

// plausible tells whether a header of this protocol can begin with b, of which 16 bytes are needed.
func plausible(b []byte) bool {
	if len(b) < headerSize || b[0] != 5 || b[1] > 1 || b[2] > lastType || b[4]&^littleEndian != 0 || b[5] > 3 ||
		b[6] != 0 || b[7] != 0 {
		return false
	}
	n, auth := sizes(b)
	return n >= headerSize && auth <= n-headerSize
}

// sizes are the lengths of the packet and of its proof.
func sizes(b []byte) (n, auth int) {
	if b[4]&littleEndian != 0 {
		return int(b[8]) | int(b[9])<<8, int(b[10]) | int(b[11])<<8
	}
	return int(b[8])<<8 | int(b[9]), int(b[10])<<8 | int(b[11])
}

// length is how long the packet at the start of b is.
func length(b []byte) int {
	if len(b) < headerSize {
		if len(b) > 1 && (b[0] != 5 || b[1] > 1) {
			return len(b)
		}
		return 0
	}
	if !plausible(b) {
		return len(b)
	}
	n, _ := sizes(b)
	return n
}

// recognise is sure of packets that propose interfaces, with which every connection begins, and of those that fill
// their segment.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if !plausible(b) {
		return dissect.No
	}
	switch n, _ := sizes(b); {
	case n == len(b) && b[3]&flagFirst != 0:
		return dissect.Strong
	case (b[2] == typeBind || b[2] == typeBindAck) && b[3]&(flagFirst|flagLast) == flagFirst|flagLast:
		return dissect.Strong
	}
	return dissect.Likely
}

// maxPackets bounds the packets that one message of a pipe brings.
const maxPackets = 64

func packets(d *dissect.D) {
	if !plausible(d.Data()) && d.Left() >= headerSize {
		d.Reject()
		return
	}
	pipe := pipeOf(d)
	for i, more := 0, d.Elements(); i < maxPackets && more.Next(); i++ {
		n := d.Left()
		if plausible(d.Data()) {
			n, _ = sizes(d.Data())
		} else if i > 0 {
			break
		}
		d.Within(n, func() { d.Message(func() { packet(d, pipe) }) })
	}
	d.Rest(fUnknown)
}

// A handle is the number of an open pipe, zero for a connection of its own.
type handle [16]byte

func pipeOf(d *dissect.D) (h handle) {
	if d.Inner().Table() == tables.SMBPipe {
		copy(h[:], d.LayerData())
	}
	return h
}

// A pdu is one packet while it is read.
type pdu struct {
	d       *dissect.D
	pipe    handle
	big     bool // the byte that counts most comes first
	kind    uint64
	flags   uint64
	call    uint32
	auth    int // length of the proof at the end
	level   uint64
	padding int // bytes between the stub and the trailer
	known   note
	from    dissect.FrameNum // the request, in a response
}

// packet reads one packet, which is the whole range.
func packet(d *dissect.D, pipe handle) {
	p := &pdu{d: d, pipe: pipe}
	d.Uint(fVersion)
	d.Uint(fMinor)
	p.kind = d.Kind(fType)
	p.flags = d.Uint(fFlags)
	p.representation()
	p.uint(fLength)
	p.auth = int(p.uint(fAuthLen))
	p.call = uint32(p.uint(fCall))
	if d.Short() {
		return
	}
	switch {
	case d.CutShort(): // it stands at the end
		p.auth = 0
	case p.auth > d.Left():
		d.Expert(nLength)
		p.auth = 0
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s: call_id: %d, Fragment: %s", packetTypes[p.kind], p.call, p.part())
	}
	p.body()
	d.Rest(fUnknown)
}

func (p *pdu) body() {
	switch p.kind {
	case typeRequest:
		p.request()
	case typeResponse:
		p.response()
	case typeFault:
		p.fault()
	case typeBind, typeAlter:
		p.bind()
	case typeBindAck, typeAlterResp:
		p.bound()
	case typeBindNak:
		p.refused()
	case typeAuth3:
		p.d.Bytes(fPadding, min(4, p.d.Left()))
	}
	p.proof()
}

// representation reads how the sender writes numbers and texts (C706 section 14.1).
func (p *pdu) representation() {
	d := p.d
	at := d.Pos()
	if b := d.Bytes(fDrep, 4); len(b) == 4 {
		p.big = b[0]&littleEndian == 0
		d.Below(func() {
			d.Put(fOrder, uint64(b[0]), at, 1)
			d.Put(fLetters, uint64(b[0]), at, 1)
			d.Put(fFloat, uint64(b[1]), at+1, 1)
		})
	}
}

// part says which fragment of a call this is.
func (p *pdu) part() string {
	switch p.flags & (flagFirst | flagLast) {
	case flagFirst | flagLast:
		return "Single"
	case flagFirst:
		return "1st"
	case flagLast:
		return "Last"
	}
	return "Mid"
}

// uint reads a number in the packet's byte order.
func (p *pdu) uint(f *dissect.Field) uint64 {
	d, n := p.d, f.Size()
	if !p.big {
		return d.Uint(f)
	}
	if d.Left() < n {
		d.Skip(n)
		return 0
	}
	v := d.PeekUint(0, n)
	d.Put(f, v, d.Pos(), n)
	d.Skip(n)
	return v
}

// guid reads a UUID, whose first three parts are numbers.
func (p *pdu) guid(f *dissect.Field) (id uuid) {
	d := p.d
	b := d.Data()
	if len(b) < 16 {
		d.Skip(16)
		return id
	}
	id = uuidOf(b, p.big)
	if d.Wanted(f) {
		d.PutText(f, string(id[:]), d.Pos(), 16)
	}
	d.Skip(16)
	return id
}
