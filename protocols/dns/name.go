package dns

import (
	"strings"

	"remora/dissect"
)

// Limits of names (RFC 1035 section 3.1) and of the pointers followed in one message: honest messages have a few for
// each record.
const (
	maxName   = 255
	maxLabels = 128
	maxJumps  = 2048

	rootName = "<Root>"
)

// name reads a name, which may end in a pointer to an earlier one, and records it for the bytes it takes here. Its text
// is made only when somebody looks.
func (m *reader) name(f *dissect.Field) string { return m.nameAnd(f, false) }

// nameAnd is name for callers that may need the text for other fields too.
func (m *reader) nameAnd(f *dissect.Field, needed bool) string {
	d := m.d
	at := d.Pos()
	text, n := m.decode(at-m.start, needed || d.Wanted(f) || d.Info().Wanted())
	if n == 0 {
		m.bad = true
		if len(m.data) < at-m.start+1 || d.Left() == 0 || d.CutShort() {
			d.Skip(d.Left() + 1)
		} else {
			d.Expert(nName)
			d.Skip(d.Left())
		}
		return ""
	}
	d.Skip(n)
	if !d.Short() {
		d.PutText(f, text, at, n)
	}
	return text
}

// decode reads a name at an offset of the message. It returns the bytes the name takes there, 0 when it is wrong.
func (m *reader) decode(off int, wanted bool) (text string, taken int) {
	var b strings.Builder
	total, here := 0, true
	for labels := 0; labels < maxLabels; labels++ {
		if off >= len(m.data) {
			return "", 0
		}
		switch c := int(m.data[off]); {
		case c == 0:
			if here {
				taken++
			}
			if wanted && b.Len() == 0 {
				return rootName, taken
			}
			return b.String(), taken
		case c >= 0xc0:
			if off+1 >= len(m.data) {
				return "", 0
			}
			to := c&0x3f<<8 | int(m.data[off+1])
			if m.jumps++; to >= off || m.jumps > maxJumps { // a pointer leads back, so no chain of them is endless
				return "", 0
			}
			if here {
				taken += 2
				here = false
			}
			off = to
		case c >= 0x40:
			return "", 0
		default:
			if off+1+c > len(m.data) || total+1+c > maxName {
				return "", 0
			}
			if wanted {
				if b.Len() > 0 {
					b.WriteByte('.')
				}
				b.Write(m.data[off+1 : off+1+c])
			}
			total += 1 + c
			off += 1 + c
			if here {
				taken += 1 + c
			}
		}
	}
	return "", 0
}
