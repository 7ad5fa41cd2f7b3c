package column

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// The heap grows by regions of four megabytes, which columns are among the first to fill. To get one from the kernel in
// a thousand small pages takes longer than to fill it.
const (
	regionShift = 22
	largePages  = 14 // MADV_HUGEPAGE
)

// advised are regions for which it was asked.
var advised [64]atomic.Uintptr

var large atomic.Bool

// UseLargePages has the kernel asked for large pages from now on. What is given back of them does not stay given back:
// that is for programs that end soon.
func UseLargePages() { large.Store(true) }

// enlarge asks for large pages around memory that was just allocated.
func enlarge(p unsafe.Pointer) {
	if !large.Load() {
		return
	}
	region := uintptr(p) >> regionShift
	if slot := &advised[region%uintptr(len(advised))]; slot.Swap(region) != region {
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, region<<regionShift, 1<<regionShift, largePages)
	}
}
