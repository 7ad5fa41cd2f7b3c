package capture

import (
	"errors"
	"fmt"
	"strings"
)

// ErrEnough says that a stop rule holds: what was handed over is kept, nothing more is wanted.
var ErrEnough = errors.New("enough packets")

// Damage ends a source with a notice: what came before stays.
type Damage struct{ Text string }

func (d Damage) Error() string { return d.Text }

// Damaged makes a [Damage]. It takes what fmt.Sprintf takes.
func Damaged(format string, args ...any) error { return Damage{fmt.Sprintf(format, args...)} }

// InterfaceError is an interface that cannot be captured on, for another reason than permission.
type InterfaceError struct {
	Name    string
	Text    string
	Nearest []string // interfaces that may have been meant
}

func (e *InterfaceError) Error() string {
	text := e.Text
	if e.Name != "" {
		text = e.Name + ": " + text
	}
	if len(e.Nearest) > 0 {
		text += "; did you mean " + strings.Join(e.Nearest, ", ") + "?"
	}
	return text
}
