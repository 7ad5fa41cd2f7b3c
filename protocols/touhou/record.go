package touhou

import "remora/dissect"

// A record is both sides of one battle: the inputs that the players sent, and those of the replays, so that one can be
// held against the other. Frames of the first are live frames, of the second game frames.
type record struct {
	on      bool // the battle is recorded; only that of the plays seen last is
	pairs   bool // the host sends pairs
	sent    []both
	replays []both
	match   byte // the replays' match that belongs to the battle, 0 before it is known
	last    byte // newest match of which a replay was seen
	tries   int
	shift   int // live frame less game frame, 0 before it is known
}

type both struct {
	host, client uint16
	has          uint8
}

const (
	hasHost = 1 << iota
	hasClient
)

// maxRecord bounds the frames of a battle that are kept (18 minutes), maxJump how far a frame may lead ahead.
const (
	maxRecord = 1 << 16
	maxJump   = 1024
)

// startRecord begins the record of a new battle. The oldest of too many plays loses its own.
func (w *world) startRecord(p *play) {
	if !p.record.on {
		w.records = append(w.records, p)
		if len(w.records) > maxRecords {
			w.records[0].record = record{last: w.records[0].record.last}
			w.records = w.records[1:]
		}
	}
	p.record = record{on: true, last: p.record.last}
}

// slot is the place of a frame, or nil where it is out of bounds.
func slot(list *[]both, frame uint32) *both {
	n := uint32(len(*list))
	if frame >= maxRecord || frame > n+maxJump {
		return nil
	}
	for ; n <= frame; n++ {
		*list = append(*list, both{})
	}
	return &(*list)[frame]
}

// live keeps what a player sent for a frame of the battle: a pair, or the words of one side.
func (r *record) live(frame uint32, words [2]uint16, host, pair bool) {
	if !r.on || !host && !pair && r.pairs {
		return // in vanilla, the host's pairs say in which frame the client's input counts
	}
	r.pairs = r.pairs || pair
	b := slot(&r.sent, frame)
	switch {
	case b == nil:
	case pair:
		*b = both{words[0], words[1], hasHost | hasClient}
	case host:
		b.host, b.has = words[0], b.has|hasHost
	default:
		b.client, b.has = words[0], b.has|hasClient
	}
}

type replaySeen struct {
	match  byte
	newest uint32
	inputs [2]series // host, client
}

// A replayNote is what a GAME_REPLAY leaves behind; bit i of the masks is the game frame i before the newest.
type replayNote struct {
	repeats, differs uint64
	shift            uint16
	fresh, compared  uint8
	pace             [2]pace // host, client
}

// replay takes the words of a GAME_REPLAY: which the spectator had, and whether they agree with the live inputs.
func (w *world) replay(d *dissect.D, r *replay) (n replayNote) {
	p := w.watch(d, d.Src, d.Dst)
	seen := &w.link(d).replay
	if r.match != seen.match {
		*seen = replaySeen{match: r.match}
	}
	rec := &p.record
	if rec.on && rec.match == 0 && r.match > rec.last && p.scene == sceneBattle {
		rec.match = r.match
	}
	rec.last = max(rec.last, r.match)
	ours := rec.match != 0 && rec.match == r.match
	for i := 0; i+1 < r.count && uint32(i) < r.newest; i += 2 {
		bit := uint64(1) << min(i/2, 63)
		if r.newest-uint32(i) <= seen.newest {
			n.repeats |= bit
		} else {
			n.fresh++
		}
		if b := slot(&rec.replays, (r.newest-uint32(i))/2); b != nil && ours {
			*b = both{r.words[i+1], r.words[i], hasHost | hasClient}
		}
	}
	seen.newest = max(seen.newest, r.newest)
	for i := r.count/2*2 - 2; i >= 0; i -= 2 {
		if uint32(i) >= r.newest {
			continue
		}
		frame := (r.newest - uint32(i)) / 2
		seen.inputs[0].feed(frame, r.words[i+1])
		seen.inputs[1].feed(frame, r.words[i])
	}
	for who := range n.pace {
		n.pace[who] = seen.inputs[who].at(r.newest / 2)
	}
	if r.over() && p.scene == 0 {
		d.Session().InGame(p.game, func(g *dissect.Game) { g.Enter("between matches", d.Frame) })
	}
	if ours {
		rec.align()
		rec.compare(d, p, r, &n)
	}
	return n
}

// The search for the shift: it was 61 in every capture so far, but that is no law.
const (
	usualShift = 61
	maxShift   = 240
	maxTries   = 64
	window     = 128
	needFrames = 24
	needTurns  = 3
)

// align finds the shift with which the replays agree with the live inputs, once there is enough to tell.
func (r *record) align() {
	if r.shift != 0 || r.tries >= maxTries || !r.comparing() {
		return
	}
	r.tries++
	if r.agrees(usualShift) {
		r.shift = usualShift
		return
	}
	for s := 1; s <= maxShift; s++ {
		if r.agrees(s) {
			r.shift = s
			return
		}
	}
}

// comparing reports whether the newest replays change often enough to be recognised.
func (r *record) comparing() bool {
	turns := 0
	for i := max(1, len(r.replays)-window); i < len(r.replays); i++ {
		if r.replays[i] != r.replays[i-1] {
			turns++
		}
	}
	return turns > needTurns && len(r.replays) > needFrames
}

// agrees reports whether nearly all of the newest replays are the live inputs of s frames later. The few that may
// differ are the ones to find.
func (r *record) agrees(s int) bool {
	same, other := 0, 0
	for i := max(0, len(r.replays)-window); i < len(r.replays); i++ {
		switch equal, ok := r.same(i, s); {
		case !ok:
		case equal:
			same++
		default:
			other++
		}
	}
	return same >= needFrames && other*20 <= same
}

// same compares a game frame with the live frame that s gives it; ok is false when either is not known.
func (r *record) same(frame, s int) (equal, ok bool) {
	if frame >= len(r.replays) || frame+s >= len(r.sent) {
		return false, false
	}
	a, b := r.replays[frame], r.sent[frame+s]
	if a.has == 0 || b.has != hasHost|hasClient {
		return false, false
	}
	return a == b, true
}

func (r *record) compare(d *dissect.D, p *play, in *replay, n *replayNote) {
	if r.shift == 0 {
		return
	}
	n.shift = uint16(r.shift)
	for i := 0; i+1 < in.count && uint32(i) < in.newest; i += 2 {
		equal, ok := r.same(int((in.newest-uint32(i))/2), r.shift)
		if ok {
			n.compared++
			r.compareReplay(d, p, in, i)
		}
		if ok && !equal {
			n.differs |= 1 << min(i/2, 63)
		}
	}
}
