package column

import (
	"sync"
	"testing"
)

func TestReadersSeeEveryPublishedRow(t *testing.T) {
	const rows = 5*size + 7
	var c Column[uint64]
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for seen := 0; seen < rows; {
				n := c.Len()
				for ; seen < n; seen++ {
					if got := c.At(seen); got != uint64(seen)*3 {
						t.Errorf("row %d is %d, want %d", seen, got, seen*3)
						return
					}
				}
			}
		})
	}
	for i := range rows {
		if at := c.Append(uint64(i) * 3); at != i {
			t.Fatalf("row %d was put at %d", i, at)
		}
	}
	wg.Wait()
	if *c.Ref(rows - 1) != uint64(rows-1)*3 {
		t.Errorf("Ref of the last row is %d", *c.Ref(rows - 1))
	}
}

func TestForgottenRowsAreZero(t *testing.T) {
	var c Column[uint64]
	for i := range 3*size + 9 {
		c.Append(uint64(i) + 1)
	}
	c.Forget(2*size + 5)
	for i, want := range map[int]uint64{0: 0, 2*size - 1: 0, 2 * size: 2*size + 1, 3*size + 8: 3*size + 9} {
		if got := c.At(i); got != want {
			t.Errorf("row %d is %d, want %d", i, got, want)
		}
	}
	for i := range 2 * size {
		c.Append(uint64(i))
	}
	c.Forget(size)
	c.Forget(1 << 40)
	if c.At(c.Len()-1) != 2*size-1 || c.At(3*size) != 0 || c.Len() != 5*size+9 {
		t.Error("what came later is gone, or the length is another")
	}
}
