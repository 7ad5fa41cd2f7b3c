//go:build unix && !linux

package live

import "fmt"

// mayCapture cannot know before an interface is opened.
func mayCapture() error { return nil }

// RightFrom is not known here.
func RightFrom() string { return "" }

const (
	rightNeeded = "it reads /dev/bpf*"
	readable    = "sudo chmod a+r /dev/bpf*"
)

// waysToRights says how a command line may capture.
func waysToRights(command string) string {
	return fmt.Sprintf("Let everybody read what captures, until the next start of the system:\n  %s\nor run it as root "+
		"this time:\n  sudo %s", readable, command)
}

func rightCommands(command string) [][2]string {
	return [][2]string{{readable, "until the next start of the system"}, {"sudo " + command, "this time only"}}
}

func upCommand(name string) string { return "sudo ifconfig " + quote(name) + " up" }
