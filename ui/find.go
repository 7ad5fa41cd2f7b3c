package ui

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
)

// A findMode is what a search looks at.
type findMode int

const (
	findAnything findMode = iota // the row and the bytes
	findDetails                  // the lines of the tree
	findBytes
	findPattern // a regular expression: the row and the lines of the tree
	findFilter  // a display filter
	findModes
)

var findPrompts = [findModes]string{" find text or 0xBYTES: ", " find in the details: ", ` find bytes or "text": `, " find regular expression: ", " find by filter: "}

// A finder is what is searched, understood.
type finder struct {
	mode  findMode
	text  string // in small letters
	raw   []byte // in small letters unless exact
	exact bool   // bytes were written, not a text
	re    *regexp.Regexp
	f     *filter.Filter
}

// newFinder understands what is searched.
func (m *model) newFinder(mode findMode, text string) (*finder, error) {
	fd := &finder{mode: mode, text: strings.ToLower(text)}
	var err error
	switch mode {
	case findAnything:
		fd.raw, fd.exact = bytesToFind(text)
	case findBytes:
		fd.raw, fd.exact = bytesMeant(text)
	case findPattern:
		if fd.re, err = regexp.Compile("(?i)" + text); err != nil {
			return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	case findFilter:
		if fd.f, err = filter.CompileWith(m.reg, text, m.cfg.Filters); err == nil && fd.f.References() && m.tree != nil {
			fd.f = fd.f.With(m.tree)
		}
	}
	return fd, err
}

// openFind opens the search. In the tree it begins with the lines of the tree, in the bytes with bytes.
func (m *model) openFind() {
	switch {
	case m.focus == paneTree:
		m.findMode = findDetails
	case m.focus == paneHex:
		m.findMode = findBytes
	case m.findMode == findDetails || m.findMode == findBytes:
		m.findMode = findAnything
	}
	m.startEdit(editFindPacket, m.find)
}

// nextFindMode goes to the next thing to look at.
func (m *model) nextFindMode() {
	m.findMode = (m.findMode + 1) % findModes
	m.checkInput()
}

// findTimes goes on to the n-th next place. Where a search goes on beside the screen, so do those behind it.
func (m *model) findTimes(step, n int) {
	from := len(m.back)
	for left := max(1, n) - 1; left >= 0; left-- {
		at, here := m.cur, m.placeInPacket()
		if m.findText(step); m.seeking != nil {
			m.seeking.again = left
			return
		}
		if m.cur == at && m.placeInPacket() == here {
			break
		}
	}
	m.back = m.back[:min(len(m.back), from+1)] // one jump, however far
}

// placeInPacket is where the cursors of the tree and the bytes are.
func (m *model) placeInPacket() [2]int { return [2]int{m.treePane.cur, m.hex.cur} }

// findText goes to the next place, in a direction, that holds what is searched: in the tree or the bytes when the cursor is
// there, then in the packets shown.
func (m *model) findText(step int) {
	if m.find == "" {
		m.openFind()
		return
	}
	if m.cur == 0 {
		return
	}
	fd, err := m.newFinder(m.findMode, m.find)
	if err != nil {
		m.notice = err.Error()
		return
	}
	if m.findHere(fd, step) {
		return
	}
	m.seekHit(fd, step)
}

// seekHit goes to the next packet shown that holds what is searched.
func (m *model) seekHit(fd *finder, step int) {
	row, then := m.baseRow(m.cur), func() { m.showFound(fd, step) }
	if h := m.hits; h == nil || h.text != m.find || h.fd.mode != fd.mode || h.of != m.shown || h.s != m.s || !h.near(row) {
		m.endHits()
		m.hits = m.newHits(fd, m.find, min(row, m.rows()), step)
	}
	h := m.hits
	h.way.Store(int32(step))
	if m.order != nil {
		l := m.s.Looker()
		m.seekAs(step, 1, m.find, func(n dissect.FrameNum) bool {
			if found, known := h.has(n, h.of.Row(n)); known {
				return found
			}
			return !h.skip[n] && fd.packet(l, n)
		}, then)
		return
	}
	m.endSeek()
	if n, known, _ := h.next(m.cur, row, step); known {
		m.arrive(n, then)
		return
	}
	ctx, cancel := context.WithCancel(m.ctx)
	job := &seeking{what: m.find, then: then, total: h.rows(), cancel: cancel, step: step}
	m.seeking = job
	cur := m.cur
	m.pending = append(m.pending, func() any {
		for {
			n, known, more := h.next(cur, row, step)
			if known {
				return found{job, n}
			}
			_, looked, _ := h.state(cur)
			job.looked.Store(int64(looked))
			select {
			case <-more:
			case <-ctx.Done():
				return nil
			}
		}
	})
}

// findHere looks in the pane that the cursor is in.
func (m *model) findHere(fd *finder, step int) bool {
	if m.tree == nil || m.ignored[m.cur] {
		return false
	}
	switch {
	case m.focus == paneTree && (fd.mode == findDetails || fd.mode == findPattern):
		i := fd.node(m.tree, m.selectedNode()+step, step)
		if i >= 0 {
			m.selectNode(i)
		}
		return i >= 0
	case m.focus == paneHex && fd.mode == findBytes:
		at := fd.byteAt(m.tree.Source(m.hex.src), m.hex.cur+step, step)
		if at >= 0 {
			m.moveHex(at)
		}
		return at >= 0
	}
	return false
}

// showFound puts the cursor of the tree or the bytes on what was found in the packet.
func (m *model) showFound(fd *finder, step int) {
	from := 0
	switch fd.mode {
	case findDetails, findPattern:
		if step < 0 {
			from = len(m.tree.Nodes) - 1
		}
		if i := fd.node(m.tree, from, step); i >= 0 {
			m.selectNode(i)
		}
	case findBytes, findAnything:
		for src := range m.tree.Sources() {
			if step < 0 {
				from = len(m.tree.Source(uint8(src))) - 1
			}
			if at := fd.byteAt(m.tree.Source(uint8(src)), from, step); at >= 0 {
				m.hex.src = uint8(src)
				m.moveHex(at)
				return
			}
		}
	}
}

// packet tells whether a packet holds what is searched.
func (fd *finder) packet(l *dissect.Looker, n dissect.FrameNum) bool {
	if fd.mode == findFilter {
		return fd.f.Match(l, n)
	}
	t := l.Tree(n)
	switch fd.mode {
	case findDetails:
		return fd.node(t, 0, 1) >= 0
	case findPattern:
		return fd.re.MatchString(t.Info()) || fd.re.MatchString(t.Kind()) || fd.node(t, 0, 1) >= 0
	case findAnything:
		for _, text := range []string{t.Info(), t.Kind(), t.ProtocolText(), t.Src.String(), t.Dst.String()} {
			if indexFold(text, fd.text) >= 0 {
				return true
			}
		}
	}
	for _, src := range t.Sources() {
		if fd.byteAt(src.Data, 0, 1) >= 0 {
			return true
		}
	}
	return false
}

// node is the next line of a tree, in a direction, that holds what is searched, or -1.
func (fd *finder) node(t *dissect.Tree, from, step int) int {
	for i := from; i >= 0 && i < len(t.Nodes); i += step {
		if t.Field(i).IsHidden() || hiddenAbove(t, i) {
			continue
		}
		label := t.Label(i)
		if fd.re != nil && fd.re.MatchString(label) || fd.re == nil && indexFold(label, fd.text) >= 0 {
			return i
		}
	}
	return -1
}

func hiddenAbove(t *dissect.Tree, i int) bool {
	for i = t.Parent(i); i >= 0; i = t.Parent(i) {
		if t.Field(i).IsHidden() {
			return true
		}
	}
	return false
}

// byteAt is the next place, in a direction, of the bytes that are searched, or -1. Letters are found in either case unless
// bytes were written.
func (fd *finder) byteAt(data []byte, from, step int) int {
	if len(fd.raw) == 0 {
		return -1
	}
	at := func(i int) bool {
		if fd.exact {
			return bytes.HasPrefix(data[i:], fd.raw)
		}
		return hasPrefixFold(data[i:], fd.raw)
	}
	if fd.exact && step > 0 && from >= 0 && from < len(data) {
		if i := bytes.Index(data[from:], fd.raw); i >= 0 {
			return from + i
		}
		return -1
	}
	for i := min(from, len(data)-len(fd.raw)); i >= 0 && step < 0; i-- {
		if at(i) {
			return i
		}
	}
	for i := from; i >= 0 && i <= len(data)-len(fd.raw) && step > 0; i++ {
		if at(i) {
			return i
		}
	}
	return -1
}

// hasPrefixFold tells whether bytes begin with others, which have no capital letters of ASCII, whatever the case of theirs.
func hasPrefixFold[T, U ~string | ~[]byte](s T, lower U) bool {
	if len(s) < len(lower) {
		return false
	}
	for i := range len(lower) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// indexFold is the place of a text in small letters in another one, whatever the case there, or -1. Only letters beyond ASCII
// cost a copy.
func indexFold(s, lower string) int {
	for i := 0; i+len(lower) <= len(s); i++ {
		if hasPrefixFold(s[i:], lower) {
			return i
		}
	}
	if strings.ContainsFunc(lower, func(r rune) bool { return r >= 0x80 }) {
		return strings.Index(strings.ToLower(s), lower)
	}
	return -1
}

// bytesToFind are the bytes that 0x… stands for, else those of the text in small letters.
func bytesToFind(text string) (b []byte, exact bool) {
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		if b, ok := hexBytes(digits); ok {
			return b, true
		}
	}
	return []byte(strings.ToLower(text)), false
}

// bytesMeant are bytes where bytes are searched: pairs of hexadecimal digits as they are, a text in quotes.
func bytesMeant(text string) (b []byte, exact bool) {
	if b, ok := hexBytes(strings.TrimPrefix(strings.ToLower(text), "0x")); ok {
		return b, true
	}
	return []byte(strings.ToLower(strings.Trim(text, `"`))), false
}

func hexBytes(digits string) ([]byte, bool) {
	b, err := hex.DecodeString(strings.NewReplacer(":", "", " ", "", "-", "").Replace(digits))
	return b, err == nil && len(b) > 0
}
