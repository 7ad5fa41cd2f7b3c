package ui

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/act"
	"remora/ui/chooser"
	"remora/ui/complete"
	"remora/ui/control"
	"remora/ui/keying"
	"remora/ui/rules"
	"remora/ui/search"
	"remora/ui/ticks"
	"remora/ui/view"
	followview "remora/ui/view/follow"
	"remora/ui/views"
	"remora/ui/widget"
)

// viewContext is what views may ask of the screen.
type viewContext struct{ m *model }

// Scope is the capture as it is shown now.
func (c viewContext) Scope() view.Scope {
	m := c.m
	return view.Scope{
		Session: m.packets.Session, Filtered: m.packets.Filtered, Ignored: m.packets.Ignored, All: m.packets.All,
		Epoch: m.packets.Epoch(), Roles: m.naming.on && !m.cfg.NoEnds,
		Selected: m.selected.Tree, Options: m.cfg.Filters, CommentEdits: m.comments.Edits, Speller: m.packets.Speller,
	}
}

// Style is how the screen draws.
func (c viewContext) Style() *widget.Style { return &c.m.style }

// List is the packet list.
func (c viewContext) List() view.List { return listOf(c) }

// Size is the room for a view.
func (c viewContext) Size() (w, h int) {
	if c.m.views.Alone() {
		return c.m.room.w, c.m.room.h
	}
	return c.m.room.w, c.m.room.h - 4
}

// Notify says something.
func (c viewContext) Notify(text string) { c.m.foot.Notice = text }

// Filter applies a display filter.
func (c viewContext) Filter(text string) { c.m.applyFilter(text) }

// GoTo selects a packet and remembers where the cursor was.
func (c viewContext) GoTo(n dissect.FrameNum) { c.m.list.Jump(n) }

// Open lays a view over the others.
func (c viewContext) Open(v view.View) { c.m.views.Open(v) }

// Close closes the view that is open.
func (c viewContext) Close() { c.m.views.Close() }

// Go does work beside the screen.
func (c viewContext) Go(what string, work func(ctx context.Context)) (stop func()) {
	return c.m.jobs.Go(what, work)
}

// Later does work beside the screen, and then what it returns.
func (c viewContext) Later(what string, work func(ctx context.Context) (then func())) (stop func()) {
	return c.m.jobs.Later(what, work)
}

// Write writes to files beside the screen, one thing after the other.
func (c viewContext) Write(do func()) { c.m.jobs.Write(do) }

// Prompt asks for a line of text.
func (c viewContext) Prompt(p view.Prompt) {
	c.m.line.Open(p)
}

// Ask puts a question.
func (c viewContext) Ask(title, text string, answers ...view.Answer) {
	c.m.dialog.Ask(title, text, answers...)
}

// Copy hands a text to the clipboard.
func (c viewContext) Copy(text, what string) { c.m.copier.Copy(text, what) }

// Follow reads a conversation or a game.
func (c viewContext) Follow(t *follow.Stream, from dissect.FrameNum) {
	c.m.views.Open(followview.New(c, t, from))
}

// listOf is the packet list as views see it.
type listOf struct{ m *model }

// Rows is how many packets are listed.
func (l listOf) Rows() int { return l.m.packets.Rows() }

// Captured is the packet in a row in the order of the capture.
func (l listOf) Captured(row int) dissect.FrameNum { return l.m.packets.Captured(row) }

// Current is the selected packet.
func (l listOf) Current() dissect.FrameNum { return l.m.selected.Frame }

// Select selects a packet.
func (l listOf) Select(n dissect.FrameNum) {
	l.m.list.Follow = false
	l.m.select_(n)
}

// Reveal selects a packet and brings its row into view.
func (l listOf) Reveal(n dissect.FrameNum) {
	l.m.list.Follow = false
	l.m.list.MoveTo(l.m.packets.Row(n))
}

// Step goes on by some rows.
func (l listOf) Step(by int) { l.m.list.Step(by) }

// Leave remembers the selected packet for the way back.
func (l listOf) Leave() { l.m.search.Leave() }

// Evicted tells, and says, that a packet is gone.
func (l listOf) Evicted(n dissect.FrameNum) bool { return l.m.list.Evicted(n) }

// Hide shows all but the packets of a line.
func (l listOf) Hide(x ticks.Line) { l.m.facets.Hide(x) }

// Show closes all views.
func (l listOf) Show() { l.m.views.OpenTab(views.Packets) }

// Draw draws the packets around the selected one.
func (l listOf) Draw(w, h int) []string {
	l.m.list.Show(h - 1)
	return l.m.list.Draw(w, h)
}

// Click selects the packet in a line of what was drawn.
func (l listOf) Click(line int) { l.m.list.Click(line + 1) }

// Heading is the columns' titles above what Row draws.
func (l listOf) Heading(of string, frames []dissect.FrameNum, w int) string {
	return l.m.list.Heading(of, frames, w)
}

// Row draws a packet as the list does, without its margin.
func (l listOf) Row(n dissect.FrameNum, selected bool, info string, w int) string {
	return l.m.list.Row(n, selected, info, w)
}

// listContext is what the packet list may ask of the screen.
type listContext struct{ viewContext }

// Focused tells whether the keys go to the list.
func (c listContext) Focused() bool { return c.m.room.focus == paneList }

// Size is the room that the list has.
func (c listContext) Size() (w, h int) {
	p := c.m.room.layout().list
	return p.w, p.h
}

// Select makes a packet the selected one: tree and bytes show it at once.
func (c listContext) Select(n dissect.FrameNum) { c.m.select_(n) }

// Leave remembers the selected packet for the way back.
func (c listContext) Leave() { c.m.search.Leave() }

// Mark is the letter that marks a packet, or 0.
func (c listContext) Mark(n dissect.FrameNum) rune { return c.m.marks.Of(n) }

// Rule is the coloring rule that counts for a packet, or nil.
func (c listContext) Rule(n dissect.FrameNum) *rules.Ready {
	return c.m.coloring.Of(c.m.packets.Dissector, n)
}

// boxContext is what boxes beside the packets may ask of the screen.
type boxContext struct{ viewContext }

// Panes draws the panes that a box lies over.
func (c boxContext) Panes() []string {
	m, p := c.m, c.m.room.layout()
	var lines []string
	if p.ribbon.h > 0 {
		lines = append(lines, m.ribbon.Draw(p.ribbon.w))
	}
	return append(lines, m.drawBody(&m.style, p)...)
}

// FilterText is the filter that is on, or "".
func (c boxContext) FilterText() string { return c.m.packets.FilterText() }

// Redraw has the rows of the packets drawn anew.
func (c boxContext) Redraw() { c.m.list.Redraw() }

// Profile is whose settings are used.
func (c boxContext) Profile() string { return c.m.cfg.Profile }

// facetsContext is what the facets may ask of the screen.
type facetsContext struct{ viewContext }

// Focused tells whether the keys go to the facets.
func (c facetsContext) Focused() bool { return c.m.room.focus == paneFacets }

// Height is how many lines the facets have.
func (c facetsContext) Height() int { return c.m.room.layout().facets.h }

// ribbonContext is what the ribbon may ask of the screen.
type ribbonContext struct{ viewContext }

// Width is the width of the ribbon.
func (c ribbonContext) Width() int { return c.m.room.layout().ribbon.w }

// Hits is how many packets with what is searched were found in each of w spans of time; nil while nothing is searched.
func (c ribbonContext) Hits(from, to int64, w int) []float64 {
	return c.m.search.Spread(from, to, w)
}

// Narrow keeps of what is shown what passes a filter, too.
func (c ribbonContext) Narrow(filter string) { c.m.narrow(filter) }

// helpContext is what the help may ask of the screen.
type helpContext struct{ viewContext }

// Screen is the size of the whole screen.
func (c helpContext) Screen() (w, h int) { return c.m.room.w, c.m.room.h }

// Here says where one is, and which keys matter there.
func (c helpContext) Here() (place string, hints [][2]string) {
	if c.m.views.View() == nil && c.m.room.focus == paneFacets {
		return "facets", c.Hints()
	}
	return c.m.views.Title(), c.Hints()
}

// Sources tells whether a source is being chosen.
func (c helpContext) Sources() bool { return c.m.chooser.IsOpen() }

// Do does what a key stands for.
func (c helpContext) Do(a act.Action) {
	if c.m.chooser != nil {
		c.m.chooser.Do(a)
		return
	}
	c.m.do(a, 0)
}

// copyContext is what copying may ask of the screen.
type copyContext struct{ viewContext }

// InList reports whether the keys go to the packet list.
func (c copyContext) InList() bool { return c.m.room.focus == paneList }

// InBytes reports whether the keys go to the bytes.
func (c copyContext) InBytes() bool { return c.m.room.focus == paneHex }

// Cells are the texts of the selected packet's row.
func (c copyContext) Cells() []string { return c.m.list.Cells(c.m.selected.Frame) }

// Picked are the bytes that are picked.
func (c copyContext) Picked() (lo, hi int, ok bool) { return c.m.hex.Picked() }

// Meant is the filter for what is selected.
func (c copyContext) Meant() string { return c.m.fieldFilter() }

// Send sends a sequence to the terminal.
func (c copyContext) Send(sequence string) {
	c.m.jobs.Add(func() any { return tea.Raw(sequence)() })
}

// chooserContext is what the choice of a source may ask of the screen.
type chooserContext struct{ viewContext }

// Tell says that an action is done.
func (c chooserContext) Tell(a act.Action) { c.m.tell(a) }

// Do does what a key stands for everywhere.
func (c chooserContext) Do(a act.Action) { c.m.do(a, 0) }

// Leaving does something that gives up the packets that are here, after asking when they would be lost.
func (c chooserContext) Leaving(title string, then func()) { c.m.control.Leave(title, then) }

// Sessions prepares dissections by the settings as they are now.
func (c chooserContext) Sessions() func(store *capture.Store) (*dissect.Session, error) {
	reg, as := c.m.cfg.Registry, c.m.cfg.DecodeAs
	return func(store *capture.Store) (*dissect.Session, error) { return dissect.NewSession(reg, store, as...) }
}

// Show shows a capture that was chosen.
func (c chooserContext) Show(x chooser.Chosen) {
	c.m.chooser = nil
	c.m.show(control.Opened{Store: x.Store, Session: x.Session, Options: x.Options, File: x.File, Filter: c.m.cfg.Filter})
}

// Close goes back to the capture that is open.
func (c chooserContext) Close() { c.m.chooser = nil }

// Quit ends the program.
func (c chooserContext) Quit() { c.m.ending.quit = true }

// searchContext is what searches may ask of the screen.
type searchContext struct{ viewContext }

// Place is what the keys go to.
func (c searchContext) Place() int {
	switch c.m.room.focus {
	case paneTree:
		return search.InTree
	case paneHex:
		return search.InBytes
	}
	return search.InList
}

// Complete is what may stand at a place of a display filter.
func (c searchContext) Complete(text string, at int) []complete.Offer {
	return c.m.line.Completer.Offers(text, at)
}

// SelectNode selects a node of the tree.
func (c searchContext) SelectNode(node int) { c.m.tree.Select(node) }

// MoveByte puts the cursor on a byte.
func (c searchContext) MoveByte(off int) { c.m.hex.MoveTo(off) }

// keyingContext is what keys that wait for more may ask of the screen.
type keyingContext struct{ helpContext }

// InFacets tells whether keys of the facets come first.
func (c keyingContext) InFacets() bool {
	return c.m.room.focus == paneFacets && c.m.views.View() == nil
}

// Pointed are what else the pointer does with what it is on.
func (c keyingContext) Pointed() (out []keying.Pointed) {
	switch {
	case c.m.views.Over() != nil:
	case c.m.room.focus == paneList:
		out = []keying.Pointed{{Words: "copy the row", Does: act.CopyRow}}
	case c.m.room.focus == paneTree:
		out = []keying.Pointed{{Words: "copy the value", Does: act.CopyValue},
			{Words: "as a column, or no more", Does: act.Column}, {Words: "plot over time", Does: act.Plot}}
	case c.m.room.focus == paneHex:
		out = []keying.Pointed{{Words: "copy the bytes", Does: act.CopyHex}}
	}
	if c.m.selected.Conv != 0 {
		out = append(out, keying.Pointed{Words: "follow the conversation", Does: act.FollowStream})
	}
	return out
}

// Meant is the filter for what is selected.
func (c keyingContext) Meant() string { return c.m.fieldFilter() }

// Do does what a key stands for.
func (c keyingContext) Do(a act.Action, n int) { c.m.do(a, n) }

// SetMark puts a letter on the selected packet.
func (c keyingContext) SetMark(letter rune) { c.m.setMark(letter) }

// GoToMark goes to the packet with a letter.
func (c keyingContext) GoToMark(letter rune) { c.m.goToMark(letter) }

// Tell says that an action is done.
func (c keyingContext) Tell(a act.Action) { c.m.tell(a) }

// treeContext is what the tree may ask of the screen, hexContext what the bytes may.
type (
	treeContext struct{ viewContext }
	hexContext  struct{ viewContext }
)

// Focused tells whether the keys go to the tree.
func (c treeContext) Focused() bool { return c.m.room.focus == paneTree }

// Height is how many lines the tree has.
func (c treeContext) Height() int { return c.m.room.layout().tree.h }

// Chose looks at how the chosen field behaved.
func (c treeContext) Chose() { c.m.hex.Watch() }

// Focused tells whether the keys go to the bytes.
func (c hexContext) Focused() bool { return c.m.room.focus == paneHex }

// Height is how many lines the bytes have.
func (c hexContext) Height() int { return c.m.room.layout().hex.h }

// Width is the width of the bytes, or 0 while they are not shown.
func (c hexContext) Width() int { return c.m.room.layout().hex.w }

// Select makes a node of the tree the selected one.
func (c hexContext) Select(node int) { c.m.tree.Select(node) }

// dialogContext is what boxes over the screen may ask of it, promptContext what the line may that is typed, and
// paletteContext what commands may.
type (
	dialogContext  struct{ viewContext }
	promptContext  struct{ dialogContext }
	paletteContext struct{ dialogContext }
)

// Screen is the size of the whole screen.
func (c dialogContext) Screen() (w, h int) { return c.m.room.w, c.m.room.h }

// Tell says that an action is done.
func (c dialogContext) Tell(a act.Action) { c.m.tell(a) }

// Room is the part of the screen below the filter that completions may cover: the list, never the detail.
func (c promptContext) Room() (w, h int) {
	return c.m.room.forChoices(c.m.views.View() == nil)
}

// Used are the display filters used before, the newest last.
func (c promptContext) Used() []string { return c.m.lists.filters.Lines() }

// Explain shows a text until the next key.
func (c promptContext) Explain(title string, lines []string) { c.m.dialog.Show(title, lines, false) }

// Run does what a key would do. An action that wants a letter waits for it.
func (c paletteContext) Run(a act.Action) {
	if !act.TakesLetter(a) {
		c.m.do(a, 0)
		return
	}
	label := ""
	if keys := c.m.style.Keys.Labels(a); len(keys) > 0 {
		label = keys[0]
	}
	c.m.keying.AwaitLetter(a, label)
}

// Done are the commands and actions done before, the newest last.
func (c paletteContext) Done() []string { return c.m.lists.commands.Lines() }

// Remember adds one.
func (c paletteContext) Remember(name string) {
	c.m.jobs.Write(func() { c.m.lists.commands.Add(name) })
}

// favouritesContext is what favourites may ask of the screen.
type favouritesContext struct{ viewContext }

// FilterText is the display filter that is on.
func (c favouritesContext) FilterText() string { return c.m.packets.FilterText() }

// InSettings are the favourites that are written in the settings.
func (c favouritesContext) InSettings() map[string]string { return c.m.cfg.Favourites }

// decodeContext is what decoding as another protocol may ask of the screen.
type decodeContext struct{ boxContext }

// Rules are what packets are decoded by.
func (c decodeContext) Rules() []dissect.DecodeAs { return c.m.cfg.DecodeAs }

// Redissect starts over with the packets there are.
func (c decodeContext) Redissect(rules []dissect.DecodeAs) error {
	was := c.m.cfg.DecodeAs
	c.m.cfg.DecodeAs = rules
	err := c.m.dissectAnew()
	if err != nil {
		c.m.cfg.DecodeAs = was
	}
	return err
}

// Keepable takes what writes what was changed into the settings, and says how that is asked for.
func (c decodeContext) Keepable(write func() (file string, err error)) (hint string) {
	c.m.profile.keep = write
	if p := c.m.cfg.Profile; p != "" {
		return "; :keep keeps it in the profile " + p
	}
	return "; :keep keeps it in the settings"
}

// Command asks for a command.
func (c decodeContext) Command(text string) { c.m.palette.Open(text) }

// preferContext is what preferences may ask of the screen.
type preferContext struct{ decodeContext }

// Registry has the protocols, and what their preferences are.
func (c preferContext) Registry() *dissect.Registry { return c.m.cfg.Registry }

// Resolve has names stand for addresses and ports, by the letters of -N.
func (c preferContext) Resolve(letters string) { c.m.resolve(letters) }

// Renew has protocols declared anew, by the preferences that there are now.
func (c preferContext) Renew() func() (use func(), err error) {
	renew := c.m.cfg.Own.Renew
	if renew == nil {
		return nil
	}
	return func() (use func(), err error) {
		reg, err := renew()
		return func() { ownLoaded{reg: reg}.use(c.m) }, err
	}
}

// commentContext is what comments may ask of the screen.
type commentContext struct{ viewContext }

// InTree tells whether the keys go to the tree.
func (c commentContext) InTree() bool { return c.m.room.focus == paneTree }

// Changed has a packet drawn anew.
func (c commentContext) Changed(n dissect.FrameNum) { c.m.redraw(n) }

// Refilter decides again what is shown.
func (c commentContext) Refilter() { c.m.refilter() }

// Did remembers how what was done is undone.
func (c commentContext) Did(restore func()) { c.m.history.Did(restore) }

// UndoKey is the key that undoes it.
func (c commentContext) UndoKey() string { return c.m.style.Key(act.Undo) }

// controlContext is what those who open, save and leave captures may ask of the screen.
type controlContext struct{ favouritesContext }

// Store is the capture that is open, nil for none.
func (c controlContext) Store() *capture.Store { return c.m.packets.Store }

// Key is the key that does an action.
func (c controlContext) Key(does act.Action) string { return c.m.style.Key(does) }

// File is the path of the file that is open, or "".
func (c controlContext) File() string { return c.m.capture.file }

// Capture are the settings of a capture that is started here.
func (c controlContext) Capture() capture.Options { return c.m.cfg.Capture }

// Recent are the files opened before.
func (c controlContext) Recent() []string { return c.m.lists.recent.Lines() }

// Show shows another capture.
func (c controlContext) Show(o control.Opened) { c.m.show(o) }

// Selected is the selected packet.
func (c controlContext) Selected() dissect.FrameNum { return c.m.selected.Frame }

// Close closes the capture.
func (c controlContext) Close() { closeCapture(c.m) }

// Choose shows the sources again.
func (c controlContext) Choose() {
	c.m.chooser = chooser.New(c.m.jobs.Ctx, chooserContext{c.viewContext}, c.m.sources(), true)
}

// Quit ends the program.
func (c controlContext) Quit() { c.m.ending.quit = true }

var facetHints = [][2]string{{"Space", "tick"}, {"o", "only this"}, {"x", "hide this"}, {"A", "all"},
	{"/", "edit as text"}, {"f", "close"}, {"l h", "unfold"}, {"s", "sort"}, {"Ctrl-F", "find"}, {"?", "all keys"}}

// Hints are the keys of the view or pane that is open, or nil for those of the packets.
func (c helpContext) Hints() [][2]string {
	if v := c.m.views.View(); v != nil {
		return v.Keys()
	} else if c.m.room.focus == paneFacets {
		return facetHints
	}
	return nil
}

// footContext is what the first and the last lines of the screen may ask of it.
type footContext struct{ helpContext }

// Tabs are those of the views as they are drawn.
func (c footContext) Tabs() (text string, width int) { return c.m.views.Draw() }

// Origin says what the filter was made of.
func (c footContext) Origin() string { return c.m.facets.Origin() }

// View is the view that is open.
func (c footContext) View() view.View { return c.m.views.View() }

// Pressed is what was pressed of a longer key.
func (c footContext) Pressed() (keys string, waits bool) {
	return c.m.keying.Pressed(), c.m.keying.Waits()
}

// Work says how far what goes on is.
func (c footContext) Work() string {
	return cmp.Or(waitsFor(), c.m.saver.Progress(), c.m.list.Sorting().Progress(), c.m.search.Progress())
}

// Found says how many packets hold what is searched.
func (c footContext) Found() string { return c.m.search.HitsText() }

// Picked is how many packets are picked.
func (c footContext) Picked() int { return len(c.m.marks.Picked()) }

// Order says what the list is sorted by, and whether it follows the newest packet.
func (c footContext) Order() (sorted string, follow bool) {
	return c.m.list.SortText(), c.m.list.Follow
}

// Row is the row of the selected packet for w cells where the list cuts it, or "".
func (c footContext) Row(w int) string { return c.m.list.FullRow(w) }

// Profile is whose settings are used.
func (c footContext) Profile() string { return c.m.cfg.Profile }
