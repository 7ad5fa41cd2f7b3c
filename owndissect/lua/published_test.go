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
