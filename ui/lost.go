package ui

import (
	"context"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"remora/internal/broker"
)

// DetectColours asks how many colours the terminal has: the environment, its description, and tmux where it runs in
// one.
func DetectColours() colorprofile.Profile { return colorprofile.Detect(os.Stdout, os.Environ()) }

// lost says that nothing can be opened or saved any more.
type lost struct{}

// waits says that something to be opened or saved takes long: the status line tells it.
type waits struct{}

// watchLost waits for that, and looks now and then whether the broker answers.
func (c Config) watchLost(ctx context.Context, tell func(tea.Msg)) {
	if c.Lost == nil {
		return
	}
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.Lost:
			tell(lost{})
			return
		case <-look.C:
			if broker.Waiting() {
				tell(waits{})
			}
		}
	}
}

// waitsFor is what is waited for, or nothing.
func waitsFor() string {
	if broker.Waiting() {
		return "waiting for the process that opens and saves files for the screen"
	}
	return ""
}
