//go:build linux && !cgo

package live

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestSmallRingsHaveManyBlocks holds that a small buffer is not lost as a whole while one block of it is read.
func TestSmallRingsHaveManyBlocks(t *testing.T) {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Skip("no right to capture: ", err)
	}
	s := &packetSocket{fd: fd}
	defer s.Close()
	if err := s.mapRing(2); err != nil {
		t.Fatal(err)
	}
	if n := len(s.ring) / s.block; n < 8 || len(s.ring) != 2<<20 {
		t.Errorf("a ring of %d bytes has %d blocks", len(s.ring), n)
	}
}
