// Package keys declares the keys of the screen and what they do, changes them as a person wants them, and writes them
// for people.
package keys

import (
	"slices"

	"remora/ui/act"
)

// A Key is one line of the help: the keys as people write them, and what they do.
type Key struct {
	Keys string
	Help string

	Names []string // as Bubble Tea names them
	Act   act.Action
}

// A Group is a part of the help.
type Group struct {
	Title string
	Keys  []Key
}

// Table is the one declaration of the keys: it feeds the dispatch, the help and docs/keys.md.
var Table = []Group{
	{"Move", []Key{
		{"j k ↓ ↑", "next and previous line; a number in front repeats", []string{"j", "down"}, act.Down},
		{"", "", []string{"k", "up"}, act.Up},
		{"PgDn PgUp Ctrl-D Ctrl-U", "a page, half a page", []string{"pgdown"}, act.PageDown},
		{"", "", []string{"pgup"}, act.PageUp},
		{"", "", []string{"ctrl+d"}, act.HalfDown},
		{"", "", []string{"ctrl+u"}, act.HalfUp},
		{"gg G Home End", "first and last; 123G and :123 go to packet 123", []string{"home", "ctrl+home"}, act.First},
		{"", "", []string{"G", "end", "ctrl+end"}, act.Last},
		{"Ctrl-G", "go to a packet by its number", []string{"ctrl+g"}, act.GoTo},
		{"F8 F7 Ctrl-↓ Ctrl-↑", "next and previous packet, from any pane", []string{"f8", "ctrl+down"}, act.NextPacket},
		{"", "", []string{"f7", "ctrl+up"}, act.PrevPacket},
		{"* #", "next and previous packet of the same type", []string{"*"}, act.SameNext},
		{"", "", []string{"#"}, act.SamePrev},
		{"} {", "next and previous packet of the same conversation", []string{"}"}, act.ConversationNext},
		{"", "", []string{"{"}, act.ConversationPrev},
		{"%", "the partner: request or response, the other end of a link", []string{"%"}, act.Partner},
		{"ma 'a", "put the mark a on the packet; go to it", []string{"m"}, act.Mark},
		{"", "", []string{"'"}, act.ToMark},
		{"]m [m", "next and previous packet that is picked or has a mark", nil, act.None},
		{"]n [n", "next and previous packet with expert info; ]c and [c: with a comment", nil, act.None},
		{"]T [T", "next and previous time reference", []string{"ctrl+alt+n"}, act.ReferenceNext},
		{"", "", []string{"ctrl+alt+b"}, act.ReferencePrev},
		{"Space", "pick or tick: packets for comparing and saving, facets, columns, rules, packet types",
			[]string{"space"}, act.Select},
		{"'' Alt-←", "back to where the last jump began", []string{"alt+left"}, act.Back},
		{"Alt-→", "forward again to where going back began", []string{"alt+right"}, act.Forward},
	}},
	{"Panes", []Key{
		{"Tab Shift-Tab", "next and previous pane", []string{"tab"}, act.NextPane},
		{"", "", []string{"shift+tab"}, act.PrevPane},
		{"h l ← →", "list: scroll sideways; tree: close and open; bytes: move", []string{"h", "left"}, act.Left},
		{"", "", []string{"l", "right"}, act.Right},
		{"Enter", "list: to the tree; tree: open, close or follow a link; bytes: to the field", []string{"enter"}, act.Open},
		{"zR zM Ctrl-→ Ctrl-←", "open all, close all", []string{"ctrl+right"}, act.OpenAll},
		{"", "", []string{"ctrl+left"}, act.CloseAll},
		{"zO zC Shift-→ Shift-←", "open or close the selected line and all below it", []string{"shift+right"}, act.OpenBelow},
		{"", "", []string{"shift+left"}, act.CloseBelow},
		{"\\", "zoom the pane", []string{"\\"}, act.Zoom},
		{"|", "next arrangement of the panes", []string{"|"}, act.Arrange},
		{"+ - < >", "height of the list or of the bytes, width of the tree; Ctrl-W and = makes them as they were at first",
			[]string{"+"}, act.Bigger},
		{"", "", []string{"-"}, act.Smaller},
		{"", "", []string{">"}, act.Wider},
		{"", "", []string{"<"}, act.Narrower},
	}},
	{"Views", []Key{
		{"gp gt gc gn", "packets, packet types, statistics, expert info", nil, act.None},
		{"gC gR", "conversations; response times", nil, act.None},
		{"gi gr", "properties of the file; packets or bytes a second over time, by filters", nil, act.None},
		{"gu", "undissected traffic, and what it looks like", nil, act.None},
		{"gd", "games: players, phases, and where the two sides differ (desync)", nil, act.None},
		{"gm", "a game while it runs: players, latency, round trips, stalls on a time line, desync", nil, act.None},
		{"go", "export objects: files that HTTP, SMB, FTP, TFTP and mails carry", nil, act.None},
		{"gf gl", "follow the conversation of the packet; the flow graph of the packets shown", nil, act.None},
		{"gs gv", "TCP stream graphs; calls with their legs, and streams of RTP", nil, act.None},
		{"b", "rates: packets or bytes a second; packet types and statistics: sort by bytes, or by packets", []string{"b"},
			act.Measure},
		{"e", "save what a view shows: CSV, or JSON by the file's ending", []string{"e"}, act.Export},
		{";", "write a comment on the packet, or change it; empty takes it away", []string{";"}, act.Comment},
		{"i I", "ignore the packet: not counted, not dissected; ignore none", []string{"i"}, act.Ignore},
		{"", "", []string{"I"}, act.IgnoreNone},
		{"Mm MM Mi MI", "of all packets shown: pick them, pick none of them; ignore them, ignore none of them",
			[]string{"ctrl+shift+m"}, act.MarkShown},
		{"", "", []string{"ctrl+shift+d"}, act.IgnoreShown},
		{"Mc MT", "delete all comments of packets, after asking; unset all time references", nil, act.None},
		{"D", "compare the packets picked, or this one with the last of its type", []string{"D"}, act.Compare},
		{"P", "plot the selected number over time, of the packets shown; on another one: a curve more", []string{"P"},
			act.Plot},
		{"v", "following: messages, text, hex, C array, ladder; bytes: select from here; comparing: all fields; types: " +
			"rate or gaps", []string{"v"}, act.Reading},
		{"Ctrl-F n N", "find in the view one is in: packets, tree or bytes (Tab: what), lines of statistics; next, previous",
			[]string{"ctrl+f"}, act.Find},
		{"", "", []string{"n", "ctrl+n"}, act.FindNext},
		{"", "", []string{"N"}, act.FindPrev},
		{"s", "list: columns, sorting; packet types, statistics: next order; bytes: next source", []string{"s"}, act.Sort},
	}},
	{"Filter", []Key{
		{"/", "edit the display filter, in every view; Enter applies, Esc keeps the old one, Tab completes",
			[]string{"/"}, act.Filter},
		{"f", "facets: tick protocols and packet types; there Space ticks, l and h unfold, s sorts, Ctrl-F searches",
			[]string{"f"}, act.Facets},
		{"o x", "only this packet's type, or hide it; in the facets: the line's", []string{"o"}, act.Only},
		{"", "", []string{"x"}, act.Hide},
		{"u", "the filter, the columns, the order or the comments before this", []string{"u"}, act.Undo},
		{"X", "all packets again, at the same packet", []string{"X"}, act.ClearFilter},
		{"Esc", "go back: ends what goes on, closes and unselects; no filter is lost by it", []string{"esc"}, act.Escape},
		{"=", "filter by the selected field, or by the packet's type", []string{"="}, act.UseField},
		{"as an aa ao aA aO", "use it: alone, not it, and, or, and not, or not; A instead of a only writes it", nil,
			act.None},
		{"aH", "a coloring rule for it", nil, act.None},
	}},
	{"Capture and files", []Key{
		{"F", "follow the newest packet", []string{"F"}, act.Follow},
		{"p", "freeze the picture; the capture goes on", []string{"p"}, act.Freeze},
		{"Ctrl-E Ctrl-R", "stop or start the capture; restart it, or reload a file", []string{"ctrl+e"}, act.ToggleCapture},
		{"", "", []string{"ctrl+r"}, act.Restart},
		{"Ctrl-O Ctrl-K", "choose another source: interfaces, games, files, ssh", []string{"ctrl+o", "ctrl+k"}, act.Sources},
		{"]f [f gF", "next and previous file of a file set; the list of its files", nil, act.None},
		{"]t [t Ctrl-PgDn Ctrl-PgUp", "next and previous tab of those that :tabnew FILE opens; 2]t: the second one",
			[]string{"ctrl+pgdown"}, act.NextTab},
		{"", "", []string{"ctrl+pgup"}, act.PrevTab},
		{"w :w FILE", "save the packets shown", []string{"w"}, act.Save},
		{"t", "next time format; types: over the capture, the last 60 s, the last 10 s", []string{"t"}, act.Time},
		{"T", "a time reference: times behind it are relative to this packet; again: no more",
			[]string{"T", "ctrl+t"}, act.Reference},
		{"r", "names or addresses", []string{"r"}, act.Names},
		{"yy yv yl yt yj y=", "copy the row, the value, the line of the tree, the tree, the packet as JSON, the filter", nil,
			act.None},
		{"yh yc yg yp yb ye", "copy the bytes: hexadecimal, for C, Go, Python, base64, a text with escapes", nil, act.None},
		{"yf", "write what was copied last to a file", nil, act.None},
		{"W", "bytes on a line: 8, 16, 32, or what suits the width; following: save what is under the cursor alone",
			[]string{"W"}, act.ByteWidth},
		{"E", "the text beside the bytes: ASCII, UTF-8, CP1252, Shift-JIS, UTF-16", []string{"E"}, act.ByteText},
		{"B", "packet diagram in place of the bytes: the layer's fields in rows of 32 bits", []string{"B"}, act.Diagram},
		{"d", "decode the conversation as another protocol", []string{"d"}, act.DecodeAs},
		{"K", "what the selected field is; bytes: what they would be as anything", []string{"K"}, act.Explain},
		{"H gH", "coloring rules on or off; the rules themselves; 1H to 6H: a colour for the conversation", []string{"H"},
			act.Coloring},
		{"~", "dim values that are as in the last packet of the type, or do not", []string{"~"}, act.Changed},
		{"C", "the selected field as a column; again: no column", []string{"C"}, act.Column},
	}},
	{"Program", []Key{
		{": Ctrl-P",
			"every command and action, found as one types: :123, :time 12:00:03, :time +1.5s, :w FILE, :comment TEXT, :q!",
			[]string{":", "ctrl+p"}, act.Command},
		{"? F1", "this help", []string{"?", "f1"}, act.Help},
		{"Ctrl-L Ctrl-Z", "redraw; suspend", []string{"ctrl+l"}, act.Redraw},
		{"", "", []string{"ctrl+z"}, act.Suspend},
		{"q ZZ Ctrl-C",
			"leave the tab, and with the last one the program; asks when live packets are not saved (ZZ and :q! never ask); " +
				"Ctrl-C first stops a capture",
			[]string{"q"}, act.Quit},
		{"", "", []string{"ctrl+c"}, act.Interrupt},
	}},
}

// sequences are the keys of two letters.
var sequences = map[string]act.Action{"gg": act.First, "zR": act.OpenAll, "zM": act.CloseAll, "zO": act.OpenBelow,
	"zC": act.CloseBelow, "ZZ": act.QuitNow, "za": act.Open, "zo": act.Right, "zc": act.Left, "''": act.Back,
	"gH": act.ColoringRules, "aH": act.ColourBy,
	"gu": act.Unknown, "gd": act.Desync, "gm": act.Match, "go": act.Objects, "gl": act.FlowGraph, "gv": act.Calls,
	"gs": act.StreamGraph,
	"gC": act.Conversations, "gR": act.Responses,
	"gp": act.TabPackets, "gt": act.TabTypes, "gc": act.TabStatistics, "gn": act.TabExpert, "gf": act.FollowStream,
	"gi": act.Properties, "gr": act.Rates,
	"yy": act.CopyRow, "yv": act.CopyValue, "yt": act.CopyTree, "y=": act.CopyFilter, "yh": act.CopyHex, "yc": act.CopyC,
	"yg": act.CopyGo, "yp": act.CopyPython, "yb": act.CopyBase64, "yj": act.CopyJSON, "yl": act.CopyLine,
	"ye": act.CopyEscaped, "yf": act.CopyFile,
	"]m": act.MarkNext, "[m": act.MarkPrev, "]n": act.NoteNext, "[n": act.NotePrev, "]c": act.CommentNext,
	"[c": act.CommentPrev, "]t": act.NextTab, "[t": act.PrevTab, "]T": act.ReferenceNext, "[T": act.ReferencePrev,
	"Mm": act.MarkShown, "MM": act.UnmarkShown, "Mi": act.IgnoreShown, "MI": act.UnignoreShown, "Mc": act.CommentNone,
	"MT": act.ReferenceNone, "]f": act.NextFile, "[f": act.PrevFile, "gF": act.FileSet,
	"as": act.UseThis, "an": act.UseNot, "aa": act.UseAnd, "ao": act.UseOr, "aA": act.UseAndNot, "aO": act.UseOrNot,
	"As": act.WriteThis, "An": act.WriteNot, "Aa": act.WriteAnd, "Ao": act.WriteOr, "AA": act.WriteAndNot,
	"AO": act.WriteOrNot}

// Declared are the keys for documentation: lines without a text of their own are left out.
func Declared() []Group {
	var out []Group
	for _, g := range slices.Concat(Table, Layers) {
		keys := slices.DeleteFunc(slices.Clone(g.Keys), func(k Key) bool { return k.Keys == "" })
		out = append(out, Group{g.Title, keys})
	}
	return out
}

// Layers are the keys that go before those of the table while a line is typed in, while a source is chosen, in the
// facets, and while a question is asked.
var Layers = []Group{
	{"While typing", []Key{
		{"Enter", "accept the input", []string{"enter"}, act.LineAccept},
		{"Esc Ctrl-C Ctrl-G", "leave it", []string{"esc", "ctrl+c", "ctrl+g"}, act.LineCancel},
		{"Tab", "take the choice under the cursor; mend a mistake; search elsewhere; in the chooser: the next line",
			[]string{"tab"}, act.LineTake},
		{"↓ ↑ Ctrl-N Ctrl-P", "next and previous choice; without choices: history", []string{"down", "ctrl+n"}, act.LineNext},
		{"", "", []string{"up", "ctrl+p"}, act.LinePrev},
		{"F1", "what the choice is", []string{"f1"}, act.LineExplain},
		{"← → Ctrl-B Ctrl-F", "a character to the left, to the right", []string{"left", "ctrl+b"}, act.LineLeft},
		{"", "", []string{"right", "ctrl+f"}, act.LineRight},
		{"Alt-B Alt-F Ctrl-← Ctrl-→", "a word to the left, to the right", []string{"alt+b", "ctrl+left"}, act.LineWordLeft},
		{"", "", []string{"alt+f", "ctrl+right"}, act.LineWordRight},
		{"Home End Ctrl-A Ctrl-E", "to the start, to the end", []string{"home", "ctrl+a"}, act.LineStart},
		{"", "", []string{"end", "ctrl+e"}, act.LineEnd},
		{"Backspace Ctrl-H Delete", "delete the character before the cursor, under it", []string{"backspace", "ctrl+h"},
			act.LineRubOut},
		{"", "", []string{"delete"}, act.LineDelete},
		{"Ctrl-W Ctrl-U Ctrl-K", "delete the word before the cursor, all before it, all behind it", []string{"ctrl+w"},
			act.LineCutWord},
		{"", "", []string{"ctrl+u"}, act.LineCutBefore},
		{"", "", []string{"ctrl+k"}, act.LineCutAfter},
	}},
	{"Choosing a source", []Key{
		{"/ f Tab", "type a capture filter", []string{"/", "f", "tab"}, act.SourceFilter},
		{"o", "open a file by its name; 1 to 9: a recent file", []string{"o"}, act.SourceFile},
		{"s", "capture on another machine, over ssh", []string{"s"}, act.SourceRemote},
		{"w", "the file to write packets to", []string{"w"}, act.SourceWrite},
		{"b a n", "how much is kept, when it stops by itself, how many bytes of each packet", []string{"b"}, act.SourceKeep},
		{"", "", []string{"a"}, act.SourceStop},
		{"", "", []string{"n"}, act.SourceLength},
		{"p", "capture promiscuously, or do not", []string{"p"}, act.SourceQuiet},
		{"l m", "the link-layer header type; monitor mode of wireless interfaces, or not", []string{"l"}, act.SourceLink},
		{"", "", []string{"m"}, act.SourceMonitor},
		{"r", "to the recent files", []string{"r"}, act.SourceRecent},
		{"d Delete", "delete a recovered capture; remove a recent file", []string{"d", "delete"}, act.SourceDiscard},
		{"g", "first line", []string{"g"}, act.First},
	}},
	{"In the facets", []Key{
		{"A", "tick everything", []string{"A"}, act.FacetsAll},
	}},
	{"Answering", []Key{
		{"Enter", "the answer under the cursor", []string{"enter"}, act.AnswerTake},
		{"↓ ↑ Tab Shift-Tab", "next and previous answer", []string{"down", "tab"}, act.AnswerNext},
		{"", "", []string{"up", "shift+tab"}, act.AnswerPrev},
		{"y", "yes", []string{"y"}, act.AnswerYes},
		{"n Esc q Ctrl-C", "go back", []string{"n", "esc", "q", "ctrl+c"}, act.AnswerNo},
		{"w", "save first, or under another name", []string{"w"}, act.AnswerSave},
		{"d", "go on without saving", []string{"d"}, act.AnswerDiscard},
		{"k t", "keep it in the settings; for this run alone", []string{"k"}, act.AnswerKeep},
		{"", "", []string{"t"}, act.AnswerRun},
	}},
}

// layerNames are the layers of the groups of Layers.
var layerNames = []string{act.InLine, act.InSources, act.InFacets, act.InAnswers}

// overSources are the actions of the screen that are done while a source is chosen, too.
var overSources = []act.Action{act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp, act.First,
	act.Last, act.Select, act.Open,
	act.Quit, act.Escape, act.Interrupt, act.QuitNow, act.Suspend, act.Redraw, act.Help, act.NextTab, act.PrevTab}
