package wlan

import (
	"bytes"

	"remora/dissect"
)

type station [6]byte

// A link is an access point and a station, or two stations, the larger address in the access point's place.
type link struct{ ap, station station }

var everybody = station{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// A handshake is one that agreed on keys of a link, or began to.
type handshake struct {
	anonce, snonce []byte
	done           bool
	version        uint16 // of the key frames
	akm, group     uint8  // the way, and the cipher for groups
	key            linkKey
	number         uint32 // of the key, once it was kept
}

// A ring is all that is known of keys: the names of networks, and the handshakes of links, the newest first.
type ring struct {
	given   []givenKey
	read    bool
	last    string // the network that was named last
	names   dissect.BoundedMap[station, string]
	phrases dissect.BoundedMap[string, []byte]
	links   dissect.BoundedMap[link, []*handshake]
}

// Bounds of a ring.
const (
	maxNames      = 1024
	maxPhrases    = 256
	maxLinks      = 4096
	maxHandshakes = 8
)

// A keyNote says which key decrypts a frame, or why none does.
type keyNote struct {
	Key uint32
	Why uint8
}

// Why a frame is not decrypted.
const (
	whyNoHandshake = iota + 1
	whyWrongKey
	whyNoWEP
	whyCut
)

var whys = [...]string{
	whyNoHandshake: "no handshake was seen that one of the keys fits (80211_keys)",
	whyWrongKey:    "the keys of this link do not fit: was a handshake missed?",
	whyNoWEP:       "none of the WEP keys fits (80211_keys)",
	whyCut:         "it was not captured whole",
}

var (
	rings = dissect.NewStore[ring, keyNote]()
	kept  = dissect.NewList[linkKey]()
)

// active tells whether there is something to decrypt with.
func active(d *dissect.D) bool { return pDecrypt.On(d) && len(pKeys.Rows(d)) > 0 }

// withKeys runs a change on the ring, in which the person's keys are.
func withKeys(d *dissect.D, change func(r *ring) keyNote) keyNote {
	return rings.FirstPassIn(d, func(r *ring) keyNote {
		if !r.read {
			r.read = true
			for _, row := range pKeys.Rows(d) {
				if k, err := keyOf(row); err == nil {
					r.given = append(r.given, k)
				}
			}
		}
		return change(r)
	})
}

// nameNetwork remembers the name of a network.
func nameNetwork(d *dissect.D, ap station, ssid []byte) {
	if len(ssid) == 0 || len(ssid) > maxSSID {
		return
	}
	withKeys(d, func(r *ring) keyNote {
		r.last = string(ssid)
		*r.names.Get(ap, maxNames) = r.last
		return keyNote{}
	})
}

// linkOf is the link of a frame by its addresses.
func linkOf(b []byte) link {
	first, second, third := station(b[4:10]), station(b[10:16]), station(b[16:22])
	switch b[1] & 3 {
	case flagToDS:
		return link{first, second}
	case flagFromDS:
		return link{second, first}
	case flagToDS | flagFromDS:
		return pair(first, second)
	}
	if b[0]&0x0c == 0x08 && second != third && first != third {
		return pair(first, second)
	}
	if second == third {
		return link{third, first}
	}
	return link{third, second}
}

// pair is a link of two that are equal.
func pair(a, b station) link {
	if bytes.Compare(a[:], b[:]) < 0 {
		a, b = b, a
	}
	return link{a, b}
}

// add puts a handshake in front of those of a link.
func (r *ring) add(id link, h *handshake) {
	list := r.links.Get(id, maxLinks)
	*list = append([]*handshake{h}, *list...)
	if len(*list) > maxHandshakes {
		*list = (*list)[:maxHandshakes]
	}
}

// newest is the newest handshake of a link, or nil.
func (r *ring) newest(id link) *handshake {
	if list := r.links.Find(id); list != nil && len(*list) > 0 {
		return (*list)[0]
	}
	return nil
}

// keep gives a key its number.
func (h *handshake) keep(d *dissect.D) uint32 {
	if h.number == 0 {
		h.number = kept.Put(d, h.key)
	}
	return h.number
}

// open finds the key of a frame.
func (r *ring) open(d *dissect.D, frame []byte, header int) keyNote {
	id := linkOf(frame)
	if frame[4]&1 != 0 {
		id.station = everybody
	}
	wep := frame[header+3]&extendedIV == 0
	note := keyNote{Why: whyNoHandshake}
	if wep {
		note.Why = whyNoWEP
	}
	for _, h := range r.all(id) {
		if !h.done || wep != (h.key.Cipher == cipherWEP) {
			continue
		}
		d.Spend(2 * len(frame))
		if note.Why = whyWrongKey; h.key.open(frame, header) != nil {
			return keyNote{Key: h.keep(d)}
		}
	}
	for _, k := range r.given {
		for _, cipher := range k.ciphers(wep) {
			h := &handshake{done: true, akm: 2, key: linkKey{Cipher: cipher, TKs: uint8(len(k.key))}}
			copy(h.key.TK[:], k.key)
			d.Spend(2 * len(frame))
			if h.key.open(frame, header) != nil {
				r.add(id, h)
				return keyNote{Key: h.keep(d)}
			}
		}
	}
	return note
}

// ciphers are those that a person's key may be of by itself.
func (k *givenKey) ciphers(wep bool) []uint8 {
	switch {
	case wep && k.sort == sortWEP:
		return []uint8{cipherWEP}
	case wep || k.sort != sortTK:
		return nil
	case len(k.key) == 32:
		return []uint8{cipherGCMP256, cipherCCMP256}
	}
	return []uint8{cipherCCMP, cipherGCMP, cipherTKIP}
}
