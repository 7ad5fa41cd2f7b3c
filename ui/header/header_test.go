package header

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/protocols"
	"remora/ui/filtered"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/view/viewtest"
)

// screen shows the header of a sample.
type screen struct{ *viewtest.Screen }

func (x screen) Tabs() (string, int) { return "[Packets] ", 10 }
func (x screen) Origin() string      { return "from the facets" }

func TestTheHeaderSaysWhatIsShown(t *testing.T) {
	x := screen{viewtest.OpenSample(t, protocols.All(), 120, 36)}
	s := x.Scope().Session
	packets := &listed.Packets{Session: s, Store: s.Store()}
	h := New(x, packets)
	has := func(line string, w int, parts ...string) {
		t.Helper()
		if paint.Width(line) != w {
			t.Errorf("%q is %d wide, not %d", line, paint.Width(line), w)
		}
		for _, p := range parts {
			if !strings.Contains(ansi.Strip(line), p) {
				t.Errorf("no %q in %q", p, ansi.Strip(line))
			}
		}
	}
	has(h.Draw(80), 80, "remora", "○ sample.pcap", "[Packets]")
	has(h.Draw(22), 22, "○ sampl", "…", "[Packets]")
	has(h.Filter(120), 120, "no filter", "82 packets")
	f, err := x.Scope().Compile("dns")
	if err != nil {
		t.Fatal(err)
	}
	packets.Filtered = filtered.Start(s, f, nil)
	defer packets.Filtered.Cancel()
	for packets.Filtered.Matches.Len() < 2 || int(packets.Filtered.Decided.Load()) < 82 {
		x.Matching("dns")
	}
	has(h.Filter(120), 120, "dns", "from the facets", "✓ 2 of 82 · 2.4 %")
	has(h.Filter(60), 60, "dns", "2 of 82")
}

// TestPathsAreCutBetweenFolders: and a name that alone is too long keeps its end.
func TestPathsAreCutBetweenFolders(t *testing.T) {
	for name, want := range map[string]string{"a/b.pcap": "a/b.pcap", "captures/of/monday.pcapng": "…/of/monday.pcapng",
		"captures/of/the-whole-of-monday.pcapng": "…hole-of-monday.pcapng"} {
		if got := pathTail(name, 22); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
