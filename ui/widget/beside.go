package widget

// Beside joins two panes of the same height with a rule between them.
func (s *Style) Beside(left, right []string) []string {
	bar := s.Pens.Dim.Open + s.Glyph("│", "|") + s.Pens.Dim.Close
	for i := range left {
		left[i] += bar + right[i]
	}
	return left
}
