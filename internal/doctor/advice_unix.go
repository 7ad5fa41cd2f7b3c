//go:build unix && !linux

package doctor

const (
	noLibrary = "build remora with cgo: libpcap comes with the system"
	advice    = "run it with sudo, or let your group read /dev/bpf*"
)
