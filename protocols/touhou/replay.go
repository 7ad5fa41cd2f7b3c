package touhou

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"

	"remora/dissect"
)

var (
	fReplaySize = proto.Uint8("replay.size", "Compressed size",
		"Size of the compressed data: the datagram's length less 3.").In("bytes")
	fReplayZ = proto.Bytes("replay.data", "Compressed inputs", "Inputs of the match so far, as a zlib stream.")
	fDamaged = proto.UnknownBytes("replay.damaged", "Damaged data",
		"A GAME_REPLAY's data that another packet's header overwrote in the sender.")
	fReplay = proto.Group("replay", "Replay", "The inflated data.").
		Summary("Replay, match {match.id}, {replay.count} words up to {replay.frame}")
	fReplayAt = proto.Uint32("replay.frame", "Newest word",
		"Number of the newest input word here, from 1; two words are one game frame.")
	fReplayEnd = proto.Uint32("replay.end", "Last word", "0 while the match runs, then the number of its last word.")
	fReplayN   = proto.Uint8("replay.count", "Words",
		"Input words that follow, newest first: client, host, client, host.")
	fReplayPair = proto.Group("replay.pair", "Inputs of one game frame",
		"What both players held during one frame of the battle.").
		Summary("Game frame {replay.of}, client {input.client}, host {input.host}[, live {replay.live}]")
	fReplayOf = proto.Uint32("replay.of", "Of game frame", "Game frame of the match, from 1.").Derived()
	fLive     = proto.Uint32("replay.live", "Live frame",
		"The frame of the players' GAME_INPUT that these inputs were found to agree with.").Derived()
	fOver = proto.Bool("replay.over", "Match over", "The newest word is the last of the match.").Derived().
		TrueFalse("yes", "no")
	fHave = proto.Uint32("replay.have", "Words received",
		"Input words that the spectator has; 4294967295 before it knows anything.").Format(haveText)
	fMatchIn = proto.FrameRef("match_in", "Match in",
		"The GAME_MATCH that was sent because the asker did not know the match.")
	fCompared = proto.Uint8("replay.compared", "Compared with live inputs",
		"How many of the game frames could be compared with captured live inputs.").Derived().In("frames")

	nOverwritten = proto.Expert("replay.overwritten", dissect.Warn,
		"GAME_REPLAY whose sub-type was overwritten in the sender")
	nDamaged    = proto.Expert("replay.broken", dissect.Warn, "The replay data cannot be inflated to its end")
	nReplayLen  = proto.Expert("replay.length", dissect.Warn, "Inflated length does not match the number of words")
	nReplayLive = proto.Expert("replay.differs", dissect.Error, "The replay has other inputs than the players sent")
)

// maxReplay is the longest inflated replay: a header and 255 words. One byte more tells a bomb.
const maxReplay = 10 + 2*255

// noReplay is the word count in a spectator's request before it has any replay.
const noReplay = 0xFFFFFFFF

func haveText(v uint64) string {
	if v == noReplay {
		return "nothing yet (4294967295)"
	}
	return fmt.Sprintf("%d (%d game frames)", v, v/2)
}

// dissectReplayRequest reads a GAME_REPLAY_REQUEST (7 bytes): words received, match.
func dissectReplayRequest(d *dissect.D) {
	have := d.Uint(fHave)
	id := d.Uint(fMatchID)
	if d.Short() {
		return
	}
	d.Request(replayKey(d.Dir, byte(id), uint32(have)), fAnsweredIn)
	d.Request(keyReplayAny<<56|uint64(d.Dir)<<32, fMatchIn)
	remember(d, &linkNotes, func(w *world) linkNote { w.spectates(d); return linkNote{} })
	if !d.Info().Wanted() {
		return
	}
	if have == noReplay {
		d.Info().Setf("match %d, has nothing", id)
	} else {
		d.Info().Setf("match %d, has %d words", id, have)
	}
}

// replayKey joins a request with the replay that goes on where the asker's words end, so that answers find their own
// request even when the next one is already under way.
func replayKey(dir int, match byte, have uint32) uint64 {
	return keyReplay<<56 | uint64(dir)<<48 | uint64(match)<<32 | uint64(have)
}

// overwritten tells a GAME_REPLAY whose sub-type, and perhaps more, was overwritten by another thread of the sender:
// the length does not fit the sub-type, but does fit the replay's size byte.
func overwritten(b []byte, missing int) bool {
	size := len(b) + missing
	if len(b) < 4 || b[0] != hostGame || b[1] == subReplay || int(b[2]) != size-3 {
		return false
	}
	zlib := len(b) > 4 && b[3] == 0x78 && b[4] == 0x9c
	if want, known := length(b); known {
		return want != size && (missing == 0 || zlib)
	}
	return zlib
}

// damagedReplay reads such a packet: it counts as a GAME_REPLAY, and the bytes that were sent stay visible.
func damagedReplay(d *dissect.D) {
	whole := d.Data()
	d.SetKind(fType, hostGame<<8|subReplay)
	d.Uint(fGame)
	d.Uint(fSub)
	d.Expert(nOverwritten)
	dissectReplay(d, whole, true)
}

// dissectReplay reads a GAME_REPLAY: a size byte and a zlib stream, which becomes a data source of its own.
func dissectReplay(d *dissect.D, whole []byte, damaged bool) {
	size := int(d.Uint(fReplaySize))
	if d.Short() {
		return
	}
	if damaged && (len(whole) < 5 || whole[3] != 0x78 || whole[4] != 0x9c) {
		d.Rest(fDamaged)
		d.Expert(nDamaged)
		d.Info().Set("damaged by the sender")
		return
	}
	z := d.Bytes(fReplayZ, min(size, d.Left()))
	d.Spend(maxReplay + 4*len(z))
	data, err := inflate(z)
	if err != nil && !d.CutShort() {
		d.Expert(nDamaged)
	}
	if d.Left() == 0 && len(z) < size {
		d.Skip(size - len(z)) // marks the frame short
	}
	if len(data) == 0 {
		d.Info().Set("cannot be inflated")
		return
	}
	r := parseReplay(data)
	n := remember(d, &replayNotes, func(w *world) replayNote { return w.replay(d, &r) })
	d.From("Inflated replay", data, func() { d.In(fReplay, func() { readReplay(d, &r, n) }) })
	d.Response(replayKey(1-d.Dir, r.match, r.newest-uint32(r.count)), fAnsweredIn, fRequestIn, fTime)
	d.Set(fNew, uint64(n.fresh))
	hostPace.show(d, n.pace[0])
	clientPace.show(d, n.pace[1])
	if n.compared > 0 {
		d.Set(fCompared, uint64(n.compared))
	}
	d.Transcript().Tick(uint64(r.newest / 2))
	if d.Info().Wanted() {
		d.Info().Setf("%s", r.line(damaged))
	}
}

// inflate unpacks at most one byte more than the longest replay.
func inflate(z []byte) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(z))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxReplay+1))
}

// A replay is the inflated data of a GAME_REPLAY.
type replay struct {
	newest, end uint32
	match       byte
	words       [255]uint16 // newest first: client, host
	count       int
}

func parseReplay(b []byte) (r replay) {
	if len(b) < 10 {
		return r
	}
	r.newest, r.end, r.match = le32(b), le32(b[4:]), b[8]
	for r.count < int(b[9]) && 12+2*r.count <= len(b) {
		r.words[r.count] = le16(b[10+2*r.count:])
		r.count++
	}
	return r
}

func (r *replay) over() bool { return r.end != 0 && r.newest == r.end }

func (r *replay) line(damaged bool) string {
	s := fmt.Sprintf("match %d, %d frames up to %d", r.match, r.count/2, r.newest/2)
	if r.count == 0 {
		s = fmt.Sprintf("match %d, nothing new after %d", r.match, r.newest/2)
	} else if r.count > 1 {
		s += fmt.Sprintf(" host %s client %s", short(battleKeys, r.words[1]), short(battleKeys, r.words[0]))
	}
	if r.over() {
		s += ", match over"
	}
	if damaged {
		s += " (sub-type overwritten by the sender)"
	}
	return s
}

// readReplay reads the inflated data: u32 newest word, u32 last word, u8 match, u8 count, count words.
func readReplay(d *dissect.D, r *replay, n replayNote) {
	d.Uint(fReplayAt)
	d.Uint(fReplayEnd)
	if r.over() {
		d.Set(fOver, 1)
	}
	d.Uint(fMatchID)
	count := int(d.Uint(fReplayN))
	if d.Left() != 2*count && !d.Short() && !d.CutShort() {
		d.Expert(nReplayLen)
	}
	for i, more := 0, d.Elements(); i < count && more.Next(); i += 2 {
		if count-i == 1 {
			d.Uint(fWord)
			d.Expert(nOdd)
			break
		}
		d.In(fReplayPair, func() {
			frame := (r.newest - uint32(i)) / 2
			d.Set(fReplayOf, uint64(frame))
			d.Uint(fClnt5)
			d.Uint(fHost5)
			if n.shift != 0 {
				d.Set(fLive, uint64(frame)+uint64(n.shift))
			}
			if i/2 < 64 && n.repeats>>(i/2)&1 != 0 {
				d.Set(fAgain, 1)
			}
			if i/2 < 64 && n.differs>>(i/2)&1 != 0 {
				d.Expert(nReplayLive)
			}
		})
	}
	d.Rest(fExtra)
}
