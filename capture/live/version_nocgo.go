//go:build !cgo && !windows && !linux

package live

// LibraryVersion says that this build has no libpcap.
func LibraryVersion() string { return "without libpcap (this build cannot capture)" }
