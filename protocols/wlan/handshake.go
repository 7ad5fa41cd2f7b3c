package wlan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"remora/dissect"
	"remora/protocols/internal/keydata"
)

// A keyFrame is a frame that agrees on keys (IEEE 802.11-2020 section 12.7.2).
type keyFrame struct {
	frame             []byte // from its version on
	wpa               bool   // the key descriptor is that of WPA
	info              uint16
	keyLength         int
	nonce, iv         []byte
	code, data        []byte
	unproved          []byte // the frame with zeros in the place of the code
	pairwise, install bool
	ack               bool
}

// keyFrameOf reads a frame of 802.1X, or gives false for other ones.
func keyFrameOf(b []byte) (f keyFrame, ok bool) {
	if len(b) < 4 || b[1] != 3 {
		return f, false
	}
	n := int(binary.BigEndian.Uint16(b[2:]))
	if n > len(b)-4 || n < 95 || b[4] != 2 && b[4] != 254 {
		return f, false
	}
	b = b[:4+n]
	code := keydata.Code(b[5:])
	at := 81 + code
	if len(b) < at+2 {
		return f, false
	}
	f = keyFrame{frame: b, wpa: b[4] == 254, info: binary.BigEndian.Uint16(b[5:]),
		keyLength: int(binary.BigEndian.Uint16(b[7:])), nonce: bytes.Clone(b[17:49]), iv: b[49:65], code: b[81:at]}
	size := min(int(binary.BigEndian.Uint16(b[at:])), len(b)-at-2)
	f.data = b[at+2 : at+2+size]
	f.unproved = bytes.Clone(b)
	clear(f.unproved[81:at])
	f.pairwise, f.install, f.ack = f.info&8 != 0, f.info&0x40 != 0, f.info&0x80 != 0
	return f, true
}

// version says which algorithms encrypt and prove.
func (f *keyFrame) version() uint16 { return f.info & 7 }

// elementsOf are the elements of a kind that matter for keys, with their heads.
func elementsOf(b []byte, each func(kind byte, whole []byte)) {
	for p := (dissect.Progress{}); len(b) >= 2 && int(b[1])+2 <= len(b) && p.Down(len(b)); {
		n := int(b[1]) + 2
		each(b[0], b[:n:n])
		b = b[n:]
	}
}

// agreed is what elements say of keys.
type agreed struct {
	akm, cipher, groupOf uint8
	rsn, domain, fast    []byte // whole elements
	resource             []byte
	fastLink
}

func agreedOf(b []byte) (a agreed) {
	elementsOf(b, func(kind byte, e []byte) {
		switch {
		case kind == tagRSN:
			a.rsn = e
			a.suites(e[2:])
		case kind == tagVendor && len(e) > 6 && bytes.Equal(e[2:6], []byte{0, 0x50, 0xf2, 1}):
			a.suites(e[6:])
		case kind == tagDomain && len(e) >= 4:
			a.domain, a.fastLink.domain = e, e[2:4]
		case kind == tagFast && len(e) >= 2+82:
			a.fast = e
			a.code, a.anonce, a.snonce = e[4:20], e[20:52], e[52:84]
			a.holders(e[84:])
		case kind == tagResource:
			a.resource = e
		}
	})
	return a
}

const (
	tagDomain   = 54
	tagFast     = 55
	tagTimeout  = 56
	tagResource = 57
	tagLink     = 101
)

// holders reads what stands behind the nonces of a fast transition.
func (a *agreed) holders(b []byte) {
	elementsOf(b, func(kind byte, e []byte) {
		switch {
		case kind == 1 && len(e) == 8:
			a.r1 = e[2:]
		case kind == 3 && len(e) <= 50:
			a.r0 = e[2:]
		case kind == 2 && len(e) > 13+8:
			a.group, a.groupBytes = e[13:], int(e[4])
		}
	})
}

// suites reads ciphers and ways to agree on keys (IEEE 802.11-2020 section 9.4.2.24), the first of each.
func (a *agreed) suites(b []byte) {
	if len(b) < 6 {
		return
	}
	a.groupOf = b[5]
	b = b[6:]
	for _, to := range []*uint8{&a.cipher, &a.akm} {
		if len(b) < 2 {
			return
		}
		n := int(binary.LittleEndian.Uint16(b))
		if b = b[2:]; n == 0 || len(b) < 4*n {
			return
		}
		*to = b[3]
		b = b[4*n:]
	}
}

// pmks are the pairwise master keys to try: those of the person's keys, made for the network and the way.
func (r *ring) pmks(d *dissect.D, ap station, kind uint8, try func(key []byte, ssid string) bool) bool {
	var names []string
	for _, name := range []string{"", r.last} {
		if n := r.names.Find(ap); name == "" && n != nil {
			name = *n
		}
		if name != "" && (len(names) == 0 || names[0] != name) {
			names = append(names, name)
		}
	}
	for _, k := range r.given {
		switch k.sort {
		case sortPhrase:
			ssids := names
			if !k.anyNet {
				ssids = []string{k.ssid}
			}
			for _, ssid := range ssids {
				if try(r.phrase(d, k.key, ssid), ssid) {
					return true
				}
			}
		case sortPSK, sortMSK:
			key := k.key
			if k.sort == sortMSK {
				key = master(key, kind)
			}
			for _, ssid := range append(names, "")[:max(1, len(names))] {
				if try(key, ssid) {
					return true
				}
			}
		}
	}
	return false
}

// phrase is the key of a passphrase in a network, made once.
func (r *ring) phrase(d *dissect.D, phrase []byte, ssid string) []byte {
	key := r.phrases.Get(string(phrase)+"\x00"+ssid, maxPhrases)
	if *key == nil {
		d.Spend(pskCosts)
		*key = psk(phrase, ssid)
	}
	return *key
}

// master is the part of what EAP agreed on that is the pairwise master key (IEEE 802.11-2020 section 12.7.1.3).
func master(msk []byte, kind uint8) []byte {
	switch kind {
	case 3:
		return msk[32:64]
	case 12, 13:
		return msk[:48]
	}
	return msk[:32]
}

// take takes a key frame, and gives the key that its key data is encrypted with.
func (r *ring) take(d *dissect.D, id link, f *keyFrame) keyNote {
	d.Spend(2 * len(f.frame))
	h := r.newest(id)
	switch {
	case f.info&0x0800 != 0: // a request
	case f.pairwise && f.ack && !f.install:
		if h == nil || h.done {
			h = &handshake{}
			r.add(id, h)
		}
		h.anonce, h.version = f.nonce, f.version()
	case f.pairwise && !f.ack && len(f.data) > 0:
		if h != nil && h.anonce != nil {
			r.second(d, id, h, f)
		}
	case f.ack && h != nil:
		return r.third(d, id, f)
	}
	return keyNote{}
}

// second takes the message in which the station tells its nonce, and finds the key that proves it.
func (r *ring) second(d *dissect.D, id link, h *handshake, f *keyFrame) {
	if h.done && bytes.Equal(h.snonce, f.nonce) {
		return
	}
	a := agreedOf(f.data)
	if f.version() == 1 {
		a.akm, a.cipher, a.groupOf = 2, cipherTKIP, cipherTKIP
	}
	way, known := akmOf(a.akm)
	n := way.kck + way.kek + temporal(a.cipher)
	if !known || temporal(a.cipher) == 0 || way.fast && (a.fastLink.domain == nil || a.fast == nil) {
		return
	}
	r.pmks(d, id.ap, a.akm, func(pmk []byte, ssid string) bool {
		d.Spend(8 * 64)
		var keys []byte
		if way.fast {
			a.ssid = ssid
			keys = way.fastKeys(pmk, id, &a.fastLink, h.anonce, f.nonce, n)
		} else {
			keys = way.linkKeys(pmk, id, h.anonce, f.nonce, n)
		}
		if !way.proves(f.version(), keys[:way.kck], f.unproved, f.code) {
			return false
		}
		if h.done { // another answer to the same question
			h = &handshake{anonce: h.anonce}
			r.add(id, h)
		}
		h.fill(way, &a, pmk, keys)
		h.snonce, h.version = f.nonce, f.version()
		return true
	})
}

// fill takes the keys of a link apart.
func (h *handshake) fill(way akm, a *agreed, pmk, keys []byte) {
	h.done, h.akm, h.group = true, a.akm, a.groupOf
	k := linkKey{Cipher: a.cipher, TKs: uint8(temporal(a.cipher)), KCKs: uint8(way.kck), KEKs: uint8(way.kek),
		PMKs: uint8(len(pmk))}
	copy(k.PMK[:], pmk)
	copy(k.KCK[:], keys[:way.kck])
	copy(k.KEK[:], keys[way.kck:way.kck+way.kek])
	copy(k.TK[:], keys[way.kck+way.kek:])
	h.key = k
}

// third takes a message of the access point with the key of the group, if it is there.
func (r *ring) third(d *dissect.D, id link, f *keyFrame) keyNote {
	for _, h := range r.all(id) {
		if !h.done || h.key.KEKs == 0 {
			continue
		}
		plain := f.data
		note := keyNote{}
		if f.sealed() {
			if plain = f.open(&h.key); plain == nil {
				continue
			}
			note.Key = h.keep(d)
		}
		r.joinGroup(id, h, f.groupKey(plain))
		return note
	}
	return keyNote{}
}

// sealed tells whether the key data is encrypted.
func (f *keyFrame) sealed() bool { return len(f.data) > 0 && (f.info&0x1000 != 0 || !f.pairwise) }

// open decrypts the key data, or gives nil. What the first version encrypts proves nothing.
func (f *keyFrame) open(k *linkKey) []byte {
	kek := k.KEK[:k.KEKs]
	if f.version() != 1 {
		return unwrap(kek, f.data)
	}
	way, _ := akmOf(2)
	if !way.proves(1, k.KCK[:k.KCKs], f.unproved, f.code) {
		return nil
	}
	return unscramble(f.iv, kek, f.data)
}

// groupKey is the key of the group in decrypted key data, or nil.
func (f *keyFrame) groupKey(plain []byte) (key []byte) {
	if f.wpa {
		if f.pairwise || f.keyLength > len(plain) {
			return nil
		}
		return plain[:f.keyLength]
	}
	elementsOf(plain, func(kind byte, e []byte) {
		if kind == tagVendor && len(e) > 8 && bytes.Equal(e[2:6], []byte{0, 0x0f, 0xac, 1}) {
			key = e[8:]
		}
	})
	return key
}

// joinGroup keeps the key of a group.
func (r *ring) joinGroup(id link, h *handshake, key []byte) {
	if temporal(h.group) == 0 || len(key) != temporal(h.group) {
		return
	}
	g := &handshake{done: true, akm: h.akm, key: linkKey{Cipher: h.group, TKs: uint8(len(key))}}
	copy(g.key.TK[:], key)
	id.station = everybody
	for _, have := range r.all(id) {
		if have.key == g.key {
			return
		}
	}
	r.add(id, g)
}

// reassociated takes a frame with which a station moves to another access point (IEEE 802.11-2020 section 13.8).
func (r *ring) reassociated(d *dissect.D, id link, step byte, body []byte) keyNote {
	a := agreedOf(body)
	way, known := akmOf(a.akm)
	n := way.kck + way.kek + temporal(a.cipher)
	if !known || !way.fast || temporal(a.cipher) == 0 || a.fast == nil || a.domain == nil || a.r0 == nil || a.r1 == nil {
		return keyNote{}
	}
	proved := append(bytes.Clone(id.station[:]), id.ap[:]...)
	proved = append(append(append(proved, step), a.rsn...), a.domain...)
	proved = append(append(append(proved, a.fast[:4]...), make([]byte, 16)...), a.fast[20:]...)
	proved = append(proved, a.resource...)
	h := &handshake{anonce: a.anonce, snonce: a.snonce}
	found := r.pmks(d, id.ap, a.akm, func(pmk []byte, ssid string) bool {
		d.Spend(8*64 + len(proved))
		a.ssid = ssid
		keys := way.fastKeys(pmk, id, &a.fastLink, a.anonce, a.snonce, n)
		sum := cmac(keys[:way.kck], proved)
		if len(sum) == 0 || !bytes.Equal(sum, a.code) {
			return false
		}
		h.fill(way, &a, pmk, keys)
		return true
	})
	if !found {
		return keyNote{}
	}
	r.add(id, h)
	if a.group != nil {
		if key := unwrap(h.key.KEK[:h.key.KEKs], a.group); len(key) >= a.groupBytes {
			r.joinGroup(id, h, key[:a.groupBytes])
		}
	}
	return keyNote{}
}

// tunnelled takes a frame with which two stations set up a link of their own (IEEE 802.11-2020 section 12.7.8).
func (r *ring) tunnelled(d *dissect.D, b []byte) keyNote {
	if len(b) < 8 || b[0] != 1 && b[0] != 2 {
		return keyNote{}
	}
	step, at := b[0]+1, 6
	if b[0] == 2 {
		at = 4 // no capabilities
	}
	var rsn, fast, timeout, ends []byte
	elementsOf(b[at:], func(kind byte, e []byte) {
		switch {
		case kind == tagRSN:
			rsn = e
		case kind == tagFast && len(e) >= 84:
			fast = e
		case kind == tagTimeout:
			timeout = e
		case kind == tagLink && len(e) >= 20:
			ends = e
		}
	})
	if rsn == nil || fast == nil || timeout == nil || ends == nil {
		return keyNote{}
	}
	d.Spend(4 * len(b))
	ap, asker, other := ends[2:8], ends[8:14], ends[14:20]
	id := pair(station(asker), station(other))
	secret := sha256.Sum256(ordered(fast[20:52], fast[52:84]))
	keys := kdf(sha256.New, secret[:], "TDLS PMK", append(ordered(asker, other), ap...), 32)
	proved := append(append(bytes.Clone(asker), other...), step)
	proved = append(append(append(proved, ends...), rsn...), timeout...)
	proved = append(append(append(proved, fast[:4]...), make([]byte, 16)...), fast[20:]...)
	if sum := cmac(keys[:16], proved); !bytes.Equal(sum, fast[4:20]) {
		return keyNote{}
	}
	h := &handshake{done: true, akm: 7, key: linkKey{Cipher: cipherCCMP, TKs: 16}}
	copy(h.key.TK[:], keys[16:])
	for _, have := range r.all(id) {
		if have.key == h.key {
			return keyNote{}
		}
	}
	r.add(id, h)
	return keyNote{}
}

// all are the handshakes of a link.
func (r *ring) all(id link) []*handshake {
	if list := r.links.Find(id); list != nil {
		return *list
	}
	return nil
}
