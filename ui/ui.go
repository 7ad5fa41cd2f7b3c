// Package ui is the screen: a packet list, a tree and the bytes that follow each other. It knows no protocol: what it
// shows of one comes from the engine's declarations.
//
// The model is the only Bubble Tea model. Panes are plain state with functions that draw lines for a rectangle, and the
// rectangles come from one layout function. Packets are no messages: a tick that runs only while something moves looks
// at how far the store, the first pass and the filter have come.
package ui

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/broker"
	"remora/ui/chooser"
	"remora/ui/columns"
	"remora/ui/comments"
	"remora/ui/complete"
	"remora/ui/control"
	"remora/ui/copying"
	"remora/ui/dialog"
	"remora/ui/foot"
	"remora/ui/header"
	"remora/ui/help"
	"remora/ui/jobs"
	"remora/ui/keying"
	"remora/ui/listed"
	"remora/ui/marks"
	"remora/ui/paint"
	"remora/ui/palette"
	facetspane "remora/ui/pane/facets"
	hexpane "remora/ui/pane/hex"
	listpane "remora/ui/pane/list"
	"remora/ui/pane/ribbon"
	treepane "remora/ui/pane/tree"
	"remora/ui/prompt"
	"remora/ui/saving"
	"remora/ui/search"
	"remora/ui/selected"
	"remora/ui/ticks"
	"remora/ui/undo"
	"remora/ui/view/coloring"
	"remora/ui/views"
	"remora/ui/widget"
)

// Config says what the screen opens with.
type Config struct {
	Registry *dissect.Registry
	Store    *capture.Store   // nil: choose an interface or a file
	Session  *dissect.Session // of the store
	Open     func(path string) (*capture.Store, error)
	Play     func(path string, speed float64) (*capture.Store, error)    // as if it were live
	Shift    func(path string, by capture.Shift) (*capture.Store, error) // with other times
	Merge    func(paths []string) (*capture.Store, error)                // several as one
	Import   func(path, options string) (*capture.Store, error)          // a hex dump
	Live     func(opt capture.Options) (*capture.Store, error)
	Capture  capture.Options // settings of a capture that starts from the screen

	// Listen takes a short look on an interface; done closes it and removes what it left. nil: nothing is listened to
	// before it is chosen.
	Listen func(ctx context.Context, opt capture.Options) (store *capture.Store, done func(), err error)

	Filter string // the first display filter
	Page   string // the page that has the screen alone at first; "": the packets
	// KeptCapture are capture filters that a person keeps: names and texts.
	KeptCapture [][2]string
	Filters     filter.Options // what filters depend on beside the protocols
	Settings                   // may change while the screen is shown
	Source      Source         // where they come from
	Own         Own            // dissectors that are written meanwhile
	Profile     string         // whose settings they are
	Names                      // what stands for addresses
	// Name uses other names, by the letters of -N; "" are the usual ones. nil: they stay.
	Name func(letters string) (Names, error)
	// ParseDecodeAs reads what -d takes, for the command of that name; nil: there is none.
	ParseDecodeAs func(words []string) ([]dissect.DecodeAs, error)

	Colours colorprofile.Profile // of the terminal
	Lost    <-chan struct{}      // closed when nothing can be opened or saved any more; nil: that does not happen

	State string // the folder for what is kept between runs; "" keeps nothing
	File  string // the file that is open, to be remembered
}

// Pages are what Config.Page may be.
var Pages = views.Pages

// A Lookup asks for names beside what the screen does. Changes counts those that came in, Busy tells whether more may.
type Lookup interface {
	Changes() uint64
	Busy() bool
}

// pictures is how many pictures a second may be drawn, and spareThreads how many threads there are for the screen
// beside those that keep the cores busy.
const (
	pictures     = 100
	spareThreads = 2
)

// Run shows the screen until the user leaves. It returns the failure that ended it, if one did.
func Run(ctx context.Context, cfg Config) error {
	t := newModel(ctx, cfg).look.program
	cfg.Store, cfg.Session = nil, nil // their tab holds them, and may be closed
	err := run(ctx, t, cfg)
	for _, s := range t.All() {
		s.Close()
	}
	return err
}

// run draws the screen on the terminal until the user leaves or something fails.
func run(ctx context.Context, t *program, cfg Config, more ...tea.ProgramOption) error {
	// Signals end ctx, once: the library's own handler beside that can wait for a program that has ended.
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(pictures)}
	busy := &busyTime{}
	var p *tea.Program
	if keys, quit, ok := openKeyboard(busy, func(msg tea.Msg) { p.Send(msg) }); ok { // not before something hangs
		defer quit()
		options = append(options, keys)
	}
	options = append(options, more...)
	// Whatever is worked out beside the screen may keep all cores busy: the system then shares them out among threads, and
	// wakes the one that waits for a key at once. Go's own scheduler would let it wait for a turn of 10 ms, several times.
	was := runtime.GOMAXPROCS(runtime.NumCPU() + spareThreads)
	defer runtime.GOMAXPROCS(was)
	if !paint.WantsColour() {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	} else if cfg.Colours != colorprofile.Unknown {
		options = append(options, tea.WithColorProfile(cfg.Colours))
	}
	p = tea.NewProgram(busyModel{t, busy}, options...)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go cfg.Source.watch(ctx, func() *string { return modelOf(t.Shown()).profile.name.Load() }, p.Send)
	go cfg.Own.watch(ctx, p.Send)
	go cfg.watchLost(ctx, p.Send)
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil || errors.Is(err, tea.ErrInterrupted) {
		return ctx.Err()
	}
	for _, s := range t.All() {
		if _, failure := s.Ended(); err == nil {
			err = failure
		}
	}
	for _, s := range t.All() {
		err = modelOf(s).keepUnsaved(err)
	}
	return err
}

// keepUnsaved has the packets stay when the screen ended by a failure: nobody was asked whether they may go. The error
// says where they are.
func (m *model) keepUnsaved(err error) error {
	if err == nil || m.packets.Store == nil {
		return err
	}
	st := m.packets.Store.Status()
	if !st.Unsaved {
		return err
	}
	m.packets.Store.Keep(capture.Kept)
	if st.Spool == "" {
		return err
	}
	return fmt.Errorf("%w; the unsaved packets are kept in %s: the next start offers them", err, st.Spool)
}

type model struct {
	cfg Config

	packetPanes

	look  screenState
	style widget.Style

	views    *views.Views
	marks    *marks.Marks
	coloring *coloring.Rules

	copier *copying.Copier
	dialog *dialog.Dialog

	keying  *keying.Keying
	actions actions
	line    *prompt.Line
	palette *palette.Palette
	search  *search.Search

	header  *header.Header
	foot    *foot.Foot
	help    *help.Pane
	jobs    *jobs.Jobs       // beside the screen
	chooser *chooser.Chooser // nil while no source is being chosen
	lists   lists

	comments *comments.Comments
	saver    *saving.Saver
	control  *control.Control

	capture openCapture
	ending  ending
	profile profileState
	naming  naming
	history *undo.History
}

func newModel(ctx context.Context, cfg Config) *model { return newModelIn(&program{ctx: ctx}, cfg) }

// newModelIn is one more model of a program, in a tab that is shown.
func newModelIn(p *program, cfg Config) *model {
	ctx, stop := context.WithCancel(p.ctx)
	m := &model{jobs: jobs.New(ctx), cfg: cfg,
		packetPanes: packetPanes{packets: &listed.Packets{}, room: room{sizes: usualSizes}},
		look:        screenState{colour: paint.WantsColour(), stale: true, program: p},
		naming:      naming{on: !cfg.NoNames},
		marks:       marks.New()}
	m.lists = newLists(cfg.State, viewContext{m})
	m.marks.In(m.lists.marks)
	m.selected = selected.New(m.packets, viewContext{m}.Later)
	m.facets = facetspane.New(facetsContext{viewContext{m}}, m.packets, m.lists.ticks)
	m.room.facets = m.facets
	m.header = header.New(footContext{helpContext{viewContext{m}}}, m.packets)
	m.foot = foot.New(footContext{helpContext{viewContext{m}}}, m.packets)
	m.dialog = dialog.New(dialogContext{viewContext{m}})
	m.line = prompt.New(promptContext{dialogContext{viewContext{m}}},
		complete.New(m.cfg.Registry, m.lists.favourites.Lines, m.lists.filters.Lines))
	m.palette = palette.New(paletteContext{dialogContext{viewContext{m}}}, commandsOf(m))
	m.comments = comments.New(commentContext{viewContext{m}}, m.packets, m.selected)
	m.saver = saving.New(controlContext{favouritesContext{viewContext{m}}}, m.packets, m.marks, m.comments)
	m.control = control.New(controlContext{favouritesContext{viewContext{m}}},
		control.Sources{Open: cfg.Open, Play: cfg.Play, Shift: cfg.Shift, Merge: cfg.Merge, Import: cfg.Import,
			Live: cfg.Live}, m.saver)
	m.keying = keying.New(keyingContext{helpContext{viewContext{m}}}, m.marks)
	m.search = search.New(searchContext{viewContext{m}}, m.packets, m.selected)
	m.help = help.New(helpContext{viewContext{m}})
	m.views = views.New(viewContext{m}, m.selected, m.marks, m.working)
	m.ribbon = ribbon.New(ribbonContext{viewContext{m}}, m.packets, m.selected, m.marks)
	m.list = listpane.New(listContext{viewContext{m}}, m.packets, m.selected,
		columns.NewMemory(m.cfg.Registry, m.lists.columns))
	m.copier = copying.New(copyContext{viewContext{m}}, m.packets, m.selected)
	m.history = undo.New(boxContext{viewContext{m}}, m.list)
	m.tree, m.hex = treepane.New(treeContext{viewContext{m}}, m.selected),
		hexpane.New(hexContext{viewContext{m}}, m.selected)
	m.coloring = coloring.New(boxContext{viewContext{m}}, m.cfg.Registry, cfg.Filters, cfg.Source.KeepColoring)
	if cfg.TimeFormat != "" {
		m.list.Clock = cfg.TimeFormat
	}
	m.list.Ask(cfg.Profile, cfg.Columns)
	m.room.recall(m.lists.sizes.Lines())
	m.profile.name.Store(&m.cfg.Profile)
	m.profile.chosen = cfg.Profile != ""
	m.profile.readAs, m.profile.read = len(cfg.DecodeAs), cfg.Settings
	useKeys(m, cfg.Keys)
	m.actions.table = newActionTable(m)
	m.coloring.Off, m.look.dark = cfg.NoColoring, paint.DarkFromEnv()
	m.repen()
	m.coloring.Use(cfg.Coloring)
	m.cfg.Store, m.cfg.Session = nil, nil // packets has what is shown now
	if cfg.Store == nil {
		m.chooser = chooser.New(ctx, chooserContext{viewContext{m}}, m.sources(), false)
	} else {
		m.rememberFile(cfg.File)
		m.attach(cfg.Store, cfg.Session)
		if cfg.Filter != "" {
			m.applyFilter(cfg.Filter)
		}
	}
	p.Open(&tab{m, stop})
	return m
}

// attach makes a capture the one that is shown, and starts its first pass.
func (m *model) attach(store *capture.Store, s *dissect.Session) {
	m.detach()
	m.list.EndSorting()
	m.packets.Order = nil
	if store != m.packets.Store {
		m.history.Forget()
	}
	m.packets.Store, m.packets.Session, m.packets.Dissector = store, s, s.GuardedDissector()
	m.packets.Speller = ticks.NewSpeller(s, m.cfg.Registry, m.cfg.Filters)
	s.ShowNames(m.naming.on)
	m.selected.Forget()
	m.packets.Frozen, m.foot.Notice = 0, ""
	m.list.Reset()
	m.line.Completer.Forget()
	m.ribbon.Reset()
	m.facets.Forget()
	m.packets.Ignored, m.comments.Edits = nil, 0
	m.tree.Clear()
	m.marks.Clear()
	m.capture.stop = m.jobs.Go("the first pass", func(ctx context.Context) { s.Pass(ctx) })
	m.countAnew()
	m.views.OpenPage(m.cfg.Page)
}

func (m *model) detach() {
	if reg := m.capture.again.Wanted(); reg != nil {
		useRegistry(m, reg)
	}
	m.capture.again.End()
	m.profile.watch.stop()
	m.list.EndFewer()
	m.search.EndSeek()
	m.search.EndHits()
	m.views.End()
	m.rememberSessions()
	if m.packets.Filtered != nil {
		m.packets.Filtered.Cancel()
		m.packets.Filtered = nil
	}
	m.facets.Drop(nil)
	if m.capture.stop != nil {
		m.capture.stop()
	}
	if m.capture.stopCounting != nil {
		m.capture.stopCounting()
	}
}

func (m *model) closeAll() {
	if m.chooser != nil {
		m.chooser.Stop()
	}
	m.detach()
	if m.packets.Store != nil {
		leave(m.jobs.Ctx, m.packets.Store)
	}
}

// leave closes a capture. What is not saved stays for a day, in case whoever said so thinks again; where nobody was
// asked, it stays until somebody is.
func leave(ctx context.Context, store *capture.Store) {
	switch st := store.Status(); {
	case !st.Unsaved:
	case ctx.Err() != nil:
		store.Keep(capture.Kept)
	case store.Len() > 0:
		store.Keep(capture.ForADay)
	}
	store.Close()
}

// Init asks for the background's colour and starts the pulse.
func (m *model) Init() tea.Cmd {
	m.look.ticking = true
	return tea.Batch(tea.RequestBackgroundColor, pulse())
}

// View is the screen. It is drawn anew only when something changed.
func (m *model) View() tea.View {
	if m.look.stale && m.room.w > 0 {
		m.look.drawn, m.look.stale = m.render(), false
	}
	v := tea.NewView(m.look.drawn)
	v.AltScreen = true
	v.WindowTitle = "remora"
	if !m.cfg.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// Update takes a message. It waits for nothing.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.handle(msg)
	return m, m.commands()
}

// handle takes a message. Work that it leaves behind is in pending.
func (m *model) handle(msg tea.Msg) {
	m.look.stale = true
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.room.w, m.room.h = msg.Width, msg.Height
		keepInView(m)
	case tea.BackgroundColorMsg:
		m.look.dark = msg.IsDark()
		m.repen()
	case tea.ColorProfileMsg:
		m.look.few = msg.Profile == colorprofile.ANSI
		m.repen()
	case settingsChanged:
		m.readSettings(m.cfg.Profile)
	case profileMatched:
		m.onProfileMatched(msg)
	case settingsRead:
		m.onSettings(msg)
	case ownLoaded:
		msg.use(m)
	case named:
		m.onNamed(msg)
	case lost:
		m.foot.Notice = broker.ErrGone.Error() + "; the packets stay"
	case waits: // drawn anew
	case tick:
		m.onTick()
	case tea.KeyPressMsg:
		m.key(msg)
	case tea.PasteMsg:
		if m.line.IsOpen() {
			m.line.Insert(msg.Content)
		} else if m.chooser != nil {
			m.chooser.Paste(msg.Content)
		}
	case tea.MouseClickMsg, tea.MouseWheelMsg, tea.MouseMotionMsg, tea.MouseReleaseMsg:
		m.mouse(msg)
	case takenShot:
		m.shot(msg.path, msg.replace)
	case jobs.Then:
		msg()
	}
	m.keepLayout()
	if m.packets.Session != nil && m.room.dragging == dragNothing { // what is being dragged is one change
		m.history.Note()
	}
}

// commands are the work that this message left behind.
func (m *model) commands() tea.Cmd {
	if m.ending.quit {
		return tea.Quit
	}
	var cmds []tea.Cmd
	for work := m.jobs.Next(); work != nil; work = m.jobs.Next() {
		cmds = append(cmds, func() tea.Msg { return work() })
	}
	if !m.look.ticking && m.moving() {
		m.look.ticking = true
		cmds = append(cmds, pulse())
	}
	return tea.Batch(cmds...)
}
