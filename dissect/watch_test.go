//go:build unix

package dissect_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

var (
	hangProto = dissect.NewProtocol("hangs", "Hangs", "A protocol whose dissector may hang.")
	fHangKind = hangProto.Uint8("kind", "Kind", "A packet of kind 1 hangs.")
	fHangNth  = hangProto.Uint32("nth", "Number", "Which packet of the conversation it is.").Derived()
	hangState = dissect.NewStore[hangCount, uint32]()
	nHangs    = hangProto.Expert("note", dissect.Warn, "A note")
	hangList  = dissect.NewList[uint32]()
)

type hangCount struct {
	n     uint32
	loops uint64
}

// hangSession passes packets of kinds with a dissector that hangs in those of kind 1.
func hangSession(t *testing.T, p dissect.Plugin, kinds ...byte) *dissect.Session {
	t.Helper()
	var packets [][]byte
	for _, k := range kinds {
		packets = append(packets, dissecttest.Datagram(near, far, []byte{k, 9}))
	}
	p.Protocol, p.UDP = hangProto, []uint16{7}
	return dissecttest.Session(t, dissecttest.OverUDP(p), 1, dissecttest.Packets(packets...))
}

// spin loops without a call until the test is over.
func spin(t *testing.T) func() {
	var over atomic.Bool
	t.Cleanup(func() { over.Store(true) })
	return func() {
		for !over.Load() {
		}
	}
}

func count(d *dissect.D) {
	d.Set(fHangNth, uint64(hangState.FirstPass(d, func(c *hangCount) uint32 { c.n++; return c.n })))
}

// gaveUp holds against what must be which frames say that they were given up, by every way of looking at them, and that
// the others are whole.
func gaveUp(t *testing.T, s *dissect.Session, want ...bool) {
	t.Helper()
	if s.Passed() != len(want) {
		t.Fatalf("%d frames have passed", s.Passed())
	}
	reg := s.Registry()
	mark, kind := reg.Field("_ws.watchdog"), reg.Field("hangs.kind")
	l, n := s.Dissector(), 0 // which would wait for ever where something hangs
	for i, hung := range want {
		frame := dissect.FrameNum(i + 1)
		tree := l.Tree(frame)
		at := tree.Find(mark)
		if (at >= 0) != hung || (tree.Find(kind) >= 0) == hung {
			t.Errorf("frame %d: given up %v, want %v; its type is there: %v", frame, at >= 0, hung, tree.Find(kind) >= 0)
		}
		if at >= 0 && !strings.Contains(tree.Label(at), "(hangs)") {
			t.Errorf("frame %d: %q does not name the protocol", frame, tree.Label(at))
		}
		if hung != (l.Redissect(frame, reg.Wants(mark)).Find(mark) >= 0) {
			t.Errorf("frame %d: a look for the note alone says something else", frame)
		}
		if tree = l.Tree(frame); tree.Find(reg.Field("wire.head")) < 0 {
			t.Errorf("frame %d: what is before the dissector that hung is not shown", frame)
		}
		if hung {
			n++
		}
	}
	if s.GivenUp() != n {
		t.Errorf("%d frames were given up, want %d", s.GivenUp(), n)
	}
}

// TestHangs has dissectors hang in every way there is. The pass goes on, and the frame says so at once ever after.
func TestHangs(t *testing.T) {
	for name, hang := range map[string]func(*testing.T) func(*dissect.D){
		"a loop": func(t *testing.T) func(*dissect.D) {
			forever := spin(t)
			return func(*dissect.D) { forever() }
		},
		"a slow loop with steps": func(*testing.T) func(*dissect.D) {
			return func(d *dissect.D) {
				for d.Skip(1); ; {
					for began := time.Now(); time.Since(began) < 20*time.Microsecond; {
					}
					d.Seek(d.Pos() - 1)
					d.Skip(1)
				}
			}
		},
		"a sleep": func(*testing.T) func(*dissect.D) {
			return func(*dissect.D) { time.Sleep(time.Hour) } // that is what hangs
		},
		"a channel": func(*testing.T) func(*dissect.D) {
			return func(*dissect.D) { <-make(chan bool) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hangs := hang(t)
			s := hangSession(t, dissect.Plugin{Dissect: func(d *dissect.D) {
				if d.Kind(fHangKind) == 1 {
					hangs(d)
				}
				count(d)
			}}, 0, 1, 0, 0)
			gaveUp(t, s, false, true, false, false)
			last := s.Tree(4)
			if i := last.Find(fHangNth); i < 0 || last.Nodes[i].Val != 3 {
				t.Error("what the protocol knew of the conversation is lost")
			}
			if s.SeverityOf(2) != dissect.Error || s.SeverityOf(3) != dissect.Silent || s.ExpertInfos() != 1 {
				t.Errorf("%d expert infos", s.ExpertInfos())
			}
		})
	}
}

// TestHangInAChange loses the state that a dissector hangs on, and nothing else.
func TestHangInAChange(t *testing.T) {
	t.Parallel()
	var over atomic.Bool
	t.Cleanup(func() { over.Store(true) })
	s := hangSession(t, dissect.Plugin{Dissect: func(d *dissect.D) {
		kind := d.Kind(fHangKind)
		d.Set(fHangNth, uint64(hangState.FirstPass(d, func(c *hangCount) uint32 {
			for kind == 1 && !over.Load() {
				c.loops++
			}
			c.n++
			return c.n
		})))
	}}, 0, 1, 0, 0)
	gaveUp(t, s, false, true, false, false)
	last := s.Tree(4)
	if i := last.Find(fHangNth); i < 0 || last.Nodes[i].Val != 2 {
		t.Error("the state goes on that a dissector may still be changing")
	}
	if id, _ := s.DirectionOf(2); id != 1 || s.Conversations() != 1 {
		t.Error("the frame is of no conversation, or of one of its own")
	}
}

// TestHangInAGame hangs in a change of a game. The others go on to change it, and to look at it.
func TestHangInAGame(t *testing.T) {
	t.Parallel()
	forever := spin(t)
	s := hangSession(t, dissect.Plugin{Dissect: func(d *dissect.D) {
		kind := d.Kind(fHangKind)
		if d.Frame == 1 {
			d.Session().NewGame("a game")
		}
		d.Session().InGame(1, func(g *dissect.Game) {
			g.Enter(fmt.Sprint("phase ", d.Frame), d.Frame)
			if kind == 1 {
				forever()
			}
		})
	}}, 0, 1, 0)
	gaveUp(t, s, false, true, false)
	games := s.Games()
	if len(games) != 1 || len(games[0].Phases) != 2 || games[0].Phases[1].Name != "phase 3" {
		t.Errorf("the games are %+v", games)
	}
}

// TestTheDissectorComesBack has one that hung go on behind the end of the pass: it ends before it changes anything.
func TestTheDissectorComesBack(t *testing.T) {
	t.Parallel()
	for name, access := range map[string]func(*dissect.D){
		"a claim":  func(d *dissect.D) { d.Ends().Claim(d.Src) },
		"a change": count,
		"a list":   func(d *dissect.D) { hangList.Put(d, 1) },
		"a game":   func(d *dissect.D) { d.Session().NewGame("a game") },
		"a mark":   func(d *dissect.D) { d.Expert(nHangs) },
		"a layer":  func(d *dissect.D) { d.Next(dissect.TableEther, 0x800); d.Inner().NextPort(dissect.TableUDP, 7, 1000) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			back, after := make(chan bool), make(chan string, 1)
			s := hangSession(t, dissect.Plugin{Dissect: func(d *dissect.D) {
				if d.Kind(fHangKind) == 1 {
					defer func() { after <- "ended" }()
					<-back
					access(d)
					after <- "went on"
				}
				count(d)
			}}, 0, 1, 0)
			experts := s.ExpertInfos()
			close(back)
			if how := <-after; how != "ended" {
				t.Errorf("it %s", how)
			}
			gaveUp(t, s, false, true, false)
			if s.ExpertInfos() != experts {
				t.Error("it left something in the session")
			}
		})
	}
}

// TestHangInAGuess names the protocol that was asked, not the one that carries the bytes.
func TestHangInAGuess(t *testing.T) {
	t.Parallel()
	forever := spin(t)
	s := hangSession(t,
		dissect.Plugin{Dissect: func(d *dissect.D) { d.Kind(fHangKind) }, Guess: func(d *dissect.D) dissect.Confidence {
			if d.Peek(0) == 1 {
				forever()
			}
			return dissect.Strong
		}}, 1, 0, 0)
	gaveUp(t, s, true, false, false)
}

// TestHangInALook hangs in a re-dissection alone. Whoever looks under a guard gets a tree that says so; from then on
// all do.
func TestHangInALook(t *testing.T) {
	t.Parallel()
	forever := spin(t)
	s := hangSession(t, dissect.Plugin{Dissect: func(d *dissect.D) {
		if d.Kind(fHangKind) == 1 && !d.Session().FirstPass() {
			forever()
		}
	}}, 0, 1, 0)
	if s.GivenUp() != 0 {
		t.Fatal("the first pass hung")
	}
	looks, at := 0, dissect.FrameNum(1)
	s.Guard().Run(func(l *dissect.Dissector) {
		for ; at <= 3; at++ {
			l.Tree(at)
			looks++
		}
	})
	if looks != 3 {
		t.Errorf("%d looks", looks)
	}
	gaveUp(t, s, false, true, false)
}

// TestADissectorIsSwitchedOff after it hung three times: what it would dissect is data that says so.
func TestADissectorIsSwitchedOff(t *testing.T) {
	t.Parallel()
	s := hangSession(t, dissect.Plugin{Dissect: func(d *dissect.D) {
		if d.Kind(fHangKind) == 1 {
			time.Sleep(time.Hour) // that is what hangs
		}
	}}, 0, 1, 1, 1, 1, 0, 1)
	reg := s.Registry()
	off := reg.Field("_ws.dissector_off")
	l := s.Dissector()
	for i, want := range []bool{false, false, false, false, true, true, true} {
		tree := l.Tree(dissect.FrameNum(i + 1))
		at := tree.Find(off)
		if (at >= 0) != want || (tree.Find(reg.Field("data.data")) >= 0) != want || (tree.Find(fHangKind) >= 0) != (i == 0) {
			t.Errorf("frame %d: switched off %v, want %v", i+1, at >= 0, want)
		}
		if at >= 0 && !strings.Contains(tree.Label(at), "(hangs)") {
			t.Errorf("%q names no protocol", tree.Label(at))
		}
	}
	if s.GivenUp() != 3 {
		t.Errorf("%d frames were given up", s.GivenUp())
	}
}

// TestAStoppedProgramGivesNothingUp stops a program in the middle of an honest packet that takes long, for longer than
// a frame may take. The packet is dissected as ever.
func TestAStoppedProgramGivesNothingUp(t *testing.T) {
	if os.Getenv("REMORA_TEST_SLOW_FRAME") != "" {
		slowFrame(t)
		return
	}
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-test.run=^TestAStoppedProgramGivesNothingUp$", "-test.v")
	cmd.Env = append(os.Environ(), "REMORA_TEST_SLOW_FRAME=1")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(4 * time.Second) // it shows nothing while it is stopped
	cmd.Process.Signal(syscall.SIGCONT)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the packet was given up: %v", err)
	}
}

// slowFrame dissects a packet that takes a third of the time that it may.
func slowFrame(t *testing.T) {
	s := hangSession(t, dissect.Plugin{Dissect: func(d *dissect.D) {
		if d.Kind(fHangKind) == 1 && d.Session().FirstPass() {
			os.Stderr.WriteString("begun\n")
			for until := processorTime() + 300*time.Millisecond; processorTime() < until; {
			}
		}
	}}, 0, 1, 0)
	gaveUp(t, s, false, false, false)
}

func processorTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestPanicUnderAGuard comes out where somebody waits.
func TestPanicUnderAGuard(t *testing.T) {
	store, err := pcapfile.OpenBytes(t.Context(), "test", dissecttest.Pcap(1, nil), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := dissect.NewSession(dissecttest.Registry(t,
		dissecttest.OverUDP(dissect.Plugin{Protocol: loops, UDP: []uint16{7}, Dissect: dissectLoops})), store)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pass(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p, ok := recover().(error); !ok || !strings.Contains(p.Error(), "on purpose") {
			t.Errorf("out comes %v", p)
		}
	}()
	s.Guard().Run(func(*dissect.Dissector) { panic("on purpose") })
}
