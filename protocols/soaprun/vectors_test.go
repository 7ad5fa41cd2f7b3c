package soaprun

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

const (
	s1     = "04 00 00 00 57 4c 43 4d"
	s1full = "04 00 00 00 4f 56 45 52"
	s2     = "06 00 00 00 50 72 74 63 b0 01"
	s2host = "0e 00 00 00 50 72 74 63 53 6f 61 70 72 75 6e 00 40 00"
	s3     = "0f 00 00 00 44 6c 6f 67 07 00 00 00 47 6f 61 6c 28 31 00"
	s3hi   = "0a 00 00 00 44 6c 6f 67 02 00 00 00 68 69"
	s4     = "10 00 00 00 6d 41 74 74 04 00 02 00 00 01 02 03 00 00 01 01"
	s4ask  = "04 00 00 00 6d 41 74 74"
	s5     = "06 00 00 00 52 6f 6f 6d ff 02"
	s6     = "0d 00 00 00 6d 79 50 6f 02 1e 00 16 00 fb ff 2c 01"
	s7     = "06 00 00 00 43 68 43 6c 02 00"
	s7hit  = "0a 00 00 00 48 4e 50 55 13 01 59 00 0c 00"
	s8     = "0a 00 00 00 44 72 46 6c 2d 00 1f 00 0c 00"
	s8dead = "08 00 00 00 6d 43 72 70 18 00 10 00"
	s9     = `2f 00 00 00 46 6c 64 73 01 02 05 01 02 01 01 03 07 02 01 01 02 0a 00 0b 00 0a 00 0c 00 00 00 01 08 01 01 32 00 07 00
		13 04 02 02 00 00 2d 00 1f 00 1c cd`
	s10     = "04 00 00 00 42 79 65 2e"
	s10void = "04 00 00 00 56 6f 69 64"
)

var s12 = "x<html>\nPixel<br>\n110205-222220\tOPEN\t\t10.0.0.9\t1002\tSoaprun\t64\ta%21+b\t<br>\n"

// A vector is a message of the description, and what must be seen of it. Each check is "field|value|range", the range
// counted in the message; "~" in front of the field asks for all of its values, joined by commas.
type vector struct {
	name   string
	from   int
	bytes  string
	info   string
	checks []string
}

var vectors = []vector{
	{"S1 WLCM", host, s1, "WLCM the server is ready",
		[]string{"length|4 bytes|0-3", "type|WLCM (welcome)|4-7", "from|server|"}},
	{"S1 OVER", host, s1full, "OVER the server is full", []string{"type|OVER (server full)|4-7", "server.full||"}},
	{"S2 request", client, s2, "Prtc game version 0.432 (432)",
		[]string{"length|6 bytes|0-3", "type|Prtc (protocol and version)|4-7", "game.version|0.432 (432)|8-9",
			"from|client|"}},
	{"S2 answer", host, s2host, "Prtc Soaprun version 64",
		[]string{"length|14 bytes|0-3", "protocol|Soaprun|8-15", "protocol.version|64|16-17", "protocol.accepted|yes|"}},
	{"S3 with NUL", client, s3, `Dlog "Goal(1"`,
		[]string{"log.length|7 bytes|8-11", "log.text|Goal(1|12-18", "log.nul|yes, as the original client sends it|",
			"player.goal||"}},
	{"S3 without NUL", client, s3hi, `Dlog "hi"`, []string{"log.length|2 bytes|8-11", "log.text|hi|12-13", "log.nul|no|"}},
	{"S4 mAtt", host, s4, "mAtt 4 x 2 tiles",
		[]string{"attributes.width|4|8-9", "attributes.height|2|10-11", "attribute|ground (0)|12-12",
			"~attribute|ground (0),wall (1),players only (2),NPCs only (3),ground (0),ground (0),wall (1),wall (1)|"}},
	{"mAtt request", client, s4ask, "mAtt asks for the attributes", []string{"from|client|"}},
	{"S5 Room", client, s5, "Room asks for room (-1, 2)", []string{"room.x|-1|8-8", "room.y|2|9-9"}},
	{"S6 myPo", client, s6, "myPo to (-5, 300), 313 tiles",
		[]string{"move.count|2|8-8", "move.node||9-12", "move.x|30|9-10", "move.y|22|11-12", "~move.x|30,-5|",
			"~move.y|22,300|",
			"own.x|-5|", "own.y|300|", "move.steps|313 tiles|", "move.illegal||"}},
	{"S7 ChCl", client, s7, "ChCl wants to be blue", []string{"colour.wanted|blue (2)|8-8", "move.count|0|9-9"}},
	{"S7 HNPU", client, s7hit, "HNPU touched entity 19, at (89, 12)",
		[]string{"hit.entity|19|8-8", "move.count|1|9-9", "move.x|89|10-11", "move.y|12|12-13", "hit.unknown||"}},
	{"S8 DrFl", client, s8, "DrFl draws tile 12 at (45, 31)",
		[]string{"draw.x|45|8-9", "draw.y|31|10-11", "draw.tile|12, drawing 12|12-12", "move.count|0|13-13"}},
	{"S8 mCrp", client, s8dead, "mCrp leaves a corpse at (24, 16)", []string{"corpse.x|24|8-9", "corpse.y|16|10-11"}},
	{"S9 Flds", host, s9, "Flds walking blue with sword and shield; sees 1 player, 2 entities, 1 tile", []string{
		"length|47 bytes|0-3", "state|walking (1)|8-8", "colour|blue (2)|9-9", "items|0x05 (Sword, Shield)|10-10",
		"items.sword|Set|10-10", "items.crown|Not set|10-10", "items.shield|Set|10-10",
		"players|1|11-11", "entities|2|12-12", "tiles|1|13-13", "weather|rain (1)|14-14",
		"player||15-28", "player.index|3|15-15", "player.generation|7|16-16", "player.state|dying (2)|17-17",
		"player.colour|pink (1)|18-18", "player.items|0x01 (Sword)|19-19", "move.count|2|20-20",
		"~move.x|10,10,50|", "~move.y|11,12,7|", "player.x|10|", "player.y|12|",
		"entity||29-38", "entity.index|0|29-29", "~entity.index|0,19|", "~entity.generation|0,4|",
		"~entity.state|active (1),corpse or held (2)|",
		"~entity.type|Gate, purple flame (8),Sword (2)|", "~entity.parameter|1,0|", "entity.meaning|closed, horizontal|",
		"entity.x|50|", "~move.count|2,1,0|",
		"tile||45-50", "tile.x|45|45-46", "tile.y|31|47-48", "tile.new|28, drawing 12, a corpse on tile 12|49-49",
		"tile.padding|cd|50-50"}},
	{"S10 Bye.", client, s10, "Bye. leaves the game", []string{"type|Bye. (end of the game)|4-7"}},
	{"S10 Void", host, s10void, "Void to an unseen question", []string{"type|Void (done)|4-7", "from|server|"}},
	{"Prtc without version", client, "04 00 00 00 50 72 74 63", "Prtc game version [Malformed Packet]",
		[]string{"_ws.malformed||", "length.bad||"}},
	{"Flds cut short", host, "2e" + s9[2:len(s9)-3],
		"Flds walking blue with sword and shield; sees 1 player, 2 entities, 1 tile[Malformed Packet]",
		[]string{"_ws.malformed||", "length|46 bytes|0-3"}},

	{"HVen", client, "09 00 00 00 48 56 65 6e 01 18 00 10 00", "HVen met a ghost and becomes one, at (24, 16)",
		[]string{"move.count|1|8-8", "move.x|24|9-10"}},
	{"Prtc as the first description has it", client, "04 00 00 00 50 72 74 63 b0 01", "Prtc game version 0.432 (432)",
		[]string{"length.other||", "length.reading|the type alone, not the version behind it|",
			"game.version|0.432 (432)|8-9"}},
	{"Length counts itself", client, "0a 00 00 00 50 72 74 63 b0 01", "Prtc game version 0.432 (432)",
		[]string{"length.other||", "length.reading|itself, too|"}},
	{"Length counts the body alone", client, "02 00 00 00 50 72 74 63 b0 01", "Prtc game version 0.432 (432)",
		[]string{"length.other||", "length.reading|the body alone|"}},
	{"Length of the body alone, the server's", host, "0a 00 00 00 50 72 74 63 53 6f 61 70 72 75 6e 00 40 00",
		"Prtc Soaprun version 64", []string{"length.other||", "length.reading|the body alone|"}},
	{"another version", host, "0e 00 00 00 50 72 74 63 53 6f 61 70 72 75 6e 00 3f 00", "Prtc Soaprun version 63",
		[]string{"version.mismatch||", "protocol.accepted|no|"}},
	{"another protocol", host, "0e 00 00 00 50 72 74 63 47 75 78 74 00 00 00 00 40 00", "Prtc Guxt version 64",
		[]string{"version.mismatch||"}},
	{"no such colour", client, "06 00 00 00 43 68 43 6c 09 00", "ChCl wants to be colour 9",
		[]string{"colour.illegal||", "colour.wanted|9|8-8"}},
	{"no drawing tile", client, "0a 00 00 00 44 72 46 6c 2d 00 1f 00 01 00", "DrFl draws tile 1 at (45, 31)",
		[]string{"draw.illegal||"}},
	{"unknown type", client, "08 00 00 00 49 6e 71 75 01 02 03 04", `0x496e7175 unknown message "Inqu", 4 bytes`,
		[]string{"type|Inqu (0x496e7175)|4-7", "type.unknown||", "unknown|01020304|8-11"}},
	{"Length of another type", client, "07 00 00 00 52 6f 6f 6d ff 02 03", "Room asks for room (-1, 2)",
		[]string{"length.bad||", "extra|03|10-10"}},
	{"records in front of the end", host, "0c 00 00 00 46 6c 64 73 01 02 00 00 00 00 00 aa", "Flds walking blue",
		[]string{"field.end||", "extra|aa|15-15"}},
	{"indexes that fall", host,
		"1b 00 00 00 46 6c 64 73 04 00 00 02 00 00 00 05 00 01 01 00 00 05 00 01 01 00 00 00 00 00 00",
		"Flds ghost green; sees 2 players", []string{"field.order||", "field.end||"}},
	{"values that nobody names", host, "0b 00 00 00 46 6c 64 73 09 09 80 00 00 00 07",
		"Flds state 9 colour 9 with unknown",
		[]string{"field.value||", "state|9|8-8", "weather|7|14-14", "items.unknown|Set|10-10"}},
	{"Shift-JIS in Dlog", client, "0d 00 00 00 44 6c 6f 67 05 00 00 00 82 bb 82 a4 00", `Dlog "そう"`,
		[]string{"log.text|そう|12-16"}},
	{"the client's speed test", client, dlog("512byte 16,15,16,17msec\x00"), `Dlog "512byte 16,15,16,17msec"`,
		[]string{"~speed.client|16 ms,15 ms,16 ms,17 ms|"}},
	{"death", client, dlog("Dead(83,41)\x00"), `Dlog "Dead(83,41)"`,
		[]string{"player.dead||", "log.event|died at (83, 41)|"}},
	{"pictures", client, dlog("fps 60,60,59,60\x00"), `Dlog "fps 60,60,59,60"`,
		[]string{"log.event|pictures per second: 60,60,59,60|"}},
	{"Test", client, "00 02 00 00 54 65 73 74" + strings.Repeat("5a", 508), "Test speed test 1",
		[]string{"test.number|1|", "length|512 bytes|0-3"}},
	{"Room answer", host, "56 01 00 00 52 6f 6f 6d ff 02" + strings.Repeat("00", 336), "Room room (-1, 2), all of tile 0",
		[]string{"room.x|-1|8-8", "room.y|2|9-9", "room.row|   30  ?????????????????????|10-30"}},
}

func dlog(text string) string {
	return fmt.Sprintf("%02x 00 00 00 44 6c 6f 67 %02x 00 00 00 %x", 8+len(text), len(text), text)
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			k := newTalk(t, livePort)
			// By hand, as what is damaged is not taken for the port.
			k.as = []dissect.DecodeAs{{Table: dissect.TableTCP, Value: livePort, Protocol: "soaprun"}}
			if v.name == "unknown type" { // no stream is known by one
				k.hex(host, s1)
			}
			n := k.hex(v.from, v.bytes)
			k.end(v.from)
			s := k.session()
			tree := s.Tree(n)
			if tree.InfoLine() != v.info {
				t.Errorf("info is %q, want %q", tree.InfoLine(), v.info)
			}
			for _, c := range v.checks {
				check(t, tree, c)
			}
			if got, want := strings.Contains(marked(s, n), "_ws.malformed"), malformed(v); got != want {
				t.Errorf("malformed: %v, want %v", got, want)
			}
			dissecttest.Owned(t, s)
			dissecttest.Redissections(t, s)
			if t.Failed() {
				t.Log(dissecttest.Dump(tree))
			}
		})
	}
}

func malformed(v vector) bool {
	for _, c := range v.checks {
		if strings.HasPrefix(c, "_ws.malformed") {
			return true
		}
	}
	return false
}

// check holds one "field|value|range" against a tree.
func check(t *testing.T, tree *dissect.Tree, c string) {
	t.Helper()
	parts := strings.Split(c, "|")
	name, want, at := parts[0], parts[1], parts[2]
	if !strings.HasPrefix(name, "_ws.") {
		name = strings.Replace("soaprun."+name, "soaprun.~", "~soaprun.", 1)
	}
	if name[0] == '~' {
		if got := dissecttest.All(tree, name[1:]); got != want {
			t.Errorf("all %s are %q, want %q", name[1:], got, want)
		}
		return
	}
	for i := range tree.Nodes {
		if tree.Field(i).Name() != name {
			continue
		}
		if got := tree.Value(i); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
		where := ""
		if node := tree.Nodes[i]; node.Len > 0 {
			where = fmt.Sprintf("%d-%d", int(node.Off)-headers, int(node.Off+node.Len)-headers-1)
		}
		if where != at {
			t.Errorf("%s covers %q, want %q", name, where, at)
		}
		return
	}
	t.Errorf("%s is missing", name)
}

// TestSegmentation is S11: messages over segments, and segments with messages.
func TestSegmentation(t *testing.T) {
	k := newTalk(t, livePort)
	all := append(append(dissecttest.Unhex(t, s1), dissecttest.Unhex(t, s2host)...), dissecttest.Unhex(t, s9)...)
	k.pieces(host, all, 4, 4, 4, 14, 4, 47)
	n := k.say(client, append(dissecttest.Unhex(t, s6), dissecttest.Unhex(t, s5)...))
	s := k.session()
	if got := kinds(s); got != "WLCM Prtc Flds myPo Room" {
		t.Errorf("messages %s", got)
	}
	if got := s.Tree(n).InfoLine(); got != "myPo +1 to (-5, 300), 313 tiles | Room asks for room (-1, 2)" {
		t.Errorf("info %q", got)
	}
	if len(s.Tree(n).Messages) != 2 {
		t.Errorf("%d messages in the last segment", len(s.Tree(n).Messages))
	}
	for frame, want := range map[dissect.FrameNum]string{4: "5", 6: "7", 8: "9"} {
		if got := value(s, frame, "tcp.reassembled_in"); got != want {
			t.Errorf("frame %d: the message ends in %q, want %s", frame, got, want)
		}
	}
	tree := s.Tree(9)
	if got := dissecttest.All(tree, "tcp.segment"); got != "8,9" || len(tree.Sources()) != 2 || len(tree.Source(1)) != 51 {
		t.Errorf("segments %s, sources %v", got, tree.Sources())
	}
	dissecttest.Redissections(t, s)
}

// TestTruncations cuts every vector at every length, as lies and as snap lengths.
func TestTruncations(t *testing.T) {
	k := newTalk(t, livePort)
	for _, v := range vectors {
		k.hex(v.from, v.bytes)
	}
	s := k.session()
	dissecttest.Truncations(t, plugins(), s)
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	for _, v := range vectors {
		b := dissecttest.Unhex(t, v.bytes)
		cut := newTalk(t, livePort)
		for n := 1; n < len(b); n += 1 + n/40 {
			cut.say(v.from, b[:n])
		}
		dissecttest.Redissections(t, cut.session())
	}
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }
