package act

// table names every action and says what it does. Settings bind keys to the names, which stay the same whatever keys do it.
var table = [...]struct{ name, help string }{
	Down:          {"move.down", "next line"},
	Up:            {"move.up", "previous line"},
	PageDown:      {"move.page-down", "a page down"},
	PageUp:        {"move.page-up", "a page up"},
	HalfDown:      {"move.half-down", "half a page down"},
	HalfUp:        {"move.half-up", "half a page up"},
	First:         {"move.first", "first line, or the packet of the number in front"},
	Last:          {"move.last", "last line, or the packet of the number in front"},
	Left:          {"move.left", "tree: close; bytes: one to the left"},
	Right:         {"move.right", "tree: open; bytes: one to the right"},
	Open:          {"move.open", "list: to the tree; tree: open, close or follow a link; bytes: to the field"},
	Back:          {"move.back", "back to where the last jump began"},
	Forward:       {"move.forward", "forward again to where going back began"},
	OpenAll:       {"tree.open-all", "open the whole tree"},
	CloseAll:      {"tree.close-all", "close the whole tree"},
	OpenBelow:     {"tree.open-below", "open the selected line and all below it"},
	CloseBelow:    {"tree.close-below", "close the selected line and all below it"},
	Changed:       {"tree.changes", "dim what is as in the last packet of the type, or do not"},
	NextPane:      {"pane.next", "next pane"},
	PrevPane:      {"pane.previous", "previous pane"},
	Zoom:          {"pane.zoom", "zoom the pane, or do not"},
	Bigger:        {"pane.bigger", "a larger list, or more bytes"},
	Smaller:       {"pane.smaller", "a smaller list, or fewer bytes"},
	Wider:         {"pane.wider", "a wider tree"},
	Narrower:      {"pane.narrower", "a narrower tree"},
	Arrange:       {"pane.arrange", "next arrangement of the panes"},
	NextPacket:    {"packet.next", "next packet, from any pane"},
	PrevPacket:    {"packet.previous", "previous packet, from any pane"},
	SameNext:      {"packet.next-of-type", "next packet of the same type"},
	SamePrev:      {"packet.previous-of-type", "previous packet of the same type"},
	TalkNext:      {"packet.next-of-conversation", "next packet of the same conversation"},
	TalkPrev:      {"packet.previous-of-conversation", "previous packet of the same conversation"},
	Partner:       {"packet.partner", "the partner: answer or question, the other end of a link"},
	Select:        {"packet.pick", "pick the packet, for comparing and saving; facets: tick"},
	Compare:       {"packet.compare", "compare the packets picked, or this one with the last of its type"},
	Mark:          {"packet.mark", "put a mark on the packet: a letter follows"},
	ToMark:        {"packet.to-mark", "go to the packet with a mark: a letter follows"},
	Comment:       {"packet.comment", "write a comment on the packet"},
	Ignore:        {"packet.ignore", "ignore the packet, or do not"},
	IgnoreNone:    {"packet.ignore-none", "ignore no packet"},
	MarkNext:      {"packet.next-marked", "next packet that is picked or has a mark"},
	MarkPrev:      {"packet.previous-marked", "previous packet that is picked or has a mark"},
	NoteNext:      {"packet.next-note", "next packet with a note"},
	NotePrev:      {"packet.previous-note", "previous packet with a note"},
	CommentNext:   {"packet.next-comment", "next packet with a comment"},
	CommentPrev:   {"packet.previous-comment", "previous packet with a comment"},
	ByteWidth:     {"bytes.width", "bytes on a line: 8, 16, 32, as many as fit"},
	ByteText:      {"bytes.text", "the text beside the bytes: ASCII, UTF-8, CP1252, Shift-JIS, UTF-16"},
	DecodeAs:      {"packet.decode-as", "decode the conversation as another protocol"},
	Reference:     {"packet.time-reference", "times relative to this packet; again: to the first"},
	Explain:       {"field.explain", "what the selected field is"},
	Column:        {"field.column", "the selected field as a column; again: no column"},
	Plot:          {"field.plot", "plot the selected number over time"},
	GoTo:          {"move.to-number", "go to a packet by its number"},
	Filter:        {"filter.edit", "edit the display filter"},
	ClearFilter:   {"filter.clear", "all packets again; ends a search or a save first"},
	Undo:          {"filter.undo", "the filter, the columns or the order before this"},
	Facets:        {"filter.facets", "tick protocols and packet types"},
	Only:          {"filter.only-type", "only this packet's type"},
	Hide:          {"filter.hide-type", "hide this packet's type"},
	UseField:      {"filter.by-field", "filter by the selected field, or by the packet's type"},
	UseThis:       {"filter.use", "filter by what is selected"},
	UseNot:        {"filter.use-not", "filter by all but what is selected"},
	UseAnd:        {"filter.use-and", "and what is selected"},
	UseOr:         {"filter.use-or", "or what is selected"},
	UseAndNot:     {"filter.use-and-not", "and not what is selected"},
	UseOrNot:      {"filter.use-or-not", "or not what is selected"},
	WriteThis:     {"filter.write", "write a filter for what is selected, to be edited"},
	WriteNot:      {"filter.write-not", "write: not what is selected"},
	WriteAnd:      {"filter.write-and", "write: and what is selected"},
	WriteOr:       {"filter.write-or", "write: or what is selected"},
	WriteAndNot:   {"filter.write-and-not", "write: and not what is selected"},
	WriteOrNot:    {"filter.write-or-not", "write: or not what is selected"},
	Find:          {"find.edit", "find text or 0xBYTES in packets"},
	FindNext:      {"find.next", "next packet that holds it"},
	FindPrev:      {"find.previous", "previous packet that holds it"},
	TabPackets:    {"view.packets", "the packets"},
	TabTypes:      {"view.types", "packet types"},
	TabTalkers:    {"view.talkers", "conversations and ends"},
	TabNotes:      {"view.notes", "notes on what is wrong or odd"},
	Properties:    {"view.properties", "what is known of the file: times, rates, interfaces, hash sums"},
	Unknown:       {"view.unknown", "traffic that no protocol takes, grouped, and what it looks like"},
	Desync:        {"view.desync", "games: what each side was told of every frame, and where it differs"},
	Measure:       {"view.measure", "rates: packets or bytes a second; types and talkers: sort by bytes, or by packets"},
	Export:        {"view.export", "save what a view shows: CSV, or JSON when the file is called so"},
	Rates:         {"view.rates", "packets a second over time, a curve for each of some filters"},
	FollowStream:  {"view.follow", "follow the conversation of the packet"},
	Sort:          {"view.sort", "list: columns, sorting; types, talkers: next order; bytes: next source"},
	Reading:       {"view.reading", "following: messages, text or bytes; bytes: select from here; comparing: all fields"},
	Follow:        {"list.follow", "follow the newest packet"},
	Freeze:        {"list.freeze", "freeze the picture; the capture goes on"},
	Time:          {"list.time-format", "next time format"},
	Names:         {"list.names", "names or addresses"},
	Coloring:      {"list.coloring", "coloring rules on or off"},
	CopyRow:       {"copy.row", "copy the row"},
	CopyValue:     {"copy.value", "copy the value"},
	CopyTree:      {"copy.tree", "copy the tree"},
	CopyFilter:    {"copy.filter", "copy the filter for what is selected"},
	CopyJSON:      {"copy.json", "copy the packet as JSON"},
	CopyHex:       {"copy.hex", "copy the bytes in hexadecimal"},
	CopyC:         {"copy.c", "copy the bytes for C"},
	CopyGo:        {"copy.go", "copy the bytes for Go"},
	CopyPython:    {"copy.python", "copy the bytes for Python"},
	CopyBase64:    {"copy.base64", "copy the bytes in base64"},
	CopyLine:      {"copy.line", "copy the line of the tree"},
	CopyEscaped:   {"copy.escaped", "copy the bytes as a text with escapes"},
	CopyFile:      {"copy.file", "write what was copied last to a file"},
	ToggleCapture: {"capture.toggle", "stop the capture, or start one"},
	Restart:       {"capture.restart", "start the capture anew"},
	Sources:       {"capture.sources", "choose another source: interfaces, files, ssh"},
	Save:          {"file.save", "save the packets shown"},
	Command:       {"program.command", "type a command"},
	Help:          {"program.help", "all keys"},
	Redraw:        {"program.redraw", "draw the screen anew"},
	Suspend:       {"program.suspend", "suspend"},
	Interrupt:     {"program.interrupt", "stop the capture; again: leave"},
	Quit:          {"program.quit", "go back, or leave; asks when live packets are not saved"},
	QuitNow:       {"program.quit-now", "leave without asking"},
}

// Name is what an action is called, as packet.next.
func (a Action) Name() string { return table[a].name }

// Help says in a few words what an action does.
func (a Action) Help() string { return table[a].help }

// All are all actions but None.
func All() []Action {
	var out []Action
	for a := None + 1; int(a) < len(table); a++ {
		out = append(out, a)
	}
	return out
}

// Named is the action of a name, or None.
func Named(name string) Action {
	for _, a := range All() {
		if a.Name() == name {
			return a
		}
	}
	return None
}
