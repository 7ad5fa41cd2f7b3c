package column

import (
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"
)

type testRow struct {
	frame  uint32
	time   int64
	flags  uint16
	kind   uint8
	odd    bool
	random uint32
}

// testRowAt has values that rise, that stay, that jump, and that cross borders of 16 bits.
func testRowAt(i int) testRow {
	r := rand.New(rand.NewPCG(uint64(i), 7))
	row := testRow{frame: uint32(i*3) + 65000, time: int64(i)*37000 + int64(r.IntN(999)), kind: 7, odd: i%5 == 0}
	if i%3000 > 1500 {
		row.flags, row.random = uint16(r.Uint32()), r.Uint32()
	}
	if i > 2*packedSize {
		row.time = -row.time
	}
	return row
}

func TestPackedRowsAreTheSame(t *testing.T) {
	const rows = (rawChunks+4)*packedSize + 77
	var c Packed[testRow]
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for seen := 0; seen < rows; {
				for n := c.Len(); seen < n; seen += 41 {
					if got := c.At(seen); got != testRowAt(seen) {
						t.Errorf("row %d is %v, want %v", seen, got, testRowAt(seen))
						return
					}
				}
			}
		})
	}
	for i := range rows {
		c.Append(testRowAt(i))
	}
	wg.Wait()
	raw := c.Bytes()
	c.Pack()
	if held := c.Bytes(); held >= raw*2/3 {
		t.Errorf("%d bytes are packed to %d", raw, held)
	}
	var buf []testRow
	for i := 0; i < rows; {
		buf = c.Run(i, buf)
		for k, got := range buf {
			if want := testRowAt(i + k); got != want || c.At(i+k) != want || c.Lead(i+k) != want.frame {
				t.Fatalf("row %d is %v and %v, want %v", i+k, got, c.At(i+k), want)
			}
		}
		i += len(buf)
	}
	var w Window
	for i := range 3 * rows / 2 {
		at := i * 3 % rows // in order, with jumps
		if i > rows {
			at = (i*977 + i) % rows
		}
		if got := Seen(&w, &c, at); *got != testRowAt(at) {
			t.Fatalf("row %d is %v in a window, want %v", at, *got, testRowAt(at))
		}
	}
	if got := c.Run(packedSize+100, nil); len(got) != packedSize-100 || got[0] != testRowAt(packedSize+100) {
		t.Errorf("rows from the midst of a chunk: %d, %v", len(got), got[0])
	}
}

func TestRowsStayUnpacked(t *testing.T) {
	const rows = (rawChunks + 3) * packedSize
	var c Packed[testRow]
	c.LeaveUnpacked()
	for i := range rows {
		c.Append(testRowAt(i))
	}
	c.Pack()
	if want := int64(rows * unsafe.Sizeof(testRow{})); c.Bytes() != want {
		t.Errorf("%d bytes, want %d", c.Bytes(), want)
	}
}

func TestPackedRowsAreForgotten(t *testing.T) {
	const rows = (rawChunks + 3) * packedSize
	var c Packed[testRow]
	for i := range rows {
		c.Append(testRowAt(i))
	}
	before := c.Bytes()
	c.Forget(packedSize + 5)
	if at, first := c.At(packedSize-1), c.Run(3, nil); at != (testRow{}) || first[0] != at || c.Lead(7) != 0 {
		t.Error("a row that was forgotten is still there")
	}
	if c.At(packedSize) != testRowAt(packedSize) || c.Bytes() >= before {
		t.Error("too many rows were forgotten, or no memory")
	}
	c.Forget(rows) // also those that are not packed
	c.Pack()
	if c.Bytes() != 0 || c.Len() != rows || c.At(rows-1) != (testRow{}) {
		t.Errorf("%d bytes of %d rows are left", c.Bytes(), c.Len())
	}
	c.Append(testRowAt(1))
	if c.At(rows) != testRowAt(1) {
		t.Error("a row behind those that were forgotten is another")
	}
}
