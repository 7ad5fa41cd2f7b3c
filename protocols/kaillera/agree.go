package kaillera

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

var (
	fDesyncIn = proto.FrameRef("desync.other", "Told otherwise in",
		"The packet in which the same player's input of the same frame was another.")

	nDesync = proto.Expert("desync", dissect.Error,
		"A player's input of one frame was sent or told in two ways: the games run apart")
)

// anInput is a player's input of one frame. Frames are counted by what the player sent since READY.
var anInput = &dissect.Subject{Title: "input", Tick: "frame", Text: inputText}

// inputText writes an input of so many bytes: those of up to eight, of more a checksum.
func inputText(value uint64, width uint16) string {
	if width > 8 {
		return fmt.Sprintf("%d bytes #%08x", width, uint32(value))
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], value)
	return fmt.Sprintf("%x", b[8-width:])
}

// inputValue is what inputText writes.
func inputValue(b []byte) (v uint64) {
	if len(b) > 8 {
		return uint64(sum(0, b))
	}
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

// What is kept to hold the clients' inputs against what the server tells: of every cache entry its bytes if it is no
// longer than that, and the server's messages that wait until it is known which frames they are.
const (
	keptData    = 256
	maxAwaiting = 32
)

// An agree holds what a client was told against what all clients sent. The server's nth message has the client's input
// number n less the echo's shift: by that the frames of all clients are the same frames. A mismatch makes the echo lose
// its shift; when it is found to be the same again, the mismatch was in the data, else the server sent more or less.
type agree struct {
	shift    int
	lost     bool // messages are missing: nobody knows which frames these are until the next READY
	awaiting []receivedData
}

type receivedData struct {
	number int // of the message
	frame  dissect.FrameNum
	width  uint16
	n      uint16
	data   [keptData]byte
}

// hold copies the bytes of a cache entry.
func (c *window) hold(at int, data []byte) {
	if c.kept == nil {
		c.kept = make([][]byte, windowSize)
	}
	k := &c.kept[at]
	if len(data) > keptData {
		data = nil
	}
	*k = append((*k)[:0], data...)
}

// newest is the index of the newest cache entry, place that of the entry at a position.
func (c *window) newest() int            { return (c.start + c.held - 1) % windowSize }
func (c *window) place(position int) int { return (c.start + position) % windowSize }

// compare holds a new message of game data against what others sent or were told, and returns the packet that says
// otherwise, or 0.
func (l *link) compare(d *dissect.D, role int, data []byte, n *dataNote) dissect.FrameNum {
	r, a := l.room, &l.agree
	if r == nil || r.game == 0 || n.flags&dataStarted == 0 || a.lost || l.seat == 0 || l.seat > maxSeats {
		return 0
	}
	c, width := int(n.connection), int(n.width)
	switch {
	case role == fromClient:
		if n.flags&dataSize == 0 && c > 0 && width > 0 && len(data) == c*width && !r.seats[l.seat-1].dropped {
			return l.compareInputs(d, r, l.seat, int(n.frames)-c+1, width, 0, data, 0)
		}
		return 0
	case role != fromServer || c == 0:
		return 0
	}
	number := l.echo.came - 1
	h := receivedData{number: number, frame: d.Frame, width: n.width}
	if n.flags&dataSize == 0 && width > 0 && len(data) <= keptData && len(data) == c*width*int(n.players) {
		h.n = uint16(copy(h.data[:], data))
	}
	if !l.echo.settled {
		if len(a.awaiting) == maxAwaiting {
			a.awaiting = a.awaiting[:copy(a.awaiting, a.awaiting[1:])]
		}
		a.awaiting = append(a.awaiting, h)
		return 0
	}
	other := dissect.FrameNum(0)
	if first := a.shift < 0; first || a.shift == l.echo.shift {
		for i := range a.awaiting {
			other = max(other, l.received(d, r, c, &a.awaiting[i]))
		}
	}
	a.awaiting, a.shift = a.awaiting[:0], l.echo.shift
	return max(other, l.received(d, r, c, &h))
}

// received compares every player's input in a message of the server, and returns a packet that has other values.
func (l *link) received(d *dissect.D, r *room, c int, h *receivedData) (other dissect.FrameNum) {
	width, first := int(h.width), (h.number-l.echo.shift)*c+1
	if h.n == 0 || first < 1 {
		return 0
	}
	players := int(h.n) / c / width
	for p := range min(players, maxSeats) {
		if s := &r.seats[p]; !s.dropped {
			other = max(other, l.compareInputs(d, r, p+1, first, width, (players-1)*width, h.data[p*width:h.n], h.frame))
		}
	}
	return other
}

// compareInputs compares the frames of one player, whose inputs are in data at a fixed distance in bytes.
func (l *link) compareInputs(d *dissect.D, r *room, player, first, width, apart int, data []byte,
	frame dissect.FrameNum) (other dissect.FrameNum) {
	for f, p := first, (dissect.Progress{}); len(data) >= width && p.Down(len(data)); f++ {
		t := dissect.TickValue{Game: r.game, Round: r.round, Tick: uint32(f), About: anInput, Of: uint8(player),
			Side: d.Conversation().ID<<1 | uint32(d.Dir), Frame: frame,
			Value: inputValue(data[:width]), Form: uint16(width)}
		other = max(other, d.Session().Compare(t))
		data = data[min(len(data), width+apart):]
	}
	return other
}

// contradict keeps the packet that contradicts the datagram under way.
func (o *outcome) contradict(other dissect.FrameNum) {
	if other != 0 {
		o.other = other
		o.bundle.flags |= flagDesync
	}
}

// expertDesync marks the packet with which it is certain that inputs differ.
func (v *view) expertDesync(d *dissect.D) {
	if v.note.flags&flagDesync == 0 {
		return
	}
	other := desyncNotes.FirstPassIn(d, func(*none) dissect.FrameNum { return v.out.other })
	d.Expert(nDesync)
	d.Set(fDesyncIn, uint64(other))
}
