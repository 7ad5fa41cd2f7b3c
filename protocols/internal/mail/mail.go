// Package mail reads what SMTP, POP and IMAP share: lines, of which some are commands and answers and others parts of a
// message, messages put together from such parts, and the change to TLS.
package mail

import (
	"bytes"
	"slices"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// A Connection is what is known of a connection: which direction is the server's, and how many commands there were.
type Connection struct {
	begun  bool
	server int
	asked  uint32
}

// Begin finds out who is the server by the first line: who greets, else whose port is one of the protocol's.
func (c *Connection) Begin(d *dissect.D, greets bool, ports []uint16) {
	if c.begun {
		return
	}
	c.begun, c.server = true, 1-d.Dir
	if greets || slices.Contains(ports, d.Src.Port) && !slices.Contains(ports, d.Dst.Port) {
		c.server = d.Dir
	}
}

// FromServer and FromClient tell who sends the packet; before Begin nobody does.
func (c *Connection) FromServer(d *dissect.D) bool { return c.begun && d.Dir == c.server }

// FromClient tells whether the client sends the packet.
func (c *Connection) FromClient(d *dissect.D) bool { return c.begun && d.Dir != c.server }

// Ask is the number of a further command.
func (c *Connection) Ask() uint32 {
	c.asked++
	return c.asked
}

// A Note is how a line, or a part of a body, stands in its connection.
type Note struct {
	Server bool
	Part   Part
	TLS    bool   // the stream is TLS behind this line
	Number uint32 // of the command, or of that which the line answers
	Whole  Whole  // with the last part: what the body is made of
}

func (n Note) common() Note { return n }

// A Reader reads what a protocol's sessions S make of its lines, N, which embeds a Note.
type Reader[S any, N interface {
	comparable
	common() Note
}] struct {
	Sessions *dissect.Store[S, N]
	Take     func(d *dissect.D, s *S, whole, line []byte) N    // in the first pass; line is what whole begins with
	Part     func(d *dissect.D, n N)                           // shows a part of a body, to the end of the range
	Line     func(d *dissect.D, line []byte, n N, place Place) // shows a line
}

// A Place tells where in its packet's message a line stands.
type Place struct{ First, Last bool }

// Read reads lines, or a part of a body.
func (r *Reader[S, N]) Read(d *dissect.D) {
	place := Place{First: true}
	for more := d.Elements(); more.Next(); place.First = false {
		whole := d.Data()
		line := firstLine(whole)
		place.Last = len(line) == len(whole)
		n := r.Sessions.FirstPass(d, func(s *S) N { return r.Take(d, s, whole, line) })
		common := n.common()
		if common.Part != NoPart {
			d.Message(func() { r.Part(d, n) })
			return
		}
		d.Message(func() { r.Line(d, line, n, place) })
		if common.TLS {
			d.Inner().HandOver(tables.TLS, 0)
		}
	}
}

// firstLine is the line that b begins with, with its end.
func firstLine(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i+1]
	}
	return b
}

// Cut is how long the lines are that b holds, up to one behind which something else may begin. A line of most bytes has
// no end.
func Cut(b []byte, most int, last func(line []byte) bool) int {
	end := 0
	for p := (dissect.Progress{}); p.Up(end); {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			break
		}
		line := b[end : end+i]
		end += i + 1
		if last(line) {
			break
		}
	}
	if end == 0 && len(b) >= most {
		return most
	}
	return end
}

// Commands are the words of a protocol, which are packet types from First on.
type Commands struct {
	First uint8
	Words []string
}

// Kind is the packet type of a command, 0 if it is not known. Case does not matter.
func (c *Commands) Kind(word []byte) uint8 {
	for i, known := range c.Words {
		if len(word) == len(known) && bytes.EqualFold(word, []byte(known)) {
			return c.First + uint8(i)
		}
	}
	return 0
}

// Kinds adds the commands to the other packet types.
func (c *Commands) Kinds(others dissect.Values) dissect.Values {
	for i, name := range c.Words {
		others[uint64(c.First)+uint64(i)] = name
	}
	return others
}

// Letter reads a message if there is one, and has the Protocol column name the protocol with the message's format: ""
// leaves it.
func Letter(d *dissect.D, column string) {
	if d.More() && d.Next(tables.Message, 0) {
		d.Info().KeepProtocol()
		if column != "" {
			d.Info().Protocol(column)
		}
	}
}
