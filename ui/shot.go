package ui

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/ui/export"
	"remora/ui/source"
	"remora/ui/svg"
)

// A takenShot asks for a picture of the screen.
type takenShot struct{ path string }

// shotCommand has the picture taken once the line of the command is gone.
func (m *model) shotCommand(path string) {
	m.jobs.Add(func() any { return takenShot{path} })
}

// shot writes what the screen shows to a file, as a picture for others: SVG when it is called so, with the terminal's
// sequences when it is called .ansi, else as text.
func (m *model) shot(path string) {
	if path == "" {
		path = "remora.svg"
	}
	path = source.ExpandHome(path)
	m.foot.Notice = ""
	m.look.stale = true
	screen, w, h, dark := m.render(), m.room.w, m.room.h, m.style.Dark
	viewContext{m}.Later("saving", func(context.Context) func() {
		err := export.File(path, func(to io.Writer) error {
			text := screen
			switch strings.ToLower(filepath.Ext(path)) {
			case ".svg":
				text = svg.Draw(screen, w, h, dark)
			case ".ansi", ".ans":
			default:
				var lines []string
				for _, l := range strings.Split(ansi.Strip(screen), "\n") {
					lines = append(lines, strings.TrimRight(l, " "))
				}
				text = strings.Join(lines, "\n")
			}
			_, err := io.WriteString(to, text+"\n")
			return err
		})
		return func() { m.foot.Notice = export.Done(path, "the screen", err) }
	})
}
