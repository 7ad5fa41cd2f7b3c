// Package copying puts parts of the selected packet, and texts of views, on the clipboard or into a file.
package copying

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"remora/ui/clip"
	"remora/ui/humanize"
	"remora/ui/listed"
	"remora/ui/print"
	"remora/ui/selected"
	"remora/ui/source"
	"remora/ui/view"
)

// Context is what copying may ask of the screen.
type Context interface {
	// InList tells whether the keys go to the packet list, InBytes whether to the bytes.
	InList() bool
	InBytes() bool
	// Cells are the texts of the selected packet's row; Picked are the bytes that are picked; Meant is the filter for what
	// is selected.
	Cells() []string
	Picked() (lo, hi int, ok bool)
	Meant() string
	// Prompt asks for a line of text, Ask puts a question.
	Prompt(p view.Prompt)
	Ask(title, text string, answers ...view.Answer)
	// Notify says something in the line above the keys, Send sends a sequence to the terminal.
	Notify(text string)
	Send(sequence string)
	// Later does work beside the screen, and then what it returns; stop ends ctx.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Copier copies, and remembers what it copied last.
type Copier struct {
	c       Context
	packets *listed.Packets
	packet  *selected.Packet
	last    string
	raw     []byte // the bytes behind last, where it is a form of some
	name    string // of a file for them, or for last
}

// New has copied nothing yet.
func New(c Context, packets *listed.Packets, packet *selected.Packet) *Copier {
	return &Copier{c: c, packets: packets, packet: packet}
}

// Last is what was copied last, or "".
func (k *Copier) Last() string { return k.last }

// Copy hands a text to the clipboard; what says what it is.
func (k *Copier) Copy(text, what string) {
	k.last, k.raw, k.name = text, nil, "copied.txt"
	k.toClipboard(text, what)
}

func (k *Copier) toClipboard(text, what string) {
	installed := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	ways := clip.Methods(os.Getenv, installed, len(text))
	k.c.Later("copying", func(ctx context.Context) func() {
		done := clip.Run(ctx, ways, text, what)
		return func() { k.copied(done) }
	})
}

// copied says what was done.
func (k *Copier) copied(done clip.Copy) {
	k.c.Notify(done.Notice)
	if done.Seq != "" {
		k.c.Send(done.Seq)
	}
}

// File asks for a file, and writes what was copied last there: the bytes themselves, where it was a form of some. If
// nothing was, it writes the bytes that are meant.
func (k *Copier) File() {
	if k.last == "" && k.packet.Tree != nil {
		k.last, k.raw, k.name = "bytes", slices.Clone(k.bytes()), k.fileName()
	}
	data, what := k.raw, "bytes"
	if data == nil {
		data, what = []byte(k.last), "text"
	}
	if len(data) == 0 {
		k.c.Notify("there is nothing to write: select a field or bytes")
		return
	}
	k.c.Prompt(view.Prompt{Label: fmt.Sprintf(" write %s of %s to: ", humanize.Bytes(int64(len(data))), what),
		Text: k.name, Accept: func(path string) { k.write(source.ExpandHome(path), data) }})
}

func (k *Copier) write(path string, data []byte) {
	view.Saving{Path: path, Label: " write it to: ", Write: view.Bytes(data, humanize.Bytes(int64(len(data))))}.Save(k.c)
}

// fileName is a name for a file with the bytes of the selected field.
func (k *Copier) fileName() string {
	name := fmt.Sprintf("packet-%d", k.packet.Tree.Frame)
	if i := k.packet.Node; i > 0 && !k.c.InList() {
		name += "-" + k.packet.Tree.Field(i).Name()
	}
	return name + ".bin"
}

// As copies something of the selected packet, in the form that a letter stands for.
func (k *Copier) As(how rune) {
	if k.packet.Tree == nil {
		return
	}
	text, what := k.Text(how)
	if text == "" {
		k.c.Notify("there is nothing to copy in that form")
		return
	}
	if k.Copy(text, what); strings.ContainsRune(clip.Forms, how) {
		k.raw, k.name = slices.Clone(k.bytes()), k.fileName()
	}
}

// Text is something of the selected packet in the form that a letter stands for, and what it is.
func (k *Copier) Text(how rune) (text, what string) {
	tree, i := k.packet.Tree, max(0, k.packet.Node)
	switch how {
	case 'y':
		return strings.Join(strings.Fields(strings.Join(k.c.Cells(), " ")), " "), "the row"
	case 'v':
		return tree.Value(i), "the value"
	case 'l':
		return tree.Label(i), "the line"
	case 't':
		return k.treeText(), "the tree"
	case 'j':
		return k.jsonText(), "the packet as JSON"
	case '=':
		return k.c.Meant(), "the filter"
	}
	return clip.Form(how, k.bytes())
}

// bytes are those that are picked, or else those of the selected node.
func (k *Copier) bytes() []byte {
	tree, i := k.packet.Tree, max(0, k.packet.Node)
	lo, hi, picked := k.c.Picked()
	switch {
	case picked:
		return tree.Source(k.packet.Source)[lo:hi]
	case k.c.InBytes() && tree.Nodes[i].Src != k.packet.Source: // no line of the tree is meant by what was unpacked
		return tree.Source(k.packet.Source)
	case k.c.InList():
		return tree.Source(0)
	}
	return tree.Bytes(i)
}

// jsonText is the packet as -T json prints it.
func (k *Copier) jsonText() string {
	var out strings.Builder
	p, err := print.New(&out, k.packets.Session, print.Options{Format: "json", OneKey: true})
	if err != nil {
		return ""
	}
	if p.Packet(k.packet.Tree) != nil || p.Close() != nil {
		return ""
	}
	return out.String()
}

// treeText is the tree as the screen shows it, all of it open.
func (k *Copier) treeText() string {
	var s strings.Builder
	tree := k.packet.Tree
	for i := range tree.Nodes {
		if !tree.IsHidden(i) {
			s.WriteString(strings.Repeat("    ", int(tree.Nodes[i].Depth)) + tree.Label(i) + "\n")
		}
	}
	return s.String()
}
