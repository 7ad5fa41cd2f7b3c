package kaillera

import "remora/dissect"

// A dataNote is what a new GAME_DATA or GAME_CACHE leaves behind.
type dataNote struct {
	count      uint32           // messages of game data in this direction, this one included
	frames     uint32           // newest game frame of this direction, counted from 1
	other      uint32           // the same of the other direction
	echo       dissect.FrameNum // of the server: where the client sent its input in this
	entry      ref              // of GAME_CACHE: the data it stands for
	length     uint16           // of that data
	late       uint16           // ms that others waited for this input
	width      uint16           // bytes of input per player and frame, 0 while unknown
	held       uint16           // entries in the cache afterwards
	position   uint8            // of GAME_DATA: its place in the cache
	how        uint8            // of GAME_CACHE: how the position was found
	connection uint8            // of the client, 0 while unknown
	rate       uint8            // messages in the second before
	players    uint8
	seat       uint8 // the client's player number
	flags      uint8
	hits       uint8  // per cent of this direction's messages that came from the cache
	own        uint32 // checksum of the client's own input in it; not kept
}

const (
	dataSize    = 1 << iota // the size does not fit connection type, players and width
	dataStarted             // frames are counted from the game's start
	dataKnown               // there is a note: cache and counts are valid
)

// maxLate is the largest delay that notes can tell, in ms.
const maxLate = 65535

// dataHead is a GAME_DATA without its data: type, empty name, length.
const dataHead = 4

// data takes a new GAME_DATA or GAME_CACHE. Of the first the capture may have cut off the end: its place in the cache
// is taken all the same.
func (w *world) data(d *dissect.D, l *link, role int, p *piece, base int, n *dataNote) (other dissect.FrameNum) {
	y := &l.directions[d.Dir]
	if y.cache == nil {
		y.cache = new(window)
	}
	n.flags, n.connection = dataKnown, l.connection
	s := scan{b: p.body}
	s.str()
	size := 0
	var data []byte
	if p.typ == gameData {
		size = int(s.u16())
		at := s.at
		if !p.whole() { // the capture has a part of it
			size = p.length - dataHead
		}
		n.position = uint8(y.cache.put(refAt(d, base+p.off+5+at, size), size))
		l.measure(role, size, n)
		if p.whole() {
			data = s.take(size)
			n.own = l.ownSum(role, data, n)
		}
		y.cache.setSum(n.own)
		if l.room != nil {
			y.cache.hold(y.cache.newest(), data)
		}
	} else {
		at := int(s.u8())
		n.entry, size, n.how = y.cache.find(at)
		n.length = uint16(min(size, 65535))
		if n.how != hitFound && n.how != hitDoubtful {
			size = -1
		} else {
			n.own = y.cache.sum(at)
			if y.cache.kept != nil && n.how == hitFound {
				data = y.cache.kept[y.cache.place(at)]
			}
		}
		l.measure(role, size, n)
	}
	n.held = uint16(y.cache.held)
	y.count(d, l, p.typ == gameCache, n)
	n.other = l.directions[1-d.Dir].frames
	switch role {
	case fromClient:
		l.echo.send(n.own, d.Frame)
		l.delivers(d, y, n)
	case fromServer:
		n.echo = l.echo.receive(n.own)
	}
	n.own = 0
	return l.compare(d, role, data, n)
}

// count adds the frames of a message: one sending is as many frames as the connection type says.
func (y *direction) count(d *dissect.D, l *link, cached bool, n *dataNote) {
	y.frames += uint32(max(1, l.connection))
	y.messages++
	n.frames, n.count = y.frames, y.messages
	if cached {
		y.hits++
	}
	n.hits = uint8(uint64(y.hits) * 100 / uint64(y.messages))
	if y.started {
		n.flags |= dataStarted
	}
	now := d.Time()
	y.times[y.head] = now
	y.head = (y.head + 1) % rateRing
	for y.tail != y.head && (now-y.times[y.tail] >= 1e9 || y.times[y.tail] > now) {
		y.tail = (y.tail + 1) % rateRing
	}
	n.rate = uint8((y.head - y.tail + rateRing) % rateRing)
}

// measure works out how many bytes each player has per frame, and holds a size against it. The size is -1 where the
// bytes are not known.
func (l *link) measure(role, size int, n *dataNote) {
	players := 1
	if r := l.room; r != nil {
		n.players, n.seat = uint8(min(r.players, 255)), uint8(l.seat)
		if l.width == 0 {
			l.width = r.width
		}
	}
	if role == fromServer {
		players = int(n.players)
	}
	if block := l.width * players; l.connection == 0 && role != fromUnknown && size > 0 && block > 0 && size%block == 0 &&
		size/block <= 6 {
		l.connection = uint8(size / block) // the login was not captured, another player's was
		n.connection = l.connection
	}
	c := int(l.connection)
	if size >= 0 && c > 0 && players > 0 && role != fromUnknown {
		block := c * players
		switch {
		case l.width == 0 && size > 0 && size%block == 0:
			l.width = size / block
			if r := l.room; r != nil && r.width == 0 {
				r.width = l.width
			}
		case size%block != 0 || l.width != 0 && size != block*l.width:
			n.flags |= dataSize
		}
	}
	n.width = uint16(min(l.width, 65535))
}

// delivers notes that a player's input is there. Who delivers last of all, long after the server last sent anything, is
// who the others waited for.
func (l *link) delivers(d *dissect.D, y *direction, n *dataNote) {
	r := l.room
	if r == nil || l.seat == 0 || l.seat > maxSeats || r.seats[l.seat-1].link != l {
		return
	}
	s := &r.seats[l.seat-1]
	if wait := d.Time() - r.outAt; r.playing && r.outAt > 0 && !d.Stream().Cut() && wait > patience(l.connection) &&
		s.frames <= r.lowest() && !s.dropped {
		if s.lateAt <= r.outAt { // what follows at once comes with it
			n.late = uint16(min(wait/1e6, maxLate))
		}
		s.late, s.lateAt = wait, d.Time()
	}
	s.frames, s.at = y.frames, d.Time()
}

// lowest is the newest frame that all players who still play have delivered, as far as they were captured.
func (r *room) lowest() uint32 {
	low := ^uint32(0)
	for i := range min(r.players, maxSeats) {
		if s := &r.seats[i]; s.link != nil && !s.dropped {
			low = min(low, s.frames)
		}
	}
	return low
}

// patience is how long the server may send no new data before that counts as a stall: 100 ms, or the time of three
// sendings.
func patience(connection uint8) int64 { return max(100e6, 3*int64(connection)*1e9/60) }

// A stallNote is what a stall of the server's data leaves behind, for the packet that ends it, or for one that is sent
// meanwhile because of it.
type stallNote struct {
	ms      uint32
	over    bool
	missing uint16 // bits of the players whose input was missing
	unseen  uint16 // bits of the players who were not captured
	players uint8
	frames  [maxSeats]uint32 // newest frame of each player
	ago     [maxSeats]uint32 // ms since that was sent
	late    [maxSeats]uint16 // ms by which it was late
}

// watch tells of stalls: when new data of the server ends one, and when somebody sends again what was sent, meanwhile.
func (w *world) watch(d *dissect.D, l *link, role int, o *outcome) {
	r := l.room
	if r == nil || !l.playing || l.seat > 0 && l.seat <= maxSeats && r.seats[l.seat-1].dropped {
		return
	}
	from := &l.directions[l.serverDir]
	silent := d.Time() - from.dataAt
	if from.dataAt == 0 {
		silent = 0
	}
	stalled := silent > patience(l.connection) && !d.Stream().Cut()
	switch {
	case role == fromServer && o.hasData():
		if stalled {
			o.stall = r.stall(d, silent, from.dataAt, true)
		}
		from.dataAt, r.outAt = d.Time(), d.Time()
	case stalled && o.bundle.flags&flagResend != 0 && d.Time()-l.stalledAt > 500e6:
		l.stalledAt = d.Time()
		o.stall = r.stall(d, silent, from.dataAt, false)
	}
	if o.stall.ms > 0 {
		o.bundle.flags |= flagStalled
	}
}

// hasData reports whether the bundle had new game data.
func (o *outcome) hasData() bool {
	for i, bits := 0, o.bundle.fresh; bits != 0; i, bits = i+1, bits>>1 {
		if bits&1 != 0 && o.data[i].flags != 0 {
			return true
		}
	}
	return false
}

// stall tells who was missing since a moment: once it is over those whose input came late, before that those with the
// oldest newest frame.
func (r *room) stall(d *dissect.D, silent, since int64, over bool) stallNote {
	n := stallNote{ms: uint32(min(silent/1e6, 1<<32-1)), over: over, players: uint8(min(r.players, maxSeats))}
	low, high := r.lowest(), uint32(0)
	for i := range int(n.players) {
		if s := &r.seats[i]; s.link != nil && !s.dropped {
			high = max(high, s.frames)
		}
	}
	for i := range int(n.players) {
		s := &r.seats[i]
		n.frames[i] = s.frames
		if s.at > 0 {
			n.ago[i] = uint32(min((d.Time()-s.at)/1e6, 1<<32-1))
		}
		switch {
		case s.link == nil && !s.dropped:
			n.unseen |= 1 << i
		case over && s.lateAt > since:
			n.late[i] = uint16(min(s.late/1e6, maxLate))
			n.missing |= 1 << i
		case !over && s.link != nil && !s.dropped && s.frames == low && (low < high || s.at <= since):
			n.missing |= 1 << i
		}
	}
	return n
}
