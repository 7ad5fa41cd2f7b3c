package touhou

import (
	"remora/dissect"
)

var (
	fHint = proto.Uint32("hint", "Port hint", "Which port the sender's next packet will come from: 0 is its source "+
		"port, a small number is added to it, a large one is the port itself.").HexDec()
	fPredicted = proto.Uint16("hint.port", "Predicted port",
		"The port that the hint stands for, by the rule as far as it is known.").Derived()
	fPurpose = proto.Uint8("hello.purpose", "Purpose",
		"Connecting, asking a parent to punch, or the host's keep-alive.").Named(purposes).Derived()
	fRound = proto.Uint32("round", "Round",
		"Which attempt this is; HELLOs come in rounds of five about every 0.129 s, INIT_REQUEST is repeated alone.").Derived()
	fPunchedIn = proto.FrameRef("punched_in", "Punched in", "The PUNCH that the parent sent for this request.")
	fHelloIn   = proto.FrameRef("hello_in", "Asked for in", "The punch request behind this PUNCH.")
	fPunchIn   = proto.FrameRef("punch_in", "Punched by", "The PUNCH that made the sender answer.")
	fOllehIn   = proto.FrameRef("olleh_in", "Opened in", "The OLLEH that the child sent to the punched address.")
	fSentIn    = proto.FrameRef("redirected_in", "Redirected in", "The REDIRECT that sent the asker here.")
	fFollowed  = proto.FrameRef("followed_in", "Followed in",
		"The first HELLO or INIT_REQUEST that the receiver sent to the child, or for it.")
	fRivals = proto.Uint8("hello.rivals", "Rounds open",
		"Rounds of HELLOs that this OLLEH may answer: a round trip above 129 ms leaves several open.").Derived()
	fMachine = proto.String("machine", "Main socket", "Main socket of the program whose second socket sent this.").
			Derived()

	fGameID = proto.Bytes("gameid", "Game id",
		"Version, unlocked characters and net mod of the sender; only equal ids play together.")
	fGameMod = proto.String("gameid.name", "Build", "The build that the game id stands for.").Derived()
	fPort4   = proto.Uint16("init.hint", "Port hint", "The port hint of the sender's fourth HELLO, or leftover memory.").
			HexDec()
	fByte19 = proto.Uint8("init.unknown", "Unknown", "1 in nearly all programs, 4 in one; nobody knows why.").Hex().
		Unknown()
	fSize    = proto.Uint16("init.size", "Data size", "Size of the data that follows the header.").In("bytes")
	fAsk     = proto.Uint8("init.request", "Request", "Whether the sender wants to play or to watch.").Named(requestTypes)
	fNameLen = proto.Uint8("init.namelen", "Name length", "Length of the profile name.").In("bytes")
	fProfile = proto.String("init.name", "Profile name", "Profile name of the one who wants to play.").
			Encoded(dissect.ShiftJISOrGBK).Also(fName)
	fName = proto.String("name", "Name", "Profile name of a player.").Encoded(dissect.ShiftJISOrGBK)

	fSpectate = proto.Uint32("init.spectate", "Spectate info",
		"Whether the match may be watched, and whether the receiver is a spectator.").Hex().Named(spectateInfo)
	fHostName = proto.String("host.name", "Host name", "Profile name of the host.").Encoded(dissect.ShiftJISOrGBK).
			Also(fName)
	fClientName = proto.String("client.name", "Client name", "Profile name of the client.").Encoded(dissect.ShiftJISOrGBK).
			Also(fName)
	fNoSWR     = proto.Uint32("init.noswr", "SWR disabled", "1 when Scarlet Weather Rhapsody is not linked.").Named(yesNo)
	fZero      = proto.UnknownBytes("init.zero", "Unknown", "Always zero.")
	fReason    = proto.Uint32("init.reason", "Reason", "Why the request was refused.").Named(reasons)
	fRedirects = proto.Uint8("redirect.count", "Redirected",
		"How often the receiver was redirected so far in this capture.").Derived()
	fChild = proto.Uint32("redirect.child", "Child id", "Number of the child to try next, from 1.")

	nRounds = proto.Expert("hello.unanswered", dissect.Hint, "HELLO repeated without a response")
	nRivals = proto.Expert("olleh.rivals", dissect.Chat,
		"Several rounds of HELLOs were open: the round trip may be that of another")
	nUnasked = proto.Expert("olleh.unasked", dissect.Chat, "No HELLO or PUNCH that this answers was captured")
	nIgnored = proto.Expert("init.ignored", dissect.Warn,
		"INIT_REQUEST repeated without a response although OLLEH arrived: perhaps another game version or mod")
	nRefused = proto.Expert("init.refused", dissect.Hint, "The request was refused")
	nNoNames = proto.Expert("init.nonames", dissect.Chat,
		"Short answer: the names were sent before this capture began, or never arrived")
	nKeep     = proto.Expert("hello.alive", dissect.Chat, "Keep-alive of the host")
	nFamily   = proto.Expert("init.size.bad", dissect.Warn, "The data size is not the one that every known program sends")
	nNameLong = proto.Expert("init.name.bad", dissect.Warn, "The name length does not fit into the packet")
)

const (
	purposeConnect = iota + 1
	purposePunch
	purposeAlive
)

// keepAliveHint is what the host's keep-alives carry instead of a port hint.
const keepAliveHint = 0xBC000000

// dissectHello reads a HELLO (37 bytes): peer, target, port hint.
func dissectHello(d *dissect.D) {
	peer := peerSocket.read(d)
	target := targetSocket.read(d)
	hint := uint32(d.Uint(fHint))
	if d.Short() {
		return
	}
	purpose, predicted := purposeConnect, predict(d.Src.Port, hint)
	switch {
	case peer != target:
		purpose = purposePunch
	case hint == keepAliveHint:
		purpose = purposeAlive
	}
	if predicted != 0 && purpose != purposeAlive {
		d.Set(fPredicted, uint64(predicted))
	}
	d.Set(fPurpose, uint64(purpose))
	n := remember(d, &helloNotes, func(w *world) helloNote { return w.hello(d, purpose, target, predicted) })
	d.Set(fRound, uint64(n.round))
	if purpose == purposePunch {
		d.Links().ShowForward(fPunchedIn)
	} else {
		d.Request(keyHello<<56|uint64(d.Dir)<<32|uint64(n.index), fAnsweredIn)
	}
	d.Link(n.redirect, fFollowed, fSentIn)
	if n.main != (dissect.Endpoint{}) && d.Wanted(fMachine) {
		d.SetText(fMachine, n.main.String())
	}
	switch {
	case purpose == purposeAlive:
		d.Expert(nKeep)
		d.Info().Set("keep-alive to {peer.ip}:{peer.port}")
	case purpose == purposePunch:
		d.Info().Set("round {round} asks {peer.ip}:{peer.port} to punch {target.ip}:{target.port}[, port {hint.port}]")
	default:
		if n.round > 8 {
			d.Expert(nRounds)
		}
		d.Info().Set("round {round} to {peer.ip}:{peer.port}")
	}
}

// predict is the port that a hint stands for, or 0. Where small ends and large begins nobody knows; hints between are
// left alone.
func predict(source uint16, hint uint32) uint16 {
	switch {
	case hint <= 255:
		return source + uint16(hint)
	case hint >= 1024 && hint < 1<<16:
		return uint16(hint)
	}
	return 0
}

// dissectPunch reads a PUNCH (21 bytes): an address and four zeros.
func dissectPunch(d *dissect.D) {
	address := punchSocket.read(d)
	d.Bytes(fUnknown, 4)
	if d.Short() {
		return
	}
	n := remember(d, &linkNotes, func(w *world) linkNote { return w.punch(d, address) })
	d.Link(n.frame, fPunchedIn, fHelloIn)
	d.Links().ShowForward(fOllehIn)
	showTree(d, n)
	d.Info().Set("answer to {address.ip}:{address.port}")
}

// dissectOlleh reads an OLLEH (1 byte): the type says all.
func dissectOlleh(d *dissect.D) {
	n := remember(d, &linkNotes, func(w *world) linkNote { return w.olleh(d) })
	if n.count > 0 {
		d.Response(keyHello<<56|uint64(1-d.Dir)<<32|uint64(n.count), fAnsweredIn, fRequestIn, fTime)
	}
	d.Link(n.frame, fOllehIn, fPunchIn)
	if n.rivals > 0 {
		d.Set(fRivals, uint64(n.rivals))
		d.Expert(nRivals)
	}
	if n.flags&flagUnasked != 0 {
		d.Expert(nUnasked)
	}
	if d.Info().Wanted() {
		d.Info().Setf("to %s", d.Dst)
	}
}

// dissectInitRequest reads an INIT_REQUEST (65 bytes); what follows the name is uninitialised.
func dissectInitRequest(d *dissect.D, whole []byte) {
	id := string(d.Bytes(fGameID, 16))
	if d.Short() {
		return
	}
	if d.Wanted(fGameMod) {
		d.SetText(fGameMod, gameName(id))
	}
	d.Uint(fPort4)
	d.Uint(fByte19)
	d.Bytes(fUninit, 1)
	if size := d.Uint(fSize); size != 40 && !d.Short() {
		d.Expert(nFamily)
	}
	d.Bytes(fUninit, 2)
	ask := d.Uint(fAsk)
	var name string
	if ask == 1 {
		switch n := int(d.Uint(fNameLen)); {
		case n <= d.Left():
			name = text(d.Bytes(fProfile, n))
		case d.CutShort():
			name = text(d.Bytes(fProfile, d.Left()))
			d.Skip(1)
		default:
			d.Expert(nNameLong)
		}
	}
	if rest := 65 - len(whole) + d.Left(); rest > 0 && !d.Short() {
		d.Bytes(fUninit, rest)
	}
	if d.Short() && (!d.CutShort() || len(whole) <= 25) { // the request itself is not there
		return
	}
	n := remember(d, &linkNotes, func(w *world) linkNote { return w.ask(d, id, ask == 1, name) })
	d.Set(fRound, uint64(n.count))
	d.Request(keyInit<<56|uint64(d.Dir)<<32, fAnsweredIn)
	d.Transcript().Repeats(n.frame)
	d.Link(n.redirect, fFollowed, fSentIn)
	if n.flags&flagIgnored != 0 {
		d.Expert(nIgnored)
	}
	showTree(d, n)
	d.Info().Set("{init.request:name}[ as {init.name}], {gameid.name}")
	if n.count > 1 {
		d.Info().Set("(attempt {round})")
	}
}

// text decodes a profile name.
func text(b []byte) string { return dissect.ShiftJISOrGBK.Decode(b) }

// nameLen is the width of the names in INIT_SUCCESS.
const nameLen = 32

// dissectInitSuccess reads an INIT_SUCCESS: a header of 13 bytes, and with data size 68 both names and the SWR flag.
func dissectInitSuccess(d *dissect.D, whole []byte) {
	d.Bytes(fZero, 2)
	d.Bytes(fUninit, 2)
	info := uint32(d.Uint(fSpectate))
	size := d.Uint(fSize)
	d.Bytes(fUninit, 2)
	var host, client string
	if size != 0 {
		host, client = paddedName(d, fHostName), paddedName(d, fClientName)
		d.Uint(fNoSWR)
	}
	if d.Short() && (!d.CutShort() || len(whole) < 11) { // the size is not there
		return
	}
	if size != 0 && size != 68 {
		d.Expert(nFamily)
	}
	d.Response(keyInit<<56|uint64(1-d.Dir)<<32, fAnsweredIn, fRequestIn, fTime)
	n := remember(d, &linkNotes, func(w *world) linkNote { return w.accept(d, info, host, client) })
	if size == 0 && n.flags&flagNamesKnown == 0 {
		d.Expert(nNoNames)
	}
	showTree(d, n)
	d.Info().Set("[{host.name} vs {client.name}, ]{init.spectate:name}")
}

// paddedName reads 32 bytes: the name to its NUL, and garbage behind it that must not be taken for text.
func paddedName(d *dissect.D, f *dissect.Field) string {
	b := d.Data()
	b = b[:min(len(b), nameLen)]
	n := 0
	for n < len(b) && b[n] != 0 {
		n++
	}
	switch {
	case len(b) < nameLen && d.CutShort() && n == len(b):
		name := text(d.Bytes(f, n))
		d.Skip(1)
		return name
	case len(b) < nameLen && !d.CutShort():
		return text(d.Padded(f, nameLen))
	case n == nameLen:
		return text(d.Bytes(f, nameLen))
	}
	name := text(d.Padded(f, n+1))
	if n+1 < nameLen {
		d.Below(func() { d.Bytes(fUninit, nameLen-n-1) })
	}
	return name
}

// dissectInitError reads an INIT_ERROR (5 bytes): the reason.
func dissectInitError(d *dissect.D) {
	d.Uint(fReason)
	if d.Short() {
		return
	}
	d.Response(keyInit<<56|uint64(1-d.Dir)<<32, fAnsweredIn, fRequestIn, fTime)
	remember(d, &linkNotes, func(w *world) linkNote { w.answered(d); return linkNote{} })
	d.Expert(nRefused)
	d.Info().Set("refused: {init.reason:name}")
}

// dissectRedirect reads a REDIRECT (69 bytes): a child's number and address; the rest is leftover memory.
func dissectRedirect(d *dissect.D) {
	d.Uint(fChild)
	target := targetSocket.read(d)
	d.Bytes(fUninit, 48)
	if d.Short() {
		return
	}
	d.Response(keyInit<<56|uint64(1-d.Dir)<<32, fAnsweredIn, fRequestIn, fTime)
	n := remember(d, &linkNotes, func(w *world) linkNote { return w.redirect(d, target) })
	d.Set(fRedirects, uint64(min(n.count, 255)))
	d.Links().ShowForward(fFollowed)
	showTree(d, n)
	d.Info().Set("try child {redirect.child} at {target.ip}:{target.port}")
}

func dissectQuit(d *dissect.D) {
	n := remember(d, &linkNotes, func(w *world) linkNote { return w.quit(d) })
	showTree(d, n)
	if d.Info().Wanted() {
		d.Info().Setf("leaves %s", d.Dst)
	}
}
