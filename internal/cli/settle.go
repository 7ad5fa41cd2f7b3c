package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"remora/capture"
	"remora/capture/hexdump"
	"remora/capture/live"
	"remora/dissect"
	"remora/internal/suggest"
	"remora/ui"
	"remora/ui/moment"
	"remora/ui/print"
)

// settle turns words into settings and refuses what does not go together.
func (o *options) settle(args []string) error {
	if len(o.reads) > 0 {
		o.read = o.reads[0]
	}
	if err := o.settleSeat(); err != nil {
		return err
	}
	if err := o.settleSecrets(); err != nil {
		return err
	}
	if err := o.rules(); err != nil {
		return err
	}
	if problems := ui.CheckWords(ui.Settings{Theme: o.theme}); len(problems) > 0 {
		return usage("--theme: %s", problems[0].Text)
	}
	if err := o.checkNames(); err != nil {
		return err
	}
	if _, err := print.ParseClock(o.clock); err != nil {
		return usageError{err}
	}
	if o.shift != "" {
		var err error
		if o.live.Shift.By, err = moment.Span(o.shift); err != nil {
			return usage("--time-shift %s: it takes a span, as +1.5s, -2h30m or 90", dissect.Escape(o.shift))
		}
	}
	if o.paced && !(o.live.Pace > 0) {
		return usage("--play takes a speed above 0: 1 is as captured, 0.5 half as fast")
	}
	if err := o.forms(); err != nil {
		return err
	}
	o.live.Follow = o.tail
	if err := o.takeWords(args); err != nil {
		return err
	}
	if inTsharksSeat() && o.read == "" && len(o.live.Interfaces) == 0 && !o.list && !o.links {
		if o.live.Interfaces, _ = usualInterface(); len(o.live.Interfaces) > 0 {
			o.live.Passing = true
		}
	}
	if err := o.preFilter(); err != nil {
		return err
	}
	if _, err := hexdump.Parse(o.importHex); err != nil {
		return usage("--import-hex: %v", err)
	}
	if o.selected < 0 {
		return usage("--selected-frame takes the number of a packet, counted from 1")
	}
	o.twoPass = o.twoPass || o.selected > 0
	return o.validateCombinations()
}

// validateForm reads how the screen is to be drawn, and whose clock stamps packets.
func (o *options) validateForm() error {
	switch o.glyphs {
	case "", "ascii", "unicode":
		o.ascii = o.glyphs == "ascii" || o.ascii && o.glyphs == ""
	default:
		return usage("--glyphs %s: it takes unicode or ascii", dissect.Escape(o.glyphs))
	}
	if o.page != "" && !slices.Contains(ui.Pages, o.page) {
		return usage("--page %s: the pages are %s", dissect.Escape(o.page), strings.Join(ui.Pages, ", "))
	}
	// The library that draws asks the environment for colours.
	switch o.color {
	case "auto":
	case "always":
		os.Unsetenv("NO_COLOR")
		os.Setenv("CLICOLOR_FORCE", "1")
	case "never":
		os.Setenv("NO_COLOR", "1")
	default:
		return usage("--color %s: it takes auto, always or never", dissect.Escape(o.color))
	}
	var names []string
	for _, t := range live.TimeStamps {
		names = append(names, t[0])
	}
	if o.live.TimeStamps != "" && !slices.Contains(names, o.live.TimeStamps) {
		hint := "they are " + strings.Join(names, ", ")
		if near := suggest.One(o.live.TimeStamps, names); near != "" {
			hint = "did you mean " + near + "?"
		}
		return usage("--time-stamp-type: there are no time stamps called %q; %s", o.live.TimeStamps, hint)
	}
	return nil
}

// usualKeep is how much of a live capture the screen keeps: enough to look back, and a day's listening fills no disk.
const usualKeep = 512 << 20

// rules reads when to stop and when to switch files.
func (o *options) rules() error {
	for _, v := range o.stop {
		if err := o.live.Stop.ParseStop(v); err != nil {
			return usage("-a %s: %v", v, err)
		}
	}
	for _, v := range o.ring {
		if err := o.live.Ring.ParseRing(v); err != nil {
			return usage("-b %s: %v", v, err)
		}
	}
	if r, s := &o.live.Ring, &o.live.Stop; s.Files > 0 && s.Bytes > 0 && r.Bytes == 0 { // as tshark: so many of that size
		r.Bytes, s.Bytes = s.Bytes, 0
	}
	if o.count < 0 || o.live.SnapLen < 0 || o.live.BufferMiB < 0 {
		return usage("-c, -s and -B take numbers that are not negative")
	}
	if o.count > 0 {
		o.live.Stop.Packets = o.count
	}
	if o.keep != "" {
		n, err := capture.ParseSize(o.keep)
		if err != nil {
			return usage("--keep: %v", err)
		}
		o.live.Keep = n
	} else if !o.headless() && len(o.fields) == 0 {
		o.live.Keep = usualKeep
	} else {
		o.live.Passing = true
	}
	if err := o.useMemory(); err != nil {
		return err
	}
	switch {
	case len(o.ring) > 0 && o.write == "":
		return usage("-b switches between files: name them with -w")
	case len(o.ring) > 0 && o.write == "-":
		return usage("-b switches between files, and standard output is only one: name a file with -w")
	case o.live.Ring.Names != "" && !o.headless():
		return usage("-b printname goes with captures that are printed or only written (-P, -q, …), not with the screen")
	case len(o.ring) > 0 && !o.live.Ring.Switches():
		return usage("-b says not when to go on to the next file: add filesize, duration, interval or packets")
	case o.write == "" && (o.live.Stop.Bytes > 0 || o.live.Stop.Files > 0):
		return usage("-a filesize and -a files count what -w writes: name a file with -w")
	}
	return nil
}

// forms checks what is said about the form of the output.
func (o *options) forms() error {
	if o.form == "" && len(o.fields) > 0 && !inTsharksSeat() {
		o.form = "fields"
	}
	if o.form != "" && !print.KnownForm(o.form) {
		hint := ""
		if near := suggest.One(o.form, print.Forms); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return usage("-T %s: the forms are %s%s", dissect.Escape(o.form), strings.Join(print.Forms, ", "), hint)
	}
	text := o.form == "" || o.form == "text" || o.form == "tabs"
	switch {
	case len(o.fields) > 0 && text:
		return usage("-e names fields for -T fields, json, ek or pdml; -T %s prints lines", o.form)
	case len(o.layout) > 0 && len(o.fields) == 0:
		return usage("-E lays out fields: name some with -e")
	case o.tops+o.whole != "" && o.form != "json" && o.form != "jsonraw" && o.form != "ek" && o.form != "pdml":
		return usage("-j and -J choose what -T json, ek and pdml write out")
	case o.oneKey && o.form != "json":
		return usage("--no-duplicate-keys is for -T json")
	case o.hex && (o.form == "fields" || o.form == "pdml" || o.form == "psml"):
		return usage("-x prints bytes with -T text, tabs, ps, json, jsonraw and ek: it does not go with -T %s", o.form)
	case len(o.only) > 0 && !text:
		return usage("-O prints trees as text: it does not go with -T %s", o.form)
	}
	return nil
}

// takeWords reads the words behind the flags: a file to open, the capture filter of -i, or the display filter of -r.
func (o *options) takeWords(args []string) error {
	if len(args) == 0 {
		if o.read == "" && len(o.live.Interfaces) == 0 && piped(os.Stdin) && !o.list && !inTsharksSeat() {
			o.read = "-"
		}
		return nil
	}
	words := strings.Join(args, " ")
	switch {
	case len(o.live.Interfaces) > 0 && o.read == "" && o.live.Filter == "":
		o.live.Filter = words
	case o.read != "" && o.display == "":
		o.display = words
	case o.read == "" && len(o.live.Interfaces) == 0 && len(args) == 1:
		o.read = args[0]
		if _, err := os.Stat(o.read); err != nil && suggest.One(o.read, []string{"demo"}) != "" {
			return usage("there is no file %s; did you mean remora demo?", dissect.Escape(o.read))
		}
	case o.read == "" && len(o.live.Interfaces) == 0 && allFiles(args):
		o.read, o.reads = args[0], args
	case o.read == "" && len(o.live.Interfaces) == 0:
		return usage("one file at a time, please: %q and %q; a capture filter needs -i, a display filter -r or -Y", args[0],
			args[1])
	default:
		return usage("there is a filter already, so %q is one word too many", words)
	}
	return nil
}

// allFiles tells whether every word is the name of a file.
func allFiles(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		info, err := os.Stat(w)
		return err != nil || info.IsDir()
	})
}

// validateCombinations refuses sources and outputs that are at odds.
func (o *options) validateCombinations() error {
	live := len(o.live.Interfaces) > 0
	if err := o.checkPDUs(); err != nil {
		return err
	}
	switch {
	case o.attach && (live || o.read != "" || o.write != "" || o.headless()):
		return usage("--attach shows a running capture on the screen: it does not go with -i, -r, -w or what prints")
	case o.page != "" && o.headless():
		return usage("--page %s is a page of the screen: it needs a terminal, and no flag that prints", o.page)
	case o.importHex != "" && (len(o.reads) > 1 || o.read == "" || o.tail || o.live.Pace > 0):
		return usage("--import-hex reads one hex dump: name it with -r, without --tail and --play")
	case live && o.read != "":
		return usage("-i captures and -r reads: choose one of them")
	case live && o.shift != "":
		return usage("--time-shift changes the times of a saved capture: it does not go with -i")
	case live && o.live.Pace > 0:
		return usage("--play plays a saved capture: it does not go with -i")
	case live && o.tail:
		return usage("--tail waits at the end of a file: it does not go with -i")
	case len(o.reads) > 1 && (o.tail || o.live.Pace > 0 || slices.Contains(o.reads, "-")):
		return usage("several files become one once all are read: --tail, --play and -r - take one file")
	case o.read != "" && (o.live.SnapLen > 0 || o.live.NoPromisc || o.live.BufferMiB > 0 || o.live.TimeStamps != "" ||
		o.live.Monitor || o.live.LinkType != ""):
		return usage("-s, -p, -I, -y, -B and --time-stamp-type are about capturing with -i: a file is read as it is")
	case o.anonymise && (o.write == "" || live && !o.headless()):
		return usage("--anonymise changes what -w writes where nothing is shown: remora -r in.pcapng -w out.pcapng " +
			"--anonymise; " +
			"on the screen :anonymise FILE does it")
	case o.anonymise && o.scriptFormat() != nil:
		return usage("--anonymise writes pcapng or pcap: a script writes what was captured")
	case o.anonymise && o.savesNames():
		return usage("--anonymise writes no names and no comments: leave out --capture-comment and -H")
	case o.write == "-" && o.printsAnything():
		return usage("-w - writes the capture to standard output, so nothing else can be printed there: write to a file, " +
			"or add -q")
	case o.write == "-" && term.IsTerminal(int(os.Stdout.Fd())):
		return usage("-w - would write the capture to the terminal: send it to a file or a pipe")
	}
	return o.spareCaptures()
}

// spareCaptures refuses to write to a file that is read, and two things to one file.
func (o *options) spareCaptures() error {
	for _, out := range []struct{ flag, path string }{{"-w", o.write}, {"--export-tls-session-keys", o.secrets.export},
		{"-b printname", o.live.Ring.Names}} {
		switch {
		case out.path == "" || out.path == "-":
		case o.read != "-" && slices.ContainsFunc(append(slices.Clone(o.reads), o.read),
			func(f string) bool { return f != "" && sameFile(f, out.path) }):
			return usage("%s %s is the file that is read: it would be lost; choose another name", out.flag,
				dissect.Escape(out.path))
		case out.flag != "-w" && filepath.Clean(out.path) == filepath.Clean(o.write):
			return usage("%s %s is the file of -w: choose another name", out.flag, dissect.Escape(out.path))
		}
	}
	return nil
}

// printsAnything tells whether flags ask for something on standard output besides -w.
func (o *options) printsAnything() bool { return len(o.statistics) > 0 || o.printsPackets() }

// printsPackets tells whether flags say what is printed of packets. Beside -w tshark takes -T for how, not for that.
func (o *options) printsPackets() bool {
	return o.summary || o.tree || o.hex || len(o.only) > 0 || o.form != "" && (o.write == "" || !inTsharksSeat())
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

// piped tells whether f is a pipe or a file somebody redirected, not a terminal or /dev/null.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0 &&
		(info.Mode()&os.ModeNamedPipe != 0 || info.Mode().IsRegular())
}
