package soaprun

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// roomBytes is a Room answer: tiles of one number with others at places.
func roomBytes(x, y byte, fill byte, at map[int]byte) []byte {
	b := append([]byte{0x56, 1, 0, 0, 'R', 'o', 'o', 'm', x, y}, make([]byte, roomTiles)...)
	for i := range roomTiles {
		b[10+i] = fill
		if v, ok := at[i]; ok {
			b[10+i] = v
		}
	}
	return b
}

// field is a Flds of its parts.
func field(state, colour, items, weather byte, players, entities, tiles [][]byte) []byte {
	b := []byte{0, 0, 0, 0, 'F', 'l', 'd', 's', state, colour, items, byte(len(players)), byte(len(entities)),
		byte(len(tiles)), weather}
	for _, r := range slices.Concat(players, entities, tiles) {
		b = append(b, r...)
	}
	b[0], b[1] = byte(len(b)-4), byte((len(b)-4)>>8)
	return b
}

func unitBytes(index, generation, state, kind, extra byte, nodes ...byte) []byte {
	b := []byte{index, generation, state, kind, extra, byte(len(nodes) / 2)}
	for _, v := range nodes {
		b = append(b, v, 0)
	}
	return b
}

func tile(x, y, n byte) []byte { return []byte{x, 0, y, 0, n, 0x99} }

// TestRoomView draws the player's room: attributes, units at their places, and tiles as later messages change them.
func TestRoomView(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	k.hex(client, s4ask)
	k.hex(host, s4)
	k.hex(client, "06 00 00 00 52 6f 6f 6d 01 01")
	first := k.say(host, roomBytes(1, 1, 0, map[int]byte{0: 1, 20: 2, 21: 3, 22: 9, 335: 17}))
	k.hex(client, "09 00 00 00 6d 79 50 6f 01 1e 00 16 00")
	one := k.say(host,
		field(1, 2, 0, 0, [][]byte{unitBytes(3, 0, 1, 1, 0, 22, 16)},
			[][]byte{unitBytes(0, 0, 1, 8, 1, 25, 17), unitBytes(2, 0, 2, 2, 0)}, nil))
	k.hex(client, "09 00 00 00 6d 79 50 6f 01 1f 00 16 00")
	two := k.say(host, field(1, 2, 0, 0, nil, nil, [][]byte{tile(21, 15, 1), tile(40, 30, 1), tile(100, 100, 1)}))
	k.hex(client, "05 00 00 00 6d 79 50 6f 00")
	three := k.say(host, field(1, 2, 0, 0, nil, nil, nil))
	k.hex(client, "06 00 00 00 52 6f 6f 6d 01 01")
	again := k.say(host, roomBytes(1, 1, 0, nil))
	s := k.session()
	rows := func(n dissect.FrameNum) []string {
		return strings.Split(dissecttest.All(s.Tree(n), "soaprun.room.row"), ",")
	}
	for name, c := range map[string]struct {
		n    dissect.FrameNum
		row  int
		want string
	}{
		"the answer itself":    {first, 0, "   15  #...................+"},
		"its second row":       {first, 1, "   16  -?..................."},
		"a corpse":             {first, 15, "   30  ....................x"},
		"another player":       {one, 1, "   16  -?1.................."},
		"an entity":            {one, 2, "   17  .....T..............."},
		"the own player":       {one, 7, "   22  ..........@.........."},
		"a changed tile":       {two, 0, "   15  ##..................+"},
		"one in the corner":    {two, 15, "   30  ....................#"},
		"the own player moved": {two, 7, "   22  ...........@........."},
		"the change lasts":     {three, 0, "   15  ##..................+"},
		"who is there when it is asked for again": {again, 7, "   22  ...........@........."},
	} {
		if got := rows(c.n); len(got) != 16 || got[c.row] != c.want {
			t.Errorf("%s: row is %q, want %q", name, got[min(c.row, len(got)-1)], c.want)
		}
	}
	if got := dissecttest.All(s.Tree(one), "soaprun.room.legend"); !strings.Contains(got,
		"1  player 3, walking, pink, at (22, 16)") ||
		!strings.Contains(got, "T  Gate (entity 0), active, at (25, 17)") ||
		!strings.Contains(got, "@  this player, walking, blue, at (30, 22)") || strings.Contains(got, "Sword") {
		t.Errorf("legend %s", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
}

// TestEvents tells what is new from one Flds to the next.
func TestEvents(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	say := func(b []byte) dissect.FrameNum {
		k.hex(client, "05 00 00 00 6d 79 50 6f 00")
		return k.say(host, b)
	}
	gate := func(way byte) []byte { return unitBytes(0, 0, 1, 8, way, 50, 7) }
	cases := []struct {
		bytes []byte
		want  string
	}{
		{field(1, 0, 0, 0, [][]byte{unitBytes(3, 7, 1, 1, 0, 10, 11)}, [][]byte{gate(0), unitBytes(5, 0, 1, 2, 0, 9, 9)},
			nil), ""},
		{field(1, 0, 0, 0, [][]byte{unitBytes(3, 7, 1, 1, 0, 10, 12)}, [][]byte{gate(0), unitBytes(5, 0, 1, 2, 0, 9, 9)},
			nil), ""},
		{field(1, 2, 1, 1, [][]byte{unitBytes(3, 8, 2, 1, 4, 10, 12), unitBytes(9, 0, 1, 3, 0, 1, 1)},
			[][]byte{gate(1), unitBytes(5, 1, 2, 2, 0)}, nil),
			"player turns blue,player gets sword,rain begins,player 3 dies,player 3 gets shield,player 3 appears anew"},
		{field(4, 2, 0, 0, [][]byte{unitBytes(9, 0, 4, 3, 0, 1, 1)}, nil, nil),
			"player becomes a ghost,player loses sword,the weather is clear,player 9 becomes a ghost,player 3 leaves"},
		{field(3, 2, 2, 0, [][]byte{unitBytes(9, 0, 4, 0, 0, 1, 1)}, [][]byte{gate(3)}, nil),
			"player wins,player gets crown,player 9 turns green,Gate 0 turns to closed, vertical"},
	}
	frames := make([]dissect.FrameNum, len(cases))
	for i, c := range cases {
		frames[i] = say(c.bytes)
	}
	s := k.session()
	for i, c := range cases {
		if got := dissecttest.All(s.Tree(frames[i]), "soaprun.event"); got != c.want {
			t.Errorf("message %d: %q, want %q", i, got, c.want)
		}
	}
	for i, want := range map[int]string{0: "", 1: number(uint64(frames[0])), 2: number(uint64(frames[0])),
		3: number(uint64(frames[2])), 4: number(uint64(frames[2]))} {
		if got := dissecttest.All(s.Tree(frames[i]), "soaprun.player.since"); got != want {
			t.Errorf("message %d: the players are known since %q, want %q", i, got, want)
		}
	}
	if got := value(s, frames[2], "soaprun.events"); got != "4" {
		t.Errorf("%s further events", got)
	}
	dissecttest.Redissections(t, s)
}

// TestMoves adds up the way of a player and marks steps that no honest client makes.
func TestMoves(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	var frames []dissect.FrameNum
	for _, b := range []string{"09 00 00 00 6d 79 50 6f 01 1e 00 16 00",
		"0d 00 00 00 6d 79 50 6f 02 1f 00 16 00 1f 00 18 00", "09 00 00 00 6d 79 50 6f 01 20 00 19 00",
		"09 00 00 00 6d 79 50 6f 01 20 00 2e 00"} {
		frames = append(frames, k.hex(client, b))
		k.say(host, field(1, 0, 0, 0, nil, nil, nil))
	}
	s := k.session()
	for i, want := range []string{"0 tiles|0 tiles|", "3 tiles|3 tiles|", "2 tiles|5 tiles|move.illegal",
		"21 tiles|26 tiles|move.illegal"} {
		n := frames[i]
		if got := value(s, n, "soaprun.moved") + "|" + value(s, n, "soaprun.moved.total") + "|" + marked(s, n); got != want {
			t.Errorf("message %d: %s, want %s", i, got, want)
		}
	}
}

// TestManyRooms asks for more rooms than are remembered: the newest are.
func TestManyRooms(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	for i := range byte(100) {
		k.say(client, []byte{6, 0, 0, 0, 'R', 'o', 'o', 'm', i, 0})
		k.say(host, roomBytes(i, 0, 0, nil))
	}
	view := func(x int) string {
		k.say(client, []byte{9, 0, 0, 0, 'm', 'y', 'P', 'o', 1, byte(x), byte(x >> 8), 1, 0})
		n := k.say(host, field(1, 0, 0, 0, nil, nil, nil))
		return value(k.session(), n, "soaprun.view")
	}
	if view(10) != "" {
		t.Error("the first room is remembered")
	}
	k2 := k.session()
	if view(1981); len(k2.Games()) != 1 {
		t.Error("no game")
	}
	n := dissect.FrameNum(len(k.packets))
	if got := dissecttest.All(k.session().Tree(n), "soaprun.room.row"); !strings.HasPrefix(got, "    0  ?@?") &&
		!strings.HasPrefix(got, "    0  ???") {
		t.Errorf("the last room is not drawn: %q", got)
	}
}

// TestCutOff keeps requests and responses paired where the capture cut off most messages, and takes nothing for
// missing that may have been cut off.
func TestCutOff(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	k.hex(client, "05 00 00 00 6d 79 50 6f 00")
	seen := k.say(host,
		field(1, 2, 0, 0, nil, [][]byte{unitBytes(0, 0, 1, 8, 1, 25, 17), unitBytes(19, 0, 1, 3, 0, 25, 18)}, nil))
	hit := k.hex(client, "0a 00 00 00 48 4e 50 55 13 01 59 00 0c 00")
	answer := k.say(host, field(1, 2, 0, 0, nil, nil, nil))
	ask := k.hex(client, "06 00 00 00 52 6f 6f 6d 01 01")
	room := k.say(host, roomBytes(1, 1, 0, nil))
	k.end(client)
	k.end(host)
	for i := range k.packets {
		if p := &k.packets[i]; len(p.Data) > 68 {
			p.Data, p.Len = p.Data[:68], len(p.Data)
		}
	}
	s := k.session()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if got := strings.TrimSpace(strings.ReplaceAll(marked(s, n), "_ws.short", "")); got != "" {
			t.Errorf("frame %d: %s", n, got)
		}
	}
	if got := kinds(s); got != "WLCM myPo Flds HNPU Flds Room Room" {
		t.Errorf("messages %q", got)
	}
	if games := s.Games(); len(games) != 1 || !games[0].Over {
		t.Errorf("games %+v", games)
	}
	for response, request := range map[dissect.FrameNum]dissect.FrameNum{seen: seen - 1, answer: hit, room: ask} {
		if got := value(s, response, "soaprun.request_in"); got != fmt.Sprint(request) {
			t.Errorf("frame %d answers %q, want %d", response, got, request)
		}
	}
	dissecttest.Redissections(t, s)
}

// TestPainters links what clients draw and leave with the server's messages that show it, to any client.
func TestPainters(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	drawn := k.hex(client, "0a 00 00 00 44 72 46 6c 2d 00 1f 00 0c 00")
	k.say(host, field(1, 0, 0, 0, nil, nil, nil))
	dead := k.hex(client, "08 00 00 00 6d 43 72 70 18 00 10 00")
	k.hex(host, s10void)
	k.hex(client, "05 00 00 00 6d 79 50 6f 00")
	shown := k.say(host, field(1, 0, 0, 0, [][]byte{unitBytes(3, 0, 1, 1, 0, 22, 16)}, nil,
		[][]byte{tile(0x2d, 0x1f, 0x1c), tile(0x18, 0x10, 0x11), tile(9, 9, 12)}))
	k.hex(client, "05 00 00 00 6d 79 50 6f 00")
	again := k.say(host, field(1, 0, 0, 0, nil, nil, [][]byte{tile(0x2d, 0x1f, 1), tile(0x2d, 0x1f, 12)}))
	bye := k.hex(client, s10)
	s := k.session()
	if got, want := dissecttest.All(s.Tree(shown), "soaprun.tile.painted_in"), number(uint64(drawn))+","+
		number(uint64(dead)); got != want {
		t.Errorf("painted in %q, want %q", got, want)
	}
	if got := dissecttest.All(s.Tree(again), "soaprun.tile.painted_in"); got != number(uint64(drawn)) {
		t.Errorf("then painted in %q", got)
	}
	for _, n := range []dissect.FrameNum{drawn, dead} {
		if got := value(s, n, "soaprun.tile.shown_in"); got != number(uint64(shown)) {
			t.Errorf("frame %d: shown in %q", n, got)
		}
	}
	if got := s.Tree(bye).InfoLine(); got != "Bye. leaves the game after 0.009000000 s" {
		t.Errorf("info %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestFilledRoom tells of a room of one tile, and of a message that one of the servers does not take.
func TestFilledRoom(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	k.hex(client, "06 00 00 00 52 6f 6f 6d 63 63")
	filled := k.say(host, roomBytes(99, 99, 1, nil))
	fits := k.say(client, longLog(1026-8))
	k.hex(host, s10void)
	long := k.say(client, longLog(1026-7))
	s := k.session()
	if got := s.Tree(filled).InfoLine(); got != "Room room (99, 99), all of tile 1" {
		t.Errorf("info %q", got)
	}
	if a, b := marked(s, fits), marked(s, long); a != "" || b != "length.long" {
		t.Errorf("notes %q and %q", a, b)
	}
	dissecttest.Redissections(t, s)
}

// longLog is a Dlog whose text has n bytes.
func longLog(n int) []byte {
	b := []byte{byte(n + 8), byte((n + 8) >> 8), 0, 0, 'D', 'l', 'o', 'g', byte(n), byte(n >> 8), 0, 0}
	return append(b, strings.Repeat("x", n)...)
}
