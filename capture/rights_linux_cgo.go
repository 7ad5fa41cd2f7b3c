//go:build cgo && linux

package capture

import (
	"errors"

	"golang.org/x/sys/unix"
)

// CanCapture says whether this process may capture: nil, or why not and what to do.
func CanCapture() error {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&head, &data[0]); err != nil || data[0].Effective&(1<<unix.CAP_NET_RAW) != 0 {
		return nil // not known to fail: opening will tell
	}
	return errors.New("no permission to capture: " + SetcapCommand() + ", or run it with sudo")
}
