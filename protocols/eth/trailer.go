package eth

import (
	"hash/crc32"

	"remora/dissect"
)

// Frames have at least 60 bytes; 64 with the frame check sequence (IEEE 802.3 section 4.4.2).
const (
	minFrame = 60
	minWhole = 64
)

// payload hands on the payload; what it leaves is the frame's padding, trailer and check sequence. A length of -1 is
// not known here.
func payload(d *dissect.D, t dissect.Table, key uint32, length int) {
	d.Behind(length, func() { d.Next(t, key) }, func() { behind(d) })
}

func behind(d *dissect.D) {
	if n := padding(d); n > 0 {
		d.Bytes(fPad, n)
	}
	fcs := d.Packet().Interface().FCSLen
	if d.Left() < 4 || d.CutShort() || fcs == 0 || fcs < 0 && d.Packet().Len() < minWhole {
		d.Rest(fTail)
		return
	}
	if n := d.Left() - 4; n > 0 {
		d.Bytes(fTail, n)
	}
	check(d)
}

// padding is how many zeros fill the frame up to its shortest length.
func padding(d *dissect.D) int {
	n := minFrame - d.Pos()
	if n <= 0 || n > d.Left() {
		return 0
	}
	for _, c := range d.Data()[:n] {
		if c != 0 {
			return 0
		}
	}
	return n
}

// check reads the frame check sequence. Nothing says that the capture has one, so one that is wrong is not verified
// rather than bad.
func check(d *dissect.D) {
	sum := d.Uint(fFCS)
	if !d.Wanted(fFCSStat) {
		return
	}
	at := d.Pos()
	d.Seek(0)
	whole := d.Data()[:at-4]
	d.Seek(at)
	good := crc32.ChecksumIEEE(whole)
	// The bytes of the CRC go over the line lowest first.
	if uint64(good>>24|good>>8&0xff00|good<<8&0xff0000|good<<24) == sum {
		d.Suffix(fFCS, " [correct]")
		d.Set(fFCSStat, 1)
		return
	}
	d.Suffix(fFCS, " [unverified]")
	d.Set(fFCSStat, 2)
}
