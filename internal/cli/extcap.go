package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// extcapFlags are the words with which Wireshark calls a capture program (extcap(4)): remora is one where a link to it
// lies in Wireshark's folder of them.
type extcapFlags struct {
	interfaces, dlts, config, capture bool
	version, name, filter, fifo       string
	reload, controlIn, controlOut     string // nothing is asked of these

	source, speed string // arguments of the interfaces
}

// The interfaces that remora has as a capture program.
const (
	extcapRemote = "remora-ssh"
	extcapDemo   = "remora-demo"
)

const extcapInterfaceList = `extcap {version=1.0}{display=remora}
interface {value=` + extcapRemote + `}{display=remora: an interface of another machine, by ssh}
interface {value=` + extcapDemo + `}{display=remora: the demo, played as if it were live}
`

// extcapTold is what remora tells of its interfaces: the link type, which the packets say themselves, and arguments.
var extcapTold = map[string][2]string{
	extcapRemote: {"dlt {number=147}{name=" + extcapRemote + "}{display=As the interface there has it}\n",
		"arg {number=0}{call=--source}{display=Interface}{type=string}{required=true}{group=Capture}" +
			"{tooltip=ssh://user@host:port/interface; ssh must not ask for a password}\n"},
	extcapDemo: {"dlt {number=147}{name=" + extcapDemo + "}{display=As the packets say}\n",
		"arg {number=0}{call=--speed}{display=Speed}{type=double}{default=1}{group=Capture}" +
			"{tooltip=How many times as fast as it was captured}\n"},
}

// asksExtcap tells whether the program is called as a capture program.
func asksExtcap(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--extcap-") })
}

// extcapWords answers what Wireshark asks a capture program. What is to be captured is given back as a command line of
// remora's own.
func extcapWords(w io.Writer, args []string) (own []string, err error) {
	var o extcapFlags
	f := pflag.NewFlagSet("extcap", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.BoolVar(&o.interfaces, "extcap-interfaces", false, "")
	f.BoolVar(&o.dlts, "extcap-dlts", false, "")
	f.BoolVar(&o.config, "extcap-config", false, "")
	f.BoolVar(&o.capture, "capture", false, "")
	for name, to := range map[string]*string{"extcap-version": &o.version, "extcap-interface": &o.name,
		"extcap-capture-filter": &o.filter, "extcap-reload-option": &o.reload, "extcap-control-in": &o.controlIn,
		"extcap-control-out": &o.controlOut, "fifo": &o.fifo, "source": &o.source, "speed": &o.speed} {
		f.StringVar(to, name, "", "")
	}
	f.Lookup("extcap-version").NoOptDefVal = "4.0"
	if err := f.Parse(args); err != nil {
		return nil, usageError{err}
	}
	if o.interfaces {
		_, err := io.WriteString(w, extcapInterfaceList)
		return nil, err
	}
	told, known := extcapTold[o.name]
	switch {
	case !known:
		return nil, usage("--extcap-interface: there is no %q; --extcap-interfaces lists those that there are", o.name)
	case o.dlts:
		_, err = io.WriteString(w, told[0])
	case o.config:
		_, err = io.WriteString(w, told[1])
	case !o.capture || o.fifo == "":
		return nil, usage("a capture program takes --capture and --fifo PIPE, or one of --extcap-interfaces, --extcap-dlts " +
			"and --extcap-config")
	default:
		return o.command()
	}
	return nil, err
}

// command is the command line that captures.
func (o *extcapFlags) command() (words []string, err error) {
	if o.name == extcapDemo {
		words = []string{"demo"}
		if o.speed != "" {
			words = append(words, "--play", o.speed)
		}
		if o.filter != "" {
			words = append(words, "--bpf", o.filter)
		}
	} else {
		if !strings.HasPrefix(o.source, "ssh://") {
			return nil, usage("--source takes ssh://user@host/interface, not %q", o.source)
		}
		if words = []string{"-i", o.source}; o.filter != "" {
			words = append(words, "-f", o.filter)
		}
	}
	return append(words, "-q", "--force", "-w", o.fifo), nil
}
