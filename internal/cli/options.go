package cli

import (
	"os"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"remora/capture"
	"remora/dissect"
	"remora/internal/resolve"
	"remora/protocols"
	"remora/ui"
	"remora/ui/print"
)

// options is the command line, as typed.
type options struct {
	live       capture.Options
	list       bool
	reads      []string
	read       string // the first of them
	tail       bool
	attach     bool
	display    string
	bpf        string
	selected   int
	fileType   string // -F
	write      string
	anonymise  bool
	shift      string
	count      int
	stop       []string
	keep       string
	memory     string // the limit as it was written, by the flag or the settings
	keepState  bool
	limit      int64 // of memory, in bytes; 0 is none
	ring       []string
	summary    bool
	tree       bool
	hex        bool
	only       []string
	form       string
	oneKey     bool
	tops       string   // -j
	cells      []string // titles and formats of the columns of summary lines
	whole      string   // -J
	fields     []string
	layout     []string
	decodeAs   []string
	keys       []keyFile
	noNames    bool
	names      string
	hosts      []string
	kept       resolve.Source // of names, by preferences and profile
	resolve    string         // letters of names, from the settings
	clock      string
	twoPass    bool
	quiet      bool
	eachLine   bool
	statistics []string
	exports    []string // PROTO,DIR
	pdus       string   // -U
	pdusAsked  bool
	secrets    secretOptions
	exporting  []exported // the same, taken apart
	listFields bool
	protocols  bool
	noMouse    bool
	ascii      bool
	glyphs     string
	color      string
	paced      bool // --play was given
	stamps     bool
	links      bool // -L
	theme      string
	glossary   string             // -G
	mapped     string             // --elastic-mapping-filter
	prefer     []string           // -o
	ports      []dissect.DecodeAs // that preferences name
	version    bool
	man        bool
	config     bool
	profile    string
	page       string
	importHex  string // options of text2pcap; "" reads captures
	own        own
	seat       seatOptions
	dump       print.HexDump
	screen     ui.Settings       // from the files of settings alone
	favourites map[string]string // Wireshark's filters by name, for the screen
}

// command is the command line with all its flags.
func command(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:           "remora [FILE]",
		Short:         "A network packet analyser for the terminal",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paced, o.pdusAsked = cmd.Flags().Changed("play"), cmd.Flags().Changed("export-pdus")
			if err := o.asTshark(cmd.Flags().Changed); err != nil {
				return err
			}
			if o.man {
				return writeManual(cmd.PersistentFlags())
			}
			return o.start(cmd.Context(), args)
		},
	}
	f := cmd.PersistentFlags()
	f.SortFlags = false
	f.StringArrayVarP(&o.live.Interfaces, "interface", "i", nil,
		"capture on `IFACE` (repeatable; any is all; ssh://HOST/IFACE is one of another machine)")
	f.BoolVarP(&o.list, "list-interfaces", "D", false, "list the interfaces, and why one cannot be used")
	f.StringVarP(&o.live.Filter, "capture-filter", "f", "", "capture filter, in libpcap's `BPF` language")
	f.IntVarP(&o.live.SnapLen, "snapshot-length", "s", 0, "keep `N` bytes of each packet (0: all)")
	f.BoolVarP(&o.live.NoPromisc, "no-promiscuous-mode", "p", false, "do not capture promiscuously")
	f.BoolVarP(&o.live.Monitor, "monitor-mode", "I", false,
		"capture frames of 802.11 as they are on the air, where the interface can (monitor mode)")
	f.StringVarP(&o.live.LinkType, "linktype", "y", "", "capture with the link-layer header type `NAME` (-L lists them)")
	f.IntVarP(&o.live.BufferMiB, "buffer-size", "B", 0, "kernel buffer of `MIB` for each interface")
	f.StringVar(&o.live.TimeStamps, "time-stamp-type", "", "stamp packets by the clock `NAME`: host, host_lowprec, "+
		"host_hiprec, adapter, adapter_unsynced, as the interface has it")
	f.BoolVarP(&o.links, "list-data-link-types", "L", false, "list the data link types that the interfaces of -i have")
	f.BoolVar(&o.stamps, "list-time-stamp-types", false, "list the clocks that the interfaces of -i have")
	f.BoolVar(&o.attach, "attach", false, "show a running capture that has lost its screen")
	f.StringArrayVarP(&o.reads, "read-file", "r", nil, "read `FILE`; - is standard input; several become one timeline")
	f.StringVar(&o.importHex, "import-hex", "", "read -r as a hex dump, by `OPTIONS` as text2pcap has them: "+
		"--import-hex=\"-t %H:%M:%S. -u 1000,69\" (-o -t -a -l -e -i -4 -u)")
	f.Lookup("import-hex").NoOptDefVal = " "
	f.BoolVar(&o.tail, "tail", false, "wait for more at the end of a file that still grows")
	f.Float64Var(&o.live.Pace, "play", 0,
		"play a file as if it were live, at `SPEED`: 1 as captured, 10 ten times as fast")
	f.StringVar(&o.shift, "time-shift", "", "add a `SPAN` to the times of the packets that are read: +1.5s, -2h30m, 90")
	f.StringVarP(&o.display, "display-filter", "Y", "", "display `FILTER`")
	f.StringVar(&o.bpf, "bpf", "", "read only the packets of a file that pass a `BPF` capture filter")
	f.IntVar(&o.selected, "selected-frame", 0, "the packet that ${field} in a filter asks (`N`; implies -2)")
	f.StringVarP(&o.write, "write", "w", "", "write the packets to `FILE` (pcapng; pcap by the ending)")
	f.StringVarP(&o.fileType, "file-type", "F", "",
		"write -w in `FORMAT`: pcapng, pcap, nsecpcap, or one that a script has registered")
	f.BoolVar(&o.live.Replace, "force", false, "let -w replace a file that is there already")
	f.BoolVar(&o.anonymise, "anonymise", false,
		"have -w write other addresses and names, the same ones throughout, and no payload")
	f.IntVarP(&o.count, "packet-count", "c", 0, "stop after `N` packets")
	f.StringVar(&o.keep, "keep", "",
		"keep `SIZE` of live packets, the oldest leave first (512 MiB on the screen; 0: all; what -w writes stays whole)")
	f.StringVar(&o.memory, "memory", "",
		"limit memory to `SIZE`: what is idle for longest is evicted, and counted (256 MiB where packets are printed, "+
			"else a quarter of the machine's; 0: no limit)")
	f.BoolVar(&o.keepState, "keep-state", false, "evict nothing that was read, whatever memory it takes")
	f.StringArrayVarP(&o.stop, "autostop", "a", nil,
		"stop at a `LIMIT`: duration:S, filesize:KB, packets:N or files:N (repeatable)")
	f.StringArrayVarP(&o.ring, "ring-buffer", "b", nil, "next file at the same `LIMIT`s; files:N keeps N, "+
		"nametimenum:2 names them by time first, printname:FILE prints their names")
	f.BoolVarP(&o.summary, "print", "P", false, "print summary lines, also with -V, -x or -w")
	f.BoolVarP(&o.tree, "verbose-tree", "V", false, "print whole trees")
	f.StringSliceVarP(&o.only, "only", "O", nil, "print trees, whole for these `PROTOCOLS` only (comma-separated)")
	f.BoolVarP(&o.hex, "hex", "x", false, "print the bytes; with -T json their place beside each value")
	f.StringVarP(&o.form, "type", "T", "", "print as text, fields, json, jsonraw, ek, pdml, psml, ps or tabs (`FORM`)")
	f.StringArrayVarP(&o.fields, "field", "e", nil, "`FIELD` to print with -T fields, json, ek or pdml (repeatable)")
	f.StringArrayVarP(&o.layout, "layout", "E", nil,
		"how -T fields prints, an `OPTION` each: header=y bom=y separator=, occurrence=f|l|a aggregator=, quote=d|s|n")
	f.BoolVar(&o.oneKey, "no-duplicate-keys", false,
		"with -T json: one key with an array for a field that occurs several times")
	f.StringVarP(&o.tops, "only-layers", "j", "",
		"with -T json, ek and pdml, write out only these `NAMES` of protocols and fields (with blanks between)")
	f.StringVarP(&o.whole, "only-layers-whole", "J", "", "the same, with all that is below these `NAMES`")
	f.StringArrayVarP(&o.decodeAs, "decode-as", "d", nil, "decode as `RULE`: udp.port==7000,touhou (repeatable)")
	f.StringArrayVarP(&o.prefer, "preference", "o", nil,
		"set a preference, `NAME:VALUE` as in tcp.check_checksum:TRUE or uat:TABLE:\"a\",\"b\" (repeatable; -G prefs lists "+
			"them)")
	f.StringVarP(&o.glossary, "glossary", "G", "",
		"print a `LIST` as tshark does: fields protocols values decodes prefs folders …; -G help names all")
	f.Lookup("glossary").NoOptDefVal = "fields"
	f.StringVar(&o.mapped, "elastic-mapping-filter", "",
		"with -G elastic-mapping, only these `PROTOCOLS` (comma-separated)")
	o.keyFlags(f)
	f.StringArrayVar(&o.own.files, "dissector", nil, "load the dissector `FILE`, written in Lua or Kaitai (repeatable)")
	f.StringArrayVarP(&o.own.extended, "extension", "X", nil,
		"lua_script:FILE loads a script, lua_script1:ARG gives the first an argument (`WORDS`; repeatable)")
	f.BoolVar(&o.own.unsafe, "lua-unsafe", false, "let scripts reach all files, and run programs")
	f.BoolVarP(&o.noNames, "no-names", "n", false, "addresses and ports only, no names or roles")
	f.StringVarP(&o.names, "names", "N", "", "which names to use, by `LETTERS`: e told by protocols, m of network "+
		"cards, t of services, n from hosts files, d from DNS answers in the capture, N by asking DNS")
	f.StringArrayVarP(&o.hosts, "hosts", "H", nil,
		"take names of hosts from `FILE`, in the form of /etc/hosts (repeatable; adds n to -N)")
	f.StringVarP(&o.clock, "time-format", "t", "", "time as a ad adoy d dd e r u ud udoy (`FORMAT`)")
	o.seatFlags(f)
	o.secretFlags(f)
	f.BoolVarP(&o.twoPass, "two-pass", "2", false, "read all before printing, so that links forward are known")
	f.BoolVarP(&o.eachLine, "line-buffered", "l", false, "flush the output after each packet")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no packets, unless -P, -V, -O, -x or -T says what of them")
	f.StringArrayVarP(&o.statistics, "statistic", "z", nil, "print a `STATISTIC` at the end: io,phs io,stat,1 conv,udp "+
		"endpoints,ip expert types games follow,tcp,ascii,0 properties; -z help lists all")
	f.StringArrayVar(&o.exports, "export-objects", nil,
		"save the objects of a protocol, such as files and mails, in a folder: `PROTO,DIR` (repeatable; help lists them)")
	f.StringVarP(&o.pdus, "export-pdus", "U", "", "with -r, write into the file of -w what is inside the packets, by an "+
		"`EXPORT`: Ethernet, IP, OSI layer 3, 4 or 7 (\"OSI layer 4\": what TCP and UDP carry)")
	f.BoolVar(&o.listFields, "fields", false, "list the fields to filter on; name a protocol for its own")
	f.BoolVar(&o.protocols, "protocols", false, "list the protocols")
	f.BoolVar(&o.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	f.StringVar(&o.glyphs, "glyphs", "",
		"draw with `SET`: unicode or ascii (otherwise as the terminal and the settings say)")
	f.BoolVar(&o.ascii, "ascii", false, "short for --glyphs ascii")
	f.StringVar(&o.color, "color", "auto",
		"`WHEN` to draw in colours: auto, always (whatever NO_COLOR and the terminal say) or never")
	f.StringVar(&o.theme, "theme", "",
		"draw in the colours of `NAME`: dark, light, high-contrast or 16 (otherwise dark or light, as the terminal is)")
	f.StringVar(&o.page, "page", "",
		"open the page `NAME` alone, without the rest of the screen: games shows a game while it runs; q leads to the "+
			"packets")
	f.StringVarP(&o.profile, "profile", "C", "", "use the settings of profiles/`NAME`.toml over config.toml")
	f.BoolVar(&o.config, "print-config", false, "print the file of settings, with every setting and what it is")
	f.BoolVarP(&o.version, "version", "v", false, "print the version")
	f.BoolVar(&o.man, "man", false, "print the manual page, for man -l -")
	cmd.SetFlagErrorFunc(flagError)
	completions(cmd)
	helpTopics(cmd)
	cmd.AddCommand(demoCommand(o), labCommand(o), dissectorCommand(o), doctorCommand(), manCommand())
	return cmd
}

// headless tells whether packets are printed instead of shown.
func (o *options) headless() bool {
	return inTsharksSeat() || o.summary || o.tree || o.hex || o.form != "" || o.quiet || o.seat.silent ||
		len(o.seat.dump) > 0 ||
		len(o.statistics)+len(o.exports)+len(o.only)+len(o.pdus) > 0 || o.secrets.export != "" ||
		o.converts() || !term.IsTerminal(int(os.Stdout.Fd()))
}

// converts tells whether a file is read to be written to another one, as with tshark: there is nothing to watch.
func (o *options) converts() bool {
	info, err := os.Stat(o.read)
	return o.write != "" && o.read != "" && err == nil && info.Mode().IsRegular() && !o.tail
}

// registry joins all protocols.
func registry() (*dissect.Registry, error) { return dissect.NewRegistry(plugins()...) }

// plugins are what the program dissects; tests add one.
var plugins = sync.OnceValue(protocols.All)

// version is what Run was given.
var version string
