package ui

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestFollowHTTP goes from a stream to the exchanges in it, searches, saves, and leads to the packet that was found.
func TestFollowHTTP(t *testing.T) {
	x := openFile(t, filepath.Join("..", "fixtures", "captures", "lan", "lan.pcapng"), 120, 36).keys("/http.response.code == 404<enter>").keys("gggf")
	x.has("Follow 192.0.2.10:53030", "text ▾  both ways ▾")
	x.keys("s")
	x.has("Follow HTTP 192.0.2.10:53030")
	x.keys("vvvv")
	x.has("messages", "404 Not Found", "GET /missing.html HTTP/1.1")
	x.keys("gg/")
	x.keys("404 not<enter>")
	path := filepath.Join(t.TempDir(), "talk.txt")
	x.keys("w" + path + "<enter>")
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "A>B\tGET\tGET /missing.html HTTP/1.1\n") {
		t.Errorf("saved %q (%v)", b, err)
	}
	x.keys("<enter>")
	if x.m.over != nil || x.m.filterText() != "http.response.code == 404" || x.m.tree.Kind() != "404 Not Found" {
		t.Errorf("packet %d, filter %q", x.m.cur, x.m.filterText())
	}
}

// TestFollowAGame opens the game that a packet is of, goes on to the conversation, and the filter shows all of the game.
func TestFollowAGame(t *testing.T) {
	x := openFile(t, filepath.Join("..", "fixtures", "captures", "kaillera", "n64.pcapng"), 120, 36)
	g := x.m.s.Games()[0]
	x.keys(":" + strconv.Itoa(int(g.First)) + "<enter>").keys("gf")
	x.has("Follow game 1 Kaillera "+g.Title, "P2 bob →", "s udp", "needed")
	x.keys("s")
	x.hasNot("Follow game 1")
	x.keys("s")
	x.has("Follow game 1")
	x.keys("o")
	if got := x.m.filterText(); strings.Count(got, "udp.stream == ") != len(g.Convs) {
		t.Errorf("the filter is %s, the game has %d conversations", got, len(g.Convs))
	}
}

// TestFollowFoldsARhythm: the inputs of a game are one line, whoever sends them and whichever of the types they are, with what
// stands out between them; copies of earlier messages are counted at the end of the line, or stand by themselves.
func TestFollowFoldsARhythm(t *testing.T) {
	x := openFile(t, filepath.Join("..", "fixtures", "captures", "kaillera", "evening.pcapng"), 120, 36).keys("400Ggf")
	v := x.m.over.(*followView)
	x.has("⋯ 48 GAME_DATA, 237 GAME_CACHE in 72 runs", "GAME_STATUS          #18 Chess: Waiting, 3 of 4 players  × 3", "◂ here     +2",
		"sent 3 times within 66.20 ms: again in 408, 414", "raw of the message above, in packet 400")
	folded := len(v.Lines)
	x.keys("x")
	x.has("again, first in packet")
	if len(v.Lines) < 2*folded {
		t.Errorf("%d lines with the copies, %d without", len(v.Lines), folded)
	}
	if v.cursorUnit() < 0 || v.talk.Unit(v.cursorUnit()).Frame != 400 {
		t.Error("the cursor is on another packet now")
	}
}

// TestFollowChoosesWhatIsRead: what could be decrypted is read rather than what was sent.
func TestFollowChoosesWhatIsRead(t *testing.T) {
	for file, want := range map[string][2]string{"http2.pcapng": {"http2", "Follow HTTP "}, "https.pcapng": {"tls", "Follow TLS "}, "quic.pcapng": {"http3", "Follow HTTP "}, "http.pcap": {"http", "Follow 192.0.2."}} {
		openFile(t, filepath.Join("..", "fixtures", "captures", "lan", file), 120, 36).keys("/" + want[0] + "<enter>").keys("gggf").has(want[1])
	}
}

// TestFollowByMouse: the words of the head go on to the next reading and way, a line is selected, and a second click unfolds.
func TestFollowByMouse(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3Ggf")
	v := x.m.over.(*followView)
	v.click(x.m, x.m.body(), 5, x.m.body().y+3)
	if v.table.cur != 1 || len(v.Lines) != 2 {
		t.Fatalf("line %d of %d", v.table.cur, len(v.Lines))
	}
	v.click(x.m, x.m.body(), 5, x.m.body().y+3)
	if len(v.Lines) != 40 {
		t.Errorf("%d lines after the second click", len(v.Lines))
	}
	v.click(x.m, x.m.body(), v.taps[1].x, v.taps[1].y)
	x.has("only →")
	v.click(x.m, x.m.body(), v.taps[0].x, v.taps[0].y)
	x.has("text ▾")
}

// TestFollowFoldsAndUnfolds: Enter on a run shows its messages, Space folds them again, and neither leaves the view.
func TestFollowFoldsAndUnfolds(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3Ggf<wait>j")
	v := x.m.over.(*followView)
	x.has("⋯ 39 GAME_INPUT", "packets 5–81", "40 messages", "◂ here")
	x.keys("<enter>")
	if len(v.Lines) != 40 || x.m.over != view(v) {
		t.Fatalf("%d lines after unfolding", len(v.Lines))
	}
	x.keys("9G<space>")
	if len(v.Lines) != 2 || v.table.cur != 1 {
		t.Errorf("%d lines after folding, the cursor is on %d", len(v.Lines), v.table.cur)
	}
	x.keys("<enter>20G<enter>")
	if x.m.over != nil || x.m.cur != 41 {
		t.Errorf("Enter on a message leads to %d", x.m.cur)
	}
}

// TestFollowCountsMatches says which match the cursor is on.
func TestFollowCountsMatches(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3Ggf").keys("/game_input<enter>")
	x.has(`"game_input" 1 of 40 matches`)
	x.keys("nn")
	x.has("3 of 40 matches")
	x.keys("/<ctrl+u>nowhere<enter>")
	x.has("there is no further nowhere")
	x.keys("k")
	x.has(`"nowhere" 0 matches`)
}

// TestFollowSearchWaitsForLines searches before anything is laid out: the cursor goes to the match once there is one.
func TestFollowSearchWaitsForLines(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3Ggf")
	v := x.m.over.(*followView)
	v.find, v.Whole, v.table = "game_input", true, table{}
	v.Relay()
	v.nextFrom(x.m, 0, 1)
	if v.sought != 0 || !v.busy(x.m) {
		t.Fatalf("the search ends before there is a line: %d, %q", v.sought, x.m.notice)
	}
	x.settle()
	x.has(`"game_input" 1 of 40 matches`)
	if v.sought >= 0 || x.m.notice != "" {
		t.Errorf("the search goes on at %d, %q", v.sought, x.m.notice)
	}
}

// TestFollowGoesOnToTheNextConversation, and = makes a filter of what is followed.
func TestFollowGoesOnToTheNextConversation(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggf}")
	x.has("10.0.0.3:10800")
	x.keys("{")
	x.has("10.0.0.1:40000")
	x.keys("=")
	if got := x.m.filterText(); got != "udp.stream == 0" {
		t.Errorf("= gives %q", got)
	}
}

// TestLadderNamesTheEnds draws an arrow for each message, from who speaks to who hears.
func TestLadderNamesTheEnds(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggfvvvv")
	x.has("ladder", "10.0.0.1:40000", "10.0.0.2:53", " QUERY ", "▸│", "│◂", " RESPONSE ")
}
