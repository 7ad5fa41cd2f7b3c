package live

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"remora/capture"
	"remora/capture/internal/pcapng"
	"remora/capture/pcapfile"
	"remora/capture/spool"
)

// A store of a live capture reads the spool as it grows, as far as the capture process says that it is written.

// A grownFile is a file up to a limit that moves.
type grownFile struct{ l *liveLink }

// ReadAt reads up to the limit, and gives io.EOF behind it.
func (g grownFile) ReadAt(p []byte, off int64) (int, error) {
	left := g.l.limit.Load() - off
	if left <= 0 {
		return 0, io.EOF
	}
	return g.l.f.ReadAt(p[:min(int64(len(p)), left)], off)
}

// readHead reads the section and the interfaces.
func (l *liveLink) readHead(ctx context.Context) error {
	if l.f == nil {
		l.a.AddSection(capture.Section{})
		for _, name := range l.began.Options.Interfaces {
			l.a.AddInterface(capture.Interface{Name: name})
		}
		return nil
	}
	l.limit.Store(l.began.Head)
	l.tail = pcapfile.NewTail(ctx, l.a, grownFile{l})
	return l.scanTo(ctx, l.began.Head)
}

// follow reads packets until the capture has ended or its process is gone.
func (l *liveLink) follow(ctx context.Context) error {
	stop, late := ctx.Done(), (<-chan time.Time)(nil)
	for {
		p, alive := l.state()
		end := p.End
		if !alive && !p.Done {
			end = l.written()
		}
		if err := l.scanTo(context.Background(), end); err != nil {
			l.send(request{Stop: true})
			return err
		}
		l.a.Wake()
		switch {
		case p.Done:
			return l.captureEnd(p)
		case !alive:
			return l.processGone()
		}
		select {
		case <-l.changed:
		case <-stop:
			l.send(request{Stop: true})
			stop, late = nil, time.After(patience)
		case <-late:
			return capture.Damaged("the capture process (%d) does not answer: what it wrote so far is shown", l.began.PID)
		}
	}
}

// captureEnd is how a capture ended.
func (l *liveLink) captureEnd(p progress) error {
	if p.CutShort {
		l.a.SetDamaged()
	}
	if p.Unsaved {
		saved := 0
		if l.began.Own {
			saved = l.a.Len()
		}
		l.a.SetHalfWritten(saved)
	}
	switch {
	case p.Damage != "":
		return capture.Damage{Text: p.Damage}
	case p.Err != nil:
		return p.Err.error()
	}
	return nil
}

// processGone says that nobody captures any more.
func (l *liveLink) processGone() error {
	for i := range l.counts {
		l.counts[i].Live = false
	}
	l.a.SetInterfaceStatus(slices.Clone(l.counts))
	text := fmt.Sprintf("the capture process (%d) was ended by something else", l.began.PID)
	if words := ownProcess.words(); words != "" {
		text += " (" + words + ")"
	}
	unread := l.began.Options.Unread
	switch {
	case unread && l.began.Own:
		return capture.Damage{Text: text + ": " + filepath.Base(l.began.Path) + " has what it had written"}
	case unread || l.f == nil:
		return capture.Damage{Text: text}
	}
	return capture.Damage{Text: fmt.Sprintf("%s, so the capture stopped: the %d packets that it had written are there",
		text,
		l.a.Len())}
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
func (l *liveLink) scanTo(ctx context.Context, end int64) error {
	if l.f == nil || l.began.Options.Unread && l.tail.Offset() >= l.began.Head {
		return nil
	}
	l.limit.Store(max(end, l.limit.Load()))
	for l.tail.Read() < end && ctx.Err() == nil {
		l.passOver()
		n, err := l.tail.Fill()
		if err != nil && err != io.EOF {
			return pcapfile.Errorf(l.began.Path, err, "%s cannot be read any further: %v", l.spoolName(), err)
		}
		if l.passOver() { // while it was read
			continue
		}
		if err := l.tail.Scan(); err != nil {
			return err
		}
		l.a.Read().Store(l.tail.Offset())
		if l.began.Own { // they leave the memory, not the file
			l.a.EvictOldest(l.tail.Offset())
		}
		if n == 0 && l.tail.Stuck(end) {
			return nil // no more whole blocks, or the file is shorter than was said
		}
	}
	return nil
}

func (l *liveLink) spoolName() string {
	if l.began.Path == "" {
		return "the spool"
	}
	return l.began.Path
}

// passOver leaves out packets that were evicted from the spool, and reports whether some were not read yet.
func (l *liveLink) passOver() (skipped bool) {
	if l.began.MarkAt == 0 || l.tail.Offset() < l.began.Head {
		return false
	}
	keptFrom, first, ok := spool.ReadMark(l.f, l.began.MarkAt)
	if !ok || first <= l.forgot {
		return false
	}
	if keptFrom > l.tail.Offset() {
		at := l.timeAt(keptFrom)
		for missed := first - l.a.Len(); missed > 0; missed-- {
			l.a.Append(at, 0, keptFrom, 0, 0)
			l.missed.Add(1)
		}
		l.tail.Jump(keptFrom)
		skipped = true
	}
	first = min(first, l.a.Len())
	l.a.Evicted(l.forgot, first)
	l.forgot = first
	return skipped
}

// timeAt is when the packet was captured whose block begins at an offset.
func (l *liveLink) timeAt(off int64) int64 {
	var head [pcapng.EpbHeader]byte
	if n, _ := l.f.ReadAt(head[:], off); n < len(head) || binary.LittleEndian.Uint32(head[:]) != pcapng.BlockPacket {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(head[12:]))<<32 | int64(binary.LittleEndian.Uint32(head[16:]))
}
