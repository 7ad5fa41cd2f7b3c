package memlimit

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length, load         uint32
	physical, free       uint64
	page, freePage       uint64
	virtual, freeVirtual uint64
	freeExtended         uint64
}

func total() int64 {
	m := memoryStatus{}
	m.length = uint32(unsafe.Sizeof(m))
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&m))); ok == 0 {
		return Unknown
	}
	return int64(m.physical)
}
