package filtered

import (
	"path/filepath"
	"testing"
	"time"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/protocols"
)

// filtered waits until all packets of a fixture are decided.
func filtered(t *testing.T, text string, ig Ignored) (*dissect.Session, *Packets) {
	t.Helper()
	s := dissecttest.Load(t, protocols.All(), filepath.Join("..", "..", "fixtures", "captures", "lan", "dns.pcap"))
	f, err := filter.Compile(s.Registry(), text)
	if err != nil {
		t.Fatal(err)
	}
	sh := Start(s, f, ig)
	t.Cleanup(sh.Cancel)
	for int(sh.Decided.Load()) < s.Passed() && sh.Failed.Load() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := sh.Failed.Load(); err != nil {
		t.Fatal(*err)
	}
	return s, sh
}

func matches(sh *Packets) (out []dissect.FrameNum) {
	for i := range sh.Matches.Len() {
		out = append(out, sh.Matches.At(i))
	}
	return out
}

// TestPackets holds what is left against the filter asked packet by packet.
func TestPackets(t *testing.T) {
	for _, ig := range []Ignored{nil, {1: true, 3: true, 9999: true}} {
		for _, text := range []string{"", "dns", "dns.flags.response == 1", "!frame", "frame.number in {2, 3, 5}"} {
			s, sh := filtered(t, text, ig)
			l, got := s.Dissector(), matches(sh)
			at := 0
			for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
				if sh.Row(n) != at {
					t.Errorf("%q: packet %d would be in row %d, not %d", text, n, sh.Row(n), at)
				}
				if !sh.Filter.Match(l, n) || ig[n] {
					continue
				}
				if at >= len(got) || got[at] != n {
					t.Fatalf("%q without %v leaves %v, and packet %d is not in its place", text, ig, got, n)
				}
				at++
			}
			if at != len(got) {
				t.Errorf("%q leaves %d packets, not %d", text, len(got), at)
			}
			packets := 0
			for _, p := range sh.Tally.Types() {
				packets += int(p.Packets)
			}
			if packets != len(got) {
				t.Errorf("%q counts %d packets of %d", text, packets, len(got))
			}
		}
	}
}

func TestEveryPacket(t *testing.T) {
	var all *Packets
	if all.Row(1) != 0 || all.Row(77) != 76 {
		t.Error("without a filter packets stand in the row of their number")
	}
}

// TestCount leaves ignored packets out of a count.
func TestCount(t *testing.T) {
	s, _ := filtered(t, "", nil)
	for _, ig := range []Ignored{nil, {}, {1: true, 2: true, 4000: true}} {
		tally := stats.NewTally(s)
		ig.Count(tally, 1, dissect.FrameNum(s.Passed()))
		packets, want := 0, s.Passed()
		for _, p := range tally.Types() {
			packets += int(p.Packets)
		}
		for n := range ig {
			if int(n) <= s.Passed() {
				want--
			}
		}
		if packets != want {
			t.Errorf("without %v there are %d packets, want %d", ig, packets, want)
		}
	}
}
