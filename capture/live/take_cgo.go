//go:build cgo || windows

package live

import (
	"errors"
	"time"

	"github.com/google/gopacket/pcap"

	"remora/capture/pcapfile"
)

// A taker gives the packets of one handle. next waits about as long as patience, then returns errSilence. refuse ends
// what comes, so that only what the kernel holds is left to be taken; it reports whether that could be done.
type taker interface {
	next(patience time.Duration) (packetBatch, error)
	refuse() bool
	close()
}

var errSilence = errors.New("no packet came")

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
