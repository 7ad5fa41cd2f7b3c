package manual

import "slices"

// What the page and the topics of help say beside what is declared elsewhere: each a word and what it means.
var (
	ExitCodes = [][2]string{
		{"0", "done"},
		{"1", "failed while running; a line on standard error says what and what to do"},
		{"2", "a wrong command line or filter, with the mistake marked; a file that is not a capture, or is cut short"},
		{"3", "no such interface, or no right to capture on it"},
		{"130", "interrupted; 143 terminated, 131 quit, 129 when the terminal was closed"},
	}
	Files = [][2]string{
		{"~/.config/remora/config.toml", "settings; remora --print-config prints a file with all of them. $XDG_CONFIG_HOME " +
			"stands for ~/.config where it is set."},
		{"~/.config/remora/profiles/", "settings that --profile NAME puts over config.toml, each in NAME.toml"},
		{"~/.config/remora/macros", "macros of display filters, one a line, as Wireshark keeps them"},
		{"~/.local/state/remora",
			"filters used, files opened, and packets that have not been saved yet. $XDG_STATE_HOME stands for ~/.local/state."},
	}
	Environment = [][2]string{
		{"NO_COLOR", "any value: no colours"},
		{"CLICOLOR_FORCE", "1: colours whatever the terminal says"},
		{"TERM LC_ALL LC_CTYPE LANG", "ASCII instead of Unicode glyphs on linux, vt100 and its like and dumb, and where " +
			"the first locale that is set is not UTF-8; --glyphs and the settings go before"},
		{"XDG_CONFIG_HOME", "the folder above that of the settings"},
		{"XDG_STATE_HOME", "the folder above that of what is kept between runs"},
	}
	Signals = [][2]string{
		{"INT", "stop, write what there is, and leave; a second one leaves at once"},
		{"TERM HUP QUIT", "the same, also from the screen"},
		{"USR1", "go on to the next file of a ring (-b), or begin the file of -w anew where it was renamed; when nothing " +
			"is drawn, print the counts"},
		{"INFO", "where the system has it (Ctrl-T): print the counts"},
	}
)

// environment is Environment with the variables that name files with secrets.
func (h Help) environment() [][2]string {
	out := slices.Clone(Environment)
	for _, k := range h.Registry.Keys() {
		if k.Env != "" {
			out = append(out, [2]string{k.Env, "the file of --" + k.Flag + ", where that is not given"})
		}
	}
	return out
}
