package capture

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// A store of a live capture reads the spool as it grows, as far as the capture process says that it is written.

// A grownFile is a file up to a limit that moves.
type grownFile struct{ l *liveLink }

func (g grownFile) ReadAt(p []byte, off int64) (int, error) {
	left := g.l.limit.Load() - off
	if left <= 0 {
		return 0, io.EOF
	}
	return g.l.f.ReadAt(p[:min(int64(len(p)), left)], off)
}

// readHead reads the section and the interfaces.
func (s *Store) readHead(ctx context.Context) error {
	l := s.live
	if l.f == nil {
		s.sections.Append(Section{})
		for _, c := range s.counters {
			s.ifaces.Append(Interface{Name: c.name})
		}
		return nil
	}
	l.limit.Store(l.began.Head)
	s.data = grownFile{l}
	src := &source{name: s.name, at: grownFile{l}}
	l.scanned = &window{src: src, buf: make([]byte, firstWindow)}
	l.format = &pcapng{sink: &sink{s: s, ctx: ctx}}
	if err := s.scanTo(ctx, l.began.Head); err != nil {
		return err
	}
	for i := range s.ifaces.all() {
		s.ifaces.all()[i].optOff = 0 // its packets have no options to look for
	}
	return nil
}

// follow reads packets until the capture has ended or its process is gone.
func (s *Store) follow(ctx context.Context) error {
	l := s.live
	stop, late := ctx.Done(), (<-chan time.Time)(nil)
	for {
		p, alive := l.state()
		end := p.End
		if !alive && !p.Done {
			end = l.written()
		}
		if err := s.scanTo(context.Background(), end); err != nil {
			l.send(request{Stop: true})
			return err
		}
		s.wake()
		switch {
		case p.Done:
			return s.liveEnd(p)
		case !alive:
			return s.processGone()
		}
		select {
		case <-l.changed:
		case <-stop:
			l.send(request{Stop: true})
			stop, late = nil, time.After(patience)
		case <-late:
			return damaged("the capture process (%d) does not answer: what it wrote so far is shown", l.began.PID)
		}
	}
}

// liveEnd is how a capture ended.
func (s *Store) liveEnd(p progress) error {
	if p.CutShort {
		s.damaged.Store(true)
	}
	if p.Unsaved {
		s.halfWritten.Store(true)
		if s.live.began.Own {
			s.savedUpTo.Store(int64(s.Len()))
		}
	}
	switch {
	case p.Damage != "":
		return damage{p.Damage}
	case p.Err != nil:
		return p.Err.error()
	}
	return nil
}

// processGone says that nobody captures any more.
func (s *Store) processGone() error {
	for _, c := range s.counters {
		c.live.Store(false)
	}
	text := fmt.Sprintf("the capture process (%d) was ended by something else", s.live.began.PID)
	if words := ownProcess.words(); words != "" {
		text += " (" + words + ")"
	}
	switch {
	case s.opt.Unread && s.live.began.Own:
		return damage{text + ": " + filepath.Base(s.live.began.Path) + " has what it had written"}
	case s.opt.Unread || s.live.f == nil:
		return damage{text}
	}
	return damage{fmt.Sprintf("%s, so the capture stopped: the %d packets that it had written are there", text, s.Len())}
}

// written is how far the spool goes when nobody says it any more. What the last write left half done is no whole block.
func (l *liveLink) written() int64 {
	if l.f == nil {
		return 0
	}
	if info, err := l.f.Stat(); err == nil {
		return info.Size()
	}
	return l.limit.Load()
}

// scanTo indexes the spool's packets up to an offset.
func (s *Store) scanTo(ctx context.Context, end int64) error {
	l := s.live
	if l.f == nil || s.opt.Unread && l.scanned.off >= l.began.Head {
		return nil
	}
	l.limit.Store(max(end, l.limit.Load()))
	w := l.scanned
	for w.off+int64(w.have) < end && ctx.Err() == nil {
		s.passOver()
		n, err := w.fill()
		if err != nil && err != io.EOF {
			return fileError(l.began.Path, err, "%s cannot be read any further: %v", s.spoolName(), err)
		}
		if s.passOver() { // while it was read
			continue
		}
		if err := w.scan(l.format); err != nil {
			return err
		}
		s.bytesRead.Store(w.off)
		if l.began.Own && s.opt.Keep > 0 { // they leave the memory, not the file
			s.leave(w.off)
		}
		if n == 0 && w.have > 0 && w.need <= w.have { // no more whole blocks
			return nil
		}
		if n == 0 && w.off+int64(w.have) < end && len(w.buf) > w.have {
			return nil // the file is shorter than was said
		}
	}
	return nil
}

func (s *Store) spoolName() string {
	if s.live.began.Path == "" {
		return "the spool"
	}
	return s.live.began.Path
}

// passOver leaves out packets that have left the spool, and reports whether some were not read yet.
func (s *Store) passOver() (skipped bool) {
	l := s.live
	if l.began.MarkAt == 0 || l.scanned.off < l.began.Head {
		return false
	}
	keptFrom, first, ok := readMark(l.f, l.began.MarkAt)
	if !ok || first <= l.forgot {
		return false
	}
	if keptFrom > l.scanned.off {
		at := s.timeAt(keptFrom)
		for missed := first - s.Len(); missed > 0; missed-- {
			s.index.append(at, 0, keptFrom, 0, 0)
			l.missed.Add(1)
		}
		l.scanned.off, l.scanned.have, l.scanned.need = keptFrom, 0, 0
		skipped = true
	}
	first = min(first, s.Len())
	s.raiseFirst(first)
	s.index.forget(l.forgot, first)
	l.forgot = first
	return skipped
}

// timeAt is when the packet was captured whose block begins at an offset.
func (s *Store) timeAt(off int64) int64 {
	var head [epbHeader]byte
	if n, _ := s.live.f.ReadAt(head[:], off); n < len(head) || binary.LittleEndian.Uint32(head[:]) != blockPacket {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(head[12:]))<<32 | int64(binary.LittleEndian.Uint32(head[16:]))
}

// raiseFirst says that the packets before n have left.
func (s *Store) raiseFirst(n int) {
	for {
		was := s.first.Load()
		if int64(n) <= was || s.first.CompareAndSwap(was, int64(n)) {
			return
		}
	}
}

// isEvicted tells whether packet i has left, also where nobody has noticed it yet: bytes that were just read are worth
// nothing then.
func (s *Store) isEvicted(i int) bool {
	if l := s.live; l != nil && l.began.MarkAt > 0 {
		if _, first, ok := readMark(l.f, l.began.MarkAt); ok {
			s.raiseFirst(min(first, s.Len()))
		}
	}
	return i < s.First()
}
