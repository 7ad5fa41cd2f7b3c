package rtp_test

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// sound is a packet of RTP: its source, number and time stamp, and 8 bytes of sound.
func sound(source, seq, stamp int) string {
	return fmt.Sprintf("8008 %04x %08x %08x d5d5d5d5d5d5d5d5", seq&0xffff, stamp, source)
}

// TestUnannounced tells media that no description announced from what only looks like them, from the first packet on.
func TestUnannounced(t *testing.T) {
	k := dissecttest.Conversation{T: t, Plugins: protocols.All()}
	from, to, other := dissecttest.Spot{Host: 1, Port: 41000}, dissecttest.Spot{Host: 2, Port: 42000},
		dissecttest.Spot{Host: 3, Port: 43000}
	var media, not []dissect.FrameNum
	for i := range 5 {
		media = append(media, k.Say(20, from, to, sound(7, 65534+i, 160*i)))
		media = append(media, k.Say(1, to, from, sound(9, 2*i, 160*i))) // the other way numbers are missing
		not = append(not, k.Say(1, from, other, sound(7+i/3, i, 160*i)), k.Say(1, other, to, sound(0, i, 160*i)))
	}
	not = append(not, k.Say(1, from, to, "81c90007 00000001 80000000 11223344 556677889900"))
	report := "81c90007 00000001 00000002 00000000 00000003 00000000 00000000 00000000"
	control := []dissect.FrameNum{k.Say(1, from, end(2, 44000), report),
		k.Say(1, end(2, 44000), from, report+"81ca0002 00000001 01000000")}
	not = append(not, k.Say(1, from, end(2, 45000), report+"00"), k.Say(1, from, end(2, 45000), report+"00"),
		k.Say(1, from, end(2, 46000), report))
	s := k.Session()
	top := func(n dissect.FrameNum) string { return s.StackTop(s.LayerStackOf(n)).Name() }
	for _, n := range media {
		if top(n) != "rtp" {
			t.Errorf("frame %d is %s", n, top(n))
		}
	}
	for _, n := range control {
		if top(n) != "rtcp" {
			t.Errorf("frame %d is %s", n, top(n))
		}
	}
	for _, n := range not {
		if top(n) != "udp" {
			t.Errorf("frame %d is %s", n, top(n))
		}
	}
	const why = "5 packets of one source with sequence numbers that follow each other"
	if got, _ := dissecttest.Find(s.Tree(media[0]), "_ws.recognized"); !strings.HasSuffix(got, why) {
		t.Errorf("the tree says why: %q", got)
	}
	dissecttest.Redissections(t, s)
}

func end(host byte, port uint16) dissecttest.Spot { return dissecttest.Spot{Host: host, Port: port} }
