package confine

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

var (
	deniedHere             = []uint32{unix.SYS_KEXEC_FILE_LOAD}
	aloneHere, changesHere []uint32
)
