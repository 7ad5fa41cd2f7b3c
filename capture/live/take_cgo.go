//go:build cgo || windows

package live

import (
	"context"
	"time"

	"github.com/google/gopacket/pcap"

	"remora/capture/pcapfile"
)

// A pcapDevice is an interface that libpcap, or Npcap, has opened.
type pcapDevice struct{ *pcap.Handle }

func (d pcapDevice) taker(ctx context.Context, iface int) taker {
	return newTaker(ctx, d.Handle, iface)
}

func (d pcapDevice) counted() (filtered, dropped, ifDropped uint64, ok bool) {
	st, err := d.Stats()
	if err != nil {
		return 0, 0, 0, false
	}
	return uint64(uint32(st.PacketsReceived)), uint64(uint32(st.PacketsDropped)), uint64(uint32(st.PacketsIfDropped)), true
}

// A plainTaker takes packets as gopacket offers them. It has one patience, which the handle was opened with.
type plainTaker struct {
	h     *pcap.Handle
	iface int
	buf   []byte
}

func (p *plainTaker) close()       {}
func (p *plainTaker) refuse() bool { return false }

func (p *plainTaker) next(time.Duration) (packetBatch, error) {
	data, ci, err := p.h.ZeroCopyReadPacketData()
	if err == nil {
		n := pcapfile.PacketBlockSize(len(data))
		if cap(p.buf) < n {
			p.buf = make([]byte, n*2)
		}
		p.buf = p.buf[:n]
		pcapfile.PutPacket(p.buf, p.iface, ci.Timestamp.UnixNano(), uint32(ci.Length), data)
		return packetBatch{p.buf, 1}, nil
	}
	if err == pcap.NextErrorTimeoutExpired {
		return packetBatch{}, errSilence
	}
	if e := p.h.Error(); e != nil && e.Error() != "" {
		err = e
	}
	return packetBatch{}, err
}
