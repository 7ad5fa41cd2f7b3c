package views

import (
	"remora/ui/act"
	"remora/ui/view"
)

// searched is a view of lines: FindLine goes to the next line that holds a text, or to the one before.
type searched interface {
	FindLine(text string, step int) (found bool)
}

// findLine searches the lines of the view that is open; it tells whether the view has lines.
func (v *Views) findLine(a act.Action) bool {
	lines, ok := v.View().(searched)
	switch {
	case !ok:
		v.c.Notify("this view has no lines to search")
	case a == act.Find:
		v.c.Prompt(view.Prompt{Label: " find in this view: ", Accept: func(text string) {
			if text != "" { // nothing: what was searched before
				v.find = text
			}
			v.goFind(lines, 1)
		}})
	default:
		v.goFind(lines, map[act.Action]int{act.FindNext: 1, act.FindPrev: -1}[a])
	}
	return true
}

// goFind goes to the next line that holds what is searched.
func (v *Views) goFind(in searched, step int) {
	switch {
	case v.find == "":
		v.c.Notify(v.c.Style().Key(act.Find) + " says what to look for")
	case !in.FindLine(v.find, step):
		v.c.Notify("no line here holds " + v.find)
	}
}
