package dissect

// The engine's own fields, with Wireshark's names where Wireshark has them.
var (
	ws = NewProtocol("_ws", "remora", "What the analyser itself has to say about a packet.")

	fMalformed = ws.Expert("malformed", Error, "Malformed packet").About(AboutMalformed)
	fShort     = ws.Expert("short", Chat, "Packet size limited during capture")
	fParted    = ws.Expert("unreassembled", Hint, "Unreassembled fragment (change preferences to enable reassembly)")
	fPanic     = ws.Expert("plugin_error", Error, "A dissector failed on this packet; the rest of the packet is left out").
			About(AboutMalformed)
	fBudget = ws.Expert("budget", Error, "This packet takes too much work to dissect; the rest of it is left out").
		About(AboutMalformed)
	fEvicted = ws.Expert("evicted", Hint,
		"Earlier bytes that belong to this were evicted; the rest of the packet is left out")
	fWatchdog = ws.Expert("watchdog", Error, "Dissection gave up after 1 s; the rest of the packet is left out").
			About(AboutMalformed)
	fOff = ws.Expert("dissector_off", Error, "A dissector that took too long several times is switched off").
		About(AboutMalformed)
	fTooMany = ws.Expert("too_many_items", Error, "Too many items; the rest of the packet is left out").
			About(AboutMalformed)
	fTooDeep = ws.Expert("too_deep", Error, "Too many protocols inside one another; the rest is left out").
			About(AboutMalformed)
	fUnread   = ws.Expert("unreadable", Error, "The bytes of this packet cannot be read any more").About(AboutMalformed)
	fLost     = ws.Expert("lost", Warn, "Bytes of the stream are missing in front of this message")
	fLong     = ws.Expert("stream_left_out", Warn, "A part of the stream is left out: it is too long, or too much")
	fExpert   = ws.Label("expert", "Expert note", "The packet has expert info of any kind.").Hidden()
	fSeverity = ws.Uint32("expert.severity", "Severity level", "Severity of the expert info.").
			Named(expertValues(Error)).Hidden()
	fGroup = ws.Uint32("expert.group", "Group", "What the expert info is about.").
		Named(expertValues(AboutDeprecated)).Hidden()
	fMessage = ws.String("expert.message", "Message", "Text of the expert info.").Hidden()
	fUnclaim = ws.UnknownBytes("unclaimed", "Unclaimed bytes", "Bytes of a protocol that none of its fields claims.").
			Own()
	fReason = ws.String("recognized", "Recognised by",
		"Why the packet was taken for this protocol where ports and numbers leave it open.").Derived().Own()

	fKnownIn = ws.FrameRef("known_in", "Recognised later in",
		"The later packet that told which protocol this conversation is; this one passed before it. Decode as shows it.").
		Own()

	fUnlike = ws.Expert("unlike", Hint, "Not the protocol of its port").Own()

	ends     = NewProtocol("end", "Ends", "Names and roles of the two ends of a packet, once known.")
	fRole    = bare(ends, "role", "Role", "Role of either end: host, client, server, spectator.")
	fRoleSrc = bare(ends, "role.src", "Source role", "Role of the sender.").Also(fRole)
	fRoleDst = bare(ends, "role.dst", "Destination role", "Role of the receiver.").Also(fRole)
	fName    = bare(ends, "name", "Name", "Name of either end, as the protocols told it.")
	fNameSrc = bare(ends, "name.src", "Source name", "Name of the sender.").Also(fName)
	fNameDst = bare(ends, "name.dst", "Destination name", "Name of the receiver.").Also(fName)
	fDir     = bareField(ends.Uint8("dir", "Direction",
		"Which way the packet goes in its conversation: forth like the first packet of it, or back.").
		Named(Values{0: "forth", 1: "back"}).Derived().Hidden(), "dir")

	fTop = bareField(ends.String("top", "Top protocol",
		"The filter name of the protocol that the packet counts as: the one in the Protocol column.").Derived().Hidden(),
		"frame.top")
	fType = bareField(ends.String("type", "Packet type",
		"The packet types that the packet counts as: those of the protocol in the Protocol column.").Derived().Hidden(),
		"frame.type")

	fPath = bareField(ends.String("path", "Path", "The filter names of the protocols on top of each other, "+
		"outermost first, joined by colons; several of one kind in a row once: eth:ip:udp:dns.").Derived().Hidden(),
		"frame.path")
	fConversation = bareField(ends.Uint32("talk", "Conversation", "The number of the packet's conversation, of whatever "+
		"kind; in a tunnel the numbers of those outside and inside. Packets that are only quoted are of none.").Derived().
		Hidden(), "talk")

	fColProtocol = bareField(ends.String("protocol", "Protocol column", "What the list's Protocol column says.").Derived().
			Hidden(), "_ws.col.protocol")
)

// bare declares a field whose filter name has no protocol in front.
func bare(p *Protocol, name, label, doc string) *Field {
	return bareField(p.String(name, label, doc).Derived().Hidden(), name)
}

func bareField(f *Field, name string) *Field {
	f.name = name
	return f
}
