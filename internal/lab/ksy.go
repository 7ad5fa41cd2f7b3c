package lab

import (
	"fmt"
	"slices"
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
	key, pairs := r.keyed(typed)
	if typed {
		b.WriteString("  type: kind\n")
	}
	for _, side := range pairs {
		b.WriteString(side)
	}
	if f := r.Framing; f != nil || typed {
		b.WriteString("instances:\n")
	}
	if key != nil {
		fmt.Fprintf(&b, "  request_key: {pos: %d, type: %s}\n", key.In, number(key.Size, r.orders == littleOnly))
		fmt.Fprintf(&b, "  response_key: {pos: %d, type: %s}\n", key.Out, number(key.Size, r.orders == littleOnly))
	}
	if f := r.Framing; f != nil {
		fmt.Fprintf(&b, "  message_length: {pos: %d, type: %s}\n", f.Off, number(f.Size, f.Little))
	}
	if !typed {
		r.alone(&b)
		return b.String()
	}
	fmt.Fprintf(&b, "  kind: {pos: %d, type: %s, enum: kinds}\n", first.Off, number(first.Size, false))
	r.cases(&b)
	return b.String()
}

// keyed is the key of the largest pair, where types tell the groups apart, and what says below -remora which types ask
// and answer by it.
func (r *Report) keyed(typed bool) (key *Key, sides []string) {
	var ask, answer []string
	for _, p := range r.Pairs {
		if !typed || p.Key == nil || key != nil && *p.Key != *key {
			continue
		}
		key = p.Key
		ask, answer = kindsOf(ask, p.Request), kindsOf(answer, p.Response)
	}
	if key == nil {
		return nil, nil
	}
	return key, []string{
		fmt.Sprintf("  request: {if: '%s', key: request_key}\n", strings.Join(ask, " or ")),
		fmt.Sprintf("  response: {if: '%s', key: response_key}\n", strings.Join(answer, " or "))}
}

func kindsOf(conditions []string, g *Group) []string {
	text := "kind == kinds::" + g.name()
	if slices.Contains(conditions, text) {
		return conditions
	}
	return append(conditions, text)
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

// alone writes the fields of the largest group, where no type tells the groups apart.
func (r *Report) alone(b *strings.Builder) {
	if len(r.Groups) == 0 {
		b.WriteString("seq:\n  - {id: bytes, size-eos: true}\n")
		return
	}
	shortest := r.Groups[0].Min
	for _, g := range r.Groups {
		shortest = min(shortest, g.Min)
	}
	fmt.Fprintf(b, "doc: %q\nseq:\n", "Seen in "+r.Groups[0].String()+".")
	r.Groups[0].sequence(b, "  ", shortest)
}

// cases writes the sequence, which leads to a type for each kind, and these: for the largest group of each.
func (r *Report) cases(b *strings.Builder) {
	shortest := map[uint64]int{}
	var largest []*Group
	for _, g := range r.Groups {
		v := g.Match[0].Value
		n, seen := shortest[v]
		if !seen {
			largest = append(largest, g)
		}
		if !seen || g.Min < n {
			shortest[v] = g.Min
		}
	}
	b.WriteString("seq:\n  - id: body\n    type:\n      switch-on: kind\n      cases:\n")
	for _, g := range largest {
		fmt.Fprintf(b, "        kinds::%s: %s\n", g.name(), g.name())
	}
	b.WriteString("        _: other\ntypes:\n  other: {seq: [{id: bytes, size-eos: true}]}\n")
	for _, g := range largest {
		fmt.Fprintf(b, "  %s:\n    doc: %q\n    seq:\n", g.name(), "Seen in "+g.String()+".")
		g.sequence(b, "      ", shortest[g.Match[0].Value])
	}
	b.WriteString("enums:\n  kinds:\n")
	for _, g := range largest {
		fmt.Fprintf(b, "    %#x: %s\n", g.Match[0].Value, g.name())
	}
}

// name is what the group's type is called, by its number.
func (g *Group) name() string {
	return fmt.Sprintf("kind_%x", g.Match[0].Value)
}

// sequence writes the fields of the group. Those behind the shortest message of its kind may be missing.
func (g *Group) sequence(b *strings.Builder, indent string, shortest int) {
	used := map[string]int{}
	for _, f := range g.Fields {
		used[f.Name] += b2i(f.Name != "")
	}
	for _, f := range g.Fields {
		id := f.Name
		if id == "" {
			id = unused(f.Kind.String(), used)
		}
		fmt.Fprintf(b, "%s- {id: %s, %s", indent, id, f.ksy())
		if f.Off+f.Size > shortest {
			fmt.Fprintf(b, ", if: _io.size >= %d", f.Off+f.Size)
		}
		b.WriteByte('}')
		if note := f.how(); note != "" && f.Kind != Unknown && f.Name == "" {
			fmt.Fprintf(b, " # %s", note)
		}
		b.WriteByte('\n')
	}
}

// unused is a name that no field has yet.
func unused(name string, used map[string]int) string {
	id := name
	for n := 2; used[id] > 0; n++ {
		id = fmt.Sprint(name, "_", n)
	}
	used[id]++
	return id
}

// ksy is how a field is read.
func (f Field) ksy() string {
	switch {
	case f.As == "str":
		return fmt.Sprintf("type: str, size: %d, encoding: UTF-8", f.Size)
	case f.As == "bytes":
		return fmt.Sprintf("size: %d", f.Size)
	case f.As != "":
		return "type: " + f.As
	case f.Size == 0:
		return "size-eos: true"
	case f.Kind == Float:
		return "type: f4" + order(f.Little)
	case f.Kind == Text:
		return fmt.Sprintf("type: str, size: %d, encoding: ASCII", f.Size)
	case f.Kind == Unknown || f.Kind == Compressed || f.Kind == Random ||
		f.Size != 1 && f.Size != 2 && f.Size != 4 && f.Size != 8:
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
