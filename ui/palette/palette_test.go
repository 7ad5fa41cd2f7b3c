package palette

import (
	"slices"
	"strings"
	"testing"

	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// screen remembers what the palette did.
type screen struct {
	style   widget.Style
	palette *Palette
	prompt  view.Prompt
	notice  string
	ran     []act.Action
	done    []string
	typed   []string // what commands were given
}

func (x *screen) Style() *widget.Style { return &x.style }
func (x *screen) Screen() (w, h int)   { return 80, 24 }
func (x *screen) Prompt(p view.Prompt) { x.prompt = p }
func (x *screen) Notify(text string)   { x.notice = text }
func (x *screen) Run(a act.Action)     { x.ran = append(x.ran, a) }
func (x *screen) Done() []string       { return x.done }
func (x *screen) Remember(name string) { x.done = append(x.done, name) }

// words may follow a command.
func words(arg string) []complete.Offer {
	return complete.Words(arg, [][2]string{{"mouse", "the mouse"}, {"theme", "the colours"}})
}

func open() *screen {
	x := &screen{style: widget.Style{Pens: paint.NewPens("", true, false, true), Keys: &keys.Standard}}
	do := func(name string) func(string) {
		return func(arg string) { x.typed = append(x.typed, strings.TrimSpace(name+" "+arg)) }
	}
	x.palette = New(x, []Command{
		{Names: []string{"write", "w"}, Arg: "FILE", Help: "save the packets shown", Do: do("write")},
		{Names: []string{GoTo}, Arg: "NUMBER", Must: true, Help: "go to a packet", Do: do(GoTo)},
		{Names: []string{Time}, Arg: "TIME", Must: true, Help: "go to a time", Do: do(Time)},
		{Names: []string{"set"}, Arg: "NAME", Must: true, Help: "a setting", Do: do("set"), Args: words},
	})
	x.palette.Open("")
	return x
}

// offered are what is offered for a text.
func (x *screen) offered(text string) (out []string) {
	offers, _ := x.prompt.Check(text, len(text))
	for _, o := range offers {
		out = append(out, o.Text)
	}
	return out
}

func TestWhatWasDoneLastComesFirst(t *testing.T) {
	x := open()
	got := x.offered("")
	if got[0] != "write" || !slices.Contains(got, act.Zoom.Name()) || slices.Contains(got, act.Command.Name()) {
		t.Errorf("offered at first: %q", got)
	}
	for _, text := range []string{"set mouse", "w file", act.Zoom.Name(), "12", "nonsense"} {
		x.prompt.Accept(text)
	}
	if got := x.offered(""); !slices.Equal(got[:3], []string{act.Zoom.Name(), "write", "set"}) {
		t.Errorf("offered first are %q", got[:3])
	}
}

func TestEachWordMustFit(t *testing.T) {
	x := open()
	if got := x.offered("shown save"); !slices.Contains(got, "write") || slices.Contains(got, GoTo) {
		t.Errorf("offered are %q", got)
	}
	if got := x.offered("i/o graph"); !slices.Contains(got, act.Rates.Name()) {
		t.Errorf("offered are %q", got)
	}
	if got := x.offered("nonsense"); got != nil {
		t.Errorf("offered are %q", got)
	}
	if text, _ := x.prompt.Says(view.Typed{Text: "nonsense"}); text != "No matching command" {
		t.Errorf("it says %q", text)
	}
	if got := x.offered("set th"); !slices.Equal(got, []string{"theme"}) {
		t.Errorf("offered are %q", got)
	}
	offers, _ := x.prompt.Check("set th", 6)
	if o := offers[0]; o.From != 4 || o.To != 6 {
		t.Errorf("theme would replace %d to %d", o.From, o.To)
	}
}

func TestCommandsActionsNumbersAndTimes(t *testing.T) {
	x := open()
	for _, text := range []string{"w a.pcap", "12", "+1.5s", "@12:03:04", act.Zoom.Name(), ""} {
		x.palette.Do(text)
	}
	want := []string{"write a.pcap", "goto 12", "time +1.5s", "time 12:03:04"}
	if !slices.Equal(x.typed, want) || !slices.Equal(x.ran, []act.Action{act.Zoom}) {
		t.Errorf("done are %q and %v", x.typed, x.ran)
	}
	for text, says := range map[string]string{
		"nonsense": "there is no command nonsense", act.LineTake.Name(): "while a line is typed in",
		act.AnswerYes.Name(): "while a question is asked",
	} {
		if x.palette.Do(text); !strings.Contains(x.notice, says) {
			t.Errorf("%s: %s", text, x.notice)
		}
	}
}

func TestEnterTakesTheLineUnderTheCursor(t *testing.T) {
	x := open()
	offer := func(name string) *complete.Offer {
		o := complete.Offer{}
		o.Text = name
		return &o
	}
	for _, c := range []struct {
		typed view.Typed
		want  string
		ok    bool
	}{
		{view.Typed{Text: "wri", Offer: offer("write")}, "write", true},
		{view.Typed{Text: "got", Offer: offer(GoTo)}, "goto ", false},
		{view.Typed{Text: "goto", Offer: offer(GoTo)}, "goto", true}, // a command as it stands: it says what it wants
		{view.Typed{Text: "", Offer: offer("write")}, "", true},
		{view.Typed{Text: "", Offer: offer("write"), Picked: true}, "write", true},
		{view.Typed{Text: "set th", Offer: offer("theme")}, "set th", true},
	} {
		if got, ok := x.prompt.Resolve(c.typed); got != c.want || ok != c.ok {
			t.Errorf("%q gives %q, %v", c.typed.Text, got, ok)
		}
	}
}

func TestLinesShowTheirKeys(t *testing.T) {
	o := complete.Offer{}
	o.Text, o.Type = "view.zoom", "z"
	if name, keys := nameAndKeys(o); name != "view.zoom" || keys != "z" {
		t.Errorf("an action: %q, %q", name, keys)
	}
	o.Text, o.Type = "conversations", ":conversations LAYER"+keysBehind+"g C"
	if name, keys := nameAndKeys(o); name != ":conversations LAYER" || keys != "g C" {
		t.Errorf("a command: %q, %q", name, keys)
	}
}
