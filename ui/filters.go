package ui

import (
	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/ui/humanize"
	"remora/ui/term"
	"remora/ui/ticks"
	"remora/ui/view"
	"strings"
)

// narrow keeps of what is shown what passes a filter, too.
func (m *model) narrow(text string) { m.applyFilter(term.Join(m.packets.FilterText(), "&&", text)) }

// typeOfPacket shows only packets of the selected one's type, or hides them.
func (m *model) typeOfPacket(only bool) {
	if m.selected.Tree == nil {
		return
	}
	sh := m.selected.Tree.LayerStack
	p := &stats.Protocol{Protocol: m.packets.Session.StackTop(sh)}
	x := ticks.Line{Proto: p, Dir: -1}
	if f := p.Protocol.KindField(); f != nil {
		for _, k := range sh.Kinds {
			if k.Field == f.ID() {
				x.Kind = &stats.Type{Protocol: p.Protocol, Field: f, Value: k.Value, Name: f.ValueName(k.Value)}
				break
			}
		}
	}
	if only {
		m.applyFilter(viewContext{m}.Scope().Term(x))
		return
	}
	m.facets.Hide(x)
}

// setReference makes the selected packet a time reference, which those behind it are relative to, or no more.
func (m *model) setReference() {
	n := m.selected.Frame
	if n == 0 {
		return
	}
	if m.packets.TurnReference(n) {
		m.foot.Notice = "times from packet " + humanize.Group(int(n)) + " on are relative to it"
	} else {
		m.foot.Notice = "packet " + humanize.Group(int(n)) + " is no time reference any more"
	}
	referenced(m)
}

// referenced shows what changes with time references: the list's times, the tree, and what a filter that asks for them
// finds.
func referenced(m *model) {
	m.redraw(0)
	if text := m.packets.FilterText(); strings.Contains(text, "time_relative") || strings.Contains(text, "ref_time") {
		notice := m.foot.Notice
		m.refilter()
		m.foot.Notice = notice
	}
}

// unsetReferences has all times be relative to the first packet again.
func unsetReferences(m *model) {
	m.packets.Store.SetReferences(nil)
	m.foot.Notice = "times are relative to the first packet"
	referenced(m)
}

// compile makes a filter with what filters depend on here, the selected packet included.
func (m *model) compile(text string) (*filter.Filter, error) {
	if f := m.line.TakeCompiled(text); f != nil { // as it was typed: a filter is compiled once
		return about(m, f), nil
	}
	return compileWith(m, m.cfg.Registry, text)
}

// compileWith makes a filter with the fields of a registry.
func compileWith(m *model, reg *dissect.Registry, text string) (*filter.Filter, error) {
	f, err := filter.CompileWith(reg, text, m.cfg.Filters)
	if err != nil {
		return nil, err
	}
	return about(m, f), nil
}

// about has a filter that refers to the selected packet know it.
func about(m *model, f *filter.Filter) *filter.Filter {
	if f.References() && m.selected.Tree != nil {
		f = f.With(m.selected.Tree)
	}
	return f
}

// editFilter asks for the display filter; it begins with a text.
func (m *model) editFilter(text string) {
	m.line.Open(view.Prompt{Label: " / ", Text: text, Filter: true, Lists: true, Accept: func(text string) {
		if text != "" {
			m.jobs.Write(func() { m.lists.filters.Add(text) })
		}
		was := m.facets.Origin()
		if m.applyFilter(text); text != "" && m.packets.FilterText() == text {
			m.facets.Edited(was)
		}
	}})
}
