// Package resolve chooses which names stand in place of addresses and ports, by the letters of -N and of the settings.
package resolve

import (
	"context"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/internal/names"
)

// all are the letters: names told by protocols, of makers of network cards, of hosts by files of hosts, of hosts by
// asking, of services, and of hosts by answers in the capture. The others are tshark's: nothing here has such names.
const all = "emnNtdsvg"

// The letters that count when nothing says which: tshark prints names of makers alone.
const (
	ForPrint  = "m"
	ForScreen = "em"
)

// Check refuses letters that say nothing.
func Check(letters string) error {
	if bad := strings.Trim(letters, all); bad != "" {
		return fmt.Errorf("%s: the letters are e (told by protocols), m (network cards), n (hosts files), N (asking DNS), "+
			"t (services), d (DNS answers in the capture), s, g and v", letters)
	}
	return nil
}

// Open makes the names that addresses and ports have, by letters; files are hosts files beside the system's. Names are
// asked for only by N, until ctx ends; the Lookup is nil without.
func Open(ctx context.Context, letters string, files []string) (*dissect.Naming, *names.Lookup, error) {
	n := &dissect.Naming{Vendor: func(a dissect.Addr) string { return names.Vendor(a.Uint64()) },
		Seen: strings.Contains(letters, "d")}
	if strings.Contains(letters, "m") {
		n.Ether = func(a dissect.Addr) string { return names.Ether(a.Uint64()) }
	}
	if strings.Contains(letters, "t") {
		n.Port = portName
	}
	asks := strings.Contains(letters, "N")
	if !asks && !strings.Contains(letters, "n") {
		return n, nil, nil
	}
	n.File = true
	hosts, err := names.ReadHosts(files...)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the hosts: %w", err)
	}
	if !asks {
		n.Host = func(a dissect.Addr) string { return hosts[a.Netip()] }
		return n, nil, nil
	}
	lookup := names.NewLookup(ctx)
	n.Host = func(a dissect.Addr) string {
		if name := hosts[a.Netip()]; name != "" {
			return name
		}
		return lookup.Name(a.Netip())
	}
	return n, lookup, nil
}

func portName(t dissect.Table, port uint16) string {
	switch t {
	case dissect.TableTCP:
		return names.Port(names.TCP, port)
	case dissect.TableUDP:
		return names.Port(names.UDP, port)
	}
	return ""
}
