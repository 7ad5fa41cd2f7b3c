package live

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"

	"remora/capture"
	"remora/capture/extcap"
	"remora/capture/pcapfile"
	"remora/internal/broker"
)

// listExtcap are the interfaces that capture programs tell.
var listExtcap = broker.New("extcap", func(struct{}, []*os.File) ([]extcap.Interface, []*os.File, error) {
	return extcap.List(), nil, nil
}).Slowly()

// argumentsOf are the arguments that such an interface takes.
var argumentsOf = broker.New("extcap-arguments",
	func(name string, _ []*os.File) ([]extcap.Argument, []*os.File, error) {
		in, ok := extcap.Find(name)
		if !ok {
			return nil, nil, noSuchInterface(name)
		}
		list, err := in.Arguments()
		return list, nil, err
	}).Slowly()

// An extcapQuestion is what a capture program is to capture.
type extcapQuestion struct {
	Name, Filter string
	Values       map[string]string
}

// The descriptors that a capture program gets.
const (
	extcapPackets     = "/dev/fd/3"
	extcapControlsIn  = "/dev/fd/4"
	extcapControlsOut = "/dev/fd/5"
)

var extcapProgram = broker.NewProgram("extcap-program", func(q extcapQuestion) (*exec.Cmd, error) {
	in, ok := extcap.Find(q.Name)
	if !ok {
		return nil, noSuchInterface(q.Name)
	}
	args, err := in.Arguments()
	if err != nil {
		return nil, err
	}
	words, err := in.Words(args, q.Values, q.Filter, extcapPackets)
	if err != nil {
		return nil, err
	}
	if in.Controls {
		words = append(words, "--extcap-control-in", extcapControlsIn, "--extcap-control-out", extcapControlsOut)
	}
	return exec.Command(in.Program, words...), nil
})

// FindExtcap is the interface of that name that a capture program has. The system's own go before.
func FindExtcap(name string) (extcap.Interface, bool) {
	if _, err := net.InterfaceByName(name); err == nil || name == "any" || IsRemote(name) {
		return extcap.Interface{}, false
	}
	list, _, err := listExtcap.Ask(struct{}{})
	for _, in := range list {
		if err == nil && in.Name == name {
			return in, true
		}
	}
	return extcap.Interface{}, false
}

// ExtcapArguments are the arguments that an interface of a capture program takes.
func ExtcapArguments(name string) ([]extcap.Argument, error) {
	list, _, err := argumentsOf.Ask(name)
	return list, err
}

// extcapInterfaces are the interfaces of capture programs, as others are described.
func extcapInterfaces() (list []InterfaceInfo) {
	all, _, err := listExtcap.Ask(struct{}{})
	for _, in := range all {
		if err == nil {
			list = append(list, InterfaceInfo{Name: in.Name, Description: in.Display, Kind: KindExtcap, LinkType: -1, Up: true,
				Running: true})
		}
	}
	return list
}

// KindExtcap is the kind of interfaces that capture programs have.
const KindExtcap = "extcap"

// StartExtcap captures with a capture program, whose packets come through a pipe.
func StartExtcap(ctx context.Context, in extcap.Interface, opt capture.Options) (*capture.Store, error) {
	src, controls, err := runExtcap(in, opt)
	if err != nil {
		return nil, &capture.InterfaceError{Name: in.Name, Text: err.Error()}
	}
	filter := opt.Filter
	opt.Filter = "" // the program has applied it
	open := func(ctx context.Context, a *capture.Appender) io.Reader {
		context.AfterFunc(ctx, func() { src.Close() })
		a.SetCaptureFilter(filter)
		a.SetLive()
		a.OnClose(src.Close)
		if controls != nil {
			go hearControls(controls, func(text string) { a.Notice(text, "%s: %s", in.Name, text) })
		}
		return src
	}
	s, err := pcapfile.OpenStream(ctx, pcapfile.Stream{Name: in.Name, Open: open}, opt)
	if err != nil {
		src.Close()
		return nil, err
	}
	return s, nil
}

// runExtcap starts a capture program, with pipes for packets, for what it says, and for its controls if it has some.
func runExtcap(in extcap.Interface, opt capture.Options) (*remoteReader, io.ReadCloser, error) {
	var mine, its []*os.File // ends of pipes: to be read here, and there, where the third one is turned around
	defer func() {
		for _, f := range its {
			f.Close()
		}
	}()
	for range 4 {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, nil, errors.Join(err, closeAll(mine))
		}
		mine, its = append(mine, r), append(its, w)
	}
	mine[2], its[2] = its[2], mine[2]
	packets, words, toIt, fromIt := mine[0], mine[1], mine[2], mine[3]
	s := &remoteReader{r: packets, stderr: &stderrTail{}, heard: make(chan struct{}), name: in.Name,
		failure: extcapFailure}
	var err error
	s.program, err = extcapProgram.Start(extcapQuestion{in.Name, opt.Filter, opt.Extcap}, nil, its[1], its[1],
		its[0], its[2], its[3])
	if err != nil {
		return nil, nil, errors.Join(err, closeAll(mine))
	}
	go func() {
		defer close(s.heard)
		defer words.Close()
		io.Copy(s.stderr, words)
	}()
	if !in.Controls {
		return s, nil, closeAll([]*os.File{toIt, fromIt})
	}
	toIt.Write(controlMessage(255, controlInitialized)) //nolint:errcheck // a program that has gone says so by its packets
	s.last = toIt
	return s, fromIt, nil
}

func closeAll(files []*os.File) (err error) {
	for _, f := range files {
		err = errors.Join(err, f.Close())
	}
	return err
}

// extcapFailure puts the words of a capture program into a sentence. One that was asked to end has not failed.
func extcapFailure(err error, said string) string {
	if how := err.Error(); how == "signal: terminated" || how == "signal: interrupt" {
		return ""
	}
	if said == "" {
		said = err.Error()
	}
	return fmt.Sprintf("its program gave up (%s)", said)
}

// The commands of control pipes that are understood here.
const (
	controlInitialized = 0
	controlStatus      = 6 // to 9: texts, from a line of state to an error
	controlError       = 9
)

// controlMessage is what goes over a control pipe: a T, the length of what follows as three bytes, which control is
// meant, and the command.
func controlMessage(control, command byte) []byte { return []byte{'T', 0, 0, 2, control, command} }

// hearControls reads what a capture program tells by its controls, of which texts are for people.
func hearControls(r io.ReadCloser, say func(text string)) {
	defer r.Close()
	for {
		var head [6]byte
		if _, err := io.ReadFull(r, head[:]); err != nil || head[0] != 'T' {
			return
		}
		n := int(binary.BigEndian.Uint32([]byte{0, head[1], head[2], head[3]})) - 2
		if n < 0 {
			return
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(r, text); err != nil {
			return
		}
		if c := head[5]; c >= controlStatus && c <= controlError {
			say(printable(string(text)))
		}
	}
}
