package kaillera

import (
	"remora/dissect"
)

var (
	fNoName = proto.String("noname", "Name",
		"The name that every body begins with, left empty: in messages of clients, and of servers about nobody.")
	fSource   = proto.String("source", "Source", "Who an announcement comes from, as the server calls itself.")
	fUserName = proto.String("user.name", "User", "Name of the user the message is about or from; in brackets: of the "+
		"client of this conversation, or of the user whose id the message has.")
	fUserID = proto.Uint16("user.id", "User id",
		"The server's number of a user; 65535 in requests, where a client leaves it open.").Named(noUser)
	fPing    = proto.Uint32("user.ping", "Ping", "Round trip that the server measured when the user logged in.").In("ms")
	fConnect = proto.Uint8("user.connection", "Connection type",
		"How many frames one sending covers (section 4): 1 LAN to 6 Bad.").Named(connections)
	fUserStat = proto.Uint8("user.status", "User status",
		"What the user does; 2 means connecting on some servers, in a game on others.").Named(userStatuses)
	fEmulator = proto.String("emulator", "Emulator", "Name and version of the emulator.")
	fText     = proto.String("text", "Text", "Chat, reason or announcement, in whatever character set the server is set "+
		"to; decode kaillera.charset==1251 (932, 936, 949, 1252) as kaillera to say which.")
	fAck = proto.Uint32("ack", "Counter", "The numbers 0, 1, 2, 3: only their way there and back is of use.")

	fGameName = proto.String("game.name", "Game",
		"Name of the game; in brackets: of the client's game, or of the game whose id the message has.")
	fGameID = proto.Uint32("game.id", "Game id",
		"The server's number of a game; in the server's JOIN_GAME some servers put a memory address or 0 here.").Named(noGame)
	fStatus = proto.Uint8("game.status", "Game status",
		"0 waiting; 1 and 2 in progress, where servers disagree which is synchronizing and which is playing.").
		Named(gameStatuses)
	fMeans = proto.Uint8("game.phase", "Game phase",
		"What the status means on this server: what a game has when it starts is its synchronizing.").Derived().
		Named(meanings)
	fPlayers = proto.Uint8("game.players", "Players", "Players in the game.")
	fMaximum = proto.Uint8("game.maximum", "Maximum", "Players that the game takes.")

	fDelay = proto.Uint16("frame_delay", "Frame delay",
		"How far a client may run ahead of the server's data: (delay + 1) x connection type - 1 frames.").
		Named(dissect.Values{0xFFFF: "none"})
	fMayLead = proto.Uint16("frame_delay.ahead", "May run ahead",
		"How many frames the client may be ahead of the server's data: (delay + 1) x connection type - 1.").Derived().
		In("frames")
	fPlayer = proto.Uint8("player", "Player number", "Number of a player, counted from 1.").Named(noPlayer)
	fOf     = proto.Uint8("players", "Players", "How many players the game begins with.").Named(noPlayer)

	fRetry = proto.Uint8("retry.subtype", "RetryConnect sub-type", "What a message of the vendor extension is.").
		Named(retrySubtypes)
	fRetryN = proto.Uint16("retry.length", "Payload length", "Bytes of payload that follow.").In("bytes")
	fAction = proto.Uint8("retry.action", "Action", "What the sender asks the others' emulators to do.").
		Named(retryActions)
	fAt      = proto.Int32("retry.frame", "Frame index", "The frame that the action is about.")
	fPayload = proto.Bytes("retry.payload", "Payload", "Payload of a sub-type whose layout no source knows.").Unknown()

	nRejected = proto.Expert("rejected", dissect.Warn, "The server does not let the client in")
	nRefused  = proto.Expert("refused", dissect.Warn, "The server refuses what the client asked for")
	fNoticeIn = proto.FrameRef("notice_in", "Notice in", "What the server said instead of starting the game.")
	nNotice   = proto.Expert("start.refused", dissect.Hint,
		"The server has answered the request before with a notice alone: it did not start the game")
	nKicked  = proto.Expert("kicked", dissect.Warn, "A player was kicked")
	nDropped = proto.Expert("dropped", dissect.Hint, "A player dropped out of the running game")
	fPlayed  = proto.Span("played", "Played for", "Time since all players of the game were ready.").Derived()
	nMixed   = proto.Expert("connection.mixed", dissect.Hint,
		"The players have different connection types: servers of the EmuLinker family do not start such a game")
	nUnasked = proto.Expert("ack.unasked", dissect.Hint,
		"No ACK of the server that this answers was captured: some clients send theirs unasked to seem near")
	nAck = proto.Expert("ack.counter", dissect.Hint, "Not the numbers 0, 1, 2, 3")
)

// body shows what follows the type of message i. A body without the structure of its type is shown as raw bytes, unless
// the capture cut it short.
func (v *view) body(d *dissect.D, i int, cut bool) {
	p := &v.pieces[i]
	if p.typ >= typeCount || grammars[p.typ] == "" {
		v.mark(d, i, nUnknown)
		d.Rest(fRaw)
		v.addInfo(d, i, "")
		return
	}
	s := scan{b: p.body}
	if fits := s.walk(grammars[p.typ]); (!fits || !p.whole()) && !(cut && len(p.body) < p.length-1) {
		v.mark(d, i, nMalformed)
		d.Rest(fRaw)
		return
	}
	switch p.typ {
	case gameData, gameCache:
		v.data(d, i)
	case serverStatus, playerInfo:
		v.lists(d, i)
	case retryConnect:
		v.retry(d, i)
	default:
		v.other(d, i)
	}
	if d.More() {
		v.mark(d, i, nExtra)
		d.Rest(fExtra)
	}
}

// name reads the name that a body begins with, and returns it for texts. about is the field that a name has which is
// not empty.
func (v *view) name(d *dissect.D, about *dissect.Field) string {
	if d.Peek(0) == 0 {
		noName(d)
		return ""
	}
	return v.str(d, about)
}

// other shows the bodies that are neither game data nor lists.
func (v *view) other(d *dissect.D, i int) {
	p := &v.pieces[i]
	var n talkNote
	if v.isNew(i) {
		n = talkNotes.FirstPassIn(d, func(*none) talkNote { return v.out.talk[i] })
	}
	about := fUserName
	if p.typ == serverInfo {
		about = fSource
	}
	if p.typ == keepAlive {
		v.alive(d)
	} else {
		somebody := d.Peek(0) != 0
		who := v.name(d, about)
		if somebody && p.typ == dropGame {
			v.mark(d, i, nDropped)
		}
		switch p.typ {
		case createGame, joinGame, gameStatus, kick, closeGame, startGame, dropGame, ready:
			v.games(d, i, who, &n)
		default:
			v.users(d, i, who, &n)
		}
	}
	v.links(d, i, &n)
}

// noName reads an empty name.
func noName(d *dissect.D) {
	d.CString(fNoName)
	d.Suffix(fNoName, "(none)")
}

// alive reads the one byte of a KEEP_ALIVE, which is an empty name, or another value that is shown as it is.
func (v *view) alive(d *dissect.D) {
	if d.Left() == 1 && d.Peek(0) == 0 {
		noName(d)
	} else {
		d.Rest(fRaw)
	}
}

// users shows messages about users, and chat.
func (v *view) users(d *dissect.D, i int, who string, n *talkNote) {
	wanted := d.Info().Wanted()
	me := v.me(d, who)
	switch v.pieces[i].typ {
	case userQuit:
		d.Uint(fUserID)
		if why := v.str(d, fText); wanted {
			v.addInfo(d, i, "%s leaves: %s", me, why)
		}
	case userJoined:
		d.Uint(fUserID)
		ping, c := d.Uint(fPing), d.Uint(fConnect)
		if wanted {
			v.addInfo(d, i, "%s joins, ping %d ms, %s", who, ping, connections[c])
		}
	case userLogin:
		emulator := v.str(d, fEmulator)
		c := d.Uint(fConnect)
		if wanted {
			v.addInfo(d, i, "%s logs in with %s, %s", who, emulator, connections[c])
		}
	case serverAck, clientAck:
		v.acks(d, i)
		if wanted {
			v.addInfo(d, i, "ping")
		}
	case globalChat, gameChat:
		if declared := v.str(d, fText); wanted {
			v.addInfo(d, i, "%s: %s", me, declared)
		}
	case quitGame:
		d.Uint(fUserID)
		switch {
		case wanted && n.flags&talkRefused != 0:
			v.addInfo(d, i, "%s is not let into the game", me)
		case wanted && n.flags&talkKicked != 0:
			v.addInfo(d, i, "%s is kicked out of the game", me)
		case wanted:
			v.addInfo(d, i, "%s leaves the game", me)
		}
	case rejected:
		d.Uint(fUserID)
		why := v.str(d, fText)
		v.mark(d, i, nRejected)
		if wanted {
			v.addInfo(d, i, "%s is not let in: %s", who, why)
		}
	case serverInfo:
		if declared := v.str(d, fText); wanted {
			v.addInfo(d, i, "%s: %s", who, declared)
		}
	}
}

// acks reads the four counters of an ACK.
func (v *view) acks(d *dissect.D, i int) {
	right := true
	for want := range uint64(4) {
		right = d.Uint(fAck) == want && right
	}
	if !right && !d.Short() {
		v.mark(d, i, nAck)
	}
}

// me is who a message is from: the name in it, or that of the client that sent it without one.
func (v *view) me(d *dissect.D, who string) string {
	if who != "" || !d.Info().Wanted() {
		return who
	}
	if who = v.client(d); who == "" {
		return "the client"
	}
	return who
}

// userOf and gameOf show the name of an id, where the per-frame data has it.
func (v *view) userOf(d *dissect.D, n *talkNote) string { return v.called(d, fUserName, n.user) }
func (v *view) gameOf(d *dissect.D, n *talkNote) string { return v.called(d, fGameName, n.game) }

func (v *view) called(d *dissect.D, f *dissect.Field, r ref) string {
	if r.frame == 0 || !d.Wanted(f) && !d.Info().Wanted() {
		return ""
	}
	text := v.text(r, d)
	d.SetText(f, text)
	return text
}

// links shows which packet a message answers, or which answers it.
func (v *view) links(d *dissect.D, i int, n *talkNote) {
	if !v.isNew(i) {
		return
	}
	if n.flags&talkUnstarted != 0 {
		d.Expert(nNotice)
		d.Set(fNoticeIn, uint64(n.request))
		d.Links().ShowForward(fAnsweredIn)
		return
	}
	if n.request != 0 {
		d.Link(n.request, fAnsweredIn, fRequestIn)
		d.Packet().SetSince(fTime, n.request)
	} else if v.role != fromServer || v.pieces[i].typ == serverAck {
		d.Links().ShowForward(fAnsweredIn)
	}
	if n.hello != 0 {
		d.Link(n.hello, fBegins, fHello)
	}
	if n.flags&talkRefused != 0 && v.pieces[i].typ != rejected {
		d.Expert(nRefused)
	}
	for _, e := range talkNotices {
		if n.flags&e.flag != 0 {
			d.Expert(e.note)
		}
	}
	if n.played > 0 {
		d.Set(fPlayed, uint64(n.played)*1e6)
	}
}

// talkNotices are the notes of flags.
var talkNotices = []struct {
	flag uint8
	note *dissect.Field
}{{talkKicked, nKicked}, {talkUnasked, nUnasked}, {talkMixed, nMixed}}

// retry shows a message of the vendor extension.
func (v *view) retry(d *dissect.D, i int) {
	who := v.name(d, fUserName)
	sub := d.Uint(fRetry)
	n := int(d.Uint(fRetryN))
	if sub == 2 && n == 5 {
		d.Uint(fAction)
		d.Int(fAt)
	} else if n > 0 {
		d.Bytes(fPayload, min(n, d.Left()))
	}
	if d.Info().Wanted() {
		v.addInfo(d, i, "%s: %s", v.me(d, who), retrySubtypes[sub])
	}
}
