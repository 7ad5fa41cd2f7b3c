package live

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/capture/spool"
)

// running asks the capture behind a socket for its description. A socket whose process has ended is removed.
func running(path string) (o Recovered, ok bool) {
	c, err := dialAt(path)
	if errors.Is(err, syscall.ECONNREFUSED) {
		os.Remove(path)
	}
	if err != nil {
		return o, false
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(visitFor))
	var a report
	if _, err := c.Write(encode(request{Describe: true})); err != nil || json.NewDecoder(c).Decode(&a) != nil ||
		a.Began == nil || a.State == nil {
		return o, false
	}
	return Recovered{Path: a.Began.Path, Size: a.State.End, Packets: a.State.Taken - a.State.First,
		Started:  a.Began.Started,
		Modified: time.Now(), Source: strings.Join(a.Began.Options.Interfaces, ", "), PID: a.Began.PID,
		Screens: a.Began.Readers,
		socket:  path}, true
}

// Attach shows a capture that goes on without its screen: the one that was begun last. One that another screen shows is
// taken where there is no other.
func Attach(ctx context.Context, dirs ...string) (*capture.Store, error) {
	list, err := Recover(dirs...)
	if err != nil {
		return nil, err
	}
	var best *Recovered
	for i, o := range list {
		better := best == nil || (o.Screens == 0) != (best.Screens == 0) && o.Screens == 0 ||
			(o.Screens == 0) == (best.Screens == 0) && o.Started.After(best.Started)
		if o.PID > 0 && better {
			best = &list[i]
		}
	}
	if best == nil {
		return nil, &capture.InterfaceError{Text: "no capture runs that could be attached to" + recovered(list)}
	}
	return best.Open(ctx, capture.Options{})
}

// recovered says where the newest capture that has ended is.
func recovered(list []Recovered) string {
	if len(list) == 0 {
		return ""
	}
	return ": the last one has ended, and its packets are in " + list[0].Path
}

// attach joins a running capture.
func (o Recovered) attach(ctx context.Context) (*capture.Store, error) {
	c, err := dialAt(o.socket)
	if err != nil {
		return nil, pcapfile.Errorf(o.Path, err, "the capture of process %d has ended meanwhile: its packets are in %s",
			o.PID,
			o.Path)
	}
	return join(ctx, c, request{Attach: true})
}

// end ends a running capture, and removes its packets.
func (o Recovered) end() error {
	s, err := o.attach(context.Background())
	if err != nil {
		return err
	}
	return s.Close()
}

// isSocket reports whether a folder's entry is the socket of a running capture.
func isSocket(e os.DirEntry) bool {
	return strings.HasPrefix(e.Name(), spool.Prefix) && filepath.Ext(e.Name()) == socketEnding &&
		e.Type()&os.ModeSocket != 0
}
