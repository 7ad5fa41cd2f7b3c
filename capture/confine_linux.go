//go:build cgo && linux

package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

const (
	landlockWrites = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	landlockTCP    = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	landlockScopes = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// Confine has the kernel refuse what a capture without a screen never does, whatever a packet may talk its dissectors into: to
// run a program, to change files outside the folders of writable, to connect by TCP unless tcp says so, to signal other
// programs. It holds for all threads, and for good. What is open stays open, and files can be read. Kernels without Landlock
// (before 5.13), or with it switched off, refuse nothing; older ones refuse less: TCP takes 6.7, signals 6.12.
func Confine(writable []string, tcp bool) error {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return nil // there is none
	}
	// What a kernel does not know is left out; fields that are zero may be longer than it knows.
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landlockWrites | unix.LANDLOCK_ACCESS_FS_EXECUTE}
	files := uint64(landlockWrites)
	if abi >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
		files |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 4 && !tcp {
		attr.Handled_access_net = landlockTCP
	}
	if abi >= 6 {
		attr.Scoped = landlockScopes
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("the kernel cannot confine this program: %w", errno)
	}
	defer unix.Close(int(fd))
	for _, dir := range writable {
		if err := allowBelow(int(fd), dir, files); err != nil {
			return err
		}
	}
	if _, _, errno := psx.Syscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
		return fmt.Errorf("the kernel cannot confine this program: %w", errno)
	}
	if _, _, errno := psx.Syscall3(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("the kernel cannot confine this program: %w", errno)
	}
	return nil
}

// allowBelow lets files below a folder be changed.
func allowBelow(ruleset int, dir string, rights uint64) error {
	f, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC|unix.O_DIRECTORY, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	defer unix.Close(f)
	// The kernel's structure is packed: 12 bytes, without the four that Go puts behind them.
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(f)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	runtime.KeepAlive(&rule)
	if errno != 0 {
		return fmt.Errorf("%s: %w", dir, errno)
	}
	return nil
}

// FoldersOf are the folders in which a file is written: its own, and that of what a link of its name leads to.
func FoldersOf(path string) []string {
	if path == "" || path == "-" {
		return nil
	}
	out := []string{filepath.Dir(path)}
	if to, err := filepath.EvalSymlinks(path); err == nil && filepath.Dir(to) != out[0] {
		out = append(out, filepath.Dir(to))
	}
	if _, err := os.Stat(out[0]); err != nil {
		return nil // opening the file will tell
	}
	return out
}
