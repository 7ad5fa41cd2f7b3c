package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"remora/capture"
	"remora/dissect"
	"remora/protocols"
	"remora/ui/print"
)

// options is the command line, as typed.
type options struct {
	live       capture.Options
	list       bool
	read       string
	tail       bool
	display    string
	write      string
	count      int
	stop       []string
	ring       []string
	summary    bool
	tree       bool
	hex        bool
	form       string
	fields     []string
	layout     []string
	decodeAs   []string
	noNames    bool
	names      string
	clock      string
	twoPass    bool
	quiet      bool
	listFields bool
	protocols  bool
	noMouse    bool
	ascii      bool
	theme      string
	version    bool
}

const help = `remora: watch and take apart network traffic, in a terminal

  remora                            choose an interface
  remora game.pcapng                open a file
  remora -i eth0 udp port 10800     capture with a filter
  remora -r game.pcapng -Y 'touhou.type == GAME_INPUT'
  ssh router tcpdump -U -w - | remora
  remora demo                       a bundled capture, played as if live`

// command is the command line with all its flags.
func command(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:           "remora [FILE]",
		Short:         "Watch and take apart network traffic, in a terminal",
		Long:          help,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE:          func(cmd *cobra.Command, args []string) error { return o.start(cmd.Context(), args) },
	}
	f := cmd.PersistentFlags()
	f.SortFlags = false
	f.StringArrayVarP(&o.live.Interfaces, "interface", "i", nil, "capture on `IFACE` (repeatable; any is all)")
	f.BoolVarP(&o.list, "list-interfaces", "D", false, "list the interfaces, and why one cannot be used")
	f.StringVarP(&o.live.Filter, "capture-filter", "f", "", "capture filter, in libpcap's `BPF` language")
	f.IntVarP(&o.live.SnapLen, "snapshot-length", "s", 0, "keep `N` bytes of each packet (0: all)")
	f.BoolVarP(&o.live.NoPromisc, "no-promiscuous-mode", "p", false, "only what is addressed to this machine")
	f.IntVarP(&o.live.BufferMiB, "buffer-size", "B", 0, "kernel buffer of `MIB` for each interface")
	f.StringVarP(&o.read, "read-file", "r", "", "read `FILE`; - is standard input")
	f.BoolVar(&o.tail, "tail", false, "the file still grows: wait for more at its end")
	f.StringVarP(&o.display, "display-filter", "Y", "", "display `FILTER`")
	f.StringVarP(&o.write, "write", "w", "", "write what passes to `FILE` (pcapng; pcap by the ending)")
	f.IntVarP(&o.count, "packet-count", "c", 0, "stop after `N` packets")
	f.StringArrayVarP(&o.stop, "autostop", "a", nil, "stop at duration:S, filesize:KB, packets:N or files:N")
	f.StringArrayVarP(&o.ring, "ring-buffer", "b", nil, "next file at the same `LIMIT`s; files:N keeps N")
	f.BoolVarP(&o.summary, "print", "P", false, "print summary lines, also with -V, -x or -w")
	f.BoolVarP(&o.tree, "verbose-tree", "V", false, "print whole trees")
	f.BoolVarP(&o.hex, "hex", "x", false, "print the bytes")
	f.StringVarP(&o.form, "type", "T", "", "print as text, fields, json, ek or tabs (`FORM`)")
	f.StringArrayVarP(&o.fields, "field", "e", nil, "`FIELD` to print with -T fields, json or ek (repeatable)")
	f.StringArrayVarP(&o.layout, "layout", "E", nil, "header=y separator=, occurrence=f|l|a aggregator=, quote=d")
	f.StringArrayVarP(&o.decodeAs, "decode-as", "d", nil, "dissect as told: udp.port==7000,touhou")
	f.BoolVarP(&o.noNames, "no-names", "n", false, "addresses only, no names or roles")
	f.StringVarP(&o.names, "names", "N", "", "which names to use: e for names and roles told by protocols")
	f.StringVarP(&o.clock, "time-format", "t", "", "time as a ad adoy d dd e r u ud udoy (`FORMAT`)")
	f.BoolVarP(&o.twoPass, "two-pass", "2", false, "read all before printing, so that links forward are known")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no packets and no counts")
	f.BoolVar(&o.listFields, "fields", false, "list the fields to filter on; name a protocol for its own")
	f.BoolVar(&o.protocols, "protocols", false, "list the protocols")
	f.BoolVar(&o.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	f.BoolVar(&o.ascii, "ascii", false, "draw with ASCII only")
	f.StringVar(&o.theme, "theme", "", "dark or light (otherwise asked of the terminal)")
	f.BoolVarP(&o.version, "version", "v", false, "say which version this is")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	cmd.AddCommand(demoCommand(o))
	return cmd
}

// settle turns words into settings and refuses what does not go together.
func (o *options) settle(args []string) error {
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
	if o.count < 0 || o.live.SnapLen < 0 || o.live.BufferMiB < 0 {
		return usage("-c, -s and -B take numbers that are not negative")
	}
	if o.count > 0 {
		o.live.Stop.Packets = o.count
	}
	if len(o.ring) > 0 && o.write == "" {
		return usage("-b switches between files: name them with -w")
	}
	if len(o.fields) > 0 && o.form == "" {
		o.form = "fields"
	}
	if o.form != "" && !print.KnownForm(o.form) {
		return usage("-T %s: the forms are %s", o.form, strings.Join(print.Forms, ", "))
	}
	if o.theme != "" && o.theme != "dark" && o.theme != "light" {
		return usage("--theme is dark or light")
	}
	if bad := strings.Trim(o.names, "emnNtdvsg"); bad != "" {
		return usage("-N %s: the letters are e (told by protocols), m, n, N, t, d, s, g and v", o.names)
	}
	o.live.Follow = o.tail
	return o.takeWords(args)
}

// takeWords reads the words behind the flags: a file to open, the capture filter of -i, or the display filter of -r.
func (o *options) takeWords(args []string) error {
	if len(args) == 0 {
		if o.read == "" && len(o.live.Interfaces) == 0 && piped(os.Stdin) && !o.list {
			o.read = "-"
		}
		return nil
	}
	words := strings.Join(args, " ")
	switch {
	case len(o.live.Interfaces) > 0 && o.read != "":
		return usage("-i captures and -r reads: choose one of them")
	case len(o.live.Interfaces) > 0 && o.live.Filter == "":
		o.live.Filter = words
	case o.read != "" && o.display == "":
		o.display = words
	case o.read == "" && len(args) == 1:
		o.read = args[0]
	case o.read == "" && len(args) > 1:
		return usage("one file at a time, please: %q and %q; a capture filter needs -i, a display filter -r or -Y", args[0], args[1])
	default:
		return usage("there is a filter already, so %q is one word too many", words)
	}
	return nil
}

// piped tells whether f is a pipe or a file somebody redirected, not a terminal or /dev/null.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0 && (info.Mode()&os.ModeNamedPipe != 0 || info.Mode().IsRegular())
}

// headless tells whether packets are printed instead of shown.
func (o *options) headless() bool {
	return o.summary || o.tree || o.hex || o.form != "" || o.quiet || !term.IsTerminal(int(os.Stdout.Fd()))
}

// registry joins all protocols.
func registry() (*dissect.Registry, error) { return dissect.NewRegistry(protocols.All()...) }

// parseDecodeAs reads the words of -d: TABLE==NUMBER,PROTOCOL, with a range or list of numbers too.
func parseDecodeAs(words []string) ([]dissect.DecodeAs, error) {
	var out []dissect.DecodeAs
	for _, w := range words {
		selector, proto, ok := strings.Cut(w, ",")
		table, number, ok2 := strings.Cut(selector, "==")
		if !ok || !ok2 {
			return nil, usage("-d %s: it takes TABLE==NUMBER,PROTOCOL, as in udp.port==7000,touhou", w)
		}
		from, to, isRange := strings.Cut(number, "-")
		if !isRange {
			to = from
		}
		lo, err1 := strconv.ParseUint(from, 0, 32)
		hi, err2 := strconv.ParseUint(to, 0, 32)
		if err1 != nil || err2 != nil || hi < lo || hi-lo > 65535 {
			return nil, usage("-d %s: %s is no number or range", w, number)
		}
		for v := lo; v <= hi; v++ {
			out = append(out, dissect.DecodeAs{Table: dissect.Table(table), Value: uint32(v), Protocol: proto})
		}
	}
	return out, nil
}

// versionText is one line: the version, the Go release and whether live capture is built in.
func versionText() string {
	v, goVersion := version, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		goVersion = info.GoVersion
		if v == "" {
			v = info.Main.Version
		}
	}
	return fmt.Sprintf("remora %s, %s, %s", v, goVersion, capture.LibraryVersion())
}

// version is set when the program is built.
var version string
