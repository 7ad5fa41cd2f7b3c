//go:build cgo && !linux

package capture

import (
	"context"

	"github.com/google/gopacket/pcap"
)

func newTaker(_ context.Context, h *pcap.Handle) taker { return &plainTaker{h} }
