//go:build amd64 || arm64

package confine

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// denied are the calls that neither a dissector's process nor the programs it runs ever need, on all architectures.
var denied = []uint32{
	// Other processes.
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PROCESS_MRELEASE, unix.SYS_KCMP,
	unix.SYS_PIDFD_GETFD,
	// File systems and namespaces.
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS, unix.SYS_UNSHARE,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_QUOTACTL,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_OPEN_BY_HANDLE_AT,
	// Ways around the others, and parts of the kernel that are wide and seldom used.
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_USERFAULTFD,
	unix.SYS_FANOTIFY_INIT, unix.SYS_VHANGUP,
	// The machine.
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
	unix.SYS_SETHOSTNAME,
	unix.SYS_SETDOMAINNAME, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_ACCT, unix.SYS_SYSLOG,
}

// alone are further calls that a process that runs no programs does without.
var alone = []uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PERSONALITY, unix.SYS_MEMFD_CREATE, unix.SYS_KEYCTL, unix.SYS_ADD_KEY,
	unix.SYS_REQUEST_KEY,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
}

// changes are the calls that change what files are beside what is in them: Landlock leaves most of it alone.
var changes = []uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_SETXATTR,
	unix.SYS_LSETXATTR, unix.SYS_FSETXATTR,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_MKNODAT, unix.SYS_SYMLINKAT,
	unix.SYS_LINKAT,
}

// signals are the calls with which Go ends programs that it started.
var signals = []uint32{unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_OPEN}

// What becomes of a call.
const (
	refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS) // the C library tries an older call then
	permit = unix.SECCOMP_RET_ALLOW
)

// filterCalls has the kernel refuse system calls, on all threads at once. Those that nobody thought of pass: a library
// may need them, and a program that dies for them would be of no use.
func filterCalls(a Allowed) error {
	code, err := bpf.Assemble(program(a))
	if err != nil {
		return err
	}
	raw := make([]unix.SockFilter, len(code))
	for i, c := range code {
		raw[i] = unix.SockFilter{Code: c.Op, Jt: c.Jt, Jf: c.Jf, K: c.K}
	}
	prog := unix.SockFprog{Len: uint16(len(raw)), Filter: &raw[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog)))
	if errno == unix.ENOSYS || errno == unix.EINVAL { // not in this kernel
		return nil
	}
	if errno != 0 {
		return errno
	}
	if thread != 0 {
		return fmt.Errorf("thread %d has other rules already", thread)
	}
	return nil
}

// Places in the kernel's struct seccomp_data.
const (
	dataCall = 0
	dataArch = 4
)

// argument loads the lower half of an argument, which is all that the kernel takes of an int.
func argument(n uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: 16 + 8*n, Size: 4} }

func ret(what uint32) bpf.Instruction { return bpf.RetConstant{Val: what} }

// program decides about each call.
func program(a Allowed) []bpf.Instruction {
	p := []bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1}, ret(refuse), // calls of 32-bit programs
		bpf.LoadAbsolute{Off: dataCall, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: 0x40000000, SkipTrue: 1}, ret(refuse), // x32
	}
	never := append(append([]uint32(nil), denied...), deniedHere...)
	if !a.Programs {
		never = append(append(never, alone...), aloneHere...)
	}
	if !a.Programs && !a.Capture { // a socket of the capture process's is for the user alone
		never = append(append(never, changes...), changesHere...)
	}
	if !a.Programs && !a.Children {
		never = append(never, signals...)
	}
	for _, call := range never {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: call, SkipTrue: 1}, ret(refuse))
	}
	on := func(call uint32, then ...bpf.Instruction) {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: call, SkipTrue: uint8(len(then))})
		p = append(p, then...)
	}
	only := func(arg uint32, values ...uint32) (is []bpf.Instruction) {
		is = append(is, argument(arg))
		for _, v := range values {
			is = append(is, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: v, SkipTrue: 1}, ret(permit))
		}
		return append(is, ret(refuse))
	}
	but := func(arg uint32, values ...uint32) (is []bpf.Instruction) {
		is = append(is, argument(arg))
		for _, v := range values {
			is = append(is, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: v, SkipTrue: 1}, ret(refuse))
		}
		return append(is, ret(permit))
	}
	// Keys typed for the shell.
	if a.Programs {
		on(unix.SYS_IOCTL, but(1, unix.TIOCSTI, unix.TIOCLINUX)...)
		return append(p, ret(permit))
	}
	self := uint32(os.Getpid())
	on(unix.SYS_CLONE3, ret(absent)) // its flags are out of reach
	on(unix.SYS_CLONE, argument(0), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.CLONE_THREAD, SkipTrue: 1}, ret(refuse),
		ret(permit))
	on(unix.SYS_PRLIMIT64, only(0, 0, self)...)
	// Signals that are sent when something happens to a file.
	on(unix.SYS_IOCTL, but(1, unix.TIOCSTI, unix.TIOCLINUX, fioSetOwn, siocSetPgrp)...)
	on(unix.SYS_FCNTL, but(1, unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETSIG)...)
	if !a.Children {
		on(unix.SYS_TGKILL, only(0, self)...)
		kill := only(0, self)
		if a.Terminal { // as Bubble Tea stops what runs in the foreground
			kill = append(stopGroup(), kill...)
		}
		on(unix.SYS_KILL, kill...)
	}
	if !a.Network && !a.Capture {
		on(unix.SYS_SOCKET, argument(0), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_NETLINK, SkipTrue: 1}, ret(refuse),
			// interfaces
			argument(2), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.NETLINK_ROUTE, SkipTrue: 1}, ret(refuse), ret(permit))
	}
	return append(p, ret(permit))
}

// stopGroup permits to send SIGTSTP to the own group.
func stopGroup() []bpf.Instruction {
	return []bpf.Instruction{argument(0), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 3},
		argument(1), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(unix.SIGTSTP), SkipTrue: 1}, ret(permit)}
}

// Requests of ioctl that golang.org/x/sys does not name: <asm-generic/sockios.h>.
const (
	fioSetOwn   = 0x8901
	siocSetPgrp = 0x8902
)
