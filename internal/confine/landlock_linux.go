package confine

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

const (
	// What changes files: refused, but where it is allowed.
	landlockWrites = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM

	landlockFolder = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR
	landlockFile   = unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	landlockTCP    = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	landlockScopes = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
)

// LandlockABI is the version of Landlock that the kernel has; 0 is none.
func LandlockABI() int {
	if android() {
		return 0
	}
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// landlock has the kernel refuse to run programs, to change files, to use TCP and to reach other processes.
func landlock(a Allowed) error {
	if a.Programs {
		return nil // they would have to live with it
	}
	abi := LandlockABI()
	if abi == 0 {
		return nil // there is none
	}
	// What a kernel does not know is left out; fields that are zero may be longer than it knows.
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landlockWrites | unix.LANDLOCK_ACCESS_FS_EXECUTE}
	cut := uint64(0)
	if a.Capture {
		attr.Handled_access_fs = unix.LANDLOCK_ACCESS_FS_EXECUTE
	} else if abi >= 3 {
		cut = unix.LANDLOCK_ACCESS_FS_TRUNCATE
		attr.Handled_access_fs |= cut
	}
	if a.Read != nil {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_READ_FILE
	}
	if abi >= 4 && !a.Network {
		attr.Handled_access_net = landlockTCP
	}
	if abi >= 6 {
		attr.Scoped = landlockScopes
		if !a.Children && !a.Terminal {
			attr.Scoped |= unix.LANDLOCK_SCOPE_SIGNAL
		}
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	read := attr.Handled_access_fs & unix.LANDLOCK_ACCESS_FS_READ_FILE
	for _, path := range a.Write {
		if err := allow(int(fd), path, cut|read|landlockFile, cut|read|landlockFolder); err != nil {
			return err
		}
	}
	for _, path := range a.Read {
		if err := allow(int(fd), path, read, read); err != nil {
			return err
		}
	}
	if _, _, errno := psx.Syscall3(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// allow gives rights to a file, or to the files in a folder and below.
func allow(ruleset int, path string, rights, inFolder uint64) error {
	f, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return nil // opening it will tell
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(f)
	var st unix.Stat_t
	if err := unix.Fstat(f, &st); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		rights = inFolder
	}
	// The kernel's structure is packed: 12 bytes, without the four that Go puts behind them.
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(f)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	runtime.KeepAlive(&rule)
	if errno != 0 && errno != unix.EBADFD { // a pipe without a name, which is allowed anyway
		return fmt.Errorf("%s: %w", path, errno)
	}
	return nil
}
