// Package preferences reads what -o and the settings say of preferences: those that protocols declare, and those of the
// program, under Wireshark's names.
package preferences

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"remora/dissect"
	"remora/internal/decodeas"
	"remora/internal/sorting"
	"remora/internal/suggest"
	"remora/internal/textfile"
)

// The program's own preferences.
var (
	MACName     = toggle("nameres.mac_name", "Resolve MAC addresses", true)
	PortName    = toggle("nameres.transport_name", "Resolve transport names", false)
	NetworkName = toggle("nameres.network_name", "Resolve network (IP) addresses", false)
	CaptureDNS  = toggle("nameres.dns_pkt_addr_resolution", "Use captured DNS packet data for name resolution", true)
	AskDNS      = toggle("nameres.use_external_name_resolver", "Use your system's DNS settings for name resolution",
		false)
	ProfileHosts = toggle("nameres.hosts_file_handling", "Only use the profile \"hosts\" file", false)
	Columns      = dissect.NewPreference(dissect.Text, "gui.column.format", "Columns",
		"The columns of summary lines: titles and formats in double quotes, as \"Info\",\"%i\".", dissect.Setting{})
)

var own = []*dissect.Preference{MACName, PortName, NetworkName, CaptureDNS, AskDNS, ProfileHosts, Columns}

// Names are the preferences of names.
func Names() []*dissect.Preference {
	return []*dissect.Preference{MACName, PortName, NetworkName, CaptureDNS, AskDNS, ProfileHosts}
}

// Letters are those of -N that the preferences of names stand for.
func Letters(reg *dissect.Registry) (letters string) {
	on := func(f *dissect.Preference) bool { return reg.Preferred(f).On }
	if on(MACName) {
		letters += "m"
	}
	if on(PortName) {
		letters += "t"
	}
	if on(NetworkName) {
		letters += "n"
	}
	if on(NetworkName) && on(CaptureDNS) {
		letters += "d"
	}
	if on(NetworkName) && on(AskDNS) {
		letters += "N"
	}
	return cmp.Or(letters, "v") // of virtual LANs: nothing has such names, and "" would be the usual letters
}

// Given tells whether somebody set one of some preferences.
func Given(reg *dissect.Registry, list ...*dissect.Preference) bool {
	return slices.ContainsFunc(list, reg.IsPreferred)
}

// always are preferences of Wireshark that remora has no choice of, with what it always does.
var always = map[string]string{
	"tcp.reassemble_out_of_order":  "segments that come out of order are put in order",
	"tcp.analyze_sequence_numbers": "sequence numbers are analysed",
	"http.dechunk_body":            "chunks are joined",
	"http.decompress_body":         "bodies are unpacked",
}

func toggle(name, title string, usual bool) *dissect.Preference {
	return dissect.NewPreference(dissect.Switch, name, title, title+".", dissect.Setting{On: usual})
}

// All are the preferences that there are, by name; those of ports are not among them, see Ports.
func All(reg *dissect.Registry) []*dissect.Preference {
	all := append(reg.Preferences(), own...)
	for _, k := range reg.Keys() {
		if k.Preference != nil && !slices.Contains(all, k.Preference) {
			all = append(all, k.Preference)
		}
	}
	sorting.Stable(all, func(a, b *dissect.Preference) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// Find is the preference of that name, or nil.
func Find(reg *dissect.Registry, name string) *dissect.Preference {
	for _, f := range All(reg) {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// Set sets what words such as "tcp.check_checksum:TRUE" say. Rows of "uat:TABLE:ROW" are added to those before; without
// uat, as settings keep a table, they are all there are. The ports of protocols, as in "http.tcp.port:8000-8010", are
// returned.
func Set(reg *dissect.Registry, words []string) ([]dissect.DecodeAs, error) {
	return each(reg, words, reg.SetPreference)
}

// maxTable is how large a file with a table may be, in bytes.
const maxTable = 1 << 20

// Load sets the tables that stand in files of their names, as Wireshark keeps them, in the first folder that has one.
// It tells what is wrong in files, which are left out.
func Load(reg *dissect.Registry, folders []string) (bad []error) {
	for _, f := range reg.Preferences() {
		if f.Kind() != dissect.Rows || strings.ContainsAny(f.Name(), `/\`) {
			continue
		}
		for _, dir := range folders {
			path := filepath.Join(dir, f.Name())
			text, err := textfile.Read(path, maxTable)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			s, wrong := f.Parse(string(text))
			if err = cmp.Or(err, wrong); err == nil {
				reg.SetPreference(f, s)
				err = reg.LoadPreferences()
			}
			if err != nil {
				reg.SetPreference(f, f.Usual())
				bad = append(bad, fmt.Errorf("%s is left out: %w", dissect.Escape(path), err))
			}
			break
		}
	}
	return bad
}

// Check tells what is wrong with a word of Set.
func Check(reg *dissect.Registry, word string) error {
	_, err := each(reg, []string{word}, func(*dissect.Preference, dissect.Setting) {})
	return err
}

func each(reg *dissect.Registry, words []string,
	set func(f *dissect.Preference, s dissect.Setting)) ([]dissect.DecodeAs, error) {
	var ports []dissect.DecodeAs
	for _, w := range words {
		name, value, ok := strings.Cut(w, ":")
		name = strings.TrimSpace(name)
		isTable := name == "uat"
		if isTable {
			name, value, ok = strings.Cut(strings.TrimSpace(value), ":")
		}
		name = modern(reg, name)
		if !ok {
			return nil, fmt.Errorf("%s: it takes NAME:VALUE, as in tcp.check_checksum:TRUE", dissect.Escape(w))
		}
		if what := always[name]; what != "" && !isTable {
			if !strings.EqualFold(strings.TrimSpace(value), "TRUE") {
				return nil, fmt.Errorf("%s is always TRUE here: %s", name, what)
			}
			continue
		}
		f := Find(reg, name)
		switch {
		case f == nil && !isTable && portOf(reg, name) != "":
			as, err := PortRules(reg, name, value)
			if err != nil {
				return nil, err
			}
			ports = append(ports, as...)
			continue
		case f == nil || isTable && f.Kind() != dissect.Rows:
			return nil, unknown(reg, name, isTable)
		}
		s, err := f.Parse(value)
		if err != nil {
			return nil, err
		}
		if isTable {
			s.Rows = append(slices.Clip(reg.Preferred(f).Rows), s.Rows...)
		}
		set(f, s)
	}
	return ports, nil
}

// modern is a name in which a protocol is called as it was before, such as ssl.keylog_file, as it is called now.
func modern(reg *dissect.Registry, name string) string {
	proto, rest, ok := strings.Cut(name, ".")
	if p := reg.Formerly(proto); ok && p != nil {
		return p.Name() + "." + rest
	}
	return name
}

func unknown(reg *dissect.Registry, name string, table bool) error {
	var names []string
	for _, f := range All(reg) {
		if (f.Kind() == dissect.Rows) == table {
			names = append(names, f.Name())
		}
	}
	hint := "remora -G prefs lists them"
	if near := suggest.One(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	what := "preference"
	if table {
		what = "table of preferences"
	}
	return fmt.Errorf("there is no %s called %s; %s", what, dissect.Escape(name), hint)
}

// tlsPort is the table of what TLS carries, by the server's port.
const tlsPort dissect.Table = "tls.port"

// Ports are the names of the preferences of ports, such as http.tcp.port, by name.
func Ports(reg *dissect.Registry) (names []string) {
	for _, p := range reg.Protocols() {
		for _, t := range []dissect.Table{dissect.TableTCP, dissect.TableUDP} {
			if len(reg.Ports(p.Name(), t)) > 0 {
				names = append(names, p.Name()+"."+string(t))
			}
		}
	}
	slices.Sort(names)
	return names
}

// portOf is the protocol that a preference such as http.tcp.port names the ports of, or "".
func portOf(reg *dissect.Registry, name string) string {
	for _, t := range []dissect.Table{dissect.TableTCP, dissect.TableUDP, tlsPort} {
		if proto, ok := strings.CutSuffix(name, "."+string(t)); ok && (len(reg.Ports(proto, t)) > 0 ||
			t == tlsPort && len(reg.Ports(proto, dissect.TableTCP)) > 0) {
			return proto
		}
	}
	return ""
}

// PortRules reads the ports of a preference, and leaves the protocol's usual ones to others where they are not among
// them.
func PortRules(reg *dissect.Registry, name, value string) ([]dissect.DecodeAs, error) {
	proto := portOf(reg, name)
	table := name[len(proto)+1:]
	var as []dissect.DecodeAs
	for word := range strings.SplitSeq(value, ",") {
		more, err := decodeas.Parse(reg, []string{table + "==" + strings.TrimSpace(word) + "," + proto})
		if err != nil || slices.ContainsFunc(more, func(a dissect.DecodeAs) bool { return a.Value > math.MaxUint16 }) {
			return nil, fmt.Errorf("%s takes ports and ranges of them, as in 80,8000-8010, not %q", name, value)
		}
		as = append(as, more...)
	}
	for _, port := range reg.Ports(proto, dissect.Table(table)) {
		if !slices.ContainsFunc(as, func(a dissect.DecodeAs) bool { return a.Value == port }) {
			as = append(as, dissect.DecodeAs{Table: dissect.Table(table), Value: port, Protocol: "data"})
		}
	}
	return as, nil
}
