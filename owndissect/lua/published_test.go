package lua_test

import (
	"strings"
	"testing"
)

// TestTreesAreAsInWireshark holds lines of trees against those that tshark 4.0 prints with the same script: what other
// dissectors add stands where they were called, hidden items are not there, and numbers, bytes and identifiers are
// written its way.
func TestTreesAreAsInWireshark(t *testing.T) {
	var w told
	s := session(t, `
local p = Proto("wrap", "A Wrapper")
local f = p.fields
f.code = ProtoField.uint16("wrap.code", "Code", base.DEC_HEX, { [3] = "NX" }, 0x000f)
f.plain = ProtoField.uint16("wrap.plain", "Plain", base.DEC_HEX)
f.colon = ProtoField.bytes("wrap.colon", "Colon", base.COLON)
f.bytes = ProtoField.bytes("wrap.bytes", "Bytes")
f.float = ProtoField.float("wrap.float", "Float")
f.guid = ProtoField.guid("wrap.guid", "GUID")
function p.dissector(tvb, pinfo, tree)
  tree:add(p, tvb(0, 2), "Before")
  Dissector.get("data"):call(tvb(2, 3):tvb(), pinfo, tree)
  local item = tree:add(p, tvb(0, 2), "After")
  item:add(f.code, tvb(0, 2))
  item:add(f.plain, tvb(0, 2))
  item:add(f.plain, tvb(0, 2)):set_hidden():add(f.plain, 9)
  item:add(f.colon, tvb(0, 3))
  item:add(f.bytes, tvb())
  item:add(f.float, tvb(2, 4))
  item:add_le(f.guid, tvb(2, 16))
end
DissectorTable.get("udp.port"):add(7300, p)
`, &w, "0003 528e0100 "+strings.Repeat("0102030405060708", 5))
	tree := s.Tree(1)
	var lines []string
	for i := 0; i < len(tree.Nodes); i++ {
		if tree.IsHidden(i) {
			i = tree.End(i) - 1
			continue
		}
		lines = append(lines, strings.Repeat("  ", int(tree.Nodes[i].Depth))+tree.Label(i))
	}
	got := strings.Join(lines, "\n")
	want := `Before
Data
  Data: 528e01
After
  .... .... .... 0011 = Code: NX (3)
  Plain: 3 (0x0003)
  Colon: 00:03:52
  Bytes: 0003528e0100010203040506070801020304050607080102030405060708010203040506…
  Float: 3.04951e+11
  GUID: 00018e52-0201-0403-0506-070801020304`
	if !strings.HasSuffix(got, want) || w.wrong.Len() > 0 {
		t.Errorf("the tree is\n%s\n%s", got, w.wrong.String())
	}
}

// TestCalledDissectorsStandWhereTheyAreCalled: below the item that they are given, and what was said in the columns
// before and behind is in order. A script that says nothing there leaves the Protocol column as it was.
func TestCalledDissectorsStandWhereTheyAreCalled(t *testing.T) {
	var w told
	s := session(t, `
local inner = Proto("inner", "Inner")
inner.fields.a = ProtoField.uint8("inner.a", "A")
function inner.dissector(tvb, pinfo, tree)
  tree:add(inner, tvb()):add(inner.fields.a, tvb(0, 1))
  pinfo.cols.info:append(" inner")
end
local codes = DissectorTable.new("outer.code", "Codes")
codes:add(2, inner)
local outer = Proto("outer", "Outer")
outer.fields.n = ProtoField.uint8("outer.n", "N")
function outer.dissector(tvb, pinfo, tree)
  local top = tree:add(outer, tvb())
  local n = top:add(outer.fields.n, tvb(0, 1))
  pinfo.cols.info = "outer"
  Dissector.get("data"):call(tvb(2):tvb(), pinfo, n)
  codes:try(tvb(0, 1):uint(), tvb(1):tvb(), pinfo, top)
  top:add(outer.fields.n, tvb(1, 1))
  pinfo.cols.info:append(" end")
end
DissectorTable.get("udp.port"):add(7300, outer)
local absent = Field.new("somebody.elses")
local last = Proto("last", "Last")
function last.dissector(tvb, pinfo, tree) if absent() then error("found") end end
register_postdissector(last)
`, &w, "020304")
	tree := s.Tree(1)
	var lines []string
	for i := range tree.Nodes {
		if !tree.IsHidden(i) && !tree.IsDerived(i) {
			lines = append(lines, strings.Repeat("  ", int(tree.Nodes[i].Depth))+tree.Label(i))
		}
	}
	want := `Outer
  N: 2
    Data
      Data: 04
  Inner
    A: 3
  N: 3`
	if got := strings.Join(lines, "\n"); !strings.HasSuffix(got, want) {
		t.Errorf("the tree is\n%s", got)
	}
	if got := tree.InfoLine(); got != "outer inner end" || tree.ProtocolText() != "remora" {
		t.Errorf("the row says %s, %s", tree.ProtocolText(), got)
	}
	if got := w.wrong.String(); !strings.Contains(got, "no packet has the field somebody.elses") ||
		strings.Contains(got, "found") {
		t.Errorf("it says %q", got)
	}
}
