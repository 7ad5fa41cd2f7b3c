package dissect

import (
	"time"

	"fmt"
	"slices"
	"sort"

	"remora/capture"
	"remora/internal/column"
)

// A Dissector dissects frames for one goroutine. What it returns is valid until it dissects
// again.
type Dissector struct {
	s     *Session
	d     D
	t     Tree
	wants *Wants
	reach []int8           // by layer stack, for wants; -1 not worked out yet
	guard *Guard           // that it runs under
	made  *Wants           // of Sources
	known [32]byte         // the addresses of trees that are made without reading the packet
	convs conversationView // of those

	cells   []cellView   // of columns
	answers [2]answersTo // as a filter and a printer ask in turn

	rowsOf, rows *Wants // the wants of rows last asked for, and the own copy of them (see learned)
}

// Dissector makes a Dissector. Each goroutine needs its own.
func (s *Session) Dissector() *Dissector { return s.newDissector(false) }

// GuardedDissector makes one for those who must not wait for a dissector that hangs: each re-dissection runs under a
// Guard.
func (s *Session) GuardedDissector() *Dissector {
	l := s.newDissector(false)
	l.guard = s.Guard()
	return l
}

func (s *Session) newDissector(first bool) *Dissector {
	l := &Dissector{s: s}
	l.t.reg, l.t.session, l.t.by = s.reg, s, &l.d
	l.d = D{s: s, reg: s.reg, first: first, t: &l.t, reader: s.store.NewReader(), asking: noPlugin, work: new(worker),
		turns: make([]uint32, len(s.stores)), hints: make([]uint32, len(s.stores)),
		windows: make([]*column.Window, len(s.stores))}
	return l
}

// Tree dissects frame n in full. The frame must have passed.
func (l *Dissector) Tree(n FrameNum) *Tree { return l.Redissect(n, wantsEverything) }

// Tree dissects frame n in full and returns a tree of its own.
func (s *Session) Tree(n FrameNum) *Tree { return s.GuardedDissector().Tree(n).Clone() }

// Redissect dissects frame n as far as the wanted fields need it. A frame that cannot have any of them is not even
// read: its tree has no nodes.
func (l *Dissector) Redissect(n FrameNum, w *Wants) *Tree {
	if l.guard != nil {
		return l.guard.redissect(n, w)
	}
	return l.redissect(n, w)
}

func (l *Dissector) redissect(n FrameNum, w *Wants) *Tree {
	s, d, t := l.s, &l.d, &l.t
	rec := *column.Seen(&d.records, &s.records, int(n)-1)
	sh := s.LayerStack(rec.stack())
	t.LayerStack, t.Severity, t.top = sh, rec.severity(), sh.top
	t.meta = d.reader.Meta(int(n) - 1)
	stop := l.reachOf(sh, w)
	if stop == 0 {
		t.reset(n, nil)
		return t
	}
	row := w.text && !w.all
	if row {
		w = l.learned(w)
	}
	data, err := d.reader.Bytes(int(n) - 1)
	l.dissect(n, w, sh, stop, data, err)
	for row && w.learning { // each time of one field more at least
		w.learning = false
		l.dissect(n, w, sh, stop, data, err)
	}
	if d.over == fWatchdog && !d.knownToHang() { // it ended itself when it was asked to
		s.hung(d, d.plugin)
		return l.redissect(n, w)
	}
	if s.givenUp.count.Load() > 0 {
		d.alsoGivenUp()
	}
	t.read = true
	if t.titledOf != t.top {
		t.titled = ""
	}
	t.Src, t.Dst, t.Dir = d.Src, d.Dst, d.Dir
	if id, _ := splitRef(rec.conv); id != 0 {
		t.Conv = s.Conversation(id)
	}
	return t
}

func (l *Dissector) dissect(n FrameNum, w *Wants, sh *LayerStack, stop int, data []byte, err error) {
	l.t.reset(n, data)
	l.d.begin(n, w, stop)
	l.d.path, l.d.ordinals = sh.path, sh.ordinals
	l.d.enter()
	l.d.frame(data, err)
	l.d.leave()
}

// After dissects frame n in full, which must have passed, and has something done where the first pass does what
// [Registry.Passed] names.
func (l *Dissector) After(n FrameNum, do func(d *D)) {
	l.d.after = do
	defer func() { l.d.after = nil }()
	l.redissect(n, wantsEverything)
}

// Bytes are the bytes of a frame as captured. They are valid until the next call, and must not be written to.
func (l *Dissector) Bytes(n FrameNum) ([]byte, error) { return l.d.reader.Bytes(int(n) - 1) }

func (l *Dissector) reachOf(sh *LayerStack, w *Wants) int {
	if w.all {
		return MaxLayers + 1
	}
	if l.wants != w {
		l.wants, l.reach = w, l.reach[:0]
	}
	for int(sh.ID) >= len(l.reach) {
		l.reach = append(l.reach, -1)
	}
	if l.reach[sh.ID] < 0 {
		l.reach[sh.ID] = int8(sh.reach(l.s, w))
	}
	return int(l.reach[sh.ID])
}

// first passes frame n: dissects it with state and leaves its record.
func (l *Dissector) first(n FrameNum) {
	d := &l.d
	data, err := l.open(n)
	d.begin(n, d.s.firstWants, MaxLayers+1)
	d.path, d.kinds, d.convIDs = d.path[:0], d.kinds[:0], d.convIDs[:0]
	d.enter()
	d.frame(data, err)
	d.leave()
	l.record()
	d.learnHeaders()
}

// open readies the tree for a frame, and reads its bytes.
func (l *Dissector) open(n FrameNum) ([]byte, error) {
	data, err := l.d.reader.Bytes(int(n) - 1)
	l.t.reset(n, data)
	l.t.meta = l.d.reader.Meta(int(n) - 1)
	return data, err
}

// record leaves the frame's record in the index.
func (l *Dissector) record() {
	s, d, n := l.s, &l.d, l.d.Frame
	switch {
	case d.over == fWatchdog:
		d.shorten()
		s.hung(d, d.plugin)
	case d.over != nil && d.over != fEvicted: // that a re-dissection finds by itself
		s.givenUp.put(n, d.plugin, d.over)
	}
	sh := s.stacks.intern(s, d.path, d.kinds, d.top)
	s.stacks.count(sh, l.t.meta.Len)
	rec := newRecord(sh.ID, d.severity)
	if d.unpacks || d.t.sourceCount > 0 {
		rec.stacked |= markSources
	}
	if d.apart || d.over != nil {
		rec.stacked |= markApart
	}
	if d.conv != nil && d.conv.tags != d.tags {
		rec.stacked |= markRetagged
	}
	for i, ref := range d.convIDs {
		if i == 0 {
			rec.conv = ref
		} else {
			s.moreConvs.rows.Append(convRow{n, uint32(i - 1), ref})
		}
	}
	s.records.Append(rec)
}

// begin readies the cursor for a frame.
func (d *D) begin(n FrameNum, w *Wants, stop int) {
	d.Frame, d.want, d.ids, d.bare, d.stop, d.meta = n, w, w.ids, w == wantsNothing, stop, d.t.meta
	d.Src, d.Dst, d.Dir, d.conv, d.transport, d.carried = Endpoint{}, Endpoint{}, 0, nil, "", Carried{}
	d.layer, d.depth, d.src, d.short, d.handed, d.rejected, d.quoted, d.aside, d.joint, d.lazy = 0, 0, 0, false, -1, false,
		false, false, false, false
	d.glued = 0
	d.converses, d.top, d.severity, d.infoLayer, d.message, d.plugin, d.proto = 0, noPlugin, Silent, 0, -1, noPlugin, ws
	d.infoBy, d.carrier, d.typed, d.kindBy, d.kindIn = noPlugin, noPlugin, false, noPlugin, nil
	d.Hops, d.fence, d.broken, d.layerData, d.parted, d.single = 0, 0, "", nil, false, false
	d.behindGap, d.apart, d.tags, d.unpacks = 0, false, 0, false
	d.again, d.stream, d.factRead, d.endsRead, d.layersAt = false, streamMark{}, false, false, -1
	d.joined, d.joinedSrc, d.datagram, d.image, d.flow, d.arrival.pos = nil, 0, 0, nil, nil, 0
	d.making, d.basis, d.decryptedLast = making{}, basis{}, 0
	d.steps, d.look, d.over, d.asking, d.hangs = 0, lookEvery, nil, noPlugin, d.s.hangs.Load()
	d.headers = !d.bare && (!d.first || d.recording || !w.Row())
	d.changes = d.changes[:0]
	if d.gathered = d.gathered[:0]; cap(d.gathered) > maxGathered {
		d.gathered = nil
	}
	if d.turned {
		d.turned = false
		clear(d.turns)
	}
	d.refs = d.refs[:0]
}

// frame dissects one frame from its outermost layer on. A plugin that panics costs the rest of this frame only.
func (d *D) frame(data []byte, err error) {
	if !d.reg.Strict {
		defer d.recovered()
	}
	defer d.ended()
	d.data, d.pos, d.end, d.cut = data, 0, len(data), max(0, int(d.meta.Len)-int(d.meta.CapLen))
	if err != nil {
		d.ExpertText(fUnread, fmt.Sprintf("%s: %v", fUnread.label, err))
	}
	root := step{uint16(d.reg.root), ByTable}
	if d.first {
		d.path = append(d.path, root)
	}
	if d.layer = 1; !d.first || !d.repeated() {
		d.run(root, 0)
	}
	if d.meta.CapLen < d.meta.Len {
		d.limited()
	}
	if len(d.reg.post) > 0 {
		d.postDissect()
	}
	if d.first {
		for _, do := range d.reg.passed {
			do(d)
		}
	}
	if d.after != nil {
		d.after(d)
	}
	if d.want.text { // the end of the Info column says why it ends, without a space, as in Wireshark
		d.t.info = append(d.t.info, d.broken...)
	}
	if !d.first {
		d.depth = 1
		d.putEnds()
	}
}

// limited says of a packet that the capture has cut it off, where no layer has met what is missing.
func (d *D) limited() {
	if d.broken != cutText && (d.first || d.Wanted(fShort) || d.want.everywhere) {
		d.depth, d.src, d.short = 1, 0, false
		d.Expert(fShort)
	}
	if d.first && d.conv != nil {
		d.conv.cut = true
	}
}

func (d *D) recovered() {
	if p := recover(); p != nil {
		d.steps, d.apart = 0, true // for what is said of it
		name := "the engine"
		if d.plugin != noPlugin {
			name = d.reg.plugins[d.plugin].Protocol.name
		}
		d.depth, d.src = 1, 0
		d.ExpertText(fPanic, fmt.Sprintf("The dissector %s failed on this packet: %v", name, p))
	}
}

// Time is when the frame was captured, in nanoseconds since 1970-01-01 UTC.
func (d *D) Time() int64 { return d.meta.Time }

// Len is the length of the frame on the wire, in bytes.
func (hd *PacketRecord) Len() int {
	d := (*D)(hd)
	return int(d.meta.Len)
}

// CapLen is how many bytes of the frame were captured.
func (hd *PacketRecord) CapLen() int {
	d := (*D)(hd)
	return int(d.meta.CapLen)
}

// Interface describes where the frame was captured.
func (hd *PacketRecord) Interface() capture.Interface {
	d := (*D)(hd)
	return d.s.store.Interface(d.meta.Interface)
}

// InterfaceID is the number of that interface in the capture, from 0 on.
func (hd *PacketRecord) InterfaceID() int {
	d := (*D)(hd)
	return d.meta.Interface
}

// LinkType is the LINKTYPE_ value of the frame's interface: a part of Interface that costs less than the whole.
func (hd *PacketRecord) LinkType() int {
	d := (*D)(hd)
	return d.s.store.InterfaceLinkType(d.meta.Interface)
}

// TimeOf is when another frame was captured. Of frames that were evicted only the times of the capture's and of the
// conversation's first one are known: what depends on others is left out.
func (hd *PacketRecord) TimeOf(n FrameNum) (at int64, known bool) {
	d := (*D)(hd)
	switch {
	case n == 1 || int(n) > d.s.store.First():
		return d.s.store.Time(int(n) - 1), true
	case d.conv != nil && d.conv.First == n:
		return d.conv.began, true
	}
	return 0, false
}

// SetSince sets the field to the time since another frame, in nanoseconds, if it is known when that was captured.
func (hd *PacketRecord) SetSince(f *Field, earlier FrameNum) {
	d := (*D)(hd)
	if !d.Wanted(f) {
		return
	}
	if at, known := hd.TimeOf(earlier); known {
		d.Set(f, uint64(d.meta.Time-at))
	}
}

// Reference is the frame that times are relative to: the last time reference up to this one, else the first frame.
func (hd *PacketRecord) Reference() FrameNum {
	d := (*D)(hd)
	return FrameNum(d.s.store.Reference(int(d.Frame)-1) + 1)
}

// IsReference tells whether somebody made the frame a time reference.
func (hd *PacketRecord) IsReference() bool {
	d := (*D)(hd)
	_, found := slices.BinarySearch(d.s.store.References(), int(d.Frame)-1)
	return found
}

// Zone is where times are written as local time.
func (hd *PacketRecord) Zone() *time.Location { return hd.s.zone() }

// Comments are what people wrote about the frame.
func (hd *PacketRecord) Comments() []string {
	d := (*D)(hd)
	return d.s.store.Comments(int(d.Frame) - 1)
}

// Layers are the protocols of the frame, outermost first, as known after the first pass.
func (hd *PacketRecord) Layers() []*Protocol {
	d := (*D)(hd)
	var out []*Protocol
	for _, st := range d.path {
		if id := d.s.effective(st.plugin); id < noLayer {
			out = append(out, d.reg.plugins[id].Protocol)
		}
	}
	return out
}

func searchRows(n int, reached func(int) bool) int { return sort.Search(n, reached) }

// Session is the session whose frames are dissected.
func (l *Dissector) Session() *Session { return l.s }
