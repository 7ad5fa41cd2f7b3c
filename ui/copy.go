package ui

import (
	"os"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"remora/ui/clip"
	"remora/ui/humanize"
)

// clip hands a text to the clipboard.
func (m *model) clip(text, what string) {
	m.copied = text
	installed := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	ways := clip.Methods(os.Getenv, installed, len(text))
	ctx := m.ctx
	m.pending = append(m.pending, func() any { return clip.Run(ctx, ways, text, what) })
}

// copyFile writes what was copied last to a file.
func (m *model) copyFile() {
	text := m.copied
	if text == "" {
		m.notice = "nothing was copied yet: yy, then yf, writes the row to a file"
		return
	}
	m.pending = append(m.pending,
		func() any { return clip.File(text, humanize.Bytes(int64(len(text)))+" copied last, ", "") })
}

func (m *model) onClipped(c clip.Copy) {
	m.notice = c.Notice
	if c.Seq != "" {
		m.pending = append(m.pending, func() any { return tea.Raw(c.Seq)() })
	}
}
