package tap

// A hashTable is laid out as a GHashTable of GLib 2.74 is, so that it is listed in the same order: places are found
// with a product modulo a prime, then with steps that grow. Nothing is taken out of it.
type hashTable struct {
	shift  int
	places []hashPlace
	used   int
}

// A hashPlace is what lies at a place: which entry it is, counted from 1, and its hash. 0 is none.
type hashPlace struct {
	entry int
	hash  uint32
}

// leastShift is that of the smallest table, of eight places.
const leastShift = 3

// hashPrimes are the greatest primes below powers of two, by the exponent; the number 11 spreads small hashes.
var hashPrimes = [...]uint32{1, 2, 3, 7, 13, 31, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 32749, 65521,
	131071, 262139}

const hashSpread = 11

// hashOrder is the order in which a table lists its entries, which are put in one after the other: their indexes. They
// differ, whatever their hashes are. Entries that no table has room for are listed last.
func hashOrder(hashes []uint32) []int {
	t := hashTable{shift: leastShift, places: make([]hashPlace, 1<<leastShift)}
	var out, beyond []int
	for i, h := range hashes {
		if !t.add(hashPlace{i + 1, max(2, h)}) { // 0 and 1 stand for places that are free
			beyond = append(beyond, i)
		}
	}
	for _, p := range t.places {
		if p.entry != 0 {
			out = append(out, p.entry-1)
		}
	}
	return append(out, beyond...)
}

// add puts an entry in, and makes the table greater where it has become too full.
func (t *hashTable) add(p hashPlace) bool {
	at, ok := t.find(p.hash, func(i int) bool { return t.places[i].entry != 0 })
	if !ok {
		return false
	}
	t.places[at] = p
	if t.used++; len(t.places) <= t.used+t.used/16 {
		t.grow()
	}
	return true
}

// find is the first place for a hash that is not taken.
func (t *hashTable) find(hash uint32, taken func(i int) bool) (at int, ok bool) {
	at = int(hash * hashSpread % hashPrimes[t.shift])
	for step := 1; step <= len(t.places); step++ {
		if !taken(at) {
			return at, true
		}
		at = (at + step) % len(t.places)
	}
	return 0, false
}

// grow doubles the table in place: each entry goes to its new place, and the one that lay there goes on to its own.
func (t *hashTable) grow() {
	shift := 0
	for n := int(float64(t.used) * 1.333); n > 0; n >>= 1 {
		shift++
	}
	if shift = max(shift, leastShift); shift >= len(hashPrimes) {
		return
	}
	old := len(t.places)
	t.shift = shift
	t.places = append(t.places, make([]hashPlace, max(0, 1<<shift-old))...)
	settled := make([]bool, len(t.places))
	for i := range old {
		p := t.places[i]
		if p.entry == 0 || settled[i] {
			continue
		}
		t.places[i] = hashPlace{}
		for p.entry != 0 {
			at, ok := t.find(p.hash, func(k int) bool { return settled[k] })
			if !ok {
				break
			}
			settled[at] = true
			p, t.places[at] = t.places[at], p
		}
	}
}

// hashOf is the hash of a text in such a table.
func hashOf(s string) uint32 {
	h := uint32(5381)
	for i := range len(s) {
		h = h*33 + uint32(int8(s[i]))
	}
	return h
}
