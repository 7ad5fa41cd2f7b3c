// Package confine has the kernel refuse a process what it has no need of, whatever a packet may talk its dissectors
// into. It holds for all threads, and for good. What is open stays open. A kernel refuses what it
// has means for: system calls since 3.17 (seccomp), files since 5.13 (Landlock), TCP since 6.7, signals and abstract
// sockets since
// 6.12; or where they are switched off, nothing. That is no error.
package confine

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/cap"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// Allowed is what a process needs all the same.
type Allowed struct {
	Write    []string // files that may be written, and folders in which files may be made, written and removed
	Network  bool     // names are asked of the system's resolver
	Children bool     // programs that were started before may be ended
	Read     []string // the files and folders that alone may be read; nil: all that the user may read
	Own      bool     // root opens nothing that belongs to others
	Terminal bool     // Ctrl-Z stops the group of the terminal
	Programs bool     // programs are run and files are written anywhere: little is refused, what they need passes
	Capture  bool     // interfaces are captured on, and files are written anywhere
}

// captureKeeps are the capabilities with which libpcap opens interfaces.
var captureKeeps = []cap.Value{cap.NET_RAW, cap.NET_ADMIN}

// rootKeeps are the capabilities that root needs to open the files that root may open.
var rootKeeps = []cap.Value{cap.DAC_OVERRIDE, cap.DAC_READ_SEARCH, cap.FOWNER}

// Lock gives up everything that is not allowed: programs cannot be run, nor files changed elsewhere, other processes
// looked into or signalled, connections made, and no capability is left. Under an emulator it does nothing.
func Lock(a Allowed) error {
	if Emulated() {
		return nil
	}
	if err := dropCapabilities(a); err != nil {
		return fmt.Errorf("the rights of this program cannot be given up: %w", err)
	}
	// Needed by both of the others, unless one is root.
	if _, _, errno := psx.Syscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
		return fmt.Errorf("the kernel cannot confine this program: %w", errno)
	}
	if err := landlock(a); err != nil {
		return fmt.Errorf("the kernel cannot confine this program: %w", err)
	}
	if err := filterCalls(a); err != nil {
		return fmt.Errorf("the kernel cannot confine this program: %w", err)
	}
	return nil
}

// Seccomp tells whether the kernel filters system calls: one that does looks for the filter where there is none.
func Seccomp() bool {
	return errors.Is(unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, 0, 0, 0), unix.EFAULT)
}

// dropCapabilities empties all sets, the bounding set as well where that is allowed. Root keeps what opens files, and a
// process that captures what opens interfaces.
func dropCapabilities(a Allowed) error {
	var wanted []cap.Value
	if unix.Geteuid() == 0 && !a.Own {
		wanted = append(wanted, rootKeeps...)
	}
	if a.Capture {
		wanted = append(wanted, captureKeeps...)
	}
	had, keep := cap.GetProc(), cap.NewSet()
	for _, v := range wanted {
		if may, err := had.GetFlag(cap.Permitted, v); err != nil || !may {
			continue
		}
		if err := errors.Join(keep.SetFlag(cap.Permitted, true, v), keep.SetFlag(cap.Effective, true, v)); err != nil {
			return err
		}
	}
	if may, err := had.GetFlag(cap.Effective, cap.SETPCAP); err == nil && may {
		for v := range cap.MaxBits() {
			kept, _ := keep.GetFlag(cap.Permitted, v)
			if in, err := cap.GetBound(v); kept || err != nil || !in {
				continue
			}
			if err := cap.DropBound(v); err != nil {
				return err
			}
		}
	}
	if err := cap.ResetAmbient(); err != nil && !errors.Is(err, unix.EINVAL) { // before 4.3 there was none
		return err
	}
	if had.String() == keep.String() {
		return nil
	}
	return keep.SetProc()
}
