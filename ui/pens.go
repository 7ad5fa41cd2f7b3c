package ui

import (
	"remora/ui/keys"
	"remora/ui/paint"
)

// repen makes the pens anew after the theme, the terminal or the person's own colours have changed.
func (m *model) repen() {
	look, theme := &m.look, m.cfg.Theme
	m.style.ASCII = m.cfg.ASCII
	m.style.Colour, m.style.Dark = look.colour, theme == "dark" || look.dark && theme != "light"
	m.style.Pens = paint.NewPens(theme, look.dark, look.few, look.colour)
	for name, text := range m.cfg.Colors {
		place := m.style.Pens.Named(name)
		if style, err := paint.ParseStyle(text, nil); err == nil && place != nil && look.colour {
			*place = style
		}
	}
	m.coloring.Repen()
}

// useKeys takes a person's own keys.
func useKeys(m *model, own map[string]string) {
	keymap, _ := keys.New(own)
	m.style.Keys = &keymap
}
