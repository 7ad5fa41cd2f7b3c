package radiotap

import (
	"math"
	"strconv"

	"remora/dissect"
)

var (
	rPHY = radio.Uint32("phy", "PHY type", "How the frame was sent.").Named(dissect.Values{
		phyB: "802.11b (HR/DSSS)", phyA: "802.11a (OFDM)", phyG: "802.11g (ERP)", phyN: "802.11n (HT)",
		phyAC: "802.11ac (VHT)", phyAX: "802.11ax (HE)"})
	rShort = radio.Bool("short_preamble", "Short preamble", "The preamble was the short one.").
		TrueFalse("True", "False")
	rTurbo = radio.Uint32("11a.turbo_type", "Turbo type", "Whether two channels were used at once.").
		Named(dissect.Values{0: "Non-turbo"})
	rMode = radio.Uint32("11g.mode", "Proprietary mode", "Whether a maker's own way was used.").
		Named(dissect.Values{0: "None"})
	rDuration = radio.Uint32("duration", "Duration", "How long the frame was on the air.").Derived().Format(micros)
	rPreamble = radio.Uint32("preamble", "Preamble", "How long what stands in front of it was.").Derived().Format(micros)
	rGap      = radio.Int64("ifs", "IFS", "Time since the end of the frame before.").Derived().Format(micros)
	rStart    = radio.Uint64("start_tsf", "Start", "When the frame began, by the radio's clock.").Derived().Format(micros)
	rEnd      = radio.Uint64("end_tsf", "End", "When the frame ended, by the radio's clock.").Derived().Format(micros)
)

// The ways to send, by Wireshark's numbers.
const (
	phyB  = 4
	phyA  = 5
	phyG  = 6
	phyN  = 7
	phyAC = 8
	phyAX = 11
)

// Bits of the header's fields that matter here.
const (
	flagShort = 0x02
	chanBand  = 0x05f0 // of all that tell a kind of channel
	chanA     = 0x0140
	chanG     = 0x00c0
	chanGDyn  = 0x0480
	isFlags   = 1
	isMCS     = 19
	isVHT     = 21
	isHE      = 23
)

// phy is the way in which the frame was sent: what fields of its own say, else what the rate does (IEEE 802.11-2016
// clauses 15 to 18); 0 is not known.
func (h *header) phy() uint64 {
	switch {
	case h.has>>isHE&1 != 0:
		return phyAX
	case h.has>>isVHT&1 != 0:
		return phyAC
	case h.has>>isMCS&1 != 0:
		return phyN
	}
	switch h.rate {
	case 1, 2, 5.5, 11, 22, 33:
		return phyB
	case 6, 9, 12, 18, 24, 36, 48, 54:
		if h.freq >= 2407 && h.freq <= 2484 {
			return phyG
		}
		if h.freq > 0 {
			return phyA
		}
	}
	return 0
}

// way says in which way the frame was sent.
func (h *header) way(d *dissect.D) {
	phy := h.phy()
	if phy == 0 {
		return
	}
	d.Put(rPHY, phy, d.Pos(), 0)
	band := h.channel & chanBand
	switch {
	case phy == phyB && h.has>>isFlags&1 != 0:
		d.Put(rShort, h.flags&flagShort/flagShort, d.Pos(), 0)
	case phy == phyA && band == chanA:
		d.Put(rTurbo, 0, d.Pos(), 0)
	case phy == phyG && (band == chanG || band == chanGDyn):
		d.Put(rMode, 0, d.Pos(), 0)
	}
}

// airtime is how long a frame of so many bytes was on the air, and its preamble; 0 where that is not known.
func (h *header) airtime(bytes int) (duration, preamble uint64) {
	switch h.phy() {
	case phyB:
		preamble = 192
		if h.has>>isFlags&1 == 0 || h.flags&flagShort != 0 {
			preamble = 96
		}
		return preamble + uint64(math.Ceil(float64(8*bytes)/h.rate)), preamble
	case phyA, phyG: // symbols of 4 microseconds, with 16 bits in front and 6 behind
		return 20 + 4*uint64(math.Ceil(float64(16+8*bytes+6)/(4*h.rate))), 20
	}
	return 0, 0
}

// A clock is when the frame before ended, 0 where that is not known.
type clock struct{ end uint64 }

var clocks = dissect.NewStore[clock, int64]()

// onAir says how long the frame was on the air, and how long after the one before it came.
func (h *header) onAir(d *dissect.D) {
	bytes := d.Left() + d.Missing()
	duration, preamble := h.airtime(bytes)
	timed := duration > 0 && h.has>>isTime&1 != 0
	gap := clocks.FirstPassIn(d, func(c *clock) (gap int64) {
		before := c.end
		c.end = 0
		if timed {
			c.end = h.time
		}
		if timed && before != 0 {
			gap = int64(h.time - duration - before)
		}
		return gap
	})
	if duration == 0 {
		return
	}
	d.Set(rDuration, duration)
	d.Below(func() {
		d.Set(rPreamble, preamble)
		if gap != 0 {
			d.Set(rGap, uint64(gap))
		}
		if timed {
			d.Set(rStart, h.time-duration)
			d.Set(rEnd, h.time)
		}
	})
}

func micros(v uint64) string { return strconv.FormatInt(int64(v), 10) + "µs" }
