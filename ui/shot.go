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
	"remora/ui/view"
)

// A takenShot asks for a picture of the screen.
type takenShot struct {
	path    string
	replace bool // what is there may be replaced
}

// shotCommand has the picture taken once the line of the command is gone.
func (m *model) shotCommand(path string, replace bool) {
	m.jobs.Add(func() any { return takenShot{path, replace} })
}

// shot writes what the screen shows to a file, as a picture for others: SVG when it is called so, with the terminal's
// sequences when it is called .ansi, else as text.
func (m *model) shot(path string, replace bool) {
	if path == "" {
		path = "remora.svg"
	}
	path = source.ExpandHome(path)
	m.foot.Notice = ""
	m.look.stale = true
	screen, w, h, dark := m.render(), m.room.w, m.room.h, m.style.Dark
	write := func(_ context.Context, path string, replace bool) (string, error) {
		return "the screen", export.File(path, replace, func(to io.Writer) error {
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
	}
	view.Saving{Path: path, Label: " save the screen to: ", Replace: replace, Write: write}.Save(viewContext{m})
}
