//go:build (cgo && !linux) || windows

package live

import (
	"context"

	"github.com/google/gopacket/pcap"
)

func newTaker(_ context.Context, h *pcap.Handle, iface int) taker {
	return &plainTaker{h: h, iface: iface}
}
