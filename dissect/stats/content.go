package stats

import (
	"encoding/hex"
	"math"
	"strconv"
)

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// A Content is what samples of bytes look like.
type Content struct {
	Bytes   int     // looked at
	Entropy float64 // bits a byte, with what too few samples hide reckoned in; 8 is noise
	Text    float64 // share of printable characters and line ends
	Head    []byte  // how all samples begin
}

// contentBytes is how many bytes are looked at, and contentHead how many of the beginning are compared.
const (
	contentBytes = 8192
	contentHead  = 8
)

// contentCount counts bytes by value.
type contentCount struct {
	bytes   [256]uint32
	n       int
	samples int
	head    []byte
}

// wants tells whether the packet of a number is to be looked at: the first ones, later one now and then.
func (c *contentCount) wants(packet uint64) bool {
	return c.n < contentBytes && (packet <= 32 || packet%16 == 0)
}

func (c *contentCount) add(b []byte) {
	b = b[:min(len(b), 512)]
	for _, v := range b {
		c.bytes[v]++
	}
	c.n += len(b)
	same := 0
	for same < min(len(b), len(c.head)) && b[same] == c.head[same] {
		same++
	}
	if c.samples++; c.samples == 1 {
		c.head = append([]byte(nil), b[:min(len(b), contentHead)]...)
		return
	}
	c.head = c.head[:same]
}

// sum is what the samples look like. The entropy of few samples comes out too low by what Miller and Madow found: the
// number of values less one, over twice as many samples, in nats.
func (c *contentCount) sum() Content {
	out := Content{Bytes: c.n}
	if c.samples > 1 {
		out.Head = append([]byte(nil), c.head...)
	}
	kinds, text := 0, 0
	for v, k := range c.bytes {
		if k == 0 {
			continue
		}
		p := float64(k) / float64(c.n)
		out.Entropy -= p * math.Log2(p)
		kinds++
		if v >= 0x20 && v < 0x7f || v == '\n' || v == '\r' || v == '\t' {
			text += int(k)
		}
	}
	if c.n > 0 {
		out.Entropy = min(8, out.Entropy+float64(kinds-1)/(2*float64(c.n)*math.Ln2))
		out.Text = float64(text) / float64(c.n)
	}
	return out
}

// leastContent is how many bytes tell noise from sense.
const leastContent = 512

// String says what the bytes may be, or "" when too few were seen.
func (c Content) String() string {
	switch {
	case c.Bytes >= 32 && c.Text > 0.9:
		return "text"
	case c.Bytes >= leastContent && c.Entropy > 7.75:
		return "encrypted or compressed"
	case len(c.Head) >= 2 && len(c.Head) < 8:
		return "begins with " + hex.EncodeToString(c.Head)
	case len(c.Head) == 8:
		return "begins with " + hex.EncodeToString(c.Head) + "…"
	}
	return ""
}
