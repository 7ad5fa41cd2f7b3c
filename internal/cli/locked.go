package cli

import (
	"io"
	"os"
	"slices"
	"time"

	"remora/capture/hexdump"
	"remora/capture/live"
	"remora/capture/spool"
	"remora/dissect"
	"remora/internal/broker"
	"remora/internal/confine"
	"remora/internal/names"
	"remora/internal/sockets"
	"remora/internal/textfile"
	"remora/internal/userdirs"
	"remora/ui/clip"
	"remora/ui/rules"
)

// lends is what the broker does for the screen.
func lends() broker.Lends {
	l := live.Lent()
	l.Services = append(append(l.Services, names.Lent()...), clip.Lent(), sockets.Lent())
	l.Readable = append(l.Readable, rules.Recognize)
	l.Kept = append(l.Kept, hexdump.Recognize)
	var seen []*dissect.Preference
	for _, p := range plugins() {
		seen = append(seen, p.Protocol.Preferences()...)
		if p.Keys != nil && p.Keys.Preference != nil {
			seen = append(seen, p.Keys.Preference)
		}
	}
	for _, f := range seen {
		l.Readable = append(l.Readable, func(file io.ReaderAt, _ int64) bool {
			start := make([]byte, mostStart)
			n, _ := file.ReadAt(start, 0) // a file may be shorter
			return f.Recognizes(start[:n])
		})
	}
	return l
}

// mostStart is how much of a file is looked at, in bytes, to tell whether a preference may name it.
const mostStart = 16 << 10

// bounds are the files that the command line and the environment name: what the screen may have besides captures.
func (o *options) bounds() broker.Bounds {
	b := broker.Bounds{Read: append([]string{textfile.SystemHosts(), "/proc/net/dev"}, o.hosts...)}
	for _, path := range append(append([]string{o.read}, o.keyPaths()...), o.reads...) {
		if path != "" && path != "-" {
			b.Read = append(b.Read, path)
		}
	}
	if o.own.set != nil {
		b.Read = append(b.Read, o.own.set.Watched()...) // those that are named are read again when they are saved
	}
	if o.write != "" && o.write != "-" {
		b.Write = append(b.Write, o.write)
	}
	if dir, err := userdirs.Config(); err == nil {
		b.Settings = dir
	}
	return b
}

// lockScreen gives up all that the screen can do by its broker and the capture process: from now on it opens no file
// but those of its own folder, runs nothing, and has neither the network nor the right to capture.
func (o *options) lockScreen() error {
	if live.CanCapture() == nil {
		if err := live.StartProcess(); err != nil {
			return err
		}
	}
	if broker.Gone() == nil { // there is no means to do without
		return confine.Lock(confine.Allowed{Programs: true})
	}
	if err := live.CheckWrites(o.bounds()); err != nil {
		return err
	}
	folders := spool.Dirs()
	if dir, err := userdirs.State(); err == nil {
		folders = append(folders, dir)
	}
	scripts := o.own.foldersOfScripts()
	if o.own.unsafe && len(scripts) > 0 {
		return confine.Lock(confine.Allowed{Programs: true})
	}
	time.Now().Zone() //nolint:staticcheck // the files of time zones are read when they are first needed
	return confine.Lock(confine.Allowed{
		Terminal: true,
		Own:      !slices.ContainsFunc(folders, others),
		Read:     append(scripts, textfile.SystemHosts()),
		Write:    append(append(folders, scripts...), "/dev/tty", os.DevNull),
	})
}

// others tells whether a folder belongs to somebody else.
func others(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	return userdirs.Others(info)
}
