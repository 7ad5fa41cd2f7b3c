// Package live captures from interfaces. A process of its own takes the packets from libpcap and writes them to a
// spool, which the store reads as it grows: the capture goes on when the program that shows it hangs or is killed.
//
// [Start] begins a capture, [StartRemote] one on another machine through ssh; [Recover] lists those that go on and what
// killed runs have left. A build without cgo has no libpcap: on
// Linux it captures from packet sockets, on Windows with Npcap, elsewhere it says that it cannot.
package live

import (
	"context"

	"remora/capture"
)

// Start captures from interfaces until ctx ends, a stop rule holds or the interfaces are gone. All of them are
// open when it returns, so privileges can be given up then.
//
// It fails with a [*PermissionError], [*capture.InterfaceError] or [*bpf.Error] where one of these is the reason.
func Start(ctx context.Context, opt capture.Options) (*capture.Store, error) {
	programs, err := compile(opt)
	if err != nil {
		return nil, err
	}
	conn, err := ownProcess.dial()
	if err != nil {
		return nil, err
	}
	return join(ctx, conn, request{Start: &opt, Programs: programs})
}
