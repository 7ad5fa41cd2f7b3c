// Package clip hands texts to the clipboard, and writes bytes in the forms in which they are copied.
//
// A text goes to the clipboard by a program of this machine where the session is a local one, by tmux's own buffer
// inside tmux, else by the terminal itself (OSC 52), which many take and none answers. What is too long for that, or
// for a terminal that is known not to take it, becomes a file. The notice says what was done, not what is hoped.
package clip

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/charmbracelet/x/ansi"

	"remora/internal/broker"
	"remora/ui/humanize"
)

// The most that is sent to a terminal, in bytes before it is written in base64: more than about 100 000 characters of a
// sequence are dropped by many. GNU screen passes on pieces of no more than screenPiece.
const (
	mostForTerminal = 74_000
	screenPiece     = 768
)

// A Method is one way to the clipboard. Without a program it is the terminal.
type Method struct {
	program string
	wrap    func(seq string) string // of a sequence that a program in between must let through
	done    string                  // what was done, behind "60 B "
}

// String names the way.
func (w Method) String() string {
	return cmp.Or(w.program, "the terminal by OSC 52, which never answers")
}

// The ways that the terminal takes.
const ifEmpty = "; if paste is empty, yf writes a file"

// Methods are the ways there are, best first, by the variables of the environment and the programs that are installed.
func Methods(env func(string) string, has func(program string) bool, size int) (methods []Method) {
	add := func(done, program string) {
		if has(program) {
			methods = append(methods, Method{program: program, done: done})
		}
	}
	if env("SSH_CONNECTION") == "" && env("SSH_TTY") == "" {
		if env("WAYLAND_DISPLAY") != "" {
			add("copied with wl-copy", "wl-copy")
		}
		if env("DISPLAY") != "" {
			add("copied with xclip", "xclip")
			add("copied with xsel", "xsel")
		}
		add("copied with pbcopy", "pbcopy")
	}
	if env("TMUX") != "" {
		add("in tmux's buffer, and sent on to the terminal"+ifEmpty, "tmux")
	}
	if size > mostForTerminal || env("TERM") == "linux" || env("TERM_PROGRAM") == "Apple_Terminal" {
		return methods
	}
	w := Method{done: "sent to the terminal" + ifEmpty}
	switch {
	case env("TMUX") != "":
		w.wrap, w.done = ansi.TmuxPassthrough, "sent through tmux, where allow-passthrough is on"+ifEmpty
	case env("STY") != "":
		w.wrap = func(seq string) string { return ansi.ScreenPassthrough(seq, screenPiece) }
		w.done = "sent through screen to the terminal" + ifEmpty
	case env("VTE_VERSION") != "":
		w.done = "sent to the terminal, which may not take it" + ifEmpty
	}
	return append(methods, w)
}

// Copy is the end of a copy: what was done. seq is what the terminal is to be sent.
type Copy struct{ Notice, Seq string }

// Run takes the first way that works.
func Run(ctx context.Context, methods []Method, text, what string) Copy {
	head := what + ", " + humanize.Bytes(int64(len(text))) + ", "
	for _, w := range methods {
		if w.program == "" {
			seq := ansi.SetSystemClipboard(text)
			if w.wrap != nil {
				seq = w.wrap(seq)
			}
			return Copy{head + w.done, seq}
		}
		if w.run(ctx, text) == nil {
			return Copy{Notice: head + w.done}
		}
	}
	why := "as there is no clipboard"
	if len(text) > mostForTerminal {
		why = "as no terminal takes that much"
	}
	return File(text, head, ", "+why)
}

// clipPatience is how long a program may take for a copy: some wait for ever for a display that does not answer.
const clipPatience = 3 * time.Second

// run gives the text to the way's program.
func (w Method) run(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, clipPatience)
	defer cancel()
	its, ours, err := os.Pipe()
	if err != nil {
		return err
	}
	go func() {
		defer ours.Close()
		io.WriteString(ours, text)
	}()
	run, err := programs.Start(w.program, its, nil, nil)
	its.Close()
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, run.Kill)()
	return cmp.Or(run.Wait(), ctx.Err())
}

// arguments are the programs that take a text for the clipboard, with their arguments.
var arguments = map[string][]string{
	"wl-copy": {}, "xclip": {"-selection", "clipboard"}, "xsel": {"-ib"}, "pbcopy": {}, "tmux": {"load-buffer", "-w", "-"},
}

var programs = broker.NewProgram("copy", func(program string) (*exec.Cmd, error) {
	args, known := arguments[program]
	if !known {
		return nil, fmt.Errorf("%s takes nothing for the clipboard", program)
	}
	return exec.Command(program, args...), nil
})

// Lent is what a screen that may run no programs needs of this package.
func Lent() broker.Service { return programs.Call }

// File writes what was copied to a file that nobody else may read.
func File(text, head, why string) Copy {
	f, err := broker.Create("", broker.Copied)
	if err == nil {
		if _, err = f.WriteString(text); err == nil {
			err = f.Keep()
		} else {
			f.Drop()
		}
	}
	if err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return Copy{Notice: fmt.Sprintf("%snot copied: no file can be written: %v", head, err)}
	}
	return Copy{Notice: head + "written to " + f.Path + why}
}
