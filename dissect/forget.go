package dissect

// A capture that keeps a part only has its oldest packets leave (capture.Options.Keep). What the session holds frame by frame
// then goes as well: records, notes, marks, recipes of messages. What it holds of conversations, games and shapes stays.

// forgetEvery is how many frames must have left before they are forgotten: chunks of columns are given up whole.
const forgetEvery = 1 << 14

// A forgetter gives up what it holds of frames below one.
type forgetter interface{ forget(below FrameNum) }

// forgetOld forgets frames that have left. The goroutine of the first pass calls it.
func (s *Session) forgetOld() {
	n := min(s.store.First(), s.Passed())
	if n < s.forgotten+forgetEvery {
		return
	}
	s.forgotten = n
	below := FrameNum(n + 1)
	s.records.Forget(n)
	s.marks.Forget(searchRows(s.marks.Len(), func(i int) bool { return s.marks.Ref(i).Frame >= below }))
	s.exchanges.Forget(searchRows(s.exchanges.Len(), func(i int) bool { return s.exchanges.Ref(i).Frame >= below }))
	more := &s.moreConvs.rows
	more.Forget(searchRows(more.Len(), func(i int) bool { return more.Ref(i).frame >= below }))
	s.pdus.forget(below)
	s.forward.forget(below)
	for _, st := range s.stores {
		if f, ok := st.(forgetter); ok {
			f.forget(below)
		}
	}
}

// forget gives up notes. Those that are known by numbers stay: any later frame may ask for them.
func (data *storeData[S, N]) forget(below FrameNum) {
	if !data.numbered {
		data.notes.Forget(searchRows(data.notes.Len(), func(i int) bool { return data.notes.Ref(i).frame >= below }))
	}
}

func (l *pduList) forget(below FrameNum) {
	k := l.of(below)
	for i := k; i < l.rows.Len(); i++ {
		if p := l.rows.Ref(i); p.refs > 0 {
			l.refs.Forget(int(p.firstRef))
			break
		}
	}
	l.rows.Forget(k)
}

func (b *forwardBook) forget(below FrameNum) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k := range b.all {
		if k.frame < below {
			delete(b.all, k)
		}
	}
}
