package websocket

import (
	"bytes"
	"compress/flate"
	"io"

	"remora/dissect"
	"remora/internal/coding"
)

// windowSize is how far back a packed message can refer (RFC 7692 section 7.1.2).
const windowSize = 32 << 10

// A window is the end of what one direction said in packed messages, which the next one may refer to. The first pass
// unpacks every message once to know it.
type window struct {
	text  []byte
	lost  bool // a message could not be unpacked: what comes later cannot be known here
	since int  // messages since it was kept
	bytes int  // and how long they were
	plain int  // and how long they are unpacked
	kept  int  // how often
	used  bool // since it was last looked at whether it can go
	alive bool // it is among those that hold bytes
}

// A past is a window in its list: from which part on, and how many bytes.
type past struct {
	First, Len uint32
	Kept       bool
}

type windowPart [256]byte

// Every so many messages the window is kept, so that a look at one unpacks no more than these before it. The number
// doubles after some times up to a limit, which bounds what a connection costs: 80 windows for its first 8000 messages,
// then one for every 512. Long messages have it kept sooner, and messages that unfold a lot later: what is kept is
// never more than keptRatio times what came. Where they unfold to more than a look may cost before that, the window is
// given up.
const (
	firstEvery = 16
	lastEvery  = 512
	doubleAt   = 16
	longEvery  = 256 << 10
	longPlain  = 1 << 20
	mostPlain  = 4 << 20
	keptRatio  = 4
)

// due tells whether the window is to be kept in front of the next message.
func (w *window) due() bool {
	every := min(lastEvery, firstEvery<<min(w.kept/doubleAt, 8))
	return !w.lost && (w.since >= every || w.bytes >= longEvery || w.plain >= longPlain) &&
		w.bytes*keptRatio >= len(w.text)
}

// keep puts the window in the list when it is due. It serves the first pass, in front of a packed message.
func (w *window) keep(d *dissect.D) (p past) {
	if !w.due() {
		return p
	}
	p = past{Len: uint32(len(w.text)), Kept: true}
	for text, steps := w.text, (dissect.Progress{}); len(text) > 0 && steps.Down(len(text)); {
		var part windowPart
		text = text[copy(part[:], text):]
		if n := windows.Put(d, part); p.First == 0 {
			p.First = n
		}
	}
	w.renew()
	return p
}

// renew counts from here on, where the window was kept.
func (w *window) renew() {
	w.since, w.bytes, w.plain = 0, 0, 0
	w.kept++
}

// pass moves the window on by a whole message, as it is packed. One that unfolds without measure ends it: what later
// messages refer to is not known then.
func (w *window) pass(d *dissect.D, b []byte) {
	if w.lost {
		return
	}
	most := maxRatio * (len(b) + 1024)
	plain := inflate(d, b, w.text, most)
	crowds.FirstPassIn(d, func(c *crowd) uint8 {
		if plain == nil || len(plain) >= most || !c.pays(len(b), len(plain)) || !w.count(len(b), len(plain)) {
			w.lose()
		} else if !w.alive {
			c.add(w)
		}
		return 0
	})
	if w.lost {
		return
	}
	w.text = slide(w.text, plain)
	w.used = true
}

// count takes in how long a message is, and tells whether a look at the next one costs too much.
func (w *window) count(packed, plain int) bool {
	w.since++
	w.bytes += packed
	w.plain += plain
	return w.plain <= mostPlain || w.due()
}

// lose gives up a window and its bytes.
func (w *window) lose() {
	w.lost, w.text = true, nil
}

// A crowd are the windows of all connections that hold bytes. Beyond so many the one goes that nobody used for longest,
// more or less: a connection costs a window, and captures can have many that nobody ends.
type crowd struct {
	windows []*window
	spent   int // bytes unpacked beyond maxRatio times what came
}

// Limits: of windows, and of what the first pass unpacks of all messages beyond maxRatio times what came.
const (
	maxWindows = 1024
	maxSpent   = 256 << 20
)

// pays tells whether so many bytes may still be unpacked to so many.
func (c *crowd) pays(packed, plain int) bool {
	if c.spent > maxSpent {
		return plain <= maxRatio*packed
	}
	c.spent += max(0, plain-maxRatio*packed)
	return true
}

func (c *crowd) add(w *window) {
	for len(c.windows) >= maxWindows {
		oldest := c.windows[0]
		c.windows = c.windows[1:]
		if oldest.used && !oldest.lost {
			oldest.used = false
			c.windows = append(c.windows, oldest)
		} else {
			oldest.lose()
		}
	}
	w.alive = true
	c.windows = append(c.windows, w)
}

var crowds = dissect.NewStore[crowd, uint8]()

// maxRatio bounds how much the first pass unpacks of a message.
const maxRatio = 64

// slide is the window behind a text.
func slide(window, text []byte) []byte {
	if n := len(text); n >= windowSize {
		return append(window[:0], text[n-windowSize:]...)
	}
	if over := len(window) + len(text) - windowSize; over > 0 {
		window = window[:copy(window, window[over:])]
	}
	return append(window, text...)
}

// text is a window from the list.
func (p past) text(d *dissect.D) []byte {
	b := make([]byte, 0, windowSize)
	for n := p.First; len(b) < int(p.Len); n++ {
		part := windows.At(d, n)
		b = append(b, part[:min(len(part), int(p.Len)-len(b))]...)
	}
	return b
}

// inContext unpacks a message that refers to those before (RFC 7692 section 7.2.3.2): all of them are one stream. Those
// since the window was kept are unpacked, too.
func inContext(d *dissect.D, b []byte, parts []piece, last uint32) []byte {
	all := chain(d, last, false)
	if len(all) == 0 || !all[0].Past.Kept && len(all) <= len(parts) {
		return nil
	}
	before := all[0].Past.text(d)
	if all = all[:max(0, len(all)-len(parts))]; len(all) > 0 {
		stream, ok := joinAll(d, all)
		if !ok {
			return nil
		}
		old := inflate(d, stream, before, 2*mostPlain)
		if old == nil {
			return nil
		}
		before = slide(before, old)
	}
	return inflate(d, b, before, coding.Limit(len(b)))
}

// joinAll puts messages together as one stream; false tells that they are too long.
func joinAll(d *dissect.D, all []piece) (stream []byte, ok bool) {
	for p := (dissect.Progress{}); len(all) > 0 && p.Down(len(all)); {
		n := 1
		for n < len(all) && !all[n].First {
			n++
		}
		if len(stream) > 0 {
			stream = append(stream, boundary...)
		}
		stream = append(stream, join(d, all[:n])...)
		if all = all[n:]; len(stream) > maxBefore {
			return nil, false
		}
	}
	return stream, true
}

// boundary is what a sender leaves out at the end of each message: an empty block but for its first bits.
const boundary = "\x00\x00\xff\xff"

// inflate unpacks a message with what may be referred to, up to so many bytes; nil is one that cannot be unpacked.
func inflate(d *dissect.D, b, before []byte, most int) []byte {
	d.Spend(inflateCost + 4*len(b))
	r := flate.NewReaderDict(io.MultiReader(bytes.NewReader(b), bytes.NewReader([]byte(boundary+"\x01\x00\x00\xff\xff"))),
		before)
	out, err := io.ReadAll(io.LimitReader(r, int64(most)))
	d.Spend(len(out))
	if err != nil || out == nil {
		return nil
	}
	return out
}

// inflateCost stands for the tables and the window that are made for each message, in bytes of work.
const inflateCost = 8 << 10
