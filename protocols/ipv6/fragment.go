package ipv6

import (
	"fmt"

	"remora/dissect"
)

// tableFragment is empty: a fragment is data.
const tableFragment dissect.Table = "ipv6.fragment"

var (
	fFragHdr = proto.Group("fraghdr", "Fragment Header for IPv6", "Says which part of a datagram this is.")
	fFragNxt = proto.Uint8("fraghdr.nxt", "Next header", "What the datagram carries.").Named(headers)
	fFragRes = proto.Uint8("fraghdr.reserved_octet", "Reserved octet", "Zero.").Hex()
	fFragOff = proto.Uint16("fraghdr.offset", "Offset",
		"Where in the datagram this fragment belongs, in units of 8 bytes.").Masked(0xfff8).
		Format(func(v uint64) string { return fmt.Sprintf("%d (%d bytes)", v, 8*v) })
	fFragBits = proto.Uint16("fraghdr.reserved_bits", "Reserved bits", "Zero.").Masked(0x0006)
	fFragMore = proto.Bool("fraghdr.more", "More Fragments", "More of the datagram follows.").Wide(2).Masked(0x0001).
			TrueFalse("Yes", "No")
	fFragID   = proto.Uint32("fraghdr.ident", "Identification", "Joins the fragments of a datagram.").Hex()
	fFragData = proto.Bytes("fragment.data", "Fragment data",
		"The last part to come of a datagram. Wireshark has no name for it.")
	fFrags = proto.Node("fragments", "IPv6 Fragments", "The frames that the datagram came in.").
		Summary("\\[[{fragment.count} ]IPv6 Fragments")
	fFragment = proto.FrameRef("fragment", "Frame", "A frame with a fragment of this datagram.")
	fFragErr  = proto.FrameRef("fragment.error", "Defragmentation error",
		"A frame with a fragment that contradicts the others.")
	fOverlap = odd("overlap", "Fragment overlap",
		"Some of the fragment's bytes came before: those that came first are shown.")
	fConflict = odd("overlap.conflict", "Conflicting data in fragment overlap", "The bytes that came before were others.")
	fTails    = odd("multipletails", "Multiple tail fragments found",
		"The fragment ends the datagram at another place than the first that did so.")
	fTooLong = odd("toolongfragment", "Fragment too long", "The fragment goes past the end of the datagram.")
	fCount   = proto.Uint32("fragment.count", "Fragment count", "How many fragments the datagram came in.").Derived()
	fTotal   = proto.Uint32("reassembled.length", "Reassembled IPv6 length",
		"Length of the whole datagram's payload in bytes.").Derived()
	fData  = proto.Bytes("reassembled.data", "Reassembled IPv6 data", "The whole datagram's payload.").Derived()
	fWhole = proto.FrameRef("reassembled.in", "Reassembled IPv6 in frame", "The frame that completes the datagram.")

	pieces = dissect.Pieces{Group: fFrags, Frame: fFragment, Error: fFragErr, Overlap: fOverlap, Conflict: fConflict,
		Tails: fTails, TooLong: fTooLong, Count: fCount, Length: fTotal, Data: fData}
)

// odd declares a mark of a fragment that does not fit the others.
func odd(name, label, doc string) *dissect.Field {
	return proto.Bool("fragment."+name, label, doc).TrueFalse("True", "False").Derived()
}

var joins = proto.Switch("defragment", "Reassemble fragmented IPv6 datagrams",
	"Whether datagrams are put together of their fragments.", true)

// fragment reads a fragment header and, unless the datagram is whole in this frame, what it carries. It returns the
// next header to read, or done.
func fragment(d *dissect.D, src, dst dissect.Addr) (next uint64) {
	var off int
	var more bool
	var id uint64
	d.In(fFragHdr, func() {
		next = d.Uint(fFragNxt)
		d.Uint(fFragRes)
		v := d.Bits(fFragOff, fFragBits, fFragMore)
		off, more = int(v&0xfff8), v&1 != 0
		id = d.Uint(fFragID)
	})
	if d.Short() {
		return done
	}
	if off == 0 && !more {
		return next // an atomic fragment (RFC 6946) is whole
	}
	if d.Info().Wanted() {
		d.Info().Setf("IPv6 fragment (off=%d more=%s ident=0x%08x nxt=%d)", off, yes(more), id, next)
	}
	if whole := joins.On(d); !whole && off == 0 {
		d.Stream().Parted()
		return next
	} else if !whole || d.CutShort() || d.Quoted() {
		d.Next(tableFragment, 0) // nobody takes it: it is data
		return done
	}
	whole, complete := d.Stream().
		Assemble(dissect.Piece{Key: dissect.PieceKey{Src: src, Dst: dst, ID: uint32(id), Proto: fragmentHdr}, Off: off,
			Last: !more}, d.Left())
	if !complete {
		d.Links().ShowForward(fWhole)
		d.Next(tableFragment, 0)
		return done
	}
	d.Rest(fFragData)
	for _, part := range whole.Parts {
		if part.Frame != d.Frame {
			d.Link(part.Frame, fWhole, nil)
		}
	}
	data := d.Stream().Gather(whole.Refs)
	d.Stream().ShowPieces(&pieces, whole, data)
	d.Stream().FromFragments("Reassembled IPv6", data, func() { extensions(d, next, src, dst) })
	return done
}

func yes(b bool) string {
	if b {
		return "y"
	}
	return "n"
}
