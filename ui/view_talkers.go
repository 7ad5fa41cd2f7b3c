package ui

import (
	"cmp"
	"context"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/shown"
)

// talkersView shows who talks: the hierarchy of protocols, conversations, endpoints, ports, how long answers took, and what the players of games sent. The hierarchy is worked out from what
// is counted of the packets shown anyway; a table of conversations is counted when its layer is first looked at, beside
// everything else, and goes on as packets arrive.
type talkersView struct {
	part   int
	layer  int // of stats.Layers
	tables [talkerPartCount]table
	sort   int

	of     *shown.Packets
	all    *stats.Tally // of the capture: another one when packets are ignored
	table  *stats.Table
	cancel context.CancelFunc
	upTo   dissect.FrameNum
	asking bool
	steady bool // lines stay in their places while packets come

	levelsUpTo dissect.FrameNum
	whole      []*stats.Level // as a tree
	levels     []*stats.Level // those that are seen
	open       map[levelKey]bool
	talks      []stats.Talk
	most       []stats.Talk // those that carry most, below the hierarchy
	mostAt     int          // where these begin on the screen, below the view's first line; 0: they have no room
	ends       []stats.EndCount
	ports      []stats.PortCount
	answers    []stats.Response
	responses  *stats.Responses // counted beside the table
	sent       *stats.Players   // this, too
	players    []stats.PlayerTypes
	playerRows []playerRow
	unfolded   map[playerKey]bool
}

var talkerParts = [talkerPartCount]string{"Protocols", "Conversations", "Endpoints", "Ports", "Answers", "Players"}

// partNames are the names of the parts, shorter ones on a narrow screen.
func partNames(w int) [talkerPartCount]string {
	if w < 92 {
		return [talkerPartCount]string{"Protocols", "Talks", "Ends", "Ports", "Answers", "Players"}
	}
	return talkerParts
}

var talkSorts = [...]string{"packets", "bytes", "start", "duration", "rate", "address"}

func (v *talkersView) rows() int {
	return [talkerPartCount]int{len(v.levels), len(v.talks), len(v.ends), len(v.ports), len(v.answers), len(v.playerRows)}[v.part]
}

func (v *talkersView) act(m *model, a act.Action, n int) bool {
	v.refresh(m)
	t := &v.tables[v.part]
	switch {
	case t.act(a, n, v.rows(), m.body().h-3):
	case a == act.NextPane:
		v.turnPart(m, 1)
	case a == act.PrevPane:
		v.turnPart(m, talkerPartCount-1)
	case v.part == 0 && (a == act.Right || a == act.Left):
		v.fold(a == act.Right)
	case v.part == 0 && a == act.Select && t.cur < len(v.levels):
		l := v.levels[t.cur]
		v.fold(l.Kind == nil && !v.open[levelKey{l.Protocol, l.Depth}])
	case v.part == partPlayers && (a == act.Right || a == act.Left || a == act.Select):
		v.foldPlayer(a)
	case a == act.Right && v.hasLayers():
		v.turnLayer(m, 1)
	case a == act.Left && v.hasLayers():
		v.turnLayer(m, len(stats.Layers)-1)
	case a == act.Sort:
		v.sort = (v.sort + 1) % len(talkSorts)
		v.upTo, v.steady = 0, false
	case a == act.Measure:
		v.sort = 1 - min(v.sort, 1)
		v.upTo, v.steady = 0, false
	case a == act.Open, a == act.Only, a == act.Hide:
		v.actOnLine(m, a)
	case a == act.FollowStream:
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
	for v.part == partPorts && !stats.Layers[v.layer].Ports {
		v.layer = (v.layer + by) % len(stats.Layers)
	}
	v.tables[partTalks], v.tables[partEnds], v.tables[partPorts] = table{}, table{}, table{}
	v.talks, v.most, v.ends, v.ports = nil, nil, nil, nil
	v.refresh(m)
}

func (v *talkersView) apply(m *model, a act.Action, text string) {
	switch a {
	case act.Hide:
		m.narrow("!(" + text + ")")
	case act.Only:
		m.applyFilter(text)
	default:
		m.closeView()
		m.narrow(text)
	}
}

func (v *talkersView) click(m *model, r rect, x, y int) {
	if y == r.y {
		at := 1
		for i, name := range partNames(r.w) {
			if x >= at && x < at+len(name)+2 {
				v.turnPart(m, i-v.part+talkerPartCount)
			}
			at += len(name) + 2
		}
		return
	}
	if v.part == partLevels && v.mostAt > 0 && y-r.y >= v.mostAt {
		v.clickMost(m, y-r.y-v.mostAt)
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
	switch v.part {
	case partAnswers:
		return [][2]string{{"Tab", "next part"}, {"Enter", "these, at the slowest"}, {"o", "only these"}, {"x", "hide them"}, {"e", "export"}, {"/", "filter"}, {"q", "back"}}
	case partPorts:
		return [][2]string{{"Tab", "next part"}, {"h l", "layer"}, {"Enter", "these packets"}, {"o", "only these"}, {"x", "hide them"}, {"e", "export"}, {"/", "filter"}, {"q", "back"}}
	case partLevels, partPlayers:
		return [][2]string{{"Tab", "next part"}, {"l h", "types"}, {"Enter", "these packets"}, {"o", "only these"}, {"x", "hide them"}, {"e", "export"}, {"/", "filter"}, {"q", "back"}}
	}
	return [][2]string{{"Tab", "next part"}, {"h l", "layer"}, {"Enter", "these packets"}, {"o", "only these"}, {"x", "hide them"}, {"gf", "follow"}, {"s", "sort"}, {"/", "filter"}, {"q", "back"}}
}

func (v *talkersView) status(m *model) string {
	c, _, _ := m.tally().All()
	text := amount.Packets(int(c.Packets)) + ", " + amount.Bytes(int64(c.Bytes)) + ", " + amount.Of(len(v.talks), "conversation") + ", " + amount.Of(len(v.ends), "endpoint")
	if decided := v.table.UpTo(); int(decided) < m.s.Passed() {
		text += ", counted up to packet " + amount.Group(int(decided))
	}
	return text
}

func (v *talkersView) draw(m *model, r rect) []string {
	v.refresh(m)
	var head paint.Line
	for i, name := range partNames(r.w) {
		if i == v.part {
			head.Put(m.pens.Bold, "["+name+"]")
		} else {
			head.Put(m.pens.Dim, " "+name+" ")
		}
	}
	if v.hasLayers() {
		right := "by " + talkSorts[v.sort] + " "
		if v.part == partPorts {
			right = "by packets "
		}
		head.Put(m.pens.Dim, "  ")
		for i, l := range stats.Layers {
			name := cmp.Or(l.Name, "all")
			if i == v.layer {
				head.Put(paint.Pen{}, m.glyph("‹", "<")+name+m.glyph("›", ">"))
			} else if r.w >= 100 && (v.part != partPorts || l.Ports) {
				head.Put(m.pens.Dim, " "+name+" ")
			}
		}
		if paint.Width(right) <= r.w-head.Width {
			head.Put(m.pens.Dim, paint.FitRight(right, r.w-head.Width))
		}
	}
	out := []string{paint.Clip(head.End(r.w), r.w)}
	if v.rows() == 0 && !v.busy(m) {
		return append(append(out, paint.Pad("", r.w)), m.emptyView(r.w, r.h-2, v.none())...)
	}
	body := rect{r.x, r.y + 2, r.w, r.h - 2}
	t := &v.tables[v.part]
	all, _, _ := m.tally().All()
	switch v.part {
	case partLevels:
		below := v.mostLines(r.h)
		body.h -= below
		out = append(out, v.levelHead(m, r.w))
		out = append(out, t.draw(body, len(v.levels), func(i int, sel bool) string { return v.level(m, v.levels[i], sel, r.w, all) })...)
		if v.mostAt = 0; below > 0 {
			v.mostAt = r.h - below
			out = append(out, v.drawMost(m, r.w)...)
		}
		return out
	case 1:
		out = append(out, v.talkHead(m, r.w))
		return append(out, t.draw(body, len(v.talks), func(i int, sel bool) string { return v.talk(m, &v.talks[i], sel, r.w) })...)
	}
	switch v.part {
	case partPorts:
		out = append(out, v.portHead(m, r.w))
		return append(out, t.draw(body, len(v.ports), func(i int, sel bool) string { return v.port(m, &v.ports[i], sel, r.w) })...)
	case partAnswers:
		out = append(out, v.answerHead(m, r.w))
		return append(out, t.draw(body, len(v.answers), func(i int, sel bool) string { return v.answer(m, &v.answers[i], sel, r.w) })...)
	case partPlayers:
		out = append(out, v.playerHead(m, r.w))
		return append(out, t.draw(body, len(v.playerRows), func(i int, sel bool) string { return v.player(m, v.playerRows[i], sel, r.w) })...)
	}
	out = append(out, v.endHead(m, r.w))
	return append(out, t.draw(body, len(v.ends), func(i int, sel bool) string { return v.end(m, &v.ends[i], sel, r.w) })...)
}

// none says what a part without lines has none of.
func (v *talkersView) none() string {
	layer := stats.Layers[v.layer]
	of := ""
	if layer.Name != "" && v.hasLayers() {
		of = " of " + layer.Title
	}
	return [talkerPartCount]string{"no packet is shown", "no conversation" + of + " is in the packets shown", "no endpoint" + of + " is in the packets shown",
		"no port" + of + " is in the packets shown", "no question that waits for an answer is in the packets shown", "no game is in the packets shown"}[v.part]
}

func (v *talkersView) busy(m *model) bool {
	return v.table == nil || v.asking || v.of != m.shown || v.table.Layer().Name != stats.Layers[v.layer].Name ||
		int(v.table.UpTo()) < m.s.Passed() || v.upTo != v.table.UpTo() || v.levelsUpTo != m.tally().UpTo()
}
