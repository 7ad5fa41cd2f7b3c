package live

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"sync"
	"time"

	"remora/capture"
	"remora/capture/internal/pcapng"
	"remora/capture/pcapfile"
	"remora/capture/spool"
	"remora/internal/sharing"
)

const (
	// flushAt is how many bytes of packets are written at once while they come fast.
	flushAt = 256 << 10
	// flushSoon is how long packets wait in memory while they come slowly.
	flushSoon = 4 * time.Millisecond
	// flushLate is how long they wait where the next one always comes before the system says that none came.
	flushLate = 50 * time.Millisecond
	// markEvery is how many bytes of the spool lie between two places at which older packets may end.
	markEvery = 64 << 10
	// statsEvery is how often the drop counters are asked for, and how soon an interface that is gone is noticed.
	statsEvery = 500 * time.Millisecond
)

// An engine is a live capture as the capture process sees it: it takes packets from libpcap and writes them to the
// spool, to the file of -w, or both, and looks into none of them. Everything under mu is shared by the interfaces'
// goroutines.
type engine struct {
	opt      capture.Options
	name     string
	started  time.Time
	ifaces   []capture.Interface
	counters []*counter
	nextFile chan struct{}
	stop     context.CancelFunc
	finished chan struct{}

	mu      sync.Mutex
	f       *os.File // the spool; nil when only rec is written
	path    string
	own     bool // the spool is the file of -w
	rec     *pcapfile.Writer
	buf     []byte // what is not in the file yet
	base    int64  // where buf belongs in the file
	packets int    // taken, those in buf among them
	inBuf   int
	failed  error // the first failure to write
	unsaved bool  // the file of -w could not be written to the end
	enough  bool  // a stop rule holds
	flushed time.Time

	head     int64 // where the first packet begins
	markAt   int64 // offset of the block that says what was evicted; 0: nothing ever is
	marks    []spoolMark
	first    int
	keptFrom int64

	status engineStatus
}

// A spoolMark is a place between two packets of the spool, and how many packets are before it.
type spoolMark struct {
	off int64
	n   int
}

// begin makes the files of a capture whose interfaces are open, and writes their heads.
func (e *engine) begin() error {
	sec := capture.Section{Application: cmp.Or(e.opt.Application, "remora"), OS: runtime.GOOS + "/" + runtime.GOARCH}
	if e.opt.Comment != "" {
		sec.Comments = []string{e.opt.Comment}
	}
	if err := e.openSpool(); err != nil {
		return err
	}
	if err := e.openRecord(sec); err != nil {
		e.discard()
		return err
	}
	if e.f == nil {
		return nil
	}
	e.buf = pcapfile.AppendSection(nil, sec)
	for _, i := range e.ifaces {
		e.buf = pcapfile.AppendInterface(e.buf, i)
	}
	if (e.opt.Keep > 0 || e.opt.Passing) && !e.own {
		e.markAt = int64(len(e.buf))
		e.buf = spool.AppendMark(e.buf, 0, 0)
	}
	if err := e.write(); err != nil {
		err = e.spoolError(err)
		e.discard()
		return err
	}
	e.head, e.keptFrom = e.base, e.base
	return nil
}

func (e *engine) openSpool() error {
	if spoolIsFile(e.opt) {
		f, err := openOwn(e.opt.Write, e.opt.Replace)
		e.f, e.path, e.own = f, e.opt.Write, true
		return err
	}
	if e.opt.Unread && e.opt.Write != "" {
		return nil
	}
	f, path, err := spool.Create(e.opt.SpoolDir, e.name, e.opt.Brief)
	if err != nil {
		return err
	}
	e.f, e.path = f, path
	return nil
}

// openOwn opens a file of -w that is the spool, too.
func openOwn(path string, replace bool) (*os.File, error) {
	if !replace {
		if err := pcapfile.MayCreate(path); err != nil {
			return nil, err
		}
	}
	f, err := sharing.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, pcapfile.CannotWrite(path, err)
	}
	if spool.Claim(f) != nil {
		f.Close()
		return nil, pcapfile.Errorf(path, nil, "%s is being written by another capture: choose another name", path)
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, pcapfile.CannotWrite(path, err)
	}
	return f, nil
}

// openRecord begins the file of -w where the spool cannot be that file itself.
func (e *engine) openRecord(sec capture.Section) error {
	if e.opt.Write == "" || e.own {
		return nil
	}
	stop := e.opt.Stop
	stop.Packets = 0 // counted here
	w, err := pcapfile.Create(e.opt.Write,
		pcapfile.WriterOptions{Application: e.opt.Application, Section: sec, Ring: e.opt.Ring, Stop: stop,
			Replace: e.opt.Replace, Closed: e.closed()})
	if err != nil {
		return err
	}
	for _, i := range e.ifaces {
		if _, err := w.AddInterface(i); err != nil {
			w.Close()
			return err
		}
	}
	e.rec = w
	return w.Flush()
}

// closed is what is told the names of complete files, or nil where nobody asked for them.
func (e *engine) closed() func(string) {
	if e.opt.Ring.Names == "" {
		return nil
	}
	return e.status.closedFile
}

// discard closes the spool and removes it, unless it is the file of -w.
func (e *engine) discard() {
	if e.f == nil {
		return
	}
	e.f.Close()
	if !e.own && e.path != "" {
		os.Remove(e.path)
	}
}

// take appends a batch, as far as it is wanted. ErrEnough says that no more is.
func (e *engine) take(b packetBatch) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed != nil {
		return e.failed
	}
	if e.enough {
		return capture.ErrEnough
	}
	if n := e.opt.Stop.Packets; n > 0 && e.packets+b.n >= n {
		b = b.cut(n - e.packets)
		e.enough = true
	}
	if limit := e.opt.Stop.Bytes; limit > 0 && e.own && e.end()+int64(len(b.blocks)) >= limit {
		b = b.upTo(limit - e.end())
		e.enough = true
	}
	b, err := e.record(b)
	if e.f != nil {
		e.buf = append(e.buf, b.blocks...)
		e.inBuf += b.n
	}
	e.packets += b.n
	e.mark()
	if err == nil && (len(e.buf) >= flushAt || time.Since(e.flushed) >= flushLate) {
		err = e.writeSpool()
	}
	if err == nil && e.enough {
		err = capture.ErrEnough
	}
	return err
}

// record writes a batch to the file of -w, and cuts it where that has enough.
func (e *engine) record(b packetBatch) (packetBatch, error) {
	if e.rec == nil {
		return b, nil
	}
	le := binary.LittleEndian
	n := 0
	for block := range b.each {
		p := pcapfile.Packet{Interface: int(le.Uint32(block[8:])),
			Time: int64(le.Uint32(block[12:]))<<32 | int64(le.Uint32(block[16:])),
			Len:  le.Uint32(block[24:]), Data: block[pcapng.EpbHeader:][:le.Uint32(block[20:])]}
		err := e.rec.WritePacket(p)
		if errors.Is(err, capture.ErrEnough) {
			e.enough = true
			return b.cut(n + 1), nil
		}
		if err != nil {
			return b, e.recordFailed(err)
		}
		n++
	}
	return b, nil
}

func (e *engine) recordFailed(err error) error {
	if e.failed == nil {
		e.unsaved = true
		e.failed = capture.Damaged("%v; the capture stopped%s", err, e.recorded())
	}
	return e.failed
}

// recorded says what the file of -w holds after a failure, where that is known to be there.
func (e *engine) recorded() string {
	files := e.rec.Files()
	if len(files) == 0 {
		return ""
	}
	last := files[len(files)-1]
	if _, err := os.Stat(last); err != nil {
		return ""
	}
	return fmt.Sprintf(": %s holds what was written before", filepath.Base(last))
}

// end is where the next block begins in the spool.
func (e *engine) end() int64 { return e.base + int64(len(e.buf)) }

// mark notes a place at which older packets may end, now and then.
func (e *engine) mark() {
	if e.markAt == 0 {
		return
	}
	last := e.keptFrom
	if n := len(e.marks); n > 0 {
		last = e.marks[n-1].off
	}
	if end := e.end(); end-last >= markEvery {
		e.marks = append(e.marks, spoolMark{end, e.packets})
	}
}

// flush writes what is not in the file yet, unless that was done a moment ago. It returns how long to wait for the next
// try.
func (e *engine) flush() (time.Duration, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.buf) == 0 || e.failed != nil {
		return statsEvery, nil
	}
	if since := time.Since(e.flushed); since < flushSoon {
		return flushSoon - since, nil
	}
	return statsEvery, e.writeSpool()
}

// writeSpool writes the buffer, evicts the oldest packets beyond the retention limit, and wakes the readers.
func (e *engine) writeSpool() error {
	if e.failed != nil || e.f == nil {
		return e.failed
	}
	if err := e.write(); err != nil {
		e.cut()
		e.failed = e.spoolError(err)
		e.status.changed()
		return e.failed
	}
	e.evict()
	e.status.changed()
	return nil
}

// write appends the buffer to the file.
func (e *engine) write() error {
	e.flushed = time.Now()
	if _, err := e.f.WriteAt(e.buf, e.base); err != nil {
		return err
	}
	e.base += int64(len(e.buf))
	e.buf, e.inBuf = e.buf[:0], 0
	return nil
}

// cut shortens a spool that could not be written any further to its last whole block.
func (e *engine) cut() {
	info, err := e.f.Stat()
	if err != nil {
		return
	}
	b := packetBatch{blocks: e.buf, n: e.inBuf}
	whole := b.within(info.Size() - e.base)
	e.f.Truncate(e.base + int64(len(whole.blocks)))
	e.base += int64(len(whole.blocks))
	e.packets -= e.inBuf - whole.n
	e.buf, e.inBuf = nil, 0
}

// evict evicts the oldest packets beyond the retention limit.
func (e *engine) evict() {
	keep := e.opt.Keep
	slack := min(max(keep/16, markEvery), 64<<20)
	if keep > 0 && e.base-e.keptFrom > keep+slack {
		e.evictTo(sort.Search(len(e.marks), func(i int) bool { return e.marks[i].off > e.base-keep }) - 1)
	}
}

// release evicts the packets before position n, which a reader no longer needs.
func (e *engine) release(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.evictTo(sort.Search(len(e.marks), func(i int) bool {
		m := e.marks[i]
		return m.n > n || m.off > e.base || m.off-e.keptFrom > spool.MaxFiller
	}) - 1)
}

// evictTo evicts the packets before a mark. It writes how many were evicted before it frees their bytes: a reader that
// looks at that number after its reading knows whether the bytes were still the packet's.
func (e *engine) evictTo(n int) {
	if e.markAt == 0 || n < 0 {
		return
	}
	from, to := e.keptFrom, e.marks[n]
	if _, err := e.f.WriteAt(spool.AppendMark(nil, to.off, to.n), e.markAt); err != nil ||
		!spool.PutFiller(e.f, from, to.off) {
		return
	}
	e.keptFrom, e.first = to.off, to.n
	e.marks = append(e.marks[:0], e.marks[n+1:]...)
	spool.Punch(e.f, from+spool.FillerHead, to.off-from-spool.FillerHead-4)
}

// spoolError says that the spool cannot be written, and what there is of it.
func (e *engine) spoolError(err error) error {
	e.unsaved = e.own
	kept := ""
	switch left := e.left(); {
	case e.own && left:
		kept = fmt.Sprintf(": %s has the first %d packets", filepath.Base(e.path), e.packets)
	case left && e.opt.Unattended > 0:
		kept = fmt.Sprintf(": the first %d packets are kept", e.packets)
	}
	if sharing.DiskFull(err) {
		return capture.Damaged("the disk is full, so the capture stopped%s", kept)
	}
	where := e.path
	if where == "" {
		where = "the spool"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return capture.Damaged("%s cannot be written, so the capture stopped%s (%v)", where, kept, err)
}

// keeps says where the packets so far are, or nothing where they go with the program that reads them.
func (e *engine) keeps() string {
	switch {
	case e.own || e.rec != nil:
		return filepath.Base(e.opt.Write) + " has its packets"
	case e.opt.Unattended > 0:
		return "its packets are kept"
	}
	return ""
}

// left reports whether the spool still has its name on the disk.
func (e *engine) left() bool {
	mine, err := e.f.Stat()
	named, err2 := os.Stat(e.path)
	return err == nil && err2 == nil && os.SameFile(mine, named)
}

// turn lets time pass for the file of -w: it is flushed, and its ring goes on. Its next file begins where somebody
// asked.
func (e *engine) turn(next bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.rec == nil || e.failed != nil {
		return e.failed
	}
	err := e.rec.Flush()
	if err == nil {
		err = e.rec.Turn()
	}
	if err == nil && next {
		err = e.rec.Next()
	}
	if errors.Is(err, capture.ErrEnough) {
		e.enough = true
		return capture.ErrEnough
	}
	if err != nil {
		return e.recordFailed(err)
	}
	return nil
}

// finish writes what is left and the statistics, and closes the file of -w. It returns what went wrong.
func (e *engine) finish() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now().UnixNano()
	if e.failed == nil && e.f != nil {
		for i, c := range e.counters {
			e.buf = pcapfile.AppendStats(e.buf, i, now, e.started.UnixNano(), c.counts())
		}
		e.writeSpool()
	}
	if e.rec != nil {
		e.closeRecord()
	}
	return e.failed
}

func (e *engine) closeRecord() {
	var err error
	for i, c := range e.counters {
		if err == nil && !e.unsaved {
			err = e.rec.WriteStats(i, c.counts())
		}
	}
	if closing := e.rec.Close(); err == nil {
		err = closing
	}
	if err != nil {
		e.recordFailed(err)
	}
}

// spoolIsFile says that the file asked for with -w can itself be the spool: a plain pcapng file that stays.
func spoolIsFile(opt capture.Options) bool {
	f, codec := pcapfile.FormatOf(opt.Write)
	if opt.Write == "" || opt.Write == "-" || f != pcapfile.PcapNG || codec != "" || opt.Ring.On() {
		return false
	}
	info, err := os.Stat(opt.Write)
	return err != nil || info.Mode().IsRegular()
}
