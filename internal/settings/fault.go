package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"remora/dissect"
	"remora/ui"
)

// A fault is something wrong with a file of settings.
type fault struct {
	path string
	line int // 0 when no line is to blame
	key  string
	text string
	more string // further lines, to be read below
}

func (f fault) where(path string) string {
	if f.line > 0 {
		path += fmt.Sprintf(", line %d", f.line)
	}
	if f.key != "" {
		path += ": " + f.key
	}
	return dissect.Escape(path + ": " + f.text)
}

// faults are all that is wrong with the settings.
type faults []fault

// Error says everything, a line for each fault.
func (fs faults) Error() string {
	var lines []string
	for _, f := range fs {
		lines = append(lines, f.where(f.path))
		if f.more != "" {
			lines = append(lines, f.more)
		}
	}
	return strings.Join(lines, "\n")
}

// Brief is an error for the screen: of faults each in a line, as ui.Mistakes.
func Brief(err error) error {
	var all faults
	if !errors.As(err, &all) {
		return err
	}
	var lines ui.Mistakes
	for _, f := range all {
		lines = append(lines, f.where(filepath.Base(f.path)))
	}
	return lines
}
