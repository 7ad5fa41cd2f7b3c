package memlimit

import "golang.org/x/sys/unix"

func total() int64 {
	if n, err := unix.SysctlUint64("hw.physmem"); err == nil {
		return int64(n)
	}
	return Unknown
}
