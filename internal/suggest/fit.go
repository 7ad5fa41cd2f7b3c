package suggest

import "strings"

// Fit tells how well a text fits a name of words joined by points, hyphens or spaces: 0 is the name itself, 1 its
// beginning, 2 the beginning of one of its words, 3 anywhere within; from 4 on only its letters occur in turn, the more
// apart the worse, and the first begins a word. The case of letters does not count.
func Fit(text, name string) (far int, ok bool) {
	text, name = strings.ToLower(text), strings.ToLower(name)
	switch {
	case text == name:
		return 0, true
	case strings.HasPrefix(name, text):
		return 1, true
	}
	best := -1
	for from := 0; from < len(name); from++ {
		if from > 0 && strings.IndexByte(".- ", name[from-1]) < 0 {
			continue
		}
		if strings.HasPrefix(name[from:], text) {
			return 2, true
		}
		if gaps, ok := inTurn(text, name[from:]); ok && (best < 0 || gaps < best) {
			best = gaps
		}
	}
	switch {
	case strings.Contains(name, text):
		return 3, true
	case best >= 0 && best <= 2*len(text): // further apart is chance
		return 4 + best, true
	}
	return 0, false
}

// inTurn counts the letters left out between those of a text, which must occur in a name in turn, from its first letter
// on. A word that begins costs one, however many letters were left out before.
func inTurn(text, name string) (gaps int, ok bool) {
	at := 0
	for i := 0; i < len(text); i++ {
		k := strings.IndexByte(name[at:], text[i])
		if k < 0 || i == 0 && k > 0 {
			return 0, false
		}
		if k > 0 && strings.IndexByte(".- ", name[at+k-1]) >= 0 {
			k = 1
		}
		gaps += k
		at += strings.IndexByte(name[at:], text[i]) + 1
	}
	return gaps, true
}
