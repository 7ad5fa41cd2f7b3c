package ui

import (
	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/internal/broker"
	"remora/ui/act"
	columnsview "remora/ui/view/columns"
	"remora/ui/view/flow"
	"remora/ui/view/objects"
	"remora/ui/view/properties"
	"remora/ui/view/rates"
	"remora/ui/view/undissected"
	"remora/ui/views"
)

// A key leads to what it does in two steps: keying says which action it stands for, and the table of actions does it,
// after the view or the pane that has the keys. What lies over the screen takes keys as they are.

// key handles a key press wherever the cursor is.
func (m *model) key(msg tea.KeyPressMsg) {
	name := msg.String()
	m.profile.watch.touched = m.profile.watch.touched || m.profile.watch.store == m.packets.Store
	if name == "alt+esc" { // two quick ones, as the terminal sends them
		name = "esc"
	}
	if does, presses, ok := m.lists.macros.Of(name); ok && m.over() == nil && !m.keying.Waits() {
		if m.foot.Notice = ""; does != act.None {
			m.do(does, 0)
		}
		for _, p := range presses {
			press(m, p.Name, p.Text)
		}
		return
	}
	press(m, name, msg.Text)
}

// press takes a key that is what it is called.
func press(m *model, name, text string) {
	if over := m.over(); over != nil {
		over.Key(name, text)
		return
	}
	m.foot.Notice = ""
	if does, n := m.keying.Press(name); does != act.None {
		m.do(does, n)
	}
}

// tell lets whoever watches know that an action is done.
func (m *model) tell(a act.Action) {
	if m.actions.watched != nil && a != act.None {
		m.actions.watched(a)
	}
}

// A target is what the keys go to.
type target interface {
	Update(a act.Action, n int) bool
}

// target is the view that is open, or the pane. What stands for nothing there is in the table of actions.
func (m *model) target() target {
	if m.views.View() != nil {
		return m.views
	}
	return m.focused()
}

// do carries out an action; n is the number typed in front of it, or 0.
func (m *model) do(a act.Action, n int) {
	m.tell(a)
	if m.target().Update(a, n) {
		return
	}
	if handler := m.actions.table[a]; handler != nil {
		handler(n)
	}
}

// actions are what keys and commands do.
type actions struct {
	table   actionTable
	watched func(act.Action) // hears what is done; nil: nobody does
}

// An actionTable is what is done for actions; n is the number typed in front of the key, or 0.
type actionTable map[act.Action]func(n int)

// newActionTable is what is done for every action that no view and no pane takes.
func newActionTable(m *model) actionTable {
	t := actionTable{}
	t.moves(m)
	t.packets(m)
	t.shown(m)
	t.panes(m)
	t.views(m)
	t.program(m)
	return t
}

// once does something however often is asked for, times does it by a count in a direction.
func once(do func()) func(n int)                  { return func(int) { do() } }
func times(do func(by int), sign int) func(n int) { return func(n int) { do(sign * max(1, n)) } }

// moves are what moves along packets, and what opens and closes the tree from anywhere.
func (t actionTable) moves(m *model) {
	for _, a := range []act.Action{act.First, act.Last} { // to the packet of a number
		t[a] = func(n int) {
			if n > 0 {
				m.list.Jump(dissect.FrameNum(n))
			}
		}
	}
	t[act.NextPacket], t[act.PrevPacket] = times(m.list.Step, 1), times(m.list.Step, -1)
	t[act.SameNext], t[act.SamePrev] = times(m.search.SameType, 1), times(m.search.SameType, -1)
	t[act.ConversationNext] = times(m.search.SameConversation, 1)
	t[act.ConversationPrev] = times(m.search.SameConversation, -1)
	t[act.Partner] = once(m.search.Partner)
	t[act.Back] = func(int) { m.search.Back() }
	t[act.Forward] = func(int) { m.search.Forward() }
	t[act.Open] = func(int) { m.room.focus = paneTree }
	t[act.OpenAll], t[act.CloseAll] = func(int) { m.tree.FoldAll(true) }, func(int) { m.tree.FoldAll(false) }
	t[act.OpenBelow], t[act.CloseBelow] = func(int) { m.tree.FoldBelow(true) }, func(int) { m.tree.FoldBelow(false) }
	t[act.Find] = once(m.search.Open)
	t[act.FindNext], t[act.FindPrev] = func(n int) { m.search.Next(1, n) }, func(n int) { m.search.Next(-1, n) }
	t[act.GoTo] = func(int) { m.palette.Open("goto ") }
}

// packets are what is done to packets and their fields, and the ways to packets that something was done to.
func (t actionTable) packets(m *model) {
	t[act.Comment], t[act.Ignore], t[act.IgnoreNone], t[act.Select] = once(m.comments.Edit), once(m.ignore),
		once(m.ignoreNone), once(m.pick)
	for a, by := range map[act.Action]int{act.MarkNext: 1, act.MarkPrev: -1} {
		t[a] = times(func(by int) { m.goAmong(m.marks.All(), by, "marked packet") }, by)
	}
	for a, by := range map[act.Action]int{act.CommentNext: 1, act.CommentPrev: -1} {
		t[a] = times(func(by int) { m.goAmong(m.comments.Frames(), by, "packet with a comment") }, by)
	}
	for a, by := range map[act.Action]int{act.ReferenceNext: 1, act.ReferencePrev: -1} {
		t[a] = times(func(by int) { m.goAmong(m.packets.References(), by, "time reference") }, by)
	}
	t[act.ReferenceNone] = func(int) { unsetReferences(m) }
	for a, on := range map[act.Action]bool{act.MarkShown: true, act.UnmarkShown: false} {
		t[a] = func(int) { pickShown(m, on) }
	}
	for a, on := range map[act.Action]bool{act.IgnoreShown: true, act.UnignoreShown: false} {
		t[a] = func(int) { ignoreShown(m, on) }
	}
	t[act.CommentNone] = once(m.comments.DeleteAll)
	for a, by := range map[act.Action]int{act.NoteNext: 1, act.NotePrev: -1} {
		t[a] = times(m.search.NextNote, by)
	}
	for _, a := range []act.Action{act.Mark, act.ToMark} {
		t[a] = func(int) {
			m.keying.AwaitLetter(a, a.Name())
		}
	}
	for i, letter := range "yvt=hcgpbjle" {
		t[act.CopyRow+act.Action(i)] = func(int) { m.copier.As(letter) }
	}
	t[act.CopyFile] = once(m.copier.File)
	t[act.Reading], t[act.ByteText], t[act.ByteWidth] = once(m.hex.Pick), once(m.hex.NextText), once(m.hex.NextWidth)
	t[act.Diagram] = func(int) {
		if m.hex.TurnDiagram() && m.room.layout().hex.h == 0 {
			m.room.focus = paneHex
		}
	}
	t[act.Explain], t[act.Reference] = once(m.explain), once(m.setReference)
	t[act.DecodeAs] = func(int) { decoder(m).Ask() }
	t[act.Changed] = func(int) {
		m.selected.Alone = !m.selected.Alone
		m.selected.Compare()
	}
}

// shown are what says which packets are shown, and how.
func (t actionTable) shown(m *model) {
	t[act.Filter] = func(int) { m.editFilter(m.packets.FilterText()) }
	t[act.Escape], t[act.Undo] = once(m.escape), once(m.history.Back)
	t[act.ClearFilter] = func(int) { m.applyFilter("") }
	t[act.UseField] = func(int) {
		if f := m.fieldFilter(); f != "" {
			m.applyFilter(f)
		}
	}
	for i, letter := range "snaoAO" {
		t[act.UseThis+act.Action(i)] = func(int) { m.useField(letter, false) }
		t[act.WriteThis+act.Action(i)] = func(int) { m.useField(letter, true) }
	}
	t[act.Only], t[act.Hide] = func(int) { m.typeOfPacket(true) }, func(int) { m.typeOfPacket(false) }
	t[act.Column] = func(int) {
		if i := m.selected.Node; i >= 0 {
			m.list.Add(m.selected.Tree.Field(i))
		}
	}
	t[act.Sort] = func(int) { m.views.Open(columnsview.New(boxContext{viewContext{m}}, m.list)) }
	t[act.Time], t[act.Follow], t[act.Freeze] = once(m.list.NextClock), once(m.list.TurnFollow), once(m.list.Freeze)
	t[act.Names] = func(int) {
		m.naming.on = !m.naming.on
		m.rename()
	}
	t[act.Coloring] = func(n int) {
		if n > 0 {
			m.list.ColourConversation(n)
		} else {
			m.coloring.Toggle()
		}
	}
	t[act.ColoringRules], t[act.ColourBy] = once(m.coloring.Open), func(int) {
		if text := m.meant(); text != "" {
			m.coloring.Begin(text)
		}
	}
}

// panes are what says where the keys go, and how the room is shared out.
func (t actionTable) panes(m *model) {
	t[act.NextPane], t[act.PrevPane] = func(int) { m.room.turn(1) }, func(int) { m.room.turn(-1) }
	t[act.Facets] = func(int) {
		m.room.focus = paneList
		if m.facets.Toggle(); m.facets.Open {
			m.room.focus, m.room.zoomed = paneFacets, false
		}
		keepInView(m)
	}
	t[act.Zoom] = func(int) {
		m.room.zoomed = !m.room.zoomed
		keepInView(m)
	}
	for a, by := range map[act.Action]int{act.Bigger: 1, act.Smaller: -1} {
		t[a] = func(int) {
			m.room.heighten(by)
			keepInView(m)
		}
	}
	for a, by := range map[act.Action]int{act.Wider: 1, act.Narrower: -1} {
		t[a] = func(int) {
			if problem := m.room.widen(by); problem != "" {
				m.foot.Notice = problem
			}
		}
	}
	t[act.UsualSizes] = func(int) {
		m.room.sizes, m.room.zoomed, m.foot.Notice = usualSizes, false, "the panes are as they were at first"
		keepInView(m)
	}
	t[act.Arrange] = func(int) {
		m.foot.Notice = m.room.next()
		keepInView(m)
	}
}

// views are what opens views.
func (t actionTable) views(m *model) {
	for tab := range views.Tabs {
		t[act.TabPackets+act.Action(tab)] = func(int) { m.views.OpenTab(tab) }
	}
	t[act.Conversations] = func(int) { m.views.OpenPart("Conversations", "") }
	t[act.Responses] = func(int) { m.views.OpenPart("Response times", "") }
	c := viewContext{m}
	t[act.Properties] = func(int) { m.views.Open(properties.New(c)) }
	t[act.Unknown] = func(int) { m.views.Open(undissected.New(c, openLab(m))) }
	t[act.Rates] = func(int) { m.views.Open(rates.New(c)) }
	t[act.Match] = once(m.views.OpenMatch)
	t[act.FlowGraph] = func(int) { m.views.Open(flow.New(c)) }
	t[act.Calls] = once(openCalls(m, false))
	t[act.StreamGraph] = func(int) { openStreamGraph(m, "") }
	t[act.Objects] = func(int) { m.views.Open(objects.New(c)) }
	t[act.Desync], t[act.FollowStream], t[act.Compare] = once(m.views.OpenGames), once(m.views.FollowSelected),
		once(m.views.Compare)
	t[act.Plot], t[act.Export] = once(m.views.PlotSelected), once(m.startExport)
}

// program are what is done about the capture, the file and the program.
func (t actionTable) program(m *model) {
	t[act.NextTab] = func(n int) {
		if n > 0 {
			m.look.program.Go(n)
		} else {
			m.look.program.Step(1)
		}
	}
	t[act.PrevTab] = times(m.look.program.Step, -1)
	t[act.Save] = func(int) { m.saver.Ask("") }
	t[act.Command] = func(int) { m.palette.Open("") }
	t[act.Help] = once(m.help.Open)
	t[act.ToggleCapture], t[act.Restart] = once(m.control.Toggle), once(m.control.Restart)
	t[act.Close], t[act.FileSet] = once(m.control.Close), func(int) { openSet(m, "") }
	t[act.NextFile], t[act.PrevFile] = times(m.control.Step, 1), times(m.control.Step, -1)
	t[act.Sources] = once(m.control.Choose)
	t[act.Interrupt], t[act.Quit] = once(m.interrupt), once(m.control.Quit)
	t[act.QuitNow] = func(int) { m.ending.quit = true }
	t[act.Suspend] = func(int) { m.suspend() }
	t[act.Redraw] = func(int) { m.jobs.Add(func() any { return tea.ClearScreen() }) }
}

// escape ends what goes on in the background; with nothing going on it closes what is open beside the packets, and
// unselects what is selected. The filter stays: a key pressed once too often would cost it.
func (m *model) escape() {
	switch {
	case broker.GiveUp(): // who asked says so
	case m.search.Seeking():
		m.search.EndSeek()
		m.foot.Notice = "the search is ended"
	case m.search.Marked():
		m.search.EndHits()
		m.foot.Notice = "what was found is not marked any more"
	case m.saver.Busy():
		m.saver.Cancel()
	case m.list.Sorting() != nil:
		m.list.GiveUpSorting()
		m.foot.Notice = "not sorted"
	case m.packets.FilterRuns():
		m.applyFilter("")
	case m.hex.Unpick():
	case m.room.zoomed:
		m.room.zoomed = false
		keepInView(m)
	case m.facets.Open:
		m.actions.table[act.Facets](0)
	case len(m.marks.Picked()) > 0:
		list := m.marks.Picked()
		m.marks.Unpick()
		m.history.Did(func() { m.marks.PickAll(list, true) })
		m.foot.Notice = "no packet is picked any more; " + m.style.Key(act.Undo) + " picks them again"
	case m.packets.Filtered != nil:
		m.foot.Notice = "the filter stays; " + m.style.Key(act.ClearFilter) + " shows all packets, " +
			m.style.Key(act.Undo) + " those of the filter before"
	}
}

// interrupt is what Ctrl-C does.
func (m *model) interrupt() {
	if !broker.GiveUp() {
		m.control.Interrupt()
	}
}

// suspend stops the program until the shell goes on with it, where the system does such things.
func (m *model) suspend() {
	if !maySuspend {
		m.foot.Notice = "programs cannot be stopped on this system and gone on with: q leaves"
		return
	}
	m.jobs.Add(func() any { return tea.Suspend() })
}
