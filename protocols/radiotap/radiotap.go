// Package radiotap dissects the header that radios put in front of IEEE 802.11 frames (radiotap.org): which fields it
// has is told by bits at its start, each field stands at a multiple of its size, and all numbers have the lowest byte
// first.
package radiotap

import (
	"fmt"
	"math"
	"strconv"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// tableRadio is that of Decode As alone: nothing hands on by it.
const tableRadio dissect.Table = "wlan_radio"

// tableHeader has the header under 0, for those who carry it.
const tableHeader dissect.Table = "radiotap"

var (
	proto = dissect.NewProtocol("radiotap", "Radiotap", "What a radio says of the 802.11 frame that follows.").
		Summary("Radiotap Header v{version}, Length {length}").LittleEndian().Quiet().SharesFields(radio)
	radio = dissect.NewProtocol("wlan_radio", "802.11 Radio", "What is known of an 802.11 frame besides its bytes.").
		Summary("802.11 radio information")
)

const linkRadiotap = 127

// Plugin attaches the header to its link type.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: frame,
		On: []dissect.Key{{Table: dissect.TableLink, Value: linkRadiotap}, {Table: tableHeader}}}
}

// Radio declares the fields that do not depend on the header's sort.
func Radio() dissect.Plugin {
	return dissect.Plugin{Protocol: radio, Dissect: func(d *dissect.D) { d.Reject() },
		On: []dissect.Key{{Table: tableRadio}}}
}

// A header is what its fields said, for the layers behind.
type header struct {
	start         int
	flags         uint64
	freq, channel uint64
	rate          float64
	time          uint64
	signal, noise int64
	has           uint32 // bits of what was there
}

const (
	maxWords = 32

	bitRadiotap = 29
	bitVendor   = 30
	bitMore     = 31
)

func frame(d *dissect.D) {
	h := header{start: d.Pos()}
	d.Uint(fVersion)
	d.Uint(fPad)
	n := int(d.Uint(fLength)) - 4
	if d.Short() {
		return
	}
	if n < 4 || n > d.Left() && !d.CutShort() {
		d.Expert(nLength)
	}
	d.Within(max(n, 0), func() { h.read(d) })
	h.radioFields(d)
	d.Next(tables.WLAN, uint32(h.flags>>4&3))
}

// read reads the words that say what is there, and then the fields.
func (h *header) read(d *dissect.D) {
	if d.Left() < 4 {
		d.Rest(fOther)
		return
	}
	var words []uint32
	d.In(fPresent, func() {
		for more := d.Elements(); len(words) < maxWords && more.Next(); {
			w := uint32(dissect.Parts(d, fWord, presentBits...))
			words = append(words, w)
			if w>>bitMore&1 == 0 {
				break
			}
		}
	})
	known := true // the fields are radiotap's own, and their sizes known
	for i, w := range words {
		if i > 0 && words[i-1]>>bitRadiotap&1 == 0 && words[i-1]>>bitVendor&1 == 0 {
			known = known && w&(1<<bitRadiotap-1) == 0 // numbers from 32 on are not given yet
		}
		for bit := range bitRadiotap {
			if known && w>>bit&1 != 0 && d.More() {
				known = h.field(d, bit)
			}
		}
		if w>>bitVendor&1 != 0 && known && d.More() {
			d.Bytes(fVendor, min(6+int(d.Peek(4))+int(d.Peek(5))<<8, d.Left()))
		}
	}
	d.Rest(fOther)
}

// layouts are where fields stand and how long they are (radiotap.org/fields).
var layouts = map[int]struct{ align, size int }{
	0: {8, 8}, 1: {1, 1}, 2: {1, 1}, 3: {2, 4}, 4: {2, 2}, 5: {1, 1}, 6: {1, 1}, 7: {2, 2}, 8: {2, 2}, 9: {2, 2},
	10: {1, 1}, 11: {1, 1},
	12: {1, 1}, 13: {1, 1}, 14: {2, 2}, 15: {2, 2}, 16: {1, 1}, 17: {1, 1}, 18: {4, 8}, 19: {1, 3}, 20: {4, 8},
	21: {2, 12}, 22: {8, 12}, 23: {2, 12}, 24: {2, 12}, 26: {1, 1}, 27: {2, 4},
}

// field reads one field, and tells whether its size is known.
func (h *header) field(d *dissect.D, bit int) bool {
	l, ok := layouts[bit]
	if !ok {
		return false
	}
	if gap := -(d.Pos() - h.start) & (l.align - 1); gap > 0 {
		d.Bytes(fOther, gap)
	}
	if d.Left() < l.size {
		d.Expert(nLength)
		return false
	}
	h.has |= 1 << bit
	d.Within(l.size, func() {
		if !h.common(d, bit) {
			h.rare(d, bit)
		}
		d.Rest(fOther)
	})
	return true
}

// The numbers of the fields that are told to everybody.
const (
	isTime    = 0
	isRate    = 2
	isChannel = 3
	isSignal  = 5
	isNoise   = 6
)

func (h *header) common(d *dissect.D, bit int) bool {
	switch bit {
	case isTime:
		h.time = d.Uint(fTime)
	case 1:
		h.flags = dissect.Parts(d, fFlags, flagBits...)
	case isRate:
		at := d.Pos()
		h.rate = float64(d.Peek(0)) / 2
		d.Skip(1)
		if d.Put(fRate, dissect.Float64(h.rate), at, 1); d.Labelling() {
			dissect.Relabel(d, fRate, "Data Rate: "+megabits(dissect.Float64(h.rate)))
		}
	case isChannel:
		if h.freq = d.Uint(fFreq); d.Labelling() {
			d.Suffix(fFreq, band(h.freq))
		}
		h.channel = d.Bits(fChFlags, channelBits...)
	case isSignal:
		h.signal = d.Int(fSignal)
	case isNoise:
		h.noise = d.Int(fNoise)
	case 11:
		d.Uint(fAntenna)
	case 14:
		dissect.Parts(d, fRxFlags, fBadPLCP)
	default:
		return false
	}
	return true
}

func (h *header) rare(d *dissect.D, bit int) {
	switch bit {
	case 4:
		d.Uint(fHop)
		d.Uint(fHopPat)
	case 10:
		d.Int(fTxPower)
	case 18:
		h.channel = d.Bits(fXFlags, xchannelBits...)
		h.freq = d.Uint(fXFreq)
		d.Uint(fXChannel)
	case 19:
		d.In(fMCS, func() { mcs(d) })
	case 20:
		d.In(fAMPDU, func() {
			d.Uint(fAMPDURef)
			d.Bits(fAMPDUFlags, ampduBits...)
			d.Uint(fAMPDUCRC)
			d.Rest(fOther)
		})
	case 21:
		d.In(fVHT, func() {
			vht(d)
			d.Rest(fOther)
		})
	case 23:
		d.In(fHE, func() { he(d) })
	default:
		if f := numbers[bit]; f != nil {
			d.Uint(f)
		}
	}
}

var numbers = map[int]*dissect.Field{7: fQuality, 8: fTxAtt, 9: fTxAttDB, 12: fSignalDB, 13: fNoiseDB, 15: fTxFlags,
	17: fRetries}

// mcs is how 802.11n sends: what is known, and its values.
func mcs(d *dissect.D) {
	known := d.Bits(fMCSKnown, mcsBits...)
	at, flags := d.Pos(), uint64(d.Peek(0))
	d.Skip(1)
	for i, f := range []*dissect.Field{0: fMCSBW, 2: fMCSGI, 3: fMCSFormat, 4: fMCSFEC, 5: fMCSSTBC} {
		if f != nil && known>>i&1 != 0 {
			d.Put(f, flags, at, 1)
		}
	}
	d.Uint(fMCSIndex)
}

// radioFields says what is known of the frame in the fields that all such headers share.
func (h *header) radioFields(d *dissect.D) {
	dissect.Beside(d, radio, func() {
		h.way(d)
		if h.has>>isRate&1 != 0 && h.rate > 0 {
			d.Put(rRate, dissect.Float64(h.rate), d.Pos(), 0)
		}
		if h.freq > 0 {
			if ch := channel(h.freq); ch > 0 {
				d.Put(rChannel, ch, d.Pos(), 0)
			}
			d.Put(rFreq, h.freq, d.Pos(), 0)
		}
		if h.has>>isSignal&1 != 0 {
			d.Put(rSignal, uint64(h.signal), d.Pos(), 0)
		}
		if h.has>>isNoise&1 != 0 {
			d.Put(rNoise, uint64(h.noise), d.Pos(), 0)
		}
		if h.has>>isSignal&h.has>>isNoise&1 != 0 {
			d.Put(rSNR, uint64(h.signal-h.noise), d.Pos(), 0)
		}
		if h.has>>isTime&1 != 0 {
			d.Put(rTime, h.time, d.Pos(), 0)
		}
		h.onAir(d)
	})
}

// channel is the number of the channel at a frequency (IEEE 802.11-2020 annex E), or 0.
func channel(mhz uint64) uint64 {
	switch {
	case mhz == 2484:
		return 14
	case mhz >= 2412 && mhz <= 2472:
		return (mhz - 2407) / 5
	case mhz >= 5000 && mhz < 5950:
		return (mhz - 5000) / 5
	case mhz >= 5955 && mhz <= 7115:
		return (mhz - 5950) / 5
	}
	return 0
}

func megahertz(v uint64) string { return strconv.FormatUint(v, 10) + "MHz" }

func megabits(v uint64) string {
	return strconv.FormatFloat(math.Float64frombits(v), 'f', 1, 64) + " Mb/s"
}

// band names the channel of a frequency, of the bands of 2.4 and 5 GHz.
func band(freq uint64) string {
	ch := channel(freq)
	switch {
	case ch == 0 || freq > 5885:
		return ""
	case freq < 3000:
		return fmt.Sprintf(" [BG %d]", ch)
	}
	return fmt.Sprintf(" [A %d]", ch)
}
