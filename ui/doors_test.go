package ui

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
)

// matching is how many packets a filter lets through.
func (x *screen) matching(text string) int {
	x.t.Helper()
	f, err := x.m.compile(text)
	if err != nil {
		x.t.Errorf("%s: %v", text, err)
		return -1
	}
	n := 0
	if err := filter.Scan(context.Background(), x.m.s, f, 1, dissect.FrameNum(x.m.s.Passed()), func(m []dissect.FrameNum, _ dissect.FrameNum) { n += len(m) }); err != nil {
		x.t.Error(err)
	}
	return n
}

// TestEveryNumberIsADoor holds what the lines of Talkers, Notes and the unknown traffic count against what their filters show.
func TestEveryNumberIsADoor(t *testing.T) {
	const most = 25 // lines of a table
	for _, path := range append(captures(t), lanCaptures...) {
		x := openFile(t, path, 120, 36)
		cut := strings.HasSuffix(path, "short.pcap") || strings.HasSuffix(path, "lan.pcapng") // packets with ports, too short for a conversation
		hold := func(what, text string, want uint64) {
			if got := x.matching(text); uint64(got) != want {
				t.Errorf("%s: %s: %s shows %d packets, counted %d", filepath.Base(path), what, text, got, want)
			}
		}
		x.keys("gc")
		v := x.m.views[tabTalkers].(*talkersView)
		d := x.m.doors()
		var levels func(list []*stats.Level)
		levels = func(list []*stats.Level) {
			for _, l := range list {
				hold("level", d.Level(l), l.Packets)
				for _, ty := range l.Types {
					hold("level", d.Level(ty), ty.Packets)
				}
				levels(l.Below)
			}
		}
		levels(v.whole)
		for i := range v.answers {
			r := &v.answers[i]
			hold("answers", d.Response(r), r.Asked)
		}
		for range stats.Layers {
			v.part = partTalks
			for i := range v.talks[:min(most, len(v.talks))] {
				v.tables[partTalks].cur = i
				hold("talk", v.term(x.m), v.talks[i].Both().Packets)
			}
			v.part = partEnds
			for i := range v.ends[:min(most, len(v.ends))] {
				if slices.ContainsFunc(v.talks, func(talk stats.Talk) bool { return talk.A == talk.B && talk.A == v.ends[i].End }) {
					continue // what it sends to itself counts as sent and as received
				}
				v.tables[partEnds].cur = i
				if cut {
					continue
				}
				hold("end", v.term(x.m), v.ends[i].Both().Packets)
			}
			v.part = partPorts
			for i := range v.ports[:min(most, len(v.ports))] {
				v.tables[partPorts].cur = i
				if cut {
					continue
				}
				both := v.ports[i].Both()
				hold("port", v.term(x.m), both.Packets)
			}
			v.part = partTalks
			v.turnLayer(x.m, 1)
			x.settle()
		}
		v.part = partPlayers
		for i, r := range v.playerRows {
			v.tables[partPlayers].cur = i
			count := r.all
			if r.kind != nil {
				count = r.kind.Count
			} else if r.who != nil {
				count = r.who.Count
			}
			hold("player", v.term(x.m), count.Packets)
		}
		x.keys("gn")
		notes := x.m.views[tabNotes].(*notesView)
		for i := range notes.notes {
			hold("note", notes.notes[i].Field.Name(), uint64(notes.notes[i].Packets))
		}
		x.keys("gu<wait>")
		for _, g := range x.m.over.(*unknownView).groups {
			hold("unknown", d.Unknown(&g), g.Packets)
		}
	}
}

var lanCaptures, _ = filepath.Glob("../fixtures/captures/lan/*.pcap")
