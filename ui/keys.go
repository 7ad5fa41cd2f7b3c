package ui

import "slices"

// An action is something a key does.
type action int

const (
	actNone action = iota
	actDown
	actUp
	actPageDown
	actPageUp
	actHalfDown
	actHalfUp
	actFirst
	actLast
	actLeft
	actRight
	actOpen
	actOpenAll
	actCloseAll
	actOpenBelow
	actCloseBelow
	actNextPane
	actPrevPane
	actNextPacket
	actPrevPacket
	actSameNext
	actSamePrev
	actTalkNext
	actTalkPrev
	actPartner
	actBack
	actForward
	actFilter
	actClearFilter
	actUseField
	actFollow
	actFreeze
	actTime
	actNames
	actZoom
	actBigger
	actSmaller
	actWider
	actNarrower
	actArrange
	actFacets
	actSelect
	actOnly
	actHide
	actColumn
	actReference
	actUndo
	actExplain
	actCompare
	actPlot
	actFind
	actChanged
	actSort
	actReading
	actFindNext
	actFindPrev
	actTabPackets
	actTabTypes
	actTabTalkers
	actTabNotes
	actFollowStream
	actProperties
	actUnknown
	actDesync
	actMeasure
	actExport
	actRates
	actSave
	actCommand
	actHelp
	actToggleCapture
	actRestart
	actSources
	actInterrupt
	actSuspend
	actRedraw
	actQuit
	actColoring
	actMark
	actToMark
	actCopyRow
	actCopyValue
	actCopyTree
	actCopyFilter
	actCopyHex
	actCopyC
	actCopyGo
	actCopyPython
	actCopyBase64
	actCopyJSON
	actCopyLine
	actCopyEscaped
	actCopyFile
	actUseThis
	actUseNot
	actUseAnd
	actUseOr
	actUseAndNot
	actUseOrNot
	actWriteThis
	actWriteNot
	actWriteAnd
	actWriteOr
	actWriteAndNot
	actWriteOrNot
	actComment
	actIgnore
	actIgnoreNone
	actMarkNext
	actMarkPrev
	actNoteNext
	actNotePrev
	actCommentNext
	actCommentPrev
	actByteWidth
	actByteText
	actDecodeAs
	actGoTo
	actQuitNow
)

// A Key is one line of the help: the keys as people write them, and what they do.
type Key struct {
	Keys string
	Help string

	names []string // as Bubble Tea names them
	act   action
}

// A KeyGroup is a part of the help.
type KeyGroup struct {
	Title string
	Keys  []Key
}

// keyTable is the one declaration of the keys: it feeds the dispatch, the help and the README.
var keyTable = []KeyGroup{
	{"Move", []Key{
		{"j k ↓ ↑", "next and previous line; a number in front repeats", []string{"j", "down"}, actDown},
		{"", "", []string{"k", "up"}, actUp},
		{"PgDn PgUp Ctrl-D Ctrl-U", "a page, half a page", []string{"pgdown"}, actPageDown},
		{"", "", []string{"pgup"}, actPageUp},
		{"", "", []string{"ctrl+d"}, actHalfDown},
		{"", "", []string{"ctrl+u"}, actHalfUp},
		{"gg G Home End", "first and last; 123G and :123 go to packet 123", []string{"home", "ctrl+home"}, actFirst},
		{"", "", []string{"G", "end", "ctrl+end"}, actLast},
		{"Ctrl-G", "go to a packet by its number", []string{"ctrl+g"}, actGoTo},
		{"F8 F7 Ctrl-↓ Ctrl-↑", "next and previous packet, from any pane", []string{"f8", "ctrl+down"}, actNextPacket},
		{"", "", []string{"f7", "ctrl+up"}, actPrevPacket},
		{"* #", "next and previous packet of the same type", []string{"*"}, actSameNext},
		{"", "", []string{"#"}, actSamePrev},
		{"} {", "next and previous packet of the same conversation", []string{"}"}, actTalkNext},
		{"", "", []string{"{"}, actTalkPrev},
		{"%", "the partner: answer or question, the other end of a link", []string{"%"}, actPartner},
		{"ma 'a", "put the mark a on the packet; go to it", []string{"m"}, actMark},
		{"", "", []string{"'"}, actToMark},
		{"]m [m", "next and previous packet that is picked or has a mark", nil, actNone},
		{"]n [n", "next and previous packet with a note; ]c and [c: with a comment", nil, actNone},
		{"Space", "pick the packet, for comparing and saving", []string{"space"}, actSelect},
		{"'' Alt-←", "back to where the last jump began", []string{"alt+left"}, actBack},
		{"Alt-→", "forward again to where going back began", []string{"alt+right"}, actForward},
	}},
	{"Panes", []Key{
		{"Tab Shift-Tab", "next and previous pane", []string{"tab"}, actNextPane},
		{"", "", []string{"shift+tab"}, actPrevPane},
		{"h l ← →", "tree: close and open; bytes: move", []string{"h", "left"}, actLeft},
		{"", "", []string{"l", "right"}, actRight},
		{"Enter", "list: to the tree; tree: open, close or follow a link; bytes: to the field", []string{"enter"}, actOpen},
		{"zR zM Ctrl-→ Ctrl-←", "open all, close all", []string{"ctrl+right"}, actOpenAll},
		{"", "", []string{"ctrl+left"}, actCloseAll},
		{"zO zC Shift-→ Shift-←", "open or close the selected line and all below it", []string{"shift+right"}, actOpenBelow},
		{"", "", []string{"shift+left"}, actCloseBelow},
		{"\\", "zoom the pane", []string{"\\"}, actZoom},
		{"|", "next arrangement of the panes", []string{"|"}, actArrange},
		{"+ - < >", "height of the list or of the bytes, width of the tree", []string{"+"}, actBigger},
		{"", "", []string{"-"}, actSmaller},
		{"", "", []string{">"}, actWider},
		{"", "", []string{"<"}, actNarrower},
	}},
	{"Views", []Key{
		{"gp gt gc gn", "packets, types, talkers, notes", nil, actNone},
		{"gi gr", "properties of the file; packets or bytes a second over time, by filters", nil, actNone},
		{"gu", "traffic that no protocol takes, and what it looks like", nil, actNone},
		{"gd", "games: what each side was told of every frame, and where it differs", nil, actNone},
		{"gf", "follow the conversation of the packet", nil, actNone},
		{"b", "rates: packets or bytes a second; types and talkers: sort by bytes, or by packets", []string{"b"}, actMeasure},
		{"e", "save what a view shows: CSV, or JSON when the file is called so", []string{"e"}, actExport},
		{";", "write a comment on the packet, or change it; empty takes it away", []string{";"}, actComment},
		{"i I", "ignore the packet: not counted, not dissected; ignore none", []string{"i"}, actIgnore},
		{"", "", []string{"I"}, actIgnoreNone},
		{"D", "compare the packets picked, or this one with the last of its type", []string{"D"}, actCompare},
		{"P", "plot the selected number over time, of the packets shown; on another one: a curve more", []string{"P"}, actPlot},
		{"v", "following: messages, text or bytes; bytes: select from here; comparing: all fields", []string{"v"}, actReading},
		{"Ctrl-F n N", "find in packets, or in the tree or the bytes from there (Tab: what); next, previous", []string{"ctrl+f"}, actFind},
		{"", "", []string{"n", "ctrl+n"}, actFindNext},
		{"", "", []string{"N"}, actFindPrev},
		{"s", "list: columns, sorting; types, talkers: next order; bytes: next source", []string{"s"}, actSort},
	}},
	{"Filter", []Key{
		{"/", "edit the display filter; Enter applies, Esc keeps the old one, Tab completes", []string{"/"}, actFilter},
		{"f", "facets: tick protocols and packet types; there Space ticks, l and h unfold, s sorts, Ctrl-F searches", []string{"f"}, actFacets},
		{"o x", "only this packet's type, or hide it; in the facets: the line's", []string{"o"}, actOnly},
		{"", "", []string{"x"}, actHide},
		{"u", "the filter, the columns or the order before this", []string{"u"}, actUndo},
		{"Esc", "all packets again, at the same packet; ends a search or a save first", []string{"esc"}, actClearFilter},
		{"=", "filter by the selected field, or by the packet's type", []string{"="}, actUseField},
		{"as an aa ao aA aO", "use it: alone, not it, and, or, and not, or not; A instead of a only writes it", nil, actNone},
	}},
	{"Capture and files", []Key{
		{"F", "follow the newest packet", []string{"F"}, actFollow},
		{"p", "freeze the picture; the capture goes on", []string{"p"}, actFreeze},
		{"Ctrl-E Ctrl-R", "stop or start the capture; start it anew", []string{"ctrl+e"}, actToggleCapture},
		{"", "", []string{"ctrl+r"}, actRestart},
		{"Ctrl-O Ctrl-K", "open something else: interfaces, games heard, files, ssh", []string{"ctrl+o", "ctrl+k"}, actSources},
		{"w :w FILE", "save the packets shown", []string{"w"}, actSave},
		{"t", "next time format", []string{"t"}, actTime},
		{"T", "times relative to this packet; again: to the first", []string{"T", "ctrl+t"}, actReference},
		{"r", "names or addresses", []string{"r"}, actNames},
		{"yy yv yl yt yj y=", "copy the row, the value, the line of the tree, the tree, the packet as JSON, the filter", nil, actNone},
		{"yh yc yg yp yb ye", "copy the bytes: hexadecimal, for C, Go, Python, base64, a text with escapes", nil, actNone},
		{"yf", "write what was copied last to a file", nil, actNone},
		{"W", "bytes on a line: 8, 16, 32, as many as fit", []string{"W"}, actByteWidth},
		{"E", "the text beside the bytes: ASCII, UTF-8, CP1252, Shift-JIS, UTF-16", []string{"E"}, actByteText},
		{"d", "decode the conversation as another protocol", []string{"d"}, actDecodeAs},
		{"K", "what the selected field is; bytes: what they would be as anything", []string{"K"}, actExplain},
		{"H", "coloring rules on or off; 1H to 6H: a colour for the conversation", []string{"H"}, actColoring},
		{"~", "dim what is as in the last packet of the type, or do not", []string{"~"}, actChanged},
		{"C", "the selected field as a column; again: no column", []string{"C"}, actColumn},
	}},
	{"Program", []Key{
		{": Ctrl-P", "every command and action, found as one types: :123, :time 12:00:03, :time +1.5s, :w FILE, :comment TEXT, :q!", []string{":", "ctrl+p"}, actCommand},
		{"? F1", "this help", []string{"?", "f1"}, actHelp},
		{"Ctrl-L Ctrl-Z", "draw anew; suspend", []string{"ctrl+l"}, actRedraw},
		{"", "", []string{"ctrl+z"}, actSuspend},
		{"q ZZ Ctrl-C", "leave; asks when live packets are not saved (ZZ and :q! never ask); Ctrl-C first stops a capture", []string{"q"}, actQuit},
		{"", "", []string{"ctrl+c"}, actInterrupt},
	}},
}

// sequences are the keys of two letters.
var sequences = map[string]action{"gg": actFirst, "zR": actOpenAll, "zM": actCloseAll, "zO": actOpenBelow, "zC": actCloseBelow, "ZZ": actQuitNow, "za": actOpen, "zo": actRight, "zc": actLeft, "''": actBack,
	"gu": actUnknown, "gd": actDesync,
	"gp": actTabPackets, "gt": actTabTypes, "gc": actTabTalkers, "gn": actTabNotes, "gf": actFollowStream, "gi": actProperties, "gr": actRates,
	"yy": actCopyRow, "yv": actCopyValue, "yt": actCopyTree, "y=": actCopyFilter, "yh": actCopyHex, "yc": actCopyC, "yg": actCopyGo, "yp": actCopyPython, "yb": actCopyBase64, "yj": actCopyJSON, "yl": actCopyLine, "ye": actCopyEscaped, "yf": actCopyFile,
	"]m": actMarkNext, "[m": actMarkPrev, "]n": actNoteNext, "[n": actNotePrev, "]c": actCommentNext, "[c": actCommentPrev,
	"as": actUseThis, "an": actUseNot, "aa": actUseAnd, "ao": actUseOr, "aA": actUseAndNot, "aO": actUseOrNot,
	"As": actWriteThis, "An": actWriteNot, "Aa": actWriteAnd, "Ao": actWriteOr, "AA": actWriteAndNot, "AO": actWriteOrNot}

// Keys are the keys for documentation: lines without a text of their own are left out.
func Keys() []KeyGroup {
	var out []KeyGroup
	for _, g := range keyTable {
		keys := slices.DeleteFunc(slices.Clone(g.Keys), func(k Key) bool { return k.Keys == "" })
		out = append(out, KeyGroup{g.Title, keys})
	}
	return out
}

// press turns a key into an action and a count. Digits, first keys of several and letters of marks wait for more.
func (m *model) press(key string) (action, int) {
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' && m.pendingKey == "" && (m.count > 0 || key != "0") {
		m.count = min(m.count*10+int(key[0]-'0'), 1<<30)
		return actNone, 0
	}
	n, before, keys := m.count, m.pendingKey, key
	if before != "" {
		keys = before + " " + key
	}
	act := m.keymap.does[keys]
	if m.takes != actNone && act == actNone {
		m.markKey(key)
		return actNone, 0
	}
	if m.keymap.waits[keys] || takesLetter(act) {
		m.pendingKey, m.takes = keys, act
		return actNone, 0
	}
	m.pendingKey, m.count, m.takes = "", 0, actNone
	if act == actNone && before != "" && key != "esc" && key != "ctrl+c" {
		m.notice = "there is no " + keyLabel(keys)
	}
	return act, n
}
