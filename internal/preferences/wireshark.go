package preferences

import (
	"strings"

	"remora/dissect"
	"remora/internal/decodeas"
)

// SetWireshark sets what a file of preferences says that Wireshark has written, and returns the ports that it names. It
// holds Wireshark's preferences, too, that are not ours: those are passed over. What is wrong with others is told.
func SetWireshark(reg *dissect.Registry, text string) (ports []dissect.DecodeAs, bad []error) {
	for _, word := range entries(text) {
		name, value, ok := strings.Cut(word, ":")
		name = modern(reg, name)
		if f := Find(reg, name); !ok || value == "" || f == nil && portOf(reg, name) == "" ||
			f != nil && f.Kind() == dissect.Rows {
			continue
		}
		as, err := Set(reg, []string{word})
		if err != nil {
			bad = append(bad, err)
		}
		ports = append(ports, as...)
	}
	return ports, bad
}

// entries are the lines of a file, each with those behind it that begin with blanks.
func entries(text string) (words []string) {
	for line := range strings.Lines(text) {
		switch bare := strings.TrimSpace(line); {
		case bare == "" || bare[0] == '#':
		case (line[0] == ' ' || line[0] == '\t') && len(words) > 0:
			words[len(words)-1] += bare
		default:
			name, value, _ := strings.Cut(bare, ":")
			words = append(words, strings.TrimSpace(name)+":"+strings.TrimSpace(value))
		}
	}
	return words
}

// DecodeAsWireshark reads Wireshark's file decode_as_entries, whose lines name a table, a number, and the protocols
// before and after. Tables and protocols that are not ours are passed over.
func DecodeAsWireshark(reg *dissect.Registry, text string) (rules []dissect.DecodeAs) {
	for _, word := range entries(text) {
		rest, ok := strings.CutPrefix(word, "decode_as_entry:")
		parts := strings.Split(rest, ",")
		if !ok || len(parts) < 4 {
			continue
		}
		name := "data"
		for _, p := range reg.Protocols() {
			if parts[3] == p.Title() || strings.EqualFold(parts[3], p.Name()) {
				name = p.Name()
				break
			}
		}
		if name == "data" && parts[3] != "(none)" {
			continue
		}
		as, err := decodeas.Parse(reg, []string{parts[0] + "==" + parts[1] + "," + name})
		if err == nil {
			rules = append(rules, as...)
		}
	}
	return rules
}
