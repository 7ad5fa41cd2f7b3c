package eap

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// tunnel is a message of a method that runs TLS: flags, the length of the whole where it is cut in pieces, and the
// piece (RFC 5216 section 3.1).
func tunnel(d *dissect.D, id, kind uint64, other dissect.Addr) {
	flags := uint64(d.Peek(0))
	at := d.Pos()
	d.Uint(fTLSFlags)
	if d.Short() {
		return
	}
	d.Below(func() { flagBits(d, flags, at, kind) })
	if flags&0x80 != 0 {
		d.Uint(fTLSLen)
	}
	outer := 0
	if kind == typeTEAP && flags&0x10 != 0 {
		outer = int(d.PeekUint(0, 4))
		d.Skip(4)
	}
	if kind == typeFAST && flags&flagStart != 0 {
		authority(d)
		return
	}
	converse(d, other, flags&flagStart != 0)
	if n := d.Left() - outer; n > 0 && !d.Short() {
		piece(d, n, id, flags, inside(kind))
	}
}

// inside is the number under which TLS learns what it carries: of the methods that say so.
func inside(kind uint64) uint32 {
	if kind == typePEAP || kind == typeTTLS {
		return uint32(kind)
	}
	return 0
}

func flagBits(d *dissect.D, flags uint64, at int, kind uint64) {
	bits := []*dissect.Field{fTLSLenIn, fTLSMore, fTLSStart}
	switch kind {
	case typeTEAP:
		bits = append(bits, fTLSOuter, fTLSVersion)
	case typePEAP, typeTTLS, typeFAST:
		bits = append(bits, fTLSVersion)
	}
	for _, f := range bits {
		d.Put(f, flags, at, 1)
	}
}

// authority tells the peer which server speaks (RFC 4851 section 4.1.1).
func authority(d *dissect.D) {
	if !d.More() {
		return
	}
	d.Uint(fFastType)
	d.Counted(fFastLen, fFastID)
}

// A flow is what one end sends to the other: the message that is being cut in pieces.
type flow struct {
	open   bool
	last   uint64 // identifier of the piece before
	number uint32 // of the message, over all flows
	length uint32 // of the pieces so far
}

type ends struct{ src, dst dissect.Addr }

type state struct {
	flows map[ends]flow
	count uint32
}

// A place says where in its message a piece belongs; Number is 0 for a message in one piece.
type place struct {
	Number, Off uint32
	Again       bool
}

var flows = dissect.NewStore[state, place]()

// maxFlows bounds the ends that are remembered.
const maxFlows = 4096

const (
	flagMore  = 0x40
	flagStart = 0x20
)

// piece hands on a message of TLS, or puts it together from its pieces first. A piece with the identifier of the one
// before is sent again.
func piece(d *dissect.D, n int, id, flags uint64, method uint32) {
	more := flags&flagMore != 0
	p := flows.FirstPassIn(d, func(s *state) place { return s.place(ends{d.Src.Addr, d.Dst.Addr}, n, id, more) })
	switch {
	case p.Again:
		d.Expert(nAgain)
	case p.Number == 0:
		d.Within(n, func() { d.Next(tables.TLS, method) })
		return
	}
	f, whole := dissect.Fragments{}, false
	if !p.Again {
		key := dissect.PieceKey{Src: d.Src.Addr, Dst: d.Dst.Addr, ID: p.Number, Proto: keyEAP}
		f, whole = d.Stream().Assemble(dissect.Piece{Key: key, Off: int(p.Off), Last: !more}, n)
	}
	d.Bytes(fData, n)
	if whole {
		together(d, f, method)
	}
}

// stations are the last two that sent to a group address: on a cable both ends do, and neither is told who the other
// is.
type stations map[dissect.Addr][2]dissect.Addr

var groups = dissect.NewStore[stations, dissect.Addr]()

// note keeps the sender and tells the other station of the group.
func (s *stations) note(group, src dissect.Addr) dissect.Addr {
	if *s == nil || len(*s) > maxFlows {
		*s = stations{}
	}
	pair := (*s)[group]
	switch src {
	case pair[0]:
		return pair[1]
	case pair[1]:
	default:
		pair[1] = pair[0]
	}
	pair[0], pair[1] = src, pair[0]
	if pair[1] == src {
		pair[1] = dissect.Addr{}
	}
	(*s)[group] = pair
	return pair[1]
}

// converse gives TLS the conversation that its state belongs to: that of the two stations.
// It is a new one where the server starts again.
func converse(d *dissect.D, other dissect.Addr, start bool) {
	if d.Conversation() != nil || other.IsZero() {
		return
	}
	src, dst := d.Src, d.Dst
	d.Dst.Addr = other
	if c := d.Ends().Converse(tables.EAP, 0, 0); c != nil && start && c.First != d.Frame {
		d.Ends().Renew()
	}
	d.Src, d.Dst = src, dst
}

// isGroup tells addresses of groups from those of stations.
func isGroup(a dissect.Addr) bool { return a.Kind() == dissect.AddrEther && a.Uint64()>>40&1 != 0 }

// keyEAP tells these pieces from those of datagrams, whose protocols are numbers of one byte.
const keyEAP = 0xea90

func (s *state) place(e ends, n int, id uint64, more bool) place {
	if s.flows == nil || len(s.flows) > maxFlows {
		s.flows = map[ends]flow{}
	}
	f := s.flows[e]
	if f.open && f.last == id {
		return place{Again: true}
	}
	if !f.open {
		if !more {
			return place{}
		}
		s.count++
		f = flow{open: true, number: s.count}
	}
	p := place{Number: f.number, Off: f.length}
	f.length += uint32(n)
	f.last, f.open = id, more && f.length < dissect.MaxReassembly
	s.flows[e] = f
	return p
}

// together shows the pieces and hands the whole on.
func together(d *dissect.D, f dissect.Fragments, method uint32) {
	whole := d.Stream().Gather(f.Refs)
	d.From("Reassembled EAP-TLS", whole, func() {
		d.In(fPieces, func() {
			for _, r := range f.Refs {
				d.Set(fPiece, uint64(r.Frame))
			}
			d.Set(fCount, uint64(len(f.Refs)))
			d.Set(fWhole, uint64(len(whole)))
		})
		d.Next(tables.TLS, method)
	})
}
