// Package wlan dissects IEEE 802.11 (IEEE 802.11-2020): management frames with their elements, control frames, and data
// frames with what they carry where it is not encrypted. Numbers have the lowest byte first.
package wlan

import (
	"hash/crc32"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

const linkFrames = 105

// Plugin attaches 802.11 to its link type and to the headers of radios.
func Plugin() dissect.Plugin {
	ends := &dissect.EndLayer{Title: "IEEE 802.11", Rare: true, Source: fSA, Dest: fDA, Sender: fTA, Taker: fRA}
	p := dissect.Plugin{Protocol: proto, Ends: ends, Dissect: frame, Make: remake,
		On: []dissect.Key{{Table: dissect.TableLink, Value: linkFrames}}}
	for key := range uint32(4) {
		p.On = append(p.On, dissect.Key{Table: tables.WLAN, Value: key})
	}
	return p
}

// The types of frames, and bits of the flags.
const (
	typeManagement = 0
	typeControl    = 1
	typeData       = 2

	flagToDS      = 0x01
	flagFromDS    = 0x02
	flagRetry     = 0x08
	flagProtected = 0x40
	flagOrder     = 0x80
)

// A header is what the body must know of it.
type header struct {
	kind, flags uint64 // kind is type<<4 | subtype
	src, dst    dissect.Addr
	qos         uint64
	pad         bool // the header is filled up to four bytes
	fcs         bool
	start, gap  int // where it begins, and the bytes that fill it up
	link        link
	whole       []byte // from start on
	body        int    // length of a management frame's body that is read behind the frame check sequence
	bodyAt      int
}

func (h *header) sort() uint64 { return h.kind >> 4 }

func frame(d *dissect.D) {
	h := header{start: d.Pos()}
	if d.Inner().Table() == tables.WLAN {
		h.fcs, h.pad = d.Inner().Key()&1 != 0, d.Inner().Key()&2 != 0
	} else if n := d.Packet().Interface().FCSLen; n > 0 {
		h.fcs = true
	}
	whole := d.Data()
	if h.whole = whole; len(whole) >= 22 {
		h.link = linkOf(whole)
	}
	after := -1
	if h.fcs && d.Left() >= 4 && !d.CutShort() {
		after = d.Left() - 4
	}
	d.Behind(after, func() { h.read(d) }, func() { check(d, whole) })
	if h.body > 0 && !d.Short() {
		end := d.Pos()
		d.Seek(h.bodyAt)
		d.Within(h.body, func() { h.managed(d, dissect.Beside) })
		d.Seek(end)
	}
}

func (h *header) read(d *dissect.D) {
	h.control(d)
	if d.Short() {
		return
	}
	if version := h.whole[0] & 3; version > 1 {
		if d.Info().Wanted() {
			d.Info().Setf("Unknown protocol version: %d", int(version))
		}
		d.Rest(fMIC)
		return
	}
	switch h.sort() {
	case typeManagement:
		h.management(d)
	case typeControl:
		h.short(d)
	case typeData:
		h.data(d)
	default:
		if d.Info().Wanted() {
			d.Info().Setf("%s, Flags=%s", h.name(), h.letters())
		}
		d.Rest(fMIC)
	}
}

// control is the frame control field (IEEE 802.11-2020 section 9.2.4.1).
func (h *header) control(d *dissect.D) {
	at, first, second := d.Pos(), uint64(d.Peek(0)), uint64(d.Peek(1))
	h.kind, h.flags = first<<2&0x30|first>>4, second
	if d.Left() < 2 {
		d.Rest(fMIC)
		d.Uint(fFC) // which is not there
		return
	}
	d.SetKind(fKind, h.kind, at, 1)
	if d.Labelling() {
		d.Suffix(proto.Self(), ", Flags: "+h.letters())
	}
	d.Uint(fFC)
	d.Below(func() {
		for _, f := range []*dissect.Field{fVersion, fType, fSubtype} {
			d.Put(f, first, at, 1)
		}
		d.Put(fFlags, second, at+1, 1)
		d.Below(func() {
			for _, f := range []*dissect.Field{fDS, fToDS, fFromDS, fMoreFrag, fRetry, fPower, fMoreData, fProtected, fOrder} {
				d.Put(f, second, at+1, 1)
			}
		})
	})
	if h.flags&flagRetry != 0 {
		d.Expert(nRetry)
	}
	if h.kind == controlPoll {
		dissect.Parts(d, fAID)
	} else {
		d.Uint(fDuration)
	}
}

// letters are the flags as the Info column shows them, the highest first; dots are flags that are not set.
func (h *header) letters() string {
	var b strings.Builder
	for i, c := range "opmPRMFT" {
		if h.flags&(0x80>>i) == 0 {
			c = '.'
		}
		b.WriteRune(c)
	}
	if h.fcs {
		b.WriteByte('C')
	}
	return b.String()
}

func (h *header) name() string {
	if name := subtypes[h.kind]; name != "" {
		return name
	}
	return "Unrecognized (Reserved frame)"
}

// byName are the fields of addresses with the names of stations in their place.
var byName = map[*dissect.Field]*dissect.Field{
	fRA: named("ra", "Receiver address"), fTA: named("ta", "Transmitter address"), fDA: named("da", "Destination address"),
	fSA:    named("sa", "Source address"),
	fBSSID: named("bssid", "BSS Id"), fStation: named("staa", "STA address"), fAddr: fAddrRes,
}

func named(name, label string) *dissect.Field {
	return proto.String(name+"_resolved", label+" (resolved)", "The "+label+", by its name where it has one.").Hidden()
}

// address reads an address that several fields stand for.
func address(d *dissect.D, fields ...*dissect.Field) dissect.Addr {
	at := d.Pos()
	a := d.Ether(fields[0])
	if d.Short() {
		return a
	}
	for _, f := range fields[1:] {
		d.Put(f, a.Uint64(), at, 6)
	}
	d.Put(fAddr, a.Uint64(), at, 6)
	for _, f := range append(fields, fAddr) {
		if name := byName[f]; name != nil && d.Wanted(name) {
			d.PutText(name, d.Names().Resolve(a), at, 6)
		}
	}
	return a
}

// sequence is the number of the frame and of its fragment.
func (h *header) sequence(d *dissect.D) {
	n := d.PeekUint(0, 2)
	n = n>>8 | n<<8&0xff00
	dissect.Parts(d, fFrag, fSeq)
	d.Ends().Set(h.src, h.dst)
	if d.Info().Wanted() {
		d.Info().Setf("%s, SN=%d, FN=%d, Flags=%s", h.name(), n>>4, n&15, h.letters())
	}
}

// check reads the frame check sequence.
func check(d *dissect.D, whole []byte) {
	sum := d.Uint(fFCS)
	if !d.Wanted(fFCSStatus) && !d.Wanted(nFCS) || d.Short() || len(whole) < 4 {
		return
	}
	if uint64(crc32.ChecksumIEEE(whole[:len(whole)-4])) != sum {
		d.Suffix(fFCS, " [incorrect]")
		d.Set(fFCSStatus, 0)
		d.Expert(nFCS)
		return
	}
	d.Suffix(fFCS, " [correct]")
	d.Set(fFCSStatus, 1)
}
