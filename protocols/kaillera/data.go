package kaillera

import (
	"fmt"

	"remora/dissect"
)

var (
	fDataLen = proto.Uint16("data.length", "Data length", "Bytes of input that follow.").In("bytes")
	fData    = proto.Bytes("data", "Data", "Input: of the client, connection type x width bytes; of the server, that "+
		"of all players, frame by frame (section 7).")
	fSlot   = proto.Group("inputs", "Frame", "The input of all players in one frame.").Summary("Frame[ {inputs.frame}]")
	fSlotNo = proto.Uint32("inputs.frame", "Frame",
		"Number of the frame in this direction, counted from 1 since READY, or since the capture began.").Derived()
	fInput   = proto.Bytes("input", "Input", "The input of one player in one frame.")
	fInputBy = proto.Uint8("input.player", "Player", "Number of the player whose input this is.").Derived()
	fZero    = proto.Bool("data.zero", "All zero", "Whether all bytes of the data are zero: what servers send before "+
		"real inputs are there, and for players who dropped.").Derived().TrueFalse("yes", "no")
	fUnsplit = proto.String("data.unsplit", "Not split by frame", "Why the data is not split by frame and player.").
			Derived()
	fPosition = proto.Uint8("cache.position", "Cache position",
		"Place in the game cache, counted from the oldest entry kept; stands for data that was sent before (section 6).")
	fEntered = proto.Uint8("cache.entered", "Becomes cache position",
		"Where new data stands in the cache of its direction.").Derived()
	fEntry = proto.FrameRef("cache.entry_in", "Data first sent in",
		"The frame that brought the data that a position stands for.")
	fHeld = proto.Uint16("cache.held", "Cache holds",
		"Entries in the cache of this direction after the message, 256 at most.").Derived().In("entries")
	fHits = proto.Uint8("cache.hits", "Cache hits", "How many of this direction's messages of game data, this one "+
		"included, came from the cache since READY or since the capture began.").Derived().In("%")
	fWidth = proto.Uint16("data.width", "Width",
		"Bytes of input per player and frame, worked out from the sizes; it depends on the emulator.").Derived().In("bytes")
	fFrame = proto.Uint32("frame", "Newest frame", "Newest game frame in this direction: connection type frames for "+
		"each new message, counted since READY or since the capture began.").Derived()
	fClientF = proto.Uint32("frame.client", "Client frame", "Newest frame that this client sent.").Derived()
	fServerF = proto.Uint32("frame.server", "Server frame", "Newest frame that the server sent to this client; the "+
		"server's first frames are no input, so these counts run apart.").Derived()
	fAhead = proto.Int32("frame.ahead", "Client ahead",
		"By how many frames the client's newest frame leads the newest that the server sent to it.").Derived().In("frames")
	fEchoOf = proto.FrameRef("input.sent_in", "Own input sent in", "The packet in which the client sent the input "+
		"that this combined data has of it. It is found by comparing: the server's first data are no input.")
	fEchoIn = proto.FrameRef("input.back_in", "Input comes back in", "The combined data that have this input.")
	fLag    = proto.Span("input.lag", "Input lag",
		"Time from the sending of the client's input to the combined data with it.").Derived()
	fInputNo = proto.Uint32("input.count", "Input messages",
		"Messages of game data in this direction, this one included, counted since READY or since the capture began.").
		Derived()
	fRate = proto.Uint8("rate", "Messages in the last second",
		"New input messages this way within the second before; 60 / connection type is the pace of the game (50 for PAL).").
		Derived()
	fUsual = proto.Uint8("rate.usual", "Pace of the game",
		"Input messages a second at 60 frames a second: 60 / connection type.").Derived().In("/s")
	fLate = proto.Uint16("input.late", "Input awaited",
		"How long the server sent nothing until this input, the last that was missing, came.").Derived().In("ms")

	nCacheRange = proto.Expert("cache.range", dissect.Error,
		"The cache position is out of range: the sender has sent fewer entries")
	nCacheEarly = proto.Expert("cache.unresolved", dissect.Hint,
		"The cache position is not resolved: the entry was sent before the capture began")
	nCacheLost = proto.Expert("cache.lost", dissect.Warn,
		"The cache position is not resolved: the entry is among messages that were lost")
	nCachePiece = proto.Expert("cache.fragmented", dissect.Chat,
		"The cache position is not resolved: the capture does not have the entry in one piece")
	nCacheDoubt = proto.Expert("cache.doubtful", dissect.Warn,
		"Messages were lost since: the cache position may stand for other data")
	nSize = proto.Expert("data.size", dissect.Warn,
		"Size does not match the connection type, the players and the width")
	nLateInput = proto.Expert("input.awaited", dissect.Warn, "The game stood still until this input came")
)

// data shows a GAME_DATA or GAME_CACHE.
func (v *view) data(d *dissect.D, i int) {
	var n dataNote
	if v.isNew(i) {
		n = dataNotes.FirstPassIn(d, func(*none) dataNote { return v.out.data[i] })
	} else if v.pieces[i].typ == gameCache && d.WantedOf(proto) {
		n = v.earlier(d, i)
	}
	v.name(d, fUserName)
	v.tick(d, &n)
	if v.pieces[i].typ == gameData {
		size := int(d.Uint(fDataLen))
		if data := v.inputs(d, size, &n); d.Info().Wanted() {
			v.sayData(d, i, &n, "", data)
		}
		if n.flags != 0 {
			d.Set(fEntered, uint64(n.position))
			d.Set(fHeld, uint64(n.held))
		}
	} else {
		v.cached(d, i, d.Uint(fPosition), &n)
	}
	v.pace(d, &n)
}

// earlier is what was said of the data of a repeated message when it was new: what a cache position stands for holds
// for the repeats, too.
func (v *view) earlier(d *dissect.D, i int) dataNote {
	first := v.firstSeen(i)
	if first == 0 || v.many.conflicts>>i&1 != 0 {
		return dataNote{}
	}
	if b := bundleNotes.DataOf(d, first); b.fresh&(b.fresh-1) != 0 {
		return dataNote{} // several were new there
	}
	n := dataNotes.DataOf(d, first)
	return dataNote{entry: n.entry, length: n.length, how: n.how, flags: n.flags & dataKnown}
}

// tick sets the frame of the game that a message belongs to.
func (v *view) tick(d *dissect.D, n *dataNote) {
	if n.connection != 0 && n.count != 0 {
		d.Transcript().Tick(uint64(n.frames))
	}
}

// cached shows the data that a cache position refers to.
func (v *view) cached(d *dissect.D, i int, position uint64, n *dataNote) {
	if n.flags == 0 {
		return
	}
	if v.isNew(i) {
		d.Set(fHeld, uint64(n.held))
		v.doubt(d, n)
	}
	v.resolved(d, i, position, n)
}

// doubt marks a position that is not resolved, or may be resolved wrongly.
func (v *view) doubt(d *dissect.D, n *dataNote) {
	switch n.how {
	case hitBeyond:
		d.Expert(nCacheRange)
	case hitEarly:
		d.Expert(nCacheEarly)
	case hitLost:
		d.Expert(nCacheLost)
	case hitPieces:
		d.Expert(nCachePiece)
	case hitDoubtful:
		d.Expert(nCacheDoubt)
	}
}

// resolved shows the data behind a position as a data source of its own.
func (v *view) resolved(d *dissect.D, i int, position uint64, n *dataNote) {
	if n.how != hitFound && n.how != hitDoubtful {
		if d.Info().Wanted() {
			v.addInfo(d, i, "%s position %d, not resolved", v.frameText(d, n), position)
		}
		return
	}
	if n.entry.frame != 0 {
		d.Set(fEntry, uint64(n.entry.frame))
	}
	if !d.WantedOf(proto) && !d.Info().Wanted() {
		return
	}
	b, known := n.entry.bytes(d)
	if !known {
		if d.Info().Wanted() {
			v.addInfo(d, i, "%s position %d", v.frameText(d, n), position)
		}
		return
	}
	d.From(fmt.Sprintf("Cache position %d", position), b, func() { v.inputs(d, len(b), n) })
	if d.Info().Wanted() {
		v.sayData(d, i, n, fmt.Sprintf(" = position %d", position), b)
	}
}

// inputs shows size bytes of input at the cursor, split by frame and player where it is known how, and returns them.
func (v *view) inputs(d *dissect.D, size int, n *dataNote) []byte {
	data := d.Data()[:min(size, d.Left())]
	if size > len(data) || !d.WantedOf(proto) {
		return d.Bytes(fData, size)
	}
	start := d.Pos()
	d.Put(fData, 0, start, size)
	d.Below(func() {
		if zero(data) && size > 0 {
			d.Set(fZero, 1)
		}
		if players, frames := v.layout(n, size); frames > 0 {
			v.split(d, n, players, frames)
		} else if n.count > 0 && size > 0 {
			d.SetText(fUnsplit, v.unsplit(n))
		}
	})
	d.Seek(start + size)
	return data
}

// layout is how data is split: players and frames, 0 where that is not known.
func (v *view) layout(n *dataNote, size int) (players, frames int) {
	players, width := 1, int(n.width)
	if v.role == fromServer {
		players = int(n.players)
	}
	if width == 0 || players == 0 || v.role == fromUnknown || size == 0 || size%(players*width) != 0 {
		return 0, 0
	}
	return players, size / players / width
}

// unsplit adds the expert info that says why data is not split by frame and player.
func (v *view) unsplit(n *dataNote) string {
	switch {
	case v.role == fromUnknown:
		return "nothing tells yet which end is the server"
	case n.connection == 0:
		return "the login is not in the capture, and with it the connection type"
	case v.role == fromServer && n.players == 0:
		return "the start of the game is not in the capture, and with it the number of players"
	}
	return "the size does not fit the connection type, the players and the width"
}

// maxSplit bounds how many inputs of one message are shown by themselves.
const maxSplit = 1024

// split shows data by frame and, within a frame, by player.
func (v *view) split(d *dissect.D, n *dataNote, players, frames int) {
	width := int(n.width)
	if frames*players > maxSplit {
		return
	}
	names := d.Labelling()
	for f := range frames {
		d.In(fSlot, func() {
			if at := int(n.frames) - frames + 1 + f; at > 0 && n.connection > 0 {
				d.Set(fSlotNo, uint64(at))
			}
			for p := range players {
				player := p + 1
				if v.role == fromClient {
					player = int(n.seat)
				}
				raw := d.Bytes(fInput, width)
				if names && player > 0 {
					d.Suffix(fInput, " ("+v.playerName(d, player)+")")
				}
				d.Below(func() {
					if player > 0 {
						d.Set(fInputBy, uint64(player))
					}
					controller(d, raw)
				})
			}
		})
	}
}

func zero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// pace shows the counts of a new message.
func (v *view) pace(d *dissect.D, n *dataNote) {
	if n.count == 0 {
		return
	}
	if n.connection > 0 {
		v.frames(d, n)
	}
	d.Set(fInputNo, uint64(n.count))
	d.Set(fRate, uint64(n.rate))
	d.Set(fHits, uint64(n.hits))
	if n.seat > 0 {
		d.Set(fPlayer, uint64(n.seat))
	}
	if n.width > 0 {
		d.Set(fWidth, uint64(n.width))
	}
	if n.flags&dataSize != 0 {
		d.Expert(nSize)
	}
	if n.late > 0 {
		d.Set(fLate, uint64(n.late))
		d.Expert(nLateInput)
	}
	if n.echo != 0 {
		d.Link(n.echo, fEchoIn, fEchoOf)
		d.Packet().SetSince(fLag, n.echo)
	}
	if v.role == fromClient {
		d.Links().ShowForward(fEchoIn)
	}
}

// frames shows the game frames of a client whose connection type is known.
func (v *view) frames(d *dissect.D, n *dataNote) {
	own, other := fClientF, fServerF
	if v.role == fromServer {
		own, other = fServerF, fClientF
	}
	d.Set(fFrame, uint64(n.frames))
	d.Set(fUsual, 60/uint64(n.connection))
	if v.role != fromUnknown {
		d.Set(own, uint64(n.frames))
		d.Set(other, uint64(n.other))
		ahead := int64(n.frames) - int64(n.other)
		if v.role == fromServer {
			ahead = -ahead
		}
		d.Set(fAhead, uint64(ahead))
	}
}
