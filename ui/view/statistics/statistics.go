// Package statistics shows the protocol hierarchy, conversations, endpoints, ports, response times and what the players
// of games sent.
package statistics

import (
	"cmp"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View shows the statistics of the packets shown. The hierarchy is worked out from what is counted of them anyway; a
// table of conversations is counted when its layer is first looked at, beside everything else, and goes on as packets
// arrive.
type View struct {
	longest int      // the width of what response times are of
	wide    struct { // of what lines begin with
		level, end int
		ends       [2]int
		long       int // how many more conversations have long ends than not
	}
	c       view.Context
	part    int
	layer   int // of layers
	tables  [partCount]widget.Table
	sort    int
	slowest bool // response times: the longest first

	of     view.Scope
	table  *stats.Table
	stop   func()
	upTo   dissect.FrameNum
	asking bool
	steady bool // lines stay in their places while packets come

	levelsUpTo    dissect.FrameNum
	whole         []*stats.Level // as a tree
	levels        []*stats.Level // those that are seen
	open          map[levelKey]bool
	conversations []stats.Conversation
	most          []stats.Conversation // those that carry most, below the hierarchy
	others        others               // conversations that are in no line of their own
	otherEnds     others               // endpoints
	// where these begin on the screen, below the view's first line; 0: they have no room
	mostAt     int
	ends       []stats.EndpointCount
	ports      []stats.PortCount
	answers    []stats.Response
	responses  *stats.Responses // counted beside the table
	sent       *stats.Players   // this, too
	players    []stats.PlayerTypes
	playerRows []playerRow
	unfolded   map[playerKey]bool
}

var partTitles = [partCount]string{"Protocol hierarchy", "Conversations", "Endpoints", "Ports", "Response times",
	"Players"}

// New is the statistics of the packets shown.
func New(c view.Context) *View { return &View{c: c} }

// Open puts the lines in order for whoever comes here anew.
func (v *View) Open() { v.upTo, v.steady = 0, false }

// partNames are the names of the parts, shorter ones on a narrow screen.
func partNames(w int) [partCount]string {
	if w < 92 {
		return [partCount]string{"Hierarchy", "Convs", "Endpoints", "Ports", "Times", "Players"}
	}
	return partTitles
}

var sorts = [...]string{"packets", "bytes", "start", "duration", "rate", "address"}

// The orders of sorts that columns stand for.
const (
	byPackets = iota
	byBytes
	byStart
	byDuration
	_
	byAddress
)

func (v *View) rows() int {
	return [partCount]int{len(v.levels), len(v.conversations), len(v.ends), len(v.ports), len(v.answers),
		len(v.playerRows)}[v.part]
}

// Part is the title of the part that is shown.
func (v *View) Part() string { return partTitles[v.part] }

// LayerNames are the names that Show takes for layers, with their titles.
func (v *View) LayerNames() (names [][2]string) {
	for _, l := range v.layers() {
		names = append(names, [2]string{cmp.Or(l.Name, "all"), l.Title})
	}
	return names
}

// Show turns to a part by its title, and to a layer by its name unless that is "". It says what is wrong with the name.
func (v *View) Show(title, layer string) (problem string) {
	v.part = max(0, slices.Index(partTitles[:], title))
	if layer == "" {
		v.turnPart(0)
		return ""
	}
	names := v.LayerNames()
	at := slices.IndexFunc(names, func(n [2]string) bool { return strings.EqualFold(n[0], layer) })
	if at < 0 {
		var known []string
		for _, n := range names {
			known = append(known, n[0])
		}
		return "no conversations of " + layer + " are counted; there are " + strings.Join(known, ", ")
	}
	v.turnLayer(at - v.layer + len(names))
	return ""
}

// FindLine goes to the next line that holds a text, or to the one before.
func (v *View) FindLine(text string, step int) bool { return v.tables[v.part].Find(text, step) }

// Update handles the keys that turn to another part, move in its rows, sort them and filter by one.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	t := &v.tables[v.part]
	switch {
	case t.Update(a, n, v.rows(), view.Height(v.c)-3):
	case a == act.NextPane:
		v.turnPart(1)
	case a == act.PrevPane:
		v.turnPart(partCount - 1)
	case v.part == 0 && (a == act.Right || a == act.Left):
		v.fold(a == act.Right)
	case v.part == partPlayers && (a == act.Right || a == act.Left):
		v.foldPlayer(a)
	case a == act.Right && v.hasLayers():
		v.turnLayer(1)
	case a == act.Left && v.hasLayers():
		v.turnLayer(len(v.layers()) - 1)
	case a == act.Sort && v.part == partAnswers:
		v.slowest = !v.slowest
		v.upTo, v.steady = 0, false
	case a == act.Sort:
		v.sort = (v.sort + 1) % len(sorts)
		v.upTo, v.steady = 0, false
	case a == act.Measure:
		v.sort = 1 - min(v.sort, 1)
		v.upTo, v.steady = 0, false
	case a == act.Open, a == act.Only, a == act.Hide:
		v.actOnLine(a)
	case a == act.FollowStream:
		if v.part == 1 && t.Cur < len(v.conversations) && v.conversations[t.Cur].Conv != nil {
			v.c.Follow(follow.New(v.of.Session, v.conversations[t.Cur].Conv.ID), v.c.List().Current())
		}
	default:
		return false
	}
	return true
}

// layers are where conversations and endpoints can be counted.
func (v *View) layers() []stats.Layer { return stats.Layers(v.c.Scope().Session.Registry()) }

// turnLayer goes to another layer, whose conversations are counted from now on.
func (v *View) turnLayer(by int) {
	v.layer = (v.layer + by) % len(v.layers())
	for v.part == partPorts && !v.layers()[v.layer].Ports {
		v.layer = (v.layer + by) % len(v.layers())
	}
	v.tables[partConversations], v.tables[partEnds], v.tables[partPorts] = widget.Table{}, widget.Table{}, widget.Table{}
	v.conversations, v.most, v.ends, v.ports = nil, nil, nil, nil
	v.refresh()
}

func (v *View) apply(a act.Action, text string) {
	switch a {
	case act.Hide:
		view.Narrow(v.c, "!("+text+")")
	case act.Only:
		v.c.Filter(text)
	default:
		v.c.Close()
		view.Narrow(v.c, text)
	}
}

// Click selects a part, a title to sort by, or a row.
func (v *View) Click(x, y int) {
	if y == 0 {
		at := 1
		for i, name := range partNames(view.Width(v.c)) {
			if x >= at && x < at+len(name)+2 {
				v.turnPart(i - v.part + partCount)
			}
			at += len(name) + 2
		}
		return
	}
	if v.part == partLevels && v.mostAt > 0 && y >= v.mostAt {
		v.clickMost(y - v.mostAt)
		return
	}
	v.tables[v.part].Click(y-2, v.rows())
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.tables[v.part].Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	switch v.part {
	case partAnswers:
		return [][2]string{{"Tab", "next part"}, {"Enter", "these, at the slowest"}, {"o", "only these"},
			{"x", "hide them"}, {"s", "sort"}, {"e", "export"}, {"/", "filter"}, {"q", "back"}}
	case partPorts:
		return [][2]string{{"Tab", "next part"}, {"h l", "layer"}, {"Enter", "these packets"}, {"o", "only these"},
			{"x", "hide them"}, {"e", "export"}, {"/", "filter"}, {"q", "back"}}
	case partLevels, partPlayers:
		return [][2]string{{"Tab", "next part"}, {"l h", "types"}, {"Enter", "these packets"}, {"o", "only these"},
			{"x", "hide them"}, {"e", "export"}, {"/", "filter"}, {"q", "back"}}
	}
	return [][2]string{{"Tab", "next part"}, {"h l", "layer"}, {"Enter", "these packets"}, {"o", "only these"},
		{"x", "hide them"}, {"gf", "follow"}, {"s", "sort"}, {"/", "filter"}, {"q", "back"}}
}

// Status says how many packets, bytes, conversations and endpoints are counted, and how far.
func (v *View) Status() string {
	c, _, _ := v.c.Scope().Tally().All()
	text := humanize.Packets(int(c.Packets)) + ", " + humanize.Bytes(int64(c.Bytes)) + ", " +
		humanize.Of(len(v.conversations), "conversation") + ", " + humanize.Of(len(v.ends), "endpoint")
	if v.hasLayers() {
		text += ", sorted by " + sorts[v.sortedBy()]
	}
	if n := v.others.n; n > 0 {
		text += ", " + humanize.Of(n, "conversation") + " counted together: memory is limited"
	}
	if decided := v.table.UpTo(); int(decided) < v.c.Scope().Session.Passed() {
		text += ", counted up to packet " + humanize.Group(int(decided))
	}
	return text
}

// Draw draws the part that is open, under the names of all parts.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	var head paint.Line
	for i, name := range partNames(w) {
		if i == v.part {
			head.Put(v.c.Style().Pens.Bold, "["+name+"]")
		} else {
			head.Put(v.c.Style().Pens.Dim, " "+name+" ")
		}
	}
	if v.hasLayers() {
		head.Put(v.c.Style().Pens.Dim, "  ")
		for i, l := range v.layers() {
			name := cmp.Or(l.Name, "all")
			if i == v.layer {
				head.Put(paint.Pen{}, v.c.Style().Glyph("‹", "<")+name+v.c.Style().Glyph("›", ">"))
			} else if w >= 100 && (v.part != partPorts || l.Ports) {
				head.Put(v.c.Style().Pens.Dim, " "+name+" ")
			}
		}
	}
	out := []string{paint.Clip(head.End(w), w)}
	if v.rows() == 0 && !v.Busy() {
		return append(append(out, paint.Pad("", w)), view.Empty(v.c, w, h-2, v.none())...)
	}
	body := h - 2
	t := &v.tables[v.part]
	all, _, _ := v.c.Scope().Tally().All()
	switch v.part {
	case partLevels:
		below := v.mostLines(h)
		body -= below
		out = append(out, v.levelHead(w))
		out = append(out,
			t.Draw(w, body, len(v.levels), func(i int, sel bool) string { return v.level(v.levels[i], sel, w, all) })...)
		if v.mostAt = 0; below > 0 {
			v.mostAt = h - below
			out = append(out, v.drawMost(w)...)
		}
		return out
	case 1:
		out = append(out, v.conversationHead(w))
		return append(out, v.withOthers(w, body, v.others, func(body int) []string {
			return t.Draw(w, body, len(v.conversations),
				func(i int, sel bool) string { return v.conversation(&v.conversations[i], sel, w) })
		})...)
	}
	switch v.part {
	case partPorts:
		out = append(out, v.portHead(w))
		return append(out,
			t.Draw(w, body, len(v.ports), func(i int, sel bool) string { return v.port(&v.ports[i], sel, w) })...)
	case partAnswers:
		out = append(out, v.answerHead(w))
		return append(out,
			t.Draw(w, body, len(v.answers), func(i int, sel bool) string { return v.answer(&v.answers[i], sel, w) })...)
	case partPlayers:
		out = append(out, v.playerHead(w))
		return append(out,
			t.Draw(w, body, len(v.playerRows), func(i int, sel bool) string { return v.player(v.playerRows[i], sel, w) })...)
	}
	out = append(out, v.endHead(w))
	return append(out, v.withOthers(w, body, v.otherEnds, func(body int) []string {
		return t.Draw(w, body, len(v.ends), func(i int, sel bool) string { return v.end(&v.ends[i], sel, w) })
	})...)
}

// others are those that are counted together, because memory is limited.
type others struct {
	n   int
	all stats.Count
}

// withOthers draws a table with a last line for those that have none of their own.
func (v *View) withOthers(w, body int, o others, draw func(body int) []string) []string {
	if o.n == 0 || body < 3 {
		return draw(body)
	}
	var l paint.Line
	l.Put(v.c.Style().Pens.Dim,
		paint.Fit(" ("+humanize.Group(o.n)+" others)   "+humanize.Packets(int(o.all.Packets))+", "+
			humanize.Bytes(int64(o.all.Bytes)), w))
	return append(draw(body-1), l.End(w))
}

// none says what a part without lines has none of.
func (v *View) none() string {
	layer := v.layers()[v.layer]
	of := ""
	if layer.Name != "" && v.hasLayers() {
		of = " of " + layer.Title
	}
	return [partCount]string{"no packet is shown", "no conversation" + of + " is in the packets shown",
		"no endpoint" + of + " is in the packets shown",
		"no port" + of + " is in the packets shown", "no request that waits for a response is in the packets shown",
		"no game is in the packets shown"}[v.part]
}

// Busy reports whether packets are still counted.
func (v *View) Busy() bool {
	return v.table == nil || v.asking || !v.of.Same(v.c.Scope()) || v.table.Layer().Name != v.layers()[v.layer].Name ||
		int(v.table.UpTo()) < v.c.Scope().Session.Passed() || v.upTo != v.table.UpTo() ||
		v.levelsUpTo != v.c.Scope().Tally().UpTo()
}
