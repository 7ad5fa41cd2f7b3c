package view

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/humanize"
)

// Asks is what saving may ask of the screen.
type Asks interface {
	Prompt(p Prompt)
	Ask(title, text string, answers ...Answer)
	Notify(text string)
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Saving is a file that is written beside the screen. Where one is there already, somebody is asked.
type Saving struct {
	Path    string
	Label   string // of the line that asks for another name
	Replace bool   // what is there may be replaced without asking
	// Write writes the file, and says what was written.
	Write func(ctx context.Context, path string, replace bool) (what string, err error)
	Done  func() // once it is over; nil: nothing
}

// Bytes writes some bytes to a file, for Saving.Write.
func Bytes(b []byte, what string) func(ctx context.Context, path string, replace bool) (string, error) {
	return func(_ context.Context, path string, replace bool) (string, error) {
		return what, export.File(path, replace, func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		})
	}
}

// Save writes the file.
func (s Saving) Save(c Asks) {
	c.Notify("saving to " + s.Path)
	c.Later("saving", func(ctx context.Context) func() {
		what, err := s.Write(ctx, s.Path, s.Replace)
		return func() {
			if s.Done != nil {
				s.Done()
			}
			var there export.ErrExist
			if errors.As(err, &there) && !s.Replace {
				c.Notify("")
				s.ask(c, there.Path)
				return
			}
			c.Notify(export.Done(s.Path, what, err))
		}
	})
}

// ask asks whether a file is replaced; another name is the first answer.
func (s Saving) ask(c Asks, there string) {
	text := there + " is there already"
	if info, err := os.Stat(there); err == nil {
		text += ": " + humanize.Bytes(info.Size()) + ", of " + info.ModTime().Format("2006-01-02 15:04")
	}
	other := s.Path
	if !export.MayReplace(there) {
		text += ". What this screen did not write itself it does not replace"
		other = free(s.Path)
	}
	answers := []Answer{{Act: act.AnswerSave, Label: "choose another name", Do: func() {
		c.Prompt(Prompt{Label: s.Label, Text: other, Forget: true, Accept: func(path string) {
			if s.Path = path; path != "" {
				s.Save(c)
			}
		}})
	}}}
	if export.MayReplace(there) {
		answers = append(answers, Answer{Act: act.AnswerYes, Label: "replace it", Do: func() {
			s.Replace = true
			s.Save(c)
		}})
	}
	c.Ask("Replace "+filepath.Base(there)+"?", text+".", answers...)
}

// free is a name like a path's at which nothing is.
func free(path string) string {
	if strings.HasSuffix(path, string(filepath.Separator)) {
		return path
	}
	end := filepath.Ext(path)
	for n := 2; n < 1000; n++ {
		if other := strings.TrimSuffix(path, end) + "-" + strconv.Itoa(n) + end; !exists(other) {
			return other
		}
	}
	return path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
