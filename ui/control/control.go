// Package control opens, plays, restarts and leaves captures. What would be lost is asked about first.
package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/moment"
	"remora/ui/source"
	"remora/ui/view"
)

// Context is what is asked of the screen.
type Context interface {
	// Store is the capture that is open, nil for none; File is its path, or "".
	Store() *capture.Store
	File() string
	// FilterText is the display filter that is on, or "".
	FilterText() string
	// Capture are the settings of a capture that is started here.
	Capture() capture.Options
	// Recent are the files opened before, the newest last.
	Recent() []string
	// Show shows another capture, or why it could not be opened.
	Show(o Opened)
	// Selected is the selected packet, 0 for none.
	Selected() dissect.FrameNum
	// Choose lets a capture source be chosen; Close does so with no capture open any more.
	Choose()
	Close()
	// Quit ends the program.
	Quit()
	// Ask puts a question.
	Ask(title, text string, answers ...view.Answer)
	// Key is the key that does an action.
	Key(does act.Action) string
	// Notify says something in the line above the keys.
	Notify(text string)
	// Later does work beside the screen, and then what it returns.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// Opened is a capture that takes the place of the one that is open.
type Opened struct {
	Store   *capture.Store
	Session *dissect.Session // of the store; nil: there is none yet
	Options capture.Options  // of a live capture
	File    string
	Parts   []string // the files that were merged
	Filter  string   // the display filter that goes over
	Says    string   // what there is to say of it
	// Selected is the packet that is selected; 0: the first.
	Selected dissect.FrameNum
	Err      error
}

// Sources open captures; nil: they cannot.
type Sources struct {
	Open func(path string) (*capture.Store, error)
	Play func(path string, speed float64) (*capture.Store, error) // as if it were live
	// Shift opens a file whose packets get other times.
	Shift func(path string, by capture.Shift) (*capture.Store, error)
	// Import makes packets of a hex dump, by options of text2pcap.
	Import func(path, options string) (*capture.Store, error)
	// Merge opens several files as one.
	Merge func(paths []string) (*capture.Store, error)
	Live  func(opt capture.Options) (*capture.Store, error)
}

// A Saver saves what would be lost.
type Saver interface {
	// Unsaved says what would be lost, or "".
	Unsaved() string
	// AskAll asks for a file, and goes on once all packets are in it.
	AskAll(next func())
}

// A Control opens and leaves captures.
type Control struct {
	c       Context
	sources Sources
	saver   Saver

	interrupted time.Time // when Ctrl-C was pressed last

	merged *capture.Store // what was opened last, and of which files where it was merged of some
	parts  []string
}

// New opens captures from sources.
func New(c Context, sources Sources, saver Saver) *Control {
	return &Control{c: c, sources: sources, saver: saver}
}

// leave does something that gives up the packets that are here, after asking when they would be lost; without is what
// is done without saving.
func (c *Control) leave(title, without string, then func()) {
	lost := c.saver.Unsaved()
	if lost == "" {
		then()
		return
	}
	c.c.Ask(title, lost,
		view.Answer{Act: act.AnswerSave, Label: "save them first", Do: func() { c.saver.AskAll(then) }},
		view.Answer{Act: act.AnswerDiscard, Label: without, Do: then})
}

// Leave does something that gives up the packets that are here, after asking when they would be lost.
func (c *Control) Leave(title string, then func()) { c.leave(title, "don't save, go on", then) }

// Quit ends the program, after asking when packets would be lost.
func (c *Control) Quit() { c.QuitTo(c.c.Quit) }

// QuitTo goes on with then, after asking when packets would be lost.
func (c *Control) QuitTo(then func()) { c.leave("Quit?", "don't save, quit", then) }

// Interrupt is Ctrl-C: first it stops a capture, then it leaves.
func (c *Control) Interrupt() {
	store := c.c.Store()
	if store == nil || !store.Status().Live || time.Since(c.interrupted) <= 2*time.Second {
		c.Quit()
		return
	}
	c.interrupted = time.Now()
	c.stop("the capture is stopped; Ctrl-C again leaves")
}

func (c *Control) stop(says string) {
	store := c.c.Store()
	c.c.Later("stopping", func(context.Context) func() { store.Stop(); return nil })
	c.c.Notify(says)
}

// Toggle stops a running capture, or starts one anew.
func (c *Control) Toggle() {
	if c.c.Store().Status().Live {
		c.stop("the capture is stopped; " + c.c.Key(act.ToggleCapture) + " starts a new one")
		return
	}
	c.restart()
}

// Restart captures anew with the same settings, or reads a file anew.
func (c *Control) Restart() {
	if len(c.c.Capture().Interfaces) == 0 && len(c.files()) > 0 {
		c.Reload()
		return
	}
	c.restart()
}

func (c *Control) restart() {
	if len(c.c.Capture().Interfaces) == 0 {
		c.c.Notify("this is a saved capture; live capture starts with remora -i IFACE")
		return
	}
	text := c.c.FilterText()
	c.leave("Restart capture?", "don't save, restart", func() {
		opt := c.c.Capture()
		c.open(func() Opened {
			store, err := c.sources.Live(opt)
			return Opened{Store: store, Options: opt, Filter: text, Err: err}
		})
	})
}

// files are those that are open: one, or several that were merged.
func (c *Control) files() []string {
	if file := c.c.File(); file != "" {
		return []string{file}
	}
	if c.merged != nil && c.merged == c.c.Store() {
		return slices.Clone(c.parts)
	}
	return nil
}

// Reload reads what is open anew, as the file is now. The filter stays, and the selected packet.
func (c *Control) Reload() {
	files, o := c.files(), Opened{Filter: c.c.FilterText(), Selected: c.c.Selected(), Says: "read anew"}
	if len(files) == 0 || len(files) > 1 && c.sources.Merge == nil {
		c.c.Notify("files are read anew; this capture is in none")
		return
	}
	c.Leave("Read it anew?", func() {
		c.open(func() Opened {
			if len(files) > 1 {
				o.Parts = files
				o.Store, o.Err = c.sources.Merge(files)
			} else {
				o.File = files[0]
				o.Store, o.Err = c.sources.Open(files[0])
			}
			return o
		})
	})
}

// Close closes the capture; the next source is chosen.
func (c *Control) Close() {
	if c.sources.Live == nil {
		c.c.Notify("there is nothing else to choose here; " + c.c.Key(act.Quit) + " leaves")
		return
	}
	c.Leave("Close the capture?", c.c.Close)
}

// open shows what is opened beside the screen.
func (c *Control) open(open func() Opened) {
	c.c.Later("opening", func(context.Context) func() {
		o := open()
		return func() {
			if o.Err == nil {
				c.merged, c.parts = o.Store, o.Parts
			}
			c.c.Show(o)
		}
	})
}

// Open opens another file, or goes back to the choice of sources.
func (c *Control) Open(path string) {
	if path == "" {
		c.Choose()
		return
	}
	c.Leave("Open another file?", func() {
		path := source.ExpandHome(path)
		c.c.Notify("opening " + path)
		c.open(func() Opened {
			store, err := c.sources.Open(path)
			return Opened{Store: store, File: path, Err: err}
		})
	})
}

// Choose shows the sources again; the capture goes on until another one is opened.
func (c *Control) Choose() {
	if c.sources.Live == nil {
		c.c.Notify("there is nothing else to choose here")
		return
	}
	c.c.Choose()
}

// Offers are the files that begin as typed, and those opened before.
func (c *Control) Offers(typed string) []complete.Offer {
	var out []complete.Offer
	if typed == "" {
		for _, path := range slices.Backward(c.c.Recent()) {
			one := filter.Completion{Text: path, Doc: "opened before"}
			out = append(out, complete.Offer{Completion: one, Packets: -1})
		}
		return out[:min(len(out), 9)]
	}
	if more := source.CompletePath(typed); more != typed {
		out = append(out, complete.Offer{Completion: filter.Completion{Text: more, To: len(typed)}, Packets: -1})
	}
	return out
}

// Shift opens the file anew with other times: as much later as is said, or earlier; with the time of a packet, or of
// two, set to what is said; all beside what was said before. Nothing takes all of it back.
func (c *Control) Shift(arg string, here moment.Here) {
	file, text := c.c.File(), c.c.FilterText()
	if file == "" || c.sources.Shift == nil {
		c.c.Notify("times of saved captures are shifted: save this one first")
		return
	}
	to, err := shifted(c.c.Store(), strings.TrimSpace(arg), here)
	if err != nil {
		c.c.Notify("not shifted: " + err.Error())
		return
	}
	c.Leave("Read it anew?", func() {
		c.open(func() Opened {
			store, err := c.sources.Shift(file, to)
			says := "times as captured"
			if to.Stretch != 0 {
				says = "times shifted and stretched"
			} else if to.By != 0 {
				says = "times shifted by " + to.By.String()
			}
			return Opened{Store: store, File: file, Filter: text, Says: says, Err: err}
		})
	})
}

// Merge opens a file together with what is open: the packets of all in the order of their times.
func (c *Control) Merge(path string) {
	files, text := c.files(), c.c.FilterText()
	if len(files) == 0 || c.sources.Merge == nil {
		c.c.Notify("a file is merged with one that is open: save this capture first")
		return
	}
	files = append(files, source.ExpandHome(path))
	c.Leave("Merge?", func() {
		c.open(func() Opened {
			store, err := c.sources.Merge(files)
			return Opened{Store: store, Parts: files, Filter: text, Err: err}
		})
	})
}

// Import opens the packets of a hex dump: a path, and options of text2pcap behind it.
func (c *Control) Import(arg string) {
	path, options, ok := strings.Cut(arg, " -")
	if ok {
		options = "-" + options
	}
	c.Leave("Open another file?", func() {
		c.open(func() Opened {
			store, err := c.sources.Import(source.ExpandHome(strings.TrimSpace(path)), options)
			return Opened{Store: store, Err: err}
		})
	})
}

// errShift says how times are shifted.
var errShift = errors.New(":time-shift takes a span, +1.5s or -2h30m, or a packet and its time, 5 12:00:03, or two " +
	"of these with a comma; nothing takes the shift back")

// shifted is how the times of a capture change.
func shifted(store *capture.Store, arg string, here moment.Here) (capture.Shift, error) {
	if arg == "" {
		return capture.Shift{}, nil
	}
	was := store.Shift()
	from, to, err := packetTimes(store, arg, here)
	switch {
	case err != nil:
		return was, err
	case len(to) == 1:
		return was.Move(from[0], to[0]), nil
	case len(to) == 2:
		return was.Fit([2]int64(from), [2]int64(to))
	}
	by, err := moment.Span(arg)
	if err != nil || len(to) > 2 {
		return was, errShift
	}
	was.By += by
	return was, nil
}

// packetTimes reads packets with the times that they shall have, and gives those that they have, too; none where it is
// something else that is said.
func packetTimes(store *capture.Store, arg string, here moment.Here) (from, to []int64, err error) {
	for one := range strings.SplitSeq(arg, ",") {
		number, text, _ := strings.Cut(strings.TrimSpace(one), " ")
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil || text == "" {
			return nil, nil, nil
		}
		if n == 0 || n > uint64(store.Len()) {
			return nil, nil, fmt.Errorf("there is no packet %d", n)
		}
		here.Selected = store.Time(int(n - 1))
		at, err := moment.Parse(strings.TrimSpace(text), here)
		if err != nil {
			return nil, nil, err
		}
		from, to = append(from, here.Selected), append(to, at)
	}
	return from, to, nil
}

// Play plays the file anew as if it came from an interface, or changes the speed while it plays.
func (c *Control) Play(arg string) {
	speed := 1.0
	if arg != "" {
		v, err := strconv.ParseFloat(strings.TrimLeft(arg, "x×"), 64)
		if err != nil || !(v >= 0 && v <= 1e6) {
			c.c.Notify(":play takes a speed: 1 is as captured, 10 ten times as fast, 0 the rest at once")
			return
		}
		speed = v
	}
	store, file := c.c.Store(), c.c.File()
	st := store.Status()
	switch {
	case st.Pace > 0 && store.Play(speed):
		says := "playing at " + strconv.FormatFloat(speed, 'g', 4, 64) + " times the speed it was captured with"
		if speed == 0 {
			says = "the rest comes at once"
		}
		c.c.Notify(says)
	case st.Live || file == "" || c.sources.Play == nil || speed == 0:
		c.c.Notify(":play plays a saved capture; this one comes as it is")
	default:
		text := c.c.FilterText()
		c.Leave("Play it anew?", func() {
			c.open(func() Opened {
				store, err := c.sources.Play(file, speed)
				return Opened{Store: store, File: file, Filter: text, Err: err}
			})
		})
	}
}
