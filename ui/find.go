package ui

import (
	"bytes"
	"context"
	"encoding/hex"
	"strings"

	"remora/dissect"
)

// findAtOnce is how many packets a search for text looks at before it goes on beside everything else.
const findAtOnce = 64

// findText goes to the next packet, in a direction, whose row or bytes hold what is searched, without regard to case. What is
// written as 0x… stands for those bytes.
func (m *model) findText(step int) {
	if m.find == "" {
		m.startEdit(editFindPacket, "")
		return
	}
	if m.cur == 0 {
		return
	}
	m.endSeek()
	s, l := m.s, m.s.Looker()
	text, raw := strings.ToLower(m.find), bytesToFind(m.find)
	same := func(n dissect.FrameNum) bool { return holds(l.Tree(n), text, raw) }
	rows, row := m.rows(), m.row(m.cur)+step
	n, at := m.seekRows(context.Background(), row, rows, step, findAtOnce, same)
	if at < 0 {
		m.arrive(n)
		return
	}
	ctx, cancel := context.WithCancel(m.ctx)
	job := &seeking{cancel}
	m.seeking = job
	m.notice = "searching " + m.find + " in " + group(s.Passed()) + " packets; Esc ends it"
	frame := m.frames()
	m.pending = append(m.pending, func() any {
		for ; at >= 0 && at < rows && ctx.Err() == nil; at += step {
			if n := frame(at); same(n) {
				return found{job, n}
			}
		}
		return found{job, 0}
	})
}

// bytesToFind are the bytes that 0x… stands for, else those of the text.
func bytesToFind(text string) []byte {
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		if b, err := hex.DecodeString(strings.NewReplacer(":", "", " ", "").Replace(digits)); err == nil && len(b) > 0 {
			return b
		}
	}
	return []byte(strings.ToLower(text))
}

func holds(t *dissect.Tree, text string, raw []byte) bool {
	if strings.Contains(strings.ToLower(t.Info()), text) || strings.Contains(strings.ToLower(t.Kind()), text) {
		return true
	}
	for _, src := range t.Sources() {
		if bytes.Contains(src.Data, raw) || bytes.Contains(bytes.ToLower(src.Data), raw) {
			return true
		}
	}
	return false
}
