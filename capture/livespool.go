package capture

import (
	"os"
	"remora/internal/home"
	"runtime"
	"sort"
	"time"
)

// startSpool begins the file that the packets go to.
func (s *Store) startSpool(opt Options) error {
	sp, err := liveSpool(s.name, opt)
	if err != nil {
		return err
	}
	s.opt, s.limit.packets, s.captureFilter = opt, opt.Stop.Packets, opt.Filter
	s.spool, s.data, s.volatileData = sp, sp.f, !sp.keep
	if sp.keep {
		s.limit.bytes = opt.Stop.Bytes
	}
	sec := Section{Application: application(opt.Application), OS: runtime.GOOS + "/" + runtime.GOARCH}
	if opt.Comment != "" {
		sec.Comments = []string{opt.Comment}
	}
	s.sections.Append(sec)
	head := appendSection(nil, sec)
	for _, i := range s.ifaces.all() {
		head = appendInterface(head, i)
	}
	return s.spoolBytes(head)
}

// spoolIsFile says that the file asked for with -w can itself be the spool: a plain pcapng file that stays.
func spoolIsFile(opt Options) bool {
	f, codec := FormatOf(opt.Write)
	if opt.Write == "" || opt.Write == "-" || f != PcapNG || codec != "" || opt.Ring.on() {
		return false
	}
	info, err := os.Stat(opt.Write)
	return err != nil || info.Mode().IsRegular()
}

// liveSpool opens the file behind a live capture.
func liveSpool(name string, opt Options) (*spool, error) {
	if !spoolIsFile(opt) {
		return createSpool(opt.SpoolDir, name, false)
	}
	f, err := os.OpenFile(opt.Write, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, cannotWrite(opt.Write, err)
	}
	if claim(f) != nil {
		f.Close()
		return nil, fileError(opt.Write, nil, "%s is being written by another capture: choose another name", opt.Write)
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, cannotWrite(opt.Write, err)
	}
	home.HandOver(f)
	sp := newSpool(f, opt.Write)
	sp.keep = true
	return sp, nil
}

// cutSpool shortens a spool that could not be written any further to its last whole packet, so that the file ends
// cleanly. Readers still find the packets behind in memory.
func (s *Store) cutSpool() {
	size := s.spool.size.Load()
	end := func(i int) int64 { off, n := s.index.span(i); return off + int64(pad4(n)) + 4 }
	n := sort.Search(s.Len(), func(i int) bool { return end(i) > size })
	if s.spool.keep { // the packets behind are nowhere but in memory
		s.savedUpTo.Store(int64(n))
		s.halfWritten.Store(true)
	}
	if n > 0 {
		s.spool.f.Truncate(end(n - 1))
	}
}

// spoolBytes appends a piece of the file that is no packet.
func (s *Store) spoolBytes(b []byte) error {
	buf, _, err := s.spool.room(len(b), s.spool.end())
	if err != nil {
		return s.spoolError(err)
	}
	s.spool.commit(copy(buf, b))
	if err := s.spool.flush(); err != nil {
		return s.spoolError(err)
	}
	return nil
}

// writeStats ends the spool with what was counted.
func (s *Store) writeStats() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spool.err != nil {
		return nil // has been told
	}
	var b []byte
	now := time.Now().UnixNano()
	for i, c := range s.counters {
		b = appendStats(b, i, now, s.started.UnixNano(), c.received.Load(), c.ifDropped.Load(), c.dropped.Load())
	}
	return s.spoolBytes(b)
}

func application(name string) string {
	if name == "" {
		return "remora"
	}
	return name
}
