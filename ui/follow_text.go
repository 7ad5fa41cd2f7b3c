package ui

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
)

// messageText is the messages of a packet as lines: seconds, packet, direction, type, what it says.
func messageText(u *follow.Unit, epoch int64) string {
	head := fmt.Sprintf("%.6f\t%d\t%s\t", float64(u.Time-epoch)/1e9, u.Frame, [2]string{"A>B", "B>A"}[u.Dir&1])
	if len(u.Parts) == 0 {
		return head + dissect.Escape(u.Kind) + "\t" + u.Info + "\n"
	}
	var b strings.Builder
	for _, p := range u.Parts {
		b.WriteString(head + dissect.Escape(p.Kind) + "\t" + p.Text + "\n")
	}
	return b.String()
}

// lineText is the text of a line, for drawing and searching.
func (v *followView) lineText(m *model, i int) string {
	u := v.talk.Unit(v.lines[i])
	switch v.reading {
	case readMessages, readLadder:
		if k := v.part[i]; k < len(u.Parts) {
			return dissect.Escape(u.Parts[k].Kind) + " " + u.Parts[k].Text
		}
		return dissect.Escape(u.Kind) + " " + u.Info
	case readText:
		data := u.Data[min(len(u.Data), v.first[i]):]
		return printable(m, data[:textLine(data, max(20, m.w-12))])
	}
	data := u.Data[min(len(u.Data), v.first[i]):]
	return hexLine(m, v.first[i], data[:min(16, len(data))])
}

// printable shows bytes as text: what is no printable text becomes dots, line breaks end lines.
func printable(m *model, b []byte) string {
	return dissect.Escape(strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\n':
			return -1
		case r == '\t':
			return ' '
		case r < 0x20 || r == 0x7f || r == 0xfffd:
			return []rune(m.glyph("·", "."))[0]
		}
		return r
	}, string(b)))
}

func hexLine(m *model, off int, b []byte) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%08x ", off)
	for i := range 16 {
		if i == 8 {
			s.WriteByte(' ')
		}
		if i < len(b) {
			s.WriteString(" " + hexPair(b[i]))
		} else {
			s.WriteString("   ")
		}
	}
	s.WriteString("  ")
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			s.WriteString(m.glyph("·", "."))
		} else {
			s.WriteByte(c)
		}
	}
	return s.String()
}
