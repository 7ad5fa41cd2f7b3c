//go:build unix

package live

import "golang.org/x/sys/unix"

// SystemName is the system and its version, as files and reports have it.
func SystemName() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}
