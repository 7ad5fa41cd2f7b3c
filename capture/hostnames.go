package capture

import (
	"bytes"
	"net/netip"

	"remora/capture/internal/pcapng"
)

// The records of a Name Resolution Block (draft-ietf-opsawg-pcapng section 4.5).
const (
	nameEnd  = 0
	nameIPv4 = 1
	nameIPv6 = 2
)

// HostNames calls each with the names of hosts that the file itself holds, in its Name Resolution Blocks, as far as it
// was read. from is how many blocks the caller knows already; what it returns is what to give the next time.
func (s *Store) HostNames(from int, each func(netip.Addr, string)) (next int) {
	kept := s.Blocks(from)
	for _, k := range kept {
		if k.Kind != pcapng.BlockNames || k.Len < 16 {
			continue
		}
		if b := s.BlockBytes(k); b != nil {
			hostNames(b[8:len(b)-4], k.BigEndian, each)
		}
	}
	return from + len(kept)
}

// hostNames reads the records of one block, each an address and the names behind it, of which the first counts.
func hostNames(b []byte, big bool, each func(netip.Addr, string)) {
	for len(b) >= 4 {
		code, n := pcapng.U16(b, big), int(pcapng.U16(b[2:], big))
		if n > len(b)-4 || code == nameEnd {
			return
		}
		size := map[uint16]int{nameIPv4: 4, nameIPv6: 16}[code]
		if v := b[4 : 4+n]; size > 0 && n > size {
			a, _ := netip.AddrFromSlice(v[:size])
			if name, _, ok := bytes.Cut(v[size:], []byte{0}); ok && len(name) > 0 {
				each(a, string(name))
			}
		}
		b = b[min(4+int(pcapng.Pad4(uint32(n))), len(b)):]
	}
}
