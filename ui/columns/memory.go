package columns

import (
	"slices"
	"strings"

	"remora/dissect"
)

// Lines are what is kept between runs.
type Lines interface {
	Lines() []string
	Add(line string) error
	Remove(line string) error
}

// A Memory keeps what is changed about the columns on the screen between runs, beside the lists of files and filters:
// the file of settings is the person's own and never written. A line holds the profile, the columns that the settings
// asked for at that time, and those that were made of them. Who writes others into the settings later gets these.
type Memory struct {
	reg   *dissect.Registry
	lines Lines
	asked []string
	head  string // of the lines that count now; "" before settings were read
}

// NewMemory remembers what the lines say.
func NewMemory(reg *dissect.Registry, lines Lines) *Memory { return &Memory{reg: reg, lines: lines} }

// Use has fields be those of another registry.
func (m *Memory) Use(reg *dissect.Registry) { m.reg = reg }

// Ask says what the settings of a profile ask for. It returns the columns to show instead of those so far, as they were
// made of these in earlier runs; nil where the settings ask for the same as before, or for what is no column.
func (m *Memory) Ask(profile string, names []string) []Column {
	same := m.head != "" && slices.Equal(names, m.asked)
	m.asked, m.head = names, profile+"\t"+strings.Join(names, ",")+"\t"
	if same {
		return nil
	}
	list, _ := Named(m.reg, names)
	for _, line := range m.lines.Lines() {
		text, ok := strings.CutPrefix(line, m.head)
		if kept := Read(m.reg, text); ok && list != nil && len(kept) > 0 {
			list = kept
		}
	}
	return list
}

// Usual are the columns that the settings ask for.
func (m *Memory) Usual() []Column {
	if list, err := Named(m.reg, m.asked); err == nil {
		return list
	}
	return Standard()
}

// Keep is the work of keeping columns, but those that stand there by themselves; Forget is that of keeping none.
func (m *Memory) Keep(list []Column) func() {
	forget := m.Forget()
	line := m.head + Text(slices.DeleteFunc(slices.Clone(list), func(c Column) bool { return c.Auto }))
	return func() {
		forget()
		m.lines.Add(line)
	}
}

// Forget is the work of forgetting what was kept for the settings.
func (m *Memory) Forget() func() {
	head := m.head
	return func() {
		for _, line := range m.lines.Lines() {
			if strings.HasPrefix(line, head) {
				m.lines.Remove(line)
			}
		}
	}
}
