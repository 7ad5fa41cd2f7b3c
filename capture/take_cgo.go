//go:build cgo

package capture

import (
	"errors"
	"time"

	"github.com/google/gopacket/pcap"
)

// A livePacket is valid until the next one is taken.
type livePacket struct {
	data []byte
	time int64
	len  uint32
}

// A taker gives the packets of one handle. next waits about as long as patience, then returns errSilence.
type taker interface {
	next(patience time.Duration) (livePacket, error)
	close()
}

var errSilence = errors.New("no packet came")

// A plainTaker takes packets as gopacket offers them. It has one patience, which the handle was opened with.
type plainTaker struct{ h *pcap.Handle }

func (p *plainTaker) close() {}

func (p *plainTaker) next(time.Duration) (livePacket, error) {
	data, ci, err := p.h.ZeroCopyReadPacketData()
	if err == nil {
		return livePacket{data, ci.Timestamp.UnixNano(), uint32(ci.Length)}, nil
	}
	if err == pcap.NextErrorTimeoutExpired {
		return livePacket{}, errSilence
	}
	if e := p.h.Error(); e != nil && e.Error() != "" {
		err = e
	}
	return livePacket{}, err
}
