package ui

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"remora/internal/testall"
)

// TestRandomKeys presses keys, clicks and resizes at random: nothing panics, every screen has the size of the terminal,
// and nothing hostile reaches it.
func TestRandomKeys(t *testing.T) {
	t.Chdir(t.TempDir()) // what is saved under a random name
	t.Setenv("TMUX", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	for seed := range testall.Of[uint64](4, 12) {
		rng := rand.New(rand.NewPCG(seed, 7))
		x := open(t, 80, 24, Config{State: filepath.Join(t.TempDir(), "state"), Settings: Settings{ASCII: seed%4 == 3}})
		for range testall.Of(200, 500) {
			x.poke(rng)
			if x.m.ending.quit {
				x.m.ending.quit = false
			}
			x.holdsTogether(seed)
			if t.Failed() {
				return
			}
		}
	}
}

// letters are what is typed at random, those that matter most often.
const letters = "jjjkkkllhhggGGffttccnn/:?=aAyYoxuv*#%{}mD'PKC~rTtswpF|+-<>zRM 0123456789 tcpudpnsmtype=!&|.{}()\"\\"

func (x *screen) poke(rng *rand.Rand) {
	switch rng.IntN(12) {
	case 0:
		names := []tea.KeyPressMsg{{Code: tea.KeyEnter}, {Code: tea.KeyEscape}, {Code: tea.KeyTab}, {Code: tea.KeyUp},
			{Code: tea.KeyDown}, {Code: tea.KeyLeft}, {Code: tea.KeyRight},
			{Code: tea.KeyPgDown}, {Code: tea.KeyPgUp}, {Code: tea.KeyHome}, {Code: tea.KeyEnd}, {Code: tea.KeyBackspace},
			{Code: 'f', Mod: tea.ModCtrl}, {Code: 'u', Mod: tea.ModCtrl}, {Code: 'w', Mod: tea.ModCtrl}}
		x.send(names[rng.IntN(len(names))])
	case 1:
		buttons := []tea.MouseButton{tea.MouseLeft, tea.MouseLeft, tea.MouseRight}
		at := tea.Mouse{X: rng.IntN(210), Y: rng.IntN(60), Button: buttons[rng.IntN(3)]}
		x.send(tea.MouseClickMsg(at))
		if rng.IntN(2) == 0 {
			at.X, at.Y = rng.IntN(210), rng.IntN(60)
			x.send(tea.MouseMotionMsg(at))
		}
		x.send(tea.MouseReleaseMsg(at))
	case 2:
		x.send(tea.MouseWheelMsg{X: rng.IntN(200), Y: rng.IntN(50),
			Button: []tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}[rng.IntN(2)]})
	case 3:
		if rng.IntN(4) == 0 {
			x.send(tea.WindowSizeMsg{Width: 30 + rng.IntN(200), Height: 8 + rng.IntN(60)})
		}
	case 4:
		x.send(tick{})
	case 5:
		if rng.IntN(6) == 0 {
			x.send(tea.PasteMsg{Content: "udp && \x1b[31mtouhou\x00\u202e"})
		}
	default:
		c := letters[rng.IntN(len(letters))]
		x.send(tea.KeyPressMsg{Code: rune(c), Text: string(rune(c))})
	}
}

func (x *screen) holdsTogether(seed uint64) {
	x.t.Helper()
	x.m.look.stale = true
	content := x.m.View().Content
	for _, bad := range []string{"\x1b]", "\x07", "\x1b[2J", "\u202e", "\x00"} {
		if strings.Contains(content, bad) {
			x.t.Errorf("seed %d: %q reached the screen", seed, bad)
		}
	}
	if x.m.room.w < minWidth || x.m.room.h < minHeight {
		return
	}
	lines := strings.Split(content, "\n")
	if len(lines) != x.m.room.h {
		x.t.Errorf("seed %d: %d lines of %d:\n%s", seed, len(lines), x.m.room.h, ansi.Strip(content))
		return
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w != x.m.room.w {
			x.t.Errorf("seed %d: line %d is %d wide, the screen %d:\n%s", seed, i, w, x.m.room.w, ansi.Strip(content))
			return
		}
	}
}
