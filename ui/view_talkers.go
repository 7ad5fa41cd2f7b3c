package ui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// talkersView shows who talks: the hierarchy of protocols, conversations, endpoints. The hierarchy is worked out from what
// is counted of the packets shown anyway; a table of conversations is counted when its layer is first looked at, beside
// everything else, and goes on as packets arrive.
type talkersView struct {
	part   int
	layer  int // of stats.Layers
	tables [3]table
	sort   int

	of     *shown
	all    *stats.Tally // of the capture: another one when packets are ignored
	table  *stats.Table
	cancel context.CancelFunc
	upTo   dissect.FrameNum
	asking bool

	levelsUpTo dissect.FrameNum
	levels     []*stats.Level
	talks      []stats.Talk
	ends       []stats.EndCount
}

var talkerParts = [3]string{"Protocols", "Conversations", "Endpoints"}
var talkSorts = [...]string{"packets", "bytes", "start", "duration", "rate", "address"}

// refresh begins to count what is shown now, and takes what has been counted.
func (v *talkersView) refresh(m *model) {
	layer := stats.Layers[v.layer].Name
	if v.table == nil || v.of != m.shown || v.all != m.all || v.table.Session() != m.s || v.table.Layer().Name != layer {
		if v.cancel != nil {
			v.cancel()
		}
		var ctx context.Context
		ctx, v.cancel = context.WithCancel(m.ctx)
		v.of, v.all, v.table, v.upTo, v.asking = m.shown, m.all, stats.NewTable(m.s, layer), 0, false
		v.levelsUpTo = 0
		go m.countTalks(ctx, v.table, m.shown, m.ignored)
	}
	upTo, levels := v.table.UpTo(), m.tally().UpTo()
	if (upTo != v.upTo || levels != v.levelsUpTo) && !v.asking {
		v.ask(m, upTo, levels)
	}
}

// ask has the lists made beside the screen: there may be a million conversations to put in order.
func (v *talkersView) ask(m *model, upTo, levelsUpTo dissect.FrameNum) {
	v.asking = true
	t, tally, by := v.table, m.tally(), v.sort
	m.pending = append(m.pending, func() any {
		defer m.guard("counting")
		levels := tally.Hierarchy()
		stats.MostFirst(levels)
		got := talkLists{of: t, upTo: upTo, levelsUpTo: levelsUpTo, sort: by, levels: flatten(levels), talks: t.Talks(), ends: t.Ends()}
		orderTalks(got.talks, by)
		orderEnds(got.ends, by)
		return got
	})
}

// talkLists are the lists of a view of talkers, made beside the screen.
type talkLists struct {
	of               *stats.Table
	upTo, levelsUpTo dissect.FrameNum
	sort             int
	levels           []*stats.Level
	talks            []stats.Talk
	ends             []stats.EndCount
}

func (m *model) onTalkLists(l talkLists) {
	v, ok := m.views[tabTalkers].(*talkersView)
	if !ok || v.table != l.of {
		return // of a table that nobody looks at any more
	}
	v.asking = false
	v.upTo, v.levelsUpTo, v.levels, v.talks, v.ends = l.upTo, l.levelsUpTo, l.levels, l.talks, l.ends
	if v.sort != l.sort {
		v.upTo = 0 // another order was asked for meanwhile
	}
}

func orderTalks(talks []stats.Talk, by int) {
	slices.SortStableFunc(talks, func(a, b stats.Talk) int {
		switch by {
		case 1:
			return cmp.Compare(b.Both().Bytes, a.Both().Bytes)
		case 2:
			return cmp.Compare(a.First, b.First)
		case 3:
			return cmp.Compare(b.Last-b.First, a.Last-a.First)
		case 4:
			return cmp.Compare(b.Rate(0)+b.Rate(1), a.Rate(0)+a.Rate(1))
		case 5:
			return cmp.Or(compareEnds(a.A, b.A), compareEnds(a.B, b.B))
		}
		return 0 // most packets first, as they come
	})
}

func orderEnds(ends []stats.EndCount, by int) {
	slices.SortStableFunc(ends, func(a, b stats.EndCount) int {
		switch by {
		case 1, 4:
			return cmp.Compare(b.Both().Bytes, a.Both().Bytes)
		case 2:
			return cmp.Compare(a.First, b.First)
		case 3:
			return cmp.Compare(b.Last-b.First, a.Last-a.First)
		case 5:
			return compareEnds(a.End, b.End)
		}
		return 0
	})
}

func flatten(levels []*stats.Level) []*stats.Level {
	out := []*stats.Level{}
	for _, l := range levels {
		out = append(append(out, l), flatten(l.Below)...)
	}
	return out
}

// countTalks counts the packets shown into a table.
func (m *model) countTalks(ctx context.Context, t *stats.Table, sh *shown, ig ignored) {
	l := t.Session().Looker()
	m.eachShown(ctx, t.Session(), sh, ig, func(frames []dissect.FrameNum, upTo dissect.FrameNum) { t.Frames(l, frames, upTo) })
}

// atOnce is how many packets are counted before anybody else has a turn.
const atOnce = 4096

// eachShown hands on the packets shown as they come, a few thousand at once, until the capture ends or ctx does. The last
// argument is the packet up to which everything is decided.
func (m *model) eachShown(ctx context.Context, s *dissect.Session, sh *shown, ig ignored, take func(frames []dissect.FrameNum, upTo dissect.FrameNum)) {
	defer m.guard("counting")
	wake, cancel := s.Store().Subscribe()
	defer cancel()
	frames := make([]dissect.FrameNum, 0, atOnce)
	at, told := 0, dissect.FrameNum(0)
	for ctx.Err() == nil {
		decided := dissect.FrameNum(s.Passed())
		rows := int(decided)
		if sh != nil {
			decided = dissect.FrameNum(sh.decided.Load())
			rows = sh.matches.Len()
		}
		frames = frames[:0]
		for ; at < rows && len(frames) < cap(frames); at++ {
			if sh == nil && ig[dissect.FrameNum(at+1)] {
				continue
			} else if sh == nil {
				frames = append(frames, dissect.FrameNum(at+1))
			} else {
				frames = append(frames, sh.matches.At(at))
			}
		}
		switch {
		case len(frames) > 0:
			told = frames[len(frames)-1]
			take(frames, told)
			continue
		case decided > told:
			told = decided
			take(nil, told)
		}
		if s.Store().Status().Done && int(decided) >= s.Store().Len() || sh != nil && sh.failed.Load() != nil {
			return
		}
		waitFor(ctx, wake)
	}
}

func (v *talkersView) rows() int {
	return [3]int{len(v.levels), len(v.talks), len(v.ends)}[v.part]
}

func (v *talkersView) act(m *model, a action, n int) bool {
	v.refresh(m)
	t := &v.tables[v.part]
	switch {
	case t.act(a, n, v.rows(), m.body().h-3):
	case a == actNextPane:
		v.part = (v.part + 1) % len(talkerParts)
	case a == actPrevPane:
		v.part = (v.part + len(talkerParts) - 1) % len(talkerParts)
	case a == actRight && v.part > 0:
		v.turnLayer(m, 1)
	case a == actLeft && v.part > 0:
		v.turnLayer(m, len(stats.Layers)-1)
	case a == actSort:
		v.sort = (v.sort + 1) % len(talkSorts)
		v.upTo = 0
	case a == actOpen, a == actOnly, a == actHide:
		if text := v.term(); text != "" {
			v.apply(m, a, text)
		}
	case a == actFollowStream:
		if v.part == 1 && t.cur < len(v.talks) && v.talks[t.cur].Conv != nil {
			m.followTalk(v.talks[t.cur].Conv.ID)
		}
	default:
		return false
	}
	return true
}

// turnLayer goes to another layer, whose conversations are counted from now on.
func (v *talkersView) turnLayer(m *model, by int) {
	v.layer = (v.layer + by) % len(stats.Layers)
	v.tables[1], v.tables[2], v.talks, v.ends = table{}, table{}, nil, nil
	v.refresh(m)
}

func (v *talkersView) apply(m *model, a action, text string) {
	switch a {
	case actHide:
		m.combine("!("+text+")", "&&")
	case actOnly:
		m.applyFilter(text)
	default:
		m.closeView()
		m.combine(text, "&&")
	}
}

// term is the filter for the line under the cursor.
func (v *talkersView) term() string {
	at := v.tables[v.part].cur
	switch {
	case at >= v.rows():
		return ""
	case v.part == 0:
		return v.levels[at].Protocol.Name()
	case v.part == 1:
		if t := &v.talks[at]; t.Conv != nil {
			return talkFilter(t.Conv)
		} else {
			return endFilter(t.A, "") + " && " + endFilter(t.B, "")
		}
	}
	return endFilter(v.ends[at].End, v.ends[at].Transport)
}

// talkFilter is the filter for a conversation.
func talkFilter(c *dissect.Conversation) string {
	if name := transportName(c.Transport); name == "tcp" || name == "udp" {
		return name + ".stream == " + itoa(int(c.Stream))
	}
	return endFilter(c.A, c.Transport) + " && " + endFilter(c.B, c.Transport)
}

func endFilter(e dissect.Endpoint, t dissect.Table) string {
	text := addressField(e.Addr) + " == " + e.Addr.String()
	if name := transportName(t); e.Port != 0 && (name == "tcp" || name == "udp") {
		text += " && " + name + ".port == " + itoa(int(e.Port))
	}
	return text
}

// transportName is the protocol of a table of ports: udp of udp.port.
func transportName(t dissect.Table) string {
	name, _, _ := strings.Cut(string(t), ".")
	return name
}

func addressField(a dissect.Addr) string {
	switch a.Kind() {
	case dissect.AddrEther:
		return "eth.addr"
	case dissect.AddrIPv6:
		return "ipv6.addr"
	}
	return "ip.addr"
}

func (v *talkersView) click(_ *model, r rect, x, y int) {
	if y == r.y {
		at := 1
		for i, name := range talkerParts {
			if x >= at && x < at+len(name)+2 {
				v.part = i
			}
			at += len(name) + 2
		}
		return
	}
	if t := &v.tables[v.part]; y > r.y+1 {
		t.cur = t.top + y - r.y - 2
	}
}

func (v *talkersView) wheel(_ *model, n int) {
	v.tables[v.part].cur = max(0, v.tables[v.part].cur+n)
}

func (v *talkersView) hints() [][2]string {
	return [][2]string{{"Tab", "next part"}, {"h l", "layer"}, {"Enter", "these packets"}, {"o", "only these"}, {"x", "hide them"}, {"gf", "follow"}, {"s", "sort"}, {"/", "filter"}, {"q", "back"}}
}

func (v *talkersView) status(m *model) string {
	c, _, _ := m.tally().All()
	text := packetsText(int(c.Packets)) + ", " + bytesText(int64(c.Bytes)) + ", " + group(len(v.talks)) + " conversations, " + group(len(v.ends)) + " endpoints"
	if decided := v.table.UpTo(); int(decided) < m.s.Passed() {
		text += ", counted up to packet " + group(int(decided))
	}
	return text
}

func (v *talkersView) draw(m *model, r rect) []string {
	v.refresh(m)
	var head line
	for i, name := range talkerParts {
		if i == v.part {
			head.put(m.pens.bold, "["+name+"]")
		} else {
			head.put(m.pens.dim, " "+name+" ")
		}
	}
	if v.part > 0 {
		right := "by " + talkSorts[v.sort] + " "
		head.put(m.pens.dim, "  ")
		for i, l := range stats.Layers {
			name := cmp.Or(l.Name, "all")
			if i == v.layer {
				head.put(pen{}, m.glyph("‹", "<")+name+m.glyph("›", ">"))
			} else if r.w >= 80 {
				head.put(m.pens.dim, " "+name+" ")
			}
		}
		head.put(m.pens.dim, fitRight(right, max(0, r.w-head.width)))
	}
	out := []string{head.end(r.w)}
	body := rect{r.x, r.y + 2, r.w, r.h - 2}
	t := &v.tables[v.part]
	all, _, _ := m.tally().All()
	switch v.part {
	case 0:
		out = append(out, v.levelHead(m, r.w))
		return append(out, t.draw(body, len(v.levels), func(i int, sel bool) string { return v.level(m, v.levels[i], sel, r.w, all) })...)
	case 1:
		out = append(out, v.talkHead(m, r.w))
		return append(out, t.draw(body, len(v.talks), func(i int, sel bool) string { return v.talk(m, &v.talks[i], sel, r.w) })...)
	}
	out = append(out, v.endHead(m, r.w))
	return append(out, t.draw(body, len(v.ends), func(i int, sel bool) string { return v.end(m, &v.ends[i], sel, r.w) })...)
}

// levelBar is the width of the bar of a line of the hierarchy, and whether the bytes that end there have room.
func levelBar(w int) (bar int, ends bool) {
	ends = w >= 100
	used := 30 + wCount + 7 + 2 + wBytes + wCount
	if ends {
		used += wBytes
	}
	return max(0, w-used), ends
}

func (v *talkersView) levelHead(m *model, w int) string {
	bar, ends := levelBar(w)
	text := fit("  Protocol", 30) + fitRight("packets", wCount) + fitRight("%", 7) + "  " + fit("", bar) + fitRight("bytes", wBytes) + fitRight("ends here", wCount)
	if ends {
		text += fitRight("bytes", wBytes)
	}
	return m.pens.dim.open + fit(text, w) + m.pens.dim.close
}

func (v *talkersView) level(m *model, l *stats.Level, selected bool, w int, all stats.Count) string {
	var out line
	if selected {
		out.base = m.pens.selected
	}
	bar, ends := levelBar(w)
	out.put(m.pens.hues[l.Protocol.Hue()], fit("  "+strings.Repeat("  ", l.Depth)+l.Protocol.Title(), 30))
	out.put(pen{}, fitRight(group(int(l.Packets)), wCount))
	out.put(m.pens.dim, fitRight(percent(l.Packets, all.Packets), 7)+"  ")
	out.putBars(&m.pens, m.bar(float64(l.Packets)/float64(max(1, all.Packets)), bar))
	out.put(pen{}, fitRight(bytesText(int64(l.Bytes)), wBytes))
	out.put(m.pens.dim, fitRight(group(int(l.Ends.Packets)), wCount))
	if ends {
		out.put(m.pens.dim, fitRight(bytesText(int64(l.Ends.Bytes)), wBytes))
	}
	return fitLine(out.end(w), w)
}

// A talkLayout is which columns a conversation's line has at a width: always the ends, packets, bytes and how long it lasted.
type talkLayout struct {
	end         int // width of each of the two ends
	ways, rates bool
}

// Widths of the columns of conversations and endpoints.
const (
	wCount = 10
	wBytes = 11
	wWay   = 9
	wTime  = 9
)

func talkColumns(w int) talkLayout {
	l := talkLayout{ways: w >= 100, rates: w >= 116}
	used := 9 + wCount + wBytes + wTime
	if l.ways {
		used += 2*wWay + wTime
	}
	if l.rates {
		used += 2 * wWay
	}
	l.end = clamp((w-used)/2, 10, 40)
	return l
}

func (v *talkersView) talkHead(m *model, w int) string {
	c := talkColumns(w)
	there, back := m.glyph("A → B", "A > B"), m.glyph("B → A", "B > A")
	text := fit("  A", c.end+2) + " " + fit("B", c.end) + " " + fit("", 5) + fitRight("packets", wCount)
	if c.ways {
		text += fitRight(there, wWay) + fitRight(back, wWay)
	}
	text += fitRight("bytes", wBytes)
	if c.rates {
		text += fitRight("bit/s "+m.glyph("→", ">"), wWay) + fitRight("bit/s "+m.glyph("←", "<"), wWay)
	}
	if c.ways {
		text += fitRight("start", wTime)
	}
	return m.pens.dim.open + fit(text+fitRight("lasted", wTime), w) + m.pens.dim.close
}

func (v *talkersView) talk(m *model, t *stats.Talk, selected bool, w int) string {
	var l line
	if selected {
		l.base = m.pens.selected
	}
	c := talkColumns(w)
	l.put(pen{}, "  "+m.endCell(t.A, c.end)+" "+m.endCell(t.B, c.end)+" ")
	transport := dissect.Table("")
	if t.Conv != nil {
		transport = t.Conv.Transport
	}
	l.put(m.pens.dim, fit(strings.ToUpper(transportName(transport)), 5))
	both := t.Both()
	l.put(pen{}, fitRight(group(int(both.Packets)), wCount))
	if c.ways {
		l.put(m.pens.dim, fitRight(group(int(t.Ways[0].Packets)), wWay)+fitRight(group(int(t.Ways[1].Packets)), wWay))
	}
	l.put(pen{}, fitRight(bytesText(int64(both.Bytes)), wBytes))
	for way := 0; way < 2 && c.rates; way++ {
		text := m.glyph("–", "-")
		if r := t.Rate(way); r > 0 {
			text = shortNumber(r)
		}
		l.put(pen{}, fitRight(text, wWay))
	}
	if c.ways {
		l.put(m.pens.dim, fitRight(duration(float64(t.First-m.epoch())/1e9), wTime))
	}
	l.put(m.pens.dim, fitRight(duration(float64(t.Last-t.First)/1e9), wTime))
	return fitLine(l.end(w), w)
}

// endCell is an end as the list shows it, with what it is called now.
func (m *model) endCell(e dissect.Endpoint, w int) string {
	now := dissect.FrameNum(m.s.Passed())
	text, short := m.address(e, now), ""
	if end := m.end(e, now); end.Label() != "" {
		short = dissect.Escape(end.Label())
		text = short + " " + text
	}
	return fitEnd(text, short, w)
}

// endColumns are the width of an endpoint, and whether the bytes of each way have room.
func endColumns(w int) (end int, ways bool) {
	ways = w >= 110
	used := 9 + wCount + wBytes + 2*wWay
	if ways {
		used += 2 * wBytes
	}
	return clamp(w-used, 12, 44), ways
}

func (v *talkersView) endHead(m *model, w int) string {
	end, ways := endColumns(w)
	text := fit("  Endpoint", end+2) + fit("", 5) + fitRight("packets", wCount) + fitRight("bytes", wBytes)
	for _, name := range []string{"sent", "received"} {
		text += fitRight(name, wWay)
		if ways {
			text += fitRight("bytes", wBytes)
		}
	}
	return m.pens.dim.open + fit(text, w) + m.pens.dim.close
}

func (v *talkersView) end(m *model, e *stats.EndCount, selected bool, w int) string {
	var l line
	if selected {
		l.base = m.pens.selected
	}
	end, ways := endColumns(w)
	both := e.Both()
	l.put(pen{}, "  "+m.endCell(e.End, end))
	l.put(m.pens.dim, fit(strings.ToUpper(transportName(e.Transport)), 5))
	l.put(pen{}, fitRight(group(int(both.Packets)), wCount)+fitRight(bytesText(int64(both.Bytes)), wBytes))
	for _, c := range []stats.Count{e.Sent, e.Received} {
		l.put(pen{}, fitRight(group(int(c.Packets)), wWay))
		if ways {
			l.put(m.pens.dim, fitRight(bytesText(int64(c.Bytes)), wBytes))
		}
	}
	return fitLine(l.end(w), w)
}

func (v *talkersView) busy(m *model) bool {
	return v.table == nil || v.asking || v.of != m.shown || v.table.Layer().Name != stats.Layers[v.layer].Name ||
		int(v.table.UpTo()) < m.s.Passed() || v.upTo != v.table.UpTo() || v.levelsUpTo != m.tally().UpTo()
}
