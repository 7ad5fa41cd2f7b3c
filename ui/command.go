package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/keys"
	"remora/ui/palette"
	"remora/ui/print"
	"remora/ui/view"
	"remora/ui/view/coloring"
	columnsview "remora/ui/view/columns"
	"remora/ui/view/properties"
	"remora/ui/view/rates"
	"remora/ui/view/undissected"
)

// A command is what is typed behind a colon. Actions can be typed there as well, by their names.
type command struct {
	names []string // the first is the one that is shown
	arg   string   // what follows it, in capitals; "" nothing
	must  bool     // it does nothing without
	help  string
	do    func(m *model, arg string)
	args  func(m *model, arg string) []complete.Offer // what may follow
}

// commands are all of them, in the order in which they are offered.
func commands() []command {
	return []command{
		{[]string{"w", "write", "save"}, "FILE", false, "save the packets shown",
			func(m *model, arg string) { m.save(m.saveName(arg)) }, nil},
		{[]string{"wq", "x"}, "FILE", false, "save them and leave", func(m *model, arg string) {
			m.capture.afterSave = func() { m.ending.quit = true }
			m.save(m.saveName(arg))
		}, nil},
		{[]string{"q", "quit"}, "", false, "leave; asks when live packets are not saved",
			func(m *model, _ string) { m.askQuit() }, nil},
		{[]string{"q!", "quit!"}, "", false, "leave without asking", func(m *model, _ string) { m.ending.quit = true }, nil},
		{[]string{"goto"}, "NUMBER", true, "go to a packet, as :123 does", (*model).goToCommand, nil},
		{[]string{"time", "t"}, "TIME", true, "go to a time: 12:00:03, +1.5s from here, 12.5s from the start",
			(*model).timeCommand, nil},
		{[]string{"comment"}, "TEXT", true, "a comment on the packet", (*model).addComment, nil},
		{[]string{"filter"}, "FILTER", false, "show the packets that match; all without one", (*model).filterCommand,
			(*model).filterOffers},
		{[]string{"find"}, "TEXT", true, "find text or 0xBYTES in packets", func(m *model, arg string) {
			if m.search.Text = arg; arg != "" {
				m.search.Find(1)
			}
		}, nil},
		{[]string{"decode-as"}, "TABLE==NUMBER,PROTOCOL", true, "dissect as told, as in udp.port==7000,touhou",
			(*model).decodeCommand, (*model).decodeOffers},
		{[]string{"open", "e"}, "FILE", false, "open another file, or choose what to listen to", (*model).openCommand,
			(*model).openOffers},
		{[]string{"play"}, "SPEED", false,
			"play the file as if it were live, 1 as captured; while it plays: the speed, 0 the rest at once",
			(*model).playCommand, nil},
		{[]string{"rates"}, "FILTER,FILTER", false, "rates over time of what filters match",
			func(m *model, arg string) { m.views.Open(rates.New(viewContext{m}, print.SplitFilters(arg)...)) }, nil},
		{[]string{"plot"}, "FIELD,FIELD", true, "plot numbers over time, a lane for each",
			func(m *model, arg string) { m.views.PlotNamed(arg) }, nil},
		{[]string{"properties"}, "", false, "what is known of the capture",
			func(m *model, _ string) { m.views.Open(properties.New(viewContext{m})) }, nil},
		{[]string{"unknown"}, "", false, "undissected traffic, and what it looks like",
			func(m *model, _ string) { m.views.Open(undissected.New(viewContext{m})) }, nil},
		{[]string{"desync"}, "", false, "games: players, phases, and where the two sides differ (desync)",
			func(m *model, _ string) { m.views.OpenGames() }, nil},
		{[]string{"export"}, "FILE", false, "save the numbers of the view: CSV, or JSON by the name",
			func(m *model, arg string) {
				if arg == "" {
					m.startExport()
				} else {
					m.views.Export(arg)
				}
			}, nil},
		{[]string{"shot"}, "FILE", false, "save the screen: SVG, terminal's sequences (.ansi) or text by the name",
			(*model).shotCommand, nil},
		{[]string{"columns"}, "default", false, "choose the columns of the list; default: those of the settings",
			func(m *model, arg string) { columnsview.Command(boxContext{viewContext{m}}, m.list, arg) }, nil},
		{[]string{"column"}, "NAME", true, "show or leave out a column or a field as one",
			func(m *model, arg string) { m.list.ColumnCommand(arg) }, (*model).columnOffers},
		{[]string{"sort"}, "NAME", false, "sort by a column, a minus in front turns round; as captured without one",
			func(m *model, arg string) { m.list.SortCommand(arg) }, (*model).columnOffers},
		{[]string{"time-format"}, "FORMAT", true, "how times are written", (*model).clockCommand, clockOffers},
		{[]string{"fav"}, "NAME", true, "keep the filter under a name, or bring it back", (*model).favourite,
			(*model).favouriteOffers},
		{[]string{"unfav"}, "NAME", true, "forget a kept filter", (*model).unfavourite, (*model).favouriteOffers},
		{[]string{"profile"}, "NAME", false, "take the settings of a profile, or say which there are",
			(*model).profileCommand, func(m *model, arg string) []complete.Offer {
				return palette.Shifted(m.profileOffers("profile "+arg), -len("profile "))
			}},
		{[]string{"set", "se"}, "NAME=VALUE", true,
			"mouse, theme, ascii, names, colorize, time, resolve or capture_filter, until remora is left", (*model).setCommand,
			(*model).setOffers},
		{[]string{"coloring", "colouring"}, "import FILE", false,
			"the coloring rules; on, off, or import those of Wireshark's file",
			func(m *model, arg string) { m.coloring.Command(arg) },
			func(_ *model, arg string) []complete.Offer { return coloring.Offers(arg) }},
		{[]string{"help", "h"}, "", false, "all keys", func(m *model, _ string) { m.help.Open() }, nil},
	}
}

// Commands are all commands for documentation: how they are typed, and what they do.
func Commands() []keys.Key {
	var out []keys.Key
	for _, c := range commands() {
		out = append(out, keys.Key{Keys: strings.TrimSpace(":" + c.names[0] + " " + c.arg), Help: c.help})
	}
	return out
}

// commandsOf are the commands of a screen.
func commandsOf(m *model) []palette.Command {
	var out []palette.Command
	for _, c := range commands() {
		bound := palette.Command{Names: c.names, Arg: c.arg, Must: c.must, Help: c.help}
		bound.Do = func(arg string) { c.do(m, arg) }
		if c.args != nil {
			bound.Args = func(arg string) []complete.Offer { return c.args(m, arg) }
		}
		out = append(out, bound)
	}
	return out
}

func (m *model) goToCommand(arg string) {
	n, err := strconv.ParseUint(arg, 10, 32)
	if err != nil {
		m.notice = ":goto takes the number of a packet"
		return
	}
	m.list.Jump(dissect.FrameNum(n))
}

func (m *model) filterCommand(arg string) {
	if _, err := filter.CompileWith(m.reg, arg, m.cfg.Filters); arg != "" && err != nil {
		m.notice = err.Error()
		return
	}
	m.applyFilter(arg)
}

func (m *model) clockCommand(arg string) {
	if _, err := print.ParseClock(arg); err != nil {
		m.notice = err.Error()
		return
	}
	m.list.Clock = arg
	m.list.Redraw()
}

// decodeCommand has packets dissected anew.
func (m *model) decodeCommand(arg string) {
	if m.cfg.ParseDecodeAs == nil {
		m.notice = "there is no decode-as here"
		return
	}
	more, err := m.cfg.ParseDecodeAs([]string{arg})
	if err != nil {
		m.notice = err.Error()
		return
	}
	was := m.cfg.DecodeAs
	m.cfg.DecodeAs = append(slices.Clip(was), more...)
	if err := m.dissectAnew(); err != nil {
		m.cfg.DecodeAs, m.notice = was, err.Error()
		return
	}
	m.notice = "Decoding as " + arg
	m.askKeepDecodeAs(arg)
}

// keptAs is the end of writing a word of decode-as into the settings.
type keptAs struct {
	file string
	err  error
}

// askKeepDecodeAs asks whether a word of decode-as is for the next time, too.
func (m *model) askKeepDecodeAs(word string) {
	keep, profile := m.cfg.Source.KeepDecodeAs, m.cfg.Profile
	if keep == nil {
		return
	}
	where, when := "the settings", "from now on"
	if profile != "" {
		where, when = "the profile "+profile, "whenever the profile is on"
	}
	m.dialog.Ask("Keep it?",
		"Packets are dissected by "+word+". Kept in "+where+", it counts "+when+", not in this run alone.",
		view.Answer{Act: act.AnswerKeep, Label: "keep it", Do: func() {
			m.pending = append(m.pending, func() any {
				file, err := keep(profile, word)
				return keptAs{file, err}
			})
		}},
		view.Answer{Act: act.AnswerRun, Label: "for this run alone", Default: true, Do: func() {}})
}

func (m *model) onKeptAs(k keptAs) {
	m.notice = "kept in " + dissect.Escape(k.file)
	if k.err != nil {
		m.notice = "not kept: " + dissect.Escape(k.err.Error())
	}
}
