package spool

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockTaken is the error of [Lock] where another program has the lock.
const lockTaken = windows.ERROR_LOCK_VIOLATION

// lockAt is where the one byte is that is locked, far behind the packets: others cannot read what is locked.
const lockAt = 1 << 30 // in units of 4 GiB

// Lock marks a file as in use. The system lets go of the lock however the process ends.
func Lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0,
		1, 0, &windows.Overlapped{OffsetHigh: lockAt})
}

// fallbackName is a folder's name in the temporary folder, which is this user's alone.
func fallbackName() string { return "remora" }
