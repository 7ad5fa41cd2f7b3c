package sharing

import (
	"errors"

	"golang.org/x/sys/windows"
)

// DiskFull tells whether an error says that there is no room left.
func DiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}

// ReadOnly tells whether an error says that a disk can only be read.
func ReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// Broken tells whether an error says that a disk fails.
func Broken(err error) bool {
	return errors.Is(err, windows.ERROR_IO_DEVICE) || errors.Is(err, windows.ERROR_CRC)
}
