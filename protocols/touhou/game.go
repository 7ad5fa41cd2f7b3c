package touhou

import (
	"fmt"

	"remora/dissect"
)

var (
	fScene = proto.Uint8("scene", "Scene", "Which part of the game this belongs to.").Named(scenes)
	fFrame = proto.Uint32("input.frame", "Frame",
		"Newest game frame in the packet; frames are counted from the start of the scene, 60 a second.")
	fCount = proto.Uint8("input.count", "Words", "How many input words of 16 bits follow; at most 36 are legal.")
	fPair  = proto.Group("input.pair", "Inputs of one frame",
		"What both players, or the sender alone, held during one frame.").
		Summary("Frame {input.of}[, host {input.host}][, client {input.client}][, host {select.host}][, client " +
			"{select.client}][, {input.word}][ ({input.again})]")
	fOf    = proto.Uint32("input.of", "Of frame", "The frame that the inputs belong to.").Derived()
	fKeys  = proto.Uint16("keys", "Keys", "An input word of either player in any scene.").Hex()
	fHost5 = keysField("input.host", "Host", battleKeys, "Buttons that the host holds in battle.")
	fClnt5 = keysField("input.client", "Client", battleKeys, "Buttons that the client holds in battle.")
	fHost3 = keysField("select.host", "Host", selectKeys, "Buttons that the host holds during character select.")
	fClnt3 = keysField("select.client", "Client", selectKeys, "Buttons that the client holds during character select.")
	fWord  = proto.Uint16("input.word", "Input word", "An input word that no rule gives to a player.").Hex().Unknown()
	fDelay = proto.Uint16("input.delay", "Input delay",
		"Sokuroll: the host's input delay setting, sent twice in place of the first pair; the unit is two frames.")
	fAgain = proto.Bool("repeat", "Repeat", "The receiver had been sent the input of this frame before.").Derived().
		TrueFalse("repeat", "new")
	fNew = proto.Uint8("input.new", "New frames", "Frames whose inputs the receiver had not been sent before.").
		Derived().In("frames")
	fFrames = proto.Uint8("input.frames", "Frames carried", "Frames whose inputs are in the packet: the newest and "+
		"those that it repeats. The host repeats more when answers take longer.").Derived().In("frames")
	fSaved = proto.Uint8("input.recovered", "Recovered frames",
		"New frames that are not the packet's newest: the packets that carried them before were lost, or are late.").
		Derived().In("frames")
	fAhead = proto.Int8("input.ahead", "Frames ahead",
		"Sokuroll: by how many frames the sender's newest leads the newest that the other side sent, as far as captured.").
		Derived().In("frames")
	fLag = proto.Uint8("delay.frames", "Input delay in effect",
		"Sokuroll: frames between pressing and acting for both players, twice what the host last set.").Derived().In("frames")
	fMiss = proto.Uint16("input.missing", "Missing frames",
		"Frames between the newest before and the oldest in this packet that were never sent this way in this capture.").
		Derived().In("frames")
	fStall = proto.Uint32("input.stall", "Stall", "How long no new frame came this way before this packet.").Derived().
		In("ms")
	fSoku = proto.Bool("sokuroll", "Sokuroll active",
		"Words are read by Sokuroll's rules, because of the game id, Sokuroll packets or several words from the client.").
		Derived().TrueFalse("yes", "no")
	fStep = proto.FrameRef("input.step", "Lockstep answer to",
		"The packet of the other player that this frame waited for.")
	fStepIn = proto.FrameRef("input.step_in", "Lockstep answer in",
		"The packet of the other player that waited for this frame.")

	nStall    = proto.Expert("input.stalled", dissect.Hint, "No new frame for more than 100 ms")
	nWindow   = proto.Expert("input.window", dissect.Chat, "Not as many frames as Sokuroll's settings ask for")
	nMissing  = proto.Expert("input.gap", dissect.Chat, "Frames are missing between this packet and those before")
	nConflict = proto.Expert("input.conflict", dissect.Error, "The same frame was sent before with another input")
	nEcho     = proto.Expert("input.echo", dissect.Warn,
		"The host repeats another input for the client than the client sent")
	nOdd = proto.Expert("input.odd", dissect.Warn,
		"An odd number of words does not make pairs of host and client input")
	nMany  = proto.Expert("input.many", dissect.Warn, "More words than the game's buffer takes (36)")
	nDelay = proto.Expert("input.delay.differs", dissect.Warn,
		"The delay in the inputs is not the one in SOKUROLL_SETTINGS")
	nScene = proto.Expert("scene.unknown", dissect.Hint, "Unknown scene")
)

func keysField(name, label string, flags []dissect.Flag, doc string) *dissect.Field {
	f := proto.Flags16(name, label, flags, doc).Also(fKeys)
	return f.Format(func(v uint64) string { return fmt.Sprintf("%s (0x%04x)", short(flags, uint16(v)), v) })
}

// maxWords is the largest number of words that the game's buffer takes.
const maxWords = 36

// dissectLoaded reads GAME_LOADED and its ACK (3 bytes): the scene.
func dissectLoaded(d *dissect.D, kind uint64) {
	scene := d.Uint(fScene)
	if d.Short() {
		return
	}
	if kind&0xff == subLoaded {
		d.Request(keyLoaded<<56|uint64(d.Dir)<<32|scene, fAnsweredIn)
	} else {
		d.Response(keyLoaded<<56|uint64(1-d.Dir)<<32|scene, fAnsweredIn, fRequestIn, fTime)
	}
	noteScene(d, kind, scene)
	if scene != sceneSelect && scene != sceneBattle {
		d.Expert(nScene)
	}
	d.Info().Set("{scene:name} " + flow(kind))
}

// noteScene updates the state: these endpoints are the players of a game, and they enter a scene.
func noteScene(d *dissect.D, kind, scene uint64) {
	n := remember(d, &linkNotes, func(w *world) linkNote { return w.scene(d, kind, uint8(scene)) })
	d.Transcript().Repeats(n.frame)
}

// An inputs is a GAME_INPUT before it is shown: header and words.
type inputs struct {
	fromHost bool
	frame    uint32
	scene    uint8
	words    [255]uint16
	count    int
}

func parseInputs(b []byte) (in inputs) {
	if len(b) < 8 {
		return in
	}
	in.fromHost, in.frame, in.scene = b[0] == hostGame, le32(b[2:]), b[6]
	for in.count < int(b[7]) && 10+2*in.count <= len(b) {
		in.words[in.count] = le16(b[8+2*in.count:])
		in.count++
	}
	return in
}

// layout is where the words of the newest frame begin, and how many words a frame has.
func (in *inputs) layout(sokuroll bool) (at, step int) {
	switch {
	case in.fromHost && sokuroll:
		return 2, 1
	case in.fromHost:
		return 0, 2
	}
	return 0, 1
}

// frames is how many frames the words are of that the state follows, whole ones since the scene began.
func (in *inputs) frames(sokuroll bool) int {
	if in.scene != sceneSelect && in.scene != sceneBattle {
		return 0
	}
	at, step := in.layout(sokuroll)
	return int(min(int64(max(0, in.count-at)/step), int64(in.frame)+1))
}

// dissectInput reads a GAME_INPUT: u32 frame, u8 scene, u8 count, count words. What the words mean depends on who
// sends them and on whether Sokuroll is active on the link.
func dissectInput(d *dissect.D, whole []byte) {
	frame := d.Uint(fFrame)
	scene := d.Uint(fScene)
	count := int(d.Uint(fCount))
	if d.Short() {
		return
	}
	d.Transcript().Tick(frame)
	in := parseInputs(whole)
	var n inputNote
	n.commonInput = remember(d, &inputNotes,
		func(w *world) commonInput { n = w.input(d, &in); n.pack(d, &in); return n.commonInput })
	n.rareInput = remember(d, &rareNotes, func(*world) rareInput { return n.rareInput })
	n.unpack(d, &in)
	sokuroll := n.sokuroll(&in)
	if n.flags&inputSokuroll != 0 {
		d.Set(fSoku, 1)
	}
	if count > maxWords && !d.CutShort() {
		d.Expert(nMany)
	}
	if scene != sceneSelect && scene != sceneBattle {
		d.Expert(nScene)
	}
	readWords(d, &in, n, count, sokuroll)
	showInputNotes(d, &in, n)
	if d.Info().Wanted() {
		d.Info().Setf("%s", inputLine(&in, sokuroll, n))
	}
}

func readWords(d *dissect.D, in *inputs, n inputNote, count int, sokuroll bool) {
	host, client := fHost5, fClnt5
	if in.scene == sceneSelect {
		host, client = fHost3, fClnt3
	} else if in.scene != sceneBattle {
		host, client = fWord, fWord
	}
	i := 0
	if sokuroll && in.fromHost {
		for more := d.Elements(); i < 2 && i < count && more.Next(); i++ {
			d.Uint(fDelay)
		}
	}
	frames := 0
	for age, more := 0, d.Elements(); i < count && more.Next(); age++ {
		frames++
		d.In(fPair, func() {
			d.Set(fOf, uint64(in.frame)-uint64(age))
			switch {
			case !in.fromHost:
				d.Uint(client)
				i++
			case sokuroll:
				d.Uint(host)
				i++
			case count-i == 1:
				d.Uint(fWord)
				d.Expert(nOdd)
				i++
			default:
				d.Uint(host)
				d.Uint(client)
				i += 2
			}
			if n.repeated(age) {
				d.Set(fAgain, 1)
			}
			if age < 64 && n.conflicts>>age&1 != 0 {
				d.Expert(nConflict)
			}
			if age < 64 && n.echoes>>age&1 != 0 {
				d.Expert(nEcho)
			}
		})
	}
	need(d, count-i)
	d.Set(fFrames, uint64(frames))
}

func showInputNotes(d *dissect.D, in *inputs, n inputNote) {
	d.Set(fNew, uint64(n.fresh))
	if saved := n.recovered(); saved > 0 {
		d.Set(fSaved, uint64(saved))
	}
	if n.match > 0 {
		d.Set(fMatchNo, uint64(n.match))
	}
	own, other := hostPace, clientPace
	if !in.fromHost {
		own = clientPace
	}
	own.show(d, n.pace[0])
	other.show(d, n.pace[1])
	if n.flags&inputSokuroll != 0 && in.scene == sceneBattle {
		d.Set(fAhead, uint64(int64(n.ahead)))
		if lag := n.flags >> inputDelay; lag > 0 {
			d.Set(fLag, 2*uint64(lag-1))
		}
	}
	if n.flags&inputWindow != 0 {
		d.Expert(nWindow)
	}
	if n.missing > 0 {
		d.Set(fMiss, uint64(n.missing))
		d.Expert(nMissing)
	}
	if n.stall > 0 {
		d.Set(fStall, uint64(n.stall))
		d.ExpertText(nStall, fmt.Sprintf("No new frame for %d ms", n.stall))
	}
	if n.flags&inputDelayDiffers != 0 {
		d.Expert(nDelay)
	}
	if n.fresh == 0 {
		d.Transcript().Repeats(n.first)
	}
	if n.step != 0 {
		d.Link(n.step, fStepIn, fStep)
		d.Packet().SetSince(fTime, n.step)
	}
	d.Links().ShowForward(fStepIn)
}

// recovered counts the new frames besides the newest. Of the first packet nothing can be said.
func (n *inputNote) recovered() uint8 {
	switch {
	case n.flags&inputFirst != 0:
		return 0
	case n.repeated(0):
		return n.fresh
	}
	return max(n.fresh, 1) - 1
}

// inputLine is the Info text: "battle f 1234 host →A client ·".
func inputLine(in *inputs, sokuroll bool, n inputNote) string {
	name := scenes[uint64(in.scene)]
	switch in.scene {
	case sceneSelect:
		name = "select"
	case sceneBattle:
	default:
		name = fmt.Sprintf("scene %d", in.scene)
	}
	keys, line := keysOf(uint64(in.scene)), fmt.Sprintf("%s f %d", name, in.frame)
	word := func(i int) string { return short(keys, in.words[i]) }
	switch {
	case in.fromHost && sokuroll && in.count > 2:
		line += fmt.Sprintf(" host %s delay %d", word(2), in.words[0])
	case in.fromHost && !sokuroll && in.count > 1:
		line += fmt.Sprintf(" host %s client %s", word(0), word(1))
	case !in.fromHost && in.count > 0:
		line += " client " + word(0)
	}
	switch {
	case n.fresh == 0:
		line += " (repeat)"
	case n.fresh > 1:
		line += fmt.Sprintf(" (%d new)", n.fresh)
	}
	return line
}
