package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"remora/capture/live"
	"remora/dissect"
	"remora/internal/manual"
)

// listInterfaces prints -D: each interface with its addresses and state, and why it cannot be used if it cannot.
func listInterfaces(w io.Writer) error {
	all, err := live.Interfaces()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for i, in := range all {
		if inTsharksSeat() {
			fmt.Fprintf(w, "%d. %s%s\n", i+1, dissect.Escape(in.Name), inBrackets(in))
			continue
		}
		var addrs []string
		for _, a := range in.Addresses {
			addrs = append(addrs, a.String())
		}
		fmt.Fprintf(t, "%d.\t%s\t%s\t%s\t%s\n", i+1, dissect.Escape(in.Name), state(in), strings.Join(addrs, " "),
			dissect.Escape(in.Description))
		if in.Unusable != "" {
			fmt.Fprintf(t, "\t\tcannot be used: %s\n", dissect.Escape(in.Unusable))
		}
	}
	return t.Flush()
}

// inBrackets is what tshark says of an interface beside its name.
func inBrackets(in live.InterfaceInfo) string {
	switch {
	case in.Loopback:
		return " (Loopback)"
	case in.Kind == live.KindExtcap:
		return " (" + dissect.Escape(in.Description) + ")"
	}
	return ""
}

// listTimeStamps prints the clocks of interfaces.
func listTimeStamps(w io.Writer, interfaces []string) error {
	if len(interfaces) == 0 {
		return usage("--list-time-stamp-types: name an interface with -i")
	}
	for _, name := range interfaces {
		have, err := live.TimeStampsOf(name)
		if err != nil {
			return err
		}
		if inTsharksSeat() {
			fmt.Fprintln(w, "Timestamp types of the interface (use option --time-stamp-type to set):")
		} else {
			fmt.Fprintf(w, "%s:\n", dissect.Escape(name))
		}
		for _, t := range live.TimeStamps {
			if slices.Contains(have, t[0]) && inTsharksSeat() {
				fmt.Fprintf(w, "  %s (%s)\n", t[0], strings.ToUpper(t[0][:1])+t[0][1:])
			} else if slices.Contains(have, t[0]) {
				fmt.Fprintf(w, "  %-21s %s\n", t[0], t[1])
			}
		}
	}
	return nil
}

// listLinks prints the data link types of interfaces as tshark does: those of the usual one where none is named.
func listLinks(w io.Writer, interfaces []string, monitor bool) (err error) {
	if len(interfaces) == 0 {
		if interfaces, err = usualInterface(); err != nil {
			return err
		}
	}
	for _, name := range interfaces {
		have, err := live.LinksOf(name, monitor)
		if err != nil {
			return err
		}
		mode := ""
		if monitor {
			mode = " when in monitor mode"
		}
		fmt.Fprintf(w, "Data link types of interface %s%s (use option -y to set):\n", dissect.Escape(name), mode)
		for _, t := range have.Types {
			fmt.Fprintf(w, "  %s (%s)\n", t[0], t[1])
		}
	}
	return nil
}

func state(in live.InterfaceInfo) string {
	switch {
	case in.Loopback && in.Up:
		return "up, loopback"
	case in.Up && in.Running:
		return "up"
	case in.Up:
		return "up, no carrier"
	}
	return "down"
}

// listFields prints --fields: name, type, label, unit and doc of every field, or of one protocol's.
func listFields(w io.Writer, reg *dissect.Registry, only []string) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, name := range only {
		if reg.Protocol(name) == nil {
			return usage("--fields: there is no protocol called %q; %s", name, reg.SuggestProtocol(name))
		}
	}
	for _, p := range reg.Protocols() {
		if len(only) > 0 && !slices.Contains(only, p.Name()) {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Name(), "protocol", p.Title(), p.Doc())
		for _, f := range p.Fields() {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", f.Name(), manual.TypeText(f), f.Label(), f.Doc())
		}
	}
	return t.Flush()
}

// listProtocols prints --protocols: name, title, where the protocol is found, its packet types and what it is.
func listProtocols(w io.Writer, reg *dissect.Registry) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, p := range reg.Protocols() {
		kinds := ""
		if k := p.KindField(); k != nil {
			kinds = fmt.Sprintf("%d types", len(k.Values()))
		}
		doc := p.Doc()
		if at := ports(reg, p.Name()); at != "" {
			doc += " (" + at + ")"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Name(), p.Title(), kinds, doc)
	}
	return t.Flush()
}

// ports are those that a protocol is found at, runs of them as ranges: "udp 53, 5353, tcp 53".
func ports(reg *dissect.Registry, proto string) string {
	var out []string
	for _, table := range []dissect.Table{dissect.TableUDP, dissect.TableTCP} {
		if all := slices.Sorted(slices.Values(reg.Ports(proto, table))); len(all) > 0 {
			out = append(out, strings.TrimSuffix(string(table), ".port")+" "+strings.Join(ranges(all), ", "))
		}
	}
	return strings.Join(out, ", ")
}

// ranges writes ascending numbers, three and more in a row as their first and last.
func ranges(all []uint32) (out []string) {
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j] == all[j-1]+1 {
			j++
		}
		if j-i < 3 {
			j = i + 1
			out = append(out, fmt.Sprint(all[i]))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", all[i], all[j-1]))
		}
		i = j
	}
	return out
}
