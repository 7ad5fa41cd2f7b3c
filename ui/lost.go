package ui

import (
	"context"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// DetectColours asks how many colours the terminal has: the environment, its description, and tmux where it runs in
// one.
func DetectColours() colorprofile.Profile { return colorprofile.Detect(os.Stdout, os.Environ()) }

// lost says that nothing can be opened or saved any more.
type lost struct{}

// watchLost waits for that.
func (c Config) watchLost(ctx context.Context, tell func(tea.Msg)) {
	select {
	case <-ctx.Done():
	case <-c.Lost: // never, where it is nil
		tell(lost{})
	}
}
