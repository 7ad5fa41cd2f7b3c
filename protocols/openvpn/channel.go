package openvpn

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// A channel is one direction of the reliable channel, on which TLS runs: its messages are numbered and may come in any
// order.
type channel struct {
	known bool
	next  uint32 // the number of the message that is to come
	early map[uint32]held
	held  // what belongs to a record that is not complete
}

// Held is bytes, and where they are found again.
type held struct {
	data []byte
	refs []dissect.Ref
}

// A run is whole records of TLS that a message completes: refs in their list.
type run struct{ First, Count uint32 }

var (
	channels = dissect.NewStore[[2]channel, run]()
	refs     = dissect.NewList[dissect.Ref]()
)

// Limits of what waits.
const (
	maxEarly = 64
	maxHeld  = 1 << 16
)

// carry hands on what the message at the cursor completes; number is the message's.
func carry(d *dissect.D, op uint64, number uint32) {
	at, n := d.Pos(), d.Left()
	r := channels.FirstPass(d, func(both *[2]channel) run {
		c := &both[d.Dir&1]
		if op != control {
			*c = channel{known: true, next: number + 1}
			return run{}
		}
		from, ok := d.Stream().RefsAt(at, n)
		if !ok {
			return run{}
		}
		return c.take(d, number, held{append([]byte(nil), d.Data()...), from})
	})
	if n > 0 {
		d.In(fFragment, func() { d.Rest(fBytes) })
	}
	if r.Count == 0 {
		return
	}
	parts := make([]dissect.Ref, r.Count)
	for i := range parts {
		parts[i] = refs.At(d, r.First+uint32(i))
	}
	d.From("OpenVPN control channel", d.Stream().Gather(parts), func() { d.Next(tables.TLS, 0) })
}

// take adds a message, and returns the records that are whole now.
func (c *channel) take(d *dissect.D, number uint32, h held) run {
	switch {
	case !c.known: // the beginning is missing
		c.known, c.next = true, number
	case number != c.next:
		if number-c.next < maxEarly { // and not before it
			if c.early == nil {
				c.early = map[uint32]held{}
			}
			c.early[number] = h
		}
		return run{}
	}
	for ok := true; ok; h, ok = c.early[c.next] {
		delete(c.early, c.next)
		c.next++
		c.data, c.refs = append(c.data, h.data...), append(c.refs, h.refs...)
	}
	n := records(c.data)
	if len(c.data)-n > maxHeld || n == 0 && len(c.data) > 0 && (c.data[0] < 20 || c.data[0] > 23) { // this is not TLS
		c.held = held{}
		return run{}
	}
	return c.cut(d, n)
}

// records is how many bytes at the start of b are whole records of TLS.
func records(b []byte) (n int) {
	for p := (dissect.Progress{}); len(b)-n >= 5 && b[n] >= 20 && b[n] <= 23 && b[n+1] == 3 && p.Up(n); {
		size := 5 + int(b[n+3])<<8 + int(b[n+4])
		if size > len(b)-n {
			break
		}
		n += size
	}
	return n
}

// cut takes the first n bytes away, and keeps where they are.
func (c *channel) cut(d *dissect.D, n int) (r run) {
	c.data = c.data[n:]
	for p := (dissect.Progress{}); n > 0 && p.Down(n); {
		first := c.refs[0]
		size := min(uint32(n), first.Len)
		at := refs.Put(d, dissect.Ref{Frame: first.Frame, Off: first.Off, Len: size})
		if r.Count == 0 {
			r.First = at
		}
		r.Count++
		n -= int(size)
		if size == first.Len {
			c.refs = c.refs[1:]
		} else {
			c.refs[0].Off, c.refs[0].Len = first.Off+size, first.Len-size
		}
	}
	return r
}
