// Package calls lists the calls of telephony with their legs and streams, and all streams of RTP: lost packets, jitter,
// and their sound as a file.
package calls

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"remora/dissect"
	"remora/dissect/voip"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/term"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists calls, or streams.
type View struct {
	c       view.Context
	ladder  Ladder
	streams bool // the list of streams is shown
	tables  [2]widget.Table

	of     view.Scope
	finder *voip.Finder
	stop   func()
	upTo   dissect.FrameNum
	calls  []voip.Call
	media  []voip.Stream
	saving bool
}

// A Ladder opens the flow graph of some packets under a title, some of them with notes in the place of their Info.
type Ladder func(title string, frames []dissect.FrameNum, notes map[dissect.FrameNum]string)

// New lists calls; with streams the streams of RTP.
func New(c view.Context, ladder Ladder, streams bool) *View {
	return &View{c: c, ladder: ladder, streams: streams}
}

// Open begins to look for calls.
func (v *View) Open() { v.begin() }

func (v *View) begin() {
	now := v.c.Scope()
	if v.finder != nil && v.of.Same(now) {
		return
	}
	v.Close()
	v.of, v.finder, v.upTo, v.calls, v.media = now, voip.New(now.Session), 0, nil, nil
	finder, guard := v.finder, now.Session.Guard()
	v.stop = v.c.Go("looking for calls", func(ctx context.Context) {
		now.Each(ctx, func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
			at := 0
			guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
				for ; at < len(frames); at++ {
					finder.Packet(l, frames[at])
				}
			})
			finder.Read(upTo)
		})
	})
}

// Close ends the search.
func (v *View) Close() {
	if v.stop != nil {
		v.stop()
		v.stop, v.finder = nil, nil
	}
}

func (v *View) refresh() {
	v.begin()
	if upTo := v.finder.UpTo(); upTo != v.upTo {
		v.upTo, v.calls, v.media = upTo, v.finder.Calls(), v.finder.Streams()
	}
}

func (v *View) table() *widget.Table {
	if v.streams {
		return &v.tables[1]
	}
	return &v.tables[0]
}

func (v *View) rows() int {
	if v.streams {
		return len(v.media)
	}
	return len(v.calls)
}

// Update handles the keys that move, change to the other list, open a call, save its sound and filter.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	t := v.table()
	switch {
	case t.Update(a, n, v.rows(), view.Height(v.c)-3):
	case a == act.NextPane || a == act.PrevPane || a == act.Reading:
		v.streams = !v.streams
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	case t.Cur >= v.rows():
		return false
	case a == act.Open:
		v.open(t.Cur)
	case a == act.Only:
		v.c.Close()
		v.c.Filter(v.filter(t.Cur))
	case a == act.Save:
		v.c.Prompt(view.Prompt{Label: " save sound (.wav or .au) to: ", Text: "call.wav", Forget: true,
			Accept: func(path string) {
				v.save(source.ExpandHome(path), t.Cur)
			}})
	default:
		return false
	}
	return true
}

// open draws the ladder of a call, or goes to a stream's first packet.
func (v *View) open(i int) {
	if v.streams {
		if frames := v.media[i].Frames; len(frames) > 0 {
			v.c.List().Show()
			v.c.GoTo(frames[0])
		}
		return
	}
	call := &v.calls[i]
	notes := map[dissect.FrameNum]string{}
	for k := range call.Streams {
		s := &call.Streams[k]
		if len(s.Frames) > 0 {
			lost, _ := s.Lost()
			notes[s.Frames[0]] = fmt.Sprintf("%s, %s, %s lost, jitter %.1f ms, SSRC 0x%08x", s.Codec(),
				humanize.Packets(s.Packets), humanize.Group(lost), s.MeanJitter(), s.SSRC)
		}
	}
	v.ladder("Call from "+dissect.Escape(call.Legs[0].From)+" to "+dissect.Escape(call.Legs[0].To), call.Frames(), notes)
}

// filter is the one for a call with its streams, or for a stream.
func (v *View) filter(i int) string {
	if v.streams {
		return v.streamFilter(&v.media[i])
	}
	var terms []string
	for k := range v.calls[i].Legs {
		terms = append(terms, v.of.Session.Registry().CallFields().ID.Name()+" == "+term.Quote(v.calls[i].Legs[k].ID))
	}
	for k := range v.calls[i].Streams {
		terms = append(terms, "("+v.streamFilter(&v.calls[i].Streams[k])+")")
	}
	return strings.Join(terms, " || ")
}

func (v *View) streamFilter(s *voip.Stream) string {
	text := fmt.Sprintf("%s == 0x%08x", v.of.Session.Registry().MediaFields().Source.Name(), s.SSRC)
	if len(s.Frames) > 0 {
		if conv := v.of.Session.ConversationOf(s.Frames[0]); conv != 0 {
			text += " && " + v.of.Drilldown().Conversation(v.of.Session.Conversation(conv))
		}
	}
	return text
}

// save writes the sound of a stream, or of a call: both directions as the sides of a stereo sound.
func (v *View) save(path string, i int) {
	if v.streams && strings.EqualFold(filepath.Ext(path), ".raw") && i < len(v.media) {
		v.saveRaw(path, &v.media[i])
		return
	}
	wanted := v.sides(i)
	if path == "" || len(wanted) == 0 {
		why := voip.ErrCodec.Error()
		if v.streams && i < len(v.media) {
			why = dissect.Escape(v.media[i].Codec()) + " is not decoded here: " + why
		}
		v.c.Notify("not saved: " + why)
		return
	}
	s := v.of.Session
	v.saving = true
	write := func(ctx context.Context, path string, replace bool) (string, error) {
		samples := make([][]int16, len(wanted))
		var err error
		for k := 0; k < len(wanted) && err == nil; k++ {
			samples[k], err = voip.Sound(ctx, s, &wanted[k])
		}
		if err == nil {
			err = export.File(path, replace, func(w io.Writer) error {
				return voip.WriteSound(w, path, &wanted[0], voip.Together(wanted, samples)...)
			})
		}
		return wanted[0].Codec() + " of " + humanize.Of(len(wanted), "stream"), err
	}
	view.Saving{Path: path, Label: " save the sound to: ", Write: write, Done: func() { v.saving = false }}.Save(v.c)
}

// saveRaw writes the payload of a stream as it is.
func (v *View) saveRaw(path string, st *voip.Stream) {
	s, stream := v.of.Session, *st
	v.saving = true
	write := func(ctx context.Context, path string, replace bool) (string, error) {
		err := export.File(path, replace, func(w io.Writer) error { return voip.WritePayload(ctx, s, &stream, w) })
		return stream.Codec() + " payload of " + humanize.Packets(len(stream.Frames)), err
	}
	view.Saving{Path: path, Label: " save the payload to: ", Write: write, Done: func() { v.saving = false }}.Save(v.c)
}

// sides are the streams whose sound is saved: the one under the cursor, or one in each direction of a call.
func (v *View) sides(i int) (out []voip.Stream) {
	list := v.media[min(i, len(v.media)):min(i+1, len(v.media))]
	if !v.streams {
		list = v.calls[i].Streams
	}
	for k := range list {
		if s := &list[k]; s.Playable() && (len(out) == 0 || len(out) == 1 && s.Codec() == out[0].Codec() &&
			s.Src == out[0].Dst) {
			out = append(out, *s)
		}
	}
	return out
}

// FindLine puts the cursor on the next line that holds a text, or the one before.
func (v *View) FindLine(text string, step int) bool { return v.table().Find(text, step) }

// Click selects a line.
func (v *View) Click(_, y int) { v.table().Click(y-2, v.rows()) }

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table().Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	open, other := "flow graph", "RTP streams"
	if v.streams {
		open, other = "first packet", "calls"
	}
	return [][2]string{{"Enter", open}, {"Tab", other}, {"w", "save sound"}, {"o", "only these"}, {"Ctrl-F", "search"},
		{"e", "export"}, {"q", "back"}}
}

// Status says what was found.
func (v *View) Status() string {
	text := humanize.Of(len(v.calls), "call") + ", " + humanize.Of(len(v.media), "RTP stream")
	if v.finder != nil && int(v.upTo) < v.of.Session.Passed() {
		text += ", looked up to packet " + humanize.Group(int(v.upTo))
	}
	return text
}

// Busy reports whether calls are still looked for, or a sound is saved.
func (v *View) Busy() bool {
	return v.saving || v.finder == nil || !v.of.Same(v.c.Scope()) || v.upTo != v.finder.UpTo() ||
		int(v.finder.UpTo()) < v.of.Session.Passed()
}

// Draw draws the list.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	s := v.c.Style()
	title, cols := "Calls", callColumns
	if v.streams {
		title, cols = "RTP streams", streamColumns
	}
	out := []string{s.Rule(w, title, "")}
	if v.rows() == 0 {
		none := "no call: no INVITE of SIP is among the packets shown"
		switch {
		case v.Busy():
			none = "looking for calls"
		case !v.streams && len(v.media) > 0:
			none += "; " + s.Key(act.NextPane) + " shows the streams of RTP"
		case v.streams:
			none = "no packet of RTP is shown; where no call tells of the streams, decode a conversation as RTP (" +
				s.Key(act.DecodeAs) + " in the list)"
		}
		return append(out, view.Empty(v.c, w, h-1, none)...)
	}
	widths := v.widths(cols, w)
	gap := " "
	if w-2 >= 2*len(cols)+sum(widths) {
		gap = "  "
	}
	line := func(cells []string, l *paint.Line) string {
		room := w - 2
		l.Put(paint.Pen{}, "  ")
		for i, c := range cells {
			width := widths[i]
			text := paint.Fit(c, width)
			switch {
			case cols[i].right:
				text = paint.FitRight(c, width)
			case cols[i].ends:
				text = paint.FitEnds(c, width)
			}
			if width > 0 && room >= width {
				l.Put(paint.Pen{}, text+gap)
				room -= width + len(gap)
			}
		}
		return paint.Clip(l.End(w), w)
	}
	var heads []string
	for _, c := range cols {
		heads = append(heads, c.title)
	}
	out = append(out, s.Pens.Dim.Open+paint.Fit(line(heads, &paint.Line{}), w)+s.Pens.Dim.Close)
	return append(out, v.table().Draw(w, h-2, v.rows(), func(i int, selected bool) string {
		var l paint.Line
		if selected {
			l.Base = s.Pens.Selected
		}
		return line(v.cells(i), &l)
	})...)
}
