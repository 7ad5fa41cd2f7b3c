package view

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/ui/drilldown"
	"remora/ui/filtered"
	"remora/ui/ticks"
	"remora/ui/widget"
)

// A Scope is a capture as it is shown at one time: which packets of it, and what its ends are called.
type Scope struct {
	Session      *dissect.Session
	Filtered     *filtered.Packets // what a display filter leaves; nil: all packets
	Ignored      filtered.Ignored
	All          *stats.Tally  // counts all packets but those ignored; another one once others are ignored
	Epoch        int64         // what times are relative to, in nanoseconds since 1970
	Roles        bool          // whether ends are called by the roles and names that protocols tell
	Selected     *dissect.Tree // of the selected packet; nil for none
	Options      filter.Options
	CommentEdits int // how often comments were changed
	Speller      *ticks.Speller
}

// Same tells whether both are of the same packets.
func (s Scope) Same(o Scope) bool {
	return s.Session == o.Session && s.Filtered == o.Filtered && s.All == o.All
}

// Passed is how many packets the first pass has seen.
func (s Scope) Passed() int { return s.Session.Passed() }

// Tally counts the packets that are shown.
func (s Scope) Tally() *stats.Tally {
	if s.Filtered != nil {
		return s.Filtered.Tally
	}
	return s.All
}

// Span is the time that the capture covers so far, in nanoseconds since 1970.
func (s Scope) Span() (from, to int64) {
	_, from, to = s.All.All()
	return from, max(to, from+1)
}

// FilterText is the filter that is on, or "".
func (s Scope) FilterText() string {
	if s.Filtered == nil {
		return ""
	}
	return s.Filtered.Filter.String()
}

// Compile makes a filter with what filters depend on here, the selected packet included.
func (s Scope) Compile(text string) (*filter.Filter, error) {
	f, err := filter.CompileWith(s.Session.Registry(), text, s.Options)
	if err != nil {
		return nil, err
	}
	if f.References() && s.Selected != nil {
		f = f.With(s.Selected)
	}
	return f, nil
}

// Drilldown writes the filters behind the numbers that views show.
func (s Scope) Drilldown() drilldown.Writer { return drilldown.New(s.Speller) }

// Term is the filter for exactly the packets of a protocol, of a packet type or of one direction of it.
func (s Scope) Term(x ticks.Line) string {
	switch {
	case x.Kind == nil:
		return s.Speller.Protocol(x.Proto.Protocol)
	case x.Dir < 0:
		return s.Speller.Types(x.Proto.Protocol, []string{x.Word()})
	}
	return s.Speller.Direction(x.Proto.Protocol, x.Word(), x.Dir)
}

// Arriving tells whether packets come in at their own pace, so that lines must not change places while they are read.
func (s Scope) Arriving() bool {
	st := s.Session.Store().Status()
	return st.Live || st.Pace > 0 && !st.Done
}

// Settled tells whether all packets have been read, counted and filtered.
func (s Scope) Settled() bool {
	st, passed := s.Session.Store().Status(), s.Session.Passed()
	if !st.Done || passed < s.Session.Store().Len() || int(s.All.UpTo()) < passed {
		return false
	}
	f := s.Filtered
	return f == nil || f.Failed.Load() != nil || int(f.Decided.Load()) >= passed
}

// Each hands on the packets shown as they come, a few thousand at once, until the capture ends or ctx does. upTo is the
// packet up to which everything is decided.
func (s Scope) Each(ctx context.Context, take func(frames []dissect.FrameNum, upTo dissect.FrameNum)) {
	filtered.Each(ctx, s.Session, s.Filtered, s.Ignored, take)
}

// Shows tells whether a packet is among those shown.
func (s Scope) Shows(n dissect.FrameNum) bool {
	row := s.Filtered.Row(n)
	return s.Filtered == nil || row < s.Filtered.Matches.Len() && s.Filtered.Matches.At(row) == n
}

// End is what protocols told of an end up to a packet; nothing where that is not shown.
func (s Scope) End(e dissect.Endpoint, n dissect.FrameNum) dissect.End {
	if !s.Roles {
		return dissect.End{}
	}
	return s.Session.End(e, n)
}

// Address is an endpoint with its address by name, where it has one up to a packet.
func (s Scope) Address(e dissect.Endpoint, n dissect.FrameNum) string {
	name := s.Session.AddrName(e.Addr, n)
	switch {
	case name == "":
		return e.String()
	case e.Port == 0:
		return dissect.Escape(name)
	}
	return dissect.Escape(name) + ":" + strconv.Itoa(int(e.Port))
}

// EndText is how one end of a packet is called: role and name where known, else its address. short is the role or name
// alone.
func (s Scope) EndText(t *dissect.Tree, e dissect.Endpoint) (text, short string) {
	if end := s.End(e, t.Frame); end.Label() != "" {
		short = end.Role
		if short == "" {
			short = end.Name
		}
		return dissect.Escape(end.Label()), dissect.Escape(short)
	}
	return s.Address(e, t.Frame), ""
}

// EndCell is an end in w cells, with what it is called now.
func (s Scope) EndCell(e dissect.Endpoint, w int) string {
	now := dissect.FrameNum(s.Session.Passed())
	text, short := s.Address(e, now), ""
	if end := s.End(e, now); end.Label() != "" {
		short = dissect.Escape(end.Label())
		text = short + " " + text
	}
	return widget.FitEnd(text, short, w)
}

// CommentField is the field of packet comments, CommentSign what stands in front of a packet that has one.
const (
	CommentField = "frame.comment"
	CommentSign  = '"'
)

// Commented are the packets with comments, in order.
func Commented(store *capture.Store) []dissect.FrameNum {
	var out []dissect.FrameNum
	for _, i := range store.Commented() {
		out = append(out, dissect.FrameNum(i+1))
	}
	return out
}

// GameOf is the game that a packet is of, or 0.
func GameOf(s *dissect.Session, n dissect.FrameNum) uint32 {
	if n == 0 || int(n) > s.Passed() {
		return 0
	}
	conv := s.ConversationOf(n)
	for _, g := range s.Games() {
		if conv != 0 && slices.Contains(g.Convs, conv) && n >= g.First && (!g.Over || n <= g.Last) {
			return g.ID
		}
	}
	return 0
}

// Between is the filter for the packets from one time until another, exact, in nanoseconds since 1970; below is how
// they compare with the second. Times relative to the first packet are easier to read, where there are no other
// references.
func (s Scope) Between(from int64, below string, to int64) string {
	field, base := "frame.time_relative", s.Session.Store().Time(0)
	if len(s.Session.Store().References()) > 0 {
		field, base = "frame.time_epoch", 0
	}
	return field + " >= " + seconds(from-base) + " && " + field + " " + below + " " + seconds(to-base)
}

// seconds writes nanoseconds as filters do.
func seconds(t int64) string {
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	text := sign + strconv.FormatInt(t/1e9, 10) + "." + strconv.FormatInt(1e9+t%1e9, 10)[1:]
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
