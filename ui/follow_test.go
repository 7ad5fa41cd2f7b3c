package ui

import (
	"os"
	"path/filepath"
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
	x.keys(":" + itoa(int(g.First)) + "<enter>").keys("gf").keys("s")
	x.has("Follow game 1 Kaillera " + g.Title)
	x.keys("o")
	if got := x.m.filterText(); strings.Count(got, "udp.stream == ") != len(g.Convs) {
		t.Errorf("the filter is %s, the game has %d conversations", got, len(g.Convs))
	}
}
