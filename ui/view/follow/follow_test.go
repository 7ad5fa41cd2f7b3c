package follow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/view/viewtest"
	"remora/ui/widget"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/"+name, w, h)
}

// here follows the selected packet.
func here(x *viewtest.Screen, n dissect.FrameNum) *View {
	x.GoTo(n)
	v := New(x, Here(x), n)
	x.Show(v)
	return v
}

// TestFoldsARhythm: the inputs of a game are one line, whoever sends them and whichever of the types they are, with
// what stands out between them; copies of earlier messages are counted at the end of the line, or stand by themselves.
func TestFoldsARhythm(t *testing.T) {
	x := file(t, "kaillera/evening.pcapng", 120, 32)
	v := here(x, 400)
	x.Has("⋯ 48 GAME_DATA, 237 GAME_CACHE in 72 runs", "GAME_STATUS          #18 Chess: Waiting, 3 of 4 players  × 3",
		"◂ here     +2",
		"sent 3 times within 66.20 ms: again in 408, 414", "raw of the message above, in packet 400")
	folded := len(v.Lines)
	x.Keys("x").Has("again, first in packet")
	if len(v.Lines) < 2*folded {
		t.Errorf("%d lines with the copies, %d without", len(v.Lines), folded)
	}
	if v.cursorUnit() < 0 || v.stream.Unit(v.cursorUnit()).Frame != 400 {
		t.Error("the cursor is on another packet now")
	}
}

// TestByMouse: the words of the head go on to the next reading and way, a line is selected, and a second click unfolds.
func TestByMouse(t *testing.T) {
	x := sample(t, 120, 32)
	v := here(x, 3)
	v.Click(5, 3)
	if v.table.Cur != 1 || len(v.Lines) != 2 {
		t.Fatalf("line %d of %d", v.table.Cur, len(v.Lines))
	}
	if v.Click(5, 3); len(v.Lines) != 40 {
		t.Errorf("%d lines after the second click", len(v.Lines))
	}
	v.Click(v.taps[1].X, v.taps[1].Y)
	x.Has("only →")
	v.Click(v.taps[0].X, v.taps[0].Y)
	x.Has("text ▾")
}

// TestFoldsAndUnfolds: Enter on a run shows its messages, Space folds them again, and neither leaves the view.
func TestFoldsAndUnfolds(t *testing.T) {
	x := sample(t, 120, 32)
	v := here(x, 3)
	x.Keys("j").Has("⋯ 39 GAME_INPUT", "packets 5–81", "40 messages", "◂ here").Keys("<enter>")
	if len(v.Lines) != 40 || x.View == nil {
		t.Fatalf("%d lines after unfolding", len(v.Lines))
	}
	if x.Keys("9G<shift+left>"); len(v.Lines) != 2 || v.table.Cur != 1 {
		t.Errorf("%d lines after folding, the cursor is on %d", len(v.Lines), v.table.Cur)
	}
	if x.Keys("<enter>20G<enter>"); x.View != nil || x.List().Current() != 41 {
		t.Errorf("Enter on a message leads to %d", x.List().Current())
	}
}

// TestSearchWaitsForLines searches before anything is laid out: the cursor goes to the match once there is one.
func TestSearchWaitsForLines(t *testing.T) {
	x := sample(t, 120, 32)
	v := here(x, 3)
	v.find, v.Whole, v.table = "game_input", true, widget.Table{}
	v.Relay()
	v.nextFrom(0, 1)
	if v.sought != 0 || !v.Busy() || x.Notice == "" {
		t.Fatalf("the search ends before there is a line: %d, %q", v.sought, x.Notice)
	}
	x.Settle().Has(`"game_input" 1 of 40 matches`)
	if v.sought >= 0 || x.Notice != "" {
		t.Errorf("the search goes on at %d, %q", v.sought, x.Notice)
	}
}

// TestSearchesAndSaves by what is typed.
func TestSearchesAndSaves(t *testing.T) {
	x := sample(t, 120, 32)
	here(x, 3)
	x.Keys("<ctrl+f>").Type("game_input").Has(`"game_input" 1 of 40 matches`).Keys("w")
	path := filepath.Join(t.TempDir(), "messages.txt")
	x.Type(path)
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "GAME_INPUT") ||
		!strings.Contains(x.Notice, "saved to "+path) {
		t.Errorf("%v, %q: %q", err, x.Notice, b)
	}
}

// TestFitsAnotherWidth: bytes are laid out anew for another width, and the cursor stays on its packet.
func TestFitsAnotherWidth(t *testing.T) {
	x := sample(t, 120, 32)
	v := here(x, 1)
	x.Keys("vv<end>")
	unit := v.cursorUnit()
	x.W, x.H = 60, 12
	x.Settle().Has("0018  03 6f 72 67")
	if got := v.cursorUnit(); got != unit {
		t.Errorf("the cursor is on %d, was on %d", got, unit)
	}
	x.W, x.H = 120, 32
	x.Settle().Has("0010  07 65 78 61 6d 70 6c 65  03 6f 72 67 00 00 01 00")
}

// TestWhatIsClosedStops: the reading ends with the view.
func TestWhatIsClosedStops(t *testing.T) {
	x := sample(t, 120, 32)
	v, ended := here(x, 1), false
	stop := v.stop
	v.stop = func() { ended = true; stop() }
	if x.Keys("q"); !ended {
		t.Error("the reading of a conversation goes on")
	}
}

// TestOnlyAPartIsSaved: W writes the body of the message under the cursor, without its head, named by its format; in a
// conversation without heads it writes the part as it is.
func TestOnlyAPartIsSaved(t *testing.T) {
	x := file(t, "lan/http.pcap", 120, 36)
	v := here(x, 4)
	for i := range v.stream.Len() {
		u := v.stream.Unit(i)
		body := bodyOf(u.Data)
		if body == nil {
			continue
		}
		v.table.Cur = v.LineOf(i)
		x.Keys("W")
		path := filepath.Join(t.TempDir(), "body")
		if !strings.HasPrefix(x.Asked.Label, " save this part of the body") || // its segments are several
			!wholeBody([]byte("A: b\r\nContent-length: 2\r\n\r\nok"), []byte("ok")) ||
			!strings.HasPrefix(x.Asked.Text, "packet-") {
			t.Errorf("asked for %q, %q", x.Asked.Label, x.Asked.Text)
		}
		x.Type(path)
		if b, err := os.ReadFile(path); err != nil || string(b) != string(body) || strings.Contains(string(b), "HTTP/1.1 ") {
			t.Errorf("the body of packet %d: %d bytes (%v)", u.Frame, len(b), err)
		}
		return
	}
	t.Error("no message has a body")
}

// TestEndingsOfParts: files are named by how they begin.
func TestEndingsOfParts(t *testing.T) {
	for start, want := range map[string]string{"\x89PNG\r\n\x1a\n": ".png", "<!DOCTYPE html>": ".html",
		"{\"a\":1}":        ".json",
		"RIFF1234WAVEfmt ": ".wave", "plain text": ".txt", "a\x00b": ".bin", "\xff\xfe": ".bin", "": ".txt"} {
		if got := ending([]byte(start)); got != want {
			t.Errorf("%q is named %s, want %s", start, got, want)
		}
	}
	for _, none := range []string{"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "no head\r\n\r\nbody", "a\r\nb c: d\r\n\r\nbody"} {
		if b := bodyOf([]byte(none)); b != nil {
			t.Errorf("%q has the body %q", none, b)
		}
	}
}
