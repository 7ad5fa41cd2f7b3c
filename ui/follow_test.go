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
	x := openFile(t, filepath.Join("..", "fixtures", "captures", "lan", "lan.pcapng"), 120, 36).
		keys("/http.response.code == 404<enter>").keys("gggf")
	x.has("Follow 192.0.2.10:53030", "text ▾  both ways ▾")
	x.keys("s")
	x.has("Follow HTTP 192.0.2.10:53030")
	x.keys("vvvv")
	x.has("messages", "404 Not Found", "GET /missing.html HTTP/1.1")
	x.keys("gg<ctrl+f>")
	x.keys("404 not<enter>")
	path := filepath.Join(t.TempDir(), "talk.txt")
	x.keys("w" + path + "<enter>")
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "A>B\tGET\tGET /missing.html HTTP/1.1\n") {
		t.Errorf("saved %q (%v)", b, err)
	}
	x.keys("<enter>")
	if x.m.views.Over() != nil || x.m.packets.FilterText() != "http.response.code == 404" ||
		x.m.selected.Tree.Kind() != "404 Not Found" {
		t.Errorf("packet %d, filter %q", x.m.selected.Frame, x.m.packets.FilterText())
	}
}

// TestFollowAGame opens the game that a packet is of, goes on to the conversation, and the filter shows all of the
// game.
func TestFollowAGame(t *testing.T) {
	x := openFile(t, filepath.Join("..", "fixtures", "captures", "kaillera", "n64.pcapng"), 120, 36)
	g := x.m.packets.Session.Games()[0]
	x.keys(":" + strconv.Itoa(int(g.First)) + "<enter>").keys("gf")
	x.has("Follow game 1 Kaillera "+g.Title, "P2 bob →", "s udp", "needed")
	x.keys("s")
	x.hasNot("Follow game 1")
	x.keys("s")
	x.has("Follow game 1")
	x.keys("o")
	if got := x.m.packets.FilterText(); strings.Count(got, "udp.stream == ") != len(g.Convs) {
		t.Errorf("the filter is %s, the game has %d conversations", got, len(g.Convs))
	}
}

// TestFollowChoosesWhatIsRead: what could be decrypted is read rather than what was sent.
func TestFollowChoosesWhatIsRead(t *testing.T) {
	for file, want := range map[string][2]string{"http2.pcapng": {"http2", "Follow HTTP "},
		"https.pcapng": {"tls", "Follow TLS "}, "quic.pcapng": {"http3", "Follow HTTP "},
		"http.pcap": {"http", "Follow 192.0.2."}} {
		openFile(t, filepath.Join("..", "fixtures", "captures", "lan", file), 120, 36).keys("/" + want[0] + "<enter>").
			keys("gggf").has(want[1])
	}
}

// TestFollowCountsMatches says which match the cursor is on.
func TestFollowCountsMatches(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3Ggf").keys("<ctrl+f>game_input<enter>")
	x.has(`"game_input" 1 of 40 matches`)
	x.keys("nn")
	x.has("3 of 40 matches")
	x.keys("<ctrl+f><ctrl+u>nowhere<enter>")
	x.has("there is no further nowhere")
	x.keys("k")
	x.has(`"nowhere" 0 matches`)
}

// TestFollowGoesOnToTheNextConversation, and = makes a filter of what is followed.
func TestFollowGoesOnToTheNextConversation(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggf}")
	x.has("10.0.0.3:10800")
	x.keys("{")
	x.has("10.0.0.1:40000")
	x.keys("=")
	if got := x.m.packets.FilterText(); got != "udp.stream == 0" {
		t.Errorf("= gives %q", got)
	}
}

// TestLadderNamesTheEnds draws an arrow for each message, from who speaks to who hears.
func TestLadderNamesTheEnds(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggfvvvv")
	x.has("ladder", "10.0.0.1:40000", "10.0.0.2:53", " QUERY ", "▸│", "│◂", " RESPONSE ")
}
