package names

import "sync/atomic"

// A cache remembers the texts of the hardware addresses asked for last, for any number of goroutines. Finding the maker
// and shortening its name takes microseconds, and traffic has few cards.
type cache [1 << 12]atomic.Pointer[cached]

type cached struct {
	mac  uint64
	text string
}

// of is the text of an address, which make writes where it is not known any more.
func (c *cache) of(mac uint64, make func(uint64) string) string {
	slot := &c[mac*0x9e3779b97f4a7c15>>52]
	if have := slot.Load(); have != nil && have.mac == mac {
		return have.text
	}
	text := make(mac)
	slot.Store(&cached{mac, text})
	return text
}
