// Package drilldown writes the filters behind the numbers that statistics show: for a line of the hierarchy, a
// conversation, an endpoint, a port, a kind of request, a player or unknown traffic, the filter that shows exactly
// the packets counted. Where the plain words do so, they are taken; where not, because of tunnels, of errors that quote
// other packets, or because several lines share their words, the filter asks the index: for the path of protocols
// (frame.path) or the conversation.
package drilldown

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/term"
	"remora/ui/ticks"
)

// A Writer writes filters for the packets of a session.
type Writer struct {
	s  *dissect.Session
	sp *ticks.Speller
}

// New makes a writer that holds its words against what a speller's session has met so far.
func New(sp *ticks.Speller) Writer { return Writer{sp.Session(), sp} }

// Level is the filter for a level of the hierarchy: a protocol where it lies, or one of its packet types.
func (w Writer) Level(l *stats.Level) string {
	counts := func(sh *dissect.LayerStack) bool {
		path := w.s.StackPath(sh)
		if path != l.Path && !strings.HasPrefix(path, l.Path+":") {
			return false
		}
		return l.Kind == nil || slices.ContainsFunc(sh.Kinds, func(k dissect.KindValue) bool {
			return k.Field == l.Kind.ID() && (k.Value == l.Value || l.Name != "" && l.Kind.ValueName(k.Value) == l.Name)
		})
	}
	text := l.Protocol.Name()
	if l.Kind != nil {
		text = Kind(l.Kind, l.Value, l.Name)
	}
	what := l.Path + " " + text
	if w.sp.Exact(text, what, counts) {
		return text
	}
	path := "frame.path == " + term.Quote(l.Path)
	if l.Kind != nil {
		path += " && " + text
	}
	if w.sp.Exact(path, what, counts) {
		return path
	}
	path = "frame.path matches " + term.Quote("^"+regexp.QuoteMeta(l.Path)+"(:|$)")
	if l.Kind == nil {
		return path
	}
	path += " && " + text
	if counted := path + ` && !(frame.path matches "icmp(v6)?:.*icmp")`; w.sp.Exact(counted, what, counts) {
		return counted // not errors that quote one
	}
	return path
}

// Kind is the filter for a packet type: by its name, or by its number where it has none.
func Kind(f *dissect.Field, value uint64, name string) string {
	switch {
	case term.Plain(name):
		return f.Name() + " == " + name
	case name != "":
		return f.Name() + " == " + term.Quote(name)
	}
	return f.Name() + " == " + f.NumberText(value)
}

// Response is the filter for one sort of questions: by what they ask where that shows these alone, else by the packets'
// numbers where they are few.
func (w Writer) Response(r *stats.Response) string {
	text := r.Protocol.Name()
	if r.Kind != nil {
		text = Kind(r.Kind, r.Value, r.Name)
	}
	if n, ok := w.sp.Frames(text); ok && n == r.Requests || len(r.Frames) == 0 || uint64(len(r.Frames)) < r.Requests {
		return text
	}
	var numbers []uint32
	for _, n := range r.Frames {
		numbers = append(numbers, uint32(n))
	}
	return "frame.number" + oneOf(numbers)
}

// quotes tells whether errors of a protocol quote packets.
func quotes(p *dissect.Protocol) bool { return p.Has(dissect.Quotes) }

// butQuoting leaves out the packets of protocols that quote others.
func (w Writer) butQuoting() (text string) {
	for _, p := range w.s.Registry().Protocols() {
		if quotes(p) {
			text += " && !" + p.Name()
		}
	}
	return text
}

// ported tells whether a protocol has ports that filters can ask for.
func (w Writer) ported(name string) bool { return w.s.Registry().Field(name+".port") != nil }

// followed tells whether a transport has streams and ports that filters can ask for.
func (w Writer) followed(t dissect.Table) bool { return w.s.Registry().Transport(t) != nil }

// Undissected is the filter for a group of packets that no protocol takes.
func (w Writer) Undissected(u *stats.UndissectedGroup) string {
	var text string
	carrier := u.Carrier.Name()
	tail := carrier + ":data"
	counts := func(sh *dissect.LayerStack) bool {
		path := w.s.StackPath(sh)
		return (path == tail || strings.HasSuffix(path, ":"+tail)) && !slices.ContainsFunc(w.s.StackProtocols(sh), quotes)
	}
	hasPort := u.Port != 0 && w.ported(carrier)
	words := "data && " + carrier
	for _, more := range []string{"", w.butQuoting()} {
		if w.sp.Exact(words+more, tail, counts) {
			words += more
			break
		}
	}
	switch {
	case !w.sp.Exact(words, tail, counts):
		text = "frame.path matches " + term.Quote("(^|:)"+regexp.QuoteMeta(tail)+"$")
		if !w.sp.Exact(text, tail, counts) {
			text += w.butQuoting()
		}
	case !hasPort:
		return words
	default:
		text = strings.Replace(words, " && "+carrier, "", 1)
	}
	if !hasPort {
		return text
	}
	port := strconv.Itoa(int(u.Port))
	text += " && " + carrier + ".port == " + port
	if u.Mixed {
		text += " && !(" + carrier + ".port < " + port + ")"
	}
	return text
}

// oneOf writes a comparison with one of some numbers, with ranges where they follow each other.
func oneOf(numbers []uint32) string {
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if len(numbers) == 1 {
		return " == " + number(numbers[0])
	}
	var parts []string
	for i := 0; i < len(numbers); {
		k := i
		for k+1 < len(numbers) && numbers[k+1] == numbers[k]+1 {
			k++
		}
		part := number(numbers[i])
		if k > i {
			part += ".." + number(numbers[k])
		}
		parts = append(parts, part)
		i = k + 1
	}
	return " in {" + strings.Join(parts, ", ") + "}"
}

func number(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
