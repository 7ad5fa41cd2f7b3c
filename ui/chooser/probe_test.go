package chooser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/live"
	"remora/capture/pcapfile"
	"remora/dissect/dissecttest"
	"remora/ui/discovery"
	"remora/ui/source"
)

// listening opens the screen of sources on interfaces that do not exist, and on which a fixture is heard.
func listening(t *testing.T, w, h int) *screen {
	t.Helper()
	x, _ := choose(t)
	x.src.Listen = func(ctx context.Context, opt capture.Options) (*capture.Store, func(), error) {
		if opt.Stop.Packets == 0 || opt.Stop.Duration == 0 || opt.SnapLen == 0 {
			t.Errorf("a look without bounds: %+v", opt)
		}
		files := map[string][2]string{"game0": {"touhou/vanilla.pcapng", "1000"}, "lan0": {"kaillera/evening.pcapng", "300"},
			"lo": {"lan/dns.pcap", "40"}}
		file := files[opt.Interfaces[0]]
		if file[0] == "" {
			return nil, nil, errors.New("not this one")
		}
		n, _ := strconv.Atoi(file[1]) // the games go on at that packet
		store, err := pcapfile.Open(ctx, filepath.Join("..", "..", "fixtures", "captures", file[0]),
			capture.Options{Stop: capture.StopRules{Packets: n}})
		if err != nil {
			return nil, nil, err
		}
		return store, func() { store.Close() }, nil
	}
	x.open(false)
	c := x.c
	c.looking = true // the system is not asked any more
	c.again = time.Now().Add(time.Hour)
	address := func(s string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(s)} }
	old := time.Date(2020, 5, 17, 20, 15, 0, 0, time.UTC)
	c.found = source.Found{Interfaces: []live.InterfaceInfo{
		{Name: "game0", Addresses: address("192.0.2.7/24"), Up: true, Running: true, Speed: 1e9},
		{Name: "lan0", Addresses: address("198.51.100.3/24"), Up: true, Running: true},
		{Name: "lo", Addresses: address("127.0.0.1/8"), Up: true, Running: true, Loopback: true},
		{Name: "off0", Description: "A card that is switched off"},
	},
		Recovered: []live.Recovered{{Path: "x", Packets: 338_043, Source: "lan0", Started: old}},
		Recent: []source.Recent{{Path: "/home/ann/pcap/desync-2.pcapng", Size: 1_258_291, When: old, Games: 2},
			{Path: "/home/ann/pcap/lan-party.pcapng.zst", Size: 432_013_312, When: old, Games: 1}}}
	c.traffic, c.read = source.Traffic{}, time.Now().Add(time.Hour)
	counts := map[string]live.Counters{"game0": {}, "lan0": {}, "lo": {}}
	for i := range uint64(80) {
		c.traffic.Take(maps.Clone(counts))
		game, lan, lo := counts["game0"], counts["lan0"], counts["lo"]
		game.RxBytes, game.RxPackets = game.RxBytes+9000+i*i*37%20000, game.RxPackets+90
		lan.TxBytes, lan.TxPackets = lan.TxBytes+i%9*400, lan.TxPackets+i%9
		if i == 76 {
			lo.RxBytes, lo.RxPackets = 640, 8
		}
		counts["game0"], counts["lan0"], counts["lo"] = game, lan, lo
	}
	x.w, x.h = w, h
	return x
}

// listen has all probes taken. How long they took is not what they say.
func (x *screen) listen() {
	x.c.listenSoon(time.Now())
	x.settle()
	for _, e := range x.c.probes {
		for i := range e.games {
			for k := range e.games[i].Rates {
				e.games[i].Rates[k] = 96
			}
		}
	}
}

func TestGamesAreHeard(t *testing.T) {
	x := listening(t, 120, 36)
	x.listen()
	x.has("Games heard on the wire just now", "Kaillera", "Touhou", "players", "96 p/s", "lo: DNS", "GAME_INPUT")
	x.hasNot("off0: ")
	var chosen capture.Options
	x.c.src.Live = func(opt capture.Options) (*capture.Store, error) { chosen = opt; return nil, errors.New("enough") }
	x.c.filter.Set("not port 22")
	x.c.moveTo(len(x.c.found.Interfaces))
	game := x.c.at(x.c.cur).Game
	if game == nil {
		t.Fatal("there is no game below the interfaces")
	}
	if _, err := bpf.Compile(1, 262144, game.Filter); err != nil {
		t.Errorf("the filter of a game: %v", err)
	}
	x.press("<enter>")
	if want := "(not port 22) and " + game.Filter; chosen.Filter != want || fmt.Sprint(chosen.Interfaces) != "[game0]" {
		t.Errorf("it listens on %v with %q, want game0 with %q", chosen.Interfaces, chosen.Filter, want)
	}
}

func TestGamesGoAgain(t *testing.T) {
	x := listening(t, 120, 36)
	x.listen()
	e := x.c.probes["game0"]
	x.c.probed(probeDone{iface: "game0"})
	if len(e.games) == 0 || e.games[0].Rates[len(e.games[0].Rates)-1] != 0 {
		t.Error("a game that was not heard once is gone, or still has a rate")
	}
	for i := range e.games {
		e.games[i].At = time.Now().Add(-2 * discovery.Kept)
	}
	x.c.probed(probeDone{iface: "game0"})
	if len(e.games) != 0 {
		t.Error("a game that is over is still told")
	}
	if e.next.Before(time.Now()) {
		t.Error("the next look would be at once")
	}
}

func TestListeningIsNotForced(t *testing.T) {
	for name, spoil := range map[string]func(c *Chooser){
		"no right":         func(c *Chooser) { c.found.NotPermitted = errors.New("not you") },
		"a filter that is": func(c *Chooser) { c.bad = true },
		"nothing passes":   func(c *Chooser) { c.traffic = source.Traffic{} },
		"opening":          func(c *Chooser) { c.opening = "lan0" },
	} {
		x := listening(t, 120, 36)
		spoil(x.c)
		x.pending = nil
		x.c.listenSoon(time.Now())
		if len(x.pending) != 0 {
			t.Errorf("%s: it listens all the same", name)
		}
	}
}

func TestChooserGolden(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}} {
		x := listening(t, size[0], size[1])
		x.listen()
		x.c.filter.Set("not port 22")
		x.c.check()
		x.c.moveTo(0)
		x.press("j<space>k")
		dissecttest.Compare(t, filepath.Join("testdata", fmt.Sprintf("chooser-%dx%d.txt", size[0], size[1])), x.text())
	}
}
