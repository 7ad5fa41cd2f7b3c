package print_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/ui/print"
)

// counted is what a statistic prints of all packets of a session.
func counted(t *testing.T, s *dissect.Session, words string) string {
	t.Helper()
	st, err := print.NewStatistic(s, words, filter.Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	l := s.Dissector()
	for n := range s.Passed() {
		if err := st.Packet(l, dissect.FrameNum(n+1)); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := st.Print(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// at puts packets at some milliseconds after the first.
func at(t *testing.T, ms ...int) *dissect.Session {
	t.Helper()
	var packets []dissecttest.Packet
	for i, v := range ms {
		p := dissecttest.Packets(packet(strings.Repeat("x", 10*i)))[0]
		if i > 0 {
			p.Gap = int64(v-ms[i-1]) * 1e6
		}
		packets = append(packets, p)
	}
	return dissecttest.Session(t, plugins(), 1, packets)
}

func TestHierarchy(t *testing.T) {
	s := session(t, packet("a"), packet(), []byte{10, 0, 0, 1, 10, 0, 0, 2})
	got := counted(t, s, "io,phs")
	// The printers' tests have no frame layer: the outermost protocol, host, stands in its place and is not a line.
	if want := "\nsay                                      frames:2 bytes:32\n"; !strings.Contains(got, want) ||
		strings.Contains(got, "host ") {
		t.Errorf("%s", got)
	}
	got = counted(t, s, `io,phs,say.word == "a"`)
	if !strings.Contains(got, "frames:1 bytes:17\n") || !strings.Contains(got, `Filter: say.word == "a"`) {
		t.Errorf("%s", got)
	}
}

func TestIntervals(t *testing.T) {
	s := at(t, 0, 999, 1000, 2500, -5)
	got := counted(t, s, "io,stat,1,,say.word")
	for _, want := range []string{
		"| Interval | Frames | Bytes | Frames | Bytes |\n", "|  0 <> 1  |      3 |    98 |      2 |    82 |\n",
		"|  1 <> 2  |      1 |    36 |      1 |    36 |\n", "|  2 <> Dur|      1 |    46 |      1 |    46 |\n",
		"| Duration: 2.500000 secs", "| Col 1: Frames and bytes", "|     2: say.word",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := counted(t, s, "io,stat,0"); !strings.Contains(got, "| 0.000 <> 2.500 |      5 |   180 |") {
		t.Errorf("%s", got)
	}
	if got := counted(t, s, "io,stat,0.5"); strings.Count(got, " <> ") != 5 || !strings.Contains(got, "| 2.0 <> 2.5 |") {
		t.Errorf("a row behind the end, which tshark does not have:\n%s", got)
	}
	if got := counted(t, at(t, 0), "io,stat,1"); strings.Contains(got, "<>") || !strings.Contains(got, "n: 0.000 secs ") {
		t.Errorf("a capture that takes no time:\n%s", got)
	}
	// rounded up to 100 seconds, which makes the table wider, not the times in it
	got = counted(t, at(t, 0, 99_900), "io,stat,1")
	for _, want := range []string{"| Duration: 99.900000 secs   |\n", "|            |1               |\n",
		"| 98 <> 99 |", "| 99 <> Dur |"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := counted(t, session(t), "io,stat,1"); strings.Contains(got, "<>") || !strings.Contains(got, "Interval ") {
		t.Errorf("no packets:\n%s", got)
	}
}

// TestIntervalsFarApart must not make a line for every millisecond of a century.
func TestIntervalsFarApart(t *testing.T) {
	got := counted(t, at(t, 0, 3_000_000_000), "io,stat,0.000001")
	if lines := strings.Count(got, "\n"); lines > 1_100_000 || !strings.Contains(got, "1 packets lie behind") {
		t.Errorf("%d lines, ending in %q", lines, got[len(got)-200:])
	}
}

func TestStatisticMistakes(t *testing.T) {
	s := session(t, packet())
	for _, words := range []string{"", "io", "io,foo", "conv", "conv,pigeon", "endpoints,", "io,stat", "io,stat,x",
		"io,stat,-1", "io,stat,NaN", "io,stat,1e-9", "io,stat,1e300"} {
		if _, err := print.NewStatistic(s, words, filter.Options{}, false); err == nil {
			t.Errorf("-z %q is taken", words)
		}
	}
	for _, words := range []string{"io,phs,say.wrd", "expert,==", "conv,host,(", "io,stat,1,say,say.wrd"} {
		var bad *filter.Error
		if _, err := print.NewStatistic(s, words, filter.Options{}, false); !errors.As(err, &bad) {
			t.Errorf("-z %q gives %v", words, err)
		}
	}
}

func TestExperts(t *testing.T) {
	s := session(t, packet("a"), packet()[:10], packet()[:11])
	got := counted(t, s, "expert")
	if !strings.Contains(got, "Errors (2)") || !strings.Contains(got, "Malformed packet") {
		t.Errorf("%s", got)
	}
	if got := counted(t, s, "expert,say.word"); got != "" {
		t.Errorf("%s", got)
	}
}
