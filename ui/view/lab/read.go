package lab

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"remora/internal/sorting"
	"remora/ui/act"
	"remora/ui/clip"
	"remora/ui/humanize"
)

// A reading is a way to read some bytes as a number.
type reading struct {
	name string
	read func(b []byte, lo, hi int) (x float64, ok bool)
}

var types = []reading{{"unsigned, big-endian", unsigned(false)}, {"unsigned, little-endian", unsigned(true)},
	{"signed, big-endian", signed(false)}, {"signed, little-endian", signed(true)},
	{"float, big-endian", func(b []byte, lo, hi int) (float64, bool) { return float(b, lo, hi, false) }},
	{"float, little-endian", func(b []byte, lo, hi int) (float64, bool) { return float(b, lo, hi, true) }}}

func unsigned(little bool) func(b []byte, lo, hi int) (float64, bool) {
	return func(b []byte, lo, hi int) (float64, bool) {
		u, _, ok := number(b, lo, hi, little)
		return float64(u), ok
	}
}

func signed(little bool) func(b []byte, lo, hi int) (float64, bool) {
	return func(b []byte, lo, hi int) (float64, bool) {
		_, s, ok := number(b, lo, hi, little)
		return float64(s), ok
	}
}

// number reads up to eight bytes.
func number(b []byte, lo, hi int, little bool) (u uint64, s int64, ok bool) {
	if hi > len(b) || hi-lo > 8 || hi <= lo {
		return 0, 0, false
	}
	for i := range hi - lo {
		at := lo + i
		if little {
			at = hi - 1 - i
		}
		u = u<<8 | uint64(b[at])
	}
	unused := 64 - 8*(hi-lo)
	return u, int64(u<<unused) >> unused, true
}

// float reads four bytes, or eight.
func float(b []byte, lo, hi int, little bool) (float64, bool) {
	u, _, ok := number(b, lo, hi, little)
	switch {
	case ok && hi-lo == 4:
		return float64(math.Float32frombits(uint32(u))), true
	case ok && hi-lo == 8:
		return math.Float64frombits(u), true
	}
	return 0, false
}

// readings are the bytes of the message under the cursor as numbers and text, and what the others have there.
func (v *View) readings(lo, hi int) []string {
	g := v.current()
	b := g.Messages[v.row].Data
	if lo >= len(b) {
		return []string{"this message is too short"}
	}
	bytes := b[lo:min(hi, len(b))]
	out := []string{fmt.Sprintf("%x  %q", bytes[:min(len(bytes), 24)], bytes[:min(len(bytes), 24)])}
	for _, in := range []bool{false, true} {
		u, s, ok := number(b, lo, hi, in)
		if !ok || in && hi-lo == 1 {
			continue
		}
		line := []string{"big-endian", "little-endian"}[b2i(in)] + fmt.Sprintf("  unsigned %d  signed %d", u, s)
		if x, ok := float(b, lo, hi, in); ok {
			line += "  float " + short(x)
		}
		out = append(out, line)
	}
	return append(out, v.values(lo, hi)...)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// values are the values that the messages of the group have in some columns, the commonest first.
func (v *View) values(lo, hi int) []string {
	counts, have := map[string]int{}, 0
	for _, m := range v.current().Messages {
		if hi <= len(m.Data) {
			counts[string(m.Data[lo:hi])]++
			have++
		}
	}
	var all []string
	for b := range counts {
		all = append(all, b)
	}
	sorting.Func(all, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	var parts []string
	for _, b := range all[:min(len(all), 8)] {
		parts = append(parts, fmt.Sprintf("%x×%d", b[:min(len(b), 8)], counts[b]))
	}
	return []string{fmt.Sprintf("%s in %s, %.1f bits", humanize.Of(len(all), "value"), humanize.Of(have, "message"),
		entropy(counts, have)), strings.Join(parts, "  ")}
}

// entropy is how many bits a value tells.
func entropy(counts map[string]int, all int) (bits float64) {
	for _, n := range counts {
		p := float64(n) / float64(all)
		bits -= p * math.Log2(p)
	}
	return bits
}

// copies copies the bytes under the cursor in the form that a key names.
func (v *View) copies(a act.Action) bool {
	how, ok := map[act.Action]rune{act.CopyHex: 'h', act.CopyC: 'c', act.CopyGo: 'g', act.CopyPython: 'p',
		act.CopyBase64: 'b', act.CopyEscaped: 'e'}[a]
	lo, hi := v.picked()
	b := v.current().Messages[v.row].Data
	if !ok && a != act.CopyValue {
		return false
	}
	if hi > len(b) {
		v.c.Notify("this message is too short")
		return true
	}
	if a == act.CopyValue {
		if x, ok := types[v.as].read(b, lo, hi); ok {
			v.c.Copy(short(x), types[v.as].name)
			return true
		}
		how = 'h'
	}
	text, what := clip.Form(how, b[lo:hi])
	v.c.Copy(text, what)
	return true
}
