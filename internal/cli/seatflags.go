package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"remora/capture/pcapfile"
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
	seconds                   string // -u
	comment                   string // --capture-comment
	forget                    uint32 // -M
	group                     bool   // -g
	log                       [6]string
}

// logFlags are tshark's flags for the log that it keeps of itself. remora has none.
var logFlags = [6]string{"log-level", "log-fatal", "log-domains", "log-debug", "log-noisy", "log-file"}

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
	f.StringVarP(&s.seconds, "seconds-format", "u", "s",
		"write seconds of -t r, d and dd as s or hms: 75.2 or 1m 15.2s (`FORMAT`)")
	f.StringVar(&s.comment, "capture-comment", "", "put a comment on the capture into the file of -w (`TEXT`; pcapng)")
	f.StringVar(&o.live.SpoolDir, "temp-dir", "", "keep packets that are not written with -w in the folder `DIR`")
	f.Uint32VarP(&s.forget, "session-auto-reset", "M", 0,
		"taken for tshark's sake and without effect: --memory bounds what is kept of a session (`N` packets)")
	f.BoolVarP(&s.group, "group-read", "g", false, "let the group read the files of -w, whatever the umask is")
	for i, name := range logFlags {
		f.StringVar(&s.log[i], name, "", "taken for tshark's sake and without effect (`WORDS`)")
		_ = f.MarkHidden(name)
	}
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
	if s.seconds != "s" && s.seconds != "hms" {
		return usage("-u %s: it takes s or hms", dissect.Escape(s.seconds))
	}
	if err := o.settlePlace(); err != nil {
		return err
	}
	if s.comment != "" && (o.write == "" || o.writesPcap()) {
		return usage("--capture-comment goes into the pcapng file that -w writes")
	}
	if s.group {
		letGroupRead()
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

// writesPcap tells whether -w writes pcap, by -F or by the file's name.
func (o *options) writesPcap() bool {
	f, stated := formats[o.fileType]
	if !stated {
		f, _ = pcapfile.FormatOf(o.write)
	}
	return f == pcapfile.Pcap
}

// settlePlace checks where files go. tshark replaces those that are there already, and takes what is about capturing
// without saying that a file is read.
func (o *options) settlePlace() error {
	for _, name := range o.hosts {
		if _, err := os.Stat(name); err != nil {
			return usage("-H: there is no file %s", dissect.Escape(name))
		}
	}
	if dir := o.live.SpoolDir; dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return usage("--temp-dir: there is no folder %s", dissect.Escape(dir))
		}
	}
	o.live.Comment = o.seat.comment
	if !inTsharksSeat() {
		return nil
	}
	o.live.Replace = true
	if o.fileType == "" && o.writesPcap() { // it goes by -F alone
		o.fileType = "pcapng"
	}
	if o.read != "" {
		o.live.SnapLen, o.live.NoPromisc, o.live.BufferMiB, o.live.TimeStamps = 0, false, 0, ""
		o.live.Monitor, o.live.LinkType = false, ""
	}
	return nil
}

// enableProtocols switches protocols off and on.
func (o *options) enableProtocols(reg *dissect.Registry) error {
	s := &o.seat
	for _, name := range slices.Concat(s.enable, s.disable, s.onlyProtocols) {
		if reg.Protocol(name) == nil && inTsharksSeat() { // tshark goes on, too
			fmt.Fprintf(os.Stderr, "remora: there is no protocol %s; it is left out\n", dissect.Escape(name))
		} else if reg.Protocol(name) == nil {
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
	for _, name := range s.enable {
		reg.Enable(name)
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

// openRingNames opens what gets the names of the complete files of a ring.
func (o *options) openRingNames() error {
	var to io.Writer
	switch name := o.live.Ring.Names; name {
	case "":
		return nil
	case "-", "stdout":
		to = os.Stdout
	case "stderr":
		to = os.Stderr
	default:
		f, err := o.replacing(name, 0o666)
		if err != nil {
			return fmt.Errorf("-b printname: %w", err)
		}
		to = f
	}
	o.live.Closed = func(path string) { fmt.Fprintln(to, path) }
	return nil
}
