// Package sockets tells which process of this machine has a socket, where the kernel tells.
package sockets

import (
	"net/netip"
	"os"
	"strconv"

	"remora/internal/broker"
)

// A Socket is one end of a conversation, with the other one where it is connected.
type Socket struct {
	TCP   bool // else UDP
	Local netip.AddrPort
	Peer  netip.AddrPort // or none
}

// An Owner is a process.
type Owner struct {
	PID  int
	Name string // of its program, as the kernel has it
}

// String names the process with its number.
func (o Owner) String() string { return o.Name + " (" + strconv.Itoa(o.PID) + ")" }

var owners = broker.New("sockets", func(list []Socket, _ []*os.File) ([][]Owner, []*os.File, error) {
	out, err := find(list)
	return out, nil, err
})

// Lent is what the broker does for this package when the screen is locked.
func Lent() broker.Service { return owners }

// Owners are the processes that have each of some sockets open; none of one that is closed already, or another user's.
func Owners(list ...Socket) ([][]Owner, error) {
	out, _, err := owners.Ask(list)
	return out, err
}
