// Package glossary prints the lists of -G: fields, protocols, values, tables, preferences, in the forms of tshark, so
// that programs that read tshark's can read remora's.
package glossary

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"remora/dissect"
	"remora/internal/preferences"
)

// A Report is one list of -G.
type Report struct {
	Name, Help string
	write      func(w *bufio.Writer, g *Glossary)
}

// A Glossary is what the lists are of.
type Glossary struct {
	Registry *dissect.Registry
	Version  string      // what the program says of itself
	Release  string      // the version alone
	Programs [][3]string // capture programs: name, version, path
	Program  string      // where the program is
	Folders  [][2]string // names of folders, and where they are
	Extcap   []Argument
	Only     []string // protocols of elastic-mapping; none: all
}

// An Argument is a preference that is an argument of a capture program.
type Argument struct {
	Name, Doc, Usual string
	Secret           bool
}

// Reports are the lists, in the order of tshark's help.
func Reports() []Report {
	return []Report{
		{"column-formats", "column format codes", columnFormats},
		{"decodes", "which numbers of which tables lead to which protocols", decodes},
		{"dissector-tables", "the tables", tables},
		{"elastic-mapping", "mapping file for Elasticsearch", elastic},
		{"fieldcount", "how many fields there are", fieldCount},
		{"fields", "fields", fields},
		{"ftypes", "types of fields", types},
		{"heuristic-decodes", "protocols that are recognized by what is in the packets", heuristics},
		{"plugins", "installed plugins", pluginList},
		{"protocols", "protocols", allProtocols},
		{"values", "names of values", values},
		{"prefs", "preferences as they are, those that differ from the usual first", currentPreferences},
		{"currentprefs", "preferences as they are", currentPreferences},
		{"defaultprefs", "preferences as they usually are", usualPreferences},
		{"folders", "folders", folders},
	}
}

// Write prints a report, "fields" where the name is empty.
func (g *Glossary) Write(w io.Writer, name string) error {
	name = cmp.Or(name, "fields")
	b := bufio.NewWriter(w)
	if name == "help" || name == "?" {
		fmt.Fprintf(b, "Lists of -G:\n")
		for _, r := range Reports() {
			fmt.Fprintf(b, "  -G %-22s %s\n", r.Name, r.Help)
		}
		return b.Flush()
	}
	var names []string
	for _, r := range Reports() {
		if r.Name == name {
			r.write(b, g)
			return b.Flush()
		}
		names = append(names, r.Name)
	}
	return fmt.Errorf("-G %s: there is no such list; there are %s", dissect.Escape(name), strings.Join(names, ", "))
}

// ordered are the protocols by their titles, as tshark has them, without those of the program.
func (g *Glossary) ordered() []*dissect.Protocol {
	return slices.SortedStableFunc(slices.Values(g.Registry.Protocols()), func(a, b *dissect.Protocol) int {
		return cmp.Compare(strings.ToLower(a.Title()), strings.ToLower(b.Title()))
	})
}

// fieldsOf are the fields that a protocol shows, each name once.
func fieldsOf(p *dissect.Protocol) (list []*dissect.Field) {
	seen := map[string]bool{}
	for _, f := range p.Fields() {
		if !seen[f.Name()] {
			seen[f.Name()] = true
			list = append(list, f)
		}
	}
	return list
}

func allProtocols(w *bufio.Writer, g *Glossary) {
	for _, p := range g.ordered() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", longTitle(p), p.Title(), p.Name())
	}
}

// pluginList writes the plugins of protocols that the program is linked of, and the dissectors that it has loaded.
func pluginList(w *bufio.Writer, g *Glossary) {
	for _, p := range g.Registry.Protocols() {
		fmt.Fprintf(w, "%-16s\t%s\tdissector\t%s\n", p.Name(), g.Release, g.Program)
	}
	for _, p := range g.Programs {
		fmt.Fprintf(w, "%-16s\t%s\textcap\t%s\n", p[0], p[1], p[2])
	}
}

// longTitle is the full name: the beginning of the line that the protocol has in trees, or its title.
func longTitle(p *dissect.Protocol) string {
	title := p.Self().Template()
	if at := strings.IndexAny(title, ",[{(:"); at >= 0 {
		title = title[:at]
	}
	return cmp.Or(strings.TrimSpace(title), p.Title())
}

func fields(w *bufio.Writer, g *Glossary) {
	for _, p := range g.ordered() {
		fmt.Fprintf(w, "P\t%s\t%s\n", longTitle(p), p.Name())
		for _, f := range fieldsOf(p) {
			fmt.Fprintf(w, "F\t%s\t%s\t%s\t%s\t%s\t0x%x\t%s\n", f.Label(), f.Name(), typeName(f), p.Name(), base(f), f.Mask(),
				f.Doc())
		}
	}
}

func fieldCount(w *bufio.Writer, g *Glossary) {
	protocols := g.Registry.Protocols()
	n, same := len(protocols), 0
	for _, p := range protocols {
		n += len(p.Fields())
		same += len(p.Fields()) - len(fieldsOf(p))
	}
	fmt.Fprintf(w, "There are %d header fields registered, of which:\n\t0 are deregistered\n\t%d are protocols\n"+
		"\t%d have the same name as another field\n", n, len(protocols), same)
}

// base is how a number is written, and of how many bits a boolean is one.
func base(f *dissect.Field) string {
	switch f.Type() {
	case dissect.TypeBool:
		if f.Mask() == 0 {
			return "0"
		}
		return fmt.Sprint(8 * f.Size())
	case dissect.TypeUint, dissect.TypeInt:
		return map[dissect.Base]string{dissect.Decimal: "BASE_DEC", dissect.Hex: "BASE_HEX", dissect.Both: "BASE_DEC_HEX",
			dissect.Octal: "BASE_OCT", dissect.HexThenDecimal: "BASE_HEX_DEC"}[f.Base()]
	}
	return ""
}

func typeName(f *dissect.Field) string {
	switch f.Type() {
	case dissect.TypeUint:
		return fmt.Sprintf("FT_UINT%d", 8*max(f.Size(), 1))
	case dissect.TypeInt:
		return fmt.Sprintf("FT_INT%d", 8*max(f.Size(), 1))
	case dissect.TypeFloat:
		if f.Size() == 4 {
			return "FT_FLOAT"
		}
		return "FT_DOUBLE"
	}
	return typeNames[f.Type()]
}

var typeNames = map[dissect.Type]string{dissect.TypeNone: "FT_NONE", dissect.TypeProtocol: "FT_PROTOCOL",
	dissect.TypeBool: "FT_BOOLEAN", dissect.TypeIPv4: "FT_IPv4", dissect.TypeIPv6: "FT_IPv6",
	dissect.TypeEther: "FT_ETHER",
	dissect.TypeBytes: "FT_BYTES", dissect.TypeString: "FT_STRING", dissect.TypeTime: "FT_ABSOLUTE_TIME",
	dissect.TypeSpan: "FT_RELATIVE_TIME", dissect.TypeFrame: "FT_FRAMENUM", dissect.TypeGUID: "FT_GUID"}

// fieldTypes are the types of fields as tshark lists them, also those that no field of remora's has.
const fieldTypes = `FT_NONE	Label
FT_PROTOCOL	Protocol
FT_BOOLEAN	Boolean
FT_CHAR	Character (1 byte)
FT_UINT8	Unsigned integer (1 byte)
FT_UINT16	Unsigned integer (2 bytes)
FT_UINT24	Unsigned integer (3 bytes)
FT_UINT32	Unsigned integer (4 bytes)
FT_UINT40	Unsigned integer (5 bytes)
FT_UINT48	Unsigned integer (6 bytes)
FT_UINT56	Unsigned integer (7 bytes)
FT_UINT64	Unsigned integer (8 bytes)
FT_INT8	Signed integer (1 byte)
FT_INT16	Signed integer (2 bytes)
FT_INT24	Signed integer (3 bytes)
FT_INT32	Signed integer (4 bytes)
FT_INT40	Signed integer (5 bytes)
FT_INT48	Signed integer (6 bytes)
FT_INT56	Signed integer (7 bytes)
FT_INT64	Signed integer (8 bytes)
FT_IEEE_11073_SFLOAT	IEEE-11073 floating point (16-bit)
FT_IEEE_11073_FLOAT	IEEE-11073 Floating point (32-bit)
FT_FLOAT	Floating point (single-precision)
FT_DOUBLE	Floating point (double-precision)
FT_ABSOLUTE_TIME	Date and time
FT_RELATIVE_TIME	Time offset
FT_STRING	Character string
FT_STRINGZ	Character string
FT_UINT_STRING	Character string
FT_ETHER	Ethernet or other MAC address
FT_BYTES	Byte sequence
FT_UINT_BYTES	Byte sequence
FT_IPv4	IPv4 address
FT_IPv6	IPv6 address
FT_IPXNET	IPX network number
FT_FRAMENUM	Frame number
FT_GUID	Globally Unique Identifier
FT_OID	ASN.1 object identifier
FT_EUI64	EUI64 address
FT_AX25	AX.25 address
FT_VINES	VINES address
FT_REL_OID	ASN.1 relative object identifier
FT_SYSTEM_ID	OSI System-ID
FT_STRINGZPAD	Character string
FT_FCWWN	Fibre Channel WWN
FT_STRINGZTRUNC	Character string
`

func types(w *bufio.Writer, _ *Glossary) { w.WriteString(fieldTypes) }

func values(w *bufio.Writer, g *Glossary) {
	for _, p := range g.ordered() {
		for _, f := range fieldsOf(p) {
			if f.Type() == dissect.TypeBool {
				no, yes := f.BoolLabels()
				fmt.Fprintf(w, "T\t%s\t%s\t%s\n", f.Name(), yes, no)
				continue
			}
			names := f.Values()
			for _, v := range sorted(names) {
				fmt.Fprintf(w, "V\t%s\t%s\t%s\n", f.Name(), number(f, v), names[v])
			}
		}
	}
}

func sorted(v dissect.Values) []uint64 {
	var keys []uint64
	for k := range v {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func number(f *dissect.Field, v uint64) string {
	if b := f.Base(); b == dissect.Hex || b == dissect.HexThenDecimal {
		return fmt.Sprintf("0x%x", v)
	}
	return fmt.Sprint(v)
}

// columnCodes are the codes of columns with what they are, as Wireshark lists them.
const columnCodes = `%q	802.1Q VLAN id
%Yt	Absolute date, as YYYY-MM-DD, and time
%YDOYt	Absolute date, as YYYY/DOY, and time
%At	Absolute time
%V	Cisco VSAN
%B	Cumulative Bytes
%Cus	Custom
%y	DCE/RPC call (cn_call_id / dg_seqnum)
%Tt	Delta time
%Gt	Delta time displayed
%rd	Dest addr (resolved)
%ud	Dest addr (unresolved)
%rD	Dest port (resolved)
%uD	Dest port (unresolved)
%d	Destination address
%D	Destination port
%a	Expert Info Severity
%I	FW-1 monitor if/direction
%F	Frequency/Channel
%hd	Hardware dest addr
%hs	Hardware src addr
%rhd	Hw dest addr (resolved)
%uhd	Hw dest addr (unresolved)
%rhs	Hw src addr (resolved)
%uhs	Hw src addr (unresolved)
%e	IEEE 802.11 RSSI
%x	IEEE 802.11 TX rate
%f	IP DSCP Value
%i	Information
%rnd	Net dest addr (resolved)
%und	Net dest addr (unresolved)
%rns	Net src addr (resolved)
%uns	Net src addr (unresolved)
%nd	Network dest addr
%ns	Network src addr
%m	Number
%L	Packet length (bytes)
%p	Protocol
%Rt	Relative time
%s	Source address
%S	Source port
%rs	Src addr (resolved)
%us	Src addr (unresolved)
%rS	Src port (resolved)
%uS	Src port (unresolved)
%E	TEI
%Yut	UTC date, as YYYY-MM-DD, and time
%YDOYut	UTC date, as YYYY/DOY, and time
%Aut	UTC time
%t	Time (format as specified)

For example, to print Wireshark's default columns with tshark:

tshark -o 'gui.column.format:` + usualColumns + `'
`

func columnFormats(w *bufio.Writer, _ *Glossary) { w.WriteString(columnCodes) }

func folders(w *bufio.Writer, g *Glossary) {
	for _, f := range g.Folders {
		fmt.Fprintf(w, "%-21s\t%s\n", f[0]+":", f[1])
	}
}

func currentPreferences(w *bufio.Writer, g *Glossary) {
	writePreferences(w, g, g.Registry.Preferred)
}

func usualPreferences(w *bufio.Writer, g *Glossary) {
	writePreferences(w, g, (*dissect.Preference).Usual)
}

// writePreferences writes them as Wireshark's file has them: those that are as usual are comments.
func writePreferences(w *bufio.Writer, g *Glossary, value func(*dissect.Preference) dissect.Setting) {
	fmt.Fprintf(w, "# Configuration file for %s.\n#\n# Preferences that have been commented out have not been\n"+
		"# changed from their default value.\n", g.Version)
	for _, f := range preferences.All(g.Registry) {
		fmt.Fprintf(w, "\n# %s\n", strings.ReplaceAll(f.Doc(), "\n", "\n# "))
		v, usual := f.Format(value(f)), f.Format(f.Usual())
		sign := ""
		if v == usual {
			sign = "#"
		}
		switch f.Kind() {
		case dissect.Switch:
			fmt.Fprintf(w, "# TRUE or FALSE (case-insensitive)\n")
		case dissect.Amount:
			fmt.Fprintf(w, "# A decimal number\n")
		case dissect.Choice:
			fmt.Fprintf(w, "# One of: %s\n# (case-insensitive).\n", strings.Join(f.Choices(), ", "))
		case dissect.Rows:
			fmt.Fprintf(w, "# A table: \"%s\"\n", strings.Join(f.Columns(), "\",\""))
			for line := range strings.Lines(v) {
				fmt.Fprintf(w, "uat:%s:%s\n", f.Name(), strings.TrimSpace(line))
			}
			continue
		default:
			if f == preferences.Columns {
				v = columnPairs(v, sign)
			} else {
				fmt.Fprintf(w, "# %s\n", textKind(f))
			}
		}
		fmt.Fprintf(w, "%s%s: %s\n", sign, f.Name(), v)
	}
	for _, a := range g.Extcap {
		kind := "A string"
		if a.Secret {
			kind = "Password (never stored on disk)"
		}
		fmt.Fprintf(w, "\n# %s\n# %s\n#%s: %s\n", a.Doc, kind, a.Name, a.Usual)
	}
}

// textKind says what a text is: files have names that say so.
func textKind(f *dissect.Preference) string {
	if strings.HasSuffix(f.Name(), "file") {
		return "A path to a file"
	}
	return "A string"
}

// usualColumns are the columns of summary lines where nobody says otherwise.
const usualColumns = `"No.","%m","Time","%t","Source","%s","Destination","%d","Protocol","%p","Length","%L","Info","%i"`

// columnPairs is the preference of the columns as Wireshark's file has it, a line for each title and its format. Lines
// of a comment begin with the sign, and so does what is no list of pairs.
func columnPairs(list, sign string) string {
	parts := strings.Split(cmp.Or(list, usualColumns), `"`)
	if len(parts)%4 != 1 {
		return list
	}
	var lines []string
	for i := 1; i+2 < len(parts); i += 4 {
		lines = append(lines, fmt.Sprintf("\n%s\t\"%s\", \"%s\"", sign, parts[i], parts[i+2]))
	}
	return strings.Join(lines, ",")
}
