package realnet

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// The vectors of the sheet, section 8.
const (
	d1 = "00 00 00 00 00"
	d2 = "00 01 01 00 01 e8 03 00 00 00 00 00 00 dc 05 00 00 00 00 00 00 80 84 1e 00"
	d3 = "00 00 00 00 02 04 66 75 6c 6c"
	d4 = "04 03 05 00 01 00 01 01 03 00 09 01 74 02 00 03 43 61 72 02 00 08 01 76 01 00 01 67"
	d5 = "05 00 06 00 90 d0 03 00 00 00 00 00 01 01 02 00 02 00 00 02 04 04 00 00 48 41 05 04 00 00 80 bf 01 00 01 " +
		"04 01 ff 03 00 08 00 00 00 00 00 00 d0 3f"
	d6init = "02 09 00 00"
	d6ack  = "02 07 00 01 09 00 e0 93 04 00 00 00 00 00 d0 6c 04 00 00 00 00 00"
	d7     = "06 03 08 00 80 1a 06 00 00 00 00 00 03 73 61 79 02 00 68 69"
	d8     = "01 01 0a 00 04 69 64 6c 65"
	d8ack  = "03 0a 00"
	a1     = "00 00 00 00"
	a2     = "00 00 00 01 00 38 e2 f4 28 68 05 00 fa 00 00 00 00 00 00 00"
	a3     = "00 01 00 01 40 d4 e2 f4 28 68 05 00 0f 00 00 00 00 00 00 00"
	a4     = "03 01 00"
	a5full = "00 00 00 02 03"
	a5time = "01 01 00 03"
	a5left = "01 02 00"
	tooFew = "04 03 05 00 01 00 02 00 03 00 09 01 74"
	badFlg = "06 02 01 00 80 1a 06 00 00 00 00 00 03 73 61 79 02 00 68 69"
)

// vectors have what a packet must be, in the words "field|value|first-last byte"; "~" joins all values of a field.
// before are packets in front of it; those that the server sends begin with ">".
var vectors = []struct {
	name   string
	bytes  string
	before []string
	info   string
	fields []string
}{
	{"D1 Init", d1, nil, "CONNECTION_INIT asks to connect",
		[]string{"layout|as documented|", "from|client|", "packet|Connection (0)|0-0", "flags|0x00|1-1", "sequence|0|2-3",
			"connection|Init (0)|4-4"}},
	{"D2 Accept", ">" + d2, []string{d1}, "CONNECTION_ACCEPT accepted, synchronization every 2s, round trip 29.50 ms",
		[]string{
			"layout|as documented|", "from|server|", "flags|0x01 (Reliable)|1-1", "flags.reliable|Set|1-1", "sequence|1|2-3",
			"connection|Accept (1)|4-4",
			"accept.received|1000 µs|5-12", "accept.sent|1500 µs|13-20", "accept.interval|2000000 µs|21-24",
			"accept.took|0.000500000|", "rtt|0.029500000|", "request_in|1|"}},
	{"D3 Reject", ">" + d3, []string{d1}, "CONNECTION_REJECT refused: full",
		[]string{"reason.size|4 bytes|5-5", "reason.text|full|6-9", "reject||", "phase|refused|"}},
	{"D4 Linking Table", ">" + d4, nil, "LINKING_TABLE 1 variable, 1 entity: Car", []string{
		"flags|0x03 (Reliable, Ordered)|1-1", "sequence|5|2-3", "linking|Table (1)|4-5", "table.variables|1|6-6",
		"table.entities|1|7-7", "link.variable||8-12",
		"~variable.id|3|", "~variable.type|double (9),float (8),char (0)|", "~variable.name|t,v,g|", "entity.id|2|13-14",
		"entity.name|Car|16-18", "link.members|2|19-19", "~link.member.id|0,1|",
		"~link.name.size|1 bytes,3 bytes,1 bytes,1 bytes|"}},
	{"D5 Replication", ">" + d5, []string{">" + d4}, "REPLICATION Car#4.v = 12.5, Car#5.v = -1, Car#4.g = -1, 1 more",
		[]string{
			"flags|0x00|1-1", "sequence|6|2-3", "replication.time|250000 µs|4-11", "replication.entities|1|12-12",
			"replication.variables|1|13-13", "entity||14-37",
			"entity.id|2|14-15", "entity.name|Car|", "entity.variables|2|16-16", "~variable.id|0,1,3|", "~variable.name|v,g,t|",
			"~variable.type|float (8),char (0),double (9)|",
			"~variable.count|2,1|", "~entity.number|4,5,4|", "~value.size|4 bytes,4 bytes,1 bytes,8 bytes|",
			"~value|12.5,-1,-1,0.25|", "global||38-48", "unlinked|MISSING|", "value.size.bad|MISSING|"}},
	{"D5 without a table", ">" + d5, nil,
		"REPLICATION id 2#4.id 0 = 00004841, id 2#5.id 0 = 000080bf, id 2#4.id 1 = ff, 1 more",
		[]string{"table.none||", "value.raw|00004841|22-25", "entity.name|MISSING|", "value|MISSING|"}},
	{"D6 Sync Init", ">" + d6init, nil, "SYNC_INIT 9", []string{"sequence|9|1-2", "sync|Init (0)|3-3", "flags|MISSING|"}},
	{"D6 Sync Ack", d6ack, []string{">" + d6init}, "SYNC_ACK 7 answers 9, round trip 20.00 ms",
		[]string{"sequence|7|1-2", "sync|Acknowledgement (1)|3-3", "sync.answers|9|4-5",
			"sync.sent|300000 µs|6-13", "sync.received|290000 µs|14-21", "sync.took|0.010000000|", "request_in|1|"}},
	{"D7 Message", d7, nil, "MESSAGE say: hi",
		[]string{"flags|0x03 (Reliable, Ordered)|1-1", "sequence|8|2-3", "message.time|400000 µs|4-11",
			"message.name.size|3 bytes|12-12",
			"message.name|say|13-15", "message.size|2 bytes|16-17", "message.data|6869|18-19", "message.text|hi|"}},
	{"D8 Disconnection", ">" + d8, nil, "DISCONNECTION disconnected: idle",
		[]string{"layout|as documented|", "flags|0x01 (Reliable)|1-1", "sequence|10|2-3", "reason.size|4 bytes|4-4",
			"reason.text|idle|5-8", "disconnect||"}},
	{"D8 Ack", d8ack, []string{">" + d8}, "ACK 10 after 30.00 ms",
		[]string{"acked|10|1-2", "ack.of|1|", "sequence|MISSING|", "layout|as documented|"}},
	{"A1 Init", a1, nil, "CONNECTION_INIT asks to connect",
		[]string{"layout|as built|", "packet|Connection (0)|0-0", "sequence|0|1-2", "connection|Init (0)|3-3",
			"flags|MISSING|"}},
	{"A2 Accept", ">" + a2, []string{a1}, "CONNECTION_ACCEPT accepted after 250 µs, round trip 29.75 ms",
		[]string{"layout|as built|", "from|server|", "sequence|0|1-2", "connection|Accept (1)|3-3",
			"accept.time|1521900000000000 µs|4-11", "accept.delay|250 µs|12-19"}},
	{"A3 Accept", a3, []string{a1, ">" + a2}, "CONNECTION_ACCEPT confirmed 15 µs later, round trip 29.98 ms",
		[]string{"from|client|", "sequence|1|1-2", "accept.client_time|1521900000040000 µs|4-11",
			"accept.client_delay|15 µs|12-19", "phase|connected|"}},
	{"A4 Ack", ">" + a4, []string{a1, ">" + a2, a3}, "ACK 1 after 30.00 ms",
		[]string{"layout|as built|", "acked|1|1-2", "ack.of|3|"}},
	{"A5 Reject", ">" + a5full, []string{a1}, "CONNECTION_REJECT refused: full",
		[]string{"sequence|0|1-2", "connection|Reject (2)|3-3", "reject.reason|full (3)|4-4"}},
	{"A5 timeout", ">" + a5time, nil, "DISCONNECTION disconnected: timeout",
		[]string{"layout|as built|", "sequence|1|1-2", "disconnect.reason|timeout (3)|3-3", "other|MISSING|"}},
	{"A5 Disconnection", a5left, nil, "DISCONNECTION disconnected: the client leaves",
		[]string{"layout|as built|", "sequence|2|1-2", "from|client|"}},
	{"two variables announced, one there", ">" + tooFew, nil, "", []string{"_ws.malformed||", "variable.name|t|12-12"}},
	{"Ordered without Reliable", badFlg, nil, "MESSAGE say: hi", []string{"flags.bad||", "flags|0x02 (Ordered)|1-1"}},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			k := newTalk(t)
			for _, b := range append(v.before, v.bytes) {
				k.tell(30, b)
			}
			s := k.Session(asAny)
			tree := s.Tree(dissect.FrameNum(s.Passed()))
			if got := tree.InfoLine(); v.info != "" && got != v.info {
				t.Errorf("info is %q, want %q", got, v.info)
			}
			for _, f := range v.fields {
				dissecttest.Holds(t, tree, "realnet", f)
			}
			if t.Failed() {
				t.Log(dissecttest.Dump(tree))
			}
			if !strings.Contains(strings.Join(v.fields, " "), "_ws.") {
				wellFormed(t, s)
			}
			dissecttest.Redissections(t, s)
		})
	}
}

// tell is say between client and server: what the server sends begins with ">".
func (k *talk) tell(gap int64, text string) dissect.FrameNum {
	if s, ok := strings.CutPrefix(text, ">"); ok {
		return k.Say(gap, server, client, s)
	}
	return k.Say(gap, client, server, text)
}

// wellFormed checks that no frame is malformed or has bytes that nobody claims.
func wellFormed(t *testing.T, s *dissect.Session) {
	t.Helper()
	for i := range s.ExpertInfos() {
		if m := s.ExpertInfo(i); m.Field == s.Registry().Field("_ws.malformed").ID() {
			t.Errorf("frame %d is malformed", m.Frame)
		}
	}
	dissecttest.Owned(t, s)
}
