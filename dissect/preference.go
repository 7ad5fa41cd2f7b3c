package dissect

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"remora/internal/sorting"
)

// A PreferenceKind says what the values of a preference are.
type PreferenceKind uint8

// The kinds of preferences.
const (
	Switch PreferenceKind = iota // TRUE or FALSE
	Amount                       // a number
	Choice                       // one of some words
	Text                         // any text, such as the path of a file
	Rows                         // a table that a person fills, in Wireshark's words a UAT
)

// A Preference is something about a protocol that a person decides: whether checksums are verified, where keys are. Its
// name is Wireshark's where it has one. It is declared as a package variable and read by its methods.
type Preference struct {
	kind             PreferenceKind
	id               int
	name, title, doc string
	choices          []string
	columns          []string
	usual            Setting
	check            func(Setting) error
	load             func(Setting) (any, error)
	declares         bool
	begins           func(start []byte) bool
}

// A Setting is the value of a preference: On of a Switch, Number of an Amount, Text of a Choice or Text, Rows of Rows.
type Setting struct {
	On     bool
	Number uint64
	Text   string
	Rows   [][]string
	loaded any // see Preference.Loads; in the settings of a session alone
}

var preferences atomic.Int32 // how many are declared

func (p *Protocol) preference(kind PreferenceKind, name, title, doc string, usual Setting) *Preference {
	f := &Preference{kind: kind, id: int(preferences.Add(1)) - 1, name: p.name + "." + name, title: title, doc: doc,
		usual: usual}
	p.preferences = append(p.preferences, f)
	return f
}

// NewPreference is a preference of no protocol, such as one of names.
func NewPreference(kind PreferenceKind, name, title, doc string, usual Setting) *Preference {
	return &Preference{kind: kind, id: -1, name: name, title: title, doc: doc, usual: usual}
}

// Switch declares a preference that is on or off.
func (p *Protocol) Switch(name, title, doc string, usual bool) *Preference {
	return p.preference(Switch, name, title, doc, Setting{On: usual})
}

// Amount declares a preference that is a number.
func (p *Protocol) Amount(name, title, doc string, usual uint64) *Preference {
	return p.preference(Amount, name, title, doc, Setting{Number: usual})
}

// Choice declares a preference that is one of some words; the first is the usual one.
func (p *Protocol) Choice(name, title, doc string, words ...string) *Preference {
	f := p.preference(Choice, name, title, doc, Setting{Text: words[0]})
	f.choices = words
	return f
}

// Text declares a preference that is a text, empty unless somebody says otherwise.
func (p *Protocol) Text(name, title, doc string) *Preference {
	return p.preference(Text, name, title, doc, Setting{})
}

// Rows declares a table that a person fills. Its name stands alone, as in "-o uat:name:…".
func (p *Protocol) Rows(name, title, doc string, columns ...string) *Preference {
	f := p.preference(Rows, name, title, doc, Setting{})
	f.name, f.columns = name, columns
	return f
}

// Checked has Parse refuse values that check finds something wrong in.
func (f *Preference) Checked(check func(Setting) error) *Preference {
	f.check = check
	return f
}

// Declaring marks a preference by which fields are declared: a registry that has sessions cannot take another value.
func (f *Preference) Declaring() *Preference {
	f.declares = true
	return f
}

// Declares tells whether another value needs another registry, see Registry.Inherit.
func (f *Preference) Declares() bool { return f.declares }

// Begins says how files begin that its values name: the screen, which may open few files, may open those.
func (f *Preference) Begins(is func(start []byte) bool) *Preference {
	f.begins = is
	return f
}

// Recognizes tells whether a file that begins so may be one that its values name.
func (f *Preference) Recognizes(start []byte) bool { return f.begins != nil && f.begins(start) }

// Kind says what its values are.
func (f *Preference) Kind() PreferenceKind { return f.kind }

// Name is the name in -o, such as "tcp.check_checksum".
func (f *Preference) Name() string { return f.name }

// Title is what it is called on the screen.
func (f *Preference) Title() string { return f.title }

// Doc says what it does.
func (f *Preference) Doc() string { return f.doc }

// Choices are the words of a Choice.
func (f *Preference) Choices() []string { return f.choices }

// Columns name what stands in the rows of a table.
func (f *Preference) Columns() []string { return f.columns }

// Usual is what it is where nobody says otherwise.
func (f *Preference) Usual() Setting { return f.usual }

// On tells whether a Switch is on for the session.
func (f *Preference) On(d *D) bool { return d.s.preferences[f.id].On }

// Number is the value of an Amount.
func (f *Preference) Number(d *D) uint64 { return d.s.preferences[f.id].Number }

// Text is the value of a Choice or a Text.
func (f *Preference) Text(d *D) string { return d.s.preferences[f.id].Text }

// Rows are those of a table.
func (f *Preference) Rows(d *D) [][]string { return d.s.preferences[f.id].Rows }

// Parse reads a value as it is written in -o and in the settings.
func (f *Preference) Parse(value string) (Setting, error) {
	s, err := f.parse(strings.TrimSpace(value))
	if err != nil || f.check == nil {
		return s, err
	}
	if err := f.check(s); err != nil {
		return Setting{}, fmt.Errorf("%s: %w", f.name, err)
	}
	return s, nil
}

func (f *Preference) parse(value string) (Setting, error) {
	switch f.kind {
	case Switch:
		switch strings.ToLower(value) {
		case "true":
			return Setting{On: true}, nil
		case "false":
			return Setting{}, nil
		}
		return Setting{}, fmt.Errorf("%s is TRUE or FALSE, not %q", f.name, value)
	case Amount:
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil {
			return Setting{}, fmt.Errorf("%s is a number, not %q", f.name, value)
		}
		return Setting{Number: n}, nil
	case Choice:
		for _, w := range f.choices {
			if strings.EqualFold(w, value) {
				return Setting{Text: w}, nil
			}
		}
		return Setting{}, fmt.Errorf("%s is one of %s, not %q", f.name, strings.Join(f.choices, ", "), value)
	case Rows:
		return f.parseRows(value)
	}
	return Setting{Text: value}, nil
}

// parseRows reads lines of values with commas between, as Wireshark keeps them. Those without quotes, such as keys in
// hexadecimal digits, hold neither quotes nor commas.
func (f *Preference) parseRows(value string) (s Setting, err error) {
	for line := range strings.Lines(value) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		row, err := rowOf(line, true)
		if err != nil {
			return s, fmt.Errorf("%s: %w", f.name, err)
		}
		if len(row) != len(f.columns) {
			return s, fmt.Errorf("%s has %d columns (%s), and %q has %d", f.name, len(f.columns),
				strings.Join(f.columns, ", "), line, len(row))
		}
		s.Rows = append(s.Rows, row)
	}
	return s, nil
}

// UnquoteRow takes a line of quoted values apart. A backslash stands in front of a quote, or of x and two hexadecimal
// digits.
func UnquoteRow(line string) (row []string, err error) { return rowOf(line, false) }

func rowOf(line string, bare bool) (row []string, err error) {
	for p := (Progress{}); p.Down(len(line)); {
		line = strings.TrimSpace(line)
		value, rest, err := valueOf(line, bare)
		if err != nil {
			return nil, err
		}
		row, line = append(row, value), strings.TrimSpace(rest)
		if line == "" {
			return row, nil
		}
		if line[0] != ',' {
			return nil, fmt.Errorf("a comma is missing at %q", line)
		}
		if line = line[1:]; bare && strings.TrimSpace(line) == "" {
			return append(row, ""), nil
		}
	}
	return row, nil
}

// valueOf is the value that a line begins with, and what comes behind it.
func valueOf(line string, bare bool) (value, rest string, err error) {
	if line == "" || line[0] != '"' {
		if !bare {
			return "", "", fmt.Errorf("a value in double quotes is missing at %q", line)
		}
		end := strings.IndexAny(line, `,"`)
		if end < 0 {
			end = len(line)
		}
		return strings.TrimSpace(line[:end]), line[end:], nil
	}
	end := 1
	for end < len(line) && line[end] != '"' {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(line) {
		return "", "", fmt.Errorf("a double quote is not closed: %s", line)
	}
	return unescapeValue(line[1:end]), line[end+1:], nil
}

func unescapeValue(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if s[i] == 'x' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Format writes a value as Parse reads it.
func (f *Preference) Format(s Setting) string {
	switch f.kind {
	case Switch:
		return strings.ToUpper(strconv.FormatBool(s.On))
	case Amount:
		return strconv.FormatUint(s.Number, 10)
	case Rows:
		var lines []string
		for _, row := range s.Rows {
			var cells []string
			for _, c := range row {
				cells = append(cells, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(c)+`"`)
			}
			lines = append(lines, strings.Join(cells, ","))
		}
		return strings.Join(lines, "\n")
	}
	return s.Text
}

// Preferences are those that the protocols declare, by name.
func (r *Registry) Preferences() (list []*Preference) {
	for _, p := range r.protocols {
		list = append(list, p.preferences...)
	}
	sorting.Func(list, func(a, b *Preference) int { return strings.Compare(a.name, b.name) })
	return list
}

// Preference is the one of that name, or nil.
func (r *Registry) Preference(name string) *Preference {
	for _, f := range r.Preferences() {
		if f.name == name {
			return f
		}
	}
	return nil
}

// SetPreference sets a preference for the sessions that are made from now on.
func (r *Registry) SetPreference(f *Preference, s Setting) {
	r.preferring.Lock()
	defer r.preferring.Unlock()
	if r.preferred == nil {
		r.preferred = map[*Preference]Setting{}
	}
	r.preferred[f] = s
}

// Preferred is what a preference is for sessions that are made now.
func (r *Registry) Preferred(f *Preference) Setting {
	r.preferring.Lock()
	defer r.preferring.Unlock()
	if s, ok := r.preferred[f]; ok {
		return s
	}
	return f.usual
}

// IsPreferred tells whether a preference was set, if only to what it usually is.
func (r *Registry) IsPreferred(f *Preference) bool {
	r.preferring.Lock()
	defer r.preferring.Unlock()
	_, ok := r.preferred[f]
	return ok
}

// settings are all preferences by their number, for a session that begins.
func (r *Registry) settings() []Setting {
	list := make([]Setting, preferences.Load())
	for _, p := range r.protocols {
		for _, f := range p.preferences {
			list[f.id] = r.Preferred(f)
			if f.load != nil {
				r.preferring.Lock()
				list[f.id].loaded = r.loaded[f].made
				r.preferring.Unlock()
			}
		}
	}
	return list
}

// Preferences are those that the protocol declares.
func (p *Protocol) Preferences() []*Preference { return p.preferences }
