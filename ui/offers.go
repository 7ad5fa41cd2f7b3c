package ui

import (
	"strings"

	"remora/ui/columns"
	"remora/ui/complete"
	"remora/ui/palette"
	"remora/ui/print"
)

// What may follow commands.

func (m *model) filterOffers(arg string) []complete.Offer {
	return m.line.Completer.Offers(arg, len(arg))
}

func (m *model) columnOffers(arg string) []complete.Offer {
	typed, _ := strings.CutPrefix(arg, "-")
	var words [][2]string
	for _, c := range columns.All(m.list.Columns) {
		if c.Field == nil {
			words = append(words, [2]string{c.Title, "column"})
		}
	}
	out := complete.Words(typed, words)
	if typed != "" {
		out = append(out, m.line.Completer.Offers(typed, len(typed))...)
	}
	return palette.Shifted(out, len(arg)-len(typed))
}

func clockOffers(_ *model, arg string) []complete.Offer {
	var words [][2]string
	for _, c := range print.Clocks {
		words = append(words, [2]string{c[0], c[1]})
	}
	return complete.Words(arg, words)
}

func (m *model) favouriteOffers(arg string) []complete.Offer {
	var words [][2]string
	for _, line := range m.favouriteLines() {
		name, text, _ := strings.Cut(line, "\t")
		words = append(words, [2]string{name, text})
	}
	return complete.Words(arg, words)
}

// decodeOffers are tables, then protocols.
func (m *model) decodeOffers(arg string) []complete.Offer {
	selector, proto, second := strings.Cut(arg, ",")
	var words [][2]string
	if second {
		for _, p := range m.reg.Protocols() {
			if strings.HasPrefix(p.Name(), "_") { // what remora itself has to say is in no packet
				continue
			}
			words = append(words, [2]string{p.Name(), p.Title()})
		}
		return palette.Shifted(complete.Words(proto, words), len(selector)+1)
	}
	if strings.Contains(arg, "==") {
		return nil
	}
	for _, t := range m.reg.Tables() {
		words = append(words, [2]string{string(t) + "==", ""})
	}
	return complete.Words(arg, words)
}
