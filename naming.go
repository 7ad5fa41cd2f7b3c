package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"remora/dissect"
	"remora/internal/names"
)

// nameLetters are the letters of -N: names told by protocols, of makers of network cards, of hosts by files of hosts, of
// hosts by asking, of services, and of hosts by answers in the capture. The others are tshark's: nothing here has such names.
const nameLetters = "emnNtdsvg"

// The names that are used when nothing says which: tshark prints those of makers alone.
const (
	printedNames = "m"
	shownNames   = "em"
)

// patience is how long printing waits for the name of an address that is asked for.
const patience = 2 * time.Second

// wantedNames are the letters of the names to use. As in tshark, -N says which even where -n is there, too.
func (o *options) wantedNames(screen bool) string {
	letters := o.names
	switch {
	case letters != "":
	case o.noNames && !screen: // a screen has a key that turns them on
		return ""
	case o.resolve != "":
		letters = o.resolve
	case screen:
		letters = shownNames
	default:
		letters = printedNames
	}
	if len(o.hosts) > 0 {
		letters += "n"
	}
	return letters
}

// checkNames refuses letters that say nothing.
func checkNames(what, letters string) error {
	if bad := strings.Trim(letters, nameLetters); bad != "" {
		return usage("%s %s: the letters are e (told by protocols), m (network cards), n (hosts files), N (asking DNS), t (services), d (DNS answers in the capture), s, g and v", what, letters)
	}
	return nil
}

// openNames gives the registry the names that addresses and ports have, by letters. Names are asked for only by N, until
// ctx ends; the Lookup is nil without.
func (o *options) openNames(ctx context.Context, reg *dissect.Registry, letters string) (*names.Lookup, error) {
	n := &dissect.Naming{Vendor: func(a dissect.Addr) string { return names.Vendor(a.Uint64()) }, Seen: strings.Contains(letters, "d")}
	if strings.Contains(letters, "m") {
		n.Ether = func(a dissect.Addr) string { return names.Ether(a.Uint64()) }
	}
	if strings.Contains(letters, "t") {
		n.Port = portName
	}
	reg.Naming = n
	asks := strings.Contains(letters, "N")
	if !asks && !strings.Contains(letters, "n") {
		return nil, nil
	}
	n.File = true
	hosts, err := names.ReadHosts(o.hosts...)
	if err != nil {
		return nil, fmt.Errorf("cannot read the hosts: %w", err)
	}
	if !asks {
		n.Host = func(a dissect.Addr) string { return hosts[a.Netip()] }
		return nil, nil
	}
	lookup := names.NewLookup(ctx)
	n.Host = func(a dissect.Addr) string {
		if name := hosts[a.Netip()]; name != "" {
			return name
		}
		return lookup.Name(a.Netip())
	}
	return lookup, nil
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
