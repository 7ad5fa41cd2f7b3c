package spool

import (
	"encoding/binary"
	"io"
	"os"

	"remora/capture/internal/pcapng"
)

// An empty custom block of pcapng covers the range of evicted packets, so that the spool of a killed run can still be
// read. Only the head and the end of the block take space on the disk.
const (
	FillerHead = 12      // bytes before the hole; behind it are four more
	MaxFiller  = 1 << 31 // the longest hole, in bytes
)

// PutFiller writes the block that covers a range, whose length is a multiple of four.
func PutFiller(f *os.File, from, to int64) bool {
	n := to - from
	if n < FillerHead+4 || n > MaxFiller {
		return false
	}
	head := binary.LittleEndian.AppendUint32(nil, pcapng.BlockCustomNoCopy)
	head = binary.LittleEndian.AppendUint32(head, uint32(n))
	head = binary.LittleEndian.AppendUint32(head, pcapng.FillerPEN)
	_, err := f.WriteAt(head, from)
	if err == nil {
		_, err = f.WriteAt(head[4:8], to-4) // the length stands at the end, too
	}
	return err == nil
}

// AppendMark appends the block in which a spool says how many packets were evicted (first), and at which offset the
// first one kept begins.
func AppendMark(dst []byte, keptFrom int64, first int) []byte {
	return pcapng.AppendBlock(dst, pcapng.BlockCustomNoCopy, func(b []byte) []byte {
		b = binary.LittleEndian.AppendUint32(b, pcapng.FillerPEN)
		b = binary.LittleEndian.AppendUint64(b, uint64(keptFrom))
		return binary.LittleEndian.AppendUint64(b, uint64(first))
	})
}

// ReadMark reads what AppendMark wrote at an offset of a file. It may be written meanwhile, so it is read until it
// stays.
func ReadMark(f io.ReaderAt, at int64) (keptFrom int64, first int, ok bool) {
	var last, b [16]byte
	for try := 0; ; try++ {
		if n, _ := f.ReadAt(b[:], at+FillerHead); n < len(b) || try == 10 {
			return 0, 0, false
		}
		if try > 0 && b == last {
			break
		}
		last = b
	}
	return int64(binary.LittleEndian.Uint64(b[:])), int(binary.LittleEndian.Uint64(b[8:])), true
}
