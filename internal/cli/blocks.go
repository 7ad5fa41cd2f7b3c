package cli

import (
	"context"
	"runtime"

	"remora/dissect"
	"remora/ui/print"
)

// blockPackets is how many packets one goroutine prints at a time: enough that handing them over costs nothing, and few
// enough that the text of all blocks under way stays small.
const blockPackets = 256

// What is printed of a block is to fit into the caches of a core, in bytes, where that is not fewer packets than these.
const (
	blockText    = 256 << 10
	leastPackets = 16
)

// maxText is the longest text of a block whose memory is used again, in bytes.
const maxText = 4 << 20

// A block is a run of packets on its way to the output. The first pass goes ahead of it, in order; the packets are
// filtered and printed by any of several goroutines, which know nothing that a later packet told; and what they made is
// written in order again. So the output is the same with any number of goroutines.
type block struct {
	from, to dissect.FrameNum // the packets; to is behind the last
	before   *block           // the one in front of it, until this one is filtered
	first    print.Place      // where printing is in front of it
	place    print.Place      // and behind it
	chosen   []dissect.FrameNum
	trees    []*dissect.Tree // of the packets, as they passed; nil where they are to be dissected again
	filtered chan struct{}   // closed when chosen and place are known
	text     []byte
	err      error         // why the display filter chose nothing from a packet on
	done     chan struct{} // closed when text is complete
}

// blocks prints runs of packets on all cores.
type blocks struct {
	h     *headless
	jobs  chan *block
	under []*block // not written yet, in order
	tail  *block   // the one made last
	most  int      // of them under way
	size  int      // how many packets the next one has
	texts [][]byte // to be used again
	trees          // of the packets that pass
}

// newBlocks starts goroutines that print, for as long as the program runs.
func (h *headless) newBlocks() *blocks {
	cores := min(runtime.GOMAXPROCS(0), dissect.PastFrames/blockPackets/4)
	b := &blocks{h: h, most: 2 * cores, size: h.blockSize, jobs: make(chan *block, 2*cores)}
	for range cores {
		g := h.s.Guard()
		if !h.twoPass {
			g.Past()
		}
		go b.work(g)
	}
	return b
}

// inBlocks has the packets behind n pass, as far as total, and prints them on all cores.
func (h *headless) inBlocks(ctx context.Context, n *int, total int) (err error) {
	if h.blocks == nil {
		h.blocks = h.newBlocks()
	}
	b, from := h.blocks, *n
	b.begin()
	h.guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the packet that it hangs in
		for h.dissector = l; *n < total && ctx.Err() == nil; {
			if h.inOnePass() {
				b.pass(l, h.printer.Wants(), n, min(from+b.size, total))
			} else if err = h.pass(n, min(from+b.size, total)); err != nil {
				return
			}
			if err = b.add(from, *n); err != nil {
				return
			}
			from = *n
		}
	})
	if err != nil {
		return err
	}
	return b.drain()
}

// pass has the packets behind n pass, as far as to, and counts each where something counts.
func (h *headless) pass(n *int, to int) error {
	if len(h.statistics)+len(h.objects) == 0 {
		h.dissector.PassTo(to)
		*n = to
	}
	for ; *n < to; *n++ {
		h.dissector.PassTo(*n + 1)
		if err := h.count(dissect.FrameNum(*n + 1)); err != nil {
			return err
		}
		h.counted = 0
	}
	return nil
}

// begin goes on where printing is.
func (b *blocks) begin() {
	b.tail = &block{place: b.h.place(), filtered: make(chan struct{})}
	close(b.tail.filtered)
}

func (h *headless) place() (at print.Place) {
	if h.printer != nil {
		at = h.printer.Place()
	}
	return at
}

// add hands out the packets between the counts, which have passed, and writes what is done while too many are under
// way.
func (b *blocks) add(from, to int) error {
	for len(b.under) >= b.most {
		if err := b.write(); err != nil {
			return err
		}
	}
	n := &block{from: dissect.FrameNum(from + 1), to: dissect.FrameNum(to + 1), before: b.tail,
		filtered: make(chan struct{}), done: make(chan struct{})}
	if k := len(b.texts); k > 0 {
		n.text, b.texts = b.texts[k-1][:0], b.texts[:k-1]
	}
	n.trees = b.take()
	b.tail = n
	b.under = append(b.under, n)
	b.jobs <- n
	return nil
}

func (b *blocks) work(g *dissect.Guard) {
	var p *print.Printer
	if b.h.printer != nil {
		p = b.h.printer.Fork()
	}
	for n := range b.jobs {
		b.filter(g, n)
		if p != nil {
			p.After(n.first)
			b.print(g, p, n)
		}
		close(n.done)
	}
}

// filter chooses the packets of a block, and says where printing will be behind it.
func (b *blocks) filter(g *dissect.Guard, n *block) {
	at, f := n.from, b.h.filter
	if f == nil {
		for ; at < n.to; at++ {
			if !b.h.drops(at) {
				n.chosen = append(n.chosen, at)
			}
		}
	}
	g.Run(func(l *dissect.Dissector) {
		for ; at < n.to && n.err == nil; at++ {
			if b.h.drops(at) {
				continue
			}
			if f.Match(l, at) {
				n.chosen = append(n.chosen, at)
			} else {
				n.err = f.Stopped()
			}
		}
	})
	<-n.before.filtered
	n.first, n.before = n.before.place, nil
	n.place = n.first
	for i, at := range n.chosen {
		if i+1 < len(n.chosen) && !b.h.printer.Sums() {
			n.place.Packets++
			continue
		}
		m := b.h.store.Meta(int(at) - 1)
		n.place = n.place.Behind(m.Time, int(m.Len))
	}
	close(n.filtered)
}

func (b *blocks) print(g *dissect.Guard, p *print.Printer, n *block) {
	i, scripts := 0, b.h.scripts
	g.Run(func(l *dissect.Dissector) {
		for ; i < len(n.chosen); i++ {
			t := n.tree(n.chosen[i])
			if t != nil {
				l.Adopt(t)
			} else {
				t = look(l, n.chosen[i], p)
			}
			n.text = scripts.take(n.text, n.from, n.chosen[i])
			n.text = p.Append(n.text, t)
		}
	})
	n.text = scripts.take(n.text, n.from, n.to-1)
}

// look dissects a packet as far as the printer needs it.
func look(l *dissect.Dissector, n dissect.FrameNum, p *print.Printer) *dissect.Tree {
	switch w := p.Wants(); {
	case w != nil && p.ValuesAlone():
		return l.Values(n, w)
	case w != nil:
		return l.Redissect(n, w)
	}
	return l.Tree(n)
}

// write waits for the oldest block, and writes it.
func (b *blocks) write() error {
	n := b.under[0]
	b.under = b.under[1:]
	<-n.done
	if err := b.h.written(n); err != nil {
		return err
	}
	b.grow(n)
	b.giveBack(n.trees)
	if cap(n.text) <= maxText {
		b.texts = append(b.texts, n.text)
	}
	return n.err
}

// grow makes blocks larger while a filter leaves little of them, as handing one over costs more than filtering it, and
// smaller while much is printed of each packet.
func (b *blocks) grow(n *block) {
	packets := int(n.to - n.from)
	if share := 16; len(n.chosen) > packets/share {
		b.size = min(b.h.blockSize, max(leastPackets, blockText*packets/(len(n.text)+1)))
	} else if 4*b.most*b.size <= dissect.PastFrames {
		b.size *= 2
	}
}

// written writes what was made of a block, and copies its packets where they are asked for.
func (h *headless) written(n *block) error {
	if h.printer != nil {
		if err := outputError(h.printer.Write(n.text)); err != nil {
			return err
		}
		h.printer.After(n.place)
	}
	if h.writer != nil {
		for _, at := range n.chosen {
			if err := h.turn(); err != nil {
				return err
			}
			if err := h.copyPacket(at); err != nil {
				return err
			}
		}
	}
	h.store.Consumed(int(n.to) - 1)
	return nil
}

// drain writes all that is under way.
func (b *blocks) drain() error {
	for len(b.under) > 0 {
		if err := b.write(); err != nil {
			return err
		}
	}
	return nil
}
