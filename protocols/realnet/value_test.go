package realnet

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// tableOf makes a Linking Table of global variables: "id:type:name".
func tableOf(seq uint16, variables ...string) string {
	b := fmt.Sprintf(">04 03 %02x%02x 01 00 %02x 00", seq&0xff, seq>>8, len(variables))
	for _, v := range variables {
		var id, typ int
		var name string
		if _, err := fmt.Sscanf(strings.ReplaceAll(v, ":", " "), "%d %d %s", &id, &typ, &name); err != nil {
			panic(err)
		}
		b += fmt.Sprintf("%02x%02x %02x %02x %x", id&0xff, id>>8, typ, len(name), name)
	}
	return b
}

// replicationOf makes a Replication of global variables: "id:hex".
func replicationOf(seq uint16, at uint64, values ...string) string {
	b := fmt.Sprintf(">05 00 %02x%02x", seq&0xff, seq>>8) + us(at) + fmt.Sprintf("00 %02x", len(values))
	for _, v := range values {
		id, x, _ := strings.Cut(v, ":")
		var n int
		if _, err := fmt.Sscan(id, &n); err != nil {
			panic(err)
		}
		b += fmt.Sprintf("%02x%02x %02x %s", n&0xff, n>>8, len(x)/2, x)
	}
	return b
}

// TestDataTypes replicates a value of every type, at its limits.
func TestDataTypes(t *testing.T) {
	cases := []struct {
		typ  int
		hex  string
		want string
	}{
		{0, "ff", "-1"}, {0, "41", "65 'A'"}, {0, "80", "-128"}, {1, "ff", "255"}, {2, "0080", "-32768"},
		{3, "ffff", "65535"}, {4, "00000080", "-2147483648"},
		{5, "ffffffff", "4294967295"}, {6, "ffffffffffffffff", "-1"}, {7, "ffffffffffffffff", "18446744073709551615"},
		{8, "0000c0bf", "-1.5"},
		{9, "182d4454fb210940", "3.141592653589793"}, {10, "5a6fc3ab", "Zoë"}, {10, "", ""}, {10, "1b5b324a", "\\033[2J"},
	}
	for _, c := range cases {
		k := newTalk(t)
		k.tell(1, tableOf(1, fmt.Sprintf("7:%d:it", c.typ)))
		n := k.tell(1, replicationOf(2, 5, "7:"+c.hex))
		s := k.Session(asAny)
		want(t, s, n, "variable.name", "it", "variable.type", dataTypes[uint64(c.typ)]+fmt.Sprintf(" (%d)", c.typ),
			"value.size.bad", "-", "value.raw", "-")
		tree := s.Tree(n)
		if got, ok := dissecttest.Find(tree, "realnet.value"); !ok || got != c.want && got != dissect.Escape("\x1b[2J") {
			t.Errorf("type %d: %s is %q, want %q", c.typ, c.hex, got, c.want)
		}
		wellFormed(t, s)
		dissecttest.Fields(t, s)
	}
}

// TestWrongSizes checks values that do not fit their type, types that nobody knows, and ids that no table has.
func TestWrongSizes(t *testing.T) {
	k := newTalk(t)
	odd := k.tell(1, tableOf(1, "1:8:v", "2:77:odd", "1:9:v"))
	twice := k.tell(1, tableOf(1, "1:8:v", "2:77:odd", "1:9:v"))
	n := k.tell(1, replicationOf(2, 5, "1:00004841", "2:0102", "9:01"))
	k.tell(1, tableOf(3, "1:8:v"))
	short := k.tell(1, replicationOf(4, 6, "1:000048"))
	none := k.tell(1, replicationOf(5, 7, "1:"))
	s := k.Session(asAny)
	want(t, s, odd, "link.twice", "", "variable.type.bad", "")
	want(t, s, twice, "link.twice", "", "duplicate", "")
	want(t, s, n, "value.size.bad", "", "unlinked", "", "table.none", "-")
	if got := dissecttest.All(s.Tree(n), "realnet.value.raw"); got != "00004841,0102,01" {
		t.Errorf("raw values %q", got)
	}
	want(t, s, short, "value.size.bad", "", "value.raw", "000048", "unlinked", "-", "value", "-")
	want(t, s, none, "value.size.bad", "")
	wellFormed(t, s)
	dissecttest.Redissections(t, s)
}

// TestTablesHeal checks that a table counts from the frame on in which it comes, and that a later one takes its place.
func TestTablesHeal(t *testing.T) {
	k := newTalk(t)
	early := k.tell(1, replicationOf(1, 1, "1:05"))
	first := k.tell(1, tableOf(2, "1:1:hp"))
	named := k.tell(1, replicationOf(3, 2, "1:05"))
	again := k.tell(80, tableOf(2, "1:1:hp"))
	still := k.tell(1, replicationOf(4, 3, "1:06"))
	other := k.tell(1, tableOf(5, "2:1:hp", "1:0:mood"))
	moved := k.tell(1, replicationOf(6, 4, "1:ff", "2:06"))
	k.Say(1, second, server, d1)
	alone := k.Say(1, server, second, replicationOf(7, 5, "1:05")[1:])
	s := k.Session(asAny)
	want(t, s, early, "table.none", "", "variable.name", "-", "value", "-", "value.raw", "05")
	want(t, s, named, "variable.name", "hp", "value", "5", "table_in", num(first), "table.none", "-")
	want(t, s, again, "resend", "", "repeat_of", num(first))
	want(t, s, still, "variable.name", "hp", "value", "6", "table_in", num(first), "value.was", "5")
	if got := dissecttest.All(s.Tree(moved), "realnet.variable.name"); got != "mood,hp" {
		t.Errorf("names %q", got)
	}
	want(t, s, moved, "value", "-1", "table_in", num(other))
	want(t, s, alone, "table.none", "", "variable.name", "-")
	dissecttest.Redissections(t, s)
}

// TestHistory follows values: what they were, when they changed, and that repeats and outdated packets change nothing.
func TestHistory(t *testing.T) {
	k := newTalk(t)
	k.tell(1, tableOf(1, "1:1:hp", "2:10:name"))
	a := k.tell(1, replicationOf(2, 10, "1:05", "2:"+fmt.Sprintf("%x", "a longer name")))
	b := k.tell(1, replicationOf(3, 20, "1:05", "2:"+fmt.Sprintf("%x", "a longer name")))
	c := k.tell(1, replicationOf(4, 30, "1:07", "2:"+fmt.Sprintf("%x", "another name")))
	copied := k.tell(1, replicationOf(4, 30, "1:07", "2:"+fmt.Sprintf("%x", "another name")))
	stale := k.tell(1, replicationOf(5, 25, "1:06"))
	d := k.tell(1, replicationOf(6, 40, "1:08"))
	s := k.Session(asAny)
	want(t, s, a, "value.before", "-", "value.changed_in", "-")
	want(t, s, b, "value.before", "-", "value.was", "-", "value.changed_in", num(c))
	want(t, s, c, "value.before", num(b), "value.was", "5", "value.changes", "1", "value.changed_in", num(d))
	if got := dissecttest.All(s.Tree(c), "realnet.value.was"); got != "5,\"a longer name\"" {
		t.Errorf("values were %q", got)
	}
	want(t, s, copied, "duplicate", "", "value.before", "-")
	want(t, s, stale, "replication.stale", "", "value.before", "-")
	want(t, s, d, "value.before", num(c), "value.was", "7", "value.changes", "2")
	dissecttest.Redissections(t, s)
}

// TestMany replicates more values than are looked up, and more than are remembered.
func TestMany(t *testing.T) {
	k := newTalk(t)
	k.tell(1, "> "+strings.TrimPrefix(d4, ">"))
	block := strings.Repeat("0200 08"+strings.Repeat("0000 20"+strings.Repeat("05 04 00004841", 32), 8), 5) // 1280 values
	n := k.tell(1, ">05 00 06 00"+us(1)+"05 00"+block)
	for i := range 5 {
		entity := fmt.Sprintf("%02x%02x 04", i, 1)
		for v := range 4 {
			entity += fmt.Sprintf("%02x00 ff", v)
			for id := range 255 {
				entity += fmt.Sprintf("%02x 01 05", id)
			}
		}
		k.tell(1, fmt.Sprintf(">05 00 %02x 01", i)+us(uint64(2+i))+"01 00"+entity)
	}
	s := k.Session(asAny)
	want(t, s, n, "replication.many", "", "entity.name", "Car")
	if got := strings.Count(dissecttest.All(s.Tree(n), "realnet.entity.number"), ","); got != 1279 {
		t.Errorf("%d values are shown", got+1)
	}
}
