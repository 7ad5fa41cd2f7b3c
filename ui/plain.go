package ui

import "strings"

var plainSigns = strings.NewReplacer("–", "-", "·", "*", "…", "..", "≈", "~", "→", ">", "←", "<", "⇄", "<>", "⋯", "...", "−", "-")

// plain writes a text of our own with the signs that the terminal has.
func (m *model) plain(s string) string {
	if m.cfg.ASCII {
		return plainSigns.Replace(s)
	}
	return s
}
