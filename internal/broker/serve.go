package broker

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"time"

	"remora/internal/sibling"
)

// Bounds of what a screen that went astray can have the broker keep.
const (
	mostAtOnce = 64              // requests
	askFor     = 5 * time.Second // that the screen may take to send a request, or to take its answer
)

// Lends is what a broker does beside opening and saving files.
type Lends struct {
	Services []Service
	Readable []Recognizer // what the screen reads, and saves in the place of what is such a thing, too
	Kept     []Recognizer // what it reads alone
}

// serve does what comes over master, until its other end is gone.
func serve(master *net.UnixConn, services []Service) {
	by := map[string]Service{}
	for _, s := range services {
		by[s.called()] = s
	}
	turn := make(chan struct{}, mostAtOnce)
	for {
		turn <- struct{}{}
		_, files, err := sibling.Receive(master, make([]byte, 1))
		if err != nil {
			closeAll(files)
			return
		}
		if len(files) != 1 {
			closeAll(files)
			<-turn
			continue
		}
		go func() {
			defer func() { <-turn }()
			if c, err := sibling.FromFile(files[0]); err == nil {
				serveOne(c, by)
			}
		}()
	}
}

// serveOne answers the request of a connection.
func serveOne(c *net.UnixConn, by map[string]Service) {
	defer c.Close()
	c.SetDeadline(time.Now().Add(askFor))
	b, given, err := readLine(c, maxRequest)
	if err != nil {
		return
	}
	defer closeAll(given)
	a, lent := do(b, given, by)
	defer closeAll(lent)
	c.SetDeadline(time.Now().Add(askFor))
	if out, err := json.Marshal(a); err == nil {
		sibling.Send(c, append(out, '\n'), lent...)
	}
}

func do(b []byte, given []*os.File, by map[string]Service) (a answer, lent []*os.File) {
	var r request
	err := json.Unmarshal(b, &r)
	if s := by[r.Do]; err == nil && s != nil {
		var v any
		if v, lent, err = s.serve(r.With, given); err == nil {
			a.Answer, err = json.Marshal(v)
		}
	} else if err == nil {
		err = errors.New("the broker does no such thing")
	}
	if err != nil {
		a.Failed = newWireError(err)
	}
	return a, lent
}
