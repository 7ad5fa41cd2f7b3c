//go:build cgo || windows

package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/gopacket/pcap"
)

// setTimeStamps chooses the clock of an interface, where the interface has it.
func setTimeStamps(in *pcap.InactiveHandle, name string) error {
	have := supported(in)
	if !slices.Contains(have, name) {
		return fmt.Errorf("it does not have %s time stamps: it has %s", name, strings.Join(have, ", "))
	}
	source, err := pcap.TimestampSourceFromString(name)
	if err != nil {
		return err
	}
	return in.SetTimestampSource(source)
}

// supported are the clocks of an interface by libpcap's names. One that offers no choice has the system's.
func supported(in *pcap.InactiveHandle) []string {
	var out []string
	for _, t := range in.SupportedTimestamps() {
		out = append(out, t.String())
	}
	if len(out) == 0 {
		out = []string{"host"}
	}
	return out
}

// TimeStampsOf lists the clocks that an interface can be asked for. An error is an [*InterfaceError].
func TimeStampsOf(name string) ([]string, error) {
	in, err := pcap.NewInactiveHandle(deviceName(name))
	if err != nil {
		return nil, openError(name, err)
	}
	defer in.CleanUp()
	return supported(in), nil
}
