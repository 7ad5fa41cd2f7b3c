package paint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/internal/suggest"
)

// Themes are the words for themes; "" is the one that suits the terminal's background.
var Themes = []string{"dark", "light", "high-contrast", "16"}

// colours are numbers of the 256 that terminals know; the first sixteen are the terminal's own. The renderer finds the
// nearest where there are fewer. -1 is the terminal's text colour; a bar of -1 is text and background changed about.
// bars is for rates over time and other bars, which take much room and must not shout; barsOnBar for those in the
// selected row.
type colours struct{ dim, blue, green, cyan, magenta, yellow, red, bar, onBar, bars, barsOnBar int }

// Every colour stands out by at least 4.5 to 1 on the background it is for, bars by 3 to 1, high contrast by 7 to 1; a
// test works that out. Of the sixteen only those are used that the usual palettes make readable, which on a light
// background are few.
var (
	darkColours = colours{dim: 246, blue: 75, green: 114, cyan: 80, magenta: 176, yellow: 179, red: 203, bar: 238,
		onBar: 255, bars: 66, barsOnBar: 73}
	lightColours = colours{dim: 241, blue: 25, green: 22, cyan: 24, magenta: 90, yellow: 94, red: 124, bar: 152,
		onBar: 16, bars: 66, barsOnBar: 24}
	highDarkColours = colours{dim: 252, blue: 117, green: 120, cyan: 123, magenta: 219, yellow: 228, red: 216, bar: 231,
		onBar: 16, bars: 123, barsOnBar: -1}
	highLightColours = colours{dim: 238, blue: 18, green: 22, cyan: 17, magenta: 53, yellow: 52, red: 88, bar: 16,
		onBar: 231, bars: 17, barsOnBar: -1}
	fewDarkColours = colours{dim: 7, blue: 14, green: 10, cyan: 6, magenta: 13, yellow: 11, red: 9, bar: -1, bars: 6,
		barsOnBar: -1}
	fewLightColours = colours{dim: -1, blue: 4, green: -1, cyan: 4, magenta: 5, yellow: 5, red: 1, bar: -1, bars: 4,
		barsOnBar: -1}
)

// coloursOf are the colours of a theme; few is a terminal that has no more than its own sixteen.
func coloursOf(theme string, dark, few bool) colours {
	pick := func(onDark, onLight colours) colours {
		if dark {
			return onDark
		}
		return onLight
	}
	dark = theme == "dark" || dark && theme != "light"
	switch {
	case few || theme == "16":
		return pick(fewDarkColours, fewLightColours)
	case theme == "high-contrast":
		return pick(highDarkColours, highLightColours)
	}
	return pick(darkColours, lightColours)
}

// inkCode is the code for a colour of text, or of the background.
func inkCode(n int, back bool) string {
	base, bright, many := 30, 90, "38;5;"
	if back {
		base, bright, many = 40, 100, "48;5;"
	}
	switch {
	case n < 0:
		return strconv.Itoa(base + 9)
	case n < 8:
		return strconv.Itoa(base + n)
	case n < 16:
		return strconv.Itoa(bright + n - 8)
	}
	return many + strconv.Itoa(n)
}

// PenNames are the names of the pens in settings.
var PenNames = []string{"accent", "selected", "marked", "dim", "bold", "good", "warn", "bad", "blue", "green", "cyan",
	"magenta", "yellow", "red"}

// Named is a pen by its name, or nil.
func (p *Pens) Named(name string) *Pen {
	all := []*Pen{&p.Accent, &p.Selected, &p.Marked, &p.Dim, &p.Bold, &p.Good, &p.Warn, &p.Bad}
	for _, hue := range HueOrder {
		all = append(all, &p.Hues[hue])
	}
	if i := slices.Index(PenNames, name); i >= 0 {
		return all[i]
	}
	return nil
}

var colourNames = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// ColourNames are the names of the terminal's own colours.
func ColourNames() []string {
	out := []string{"default"}
	for _, bright := range []string{"", "bright-"} {
		for _, name := range colourNames {
			out = append(out, bright+name)
		}
	}
	return out
}

// ParseStyle reads the words of a style: "bold", "underline" and "reverse", a colour of the text, and one of the
// background behind "on". "" is plain text. With pens the names of some of them stand for the colours they write in.
func ParseStyle(text string, p *Pens) (Pen, error) {
	var codes []string
	back, fore, ground := false, false, false
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		attribute := map[string]string{"bold": "1", "faint": "2", "underline": "4", "reverse": "7"}[word]
		switch {
		case back:
			code, err := ColourCode(word, true, nil)
			if err != nil {
				return Pen{}, err
			}
			codes, back, ground = append(codes, code), false, true
		case attribute != "":
			codes = append(codes, attribute)
		case word == "on" && !ground:
			back = true
		case fore:
			return Pen{}, fmt.Errorf("%q is one colour too many; the background's is written behind \"on\"", word)
		default:
			code, err := ColourCode(word, false, p)
			if err != nil {
				return Pen{}, err
			}
			codes, fore = append(codes, code), true
		}
	}
	if back {
		return Pen{}, fmt.Errorf("a colour is missing behind \"on\"")
	}
	return SGR(strings.Join(codes, ";")), nil
}

// inkPens are the pens whose names may stand for the colour of a text.
var inkPens = []string{"accent", "good", "warn", "bad", "dim"}

// ColourCode is the code for a colour by its name, its number among 256, or as #rrggbb; with pens, by the name of one,
// too.
func ColourCode(word string, back bool, p *Pens) (string, error) {
	if p != nil && slices.Contains(inkPens, word) {
		code := strings.TrimSuffix(strings.TrimPrefix(p.Named(word).Open, "\x1b["), "m")
		return cmp.Or(code, inkCode(-1, false)), nil
	}
	if digits, ok := strings.CutPrefix(word, "#"); ok {
		if len(digits) == 3 {
			digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
		}
		v, err := strconv.ParseUint(digits, 16, 32)
		if err != nil || len(digits) != 6 {
			return "", fmt.Errorf("%q is not a colour: # takes three or six hexadecimal digits", word)
		}
		code := "38;2;"
		if back {
			code = "48;2;"
		}
		return code + strconv.Itoa(int(v>>16)) + ";" + strconv.Itoa(int(v>>8&255)) + ";" + strconv.Itoa(int(v&255)), nil
	}
	if n, err := strconv.Atoi(word); err == nil {
		if n < 0 || n > 255 {
			return "", fmt.Errorf("%q is not a colour: numbers go from 0 to 255", word)
		}
		return inkCode(n, back), nil
	}
	if word == "default" {
		return inkCode(-1, back), nil
	}
	name, bright := strings.CutPrefix(word, "bright-")
	if i := slices.Index(colourNames, name); i >= 0 {
		if bright {
			i += 8
		}
		return inkCode(i, back), nil
	}
	all := append([]string{"default", "bold", "underline", "reverse"}, colourNames...)
	for _, name := range colourNames {
		all = append(all, "bright-"+name)
	}
	if p != nil {
		all = append(all, inkPens...)
	}
	if near := suggest.One(word, all); near != "" {
		return "", fmt.Errorf("%q is not a colour; did you mean %s?", word, near)
	}
	return "", fmt.Errorf("%q is not a colour; colours are #rrggbb, 0 to 255, %s, and bright- in front of these", word,
		strings.Join(colourNames, ", "))
}
