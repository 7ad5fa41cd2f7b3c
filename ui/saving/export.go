package saving

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/print"
	"remora/ui/source"
	"remora/ui/view"
)

// Export asks for a file into which what is inside the packets shown is written, as the command's words say: one of
// the exports of a layer, or, to strip, of what takes headers off, and the file; it asks for what they leave out.
func (s *Saver) Export(words string, strip bool) {
	names := []string{dissect.ExportLayer7, dissect.ExportLayer4, dissect.ExportLayer3}
	if strip {
		names = []string{dissect.ExportIP, dissect.ExportEthernet}
	}
	name, path := names[0], strings.TrimSpace(words)
	for _, n := range names {
		if rest, ok := afterName(path, n); ok {
			name, path = n, rest
		}
	}
	if path != "" {
		s.export(name, path, false)
		return
	}
	next := func() string { return names[(slices.Index(names, name)+1)%len(names)] }
	s.c.Prompt(view.Prompt{
		Label:  " export to: ",
		Mode:   func() string { return " export " + name + " to: " },
		Accept: func(path string) { s.export(name, path, false) },
		Says:   func(view.Typed) (string, paint.Pen) { return "Enter exports, Tab: " + next(), paint.Pen{} },
		Take: func(t view.Typed) (string, bool) {
			name = next()
			return t.Text, true
		},
	})
}

// afterName is what follows the name of an export, or its number alone, in a command.
func afterName(words, name string) (rest string, ok bool) {
	for _, n := range []string{name, name[strings.LastIndexByte(name, ' ')+1:]} {
		if len(words) >= len(n) && strings.EqualFold(words[:len(n)], n) && (len(words) == len(n) || words[len(n)] == ' ') {
			return strings.TrimSpace(words[len(n):]), true
		}
	}
	return words, false
}

// export writes an export, once it is sure that no file is replaced unasked.
func (s *Saver) export(name, path string, replace bool) {
	switch path = source.ExpandHome(strings.TrimSpace(path)); {
	case path == "":
		s.c.Notify("name a file: :export-pdus pdus.pcapng")
		return
	case s.job != nil:
		s.c.Notify("still saving to " + s.job.path + "; " + s.c.Style().Key(act.Escape) + " ends that")
		return
	}
	if info, err := os.Stat(path); !replace && err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		s.c.Ask("Replace "+filepath.Base(path)+"?", path+" is there already: "+humanize.Bytes(info.Size())+", written "+
			source.When(info.ModTime(), time.Now())+".",
			view.Answer{Act: act.AnswerYes, Label: "replace it", Do: func() { s.export(name, path, true) }})
		return
	}
	session, err := s.packets.Session.ForExport()
	if err != nil {
		s.c.Notify("not exported: " + err.Error())
		return
	}
	j := &job{path: path}
	s.job, s.picked = j, false
	which := s.shown()
	comment := "Dump of PDUs from " + s.c.File()
	j.stop = s.c.Later("exporting", func(ctx context.Context) func() {
		n := 0
		err := pcapfile.WriteWhole(path, pcapfile.WriterOptions{Comments: []string{comment}}, func(w *pcapfile.Writer) error {
			err := j.write(ctx, session, name, w, which)
			n = w.Packets()
			return err
		})
		return func() { s.exported(path, n, err) }
	})
}

// write passes the packets that there are so far in a session of their own, and writes what is inside those chosen.
func (j *job) write(ctx context.Context, s *dissect.Session, name string, w *pcapfile.Writer,
	which func(i int) bool) error {
	out, err := print.NewPDUs(s, name, w)
	i, n := s.Store().First(), s.Store().Len()
	j.total.Store(int64(n))
	s.Guard().Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the packet that it hangs in
		for ; i < n && err == nil; i++ {
			if err = ctx.Err(); err != nil {
				return
			}
			l.PassTo(i + 1)
			if which == nil || which(i) {
				err = out.Packet(l, dissect.FrameNum(i+1))
			}
			s.ForgetExports(dissect.FrameNum(i + 1))
			j.done.Store(int64(i))
		}
	})
	return errors.Join(err, out.Close())
}

// exported is the end of an export. The capture is as unsaved as it was.
func (s *Saver) exported(path string, n int, err error) {
	s.job = nil
	switch {
	case errors.Is(err, context.Canceled):
		s.c.Notify("not exported: ended before all was written; " + path + " is as it was")
	case err != nil:
		s.c.Notify("not exported: " + err.Error())
	default:
		s.c.Notify(humanize.Of(n, "packet") + " exported to " + path)
	}
}
