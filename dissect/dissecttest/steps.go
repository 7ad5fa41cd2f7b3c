package dissecttest

import (
	"testing"

	"remora/dissect"
)

// A Spending is what the costliest frame of a session took of its budget.
type Spending struct {
	Frame    dissect.FrameNum
	Steps    int    // of dissect.MaxSteps
	Protocol string // of its Protocol column
	GivenUp  bool   // a frame was given up
}

// Spent dissects a capture file, each frame in both passes, in full, and tells what its costliest frame took.
func Spent(t testing.TB, plugins []dissect.Plugin, path string) (most Spending) {
	t.Helper()
	reg := Registry(t, plugins)
	watch(reg, &most)
	s := LoadOf(t, reg, path)
	return most.in(s)
}

// SpentOf is Spent over packets made in the test.
func SpentOf(t testing.TB, plugins []dissect.Plugin, linkType int, packets []Packet) (most Spending) {
	t.Helper()
	reg := Registry(t, plugins)
	watch(reg, &most)
	s := SessionOf(t, reg, linkType, packets)
	return most.in(s)
}

func watch(reg *dissect.Registry, most *Spending) {
	reg.Spent = func(n dissect.FrameNum, steps int, over bool) {
		most.GivenUp = most.GivenUp || over
		if steps > most.Steps {
			most.Frame, most.Steps = n, steps
		}
	}
}

// in dissects the frames of a session again, one after the other.
func (most *Spending) in(s *dissect.Session) Spending {
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		l.Tree(n)
	}
	if found := *most; found.Frame > 0 {
		found.Protocol = s.Tree(found.Frame).ProtocolText()
		return found
	}
	return *most
}
