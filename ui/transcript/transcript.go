// Package transcript lays out a conversation as it is read: its packets become lines, one for each message or stretch
// of bytes, long runs of the same become one, and copies of what was sent before stand behind what is new. It knows
// what is on a line, not how a line looks.
package transcript

import (
	"slices"

	"remora/dissect"
	"remora/dissect/follow"
)

// A Reading is a way in which a conversation is read.
type Reading int

// The readings, in the order in which a key goes through them.
const (
	Messages Reading = iota
	Text
	Bytes
	Array
	Ladder
	Readings
)

var names = [Readings]string{"messages", "text", "hex", "C array", "ladder"}

func (r Reading) String() string { return names[r] }

// Next is the reading that follows, around.
func (r Reading) Next() Reading { return (r + 1) % Readings }

// ShowsMessages tells whether it shows messages rather than bytes.
func (r Reading) ShowsMessages() bool { return r == Messages || r == Ladder }

// A Source is what is laid out. What it has never changes, it only grows.
type Source interface {
	Len() int
	Unit(i int) follow.Unit
}

// A Line is a message, a stretch of bytes, or a run of packets.
type Line struct {
	Unit  int // the packet, of a run the first
	Last  int // the last packet of a run; else the same as Unit
	At, N int // the bytes of the packet's data that are on the line
	Part  int // which of its messages, where it has several
	Again int // copies of earlier messages that stand at the line's end
	Times int // how often the very same was said in a row, when more than once
	Until int // the last packet that said so, or that the bytes on a line of text are of
}

// End is the last packet that is on the line.
func (l Line) End() int { return max(l.Last, l.Until) }

// Folded tells whether the line stands for a run.
func (l Line) Folded() bool { return l.Last > l.Unit }

// A Script is a conversation laid out. Its options are set before the first Lay, or before Relay.
type Script struct {
	Reading   Reading
	Direction int              // -1: both, else one direction
	Copies    bool             // copies have lines of their own
	Whole     bool             // nothing is folded: something is searched
	Here      dissect.FrameNum // a packet that is never within a run, or 0
	Width     int              // cells for a line of text or bytes; 0 for messages
	// segments that bring but a piece of a message have no line: the messages are known
	Known bool
	// the packets are pieces of a stream: a line of text goes on from one to the next
	Joined bool
	Stream func(u *follow.Unit) (from, to dissect.Endpoint) // who says it to whom

	Lines []Line
	Sums  Sums
	Rails Rails

	next     int // units laid out so far
	last     int // the unit looked at last
	open     bool
	runs     map[int]*Run
	steady   map[pattern]bool
	unfolded [][2]int
	stable   *snapshot
	ended    lineEnd
	patterns [patternsKept]patternUnit
}

// A Run says what a folded line stands for.
type Run struct {
	Kinds []Kind
	Runs  int // stretches of one kind
}

// A Kind is a type of packet in a run, and how many there are.
type Kind struct {
	Name    string
	N       int
	pattern pattern
}

// Sums are counts of what was laid out.
type Sums struct {
	Turns    [2]int // by who speaks
	Messages int
	Copies   int
	spoke    int // 1 and 2; 0 nobody
}

// snapshot is what was laid out when the rest of it still hung on packets to come.
type snapshot struct {
	lines, next int
	sums        Sums
}

// Laid is how many units were laid out.
func (s *Script) Laid() int { return s.next }

// Relay forgets the lines, not what was unfolded.
func (s *Script) Relay() {
	*s = Script{Reading: s.Reading, Direction: s.Direction, Copies: s.Copies, Whole: s.Whole, Here: s.Here, Width: s.Width,
		Known: s.Known, Joined: s.Joined, Stream: s.Stream, Lines: s.Lines[:0], Rails: s.Rails, unfolded: s.unfolded}
}

// Lay goes on with what the source has by now, for at most so many lines more. done says that nothing else comes: until
// then the last lines are laid out anew each time, so that how they look never hangs on when their packets were read.
func (s *Script) Lay(src Source, done bool, most int) {
	s.again()
	if s.runs == nil {
		s.runs, s.steady = map[int]*Run{}, map[pattern]bool{}
	}
	n := src.Len()
	for end := len(s.Lines) + most; s.next < n && len(s.Lines) < end; {
		u := src.Unit(s.next)
		if s.skips(&u) {
			s.next++
			continue
		}
		if s.Stream != nil {
			from, to := s.Stream(&u)
			if u.Dir == 1 {
				from, to = to, from
			}
			s.Rails.Of(from)
			s.Rails.Of(to)
		}
		switch s.Reading {
		case Messages, Ladder:
			s.layPacket(src, &u, n, done)
			continue
		case Text:
			s.layText(&u)
		default:
			s.layBytes(&u)
		}
		s.next++
	}
}

// again takes back what was laid out before everything was known.
func (s *Script) again() {
	if f := s.stable; f != nil {
		s.Lines, s.next, s.Sums, s.open, s.stable = s.Lines[:f.lines], f.next, f.sums, false, nil
	}
}

// skips tells whether a packet has no line: it goes the other way, or only acknowledges in a transport.
func (s *Script) skips(u *follow.Unit) bool {
	return s.Direction >= 0 && u.Dir != s.Direction ||
		s.Reading.ShowsMessages() && u.Frame != s.Here && (s.Reading == Messages && Bare(u) || s.Known && piece(u))
}

// The types of TCP's packets that say nothing but how far one has read, and of those that bring bytes of which nobody
// knows more.
const (
	bareKind  = "ACK"
	pieceKind = "DATA"
)

// piece tells whether a segment brings but a part of a message.
func piece(u *follow.Unit) bool {
	return u.Kind == pieceKind && u.Worst < dissect.Warn && u.Missing == 0 && !u.Tick && len(u.Parts) == 0
}

// Bare tells whether a packet is an acknowledgment of TCP that carries nothing.
func Bare(u *follow.Unit) bool {
	return u.Kind == bareKind && len(u.Data) == 0 && u.Missing == 0 && u.Worst < dissect.Warn && !u.Tick &&
		len(u.Parts) == 0
}

// LineOf is the line of a unit, or of the run that it is within; -1 when nothing was laid out.
func (s *Script) LineOf(unit int) int {
	i, _ := slices.BinarySearchFunc(s.Lines, unit+1, func(l Line, u int) int { return l.Unit - u })
	i--
	for i > 0 && s.Lines[i].Unit == unit && s.Lines[i-1].Unit == unit {
		i--
	}
	return i
}

// Run says what a folded line stands for.
func (s *Script) Run(l Line) Run {
	if r := s.runs[l.Unit]; r != nil {
		return *r
	}
	return Run{}
}

// add counts a packet.
func (s *Sums) add(u *follow.Unit) {
	if s.spoke != u.Dir+1 {
		s.Turns[u.Dir&1]++
	}
	s.spoke = u.Dir + 1
	s.Messages += max(1, len(u.Parts))
	if len(u.Parts) == 0 && u.Repeat {
		s.Copies++
	}
	for _, p := range u.Parts {
		if p.Repeat {
			s.Copies++
		}
	}
}
