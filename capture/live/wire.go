package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/pcapfile"
)

// The protocol between the capture process and its readers: one JSON object after the other over a Unix socket. The
// packets do not pass it: readers have the spool.

// A program is a capture filter compiled for packets of a link type, where the capture process cannot do that itself.
type program struct {
	LinkType int
	Code     []bpf.Instruction
}

// A request is what a reader wants. The first one starts a capture, joins one, or asks what there is.
type request struct {
	Start    *capture.Options `json:",omitempty"`
	Programs []program        `json:",omitempty"` // its filter, compiled
	Links    *linksQuestion   `json:",omitempty"` // no capture: which forms of packets an interface has
	Attach   bool             `json:",omitempty"`
	Describe bool             `json:",omitempty"`
	Stop     bool             `json:",omitempty"`
	Next     bool             `json:",omitempty"` // the next file of -w
	Release  int              `json:",omitempty"` // the packets before it may be evicted from the spool
	End      endOfUse         `json:",omitempty"` // the last request
}

// endOfUse is what becomes of a capture whose last reader disconnects.
type endOfUse string

const (
	endGone    endOfUse = "" // it disconnected without a request
	endKeep    endOfUse = "keep"
	endForADay endOfUse = "keep for a day"
	endDiscard endOfUse = "discard"
)

// A report answers a request, or says how the capture goes.
type report struct {
	Failed *wireError `json:",omitempty"`
	Began  *began     `json:",omitempty"`
	State  *progress  `json:",omitempty"`
	Links  *Links     `json:",omitempty"`
}

// began is what stays the same of a capture.
type began struct {
	Options  capture.Options
	Name     string
	Path     string // of the spool; "" when it has no name
	Spool    bool   // the spool's descriptor comes along, where the reader asked for it
	Own      bool   // the spool is the file of -w
	Volatile bool   // the packets are in no file of the user's
	Head     int64  // bytes before the first packet
	MarkAt   int64  // offset of the block that says what was evicted; 0: nothing ever is
	Started  time.Time
	PID      int
	Readers  int // that it has beside the one that asks
}

// progress is how far a capture is.
type progress struct {
	End      int64 // bytes of the spool that can be read
	Taken    int   // packets
	KeptFrom int64
	First    int
	Counts   []capture.InterfaceStatus
	Notices  []wireNotice `json:",omitempty"` // since the report before
	CutShort bool         // an interface was lost
	Unsaved  bool         // the file of -w could not be written to the end
	Done     bool
	Damage   string     `json:",omitempty"`
	Err      *wireError `json:",omitempty"`
}

// A wireNotice is a notice, or the name of a file of a ring that is complete.
type wireNotice struct {
	Key, Text string
	File      string `json:",omitempty"`
}

// engineStatus has the notices of an engine and how it ended, for any number of readers.
type engineStatus struct {
	mu      sync.Mutex
	waiting map[chan struct{}]bool
	notices []wireNotice
	files   int // how many of them are names of files
	short   bool
	done    bool
	err     error
}

func (t *engineStatus) subscribe() (changed chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	c <- struct{}{}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[chan struct{}]bool{}
	}
	t.waiting[c] = true
	return c, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.waiting, c)
	}
}

func (t *engineStatus) changed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.waiting {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (t *engineStatus) notice(key, format string, args ...any) {
	t.mu.Lock()
	if len(t.notices)-t.files < capture.MaxNotices {
		t.notices = append(t.notices, wireNotice{Key: key, Text: fmt.Sprintf(format, args...)})
	}
	t.mu.Unlock()
	t.changed()
}

func (t *engineStatus) closedFile(path string) {
	t.mu.Lock()
	t.notices = append(t.notices, wireNotice{File: path})
	t.files++
	t.mu.Unlock()
	t.changed()
}

func (t *engineStatus) cutShort() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.short = true
}

func (t *engineStatus) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done, t.err = true, err
}

// state is how far the engine is, with the notices behind the first said.
func (e *engine) state(said int) progress {
	e.mu.Lock()
	p := progress{End: e.base, Taken: e.packets, KeptFrom: e.keptFrom, First: e.first, Unsaved: e.unsaved}
	e.mu.Unlock()
	for _, c := range e.counters {
		p.Counts = append(p.Counts, capture.InterfaceStatus{Name: c.name, Live: c.live.Load(), InterfaceCounts: c.counts()})
	}
	t := &e.status
	t.mu.Lock()
	defer t.mu.Unlock()
	p.Notices, p.CutShort, p.Done = t.notices[said:], t.short, t.done
	var d capture.Damage
	switch {
	case errors.As(t.err, &d):
		p.Damage = d.Text
	case t.err != nil && !errors.Is(t.err, capture.ErrEnough):
		p.Err = newWireError(t.err)
	}
	return p
}

// A wireError is an error of this package as JSON.
type wireError struct {
	Kind                         string
	Name, Text, Path, Expr, Hint string
	Nearest                      []string `json:",omitempty"`
	Output                       bool
	Errno                        syscall.Errno
}

func newWireError(err error) *wireError {
	w := &wireError{Text: err.Error()}
	errors.As(err, &w.Errno)
	var right *PermissionError
	var iface *capture.InterfaceError
	var filter *bpf.Error
	var file *pcapfile.Error
	switch {
	case errors.As(err, &right):
		w.Kind, w.Name, w.Text = "permission", right.Name, right.Text
	case errors.As(err, &iface):
		w.Kind, w.Name, w.Text, w.Nearest = "interface", iface.Name, iface.Text, iface.Nearest
	case errors.As(err, &filter):
		w.Kind, w.Expr, w.Text, w.Hint = "filter", filter.Expr, filter.Text, filter.Hint
	case errors.As(err, &file):
		w.Kind, w.Path, w.Text, w.Output = "file", file.Path, file.Text, file.Output
	case errors.Is(err, bpf.ErrNoLibpcap):
		w.Kind = "none"
	}
	return w
}

func (w *wireError) error() error {
	var cause error
	if w.Errno != 0 {
		cause = w.Errno
	}
	switch w.Kind {
	case "permission":
		return &PermissionError{w.Name, w.Text}
	case "interface":
		return &capture.InterfaceError{Name: w.Name, Text: w.Text, Nearest: w.Nearest}
	case "filter":
		return &bpf.Error{Expr: w.Expr, Text: w.Text, Hint: w.Hint}
	case "file":
		return &pcapfile.Error{Path: w.Path, Text: w.Text, Err: cause, Output: w.Output}
	case "none":
		return bpf.ErrNoLibpcap
	}
	return errors.New(w.Text)
}

// encode is one message.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil // of these types there is none that cannot be
	}
	return append(b, '\n')
}

// maxMessage bounds one message between a capture process and its readers, in bytes.
const maxMessage = 1 << 20

// errTooLong is a message of more than maxMessage bytes.
var errTooLong = errors.New("a message that is too long")

// messages decodes what comes over a connection: JSON, a message in each line. What has no end is an error, so that
// neither side can have the other take up memory without bound. It reads more at once than the decoder asks for: that
// may leave the end of the line to the next read, and who writes to net.Pipe waits for it.
func messages(r io.Reader) *json.Decoder {
	return json.NewDecoder(&boundedLines{r: bufio.NewReaderSize(r, 16<<10)})
}

// boundedLines reads lines of at most maxMessage bytes.
type boundedLines struct {
	r    io.Reader
	line int // bytes of the line that is not finished
}

func (l *boundedLines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if end := bytes.LastIndexByte(p[:n], '\n'); end >= 0 {
		l.line = n - end - 1
	} else if l.line += n; l.line > maxMessage {
		return 0, errTooLong
	}
	return n, err
}
