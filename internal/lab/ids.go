package lab

import "bytes"

// idSize is how long identifiers are that are looked for.
const idSize = 4

// identifiers are the bytes of numbers that stand at two places of messages, such as a sender's and a receiver's: they
// tell who, and are no types.
func identifiers(messages []Message) (held [typesWithin + idSize]bool) {
	least := len(messages[0].Data)
	for _, m := range messages {
		least = min(least, len(m.Data))
	}
	var seen []map[uint64]int
	for off := 0; off+idSize <= min(least, typesWithin+idSize); off++ {
		seen = append(seen, wideValues(messages, off))
	}
	for a, of := range seen {
		for b := a + idSize; b < len(seen); b++ {
			if !within(of, seen[b]) && !within(seen[b], of) {
				continue
			}
			for i := range idSize {
				held[a+i], held[b+i] = true, true
			}
		}
	}
	return held
}

// wideValues are the numbers at an offset but 0, and how often each is there; nothing where more than a few are small
// enough to be by chance at another place.
func wideValues(messages []Message, off int) map[uint64]int {
	out, small := map[uint64]int{}, 0
	for _, m := range messages {
		switch v := value(m.Data, off, idSize, false); {
		case v == 0:
		case bytes.Count(m.Data[off:off+idSize], []byte{0}) > 1:
			small++
		default:
			out[v]++
		}
	}
	if small*few > len(messages) {
		return nil
	}
	return out
}

// few is the part of messages that may be other.
const few = 20

// within tells whether nearly all numbers of one place stand at another, too.
func within(a, b map[uint64]int) bool {
	all, other, shared := 0, 0, 0
	for v, n := range a {
		all += n
		if b[v] == 0 {
			other += n
		} else {
			shared++
		}
	}
	return shared >= 2 && shared <= maxTypes && other*few <= all
}
