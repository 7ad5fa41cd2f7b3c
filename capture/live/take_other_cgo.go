//go:build (cgo && !linux) || windows

package live

import (
	"context"
	"fmt"

	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcap"
)

func newTaker(_ context.Context, h *pcap.Handle, iface int) taker {
	return &plainTaker{h: h, iface: iface}
}

// setDatalink chooses a link type, by its DLT_ value.
func setDatalink(h *pcap.Handle, dlt int) error {
	if dlt > 255 {
		return fmt.Errorf("link type %d cannot be chosen on this system", dlt)
	}
	return h.SetLinkType(layers.LinkType(dlt)) //nolint:gosec // bounded
}

// datalink is the link type of a handle, as a DLT_ value.
func datalink(h *pcap.Handle) int { return int(h.LinkType()) }
