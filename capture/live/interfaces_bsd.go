//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package live

import (
	"net"
	"syscall"
)

// ReadCounters asks the kernel for the counters of all interfaces at once.
func ReadCounters() (map[string]Counters, error) {
	b, err := syscall.RouteRIB(countsList, 0)
	if err != nil {
		return nil, err
	}
	cards, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	names := map[int]string{}
	for _, c := range cards {
		names[c.Index] = c.Name
	}
	all := map[string]Counters{}
	for index, c := range counts.each(b) {
		if name := names[index]; name != "" {
			all[name] = c
		}
	}
	return all, nil
}

func card(name string) (*net.Interface, error) { return net.InterfaceByName(name) }

func hardware(string) (linkType int, speed uint64) { return 1, 0 }

func kindOf(string) string { return "" }
