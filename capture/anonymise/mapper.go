// Package anonymise takes from packets what tells who spoke and what was said: addresses and names become others, the
// same ones throughout, payload is cut, and checksums are mended. What it does not know is cut as well.
package anonymise

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash"
	"slices"
)

// A Mapper gives addresses and names others in their place, the same one for the same one. It is for one goroutine.
type Mapper struct {
	mac    hash.Hash
	first  [256]byte // the first bytes of public IPv4 addresses
	four   map[[4]byte][4]byte
	six    map[[16]byte][16]byte
	six0   map[[6]byte][6]byte
	labels map[string]string
}

// New is a mapper with a key that nobody else has.
func New() *Mapper {
	var key [32]byte
	_, _ = rand.Read(key[:]) // it does not fail
	return Keyed(key[:])
}

// Keyed is a mapper that maps as others with the same key do.
func Keyed(key []byte) *Mapper {
	m := &Mapper{mac: hmac.New(sha256.New, key), four: map[[4]byte][4]byte{}, six: map[[16]byte][16]byte{},
		six0: map[[6]byte][6]byte{}, labels: map[string]string{}}
	var open []byte
	for b := byte(1); b < 224; b++ {
		if m.first[b] = b; !slices.Contains(special, b) {
			open = append(open, b)
		}
	}
	for i := len(open) - 1; i > 0; i-- { // Fisher and Yates
		k := m.number('s', []byte{byte(i)}) % uint64(i+1)
		a, b := open[i], open[k]
		m.first[a], m.first[b] = m.first[b], m.first[a]
		open[i], open[k] = open[k], open[i]
	}
	return m
}

// special are the first bytes below which there are ranges that mean something: private, shared, loopback, link-local
// and documentation addresses. They stay, so that an address stays of its range.
var special = []byte{10, 100, 127, 169, 172, 192, 198, 203}

// number is what the key makes of some bytes.
func (m *Mapper) number(kind byte, b []byte) uint64 {
	s := m.sum(kind, b)
	var n uint64
	for _, c := range s[:8] {
		n = n<<8 | uint64(c)
	}
	return n
}

func (m *Mapper) sum(kind byte, b []byte) []byte {
	m.mac.Reset()
	m.mac.Write([]byte{kind, byte(len(b))})
	m.mac.Write(b)
	return m.mac.Sum(nil)
}

// flip changes the bits of an address behind the first ones, each by what stands in front of it: addresses that begin
// alike begin alike afterwards, and no two become one (as Crypto-PAn does).
func (m *Mapper) flip(kind byte, a []byte, keep int) {
	from := slices.Clone(a)
	prefix := make([]byte, len(a)+1)
	for bit := keep; bit < 8*len(a); bit++ {
		clear(prefix)
		copy(prefix, from[:bit/8])
		if bit%8 > 0 {
			prefix[bit/8] = from[bit/8] & (0xff << (8 - bit%8))
		}
		prefix[len(a)] = byte(bit)
		if m.sum(kind, prefix)[0]&1 != 0 {
			a[bit/8] ^= 0x80 >> (bit % 8)
		}
	}
}

// maxKept bounds each of the tables; beyond it addresses are worked out again.
const maxKept = 1 << 18

// ipv4 changes an address of IPv4 in its place. Its range stays: private, loopback, multicast and the like.
func (m *Mapper) ipv4(a []byte) {
	k := [4]byte(a)
	if v, ok := m.four[k]; ok {
		copy(a, v[:])
		return
	}
	switch {
	case k[0] == 0 || k[0] == 127 || k[0] >= 224: // this network, loopback, groups
	case k[0] == 10:
		m.flip('4', a, 8)
	case k[0] == 172 && k[1]&0xf0 == 16:
		m.flip('4', a, 12)
	case k[0] == 100 && k[1]&0xc0 == 64:
		m.flip('4', a, 10)
	case slices.Contains(special, k[0]):
		m.flip('4', a, 16)
	default:
		m.flip('4', a, 8)
		a[0] = m.first[k[0]]
	}
	if len(m.four) < maxKept {
		m.four[k] = [4]byte(a)
	}
}

// ipv6 changes an address of IPv6 in its place; the first bits, which say of what kind it is, stay.
func (m *Mapper) ipv6(a []byte) {
	k := [16]byte(a)
	if v, ok := m.six[k]; ok {
		copy(a, v[:])
		return
	}
	switch {
	case slices.Max(a[:15]) == 0: // unspecified and loopback
	case a[0] == 0xff:
		if a[11] == 1 && a[12] == 0xff { // a solicited node: the end of its address
			m.flip('n', a[13:], 0)
		}
	case slices.Max(a[:10]) == 0: // with an address of IPv4
		m.ipv4(a[12:])
	case a[0] == 0xfe:
		m.flip('6', a, 64)
	case a[0]&0xfe == 0xfc:
		m.flip('6', a, 8)
	default:
		m.flip('6', a, 4)
	}
	if len(m.six) < maxKept {
		m.six[k] = [16]byte(a)
	}
}

// ethernet changes a hardware address in its place: to a locally administered one, and groups stay.
func (m *Mapper) ethernet(a []byte) {
	k := [6]byte(a)
	v, ok := m.six0[k]
	if !ok {
		if v = k; k[0]&1 == 0 && k != [6]byte{} {
			copy(v[:], m.sum('e', a))
			v[0] = v[0]&^1 | 2
		}
		if len(m.six0) < maxKept {
			m.six0[k] = v
		}
	}
	copy(a, v[:])
}

// kept are labels of names that tell nothing about who asks: top-level domains and those of services.
var kept = []string{"com", "net", "org", "arpa", "in-addr", "ip6", "local", "_tcp", "_udp", "lan", "home", "internal"}

// label changes a label of a name in its place, to letters of the same number.
func (m *Mapper) label(b []byte) {
	if slices.Contains(kept, string(lower(b))) || len(b) > 0 && b[0] == '_' {
		return
	}
	key := string(lower(b))
	to, ok := m.labels[key]
	if !ok {
		var made []byte
		for i := byte(0); len(made) < len(b); i++ {
			for _, c := range m.sum('l'+i, []byte(key)) {
				made = append(made, 'a'+c%26)
			}
		}
		to = string(made[:len(b)])
		if len(m.labels) < maxKept {
			m.labels[key] = to
		}
	}
	copy(b, to)
}

func lower(b []byte) []byte {
	out := slices.Clone(b)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 32
		}
	}
	return out
}
