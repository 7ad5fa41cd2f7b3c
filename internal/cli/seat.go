package cli

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/print"
)

// inTsharksSeat tells whether the program was started under the name tshark, by a link: for scripts that call that. It
// then opens no screen, captures where nothing says otherwise, and ends with tshark's exit codes.
func inTsharksSeat() bool {
	name := filepath.Base(os.Args[0])
	return name == "tshark" || strings.HasPrefix(name, "tshark.")
}

// tshark's exit codes (ui/exit_codes.h).
const (
	tsharkUsage  = 1
	tsharkFile   = 2
	tsharkFilter = 2
)

// tsharksCode is the exit code that tshark has for what ended with one of remora's.
func tsharksCode(code int, err error) int {
	var typed usageError
	var badFilter *filter.Error
	var iface *capture.InterfaceError
	switch {
	case errors.As(err, &badFilter) && !errors.As(err, &typed):
		return tsharkFilter
	case code == exitUsage && isUsage(err):
		return tsharkUsage
	case errors.As(err, &iface):
		return tsharkUsage
	case errors.Is(err, fs.ErrNotExist):
		return tsharkFile
	case code == exitMayNot:
		return tsharkFile
	}
	return code
}

// asTshark refuses what tshark refuses, and passes over what it passes over; given tells which flags there are.
func (o *options) asTshark(given func(flag string) bool) error {
	if !inTsharksSeat() {
		return nil
	}
	text := o.form == "" || o.form == "text" || o.form == "tabs" || o.form == "ps"
	switch {
	case given("packet-count") && o.count == 0, given("session-auto-reset") && o.seat.forget == 0:
		return usage("-c and -M take a number of packets above 0")
	case o.count > math.MaxInt32:
		return usage("-c %d is too large: packets are counted up to %d", o.count, math.MaxInt32)
	case o.mapped != "" && o.glossary == "":
		return usage("--elastic-mapping-filter goes with -G elastic-mapping")
	case o.form == "jsonraw" && len(o.fields) > 0:
		return usage("-e names fields for -T fields, json, ek or pdml")
	case o.write == "-" && o.form != "":
		return usage("-w - writes the capture to standard output, so nothing else can be printed there")
	case o.quiet && !o.printing() && slices.ContainsFunc(o.statistics, notes):
		return usage("-z proto,colinfo writes into the Info column, and -q prints none")
	case o.twoPass && len(o.reads) == 0:
		return usage("-2 reads all packets before it prints: it goes with -r")
	case !slices.Contains(logLevels, strings.ToLower(o.seat.log[0])):
		return usage("--log-level %s: the levels are %s", dissect.Escape(o.seat.log[0]), strings.Join(logLevels[1:], ", "))
	}
	if len(o.fields) == 0 {
		o.layout = nil
	}
	if text {
		o.tops, o.whole = "", ""
	}
	if o.profile == "Default" {
		o.profile = ""
	}
	if len(o.reads) > 0 {
		return o.readAsTshark()
	}
	return nil
}

// notes tells whether the words of a -z write into the Info column.
func notes(words string) bool { return strings.HasPrefix(words, "proto,colinfo,") }

// logLevels are those of tshark's log.
var logLevels = []string{"", "noisy", "debug", "info", "message", "warning", "critical", "error"}

// readAsTshark passes over what is about capturing, where a file is read.
func (o *options) readAsTshark() error {
	switch {
	case o.live.Filter != "":
		return usage("-f is a capture filter: what is read from a file is filtered with -Y")
	case o.links:
		return usage("-L lists what an interface captures: it does not go with -r")
	}
	o.live.Interfaces = nil
	packets := o.stop[:0:0]
	for _, rule := range o.stop {
		if strings.HasPrefix(rule, "duration:") {
			return usage("-a duration ends a capture: it does not go with -r")
		}
		if !strings.HasPrefix(rule, "filesize:") || o.write != "" {
			packets = append(packets, rule)
		}
	}
	o.stop = packets
	return nil
}

// asksLists is what -z help and --export-objects help list, "" where neither is asked for.
func (o *options) asksLists(reg *dissect.Registry) string {
	switch {
	case slices.Contains(o.statistics, "help"):
		return "remora: -z takes" + print.StatisticsHelp(reg) + "\n"
	case o.pdusAsked && slices.Contains([]string{"", "?", "help"}, o.pdus):
		return pdusHelp()
	case slices.Contains(o.exports, "help"):
		return "remora: --export-objects takes the objects of\n     " + strings.Join(objectNames(reg), "\n     ") + "\n"
	}
	return ""
}

// whenColored are the words that --color takes; tshark's has none, and stands for always.
var whenColored = []string{"auto", "always", "never"}

// tsharksWords are the arguments as the flags take them: -G, whose word may be left out, has it joined to it.
func tsharksWords(args []string) []string {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "--color" && inTsharksSeat() && (i+1 == len(args) || !slices.Contains(whenColored, args[i+1])) {
			args = slices.Clone(args)
			args[i] = "--color=always"
		}
		if a == "-G" && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			out := append([]string{}, args[:i]...)
			return append(append(out, "-G="+args[i+1]), args[i+2:]...)
		}
	}
	return args
}
