package dissect

// A BoundedMap is a map of bounded size for the state of a protocol: when it is full, it evicts what was put in first.
// The zero BoundedMap is empty and ready for use.
type BoundedMap[K comparable, V any] struct {
	all   map[K]*V
	order []K // oldest first
}

// Find is the entry of a key, or nil.
func (b *BoundedMap[K, V]) Find(k K) *V { return b.all[k] }

// Get is the entry of a key. A new one is zero; the oldest are forgotten until there are fewer than limit.
func (b *BoundedMap[K, V]) Get(k K, limit int) *V {
	if v := b.all[k]; v != nil {
		return v
	}
	if b.all == nil {
		b.all = map[K]*V{}
	}
	for len(b.order) >= limit {
		delete(b.all, b.order[0])
		b.order = b.order[1:]
	}
	v := new(V)
	b.all[k] = v
	b.order = append(b.order, k)
	return v
}

// Drop forgets a key.
func (b *BoundedMap[K, V]) Drop(k K) {
	if b.all[k] == nil {
		return
	}
	delete(b.all, k)
	for i, o := range b.order {
		if o == k {
			b.order = append(b.order[:i], b.order[i+1:]...)
			return
		}
	}
}

// Len is how many entries there are.
func (b *BoundedMap[K, V]) Len() int { return len(b.order) }
