package radius

import (
	"bytes"
	"encoding/binary"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// A message is the message of EAP that the attributes of one packet carry, in pieces (RFC 3579 section 3.1).
type message struct {
	pieces [][]byte
	at     int // where the first one is
}

// piece reads an attribute with a piece of the message.
func (m *message) piece(d *dissect.D) {
	if len(m.pieces) == 0 {
		m.at = d.Pos()
	}
	m.pieces = append(m.pieces, d.Data())
	d.Rest(fEAP)
}

// read reads the message, in the packet itself where it is in one piece.
func (m *message) read(d *dissect.D) {
	next := func() { d.Info().Suppress(func() { d.Next(tables.EAP, 0) }) }
	switch end := d.Pos(); {
	case d.Short() || len(m.pieces) == 0:
	case len(m.pieces) == 1:
		d.Seek(m.at)
		d.Within(len(m.pieces[0]), next)
		d.Seek(end)
	default:
		whole := bytes.Join(m.pieces, nil)
		if len(whole) >= 4 { // what stands behind the message's own length is none of it
			whole = whole[:min(len(whole), max(4, int(binary.BigEndian.Uint16(whole[2:]))))]
		}
		d.From("Reassembled EAP", whole, next)
	}
}
