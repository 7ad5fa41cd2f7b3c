package capture

// Secrets are the secrets of one sort that the file itself holds, in its Decryption Secrets Blocks, as far as it was
// read. from is how many blocks the caller knows already; next is what to give the next time.
func (s *Store) Secrets(sort uint32, from int) (found [][]byte, next int) {
	s.notes.mu.RLock()
	kept := s.notes.kept[min(from, len(s.notes.kept)):]
	s.notes.mu.RUnlock()
	for _, k := range kept {
		if k.kind != blockSecrets || k.n < 24 {
			continue
		}
		b := make([]byte, k.n)
		if got, _ := s.readAt(b, k.off, k.n); got < k.n || u32(b[8:], k.big) != sort {
			continue
		}
		if n := int64(u32(b[12:], k.big)); n <= int64(len(b)-20) {
			found = append(found, b[16:16+n])
		}
	}
	return found, from + len(kept)
}
