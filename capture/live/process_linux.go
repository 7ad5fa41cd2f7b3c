package live

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// passRights has a process that this one starts hold the right to capture, if this one has it: a program that is
// started has only the rights of its file and of its user otherwise.
func passRights(attr *syscall.SysProcAttr) {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&head, (*unix.CapUserData)(unsafe.Pointer(&data))) != nil || unix.Geteuid() == 0 {
		return
	}
	for _, c := range []uintptr{unix.CAP_NET_ADMIN, unix.CAP_NET_RAW} {
		if data[0].Permitted&(1<<c) != 0 {
			attr.AmbientCaps = append(attr.AmbientCaps, c)
		}
	}
}
