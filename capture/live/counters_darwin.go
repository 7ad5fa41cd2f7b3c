package live

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// countsList asks for messages whose counters have 64 bits.
const countsList = syscall.NET_RT_IFLIST2

var counts = countForm{syscall.RTM_IFINFO2, int(unsafe.Offsetof(unix.IfMsghdr2{}.Index)),
	int(unsafe.Offsetof(unix.IfMsghdr2{}.Data) + unsafe.Offsetof(unix.IfData64{}.Ipackets)),
	int(unsafe.Sizeof(unix.IfData64{}.Ipackets))}
