package lab

import (
	"fmt"
	"strings"
)

// KSY is what the report proposes as a description in Kaitai Struct, to begin a dissector with. Where is what stands
// below its key -remora, such as "udp: 7300".
func (r *Report) KSY(name, where string) string {
	var b strings.Builder
	endian := "be"
	if r.orders == littleOnly {
		endian = "le"
	}
	fmt.Fprintf(&b, "# Proposed by remora's lab from %d messages: what it says may be wrong.\n", r.Messages)
	fmt.Fprintf(&b, "meta:\n  id: %s\n  endian: %s\n-remora:\n  %s\n", name, endian, where)
	first, typed := r.selector()
	if typed {
		b.WriteString("  type: kind\n")
	}
	b.WriteString("instances:\n")
	if f := r.Framing; f != nil {
		fmt.Fprintf(&b, "  message_length: {pos: %d, type: %s}\n", f.Off, number(f.Size, f.Little))
	}
	if !typed {
		b.WriteString("  kind: {value: 0}\n")
	} else {
		fmt.Fprintf(&b, "  kind: {pos: %d, type: %s, enum: kinds}\n", first.Off, number(first.Size, false))
	}
	r.cases(&b, typed)
	return b.String()
}

// selector is the type that all groups have in common.
func (r *Report) selector() (Match, bool) {
	if len(r.Groups) == 0 || len(r.Groups[0].Match) == 0 || r.Records != nil {
		return Match{}, false
	}
	first := r.Groups[0].Match[0]
	for _, g := range r.Groups {
		if len(g.Match) == 0 || g.Match[0].Off != first.Off || g.Match[0].Size != first.Size {
			return Match{}, false
		}
	}
	return first, true
}

// cases writes the sequence, which leads to a type for each kind, and these: for the largest group of each.
func (r *Report) cases(b *strings.Builder, typed bool) {
	seen := map[uint64]bool{}
	shortest := map[uint64]int{}
	var largest []*Group
	for _, g := range r.Groups {
		v := uint64(0)
		if typed {
			v = g.Match[0].Value
		}
		if n, ok := shortest[v]; !ok || g.Min < n {
			shortest[v] = g.Min
		}
		if !seen[v] {
			seen[v] = true
			largest = append(largest, g)
		}
	}
	b.WriteString("seq:\n  - id: body\n    type:\n      switch-on: kind\n      cases:\n")
	for i, g := range largest {
		if typed {
			fmt.Fprintf(b, "        kinds::%s: %s\n", g.name(), g.name())
		} else if i == 0 {
			fmt.Fprintf(b, "        0: %s\n", g.name())
		}
	}
	b.WriteString("        _: other\ntypes:\n  other: {seq: [{id: bytes, size-eos: true}]}\n")
	for i, g := range largest {
		if typed || i == 0 {
			v := uint64(0)
			if typed {
				v = g.Match[0].Value
			}
			g.describe(b, shortest[v])
		}
	}
	if typed {
		b.WriteString("enums:\n  kinds:\n")
		for _, g := range largest {
			fmt.Fprintf(b, "    %#x: %s\n", g.Match[0].Value, g.name())
		}
	}
}

// name is what the group's type is called: by its number, or by the letters of its tag.
func (g *Group) name() string {
	if len(g.Match) == 0 {
		return "message"
	}
	return fmt.Sprintf("kind_%x", g.Match[0].Value)
}

// describe writes a type with the fields of the group. Those behind the shortest message of its kind may be missing.
func (g *Group) describe(b *strings.Builder, shortest int) {
	fmt.Fprintf(b, "  %s:\n    doc: %q\n    seq:\n", g.name(), "Seen in "+g.String()+".")
	used := map[Kind]int{}
	for _, f := range g.Fields {
		used[f.Kind]++
		id := f.Kind.String()
		if used[f.Kind] > 1 {
			id += fmt.Sprint("_", used[f.Kind])
		}
		fmt.Fprintf(b, "      - {id: %s, %s", id, f.ksy())
		if f.Off+f.Size > shortest {
			fmt.Fprintf(b, ", if: _io.size >= %d", f.Off+f.Size)
		}
		b.WriteByte('}')
		if note := f.how(); note != "" && f.Kind != Unknown {
			fmt.Fprintf(b, " # %s", note)
		}
		b.WriteByte('\n')
	}
}

// ksy is how a field is read.
func (f Field) ksy() string {
	switch {
	case f.Size == 0:
		return "size-eos: true"
	case f.Kind == Float:
		return "type: f4" + order(f.Little)
	case f.Kind == Text:
		return fmt.Sprintf("type: str, size: %d, encoding: ASCII", f.Size)
	case f.Kind == Unknown || f.Size != 1 && f.Size != 2 && f.Size != 4 && f.Size != 8:
		return fmt.Sprintf("size: %d", f.Size)
	case f.Kind == Type || f.Kind == Constant:
		return "type: " + number(f.Size, false)
	}
	return "type: " + number(f.Size, f.Little)
}

func number(size int, little bool) string {
	if size == 1 {
		return "u1"
	}
	return fmt.Sprintf("u%d%s", size, order(little))
}

func order(little bool) string {
	if little {
		return "le"
	}
	return "be"
}
