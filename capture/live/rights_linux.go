package live

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mayCapture says whether this process may capture: nil, or why not and what to do.
func mayCapture() error {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&head, &data[0]); err != nil || data[0].Effective&(1<<unix.CAP_NET_RAW) != 0 {
		return nil // opening an interface shows whether it may
	}
	return errors.New("no permission to capture: " + SetcapCommand() + ", or run it with sudo" + groupAdvice())
}

// RightFrom says where the right to capture comes from, in a few words.
func RightFrom() string {
	switch {
	case os.Geteuid() == 0:
		return "this is root"
	case os.Getenv("SUDO_UID") != "":
		return "this right alone was kept, all else of root was given up"
	}
	return "CAP_NET_RAW is set on this program"
}
