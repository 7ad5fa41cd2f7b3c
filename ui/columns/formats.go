package columns

import (
	"fmt"
	"slices"
	"strings"

	"remora/dissect"
)

// formats are Wireshark's formats of columns that the list has, by what they show; the first of a kind is what Formats
// writes.
var formats = []struct {
	kind  Kind
	codes string
}{{No, "%m"}, {Time, "%t %Rt %At %Yt %YDOYt %Aut %Yut %YDOYut"}, {Delta, "%Gt %Tt"},
	{Source, "%s %rs %us %ns %rns %uns"}, {Destination, "%d %rd %ud %nd %rnd %und"}, {Protocol, "%p"}, {Length, "%L"},
	{Info, "%i"}}

// custom begins the format of a field's column.
const custom = "%Cus:"

// FromFormats are the names of columns, as Named takes them, of pairs of a title and a format, as Wireshark's
// gui.column.format has them.
func FromFormats(reg *dissect.Registry, pairs []string) (names []string, err error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("each title has a format behind it: %d are no pairs", len(pairs))
	}
	for i := 0; i < len(pairs); i += 2 {
		name, err := ofFormat(reg, pairs[i+1])
		if err != nil {
			return nil, err
		}
		if own := OwnTitle(pairs[i]); own != "" && own != name {
			name += " as " + own
		}
		names = append(names, name)
	}
	return names, nil
}

// ofFormat is the title or the field of the column that a format is of.
func ofFormat(reg *dissect.Registry, code string) (string, error) {
	if rest, ok := strings.CutPrefix(code, custom); ok {
		field, _, _ := strings.Cut(rest, ":")
		if reg.Field(field) == nil {
			return "", fmt.Errorf("%s: there is no such field%s", dissect.Escape(code), near(reg, field))
		}
		return field, nil
	}
	var all []string
	for _, f := range formats {
		codes := strings.Fields(f.codes)
		if slices.Contains(codes, code) {
			standard := Standard()
			return standard[slices.IndexFunc(standard, func(c Column) bool { return c.Kind == f.kind })].Title, nil
		}
		all = append(all, codes[0])
	}
	return "", fmt.Errorf("the packet list has no column %s; it has %s and %sFIELD", dissect.Escape(code),
		strings.Join(all, ", "), custom)
}

// quoting has a title stand between quotes.
var quoting = strings.NewReplacer(`\`, `\x5c`, `"`, `\x22`)

// Formats writes the columns that are shown as gui.column.format has them, but those that Wireshark does not have.
func Formats(list []Column) string {
	var out []string
	for _, c := range list {
		code := ""
		if c.Field != nil {
			code = custom + c.Field.Name() + ":0:R"
		}
		for _, f := range formats {
			if f.kind == c.Kind && c.Field == nil {
				code, _, _ = strings.Cut(f.codes, " ")
			}
		}
		if code != "" && !c.Off {
			out = append(out, fmt.Sprintf("\"%s\",\"%s\"", quoting.Replace(c.Head()), code))
		}
	}
	return strings.Join(out, ",")
}
