package pcapfile

import (
	"encoding/binary"
	"maps"
	"net/netip"

	"remora/capture/internal/pcapng"
	"remora/internal/sorting"
)

// WriteNames ends a pcapng file with the names of hosts; pcap files have no place for them.
func (w *Writer) WriteNames(names map[netip.Addr]string) error {
	if w.format == Pcap || len(names) == 0 {
		return nil
	}
	if err := w.begin(); err != nil {
		return err
	}
	return w.add(pcapng.AppendBlock(nil, pcapng.BlockNames, func(b []byte) []byte {
		for _, a := range sorting.Sorted(maps.Keys(names), netip.Addr.Compare) {
			kind := uint16(1)
			if a.Is6() {
				kind = 2
			}
			v := append(append(a.AsSlice(), names[a]...), 0)
			if len(v) > maxName {
				continue
			}
			b = binary.LittleEndian.AppendUint16(b, kind)
			b = append(binary.LittleEndian.AppendUint16(b, uint16(len(v))), v...)
			for len(b)%4 != 0 {
				b = append(b, 0)
			}
		}
		return append(b, 0, 0, 0, 0)
	}))
}

// maxName bounds a record of a name: no host has a longer one.
const maxName = 1024
