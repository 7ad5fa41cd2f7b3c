// Package resolve chooses which names stand in place of addresses and ports, by the letters of -N and of the settings.
package resolve

import (
	"cmp"
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

// A Source says which files tell names.
type Source struct {
	Hosts   []string // files of hosts beside the system's
	Folders []string // where a person keeps hosts, ethers, manuf, services and subnets; a file may be missing
	Profile bool     // take the hosts of the first folder alone
}

// Open makes the names that addresses and ports have, by letters. Names are asked for only by N, until ctx ends; the
// Lookup is nil without.
func Open(ctx context.Context, letters string, from Source) (*dissect.Naming, *names.Lookup, error) {
	own, err := names.ReadOwn(letters, from.Folders...)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the names: %w", err)
	}
	n := &dissect.Naming{Vendor: func(a dissect.Addr) string { return names.Vendor(a.Uint64()) },
		Seen: strings.Contains(letters, "d")}
	if strings.Contains(letters, "m") {
		n.Ether = func(a dissect.Addr) string {
			return cmp.Or(own.Ether(a.Uint64()), names.Ether(a.Uint64()))
		}
	}
	if strings.Contains(letters, "t") {
		n.Port = func(t dissect.Table, port uint16) string { return portName(own, t, port) }
	}
	asks := strings.Contains(letters, "N")
	if !asks && !strings.Contains(letters, "n") {
		return n, nil, nil
	}
	n.File = true
	hosts, err := from.hosts()
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the hosts: %w", err)
	}
	known := func(a dissect.Addr) string { return cmp.Or(hosts[a.Netip()], own.Host(a.Netip())) }
	if !asks {
		n.Host = known
		return n, nil, nil
	}
	lookup := names.NewLookup(ctx)
	n.Host = func(a dissect.Addr) string {
		if name := known(a); name != "" {
			return name
		}
		return lookup.Name(a.Netip())
	}
	return n, lookup, nil
}

// hosts reads the names of hosts: those of files that are named, the system's, and those that a person keeps.
func (from Source) hosts() (names.Hosts, error) {
	if from.Profile {
		h := names.Hosts{}
		return h, h.AddKept(from.Folders[:min(1, len(from.Folders))]...)
	}
	h, err := names.ReadHosts(from.Hosts...)
	if err == nil {
		err = h.AddKept(from.Folders...)
	}
	return h, err
}

func portName(own *names.Own, t dissect.Table, port uint16) string {
	switch t {
	case dissect.TableTCP:
		return cmp.Or(own.Port(names.TCP, port), names.Port(names.TCP, port))
	case dissect.TableUDP:
		return cmp.Or(own.Port(names.UDP, port), names.Port(names.UDP, port))
	}
	return ""
}
