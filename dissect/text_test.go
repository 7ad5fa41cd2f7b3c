package dissect

import (
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
	if got := Escape("80 → 443\x1b[31m é\u202e"); got != `80 → 443\x1b[31m é\u202E` {
		t.Errorf("%q", got)
	}
}
