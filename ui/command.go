package ui

import (
	"strings"
	"time"

	"remora/ui/columns"
	"remora/ui/complete"
	"remora/ui/decode"
	"remora/ui/keys"
	"remora/ui/moment"
	"remora/ui/palette"
	"remora/ui/print"
	"remora/ui/view/coloring"
	columnsview "remora/ui/view/columns"
	"remora/ui/view/objects"
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
			func(m *model, arg string) { m.saver.Save(arg, false, nil) }, nil},
		{[]string{"w!", "write!", "save!"}, "FILE", false, "save them, replacing a file that is there",
			func(m *model, arg string) { m.saver.Save(arg, true, nil) }, nil},
		{[]string{"wq", "x"}, "FILE", false, "save them and leave", func(m *model, arg string) {
			m.saver.Save(arg, false, func() { m.ending.quit = true })
		}, nil},
		{[]string{"q", "quit"}, "", false, "leave; asks when live packets are not saved",
			func(m *model, _ string) { m.control.Quit() }, nil},
		{[]string{"q!", "quit!"}, "", false, "leave without asking", func(m *model, _ string) { m.ending.quit = true }, nil},
		{[]string{"goto"}, "NUMBER", true, "go to a packet, as :123 does",
			func(m *model, arg string) { m.list.GoToCommand(arg) }, nil},
		{[]string{"time", "t"}, "TIME", true, "go to a time: 12:00:03, +1.5s from here, 12.5s from the start",
			goToTime, nil},
		{[]string{"comment"}, "TEXT", true, "a comment on the packet",
			func(m *model, text string) { m.comments.Add(text) }, nil},
		{[]string{"filter"}, "FILTER", false, "show the packets that match; all without one", (*model).applyFilter,
			func(m *model, arg string) []complete.Offer { return m.line.Completer.Offers(arg, len(arg)) }},
		{[]string{"find"}, "TEXT", true, "find text or 0xBYTES in packets", func(m *model, arg string) {
			if m.search.Text = arg; arg != "" {
				m.search.Find(1)
			}
		}, nil},
		{[]string{"decode-as"}, "TABLE==NUMBER,PROTOCOL", true, "dissect as told, as in udp.port==7000,touhou",
			func(m *model, arg string) { decoder(m).Command(arg) },
			func(m *model, arg string) []complete.Offer { return decoder(m).Offers(arg) }},
		{[]string{"open", "e"}, "FILE", false, "open another file, or choose what to listen to",
			func(m *model, path string) { m.control.Open(path) },
			func(m *model, arg string) []complete.Offer { return m.control.Offers(arg) }},
		{[]string{"play"}, "SPEED", false,
			"play the file as if it were live, 1 as captured; while it plays: the speed, 0 the rest at once",
			func(m *model, arg string) { m.control.Play(arg) }, nil},
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
		{[]string{"match"}, "", false, "a game while it runs: players, latency, round trips, stalls, desync",
			func(m *model, _ string) { m.views.OpenMatch() }, nil},
		{[]string{"objects"}, "", false, "export objects: files that HTTP, SMB, FTP, TFTP and mails carry",
			func(m *model, _ string) { m.views.Open(objects.New(viewContext{m})) }, nil},
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
			func(m *model, arg string) { m.list.ColumnCommand(arg) }, columnOffers},
		{[]string{"sort"}, "NAME", false, "sort by a column, a minus in front turns round; as captured without one",
			func(m *model, arg string) { m.list.SortCommand(arg) }, columnOffers},
		{[]string{"time-format"}, "FORMAT", true, "how times are written",
			func(m *model, arg string) { m.list.ClockCommand(arg) },
			func(_ *model, arg string) []complete.Offer { return complete.Words(arg, print.Clocks) }},
		{[]string{"fav"}, "NAME", true, "keep the filter under a name, or bring it back",
			func(m *model, name string) { m.lists.favourites.Use(name) },
			favouriteOffers},
		{[]string{"unfav"}, "NAME", true, "forget a kept filter",
			func(m *model, name string) { m.lists.favourites.Forget(name) }, favouriteOffers},
		{[]string{"profile"}, "NAME", false, "take the settings of a profile, or say which there are",
			(*model).profileCommand, func(m *model, arg string) []complete.Offer {
				return complete.Shift(m.profileOffers("profile "+arg), -len("profile "))
			}},
		{[]string{"set", "se"}, "NAME=VALUE", true,
			"mouse, theme, ascii, names, colorize, time, resolve or capture_filter, until remora is left",
			func(m *model, arg string) { m.foot.Notice = settable(m).Command(arg) },
			func(m *model, arg string) []complete.Offer { return settable(m).Offers(arg) }},
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

// goToTime goes to the packet shown at a time.
func goToTime(m *model, text string) {
	n := m.packets.Store.Len()
	if n == 0 {
		return
	}
	here := moment.Here{Selected: m.packets.Store.Time(max(0, int(m.selected.Frame)-1)), Epoch: m.packets.Epoch(),
		First: m.packets.Store.Time(0), Last: m.packets.Store.Time(n - 1), Zone: time.Local}
	if strings.HasPrefix(m.list.Clock, "u") {
		here.Zone = time.UTC
	}
	at, err := moment.Parse(text, here)
	if err != nil {
		m.foot.Notice = err.Error()
		return
	}
	m.ribbon.GoToTime(at)
}

// decoder has packets decoded as another protocol.
func decoder(m *model) *decode.Decoder {
	return decode.New(decodeContext{boxContext{viewContext{m}}}, m.cfg.ParseDecodeAs, m.cfg.Source.KeepDecodeAs)
}

// columnOffers are the columns, and fields that may be some.
func columnOffers(m *model, arg string) []complete.Offer {
	typed, _ := strings.CutPrefix(arg, "-")
	var words [][2]string
	for _, c := range columns.All(m.list.Columns) {
		if c.Field == nil {
			words = append(words, [2]string{c.Title, "column"})
		}
	}
	out := complete.Words(typed, words)
	if typed != "" {
		out = append(out, m.line.Completer.Offers(typed, len(typed))...)
	}
	return complete.Shift(out, len(arg)-len(typed))
}

func favouriteOffers(m *model, arg string) []complete.Offer { return m.lists.favourites.Offers(arg) }
