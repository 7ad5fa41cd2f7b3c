package doctor

import (
	"cmp"
	"regexp"
	"strings"

	"remora/ui/clip"
	"remora/ui/paint"
)

// question asks a terminal where its cursor stands behind a wide character and behind a line, whether it knows the
// mouse in the form that the screen asks for, and what it is: that every terminal answers, so it comes last.
const question = "\r\u8868\x1b[6n\r\u2500\x1b[6n\r\x1b[K\x1b[?1006$p\x1b[c"

var (
	cursor = regexp.MustCompile(`\x1b\[\d+;(\d+)R`)
	mouse  = regexp.MustCompile(`\x1b\[\?1006;(\d)\$y`)
)

// What is said where the output is no terminal.
const (
	notAsked   = "not asked: this is no terminal"
	onTerminal = "run remora doctor on a terminal, without a pipe"
)

// terminal looks at where the screen is drawn.
func terminal(s System) []Line {
	called := paint.Terminal(s.Getenv)
	name := Line{Name: "name", State: Works, Found: cmp.Or(called, "TERM is not set")}
	if program := s.Getenv("TERM_PROGRAM"); program != "" {
		name.Found += ", " + program
	}
	for _, in := range [][2]string{{"TMUX", "in tmux"}, {"STY", "in screen"}, {"SSH_TTY", "by ssh"}} {
		if s.Getenv(in[0]) != "" {
			name.Found += ", " + in[1]
		}
	}
	if called == "" || called == "dumb" {
		name.State, name.Do = Lacks, "set TERM to what the terminal is, as xterm-256color"
	}
	colours := Line{Name: "colours", State: Works, Found: s.Colours}
	switch strings.ToLower(s.Colours) {
	case "notty":
		colours.State, colours.Found, colours.Do = Lacks, notAsked, onTerminal
	case "ascii":
		colours.State, colours.Found = Lacks, "none, by TERM or NO_COLOR"
		colours.Do = "set TERM and COLORTERM as the terminal has colours, unset NO_COLOR, or --color always"
	}
	glyphs := Line{Name: "glyphs", State: Works, Found: "Unicode"}
	if paint.WantsASCII(s.Getenv) {
		glyphs.State, glyphs.Found = Lacks, "ASCII, by TERM, the locale or the console's code page"
		glyphs.Do = "set LANG to a locale of UTF-8, as C.UTF-8 (on Windows: chcp 65001), or --glyphs unicode"
	}
	return append([]Line{name, colours, glyphs}, append(answered(s), clipboard(s))...)
}

// answered is what the terminal itself says.
func answered(s System) []Line {
	wide, rat := Line{Name: "wide characters", State: Works}, Line{Name: "mouse", State: Works}
	answer, asked := s.Probe(question)
	if !asked {
		wide.State, wide.Found, wide.Do = Lacks, notAsked, onTerminal
		rat.State, rat.Found, rat.Do = Lacks, notAsked, onTerminal
		return []Line{wide, rat}
	}
	at := cursor.FindAllStringSubmatch(answer, -1)
	const other = "set the terminal's ambiguous characters to narrow, or --glyphs ascii"
	switch {
	case len(at) < 2:
		wide.State, wide.Found, wide.Do = Lacks, "the terminal did not say", "if rows are shifted: --glyphs ascii"
	case at[0][1] == "3" && at[1][1] == "2":
		wide.Found = "two cells, lines one"
	case at[0][1] != "3":
		wide.State, wide.Found, wide.Do = Lacks, "not two cells: names in Japanese shift their row", "--glyphs ascii"
	default:
		wide.State, wide.Found, wide.Do = Lacks, "lines take two cells", other
	}
	switch m := mouse.FindStringSubmatch(answer); {
	case m == nil:
		rat.Found = "the terminal did not say; the screen asks for it (--no-mouse leaves it to the terminal)"
	case m[1] == "0":
		rat.State, rat.Found, rat.Do = Lacks, "not known to the terminal", "the keys do all (?)"
	default:
		rat.Found = "known"
	}
	return []Line{wide, rat}
}

// clipboard says by which way a text would be copied.
func clipboard(s System) Line {
	line := Line{Name: "clipboard", State: Works}
	var ways []string
	for _, m := range clip.Methods(s.Getenv, s.Has, 1) {
		ways = append(ways, m.String())
	}
	if line.Found = strings.Join(ways, ", then "); line.Found == "" {
		line.State, line.Found = Lacks, "none: copies go to files"
		line.Do = "install wl-copy, xclip or xsel, or take a terminal with OSC 52"
	}
	return line
}
