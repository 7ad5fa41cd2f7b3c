package live

import (
	"errors"
	"fmt"
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

const rightNeeded = "it needs CAP_NET_RAW"

// SetcapCommand is the command that lets this very program capture without root.
func SetcapCommand() string {
	return "sudo setcap cap_net_raw,cap_net_admin+eip " + quote(executable())
}

// waysToRights says how a command line may capture.
func waysToRights(command string) string {
	return fmt.Sprintf("Give the program the right once:\n  %s\nor run it as root this time:\n  sudo %s", SetcapCommand(),
		command)
}

func rightCommands(command string) [][2]string {
	return [][2]string{{SetcapCommand(), "once, then no root is needed"},
		{"sudo " + command, "this time only; saved files stay yours"}}
}

func upCommand(name string) string { return "sudo ip link set " + quote(name) + " up" }
