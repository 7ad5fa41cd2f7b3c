package dissect_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

var (
	loops     = dissect.NewProtocol("loops", "Loops", "A protocol whose first byte says which loop reads it.")
	fLoop     = loops.Uint8("kind", "Kind", "Which loop.")
	fLoopByte = loops.Uint8("byte", "Byte", "A byte.")
)

// dissectLoops has loops that would never end, or only after a very long time, but for the guards of the engine.
func dissectLoops(d *dissect.D) {
	switch d.Uint(fLoop) {
	case 1:
		for more := d.Elements(); more.Next(); {
			d.Uint(fLoopByte)
		}
	case 2: // stands still
		for more := d.Elements(); more.Next(); {
			d.Peek(0)
		}
	case 3: // a count from the packet, of nothing
		for n, more := d.PeekUint(0, 8), d.Elements(); n > 0 && more.Next(); n-- {
			d.Skip(0)
		}
	case 4: // reads past the end
		for {
			d.Uint(fLoopByte)
		}
	case 5: // goes back
		for {
			d.Skip(1)
			d.Seek(d.Pos() - 1)
		}
	case 6: // ranges without bytes
		for {
			d.Within(0, func() {})
		}
	case 7: // makes bytes
		for {
			d.Stream().Gather([]dissect.Ref{{Frame: d.Frame, Off: 0, Len: uint32(d.Packet().CapLen())}})
		}
	case 8: // work that a helper does
		for {
			d.Spend(1 << 20)
		}
	case 9: // marks
		for {
			d.Expert(nOdd)
		}
	}
}

// The ends of the datagrams.
var (
	near = dissecttest.Spot{Host: 1, Port: 7}
	far  = dissecttest.Spot{Host: 2, Port: 1000}
)

var nOdd = loops.Expert("odd", dissect.Warn, "An odd packet")

func loopSession(t *testing.T, kinds ...byte) *dissect.Session {
	t.Helper()
	var packets [][]byte
	for _, k := range kinds {
		packets = append(packets, dissecttest.Datagram(near, far, []byte{k, 9, 9, 9, 9, 9, 9, 9, 9}))
	}
	p := dissect.Plugin{Protocol: loops, UDP: []uint16{7}, Dissect: dissectLoops}
	return dissecttest.Session(t, dissecttest.OverUDP(p), 1, dissecttest.Packets(packets...))
}

// TestLoopsEnd dissects packets whose loops stand still or have no end: each is marked, in the first pass and in every
// re-dissection, also in one for the note alone, and the packets behind it are dissected.
func TestLoopsEnd(t *testing.T) {
	s := loopSession(t, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1)
	want := []string{"", "_ws.malformed", "_ws.malformed", "_ws.budget", "_ws.budget", "_ws.budget", "_ws.budget",
		"_ws.budget", "_ws.budget", ""}
	if s.GivenUp() != 6 {
		t.Errorf("the first pass gave up %d frames", s.GivenUp())
	}
	l := s.Dissector()
	for i, name := range want {
		n := dissect.FrameNum(i + 1)
		tree := l.Tree(n)
		for _, note := range []string{"_ws.malformed", "_ws.budget"} {
			f := s.Registry().Field(note)
			at := tree.Find(f)
			if i == 3 && note == "_ws.malformed" { // it reads past the end first
				continue
			}
			if has := at >= 0; has != (note == name) {
				t.Errorf("frame %d has %s: %v", n, note, has)
			}
			if at >= 0 && note == "_ws.budget" && !strings.Contains(tree.Label(at), "loops") {
				t.Errorf("frame %d: %q does not say which dissector", n, tree.Label(at))
			}
			if has := l.Redissect(n, s.Registry().Wants(f)).Find(f) >= 0; has != (note == name) {
				t.Errorf("frame %d has %s in a look for it: %v", n, note, has)
			}
			tree = l.Tree(n)
		}
	}
}

func TestProgress(t *testing.T) {
	turns := 0
	for b, p := []byte("abcdef"), (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); {
		if turns++; len(b) > 3 {
			b = b[1:]
		}
	}
	for at, p := 0, (dissect.Progress{}); at < 10 && p.Up(at); {
		if turns++; at < 5 {
			at++
		}
	}
	if turns != 4+6 {
		t.Errorf("%d turns", turns)
	}
}

// BenchmarkElements is a loop over the bytes of a packet by Elements, and by More alone.
func BenchmarkElements(b *testing.B) {
	for name, kind := range map[string]byte{"Elements": 1, "More": 2} {
		b.Run(name, func(b *testing.B) {
			p := dissect.Plugin{Protocol: loops, UDP: []uint16{7}, Dissect: func(d *dissect.D) {
				if d.Uint(fLoop) == 1 {
					for more := d.Elements(); more.Next(); {
						d.Uint(fLoopByte)
					}
				}
				for d.More() {
					d.Uint(fLoopByte)
				}
			}}
			data := append(make([]byte, 0, 1200), kind)
			packet := dissecttest.Datagram(near, far, append(data, make([]byte, 1000)...))
			s := dissecttest.Session(b, dissecttest.OverUDP(p), 1, dissecttest.Packets(packet))
			l, w := s.Dissector(), s.Registry().Wants(s.Registry().Field("_ws.budget"))
			for b.Loop() {
				l.Redissect(1, w)
			}
		})
	}
}
