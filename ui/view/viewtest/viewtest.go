// Package viewtest shows a view over a capture without a screen, for the views' tests: keys in, pictures out.
package viewtest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/follow"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/filtered"
	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/ticks"
	"remora/ui/view"
	"remora/ui/widget"
)

// A Screen shows one view, and remembers what the view asked for. It is the context of its views.
type Screen struct {
	W, H     int
	View     view.View // that is open; nil once it was closed
	Names    bool      // whether ends are called by roles and names
	Notice   string
	Asked    *view.Prompt // the line of text that was asked for last
	Question string       // that was put last, and answered by the first answer
	Answers  []view.Answer
	Copied   string
	Followed *follow.Stream

	t       testing.TB
	s       *dissect.Session
	all     *stats.Tally
	shown   *filtered.Packets
	ignored filtered.Ignored
	speller *ticks.Speller
	style   widget.Style
	keys    keys.Map
	cur     dissect.FrameNum
	back    []dissect.FrameNum
	pending []func() func()
}

// OpenFile shows the packets of a file that the plugins dissect, in so many cells.
func OpenFile(t testing.TB, plugins []dissect.Plugin, path string, w, h int) *Screen {
	t.Helper()
	return of(t, dissecttest.Load(t, plugins, path), w, h)
}

// Open shows packets of Ethernet.
func Open(t testing.TB, plugins []dissect.Plugin, packets []dissecttest.Packet, w, h int) *Screen {
	t.Helper()
	store, err := pcapfile.OpenBytes(context.Background(), "sample.pcap", dissecttest.Pcap(1, packets), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := dissect.NewSession(dissecttest.Registry(t, plugins), store)
	if err != nil {
		t.Fatal(err)
	}
	s.Pass(context.Background())
	return of(t, s, w, h)
}

// OpenSession shows packets that have passed.
func OpenSession(t testing.TB, s *dissect.Session, w, h int) *Screen { return of(t, s, w, h) }

// OpenSample shows the packets of Sample.
func OpenSample(t testing.TB, plugins []dissect.Plugin, w, h int) *Screen {
	t.Helper()
	return Open(t, plugins, Sample(), w, h)
}

// UDP is a frame from 10.0.0.src to 10.0.0.dst.
func UDP(src, dst byte, from, to uint16, payload string) []byte {
	n := 28 + len(payload)
	b := []byte{2, 0, 0, 0, 0, dst, 2, 0, 0, 0, 0, src, 8, 0, 0x45, 0, byte(n >> 8), byte(n), 0, 1, 0, 0, 64, 17, 0, 0, 10,
		0, 0, src, 10, 0, 0, dst,
		byte(from >> 8), byte(from), byte(to >> 8), byte(to), byte((n - 20) >> 8), byte(n - 20), 0, 0}
	return append(b, payload...)
}

// Sample is a DNS request and response, game packets, plain datagrams and hostile text.
func Sample() []dissecttest.Packet {
	q := "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x07example\x03org\x00\x00\x01\x00\x01"
	a := "\x12\x34\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00" + q[12:] +
		"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc0\x00\x02\x01"
	list := [][]byte{UDP(1, 2, 40000, 53, q), UDP(2, 1, 53, 40000, a)}
	for i := range 40 {
		list = append(list, UDP(1, 3, 50001, 10800, fmt.Sprintf("\x0e\x03%c\x00\x00\x00\x03\x01\x01\x00", rune(i))),
			UDP(4, 5, 6000, 7000, "\x1b]0;owned\x07\x1b[2J"))
	}
	return dissecttest.Packets(list...)
}

func of(t testing.TB, s *dissect.Session, w, h int) *Screen {
	x := &Screen{W: w, H: h, Names: true, t: t, s: s, all: stats.NewTally(s), cur: 1}
	x.keys = keys.Standard
	x.style = widget.Style{Pens: paint.NewPens("", true, false, true), Colour: true, Dark: true, Keys: &x.keys}
	x.ignored.Count(x.all, 1, dissect.FrameNum(s.Passed()))
	x.speller = ticks.NewSpeller(s, s.Registry(), x.Scope().Options)
	t.Cleanup(func() {
		if x.View != nil {
			x.View.Close()
		}
	})
	return x
}

// Show opens a view and waits for what it works out.
func (x *Screen) Show(v view.View) *Screen {
	x.t.Helper()
	x.Open(v)
	return x.Settle()
}

// Settle does what is left to be done, and waits until nothing goes on.
func (x *Screen) Settle() *Screen {
	x.t.Helper()
	for range 20000 {
		for len(x.pending) > 0 {
			work := x.pending[0]
			x.pending = x.pending[1:]
			if then := work(); then != nil {
				then()
			}
		}
		if x.View == nil {
			return x
		}
		x.Text()
		if x.Scope().Settled() && !x.View.Busy() && len(x.pending) == 0 {
			return x
		}
		time.Sleep(time.Millisecond)
	}
	x.t.Fatal("the view does not come to rest")
	return x
}

// Keys presses keys, one letter each, names as the keymap has them in angle brackets, and waits after each.
func (x *Screen) Keys(script string) *Screen {
	x.t.Helper()
	before, count := "", 0
	for len(script) > 0 {
		key := script[:1]
		if end := strings.IndexByte(script, '>'); key == "<" && end > 1 {
			key = script[1:end]
			script = script[end+1:]
		} else {
			script = script[1:]
		}
		if d := key[0] - '0'; len(key) == 1 && d <= 9 && before == "" {
			count = count*10 + int(d)
			continue
		}
		name := strings.TrimSpace(before + " " + key)
		does := x.keys.Does[name]
		if before = ""; x.keys.Waits[name] {
			before = name
			continue
		}
		x.Act(does, count)
		count = 0
	}
	return x
}

// Act has the view do what a key stands for.
func (x *Screen) Act(does act.Action, n int) bool {
	x.t.Helper()
	if x.View == nil {
		x.t.Fatal("the view is closed")
	}
	done := x.View.Update(does, n)
	if !done && (does == act.Quit || does == act.Escape) {
		x.Close()
		done = true
	}
	x.Settle()
	return done
}

// Type answers what was asked for last.
func (x *Screen) Type(text string) *Screen {
	x.t.Helper()
	if x.Asked == nil {
		x.t.Fatal("nothing was asked for")
	}
	p := x.Asked
	x.Asked = nil
	p.Accept(text)
	return x.Settle()
}

// Text is the picture of the view, without colours and blanks at the ends of lines; every line must have the view's
// width.
func (x *Screen) Text() string {
	x.t.Helper()
	lines := x.View.Draw(x.W, x.H)
	if len(lines) != x.H {
		x.t.Errorf("%d lines of %d", len(lines), x.H)
	}
	var out strings.Builder
	for i, l := range lines {
		if w := paint.Width(l); w > x.W {
			x.t.Errorf("line %d is %d wide, not %d: %s", i, w, x.W, l)
		}
		out.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
	}
	return out.String()
}

// Has fails unless the picture or the status shows all of the parts.
func (x *Screen) Has(parts ...string) *Screen {
	x.t.Helper()
	for _, p := range parts {
		if text := x.Text() + x.View.Status(); !strings.Contains(text, p) {
			x.t.Errorf("%q is not in\n%s", p, text)
		}
	}
	return x
}

// HasNot fails if the picture shows a part.
func (x *Screen) HasNot(part string) *Screen {
	x.t.Helper()
	if text := x.Text(); strings.Contains(text, part) {
		x.t.Errorf("%q is in\n%s", part, text)
	}
	return x
}

// Matching is how many packets a filter lets through.
func (x *Screen) Matching(text string) int {
	x.t.Helper()
	f, err := x.Scope().Compile(text)
	if err != nil {
		x.t.Fatalf("%s: %v", text, err)
	}
	p := filtered.Start(x.s, f, x.ignored)
	defer p.Cancel()
	for range 20000 {
		if err := p.Failed.Load(); err != nil {
			x.t.Fatal(*err)
		}
		if int(p.Decided.Load()) == x.s.Passed() {
			return p.Matches.Len()
		}
		time.Sleep(time.Millisecond)
	}
	x.t.Fatalf("%s is not decided", text)
	return 0
}

// Scope is the capture as it is shown.
func (x *Screen) Scope() view.Scope {
	s := view.Scope{Session: x.s, Filtered: x.shown, Ignored: x.ignored, All: x.all, Roles: x.Names, Speller: x.speller}
	if x.s.Store().Len() > 0 {
		s.Epoch = x.s.Store().Time(0)
	}
	if x.cur > 0 && int(x.cur) <= x.s.Passed() {
		s.Selected = x.s.Tree(x.cur)
	}
	return s
}

// Style is that of a terminal with colours.
func (x *Screen) Style() *widget.Style { return &x.style }

// List is the packet list.
func (x *Screen) List() view.List { return list{x} }

// Size is the room for the view.
func (x *Screen) Size() (w, h int) { return x.W, x.H }

// Notify remembers what is said.
func (x *Screen) Notify(text string) { x.Notice = text }

// Filter applies a display filter.
func (x *Screen) Filter(text string) {
	if x.shown != nil {
		x.shown.Cancel()
		x.shown = nil
	}
	if text == "" {
		return
	}
	f, err := x.Scope().Compile(text)
	if err != nil {
		x.Notice = err.Error()
		return
	}
	x.shown = filtered.Start(x.s, f, x.ignored)
}

// GoTo selects a packet.
func (x *Screen) GoTo(n dissect.FrameNum) { x.cur = n }

// Open opens a view.
func (x *Screen) Open(v view.View) {
	if x.View != nil && x.View != v {
		x.View.Close()
	}
	x.View = v
	if o, ok := v.(interface{ Open() }); ok {
		o.Open()
	}
}

// Close closes the view.
func (x *Screen) Close() {
	if x.View != nil {
		x.View.Close()
	}
	x.View = nil
}

// Go does work beside the test.
func (x *Screen) Go(what string, work func(ctx context.Context)) (stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	x.t.Cleanup(stop)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				panic(fmt.Sprintf("%s: %v", what, p))
			}
		}()
		work(ctx)
	}()
	return stop
}

// Later does work when the screen settles.
func (x *Screen) Later(_ string, work func(ctx context.Context) (then func())) (stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	x.t.Cleanup(stop)
	x.pending = append(x.pending, func() func() { return work(ctx) })
	return stop
}

// Prompt remembers what is asked for.
func (x *Screen) Prompt(p view.Prompt) { x.Asked = &p }

// Ask chooses the first answer.
func (x *Screen) Ask(_, text string, answers ...view.Answer) {
	x.Question, x.Answers = text, answers
	answers[0].Do()
}

// Copy remembers what was copied.
func (x *Screen) Copy(text, _ string) { x.Copied = text }

// Follow remembers what is to be followed.
func (x *Screen) Follow(t *follow.Stream, from dissect.FrameNum) { x.Followed, x.cur = t, from }

// list is the packet list: a number and the Info of each packet.
type list struct{ x *Screen }

// Rows is how many packets are listed.
func (l list) Rows() int {
	if l.x.shown != nil {
		return l.x.shown.Matches.Len()
	}
	return l.x.s.Passed()
}

// Captured is the packet in a row.
func (l list) Captured(row int) dissect.FrameNum {
	if l.x.shown != nil {
		return l.x.shown.Matches.At(row)
	}
	return dissect.FrameNum(row + 1)
}

// Current is the selected packet.
func (l list) Current() dissect.FrameNum { return l.x.cur }

// Select selects a packet.
func (l list) Select(n dissect.FrameNum) { l.x.cur = n }

// Reveal selects a packet: all rows are in view.
func (l list) Reveal(n dissect.FrameNum) { l.x.cur = n }

// Leave remembers the selected packet.
func (l list) Leave() { l.x.back = append(l.x.back, l.x.cur) }

// Evicted reports whether a packet is gone by the retention limit.
func (l list) Evicted(n dissect.FrameNum) bool { return int(n) <= l.x.s.Store().First() }

// Hide filters the packets of a line out.
func (l list) Hide(t ticks.Line) { view.Narrow(l.x, "!("+l.x.Scope().Term(t)+")") }

// Show closes the view.
func (l list) Show() { l.x.Close() }

// Click selects the packet in a line.
func (l list) Click(line int) { l.x.cur = l.Captured(line) }

// Step selects the packet so many rows on, where there is one.
func (l list) Step(by int) {
	if row := l.x.shown.Row(l.x.cur) + by; row >= 0 && row < l.Rows() {
		l.x.cur = l.Captured(row)
	}
}

// Draw draws a title and the first packets.
func (l list) Draw(w, h int) []string {
	out := []string{paint.Fit("  No. Info", w)}
	for row := 0; len(out) < h; row++ {
		text := ""
		if row < l.Rows() {
			text = l.Row(l.Captured(row), false, "", w)
		}
		out = append(out, paint.Fit(text, w))
	}
	return out
}

// Heading is the titles of number and Info.
func (l list) Heading(_ string, _ []dissect.FrameNum, w int) string {
	return paint.Fit("  No. Info", w)
}

// Row draws a packet: its number and its Info.
func (l list) Row(n dissect.FrameNum, _ bool, info string, w int) string {
	if info == "" {
		info = l.x.s.Tree(n).Info()
	}
	return paint.Fit("   "+strconv.Itoa(int(n))+" "+info, w)
}
