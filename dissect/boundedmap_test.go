package dissect

import "testing"

func TestBookForgetsTheOldest(t *testing.T) {
	var b BoundedMap[int, int]
	for i := range 3000 {
		*b.Get(i, 100) = i
	}
	if b.Len() != 100 || b.Find(2899) != nil || *b.Find(2900) != 2900 || *b.Get(2999, 100) != 2999 {
		t.Errorf("a book of 100 has %d entries", b.Len())
	}
	b.Drop(2950)
	b.Drop(1)
	if b.Len() != 99 || b.Find(2950) != nil {
		t.Errorf("%d are left", b.Len())
	}
	if *b.Get(2950, 100) != 0 || b.Len() != 100 {
		t.Error("a key that was dropped is not new")
	}
}
