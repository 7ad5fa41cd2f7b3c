package confine

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// The calls that newer architectures do without.
var (
	deniedHere  = []uint32{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_KEXEC_FILE_LOAD}
	aloneHere   = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
	changesHere = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_MKNOD, unix.SYS_SYMLINK,
		unix.SYS_LINK}
)
