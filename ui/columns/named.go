package columns

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/internal/suggest"
	"remora/ui/widget"
)

// Named are the columns of these titles and fields, each with a title of its own where " as TITLE" follows; none are
// the standard ones. Info is always the last.
func Named(reg *dissect.Registry, names []string) ([]Column, error) {
	standard := Known()
	if len(names) == 0 {
		return Standard(), nil
	}
	var out []Column
	for _, name := range names {
		name, own, _ := strings.Cut(name, " as ")
		own, name = OwnTitle(own), strings.TrimSpace(name)
		i := slices.IndexFunc(standard, func(c Column) bool { return strings.EqualFold(c.Title, name) })
		if i >= 0 {
			out = append(out, standard[i])
			out[len(out)-1].Own = own
			continue
		}
		f := reg.Field(name)
		if f == nil {
			return nil, fmt.Errorf("%q is neither a title of a column nor a field%s", name, near(reg, name))
		}
		c := Of(f)
		c.Own = own
		out = append(out, Distinct(c, append(Standard(), out...)))
	}
	info := standard[len(standard)-1]
	for _, c := range out {
		if c.Kind == Info {
			info = c
		}
	}
	return append(slices.DeleteFunc(out, func(c Column) bool { return c.Kind == Info }), info), nil
}

// Titled is the number of the column that a title stands over, or -1.
func Titled(title string, list []Column) int {
	return slices.IndexFunc(list, func(c Column) bool { return title != "" && strings.EqualFold(c.Head(), title) })
}

// Distinct is a field's column with a title that none of the others has: its field's name where its own is taken.
func Distinct(c Column, others []Column) Column {
	if Titled(c.Head(), others) >= 0 {
		c.Own = c.Field.Name()
	}
	return c
}

// Titles are the titles that columns of the settings may have besides names of fields, with what each shows.
func Titles() [][2]string {
	what := map[Kind]string{No: "the packet's number", Time: "when it came, as -t or t says",
		Delta:  "milliseconds since the packet before",
		Source: "who sent it", Destination: "who it was for", Protocol: "its protocol", Type: "its type within the protocol",
		Length:            "its length in bytes",
		Info:              "Info, in a line; always the last column",
		DeltaConversation: "milliseconds since the last packet of its conversation",
		DeltaType:         "milliseconds since the last packet of its type"}
	var out [][2]string
	for _, c := range append(Standard(), Known()[:len(Known())-len(Standard())]...) {
		out = append(out, [2]string{c.Title, what[c.Kind]})
	}
	return out
}

func near(reg *dissect.Registry, name string) string {
	titles := map[string]string{}
	for _, c := range Known() {
		titles[strings.ToLower(c.Title)] = c.Title
	}
	word := titles[suggest.One(strings.ToLower(name), slices.Sorted(maps.Keys(titles)))]
	if word == "" {
		word = suggest.One(strings.ToLower(name), reg.FieldNames())
	}
	if word == "" {
		return ""
	}
	return "; did you mean " + word + "?"
}

// maxTitle bounds the letters of a title that somebody gives to a column.
const maxTitle = 40

// OwnTitle is a title as it was typed, without blanks around it and not too long.
func OwnTitle(text string) string {
	return strings.TrimSpace(ansi.Truncate(strings.TrimSpace(text), maxTitle, ""))
}

// Text writes columns as titles and names of fields, with =WIDTH behind those that have one, ~TITLE behind
// those that somebody named, with %XX for signs, a minus before those that are not shown, and ! before those that
// somebody asked for where they would not stand by themselves.
func Text(columns []Column) string {
	var out []string
	for _, c := range columns {
		name := c.Title
		if c.Field != nil {
			name = c.Field.Name()
		}
		switch {
		case c.Off:
			name = "-" + name
		case c.From == 0 && c.Field == nil && usualFrom(c.Kind) > 0:
			name = "!" + name
		}
		if c.Set > 0 {
			name += "=" + strconv.Itoa(c.Set)
		}
		if c.Own != "" {
			name += "~" + url.QueryEscape(c.Own)
		}
		out = append(out, name)
	}
	return strings.Join(out, ",")
}

// usualFrom is the narrowest list on which a standard column stands by itself.
func usualFrom(kind Kind) int {
	for _, c := range Standard() {
		if c.Kind == kind {
			return c.From
		}
	}
	return 0
}

// Read reads that again. Names that there are no more are left out.
func Read(reg *dissect.Registry, text string) []Column {
	var out []Column
	for word := range strings.SplitSeq(text, ",") {
		word, own, _ := strings.Cut(word, "~")
		name, width, _ := strings.Cut(word, "=")
		name, off := strings.CutPrefix(name, "-")
		name, asked := strings.CutPrefix(name, "!")
		all := Known()
		i := slices.IndexFunc(all, func(c Column) bool { return c.Title == name })
		var c Column
		if i >= 0 {
			if c = all[i]; !asked {
				c.From = usualFrom(c.Kind)
			}
		} else if f := reg.Field(name); f != nil {
			c = Of(f)
		} else {
			continue
		}
		if n, err := strconv.Atoi(width); err == nil && n > 0 {
			c.Set = widget.Clamp(n, Least, Most)
		}
		c.Off = off
		if own, err := url.QueryUnescape(own); err == nil {
			c.Own = OwnTitle(own)
		}
		out = append(out, c)
	}
	return out
}
