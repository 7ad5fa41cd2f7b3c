package ui

import (
	"slices"
	"strings"
	"testing"

	"remora/ui/columns"
)

// TestColumnsAreKeptBetweenRuns changes columns, and looks for them in another run, under other settings and after
// taking them back.
func TestColumnsAreKeptBetweenRuns(t *testing.T) {
	dir := t.TempDir()
	head := func(x *screen) string { return strings.Split(x.text(), "\n")[3] }
	x := open(t, 120, 36, Config{State: dir}).keys("s")
	x.keys("jjj<space>").keys("q:column udp.srcport<enter>")
	x.m.list.Widen(x.m.list.Named("Len"), 9)
	x.keys("j")
	want := head(x)
	if strings.Contains(want, "Source    ") || !strings.Contains(want, "Source Port") {
		t.Fatalf("the head is %q", want)
	}
	if got := head(open(t, 120, 36, Config{State: dir})); got != want {
		t.Errorf("the next run has %q, want %q", got, want)
	}
	if got := head(open(t, 120, 36,
		Config{State: dir, Settings: Settings{Columns: []string{"No.", "Type"}}})); strings.Contains(got, "Destination") ||
		!strings.Contains(got, "Type") {
		t.Errorf("with other settings the head is %q", got)
	}
	x = open(t, 120, 36, Config{State: dir}).keys(":columns default<enter>")
	x.has("Destination", "Columns reset")
	usual := head(x)
	if got := head(open(t, 120, 36, Config{State: dir})); got != usual || usual == want {
		t.Errorf("after taking them back the next run has %q, want %q", got, usual)
	}
}

// TestColumnsAreRenamed gives titles on the screen and in the settings, takes one back, and looks at the next run.
func TestColumnsAreRenamed(t *testing.T) {
	dir := t.TempDir()
	head := func(x *screen) string { return strings.Split(x.text(), "\n")[3] }
	x := open(t, 120, 36, Config{State: dir}).keys("sjjj")
	x.keys("r").keys("<ctrl+u>A, b=c~\x1b[2J<enter>")
	x.has("A, b=c~")
	x.keys("q")
	if got := head(x); !strings.Contains(got, "A, b=c~") || strings.Contains(got, "\x1b[2J") {
		t.Errorf("the head is %q", got)
	}
	next := open(t, 120, 36, Config{State: dir})
	if got := head(next); got != head(x) {
		t.Errorf("the next run has %q", got)
	}
	next.keys("sjjjr<ctrl+u><enter>q")
	if got := head(next); !strings.Contains(got, "Source") {
		t.Errorf("an empty title leaves %q", got)
	}
	x = open(t, 120, 36, Config{Settings: Settings{Columns: []string{"No.", "udp.length as Size", "Info as What"}}})
	if got := strings.Fields(head(x)); !slices.Equal(got, []string{"No.", "Size", "What"}) {
		t.Errorf("the head by the settings is %q", got)
	}
}

func TestColumnsOfTextForgetsWhatIsNoMore(t *testing.T) {
	x := open(t, 80, 24, Config{})
	list := columns.Read(x.m.cfg.Registry, "No.,-Time,nonsense.field,udp.srcport=12,Type=99999,Info")
	if got := columns.Text(list); got != "No.,-Time,udp.srcport=12,Type=120,Info" {
		t.Errorf("read and written again it is %q", got)
	}
}

// TestForwardAgain goes back and forward through jumps.
func TestForwardAgain(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("5G9G20G")
	for _, step := range []struct {
		keys string
		at   int
	}{{"''", 9}, {"''", 5}, {"<alt+right>", 9}, {"<alt+right>", 20}, {"<alt+right>", 20}, {"''", 9}, {"30G", 30},
		{"<alt+right>", 30}, {"''", 9}} {
		if x.keys(step.keys); int(x.m.selected.Frame) != step.at {
			t.Errorf("%s leads to %d, want %d", step.keys, x.m.selected.Frame, step.at)
		}
	}
}

// TestLongNoticesTakeTwoLines: what went wrong stands at the end of a message, which must be seen on a narrow screen.
func TestLongNoticesTakeTwoLines(t *testing.T) {
	x := open(t, 80, 24, Config{}).keys(":sort nonsense.of.some.field.that.is.long<enter>")
	lines := strings.Split(x.text(), "\n")
	if both := lines[22] + lines[23]; !strings.Contains(lines[22], "nonsense.of") || !strings.Contains(both, "name") ||
		strings.Contains(both, "…") {
		t.Errorf("the message is %q, %q", lines[22], lines[23])
	}
	x.keys("j")
	x.has("? keys")
}

// TestSizesAreKeptBetweenRuns changes the arrangement and the sizes of the panes; nonsense in the file changes nothing.
func TestSizesAreKeptBetweenRuns(t *testing.T) {
	state := t.TempDir()
	x := open(t, 120, 36, Config{State: state}).keys("||+><<+")
	want := x.m.room.sizes
	if y := open(t, 120, 36, Config{State: state}); y.m.room.sizes != want {
		t.Errorf("the next run has %v, want %v", y.m.room.sizes, want)
	}
	for _, line := range []string{"9 45 0 45 0", "0 0 0 0 0", "x", "0 45 0 45 99999999"} {
		x.m.lists.sizes.Add(line)
		if y := open(t, 120, 36, Config{State: state}); y.m.room.sizes != usualSizes {
			t.Errorf("%q gives %v", line, y.m.room.sizes)
		}
	}
}

// TestWideScreensStandSideBySide: list, tree and bytes stand side by side where the list has 110 columns of its own,
// also beside the facets, until somebody chooses.
func TestWideScreensStandSideBySide(t *testing.T) {
	for w, want := range map[int]int{99: arrangeBelow, 120: arrangeBelow, 160: arrangeBelow, 185: arrangeBelow,
		188: arrangeBeside, 200: arrangeBeside} {
		x := open(t, w, 40, Config{})
		p := x.m.room.layout()
		if x.m.room.arranged() != want {
			t.Errorf("%d wide, the arrangement is %d, want %d", w, x.m.room.arranged(), want)
		}
		if want == arrangeBeside && p.hex.w < hexWidth {
			t.Errorf("%d wide, the bytes have %d columns of the %d they need", w, p.hex.w, hexWidth)
		}
		if x.keys("|"); x.m.room.arranged() == want && w > 120 {
			t.Errorf("%d wide, | changes nothing", w)
		}
		if x = open(t, w, 40, Config{}).keys("f"); x.m.room.arranged() != arrangeBelow {
			t.Errorf("%d wide, the list has %d columns beside facets and tree", w, x.m.room.layout().list.w)
		}
	}
}
