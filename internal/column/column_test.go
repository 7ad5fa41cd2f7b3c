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
