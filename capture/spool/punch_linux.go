package spool

import (
	"os"

	"golang.org/x/sys/unix"
)

// Punch gives a piece of a file back to the disk, where the file system can; it reads as zeros from then on.
func Punch(f *os.File, off, n int64) {
	if n > 0 {
		unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, off, n)
	}
}
