//go:build unix

package spool

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lockTaken is the error of [Lock] where another program has the lock.
const lockTaken = unix.EWOULDBLOCK

// Lock marks a file as in use. The system lets go of the lock however the process ends.
func Lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// fallbackName is a folder's name in a place that is open to all.
func fallbackName() string { return fmt.Sprintf("remora-%d", os.Geteuid()) }
