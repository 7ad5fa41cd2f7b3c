package dissect

import (
	"fmt"
	"testing"
	"unicode"
)

// TestLegibleCharactersNeedNoEscape: what is taken for legible at once is what the tables of Unicode say is printed as
// it is.
func TestLegibleCharactersNeedNoEscape(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		odd := !unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point)
		if legible(r) && odd {
			t.Errorf("%U is not legible", r)
		}
	}
	if got := Escape("80 → 443\x1b[31m é\u202e"); got != `80 → 443\033[31m é\u202E` {
		t.Errorf("%q", got)
	}
}

// TestFormatAsFmt: the Info column's own formatting writes what fmt does.
func TestFormatAsFmt(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"plain", nil}, {"%s → %s", []any{"a", "b"}}, {"%d %d %d %d", []any{-1, uint64(1) << 63, uint32(7), uint16(9)}},
		{"%d%%", []any{5}}, {"%04x %s", []any{255, "x"}}, {"%s", []any{7}}, {"%d", []any{"x"}}, {"%s", nil}, {"%", nil},
		{"none", []any{1}}, {"%v %s", []any{AddrIPv4, Addr{lo: 1, kind: AddrIPv4}}}, {"%d", []any{uint8(3)}},
	} {
		if got, want := string(appendFormat([]byte("> "), c.format, c.args)),
			"> "+fmt.Sprintf(c.format, c.args...); got != want {
			t.Errorf("%q is %q, want %q", c.format, got, want)
		}
	}
}
