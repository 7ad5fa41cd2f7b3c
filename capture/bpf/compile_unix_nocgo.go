//go:build unix && !cgo

package bpf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/net/bpf"

	"remora/internal/broker"
)

type program struct {
	vm   *bpf.VM
	code []Instruction
}

// Instructions are those of the filter, as the kernel takes them.
func (b *Filter) Instructions() []Instruction { return b.prog.code }

func (p program) matches(data []byte, _ uint32) bool {
	n, err := p.vm.Run(data)
	return err == nil && n > 0
}

// A question is what tcpdump is to compile.
type question struct{ Expr string }

// tcpdump compiles a filter for the link type of the capture that it gets.
var tcpdump = broker.NewProgram("tcpdump", func(q question) (*exec.Cmd, error) {
	return exec.Command("tcpdump", "-ddd", "-r", "-", "--", q.Expr), nil
})

// Lent is what the broker does for this package when the screen is locked.
func Lent() []broker.Service { return []broker.Service{tcpdump.Call} }

// Compile compiles a capture filter for packets of a LINKTYPE_ and a snapshot length, with the system's tcpdump. A
// mistake comes back as a [*Error] with its words.
func Compile(linkType, snapLen int, expr string) (*Filter, error) {
	if snapLen <= 0 {
		snapLen = MaxSnapLen
	}
	head := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	for _, v := range []uint32{4<<16 | 2, 0, 0, uint32(snapLen), uint32(linkType)} {
		head = binary.LittleEndian.AppendUint32(head, v)
	}
	out, said, err := ask(expr, head)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, NotCompiled(expr, "this build has no libpcap, and leaves capture filters to tcpdump: install that, or "+
			"capture all and filter what is shown with -Y")
	case err != nil:
		text := strings.TrimSpace(said)
		if i := strings.LastIndexByte(text, '\n'); i >= 0 { // behind the line that tells the link type
			text = text[i+1:]
		}
		if text = strings.TrimPrefix(text, "tcpdump: "); text == "" {
			text = err.Error()
		}
		return nil, NewError(expr, text)
	}
	code, err := parse(out)
	if err != nil {
		return nil, NewError(expr, err.Error())
	}
	return FromInstructions(expr, code)
}

// ask has tcpdump compile a filter for a capture without packets.
func ask(expr string, head []byte) (out, said string, err error) {
	var ends [6]*os.File
	for i := 0; i < len(ends); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return "", "", err
		}
		defer r.Close()
		defer w.Close()
		ends[i], ends[i+1] = r, w
	}
	if _, err := ends[1].Write(head); err != nil { // a pipe has room for it
		return "", "", err
	}
	ends[1].Close()
	run, err := tcpdump.Start(question{expr}, ends[0], ends[3], ends[5])
	if err != nil {
		if strings.Contains(err.Error(), exec.ErrNotFound.Error()) { // from the broker it comes as a text
			err = exec.ErrNotFound
		}
		return "", "", err
	}
	ends[3].Close()
	ends[5].Close()
	texts := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(io.LimitReader(ends[4], 64<<10))
		texts <- string(b)
	}()
	b, err := io.ReadAll(io.LimitReader(ends[2], 4<<20))
	said = <-texts
	return string(b), said, errors.Join(err, run.Wait())
}

// parse reads the program that tcpdump -ddd prints: the number of instructions, and a line of four numbers for each.
func parse(text string) ([]Instruction, error) {
	r := bytes.NewBufferString(text)
	var n int
	if _, err := fmt.Fscanln(r, &n); err != nil || n <= 0 || n > 4096 {
		return nil, errors.New("tcpdump did not tell a program for it")
	}
	code := make([]Instruction, n)
	for i := range code {
		c := &code[i]
		if _, err := fmt.Fscanln(r, &c.Op, &c.Jt, &c.Jf, &c.K); err != nil {
			return nil, fmt.Errorf("tcpdump told a program that is cut short: %w", err)
		}
	}
	return code, nil
}

// FromInstructions makes a filter of instructions.
func FromInstructions(expr string, code []Instruction) (*Filter, error) {
	list := make([]bpf.Instruction, len(code))
	for i, c := range code {
		list[i] = bpf.RawInstruction(c).Disassemble()
	}
	vm, err := bpf.NewVM(list)
	if err != nil {
		return nil, NewError(expr, err.Error())
	}
	return &Filter{Expr: expr, Steps: len(code), prog: program{vm, code}}, nil
}
