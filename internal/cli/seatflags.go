package cli

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/textfile"
)

// seatOptions are what tshark's flags say that stand beside the everyday ones.
type seatOptions struct {
	enable, disable           []string // protocols
	onlyProtocols             []string
	enableGuess, disableGuess []string
	readFilter                string
	separator                 string
	dump                      []string
	silent                    bool
	extra                     string // -W
	timers                    bool
}

func (o *options) seatFlags(f *pflag.FlagSet) {
	s := &o.seat
	f.StringVarP(&s.readFilter, "read-filter", "R", "",
		"with -2, read only the packets that a display `FILTER` lets through; they are numbered anew")
	f.StringSliceVar(&s.enable, "enable-protocol", nil, "dissect `PROTOCOLS` that the settings disable (repeatable)")
	f.StringSliceVar(&s.disable, "disable-protocol", nil, "do not dissect `PROTOCOLS` (repeatable)")
	f.StringSliceVar(&s.onlyProtocols, "only-protocols", nil, "dissect these `PROTOCOLS` and no other (comma-separated)")
	f.StringArrayVar(&s.enableGuess, "enable-heuristic", nil,
		"recognise a protocol by contents again: `NAME`_udp or NAME_tcp (repeatable; -G heuristic-decodes lists them)")
	f.StringArrayVar(&s.disableGuess, "disable-heuristic", nil,
		"do not recognise a protocol by contents: `NAME`_udp or NAME_tcp (repeatable)")
	f.StringVarP(&s.separator, "separator", "S", "", "the `LINE` between packets that are printed on several lines")
	f.StringArrayVar(&s.dump, "hexdump", nil,
		"print the bytes: all or frames, ascii, delimit or noascii (`OPTION`; repeatable; help explains them)")
	f.BoolVarP(&s.silent, "errors-only", "Q", false, "like -q, and say nothing but errors")
	f.StringVarP(&s.extra, "save-extra", "W", "",
		"n writes the names of hosts into the file of -w (`LETTER`; -H implies it)")
	f.BoolVar(&s.timers, "print-timers", false, "print on standard error how long dissection and filters took, as JSON")
}

// hexdumpHelp is what --hexdump help prints.
const hexdumpHelp = `Data source options:
  all                      add hexdump, dump all data sources (-x default)
  frames                   add hexdump, dump only frame data source

ASCII options:
  ascii                    add hexdump, include ASCII dump text (-x default)
  delimit                  add hexdump, delimit ASCII dump text with '|' characters
  noascii                  add hexdump, exclude ASCII dump text

Miscellaneous:
  help                     display this help and exit

Example:

    $ remora ... --hexdump frames --hexdump delimit ...
`

// settleSeat checks the flags, and sets what follows from them.
func (o *options) settleSeat() error {
	s := &o.seat
	if s.readFilter != "" && !o.twoPass {
		return usage("-R without -2 is deprecated. For single-pass filtering use -Y")
	}
	if s.extra != "" && s.extra != "n" {
		return usage("-W %s: it takes n, the names of hosts", dissect.Escape(s.extra))
	}
	for _, word := range s.dump {
		o.hex = true
		if err := o.dump.Parse(word); err != nil {
			return usageError{err}
		}
	}
	o.quiet = o.quiet || s.silent
	return nil
}

// enableProtocols switches protocols off and on.
func (o *options) enableProtocols(reg *dissect.Registry) error {
	s := &o.seat
	for _, name := range slices.Concat(s.enable, s.disable, s.onlyProtocols) {
		if reg.Protocol(name) == nil {
			return usage("no such protocol %s; %s", dissect.Escape(name), reg.SuggestProtocol(name))
		}
	}
	disable := append(o.keptDisabled(), s.disable...)
	for _, p := range reg.Protocols() {
		name := p.Name()
		if slices.Contains(disable, name) && !slices.Contains(s.enable, name) ||
			len(s.onlyProtocols) > 0 && !slices.Contains(s.onlyProtocols, name) && !slices.Contains(s.enable, name) {
			reg.Disable(name)
		}
	}
	for _, name := range s.enableGuess { // all of them are, unless another flag says otherwise
		if _, _, err := guesser(reg, name); err != nil {
			return err
		}
	}
	for _, name := range s.disableGuess {
		t, proto, err := guesser(reg, name)
		if err != nil {
			return err
		}
		if !slices.Contains(s.enableGuess, name) {
			reg.DisableGuess(t, proto)
		}
	}
	return nil
}

// keptDisabled are the protocols that Wireshark's file of the first folder that has one disables.
func (o *options) keptDisabled() (names []string) {
	for _, dir := range o.nameFolders() {
		text, err := textfile.Read(filepath.Join(dir, "disabled_protos"), maxProtocolList)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			names = append(names, strings.TrimSpace(line))
		}
		return names
	}
	return nil
}

// maxProtocolList bounds the file of protocols that are disabled, in bytes.
const maxProtocolList = 1 << 20

// guesser takes a name such as wg_udp apart.
func guesser(reg *dissect.Registry, name string) (dissect.Table, string, error) {
	at := strings.LastIndexByte(name, '_')
	if at > 0 {
		t := map[string]dissect.Table{"udp": dissect.TableUDP, "tcp": dissect.TableTCP}[name[at+1:]]
		if t != "" && slices.Contains(reg.Guessers(t), name[:at]) {
			return t, name[:at], nil
		}
	}
	return "", "", usage("no such protocol %s, can't enable or disable it; -G heuristic-decodes lists those that are "+
		"recognised by contents", dissect.Escape(name))
}

// readFilter compiles -R.
func (o *options) readFilter(reg *dissect.Registry) (*filter.Filter, error) {
	if o.seat.readFilter == "" {
		return nil, nil
	}
	r := *o
	r.display = o.seat.readFilter
	return r.displayFilter(reg)
}

// helpsHexdump prints what --hexdump takes, if that was asked for.
func (o *options) helpsHexdump() (bool, error) {
	if !slices.Contains(o.seat.dump, "help") {
		return false, nil
	}
	return true, printText(hexdumpHelp)
}

// keepRead dissects again what the read filter let through alone.
func (h *headless) keepRead() error {
	if h.readFilter == nil {
		return nil
	}
	var kept []dissect.FrameNum
	var err error
	h.s.Keep(nil)
	n := dissect.FrameNum(1)
	h.guard.Run(func(l *dissect.Dissector) {
		for ; int(n) <= h.store.Len() && err == nil; n++ {
			if h.readFilter.Match(l, n) {
				kept = append(kept, n)
				h.s.Keep(kept) // a filter on numbers sees those that are given
			} else {
				err = h.readFilter.Stopped()
			}
		}
	})
	h.kept = make([]bool, h.store.Len())
	for _, n := range kept {
		h.kept[n-1] = true
	}
	return err
}

// drops tells whether the read filter kept a packet away.
func (h *headless) drops(n dissect.FrameNum) bool { return h.kept != nil && !h.kept[n-1] }

// writeNames writes the names of hosts into the file.
func (h *headless) writeNames() error {
	if !h.names || h.writer == nil {
		return nil
	}
	all := map[netip.Addr]string{}
	for a, name := range h.s.HostNames() {
		all[a.Netip()] = name
	}
	for a, name := range h.hosts {
		all[a] = name
	}
	return h.writer.WriteNames(all)
}

// savesNames tells whether the names of hosts go into the file that is written.
func (o *options) savesNames() bool {
	return o.write != "" && (o.seat.extra != "" || len(o.hosts) > 0)
}

// creator is what pdml and psml name as the program that wrote them.
func creator() string { return strings.Replace(strings.Split(versionText(), ",")[0], " ", "/", 1) }

// timers are what --print-timers prints, in microseconds.
type timers struct {
	Version string `json:"version"`
	Path    string `json:"path,omitempty"`
	Filter  string `json:"filter,omitempty"`
	Unit    string `json:"time_unit"`
	Elapsed int64  `json:"elapsed"`
	Compile int64  `json:"dfilter_compile"`
}

// printTimers says how long a run took, once it is over.
func (o *options) printTimers(j *job, began time.Time) {
	if !o.seat.timers {
		return
	}
	text, _ := json.MarshalIndent(timers{versionText(), o.read, o.display, "microseconds",
		time.Since(began).Microseconds(), j.compiled.Microseconds()}, "", "  ")
	fmt.Fprintf(os.Stderr, "%s\n", text)
}
