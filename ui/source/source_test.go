package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"remora/capture/live"
	"remora/ui/discovery"
)

// TestBarsKeepTheirShape reads counters for more than a minute: every bar stays as it was once it is whole, and moves
// one cell to the left at a time.
func TestBarsKeepTheirShape(t *testing.T) {
	for _, w := range []int{7, 15, 40, 53, 120, 200} {
		var tr Traffic
		var c live.Counters
		var before []float64
		for i := range uint64(400) {
			tr.Take(map[string]live.Counters{"a": c})
			c.RxBytes += i * i * 31 % 1000
			bars := tr.Bars("a", w)
			if len(bars) > BarsIn(w) || len(bars) > w {
				t.Fatalf("%d bars in %d cells", len(bars), w)
			}
			if len(before) > 2 && i < 100 {
				// The last bar is still growing, and the first one loses readings once a minute is over.
				if !slices.Equal(bars[:len(before)-1], before[:len(before)-1]) {
					t.Fatalf("w %d, reading %d: %v became %v", w, i, before, bars)
				}
			} else if len(before) > 4 {
				inner := before[2 : len(before)-1]
				if i := slices.Index(bars, inner[0]); i < 0 || !slices.Equal(bars[i:i+len(inner)], inner) {
					t.Fatalf("w %d: %v became %v", w, before, bars)
				}
			}
			before = bars
		}
		if len(before) < BarsIn(w) {
			t.Errorf("a minute has %d bars of %d", len(before), BarsIn(w))
		}
	}
}

func TestTrafficCounts(t *testing.T) {
	var tr Traffic
	if _, known := tr.Bits("a"); known || tr.Moves("a") {
		t.Error("something is known of nothing")
	}
	tr.Take(map[string]live.Counters{"a": {RxBytes: 1 << 40}})
	if _, known := tr.Packets("a"); known {
		t.Error("one reading says nothing of what passes")
	}
	tr.Take(map[string]live.Counters{"a": {RxBytes: 1<<40 + 500, TxBytes: 125, RxPackets: 5, TxPackets: 2}})
	if bits, known := tr.Bits("a"); !known || bits != 10_000 { // 625 bytes in half a second
		t.Errorf("%g bits a second", bits)
	}
	if n, _ := tr.Packets("a"); n != 7 || !tr.Moves("a") {
		t.Errorf("%d packets", n)
	}
	tr.Take(map[string]live.Counters{"a": {RxBytes: 100}}) // set back
	if bits, _ := tr.Bits("a"); bits != (625+100)*8 {
		t.Errorf("%g bits a second over a second", bits)
	}
	tr.Take(map[string]live.Counters{"b": {}})
	if _, known := tr.Bits("a"); known {
		t.Error("an interface that is gone still has bits")
	}
}

func TestItemsKeepTheirNames(t *testing.T) {
	f := Found{Interfaces: []live.InterfaceInfo{{Name: "a"}, {Name: "b"},
		{Name: "usb", Description: "USB", LinkType: -1}}, Recovered: []live.Recovered{{Path: "x"}},
		Recent: []Recent{{Path: "y"}}}
	var names []string
	for _, i := range f.Items([]discovery.Game{{Iface: "a", Title: "T"}}) {
		names = append(names, i.Name())
	}
	if len(names) != 6 || names[5] != "interface usb" || names[0] != "interface a" || names[3] != "orphan x" ||
		names[4] != "file y" {
		t.Errorf("%q", names)
	}
	if got := f.Several(map[string]bool{"b": true, "gone": true}, "a"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%q", got)
	}
	if got := f.Several(nil, "a"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%q", got)
	}
}

func TestState(t *testing.T) {
	for want, in := range map[string]live.InterfaceInfo{
		"up  1 Gb/s":         {Up: true, Running: true, Speed: 1e9},
		"up  loopback":       {Up: true, Running: true, Loopback: true, Kind: "loopback"},
		"no carrier  bridge": {Up: true, Kind: "bridge"}, "down": {},
	} {
		if got := State(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhen(t *testing.T) {
	now := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	for want, at := range map[string]time.Time{"": {}, "today 08:30": now.Add(-210 * time.Minute),
		"yesterday 23:00": now.Add(-13 * time.Hour), "3 Feb 12:00": now.AddDate(0, 0, -27),
		"1 Mar 2023": now.AddDate(-1, 0, 0)} {
		if got := When(at, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"game-1.pcap", "game-2.pcap", "odd[1].pcap"} {
		if err := os.WriteFile(filepath.Join(home, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(home, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{"~/ga": home + "/game-", home + "/odd[": home + "/odd[1].pcap",
		"~/fo": home + "/folder/", "~/none": "~/none"} {
		if got := CompletePath(typed); got != want {
			t.Errorf("%s becomes %s, want %s", typed, got, want)
		}
	}
	if got := ShortHome(ExpandHome("~/x y")); got != "~/x y" {
		t.Errorf("there and back it is %q", got)
	}
	if got := ShortHome("/elsewhere"); got != "/elsewhere" {
		t.Errorf("%q", got)
	}
}

func TestWords(t *testing.T) {
	for _, text := range []string{"duration:60 packets:5", "filesize:100", ""} {
		r, err := Stop(text)
		if err != nil || StopText(r) != text {
			t.Errorf("%q is written again as %q (%v)", text, StopText(r), err)
		}
	}
	if _, err := Stop("soon"); err == nil {
		t.Error("soon is a rule")
	}
	if _, err := Length("-1"); err == nil {
		t.Error("-1 is a length")
	}
	for n, want := range map[int64]string{0: "", 512 << 20: "512 MiB", 3 << 29: "1.5 GiB"} {
		if got := SizeText(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if back, err := Keep(SizeText(n)); err != nil || back != n {
			t.Errorf("%d is read again as %d (%v)", n, back, err)
		}
	}
}
