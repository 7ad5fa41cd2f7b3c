package ui

import (
	"cmp"
	"strings"
	"time"

	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/complete"
	"remora/ui/decode"
	"remora/ui/keys"
	"remora/ui/moment"
	"remora/ui/palette"
	"remora/ui/print"
	"remora/ui/view/coloring"
	columnsview "remora/ui/view/columns"
	"remora/ui/view/flow"
	"remora/ui/view/objects"
	"remora/ui/view/properties"
	"remora/ui/view/rates"
	"remora/ui/view/tcpgraph"
	"remora/ui/view/undissected"
	"remora/ui/views"
)

// A command is what is typed behind a colon. Actions can be typed there as well, by their names.
type command struct {
	names []string // the first is the one that is shown
	arg   string   // what follows it, in capitals; "" nothing
	must  bool     // it does nothing without
	help  string
	do    func(m *model, arg string)
	args  func(m *model, arg string) []complete.Offer // what may follow
	does  act.Action                                  // the action that it stands for, too
}

// commands are all of them, in the order in which they are offered.
func commands() []command {
	return []command{
		{[]string{"w", "write", "save"}, "FILE", false, "save the packets shown",
			func(m *model, arg string) { m.saver.Save(arg, false, nil) }, nil, act.Save},
		{[]string{"w!", "write!", "save!"}, "FILE", false, "save them, replacing a file that is there",
			func(m *model, arg string) { m.saver.Save(arg, true, nil) }, nil, act.None},
		{[]string{"anonymise", "anonymize"}, "FILE", false,
			"save the packets shown with other addresses and names, without payload",
			func(m *model, arg string) { m.saver.Anonymise(arg) }, nil, act.None},
		{[]string{"export-pdus"}, "LAYER FILE", false,
			"write what is inside the packets shown: what TLS carries and SIP (7), TCP and UDP (4), ESP and SCTP (3)",
			func(m *model, arg string) { m.saver.Export(arg, false) }, nil, act.None},
		{[]string{"strip-headers"}, "IP FILE", false, "write the packets of IP or Ethernet within those shown",
			func(m *model, arg string) { m.saver.Export(arg, true) }, nil, act.None},
		{[]string{"wq", "x"}, "FILE", false, "save them and leave", func(m *model, arg string) {
			m.saver.Save(arg, false, func() { m.ending.quit = true })
		}, nil, act.None},
		{[]string{"q", "quit", "tabclose", "tabc"}, "", false,
			"leave the tab, or with the last one the program; asks when live packets are not saved",
			func(m *model, _ string) { m.control.Quit() }, nil, act.Quit},
		{[]string{"q!", "quit!"}, "", false, "leave without asking", func(m *model, _ string) { m.ending.quit = true }, nil,
			act.QuitNow},
		{[]string{"qa", "qall", "quitall"}, "", false, "leave all tabs; asks for each whose packets are not saved",
			func(m *model, _ string) { m.look.program.QuitAll() }, nil, act.None},
		{[]string{"qa!", "qall!", "quitall!"}, "", false, "leave all tabs without asking",
			func(m *model, _ string) { m.look.program.QuitNow() }, nil, act.None},
		{[]string{"goto"}, "NUMBER", true, "go to a packet, as :123 does",
			func(m *model, arg string) { m.list.GoToCommand(arg) }, nil, act.GoTo},
		{[]string{"time", "t"}, "TIME", true, "go to a time: 12:00:03, +1.5s from here, 12.5s from the start",
			goToTime, nil, act.None},
		{[]string{"comment"}, "TEXT", true, "a comment on the packet",
			func(m *model, text string) { m.comments.Add(text) }, nil, act.None},
		{[]string{"filter"}, "FILTER", false, "show the packets that match; all without one", (*model).applyFilter,
			func(m *model, arg string) []complete.Offer { return m.line.Completer.Offers(arg, len(arg)) }, act.None},
		{[]string{"capture-filter"}, "FILTER", false, "make a capture filter of the display filter, for the next capture",
			makeCaptureFilter, func(m *model, arg string) []complete.Offer { return m.line.Completer.Offers(arg, len(arg)) },
			act.None},
		{[]string{"find"}, "TEXT", true, "find text or 0xBYTES in packets", func(m *model, arg string) {
			if m.search.Text = arg; arg != "" {
				m.search.Find(1)
			}
		}, nil, act.None},
		{[]string{"decode-as"}, "TABLE==NUMBER,PROTOCOL", true, "dissect as told, as in udp.port==7000,touhou",
			func(m *model, arg string) { decoder(m).Command(arg) },
			func(m *model, arg string) []complete.Offer { return decoder(m).Offers(arg) }, act.None},
		{[]string{"open", "e"}, "FILE", false, "open another file, or choose what to listen to",
			openPath,
			func(m *model, arg string) []complete.Offer { return m.control.Offers(arg) }, act.None},
		{[]string{"reload", "e!", "edit!"}, "", false, "read the file anew; the filter and the selected packet stay",
			func(m *model, _ string) { m.control.Reload() }, nil, act.None},
		{[]string{"close"}, "", false, "close the capture, and choose another source",
			func(m *model, _ string) { m.control.Close() }, nil, act.Close},
		{[]string{"file-set"}, "", false, "the files of the set that the open one belongs to", openSet, nil, act.FileSet},
		{[]string{"files", "browse"}, "FOLDER", false,
			"the captures of a folder: type, size, packets, duration, first packets",
			openFiles, func(m *model, arg string) []complete.Offer { return m.control.Offers(arg) }, act.None},
		{[]string{"tabnew", "tabedit", "tabe"}, "FILE", false, "open a file in a tab of its own, or choose a source there",
			openTab, func(m *model, arg string) []complete.Offer { return m.control.Offers(arg) }, act.None},
		{[]string{"tabnext", "tabn"}, "NUMBER", false, "show the next tab, or that of a number", goToTab, nil, act.NextTab},
		{[]string{"tabprevious", "tabp"}, "", false, "show the previous tab",
			func(m *model, _ string) { m.look.program.Step(-1) }, nil, act.PrevTab},
		{[]string{"merge"}, "FILE", true, "open a file together with this one: the packets of both, by their times",
			func(m *model, arg string) { m.control.Merge(arg) },
			func(m *model, arg string) []complete.Offer { return m.control.Offers(arg) }, act.None},
		{[]string{"import"}, "FILE", true, "make packets of a hex dump; options of text2pcap may follow, such as -u 1000,69",
			func(m *model, arg string) { m.control.Import(arg) },
			func(m *model, arg string) []complete.Offer { return m.control.Offers(arg) }, act.None},
		{[]string{"play"}, "SPEED", false,
			"play the file as if it were live, 1 as captured; while it plays: the speed, 0 the rest at once",
			func(m *model, arg string) { m.control.Play(arg) }, nil, act.None},
		{[]string{"time-shift"}, "SPAN", false,
			"all times later (+1.5s) or earlier; 5 12:00:03 is packet 5's time, 5 12:00, 9 12:01 two; nothing: as captured",
			func(m *model, arg string) { m.control.Shift(arg, m.moments()) }, nil, act.None},
		{[]string{"rates"}, "FILTER,FILTER", false, "rates over time of what filters match",
			func(m *model, arg string) { m.views.Open(rates.New(viewContext{m}, print.SplitFilters(arg)...)) }, nil, act.Rates},
		{[]string{"plot"}, "FIELD,FIELD", true, "plot numbers over time, a lane for each",
			func(m *model, arg string) { m.views.PlotNamed(arg) }, nil, act.None},
		{[]string{"conversations", "conv"}, "LAYER", false, "conversations of a layer: eth, ip, tcp, udp and others",
			func(m *model, arg string) { m.views.OpenPart("Conversations", arg) }, layerOffers, act.Conversations},
		{[]string{"endpoints"}, "LAYER", false, "statistics: endpoints of a layer",
			func(m *model, arg string) { m.views.OpenPart("Endpoints", arg) }, layerOffers, act.None},
		{[]string{"response-times", "srt"}, "", false, "statistics: response times, by protocol and request",
			func(m *model, _ string) { m.views.OpenPart("Response times", "") }, nil, act.Responses},
		{[]string{"hierarchy"}, "", false, "statistics: protocol hierarchy",
			func(m *model, _ string) { m.views.OpenPart("Protocol hierarchy", "") }, nil, act.None},
		{[]string{"ports"}, "", false, "statistics: ports", func(m *model, _ string) { m.views.OpenPart("Ports", "") }, nil,
			act.None},
		{[]string{"players"}, "", false, "statistics: what each player of a game sent",
			func(m *model, _ string) { m.views.OpenPart("Players", "") }, nil, act.None},
		{[]string{"expert-info", "expert"}, "", false, "expert info: errors, warnings, notes, chats",
			func(m *model, _ string) { m.views.OpenTab(views.Expert) }, nil, act.TabExpert},
		{[]string{"process", "owner"}, "", false, "which process of this machine has the sockets of the selected packet",
			showOwners, nil, act.None},
		{[]string{"properties"}, "", false, "what is known of the capture",
			func(m *model, _ string) { m.views.Open(properties.New(viewContext{m})) }, nil, act.Properties},
		{[]string{"unknown"}, "", false, "undissected traffic, and what it looks like",
			func(m *model, _ string) { m.views.Open(undissected.New(viewContext{m}, openLab(m))) }, nil, act.Unknown},
		{[]string{"lab"}, "", false, "what the bytes of the packets shown may be, one message below the other",
			func(m *model, _ string) { openLab(m)("") }, nil, act.None},
		{[]string{"scripts", "lua"}, "", false, "menus, windows and output of Lua scripts, and a line of Lua",
			openScripts, nil, act.None},
		{[]string{"desync"}, "", false, "games: players, phases, and where the two sides differ (desync)",
			func(m *model, _ string) { m.views.OpenGames() }, nil, act.Desync},
		{[]string{"match"}, "", false, "a game while it runs: players, latency, round trips, stalls, desync",
			func(m *model, _ string) { m.views.OpenMatch() }, nil, act.Match},
		{[]string{"flow-graph", "ladder"}, "", false, "flow graph: the packets shown as arrows between their ends",
			func(m *model, _ string) { m.views.Open(flow.New(viewContext{m})) }, nil, act.FlowGraph},
		{[]string{"calls", "voip", "sip-flows"}, "", false, "calls with their legs, streams and states",
			func(m *model, _ string) { openCalls(m, false)() }, nil, act.Calls},
		{[]string{"rtp-streams"}, "", false, "streams of RTP: loss, jitter, and their sound as a file",
			func(m *model, _ string) { openCalls(m, true)() }, nil, act.None},
		{[]string{"tcp-graph"}, "GRAPH", false, "TCP stream graph: sequence, throughput, round-trip or window",
			openStreamGraph, func(_ *model, arg string) []complete.Offer { return complete.Words(arg, tcpgraph.Names) },
			act.StreamGraph},
		{[]string{"objects"}, "", false, "export objects: files that HTTP, SMB, FTP, TFTP and mails carry",
			func(m *model, _ string) { m.views.Open(objects.New(viewContext{m})) }, nil, act.Objects},
		{[]string{"export"}, "FILE", false, "save the numbers of the view: CSV, or JSON by the name",
			func(m *model, arg string) {
				if arg == "" {
					m.startExport()
				} else {
					m.views.Export(arg, false)
				}
			}, nil, act.Export},
		{[]string{"export!"}, "FILE", true, "save them, replacing a file that this screen wrote",
			func(m *model, arg string) { m.views.Export(arg, true) }, nil, act.None},
		{[]string{"shot"}, "FILE", false, "save the screen: SVG, terminal's sequences (.ansi) or text by the name",
			func(m *model, arg string) { m.shotCommand(arg, false) }, nil, act.None},
		{[]string{"shot!"}, "FILE", true, "save the screen, replacing a file that this screen wrote",
			func(m *model, arg string) { m.shotCommand(arg, true) }, nil, act.None},
		{[]string{"packet-diagram", "diagram"}, "", false, "packet diagram: the layer in rows of 32 bits, or the bytes",
			func(m *model, _ string) { m.do(act.Diagram, 0) }, nil, act.Diagram},
		{[]string{"columns"}, "default", false, "choose the columns of the list; default: those of the settings",
			func(m *model, arg string) { columnsview.Command(boxContext{viewContext{m}}, m.list, arg) }, nil, act.Sort},
		{[]string{"column"}, "NAME", true, "show or leave out a column or a field as one",
			func(m *model, arg string) { m.list.ColumnCommand(arg) }, columnOffers, act.None},
		{[]string{"sort"}, "NAME", false, "sort by a column, a minus in front turns round; as captured without one",
			func(m *model, arg string) { m.list.SortCommand(arg) }, columnOffers, act.None},
		{[]string{"time-format"}, "FORMAT", true, "how times are written",
			func(m *model, arg string) { m.list.ClockCommand(arg) },
			func(_ *model, arg string) []complete.Offer { return complete.Words(arg, print.Clocks) }, act.None},
		{[]string{"fav"}, "NAME", true, "keep the filter under a name, or bring it back",
			func(m *model, name string) { m.lists.favourites.Use(name) },
			favouriteOffers, act.None},
		{[]string{"unfav"}, "NAME", true, "forget a kept filter",
			func(m *model, name string) { m.lists.favourites.Forget(name) }, favouriteOffers, act.None},
		{[]string{"map"}, "KEY KEYS", false, "give a key an action's name, or other keys to press: :map f5 gf<enter>",
			func(m *model, arg string) { m.lists.macros.Map(arg) }, nil, act.None},
		{[]string{"unmap"}, "KEY", true, "take from a key what :map gave it",
			func(m *model, arg string) { m.lists.macros.Unmap(arg) }, nil, act.None},
		{[]string{"profile"}, "NAME", false, "take the settings of a profile, or say which there are",
			(*model).profileCommand, func(m *model, arg string) []complete.Offer {
				return complete.Shift(m.profileOffers("profile "+arg), -len("profile "))
			}, act.None},
		{[]string{"set", "se"}, "NAME=VALUE", true,
			"mouse, theme, ascii, names, colorize, time, resolve or capture_filter, until remora is left",
			func(m *model, arg string) { m.foot.Notice = settable(m).Command(arg) },
			func(m *model, arg string) []complete.Offer { return settable(m).Offers(arg) }, act.None},
		{[]string{"keep"}, "", false, "keep in the settings what :decode-as, d or :set changed last", keepLast, nil,
			act.None},
		{[]string{"preferences", "settings"}, "WORD", false,
			"settings and preferences of protocols, keys and ports: seen, changed, kept", openSettings, nil, act.None},
		{[]string{"coloring", "colouring"}, "import FILE", false,
			"the coloring rules; on, off, or import those of Wireshark's file",
			func(m *model, arg string) { m.coloring.Command(arg) },
			func(_ *model, arg string) []complete.Offer { return coloring.Offers(arg) }, act.ColoringRules},
		{[]string{"help", "h"}, "", false, "all keys", func(m *model, _ string) { m.help.Open() }, nil, act.Help},
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
		bound := palette.Command{Names: c.names, Arg: c.arg, Must: c.must, Help: c.help, Does: c.does}
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
	if m.packets.Store.Len() == 0 {
		return
	}
	at, err := moment.Parse(text, m.moments())
	if err != nil {
		m.foot.Notice = err.Error()
		return
	}
	m.ribbon.GoToTime(at)
}

// moments are what times that are typed may be relative to.
func (m *model) moments() moment.Here {
	here := moment.Here{Zone: time.Local}
	if strings.HasPrefix(m.list.Clock, "u") {
		here.Zone = time.UTC
	}
	if n := m.packets.Store.Len(); n > 0 {
		here.Selected = m.packets.Store.Time(max(0, int(m.selected.Frame)-1))
		here.Epoch = m.packets.EpochAt(m.selected.Frame)
		here.First, here.Last = m.packets.Store.Time(0), m.packets.Store.Time(n-1)
	}
	return here
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

// layerOffers are the layers whose conversations are counted.
func layerOffers(m *model, arg string) []complete.Offer {
	var words [][2]string
	for _, l := range stats.Layers(m.packets.Session.Registry()) {
		words = append(words, [2]string{cmp.Or(l.Name, "all"), l.Title})
	}
	return complete.Words(arg, words)
}
