package ui

import (
	"fmt"
	"slices"
	"testing"

	"remora/dissect"
)

// TestStoryAllPacketsShown picks and ignores what a filter leaves, and takes it back.
func TestStoryAllPacketsShown(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/dns<enter><wait>Mm")
	x.has("2 packets are picked")
	if got := x.m.marks.Picked(); !slices.Equal(got, []dissect.FrameNum{1, 2}) {
		t.Errorf("picked are %v", got)
	}
	x.keys("X20G<space>/frame.number == 1<enter><wait>MM").has("none of the packets shown is picked")
	if got := x.m.marks.Picked(); !slices.Equal(got, []dissect.FrameNum{2, 20}) {
		t.Errorf("picked are %v", got)
	}
	x.keys("X<esc>/touhou<enter><wait>Mi").has("40 packets are ignored", "0 of 82")
	x.keys("X5G").has("<Ignored>")
	x.keys("MI").has("0 packets are ignored")
	if len(x.m.packets.Ignored) != 0 {
		t.Errorf("%d packets are ignored still", len(x.m.packets.Ignored))
	}
	x.keys(":mark all displayed").has("packet.mark-all-displayed", "Mm")
	x.keys("<enter>").has("82 packets are picked")
	x.keys("M").has("pick none shown", "ignore all shown", "no time references")
}

// TestStoryTimeReferences: each restarts the times behind it, and is found by keys.
func TestStoryTimeReferences(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3GT10GT")
	x.has("*REF*")
	at := func(n dissect.FrameNum) string { return x.m.list.TimeText(n) }
	secondsText := func(ns int64) string { return fmt.Sprintf("%d.%06d", ns/1e9, ns%1e9/1e3) }
	first := x.m.packets.Store.Time(0)
	for n, from := range map[dissect.FrameNum]int64{2: first, 3: 0, 4: x.m.packets.Store.Time(2),
		12: x.m.packets.Store.Time(9)} {
		want := "*REF*"
		if from > 0 {
			want = secondsText(x.m.packets.Store.Time(int(n)-1) - from)
		}
		if at(n) != want {
			t.Errorf("the time of packet %d is %s, want %s", n, at(n), want)
		}
	}
	for _, step := range []struct {
		keys string
		to   dissect.FrameNum
	}{{"gg]T", 3}, {"]T", 10}, {"[T", 3}, {"G[T", 10}} {
		if x.keys(step.keys); x.m.selected.Frame != step.to {
			t.Errorf("%s leads to %d, want %d", step.keys, x.m.selected.Frame, step.to)
		}
	}
	x.keys("]T").has("there is no further time reference")
	x.keys("/frame.ref_time<enter>").has("2 of ")
	x.keys("X/frame.time_relative == 0<enter>").has("3 of ")
	x.keys("X10G<tab>gg<enter>").has("[This is a Time Reference frame]")
	x.keys("<tab><tab><tab>")
	x.keys("T").has("packet 10 is no time reference any more")
	x.keys("10GTMT").has("times are relative to the first packet")
	if at(12) != secondsText(x.m.packets.Store.Time(11)-first) {
		t.Errorf("the time of packet 12 is %s still", at(12))
	}
}

// TestStoryDeleteAllComments: a key too many deletes none.
func TestStoryDeleteAllComments(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36).keys("Mc")
	x.has("no packet has a comment")
	x.keys("2G;one<enter>5G;two<enter>Mc").has("Delete all comments?", "The comments of 2 packets")
	if x.keys("<enter>"); len(x.m.comments.Frames()) != 2 {
		t.Error("Enter deletes them")
	}
	x.keys("/frame.comment<enter>Mcy").has("are deleted", "0 of 82")
	if len(x.m.comments.Frames()) != 0 {
		t.Error("comments are left")
	}
	x.keys("u").has("the comments of 2 packets are as before", "2 of 82")
	if got := x.m.packets.Store.Comments(4); len(got) != 1 || got[0] != "two" {
		t.Errorf("undone, packet 5 has the comments %q", got)
	}
	x.keys("uu").has("the comments of 1 packet are as before")
	if len(x.m.comments.Frames()) != 1 {
		t.Error("the second comment is not undone")
	}
	x.keys("q").has("Quit?", "Unsaved comments")
}
