// Package tcpgraph draws one direction of a stream of TCP over time: its sequence numbers, what it carried a second,
// its round trips and its window.
package tcpgraph

import (
	"fmt"
	"sort"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/view"
)

// A Form is what is drawn.
type Form int

// The forms, by Wireshark's names.
const (
	Sequence Form = iota
	Throughput
	RoundTrip
	Window
	forms
)

// Names are the words by which forms are asked for, each with what it draws.
var Names = [][2]string{{"sequence", "sequence numbers, acknowledged ones, and what the window allows"},
	{"throughput", "bytes/s sent and acknowledged"}, {"round-trip", "time until segments are acknowledged"},
	{"window", "the receive window and the bytes in flight"}}

// Named is the form of a name; the first one without a name.
func Named(name string) Form {
	for i, n := range Names {
		if n[0] == name {
			return Form(i)
		}
	}
	return Sequence
}

// heading is a form's title with its unit, and what its curves are.
type heading struct {
	title  string
	curves []string
}

// titles are the forms with their units, and what their curves are.
var titles = [forms]heading{
	{"Sequence numbers (bytes)", []string{"sent", "acknowledged", "window allows"}},
	{"Throughput (bytes/s)", []string{"segments", "acknowledged"}},
	{"Round-trip time (ms)", []string{"until acknowledged"}},
	{"Window scaling (bytes)", []string{"receive window", "bytes in flight"}},
}

// A View draws the stream of the packet that was selected when it was opened.
type View struct {
	c    view.Context
	conv uint32
	form Form
	dir  int // 1: what the second end sends
	view.TimeWindow

	data *stream
	stop func()

	drawn  drawnFor // what the curves were made for
	curves [][]float64
}

// drawnFor is all that the curves depend on.
type drawnFor struct {
	form     Form
	side     int
	from, to int64
	points   int
	segments int
}

// New draws the stream of the selected packet, or returns nil where that is of none.
func New(c view.Context, form Form) *View {
	s, n := c.Scope().Session, c.List().Current()
	if n == 0 || s.ConversationOf(n) == 0 || s.Conversation(s.ConversationOf(n)).Transport != dissect.TableTCP {
		return nil
	}
	v := &View{c: c, conv: s.ConversationOf(n), form: form, TimeWindow: view.TimeWindow{At: s.Store().Time(int(n) - 1)}}
	return v
}

// Open begins to read the stream.
func (v *View) Open() {
	if v.stop == nil {
		v.data = &stream{}
		v.dir = -1
		v.stop = v.data.collect(v.c, v.conv)
	}
}

// Close ends the reading.
func (v *View) Close() {
	if v.stop != nil {
		v.stop()
		v.stop = nil
	}
}

// Update handles the keys that move in time, zoom, choose what is drawn and of which direction.
func (v *View) Update(a act.Action, n int) bool {
	v.choose()
	first, last := v.data.span()
	if v.Move(a, n, view.Width(v.c), first, last) {
		return true
	}
	switch a {
	case act.Reading:
		v.form = (v.form + 1) % forms
	case act.NextPane, act.PrevPane, act.Sort:
		v.dir = 1 - v.dir
	case act.Open:
		if p := v.point(); p != nil {
			v.c.List().Show()
			v.c.GoTo(p.frame)
		}
	case act.Quit, act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// choose begins with the direction that carries more.
func (v *View) choose() {
	if v.dir < 0 {
		if carried, done := v.data.carried(); done || carried != [2]int64{} {
			v.dir = 0
			if carried[1] > carried[0] {
				v.dir = 1
			}
		}
	}
}

// side is the direction drawn.
func (v *View) side() int { return max(0, v.dir) }

// point is the segment at the cursor or behind it, or the last one before; nil where there is none.
func (v *View) point() *point {
	list := v.data.points()
	if len(list) == 0 {
		return nil
	}
	i := sort.Search(len(list), func(i int) bool { return list[i].at >= v.At })
	return &list[min(i, len(list)-1)]
}

// Click selects a time.
func (v *View) Click(x, _ int) {
	first, last := v.data.span()
	v.TimeWindow.Click(x, view.Width(v.c), first, last)
}

// Wheel zooms in time.
func (v *View) Wheel(n int) {
	v.Update(map[bool]act.Action{true: act.Smaller, false: act.Bigger}[n > 0], 1)
}

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"v", "next graph"}, {"Tab", "other direction"}, {"h l", "move"}, {"+ -", "zoom"},
		{"Enter", "that packet"}, {"e", "export"}, {"q", "back"}}
}

// Status says the segment at the cursor.
func (v *View) Status() string {
	p := v.point()
	if p == nil {
		return "no segment yet"
	}
	text := fmt.Sprintf("at %s, packet %s: Seq=%d Len=%d Win=%d", humanize.Duration(float64(p.at-v.c.Scope().Epoch)/1e9),
		humanize.Group(int(p.frame)), p.seq, p.length, p.window)
	if _, done := v.data.carried(); !done {
		text += ", still reading"
	}
	return text
}

// Busy reports whether the stream is still read.
func (v *View) Busy() bool {
	_, done := v.data.carried()
	return !done
}

// Sheet has a row for each segment.
func (v *View) Sheet() export.Sheet {
	list, epoch := v.data.points(), v.c.Scope().Epoch
	return export.New("tcp-stream", []string{"packet", "time_s", "direction", "seq", "len", "ack", "window",
		"round_trip_ms", "bytes_in_flight"}, func() (out [][]any) {
		for i := range list {
			p := &list[i]
			out = append(out, []any{p.frame, float64(p.at-epoch) / 1e9, p.dir, p.seq, p.length, p.ack, p.window,
				float64(p.trip) / 1e6, p.flight})
		}
		return out
	})
}
