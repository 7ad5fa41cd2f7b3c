package startmem

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"unsafe"

	"github.com/google/gopacket/layers"
	"golang.org/x/sys/unix"
)

// clearUnknown gives back the pages of a table on which gopacket has an entry "Unknown…" for every number, with nothing
// behind it but a decoder that always fails. They are zero from then on. Nothing there points to what Go has allocated.
func clearUnknown(t []layers.EnumMetadata) {
	clearFailing(t[1:])
	from := 0
	for i := range t {
		if !strings.HasPrefix(t[i].Name, "Unknown") {
			clearPages(t[from:i])
			from = i + 1
		}
	}
	clearPages(t[from:])
}

// clearFailing gives back the pages of the decoders that always fail: numbers in the order of the table.
func clearFailing(t []layers.EnumMetadata) {
	decoder := func(i int) *int { return (*[2]*int)(unsafe.Pointer(&t[i].DecodeWith))[1] }
	if numbers := unsafe.Slice(decoder(0), len(t)); decoder(len(t)-1) == &numbers[len(t)-1] {
		clearPages(numbers)
	}
}

// clearPages makes zero what fills pages.
func clearPages[T any](t []T) {
	if len(t) == 0 {
		return
	}
	size, row := os.Getpagesize(), int(unsafe.Sizeof(t[0]))
	all := unsafe.Slice((*byte)(unsafe.Pointer(&t[0])), len(t)*row)
	from := -int(uintptr(unsafe.Pointer(&t[0]))) & (size - 1)
	to := from + (len(all)-from)&^(size-1)
	if to <= from {
		return
	}
	clear(t[from/row : from/row+1]) // half of it may stay
	clear(t[(to-1)/row : (to-1)/row+1])
	_ = unix.Madvise(all[from:to], unix.MADV_DONTNEED)
}

// Release has the kernel forget which pages of the program's code and constants this process has read: it maps 16
// around each that is asked for. Those that are needed again come from the system's cache. A program that is moved
// when it starts is left alone: its constants are written then.
func Release() {
	status, _ := os.ReadFile("/proc/self/status")
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil || !bytes.Contains(status, []byte("\nTracerPid:\t0\n")) { // a debugger has written breakpoints
		return
	}
	code, constant := reflect.ValueOf(Release).Pointer(), uintptr(unsafe.Pointer(unsafe.StringData(constants)))
	for line := range bytes.Lines(maps) {
		var from, to uintptr
		var may string
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s", &from, &to, &may); n < 3 || from >= fixedBelow {
			return
		}
		for _, at := range [...]uintptr{code, constant} {
			if from <= at && at < to && may[1] == '-' {
				_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
			}
		}
	}
}

// fixedBelow bounds the addresses of a program that is not moved.
const fixedBelow = 1 << 30

const constants = "a constant, to find where constants are"
