package live

import (
	"github.com/google/gopacket/pcap"

	"remora/capture/bpf"
)

// mayCapture says that there is no Npcap; whether it lets this user capture shows when an interface is opened.
func mayCapture() error {
	if pcap.LoadWinPCAP() != nil {
		return bpf.ErrNoLibpcap
	}
	return nil
}

// RightFrom is not known here.
func RightFrom() string { return "" }

const (
	rightNeeded = "Npcap refuses it"
	asAdmin     = "Run the terminal as administrator, or install Npcap without its restriction to administrators"
)

// waysToRights says how to capture: there is no command for it.
func waysToRights(string) string { return asAdmin }

func rightCommands(string) [][2]string {
	if mayCapture() != nil {
		return [][2]string{{"https://npcap.com/#download", "Npcap captures here, and is not installed"}}
	}
	return [][2]string{{"remora", "in a terminal that runs as administrator"}}
}

func upCommand(name string) string {
	return `netsh interface set interface name="` + name + `" admin=enabled`
}
