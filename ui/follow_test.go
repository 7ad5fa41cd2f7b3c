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
	x.has("Follow 192.0.2.10:53030", "text  both ways")
	x.keys("s")
	x.has("Follow HTTP 192.0.2.10:53030")
	x.keys("vv")
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

// TestFollowAGame goes from a conversation to the game that it is part of, whose filter shows all of it.
func TestFollowAGame(t *testing.T) {
	x := openFile(t, filepath.Join("..", "fixtures", "captures", "kaillera", "n64.pcapng"), 120, 36)
	g := x.m.s.Games()[0]
	x.keys(":" + strconv.Itoa(int(g.First)) + "<enter>").keys("gf").keys("s")
	x.has("Follow game 1 Kaillera " + g.Title)
	x.keys("o")
	if got := x.m.filterText(); strings.Count(got, "udp.stream == ") != len(g.Convs) {
		t.Errorf("the filter is %s, the game has %d conversations", got, len(g.Convs))
	}
}

// TestFollowFoldsAndUnfolds: Enter on a run shows its messages, Space folds them again, and neither leaves the view.
func TestFollowFoldsAndUnfolds(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3Ggfgg")
	v := x.m.over.(*followView)
	x.has("40 GAME_INPUT, packets 3 to 81", "40 messages")
	x.keys("<enter>")
	if len(v.lines) != 40 || x.m.over != view(v) {
		t.Fatalf("%d lines after unfolding", len(v.lines))
	}
	x.keys("9G<space>")
	if len(v.lines) != 1 || v.table.cur != 0 {
		t.Errorf("%d lines after folding, the cursor is on %d", len(v.lines), v.table.cur)
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
	v.find, v.laid, v.lines, v.first, v.part, v.table = "game_input", 0, nil, nil, nil, table{}
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
	x := open(t, 120, 36, Config{}).keys("1Ggfvvv")
	x.has("ladder", "10.0.0.1:40000", "10.0.0.2:53", " QUERY ", "▸│", "│◂", " RESPONSE ")
}
