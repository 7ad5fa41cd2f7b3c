package match

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	x := viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/"+name, w, h)
	return x.Show(New(x))
}

// TestStallsNameWhoWasWaitedFor: the time line, the player's numbers and the list of events tell of the same stall, and
// Enter leads to the packet that ended it.
func TestStallsNameWhoWasWaitedFor(t *testing.T) {
	x := file(t, "kaillera/lossy.pcapng", 80, 24)
	x.Has("Kaillera  Chess", "playing, over", "1 stall, 209.1 ms", "in sync, 982 compared", "waiting for P3 cid",
		"packet 989", "P1 amy", "P2 bob")
	lane := ""
	for line := range strings.Lines(x.Text()) {
		if strings.HasPrefix(line, " P3 cid") {
			lane = line
		}
	}
	if n := strings.Count(lane, "█"); n < 4 || n > 6 { // 209 ms of 3.2 s in 62 cells
		t.Errorf("the time line has %d cells of a stall: %s", n, lane)
	}
	x.Keys("<enter>")
	if x.View != nil || x.List().Current() != 989 {
		t.Errorf("Enter leads to packet %d", x.List().Current())
	}
}

// TestEveryGameHasAPage: who takes part, who watches, and what is measured, in each protocol that tells games.
func TestEveryGameHasAPage(t *testing.T) {
	for name, want := range map[string][]string{
		"touhou/vanilla.pcapng": {"Touhou", "Hosty vs レイム", "host Hosty", "client レイム", "watching: spectator 1 · spectator 2",
			"match 2: Yuyuko vs Aya at Hakurei Shrine", "frame "},
		"touhou/desync.pcapng":    {"desync: ", "first: ", "packets "},
		"aoe2/trouble.pcapng":     {"Age of Empires II", "2.0 turns", "desync  world of turn 62", "P3 Aztecs", "turn 120"},
		"realnet/lossy.pcapng":    {"real-net", "client 4", "nobody watches", " ≈"},
		"soaprun/original.pcapng": {"Soaprun", "client 4", " ms "},
	} {
		for _, wh := range [][2]int{{60, 12}, {80, 24}, {160, 50}} {
			x := file(t, name, wh[0], wh[1])
			if wh[0] >= 80 {
				x.Has(want...)
			}
		}
	}
}

// TestGamesAreTurnedTo: the game that began last is shown unless the packet selected is of another, Tab turns to the
// next, and a capture without games says so.
func TestGamesAreTurnedTo(t *testing.T) {
	x := file(t, "kaillera/evening.pcapng", 100, 24)
	x.Has("Tennis", "game 2 of 2").Keys("<tab>").Has("Chess", "game 1 of 2").Keys("<tab>").Has("Tennis")
	x.Close()
	x.GoTo(200)
	x.Show(New(x)).Has("Chess")
	x.Keys("t").Has("last 60 s").Keys("t").Has("whole game")
	file(t, "lan/dns.pcap", 80, 12).Has("no game so far")
	ping := dissecttest.Ethernet(dissecttest.IPv4(17, "10.0.0.2", "10.0.0.1",
		dissecttest.UDP(50000, 27888, []byte("PING\x00"))))
	x = viewtest.Open(t, protocols.All(), dissecttest.Packets(ping, ping), 80, 12)
	x.Show(New(x)).Has("Kaillera is spoken, but no game has begun")
}

// TestExport writes a row for each player and each stall.
func TestExport(t *testing.T) {
	x := file(t, "kaillera/lossy.pcapng", 80, 24)
	path := filepath.Join(t.TempDir(), "match.csv")
	sheet := x.View.(*View).Sheet()
	if _, err := sheet.Write(path, false); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); !strings.Contains(text, "kaillera,Chess,P2 bob,") ||
		!strings.Contains(text, "kaillera,Chess,P3 cid,,,,,,,,,") {
		t.Error(text)
	}
}

// TestEverybodyIsNamed: where there is no room for all, it is said how many are left out.
func TestEverybodyIsNamed(t *testing.T) {
	file(t, "kaillera/lossy.pcapng", 80, 20).Has("P1 amy", "P2 bob", "P3 cid  ")
	file(t, "kaillera/lossy.pcapng", 60, 12).Has("P1 amy", "P2 bob", "and 1 more · nobody watches", "stall   209.1 ms")
}
