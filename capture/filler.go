package capture

import (
	"encoding/binary"
	"io"
	"os"
)

// Where packets have left a spool, a custom block of pcapng that says nothing takes their place, so that what is left
// of a killed run can still be read: only its head and its end are on the disk.
const (
	fillerHead = 12
	fillerPEN  = 0xffffffff // no enterprise: readers pass over it
	maxFiller  = 1 << 31
)

// putFiller writes the block that covers a range, whose length is a multiple of four.
func putFiller(f *os.File, from, to int64) bool {
	n := to - from
	if n < fillerHead+4 || n > maxFiller {
		return false
	}
	head := binary.LittleEndian.AppendUint32(nil, blockCustomNot)
	head = binary.LittleEndian.AppendUint32(head, uint32(n))
	head = binary.LittleEndian.AppendUint32(head, fillerPEN)
	_, err := f.WriteAt(head, from)
	if err == nil {
		_, err = f.WriteAt(head[4:8], to-4) // the length stands at the end, too
	}
	return err == nil
}

// appendMark appends the block in which a spool says how many packets have left, and where the first that is kept
// begins.
func appendMark(dst []byte, keptFrom int64, first int) []byte {
	return appendBlock(dst, blockCustomNot, func(b []byte) []byte {
		b = binary.LittleEndian.AppendUint32(b, fillerPEN)
		b = binary.LittleEndian.AppendUint64(b, uint64(keptFrom))
		return binary.LittleEndian.AppendUint64(b, uint64(first))
	})
}

// readMark reads what appendMark wrote at an offset of a file. It may be written meanwhile, so it is read until it
// stays.
func readMark(f io.ReaderAt, at int64) (keptFrom int64, first int, ok bool) {
	var last, b [16]byte
	for try := 0; ; try++ {
		if n, _ := f.ReadAt(b[:], at+fillerHead); n < len(b) || try == 10 {
			return 0, 0, false
		}
		if try > 0 && b == last {
			break
		}
		last = b
	}
	return int64(binary.LittleEndian.Uint64(b[:])), int(binary.LittleEndian.Uint64(b[8:])), true
}

// unlink takes the spool's name away: its bytes stay as long as it is open.
func (sp *spool) unlink() {
	if path := sp.path(); path != "" {
		os.Remove(path)
		sp.name.Store(nil)
	}
}
