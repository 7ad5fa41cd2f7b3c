package chooser

import (
	"fmt"
	"strconv"
	"strings"

	"remora/capture/bpf"
	"remora/capture/live"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/readline"
	"remora/ui/source"
)

// A sourceField is a line of the chooser that can be typed in.
type sourceField struct {
	opens act.Action
	label string
	short string                               // the label where there is little room
	doc   string                               // what may be typed
	start string                               // what stands there when nothing does
	check func(c *Chooser, text string) string // what is wrong with it, or ""
	enter func(c *Chooser, text string)        // nil: the text is only kept
}

// The fields, in the order in which Tab goes through them.
const (
	fieldFilter = iota
	fieldFile
	fieldRemote
	fieldWrite
	fieldKeep
	fieldSnap
	fieldStop
	fieldLink
	fieldArgument
)

// remoteStart begins the name of an interface of another machine.
const remoteStart = "ssh://"

var sourceFields = []sourceField{
	fieldFilter: {opens: act.SourceFilter, label: "Capture filter", short: "filter",
		doc:   "in libpcap's language: udp port 10800 and not host 192.0.2.1; Enter keeps it, Esc goes back",
		enter: func(*Chooser, string) {}},
	fieldFile: {opens: act.SourceFile, label: "Open file", doc: "Tab completes, Enter opens, Esc goes back",
		enter: (*Chooser).openFile},
	fieldRemote: {opens: act.SourceRemote, label: "Capture elsewhere",
		doc:   "ssh://user@host/eth0: tcpdump captures there, ssh brings the packets here, which no password must stop",
		start: remoteStart,
		enter: (*Chooser).openRemote},
	fieldWrite: {opens: act.SourceWrite, label: "Write to", short: "write to",
		doc:   "a file that gets packets as they come: pcapng, or pcap by its ending; nothing: none",
		enter: func(c *Chooser, text string) { c.src.Capture.Write = source.ExpandHome(text) }},
	fieldKeep: {opens: act.SourceKeep, label: "Ring", short: "ring",
		doc:   "how much is kept, as 512 MiB or 2 GiB: the oldest leaves first; 0 keeps everything",
		check: func(_ *Chooser, text string) string { return problem(source.Keep(text)) },
		enter: func(c *Chooser, text string) { c.src.Capture.Keep, _ = source.Keep(text) }},
	fieldSnap: {opens: act.SourceLength, label: "Snap length", short: "snap",
		doc:   "how many bytes of each packet are kept; 0: all",
		check: func(_ *Chooser, text string) string { return problem(source.Length(text)) },
		enter: func(c *Chooser, text string) { c.src.Capture.SnapLen, _ = source.Length(text) }},
	fieldStop: {opens: act.SourceStop, label: "Stop after", short: "stop after",
		doc:   "duration:60 for a minute, packets:1000, or both; nothing: never",
		check: func(_ *Chooser, text string) string { return problem(source.Stop(text)) },
		enter: func(c *Chooser, text string) { c.src.Capture.Stop, _ = source.Stop(text) }},
	fieldLink: {opens: act.SourceLink, label: "Link type", short: "link",
		enter: func(c *Chooser, text string) { c.src.Capture.LinkType = text }},
	fieldArgument: {label: "Argument",
		check: func(c *Chooser, text string) string { return problem(0, c.args.now().Check(text)) }},
}

func problem[T any](_ T, err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// value is what a field holds while it is not typed in.
func (c *Chooser) value(i int) string {
	o := c.src.Capture
	switch i {
	case fieldFilter:
		return c.filter.Value()
	case fieldWrite:
		return o.Write
	case fieldKeep:
		return source.SizeText(o.Keep)
	case fieldSnap:
		if o.SnapLen > 0 {
			return strconv.Itoa(o.SnapLen)
		}
	case fieldStop:
		return source.StopText(o.Stop)
	case fieldLink:
		return o.LinkType
	case fieldRemote:
		return c.remote
	case fieldArgument:
		return c.argument()
	}
	return ""
}

// edit opens a field.
func (c *Chooser) edit(i int) {
	c.field, c.message, c.problem = i, nil, ""
	if i == fieldLink {
		c.askLinks(false)
	}
	if i == fieldFilter {
		c.text = &c.filter
		return
	}
	if i == fieldFile {
		c.text = &c.file
		return
	}
	c.text = &readline.Input{}
	text := c.value(i)
	if text == "" {
		text = sourceFields[i].start
	}
	c.text.Set(text)
}

// fieldOf is the field that an action opens, or -1.
func fieldOf(does act.Action) int {
	for i, f := range sourceFields {
		if f.opens == does && does != act.None {
			return i
		}
	}
	return -1
}

func (c *Chooser) editKey(name, text string) {
	f := sourceFields[c.field]
	does := c.screen.Style().Keys.Line(name)
	if name == "shift+tab" && does == act.None { // back, where it has no work of its own
		does = act.LineTake
	}
	c.screen.Tell(does)
	switch does {
	case act.LineNext, act.LinePrev:
		c.nextLink(does == act.LineNext)
		if c.field == fieldFilter {
			c.filter.Recall(map[bool]int{true: 1, false: -1}[does == act.LineNext])
			c.checkField()
		}
	case act.LineCancel:
		c.text, c.problem = nil, ""
	case act.LineAccept:
		if c.problem != "" {
			return
		}
		typed := strings.TrimSpace(c.text.Value())
		c.text = nil
		if c.field == fieldArgument {
			c.takeArgument(typed)
			c.captureWith()
			return
		}
		f.enter(c, typed)
	case act.LineTake:
		if c.field == fieldFile || c.field == fieldWrite {
			c.text.Set(source.CompletePath(c.text.Value()))
			return
		}
		if c.problem == "" {
			typed := strings.TrimSpace(c.text.Value())
			if c.field == fieldArgument {
				c.takeArgument(typed)
				c.nextArgument(name != "shift+tab")
				return
			}
			if c.field != fieldRemote {
				f.enter(c, typed)
			}
			c.edit(nextField(c.field, name != "shift+tab"))
		}
	default:
		if !c.text.Do(does) && text != "" {
			c.text.Insert(text)
		}
		c.checkField()
	}
}

// nextField goes through the settings of a capture; files have Tab for themselves.
func nextField(i int, forward bool) int {
	ring := []int{fieldFilter, fieldKeep, fieldSnap, fieldStop, fieldLink}
	for k, v := range ring {
		if v == i {
			step := 1
			if !forward {
				step = len(ring) - 1
			}
			return ring[(k+step)%len(ring)]
		}
	}
	return fieldFilter
}

// checkField looks at what is typed.
func (c *Chooser) checkField() {
	c.problem = ""
	if check := sourceFields[c.field].check; check != nil {
		c.problem = check(c, c.text.Value())
	}
	if c.field == fieldFilter {
		c.check()
	}
}

// check compiles the capture filter as it is typed.
func (c *Chooser) check() {
	c.verdict, c.bad = "captures everything", false
	text := strings.TrimSpace(c.filter.Value())
	if text == "" {
		return
	}
	bpf, err := bpf.Compile(1, 262144, text)
	if err != nil {
		c.verdict, c.bad = err.Error(), true
		if c.src.IsDisplayFilter(text) {
			c.verdict = "this is a display filter; it goes into the line above the packets, with /"
		}
		return
	}
	c.verdict = fmt.Sprintf("compiles, %d steps", bpf.Steps)
	for _, k := range c.src.Kept {
		if k[1] == text {
			c.verdict = dissect.Escape(k[0]) + ": " + c.verdict
			break
		}
	}
}

// openRemote captures on another machine.
func (c *Chooser) openRemote(name string) {
	if name == "" || name == remoteStart || c.opening != "" {
		return
	}
	c.remote = name
	if !live.IsRemote(name) {
		name = remoteStart + name
	}
	if c.bad {
		c.message = []string{"the capture filter is wrong: " + c.verdict}
		return
	}
	c.capture([]string{name}, strings.TrimSpace(c.filter.Value()))
}
