package capture

import "remora/capture/internal/pcapng"

// Secrets are the secrets of one sort that the file itself holds, in its Decryption Secrets Blocks, in front of packet
// before, however much of the file was read by then. from is how many blocks the caller knows already; next is what to
// give the next time.
func (s *Store) Secrets(sort uint32, from, before int) (found [][]byte, next int) {
	kept := s.blocksBefore(from, before)
	for _, k := range kept {
		if k.Kind != pcapng.BlockSecrets || k.Len < 24 {
			continue
		}
		b := s.BlockBytes(k)
		if b == nil || pcapng.U32(b[8:], k.BigEndian) != sort {
			continue
		}
		if n := int64(pcapng.U32(b[12:], k.BigEndian)); n <= int64(len(b)-20) {
			found = append(found, b[16:16+n])
		}
	}
	return found, from + len(kept)
}
