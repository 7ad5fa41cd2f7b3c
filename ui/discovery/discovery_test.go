package discovery

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// begun is a capture of a game that goes on where the capture ends.
func begun(t *testing.T) *dissect.Session {
	t.Helper()
	ctx := context.Background()
	store, err := pcapfile.Open(ctx, filepath.Join("..", "..", "fixtures", "captures", "touhou", "vanilla.pcapng"),
		capture.Options{Stop: capture.StopRules{Packets: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s, err := dissect.NewSession(dissecttest.Registry(t, protocols.All()), store)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pass(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGames(t *testing.T) {
	s := begun(t)
	games, others := Games(s, 10*time.Second)
	if len(games) != 1 {
		t.Fatalf("%v", games)
	}
	g := games[0]
	if g.Title != "Touhou" || g.What == "" || !strings.HasPrefix(g.Filter, "host ") || len(g.Rates) != 1 ||
		g.Rates[0] <= 0 || !strings.Contains(g.Filter, g.Where.Addr.String()) {
		t.Errorf("%+v", g)
	}
	if kinds := strings.Split(g.Types, ", "); len(kinds) > 3 || kinds[0] == "" {
		t.Errorf("the types are %q", g.Types)
	}
	for _, o := range others {
		if o == g.Title {
			t.Error("the game is among the others, too")
		}
	}
	at := g.Rates[0]
	if games, _ = Games(s, 0); len(games) != 1 || games[0].Rates[0] != at*100 {
		t.Errorf("no time at all is taken for a tenth of a second: %v", games)
	}
}

// TestNoGame: captures without one, or without anything, have none.
func TestNoGame(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), filepath.Join("..", "..", "fixtures", "captures", "lan", "lan.pcapng"))
	games, others := Games(s, time.Second)
	if len(games) != 0 || len(others) == 0 || len(others) > mostOthers {
		t.Errorf("%v, %v", games, others)
	}
	games, others = Games(dissecttest.Session(t, protocols.All(), 1,
		dissecttest.Packets(nil, []byte{1}, make([]byte, 60))), 0)
	if len(games) != 0 {
		t.Errorf("%v, %v", games, others)
	}
}

func TestMostFrequent(t *testing.T) {
	for want, counts := range map[string]map[string]int{
		"": {"": 9}, "a": {"a": 1}, "b, a, c": {"a": 2, "b": 3, "c": 2, "d": 1, "": 50},
	} {
		if got := mostFrequent(counts); got != want {
			t.Errorf("%v: %q, want %q", counts, got, want)
		}
	}
}
