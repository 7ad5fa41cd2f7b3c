package capture

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// OpenAll opens several capture files as one: the packets of all, in the order of their times; those of one file stay
// in its own order. Each interface says which file it is of. It returns as soon as all are understood; packets appear
// once all have been read.
func OpenAll(ctx context.Context, paths []string, opt Options) (*Store, error) {
	if len(paths) == 1 {
		return Open(ctx, paths[0], opt)
	}
	if err := pipeTwice(paths); err != nil {
		return nil, err
	}
	each := opt
	each.Stop, each.Follow, each.Pace, each.Write = StopRules{}, false, 0, ""
	var parts []*Store
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
	s, ctx := newStore(ctx, strings.Join(shortNames(paths), " + "))
	s.use(&source{}, opt)
	s.close = append(s.close, func() error { closeAll(); return nil })
	all := &mergedData{parts: parts, bases: make([]int64, len(parts))}
	s.data = all
	go s.finishWith(func() error { return s.merge(ctx, all, paths) })
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
			return fileError(path, nil, "%s is named twice, and what comes through a pipe can be read only once: name it once",
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

// Files is how many files the capture is read from as one; 0 for what is no file of several.
func (s *Store) Files() int {
	if m, ok := s.data.(*mergedData); ok {
		return len(m.parts)
	}
	return 0
}

// mergedData are files one behind the other, as the index sees them.
type mergedData struct {
	parts []*Store
	bases []int64 // where each begins, in rising order
	ready atomic.Bool
}

// ReadAt reads from one file: it never goes on into the next one.
func (m *mergedData) ReadAt(p []byte, off int64) (int, error) {
	if !m.ready.Load() {
		return 0, io.EOF
	}
	k := len(m.bases) - 1
	for k > 0 && off < m.bases[k] {
		k--
	}
	return m.parts[k].readAt(p, off-m.bases[k], 1)
}

// merge waits until all files are read, and puts their packets in order.
func (s *Store) merge(ctx context.Context, all *mergedData, paths []string) error {
	var total int64
	for _, p := range all.parts {
		total += p.bytesTotal.Load()
	}
	s.bytesTotal.Store(total)
	for k, p := range all.parts {
		select {
		case <-p.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if st := p.Status(); st.Err != nil {
			return st.Err
		} else if st.Damaged {
			s.damaged.Store(true)
		}
		for _, text := range p.Notices() {
			s.notice(paths[k]+text, "%s: %s", paths[k], text)
		}
		s.bytesRead.Add(p.bytesTotal.Load())
	}
	ids := s.joinParts(all, shortNames(paths))
	return s.mergePackets(ctx, all, ids)
}

// joinParts gives each file its place and numbers its interfaces and sections anew: ids are the first numbers of each.
func (s *Store) joinParts(all *mergedData, names []string) (ids []int) {
	var base int64
	for k, p := range all.parts {
		all.bases[k] = base
		ids = append(ids, s.ifaces.Len())
		sections := s.sections.Len()
		for _, sec := range p.Sections() {
			s.sections.Append(sec)
		}
		for _, i := range p.Interfaces() {
			i.File = names[k]
			i.Section += sections
			if i.optOff > 0 {
				i.optOff += base
			}
			s.ifaces.Append(i)
		}
		p.notes.mu.RLock()
		for _, b := range p.notes.kept {
			b.off += base
			b.first += ids[k]
			s.notes.mu.Lock()
			s.notes.kept = append(s.notes.kept, b)
			s.notes.mu.Unlock()
		}
		p.notes.mu.RUnlock()
		base += p.length() + blockMax
	}
	all.ready.Store(true)
	return ids
}

// length is where the bytes of a store end.
func (s *Store) length() int64 {
	if s.spool != nil {
		return s.spool.end()
	}
	return s.bytesTotal.Load()
}

// mergePackets appends the packets of all files, always the earliest of those that are next.
func (s *Store) mergePackets(ctx context.Context, all *mergedData, ids []int) error {
	next := make([]int, len(all.parts))
	for n := 0; ; n++ {
		if n&4095 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			s.wake()
			s.wait(ctx)
		}
		best := -1
		for k, p := range all.parts {
			if next[k] < p.Len() && (best < 0 || p.Time(next[k]) < all.parts[best].Time(next[best])) {
				best = k
			}
		}
		if best < 0 {
			return nil
		}
		p, i := all.parts[best], next[best]
		next[best]++
		meta := p.Meta(i)
		off, _ := p.index.span(i)
		s.takeComment(p, i, all.bases[best])
		if !s.append(meta.Time, ids[best]+meta.Interface, all.bases[best]+off, meta.CapLen, meta.Len) || s.full() {
			return ErrEnough
		}
	}
}

// takeComment notes where the comment of a packet is, if it has one.
func (s *Store) takeComment(p *Store, i int, base int64) {
	if !p.notes.any.Load() {
		return
	}
	p.notes.mu.RLock()
	at, ok := p.notes.at[i]
	p.notes.mu.RUnlock()
	if !ok {
		return
	}
	at.off += base
	s.notes.mu.Lock()
	if s.notes.at == nil {
		s.notes.at = map[int]span{}
	}
	s.notes.at[s.Len()] = at
	s.notes.mu.Unlock()
	s.notes.any.Store(true)
}
