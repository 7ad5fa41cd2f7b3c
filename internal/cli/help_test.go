package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/internal/manual"
)

// TestShortHelpFits has --help on one screen of 80 columns, with no flag that is not there.
func TestShortHelpFits(t *testing.T) {
	got := remora(t, nil, "--help")
	lines := strings.Split(strings.TrimRight(got.out, "\n"), "\n")
	if got.code != 0 || len(lines) > 23 {
		t.Errorf("exit %d, %d lines", got.code, len(lines))
	}
	for _, l := range lines {
		if ansi.StringWidth(l) > 80 {
			t.Errorf("%q is %d columns wide", l, ansi.StringWidth(l))
		}
	}
	flags := command(&options{}).PersistentFlags()
	for _, f := range regexp.MustCompile(`(?:^|[ ,])(--?)([A-Za-z-]+)`).FindAllStringSubmatch(shortHelp, -1) {
		if short := f[1] == "-"; !short && flags.Lookup(f[2]) == nil ||
			short && (len(f[2]) != 1 || flags.ShorthandLookup(f[2]) == nil) {
			t.Errorf("--help tells of %s%s, which is no flag", f[1], f[2])
		}
	}
	if got := remora(t, nil, "demo", "--help"); !strings.Contains(got.out, "--play") || strings.Count(got.out, "\n") > 23 {
		t.Errorf("demo --help: %s", got.out)
	}
}

// TestHelpTopics asks for every topic, for a protocol and a field, and for what there is not.
func TestHelpTopics(t *testing.T) {
	list := remora(t, nil, "help")
	for _, topic := range manual.Topics() {
		if !strings.Contains(list.out, "  "+topic[0]+" ") {
			t.Errorf("help does not list %s", topic[0])
		}
	}
	for name, want := range map[string]string{
		"filters": "tcp.flags.syn == 1", "filter": "tcp.flags.syn == 1", "keys": "next and previous line",
		"exit codes": "130", "statistics": "io,phs",
		"settings": "# theme", "touhou": "touhou.type", "touhou.type": "GAME_INPUT",
		"decode-as": "takes 932 949 936 1251 1252", "flags": "--time-stamp-type",
		"demo": "remora demo", "signals": "USR1", "actions": "packet.next", "commands": ":w", "columns": "Δ conv",
		"column": "_ws.col.info",
	} {
		if got := remora(t, nil, append([]string{"help"}, strings.Fields(name)...)...); got.code != 0 ||
			!strings.Contains(got.out, want) {
			t.Errorf("help %s: exit %d, no %q in\n%s%s", name, got.code, want, got.out, got.err)
		}
	}
	if got := remora(t, nil, "--help", "filter"); !strings.Contains(got.out, "tcp.flags.syn == 1") {
		t.Errorf("--help filter: %s", got.out)
	}
	for name, want := range map[string]string{"kailera": "did you mean kaillera?", "filtres": "did you mean filters?",
		"zzzzzz": "remora help lists them"} {
		if got := remora(t, nil, "help", name); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("help %s: exit %d, %s", name, got.code, got.err)
		}
	}
}

// TestRefusals has command lines that cannot be followed, each with what is said.
func TestRefusals(t *testing.T) {
	file := sampleCapture(t)
	pipe := fifo(t)
	for words, want := range map[string]string{
		"--play 0 FILE":                  "--play takes a speed above 0",
		"--play -1 FILE":                 "--play takes a speed above 0",
		"demo --play 0":                  "--play takes a speed above 0",
		"--color sometimes FILE":         "--color sometimes: it takes auto, always or never",
		"--glyphs braille FILE":          "--glyphs braille: it takes unicode or ascii",
		"--page faces FILE":              "--page faces: the pages are games",
		"--page games FILE":              "it needs a terminal",
		"--import-hex=-Q FILE":           "--import-hex: -Q takes a value",
		"--import-hex FILE -P --tail":    "--import-hex reads one hex dump",
		"--time-stamp-type hots -i lo":   "did you mean host?",
		"--time-stamp-type host FILE -P": "",
		"-r FILE --time-stamp-type host": "a file is read as it is",
		"--list-time-stamp-types":        "name an interface with -i",
		"-r FILE -d kaillera.charset==99,kaillera": "-d kaillera.charset==99,kaillera: 99 is none of kaillera.charset's: " +
			"it takes 932",
		"-r PIPE -r PIPE":               "is named twice",
		"-r FILE -Y nosuch&&udp.prt==1": "\n    nosuch&&udp.prt==1\n    ^~~~~~  ^~~~~~~\n",
	} {
		words := strings.NewReplacer("FILE", file, "PIPE", pipe).Replace(words)
		got := remora(t, nil, strings.Fields(words)...)
		if got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit %d, %q", words, got.code, got.err)
		}
	}
	if got := remora(t, nil, "-r", file, "-Y", "nosuch && udp.prt == 1"); strings.Count(got.err, "remora: ") != 2 {
		t.Errorf("two mistakes are told as %q", got.err)
	}
}
