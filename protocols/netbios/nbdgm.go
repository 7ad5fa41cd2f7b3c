package netbios

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var datagram = dissect.NewProtocol("nbdgm", "NBDS",
	"NetBIOS Datagram Service: messages to names of Windows' neighbourhood.").
	Summary("NetBIOS Datagram Service").Color(dissect.HueCyan)

var (
	gType  = datagram.Kind("type", "Message Type", datagrams, "What the datagram is.").Dec().Wordless()
	gFlags = datagram.Uint8("flags", "Flags", "Fragments, and how the sender finds names.").Hex()
	gMore  = datagram.Bool("next", "More fragments follow", "More fragments follow.").Masked(0x01).TrueFalse("Yes", "No")
	gFirst = datagram.Bool("first", "This is first fragment", "This is the first fragment.").Masked(0x02).
		TrueFalse("Yes", "No")
	gNode   = datagram.Uint8("node_type", "Node Type", "How the sender finds names.").Masked(0x0c).Named(datagramNodes)
	gUnused = datagram.Uint8("flags.reserved", "Reserved", "Always 0.").Hex().Masked(0xf0).Hidden()
	gID     = datagram.Uint16("dgram_id", "Datagram ID", "Number of the datagram.").Hex()
	gIP     = datagram.IPv4("src.ip", "Source IP", "The sender's address.")
	gPort   = datagram.Uint16("src.port", "Source Port", "The sender's port.")
	gLength = datagram.Uint16("dgram_len", "Datagram length", "Length of names and data.").In("bytes")
	gOffset = datagram.Uint16("pkt_offset", "Packet offset", "Where a fragment belongs.").In("bytes")
	gError  = datagram.Uint8("error_code", "Error code", "What went wrong.").Hex().Named(datagramErrors)
	gFrom   = datagram.String("source_name", "Source name", "Who sends.")
	gTo     = datagram.String("destination_name", "Destination name", "Who shall get it.")
	gRest   = datagram.Bytes("data", "Data", "Bytes that are of no known kind.")
)

// Datagrams attaches the datagram service to its port. What it carries is looked up in the table nbdgm.
func Datagrams() dissect.Plugin {
	return dissect.Plugin{Protocol: datagram, Dissect: message138, UDP: []uint16{138}, Fits: fits138}
}

const (
	directUnique = 0x10
	broadcast    = 0x12
	failed       = 0x13
	query        = 0x14
	negative     = 0x16
)

// fits138 tells whether a datagram has the form of its type, whose lengths are told or begin with that of a name.
func fits138(d *dissect.D) bool {
	switch kind := d.Peek(0); {
	case d.Left() < 11:
		return d.CutShort()
	case d.Peek(1)&0xf0 != 0:
		return false
	case kind >= directUnique && kind <= broadcast:
		return d.CutShort() || int(d.PeekUint(10, 2))+14 == d.Left()
	case kind == failed:
		return d.Left() == 11
	default:
		return kind >= query && kind <= negative && d.Peek(10) == 32
	}
}

func message138(d *dissect.D) {
	kind := d.Kind(gType)
	d.Put(gFlags, uint64(d.Peek(0)), d.Pos(), min(1, d.Left()))
	d.Below(func() { d.Bits(gMore, gFirst, gNode, gUnused) })
	d.Uint(gID)
	d.IPv4(gIP)
	d.Uint(gPort)
	d.Info().Set("{type:name}")
	switch {
	case kind >= directUnique && kind <= broadcast:
		d.Uint(gLength)
		offset := d.Uint(gOffset)
		if offset == 0 {
			label(d, gFrom)
			label(d, gTo)
		}
		if d.More() {
			d.Next(tables.NetBIOSDatagram, 0)
		}
	case kind == failed:
		d.Uint(gError)
		d.Rest(gRest)
	case kind >= query && kind <= negative:
		label(d, gTo)
		d.Rest(gRest)
	default:
		d.Rest(gRest)
	}
}

// label reads a name, to which no pointers lead here.
func label(d *dissect.D, f *dissect.Field) {
	text, service, n := decode(d.Data(), 0)
	if n == 0 {
		if d.CutShort() || d.Left() == 0 {
			d.Skip(d.Left() + 1)
		} else {
			d.Rest(gRest)
		}
		return
	}
	at := d.Pos()
	d.Skip(n)
	d.PutText(f, text, at, n)
	d.Suffix(f, service)
}
