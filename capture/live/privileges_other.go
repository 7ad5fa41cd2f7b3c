//go:build !linux

package live

// DropPrivileges has nothing it could keep a part of on this system: rights to capture come with the device files.
func DropPrivileges() error { return nil }

// ForMembersAlone has nothing to give up here.
func ForMembersAlone() error { return nil }
