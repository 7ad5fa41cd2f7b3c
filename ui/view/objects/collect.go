package objects

import (
	"context"
	"errors"
	"strings"
	"sync"

	"remora/dissect"
)

// A found is an object with what the list shows of it.
type found struct {
	dissect.Object
	proto string // the name of its Objects
	nth   int    // among those of that name
	size  int64
	head  []byte // its first bytes
}

// What is kept: so many objects, of each the first bytes, and of those that are saved so many bytes at once.
const (
	maxObjects = 20_000
	headBytes  = 1024
	maxSaved   = 1 << 30
)

// A collection finds the objects of all names. One goroutine reads packets, anybody asks.
type collection struct {
	names   []string
	finders []*dissect.ObjectFinder

	mu    sync.Mutex
	known map[*dissect.Object]*found
	list  []*found
	count []int // by name
	upTo  dissect.FrameNum
	more  int // objects that are not listed
}

func newCollection(s *dissect.Session) *collection {
	c := &collection{names: s.Registry().ObjectNames(), known: map[*dissect.Object]*found{}}
	c.count = make([]int, len(c.names))
	for _, name := range c.names {
		c.finders = append(c.finders, s.FindObjects(name))
	}
	return c
}

// packet takes what a packet brings; take is given each part with its object.
func (c *collection) packet(l *dissect.Dissector, n dissect.FrameNum, take func(f *found, offset int64, b []byte)) {
	for i, finder := range c.finders {
		finder.Packet(l, n, func(o *dissect.Object, offset int64, b []byte) {
			c.mu.Lock()
			defer c.mu.Unlock()
			f := c.known[o]
			if f == nil {
				f = &found{Object: *o, proto: c.names[i], nth: c.count[i]}
				c.known[o] = f
				if c.count[i]++; len(c.list) < maxObjects {
					c.list = append(c.list, f)
				} else {
					c.more++
				}
			}
			f.Object, f.size = *o, max(f.size, offset+int64(len(b)))
			take(f, offset, b)
		})
	}
}

// keepHead keeps the first bytes of an object.
func keepHead(f *found, offset int64, b []byte) {
	if offset >= headBytes || len(b) == 0 {
		return
	}
	end := min(int(offset)+len(b), headBytes)
	for len(f.head) < end {
		f.head = append(f.head, make([]byte, end-len(f.head))...)
	}
	copy(f.head[offset:end], b)
}

// objects are copies of those found so far, and the packet up to which all were read.
func (c *collection) objects() (out []found, upTo dissect.FrameNum) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.list {
		o := *f
		o.head = append([]byte(nil), f.head...)
		out = append(out, o)
	}
	return out, c.upTo
}

func (c *collection) progress() dissect.FrameNum {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.upTo
}

var errTooMuch = errors.New("they have more than 1 GiB together; save fewer at once, or use --export-objects")

// contents reads the packets up to one again, for the bytes of some objects.
func contents(ctx context.Context, s *dissect.Session, upTo dissect.FrameNum, wanted []found) ([][]byte, error) {
	type key struct {
		proto string
		nth   int
	}
	at := map[key]int{}
	for i := range wanted {
		at[key{wanted[i].proto, wanted[i].nth}] = i
	}
	out, total := make([][]byte, len(wanted)), int64(0)
	c, guard := newCollection(s), s.Guard()
	n := dissect.FrameNum(s.Store().First() + 1)
	guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
		for ; n <= upTo && ctx.Err() == nil; n++ {
			c.packet(l, n, func(f *found, offset int64, b []byte) {
				i, ok := at[key{f.proto, f.nth}]
				if end := offset + int64(len(b)); ok && total <= maxSaved {
					if grown := end - int64(len(out[i])); grown > 0 {
						if total += grown; total > maxSaved {
							return
						}
						out[i] = append(out[i], make([]byte, grown)...)
					}
					copy(out[i][offset:], b)
				}
			})
		}
	})
	if total > maxSaved {
		return nil, errTooMuch
	}
	return out, ctx.Err()
}

// matches tells whether a text stands in what the list shows of an object.
func (f *found) matches(text string) bool {
	for _, s := range [...]string{f.Name, f.Host, f.Type, f.proto} {
		if strings.Contains(strings.ToLower(s), text) {
			return true
		}
	}
	return false
}
