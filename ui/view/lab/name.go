package lab

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"remora/dissect"
	"remora/internal/lab"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/view"
)

// A description is the file that is written, and what was named in it.
type description struct {
	name string // of the protocol; "" is not asked yet
	file string // "" is not written yet
	undo []change
}

// A change is what the fields of all groups were before.
type change [][]lab.Field

// askName asks how the bytes under the cursor are called, and of which type they are.
func (v *View) askName() {
	lo, hi := v.picked()
	g := v.current()
	f, _ := g.At(lo)
	if f.Off != lo || f.Size != hi-lo {
		f = lab.Field{Size: hi - lo, Little: v.as%2 == 1}
	}
	v.c.Prompt(view.Prompt{Label: " name and type: ", Text: strings.TrimSpace(f.Name + " " + f.Type()), Forget: true,
		Accept: func(text string) { v.name(g, text, lo, hi, f.Type()) }})
}

func (v *View) name(g *lab.Group, text string, lo, hi int, usual string) {
	words := strings.Fields(text)
	everywhere := len(words) > 1 && words[len(words)-1] == "all"
	if everywhere {
		words = words[:len(words)-1]
	}
	if len(words) == 1 {
		words = append(words, usual)
	}
	if len(words) != 2 {
		v.c.Notify("a field has a name and a type: counter u2le; all behind them names it in all types of messages")
		return
	}
	var was change
	for _, one := range v.report.Groups {
		was = append(was, slices.Clone(one.Fields))
	}
	if err := v.report.Name(g, words[0], words[1], lo, hi-lo, everywhere); err != nil {
		v.c.Notify(err.Error())
		return
	}
	v.description.undo = append(v.description.undo, was)
	v.from = -1
	v.save()
}

// undo takes the last name back, in the file, too.
func (v *View) undo() {
	d := &v.description
	if len(d.undo) == 0 {
		v.c.Notify("nothing was named")
		return
	}
	last := d.undo[len(d.undo)-1]
	d.undo = d.undo[:len(d.undo)-1]
	for i, fields := range last {
		v.report.Groups[i].Fields = fields
	}
	if d.file != "" {
		v.write(true)
	}
}

var protocolName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// save writes the description. How the protocol is called is asked once.
func (v *View) save() {
	if v.tools.Keep == nil {
		v.c.Notify("there is no folder for dissectors")
		return
	}
	if v.description.name != "" {
		v.write(v.description.file != "")
		return
	}
	v.c.Prompt(view.Prompt{Label: " name of the protocol: ", Text: "mine", Accept: func(name string) {
		if !protocolName.MatchString(name) {
			v.c.Notify("the name of a protocol has small letters, digits and underscores")
			return
		}
		if p := v.c.Scope().Session.Registry().Protocol(name); p != nil {
			v.c.Ask("Another name?", "There is a protocol "+name+" already, which this one would replace.",
				view.Answer{Act: act.AnswerYes, Label: "replace it", Do: func() { v.called(name) }})
			return
		}
		v.called(name)
	}})
}

func (v *View) called(name string) {
	v.description.name = name
	v.write(false)
}

// write writes the file beside the screen. One that is there already is replaced once somebody said so.
func (v *View) write(replace bool) {
	d := &v.description
	name, text := d.name, v.report.KSY(d.name, v.where)
	v.c.Later("writing", func(context.Context) func() {
		file, err := v.tools.Keep(name, text, replace)
		return func() {
			switch {
			case errors.Is(err, fs.ErrExist):
				d.name = ""
				v.c.Ask("Replace it?", dissect.Escape(file)+" is there already.",
					view.Answer{Act: act.AnswerYes, Label: "replace it", Do: func() {
						d.name = name
						v.write(true)
					}})
			case err != nil:
				v.c.Notify("not written: " + dissect.Escape(err.Error()))
			default:
				d.file = dissect.Escape(file)
				v.c.Notify("written to " + d.file)
			}
		}
	})
}

// Sheet is what e saves: a line for each field.
func (v *View) Sheet() export.Sheet {
	var rows [][]any
	if v.report != nil {
		for i, g := range v.report.Groups {
			for _, f := range g.Fields {
				rows = append(rows, []any{i + 1, g.String(), f.Off, f.Size, f.Label(), f.Type(), f.Confidence, f.How()})
			}
		}
	}
	return export.New("lab", []string{"group", "messages", "offset", "size", "field", "type", "confidence", "how"},
		func() [][]any { return rows })
}
