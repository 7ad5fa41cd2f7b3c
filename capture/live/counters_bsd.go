//go:build dragonfly || freebsd || netbsd || openbsd

package live

import (
	"syscall"
	"unsafe"
)

// countsList asks for messages about interfaces.
const countsList = syscall.NET_RT_IFLIST

var counts = countForm{syscall.RTM_IFINFO, int(unsafe.Offsetof(syscall.IfMsghdr{}.Index)),
	int(unsafe.Offsetof(syscall.IfMsghdr{}.Data) + unsafe.Offsetof(syscall.IfData{}.Ipackets)),
	int(unsafe.Sizeof(syscall.IfData{}.Ipackets))}
