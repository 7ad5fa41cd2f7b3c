package aoe2

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
	"remora/protocols/udp"
)

// TestRecognition looks at datagrams between ports that nobody knows: what is enough at once, what in a row, and what
// must be left alone.
func TestRecognition(t *testing.T) {
	a, b := spot{7, 40000}, spot{8, 40001}
	cases := []struct {
		name  string
		bytes string
		one   bool // one is enough
		two   bool // two in a row are
	}{
		{"chat", a10, true, true}, {"turn sync", a4, true, true}, {"world check", a5, true, true},
		{"connecting", a6, true, true},
		{"connected", "46230100 00000000 35 30 5d 00 00000000 0200feca ffffffff", true, true},
		{"host connecting", "46230100 00000000 35 35 32 00 a4d23200 0200feca b5165000", true, true},
		{"move", a11, true, true}, {"cancel production", a14, true, true}, {"disconnect", a12, false, true},
		{"tribute", a13, false, true},
		{"time sync", a2, false, true}, {"time answer", a3, false, true}, {"counter", a1, false, true},
		{"ready", a7, false, true}, {"continue", a8, false, true},
		{"lobby turn", a9, false, true}, {"settings", a15, false, true},
		{"save game", action(actions[16].bytes), false, true},
		{"no source id", "00000000" + a11[11:], false, false},
		{"counter between far ids", strings.Replace(a1, "46 23 01", "46 33 01", 1), false, false},
		{"counter between odd ids", strings.Replace(a1, "46 23 01", "47 23 01", 1), false, false},
		{"counter to itself", strings.Replace(a1, "46 23", "44 23", 1), false, false},
		{"time sync with options", strings.Replace(a2, "31 00", "31 01", 1), false, false},
		{"turn sync to one", strings.Replace(a4, "00 00 00 00 44 02", "46 23 01 00 44 02", 1), false, true},
		{"turn sync to a stranger", strings.Replace(a4, "00 00 00 00 44 02", "46 33 01 00 44 02", 1), false, false},
		{"turn sync without the command again", strings.Replace(a4, "c4 09 00 00 44", "c4 09 00 00 45", 1), false, false},
		{"turn sync from the future", strings.Replace(a4, "f2 01 00 00", "f5 01 00 00", 1), false, false},
		{"check of another turn", strings.Replace(a5, "e6 03", "e5 03", 1), false, false},
		{"chat to nobody", strings.Replace(a10, "59 4e", "4e 4e", 1), false, false},
		{"chat with a wrong separator", strings.Replace(a10, "4e 32 00", "4e 33 00", 1), false, false},
		{"chat without NUL", a10[:len(a10)-18], false, false},
		{"move that is too short", a11[:len(a11)-3], false, false},
		{"move that is too long", a11 + " 00", false, false},
		{"move without its ones", strings.Replace(a11, "ff ff ff ff", "ff ff ff fe", 1), false, false},
		{"move of player 9", strings.Replace(a11, "03 01 00 00", "03 09 00 00", 1), false, false},
		{"unknown action", header3e + "99 01020304", false, false},
		{"connecting in another way", strings.Replace(a6, "35 35", "35 36", 1), false, false},
		{"ready in another way", strings.Replace(a7, "52 01", "52 07", 1), false, false},
		{"lobby turn of another turn", strings.Replace(a9, "25 00 30", "25 00 31", 1), false, false},
		{"settings of others", strings.Replace(a15, "44 23 01 00 46 23 01 00\n", "44 23 02 00 46 23 01 00\n", 1), false,
			false},
		{"short settings", strings.Join(strings.Fields(a15)[:150], ""), false, false},
		{"DirectPlay", "2400b0fa 0200 08fc 00000000 0000000000000000 706c6179 1600 0e00 0102030405060708", false, false},
		{"DNS", "1234 0100 0001 0000 0000 0000 03777777 00 0001 0001", false, false},
		{"16 bytes", strings.Repeat("41", 16), false, false}, {"zeros", strings.Repeat("00", 32), false, false},
		{"0x44 all over", strings.Repeat("44", 32), false, false},
	}
	for _, c := range cases {
		k := newTalk(t)
		first := k.Say(1, a, b, c.bytes)
		if got := k.Session().Tree(first).Protocol() == proto; got != c.one {
			t.Errorf("%s: taken at once: %v", c.name, got)
		}
		second := k.Say(1, a, b, c.bytes)
		s := k.Session()
		if got := s.Tree(second).Protocol() == proto; got != c.two {
			t.Errorf("%s: taken the second time: %v", c.name, got)
		}
		if got := s.Tree(first).Protocol() == proto; got != c.two {
			t.Errorf("%s: taken when there is a second one: %v", c.name, got)
		}
	}
}

// TestPair claims with a request and its answer, as the description asks.
func TestPair(t *testing.T) {
	a, b := spot{7, 40000}, spot{8, 40001}
	k := newTalk(t)
	first, second := k.Say(1, a, b, a2), k.Say(1, b, a, a3)
	s := k.Session()
	if s.Tree(first).Protocol() != proto || s.Tree(second).Protocol() != proto {
		t.Error("a time sync and its answer do not claim the conversation")
	}
}

// TestFarPair claims with a request and its answer between network ids that are no neighbours, and with nothing less.
func TestFarPair(t *testing.T) {
	a, b := spot{7, 40000}, spot{8, 40001}
	far := func(s string) string { return strings.Replace(s, "46 23 01", "46 33 01", 1) }
	for name, c := range map[string]struct {
		ask, answer string
		back, taken bool
	}{
		"pair":              {far(a2), far(a3), true, true},
		"another time":      {far(a2), strings.Replace(far(a3), "40 e2", "41 e2", 1), true, false},
		"from the same end": {far(a2), far(a3), false, false},
		"ids not swapped":   {far(a2), strings.Replace(far(a2), "31 00", "32 00", 1), true, false},
		"with options":      {strings.Replace(far(a2), "31 00", "31 01", 1), far(a3), true, false},
		"answer alone":      {far(a3), far(a3), true, false},
	} {
		k := newTalk(t)
		k.Say(1, a, b, c.ask)
		from, to := b, a
		if !c.back {
			from, to = a, b
		}
		n := k.Say(1, from, to, c.answer)
		if got := k.Session().Tree(n).Protocol() == proto; got != c.taken {
			t.Errorf("%s: taken: %v", name, got)
		}
	}
}

// TestMeeting looks at counter syncs between ids that are no neighbours, on ports that nobody knows: two are enough
// between hosts that spoke of a session of this game, and never of another one's.
func TestMeeting(t *testing.T) {
	far := strings.Replace(a1, "46 23 01", "46 33 01", 1)
	other := append([]byte{0x61}, aoeGUID[1:]...)
	for name, c := range map[string]struct {
		search []byte
		to     byte
		taken  bool
	}{"the game": {aoeGUID, 8, true}, "another game": {other, 8, false}, "another host": {aoeGUID, 9, false}} {
		k := newTalk(t)
		k.Send(1, spot{7, 40000}, spot{c.to, searchPort}, enumQuestion(c.search))
		first := k.Say(1, spot{8, 6112}, spot{7, 6112}, far)
		second := k.Say(1, spot{8, 6112}, spot{7, 6112}, far)
		s := k.Session()
		if (s.Tree(first).Protocol() == proto) != c.taken || (s.Tree(second).Protocol() == proto) != c.taken {
			t.Errorf("%s: the first is %s, the second %s", name, s.Tree(first).Protocol().Name(),
				s.Tree(second).Protocol().Name())
		}
		dissecttest.Redissections(t, s)
	}
}

// TestDirectPlayBetween sends DirectPlay's messages between the ports of the game: each packet stays what it is.
func TestDirectPlayBetween(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, a4)
	n := k.Send(1, host, second, append(playHeader(36, 0x16, 14), 1, 2, 3, 4, 5, 6, 7, 8))
	after := k.Say(1, host, second, a5)
	s := k.Session()
	if tree := s.Tree(n); tree.Protocol() != session || strings.Contains(dissecttest.Dump(tree), "Age of Empires") {
		t.Errorf("DirectPlay reads\n%s", dissecttest.Dump(tree))
	}
	if s.Tree(after).Protocol() != proto {
		t.Error("the packet behind it is not the game's")
	}
}

// TestWeakPackets checks that packets that say little count where an end is known, and on the game's own ports where
// there are two in a row.
func TestWeakPackets(t *testing.T) {
	a, b, c := spot{7, 40000}, spot{8, 40001}, spot{9, 40002}
	k := newTalk(t)
	k.Say(1, a, b, a4)
	known := k.Say(1, b, c, strings.Replace(a1, "46 23 01", "46 33 01", 1))
	port := k.Say(1, spot{1, 50000}, spot{2, 2300}, strings.Replace(a1, "46 23 01", "46 33 01", 1))
	k.Say(1, spot{1, 50000}, spot{2, 2300}, strings.Replace(a1, "46 23 01", "46 33 01", 1))
	last := k.Say(1, spot{1, 2400}, spot{4, 50000}, header3e+"99 01020304")
	k.Say(1, spot{1, 2400}, spot{4, 50000}, header3e+"99 01020304")
	once := k.Say(1, spot{1, 2400}, spot{5, 50000}, header3e+"99 01020304")
	wrong := k.Say(1, spot{1, 50000}, spot{5, 2350}, "01020304")
	beyond := k.Say(1, spot{1, 50000}, spot{6, 2401}, strings.Replace(a1, "46 23 01", "46 33 01", 1))
	s := k.Session()
	for n, taken := range map[dissect.FrameNum]bool{known: true, port: true, last: true, once: false, wrong: false,
		beyond: false} {
		if got := s.Tree(n).Protocol() == proto; got != taken {
			t.Errorf("frame %d is taken: %v\n%s", n, got, dissecttest.Dump(s.Tree(n)))
		}
	}
}

// TestRandomBytes sends what looks like nothing, with and without the beginnings of packets.
func TestRandomBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var packets []dissecttest.Packet
	for i := range 20000 {
		b := make([]byte, 12+r.IntN(60))
		for j := range b {
			b[j] = byte(r.Uint32())
		}
		for cmd := range commands {
			if i%3 > 0 {
				b[8] = byte(cmd)
			}
		}
		packets = append(packets,
			dissecttest.Packet{Data: dissecttest.Datagram(spot{byte(i), uint16(5000 + i%40000)}, spot{byte(i >> 8), 9}, b)})
	}
	s := dissecttest.Session(t, plugins(), 1, packets)
	w := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if p := w.Redissect(n, s.Registry().Wants()).Protocol(); p == proto || p == session {
			t.Errorf("frame %d is taken for %s", n, p.Name())
		}
	}
}

// TestForeignTraffic checks that other programs' traffic is left alone: all captures of the repository and those of
// REMORA_CAPTURES.
func TestForeignTraffic(t *testing.T) {
	var files []string
	for _, root := range []string{"../../fixtures/captures", os.Getenv("REMORA_CAPTURES")} {
		if root == "" {
			continue
		}
		filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && (strings.HasSuffix(path, ".pcap") || strings.HasSuffix(path, ".pcapng")) &&
				!strings.Contains(path, "aoe2") {
				files = append(files, path)
			}
			return nil
		})
	}
	if len(files) < 3 {
		t.Fatalf("only %d captures", len(files))
	}
	plugins := []dissect.Plugin{frame.Plugin(), eth.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), tcp.Plugin(),
		Plugin(), Session(), data.Plugin()}
	for _, path := range files {
		store, err := pcapfile.Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := dissect.NewSession(dissecttest.Registry(t, plugins), store)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Pass(context.Background()); err != nil {
			t.Fatal(err)
		}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if p := s.StackTop(s.LayerStackOf(n)); p == proto || p == session {
				t.Errorf("%s: frame %d is taken for %s:\n%s", path, n, p.Name(), dissecttest.Dump(s.Tree(n)))
				break
			}
		}
		store.Close()
	}
}

// TestDecodeAs takes a port for the game because somebody says so.
func TestDecodeAs(t *testing.T) {
	far := strings.Replace(a1, "46 23 01", "46 33 01", 1)
	packets := dissecttest.Packets(dissecttest.Datagram(spot{7, 40000}, spot{8, 1234}, dissecttest.Unhex(t, far)))
	s := dissecttest.Session(t, plugins(), 1, packets,
		dissect.DecodeAs{Table: dissect.TableUDP, Value: 1234, Protocol: "aoe2"})
	if s.Tree(1).Kind() != "COUNTER_SYNC" {
		t.Errorf("read as told it is %s", s.Tree(1).Kind())
	}
}
