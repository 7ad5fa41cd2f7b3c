package lab

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/lab"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

// unknown are messages of nobody's protocol: a tag, a counter, and a level that goes up and down.
func unknown() []dissecttest.Packet {
	var all [][]byte
	for i := range 60 {
		b := append([]byte{0xc0, byte(1 + i%2)}, binary.LittleEndian.AppendUint16(nil, uint16(1000+i))...)
		b = append(b, byte(50+i%7), 0, 0, 0)
		if i%2 == 1 {
			b = b[:5]
		}
		all = append(all, viewtest.UDP(1, 2, 40000, 7300, string(b)))
	}
	return dissecttest.Packets(all...)
}

// datagrams gathers what stands behind UDP.
type datagrams []lab.Message

func (d *datagrams) Add(s *dissect.Session, tree *dissect.Tree) {
	conv, dir := s.DirectionOf(tree.Frame)
	*d = append(*d, lab.Message{Time: tree.Time(), Flow: conv, Direction: dir,
		Data: bytes.Clone(tree.Raw(tree.Find(s.Registry().Field("udp.payload")))), Frame: uint32(tree.Frame)})
}

func (d *datagrams) Messages() int            { return len(*d) }
func (d *datagrams) Report() *lab.Report      { return lab.Analyse(*d, nil) }
func (d *datagrams) Where(*lab.Report) string { return "udp: 7300" }

// TestTheLab shows groups of messages, names bytes of one, and writes what is known so far.
func TestTheLab(t *testing.T) {
	x := viewtest.Open(t, protocols.All(), unknown(), 120, 32)
	written, replaced := map[string]string{"taken": "mine already"}, false
	keep := func(name, text string, replace bool) (string, error) {
		if written[name] != "" && !replace {
			return name + ".ksy", fs.ErrExist
		}
		replaced = replaced || name == "taken"
		written[name] = text
		return name + ".ksy", nil
	}
	v := New(x, "udp.port == 7300", Tools{keep, func() Traffic { return &datagrams{} }})
	x.Show(v).Has("group 1 of 2", "30 messages of", "coun…", "c0 01")
	first := v.current()
	if x.Keys("<tab>"); v.current() == first {
		t.Error("Tab shows no other group")
	}
	x.Keys("llN") // the counter
	if x.Asked == nil || !strings.HasSuffix(x.Asked.Text, "u2le") {
		t.Fatalf("asked for %+v", x.Asked)
	}
	x.Type("Seq").Keys("N").Type("seq u9")
	if !strings.Contains(x.Notice, "no type of 2 bytes") {
		t.Error(x.Notice)
	}
	x.Keys("N").Type("seq")
	x.Type("lamp").Has("seq")
	if text := written["lamp"]; !strings.Contains(text, "{id: seq, type: u2le") || !strings.Contains(text, "udp: 7300") {
		t.Errorf("written is %s", text)
	}
	x.Keys("ll<space>") // bytes that are selected, not proposed
	x.Keys("N").Type("level u1")
	if !strings.Contains(written["lamp"], "{id: level, type: u1") {
		t.Errorf("written is %s", written["lamp"])
	}
	x.Keys("uu")
	if text := written["lamp"]; strings.Contains(text, "id: seq") || strings.Contains(text, "id: level") {
		t.Errorf("undo leaves %s", text)
	}
	x.Keys("v").Has("··")
	x.Keys("v").Has("as unsigned, big-endian:")
	x.Keys("ttt").Has("as signed, little-endian:")
	if x.Keys("yh"); x.Copied == "" {
		t.Error("nothing is copied")
	}
	x.Keys("v").Has("·· ▒█") // the counter begins anew, and the level goes up and down
	x.Keys("hhhh<space>lN").Type("head u2be all")
	if text := written["lamp"]; strings.Count(text, "{id: head, type: u2be") != 2 {
		t.Errorf("written is %s", text)
	}
	for _, g := range v.report.Groups {
		if f, _ := g.At(0); f.Name != "head" {
			t.Errorf("%s begins with %s", g, f.Label())
		}
	}
	again := New(x, "", v.tools)
	x.Show(again).Keys("w").Type("taken")
	if !replaced { // the screen of tests says yes
		t.Error("a file is not replaced by whoever says so")
	}
	cur := again.current().Messages[0].Frame
	if x.Keys("gg<enter>"); x.View != nil || uint32(x.List().Current()) != cur {
		t.Errorf("Enter goes to packet %d, want %d", x.List().Current(), cur)
	}
}
