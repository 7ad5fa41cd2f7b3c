package dissect

// maxBegun is how many bytes of a message tell what it is.
const maxBegun = 8 << 10

// A waiting is what a frame remembers of a segment whose message waited for more when it passed.
type waiting struct {
	Part  bool
	Begun uint32 // what stands in place of the transport's words: as in tail
}

// wordless is the Begun of a message that tells nothing of itself, and leaves nothing of the transport's words either.
const wordless = 1

// A messageStart is where a message begins that waits, and the plugin that tells of it.
type messageStart struct {
	Ref    Ref
	Plugin uint16
}

var (
	waitStore     = NewStore[struct{}, waiting]()
	messageStarts = NewList[messageStart]()
)

// awaits tells whether a segment that just passed is part of a message that waits for its end.
func (st *stream) awaits(seq uint32, state SegmentState) bool {
	switch t := &st.tail; state {
	case InOrder, Overlapping:
		return t.size > 0
	case OutOfOrder: // behind a gap in a message whose length is known
		return t.size > 0 && int(seq-st.next)+t.size < t.announced
	}
	return false
}

// keepWaiting keeps of a segment that its message waits. known tells that its length was, before the segment.
func (d *D) keepWaiting(t *tail, known bool) waiting {
	if plugin := d.conv.plugin; t.begun == 0 && plugin != noPlugin && d.reg.plugins[plugin].Begun != nil {
		from := messageStart{t.refs[0], plugin}
		from.Ref.Len = min(from.Ref.Len, maxBegun)
		text, again, ok := d.begun(from)
		switch t.again = again; {
		case ok && text == "":
			t.begun = wordless
		case ok:
			t.begun = wordless + messageStarts.Put(d, from)
		}
	}
	w := waiting{Part: true}
	if !known || t.again {
		w.Begun = t.begun
	}
	return waitStore.data(d).keep(d, uint32(d.segments()-1), w)
}

// begun asks the protocol what it knows of a message that waits.
func (d *D) begun(from messageStart) (text string, again, ok bool) {
	b, known := d.recall(d.room(int(from.Ref.Len)), []Ref{from.Ref})
	if !known {
		return "", false, false
	}
	return d.reg.plugins[from.Plugin].Begun(b)
}

// sayWaiting has the Info column say of a segment that its message ends in a later one.
func (d *D) sayWaiting(w waiting) {
	if !d.want.text {
		return
	}
	text, ok := "", w.Begun == wordless
	if w.Begun > wordless {
		text, _, ok = d.begun(messageStarts.At(d, w.Begun-wordless))
	}
	if ok && d.ownInfo() {
		d.t.info = d.t.info[:d.fence]
		d.addInfo([]byte(text))
	}
	d.Info().Setf("[TCP segment of a reassembled PDU]")
}

// TellsMessage tells whether the row of a packet, which is but a part of a message, has words of that message: bytes of
// an earlier packet, maybe.
func (l *Dissector) TellsMessage(n FrameNum) bool {
	data, d := l.s.stores[waitStore.id].(*storeData[struct{}, waiting]), &l.d
	notes := &data.notes.Rows
	if notes.Len() == 0 {
		return false
	}
	w := d.window(waitStore.id)
	for at := firstNear(w, notes, n, &d.hints[waitStore.id]); at < notes.Len() && FrameNum(w.Lead(notes, at)) == n; at++ {
		if (*frameData[waiting])(w.At(notes, at)).note.Begun > wordless {
			return true
		}
	}
	return false
}
