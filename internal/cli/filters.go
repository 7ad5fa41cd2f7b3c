package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"remora/capture/bpf"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/names"
	"remora/internal/textfile"
)

// maxMacros is how many bytes a file of macros may have.
const maxMacros = 1 << 20

// macroFiles are what a person's macros are kept in: remora's own file, and those of Wireshark 4.4 and 4.0.
var macroFiles = []string{"macros", "dmacros", "dfilter_macros"}

// filterOptions are what display filters depend on beside the protocols: the person's macros, and the names of hosts.
// Where a macro stands in several files, the profile goes before, and remora's own file before Wireshark's.
func (o *options) filterOptions() filter.Options {
	opt := filter.Options{Resolve: lookUpHost}
	for _, dir := range o.nameFolders() {
		for _, name := range macroFiles {
			macros, err := readMacros(filepath.Join(dir, name))
			if err != nil {
				fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(err))
			}
			if opt.Macros == nil {
				opt.Macros = macros
			}
			for name, text := range macros {
				if _, known := opt.Macros[name]; !known {
					opt.Macros[name] = text
				}
			}
		}
	}
	return opt
}

// readMacros reads a file of macros; one that is not there has none.
func readMacros(path string) (filter.Macros, error) {
	f, err := textfile.Open(path, maxMacros)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the macros cannot be read: %w", err)
	}
	defer f.Close()
	macros, err := filter.ReadMacros(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return macros, err
}

// keptFilters are the display filters that a person has kept in Wireshark by their names, those of the profile first:
// bookmarks, and the buttons that are on.
func (o *options) keptFilters() map[string]string {
	out := o.wiresharksFilters("dfilters")
	buttons := bufio.NewScanner(strings.NewReader(o.profileText("dfilter_buttons")))
	for buttons.Scan() {
		row, err := dissect.UnquoteRow(buttons.Text())
		if err != nil || len(row) < 3 || !strings.EqualFold(row[0], "TRUE") || row[2] == "" {
			continue
		}
		if _, known := out[row[1]]; !known {
			out[row[1]] = row[2]
		}
	}
	return out
}

// keptCaptureFilters are the capture filters that a person has kept in Wireshark: names and texts, by name.
func (o *options) keptCaptureFilters() (out [][2]string) {
	all := o.wiresharksFilters("cfilters")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, [2]string{name, all[name]})
	}
	return out
}

// wiresharksFilters are those of a file of Wireshark by their names, those of the profile first.
func (o *options) wiresharksFilters(file string) map[string]string {
	out := map[string]string{}
	for _, dir := range o.nameFolders() {
		f, err := textfile.Open(filepath.Join(dir, file), maxMacros)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			name, text, ok := strings.Cut(strings.TrimPrefix(lines.Text(), `"`), `" `)
			name, text = strings.ReplaceAll(name, `\"`, `"`), strings.TrimSpace(text)
			if _, known := out[name]; ok && !known && text != "" {
				out[name] = text
			}
		}
		f.Close()
	}
	return out
}

// profileText is the text of Wireshark's file of that name in the profile, or else in the folder itself; "" for none.
func (o *options) profileText(name string) string {
	for _, dir := range o.nameFolders() {
		if text, err := textfile.Read(filepath.Join(dir, name), maxMacros); err == nil {
			return string(text)
		}
	}
	return ""
}

// lookUpHost finds the addresses of a host named in a filter of the command line: in the hosts file, or as the system
// does it.
func lookUpHost(name string) []netip.Addr {
	if found := filter.HostsFile(name); len(found) > 0 {
		return found
	}
	return names.Addresses(name)
}

// displayFilter compiles -Y and shows what is doubtful about it.
func (o *options) displayFilter(reg *dissect.Registry) (*filter.Filter, error) {
	f, err := filter.CompileWith(reg, o.display, o.filterOptions())
	if err != nil {
		return nil, err
	}
	for _, w := range f.Warnings() {
		if inTsharksSeat() { // tshark has no advice to give
			break
		}
		fmt.Fprintf(os.Stderr, "remora: %s\n", w.Error())
	}
	if f.References() && o.selected == 0 && o.headless() {
		fmt.Fprintln(os.Stderr, "remora: no packet is selected, so ${...} has no value: choose one with --selected-frame=N")
	}
	return f, nil
}

// preFilter makes --bpf the capture filter of the file that is read.
func (o *options) preFilter() error {
	switch {
	case o.bpf == "":
		return nil
	case len(o.live.Interfaces) > 0:
		return usage("--bpf filters a file that is read: use -f for a capture with -i")
	case o.live.Filter != "":
		return usage("-f and --bpf both filter the file: give one of them")
	}
	o.live.Filter = o.bpf
	return nil
}

// hintDisplayFilter tells somebody whose capture filter is none that it is a display filter.
func hintDisplayFilter(e *bpf.Error) {
	if e.Hint != "" || e.NoCompiler {
		return
	}
	reg, err := registry()
	if err != nil {
		return
	}
	if _, err := filter.Compile(reg, e.Expr); err == nil {
		e.Hint = "this is a display filter: give it with -Y"
	}
}

// selectFrame gives the references of the filter the values of the packet chosen with --selected-frame. All must have
// passed.
func (h *headless) selectFrame() error {
	if h.selected == 0 {
		return nil
	}
	if h.selected > h.s.Passed() {
		return usage("--selected-frame=%d: the last packet is %d", h.selected, h.s.Passed())
	}
	if h.filter != nil {
		h.filter = h.filter.With(h.s.Tree(dissect.FrameNum(h.selected)))
	}
	return nil
}
