package tap

import (
	"slices"
	"testing"
)

// TestHashOrder has orders in which a GHashTable of GLib 2.74.6 handed on its entries: small numbers, and texts.
func TestHashOrder(t *testing.T) {
	var numbers []uint32
	for i := range uint32(40) {
		numbers = append(numbers, i*i*7)
	}
	if got, want := hashOrder(numbers), wantNumbers; !slices.Equal(got, want) {
		t.Errorf("numbers: %v, want %v", got, want)
	}
	var texts []uint32
	for _, s := range []string{"GET", "POST", "HEAD", "OPTIONS", "PUT", "M-SEARCH", "NOTIFY", "CONNECT", "DELETE",
		"\xe4"} {
		texts = append(texts, hashOf(s))
	}
	if got, want := hashOrder(texts), wantTexts; !slices.Equal(got, want) {
		t.Errorf("texts: %v, want %v", got, want)
	}
	if got := hashOrder(make([]uint32, 100)); len(got) != 100 { // all of one hash
		t.Errorf("%d of 100 are listed", len(got))
	}
}

var wantNumbers = []int{
	15, 2, 30, 24, 37, 31, 16, 4, 27, 10, 9, 1, 26, 13, 3, 0, 14, 6, 34, 35,
	5, 29, 32, 28, 33, 21, 19, 11, 23, 12, 8, 17, 7, 20, 25, 22, 39, 18, 38, 36,
}

var wantTexts = []int{
	8, 6, 7, 0, 3, 2, 9, 5, 1, 4,
}
