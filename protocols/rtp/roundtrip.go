package rtp

import "remora/dissect"

// A sentState is which sender reports went between two ends, by the middle of their times.
type sentState struct{ all map[sentKey]dissect.FrameNum }

type sentKey struct {
	from   dissect.Addr
	middle uint32
}

var sent = dissect.NewStore[sentState, dissect.FrameNum]()

// maxSent bounds the sender reports of a conversation that are remembered.
const maxSent = 1024

// remember keeps a sender report, so that the answer to it tells how long the way is.
func remember(d *dissect.D, middle uint32) {
	sent.FirstPass(d, func(s *sentState) dissect.FrameNum {
		if s.all == nil || len(s.all) >= maxSent {
			s.all = map[sentKey]dissect.FrameNum{}
		}
		s.all[sentKey{d.Src.Addr, middle}] = d.Frame
		return 0
	})
}

// roundTrip joins a report on a source with the sender report that it names (RFC 3550 section 6.4.1).
func roundTrip(d *dissect.D, last, delay uint32) {
	frame := sent.FirstPass(d, func(s *sentState) dissect.FrameNum { return s.all[sentKey{d.Dst.Addr, last}] })
	if frame == 0 {
		return
	}
	d.Set(cSRFrame, uint64(frame))
	at, known := d.Packet().TimeOf(frame)
	if !known {
		return
	}
	apart := d.Time() - at
	d.Set(cSRTime, uint64(max(0, apart)/1e6))
	d.Set(cRound, uint64((apart-int64(delay)*1e9>>16)/1e6))
}
