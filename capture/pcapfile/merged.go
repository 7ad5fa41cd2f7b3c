package pcapfile

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"remora/capture"
)

// OpenAll opens several capture files as one: the packets of all, in the order of their times; those of one file stay
// in its own order. Each interface says which file it is of. It returns as soon as all are understood; packets appear
// once all have been read.
func OpenAll(ctx context.Context, paths []string, opt capture.Options) (*capture.Store, error) {
	if len(paths) == 1 {
		return Open(ctx, paths[0], opt)
	}
	if err := pipeTwice(paths); err != nil {
		return nil, err
	}
	each := opt
	each.Stop, each.Follow, each.Pace, each.Write, each.Shift = capture.StopRules{}, false, 0, "", capture.Shift{}
	var parts []*capture.Store
	closeAll := func() {
		for _, p := range parts {
			p.Close()
		}
	}
	for _, path := range paths {
		p, err := Open(ctx, path, each)
		if err != nil {
			closeAll()
			return nil, err
		}
		parts = append(parts, p)
	}
	all := &merged{parts: parts, bases: make([]int64, len(parts))}
	s, a, ctx := capture.New(ctx, strings.Join(shortNames(paths), " + "), opt,
		capture.Unchanging{ReaderAt: all, Size: all.size})
	stopAfter(a, opt.Stop.Duration)
	a.SetFiles(len(parts))
	a.OnClose(func() error { closeAll(); return nil })
	all.a, all.most = a, opt.Stop.Packets
	go a.Run(func() error { return all.merge(ctx, paths) })
	return s, nil
}

// pipeTwice refuses a pipe that is named more than once: each reader would get a part of what comes.
func pipeTwice(paths []string) error {
	var seen []fs.FileInfo
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || info.Mode().IsRegular() || info.IsDir() {
			continue
		}
		if slices.ContainsFunc(seen, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
			return Errorf(path, nil, "%s is named twice, and what comes through a pipe can be read only once: name it once",
				path)
		}
		seen = append(seen, info)
	}
	return nil
}

// shortNames are the names of files without their folders, where these tell them apart.
func shortNames(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = filepath.Base(path)
		if slices.Contains(out[:i], out[i]) {
			return paths
		}
	}
	return out
}

// merged are files one behind the other, as the index sees them.
type merged struct {
	a     *capture.Appender
	most  int // packets wanted; 0: all
	parts []*capture.Store
	bases []int64 // where each begins, in rising order
	ready atomic.Bool
}

// ReadAt reads from one file: it never goes on into the next one.
func (m *merged) ReadAt(p []byte, off int64) (int, error) {
	if !m.ready.Load() {
		return 0, io.EOF
	}
	k := len(m.bases) - 1
	for k > 0 && off < m.bases[k] {
		k--
	}
	return m.parts[k].ReadAt(p, off-m.bases[k])
}

// size is where the last file ends.
func (m *merged) size() (int64, error) {
	if !m.ready.Load() {
		return 0, nil
	}
	last := len(m.parts) - 1
	return m.bases[last] + m.parts[last].End(), nil
}

// merge waits until all files are read, and puts their packets in order.
func (m *merged) merge(ctx context.Context, paths []string) error {
	var total int64
	for _, p := range m.parts {
		total += p.Status().BytesTotal
	}
	m.a.Total().Store(total)
	for k, p := range m.parts {
		select {
		case <-p.Done():
		case <-ctx.Done():
			return ctx.Err()
		}
		st := p.Status()
		if st.Err != nil {
			return st.Err
		} else if st.Damaged {
			m.a.SetDamaged()
		}
		for _, text := range st.Notices {
			m.a.Notice(paths[k]+text, "%s: %s", paths[k], text)
		}
		m.a.Read().Add(st.BytesTotal)
	}
	return m.mergePackets(ctx, m.join(shortNames(paths)))
}

// join gives each file its place and numbers its interfaces and sections anew: ids are the first numbers of each.
func (m *merged) join(names []string) (ids []int) {
	var base int64
	for k, p := range m.parts {
		m.bases[k] = base
		first, sections := m.a.Interfaces(), m.a.Sections()
		ids = append(ids, first)
		for _, sec := range p.Sections() {
			m.a.AddSection(sec)
		}
		for _, i := range p.Interfaces() {
			i.File = names[k]
			i.Section += sections
			m.a.AddInterface(i)
		}
		for _, b := range p.Blocks(0) {
			b.Off += base
			b.First += first
			m.a.AddBlock(b)
		}
		base += p.End() + capture.LongestRead
	}
	m.ready.Store(true)
	return ids
}

// mergePackets appends the packets of all files, always the earliest of those that are next.
func (m *merged) mergePackets(ctx context.Context, ids []int) error {
	next := make([]int, len(m.parts))
	for n := 0; ; n++ {
		if n&4095 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			m.a.Wake()
			m.a.WaitForReader(ctx)
		}
		best := -1
		for k, p := range m.parts {
			if next[k] < p.Len() && (best < 0 || p.Time(next[k]) < m.parts[best].Time(next[best])) {
				best = k
			}
		}
		if best < 0 {
			return nil
		}
		p, i := m.parts[best], next[best]
		next[best]++
		meta := p.Meta(i)
		if at, ok := p.CommentSpan(i); ok {
			at.Off += m.bases[best]
			m.a.AddComment(m.a.Len(), at)
		}
		m.a.Append(meta.Time, ids[best]+meta.Interface, m.bases[best]+p.Offset(i), meta.CapLen, meta.Len)
		if m.most > 0 && m.a.Len() >= m.most {
			return capture.ErrEnough
		}
	}
}
