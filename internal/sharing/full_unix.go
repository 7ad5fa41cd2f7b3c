//go:build unix

package sharing

import (
	"errors"
	"syscall"
)

// DiskFull tells whether an error says that there is no room left.
func DiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ReadOnly tells whether an error says that a disk can only be read.
func ReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// Broken tells whether an error says that a disk fails.
func Broken(err error) bool { return errors.Is(err, syscall.EIO) }
