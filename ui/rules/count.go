package rules

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"
	"time"

	"remora/dissect"
	"remora/dissect/filter"
)

// A Counter finds out beside the screen how many packets each rule takes. What a filter matches is remembered as long
// as the counter is there, a bit for each packet, so that rules which only change places are counted anew at once.
type Counter struct {
	s      *dissect.Session
	skip   func(dissect.FrameNum) bool // packets that no rule takes
	cancel context.CancelFunc
	wanted atomic.Pointer[wanted]
	nudge  chan struct{}
	now    atomic.Pointer[Counts]
	sets   map[string]*set // by filter; of the goroutine alone
}

// wanted are the rules that are to be counted.
type wanted struct{ rules []Ready }

// Counts are how many packets the rules take, as far as they were counted.
type Counts struct {
	of      *wanted
	takes   []int // for which the rule is the first
	matches []int
	UpTo    int // packets counted
	Err     error
}

// chunk is how many packets are counted in one go: 64 times as many as words of a set.
const chunk = 16 << 10

// NewCounter begins to count the rules that Use names. skip tells which packets count for none.
func NewCounter(s *dissect.Session, skip func(dissect.FrameNum) bool) *Counter {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Counter{s: s, skip: skip, cancel: cancel, nudge: make(chan struct{}, 1), sets: map[string]*set{}}
	c.wanted.Store(&wanted{})
	c.now.Store(&Counts{of: c.wanted.Load()})
	go c.run(ctx)
	return c
}

// Use has other rules counted.
func (c *Counter) Use(list []Ready) {
	c.wanted.Store(&wanted{list})
	select {
	case c.nudge <- struct{}{}:
	default:
	}
}

// Session is the capture that is counted.
func (c *Counter) Session() *dissect.Session { return c.s }

// Stop ends the counting.
func (c *Counter) Stop() { c.cancel() }

// Now is how far the counting has come.
func (c *Counter) Now() *Counts { return c.now.Load() }

// Busy tells whether more is to be counted.
func (c *Counter) Busy() bool {
	k := c.Now()
	return k.Err == nil && (k.of != c.wanted.Load() || k.UpTo < c.s.Passed())
}

// Of is how many packets the i-th rule takes and matches. Until rules that have just changed are counted, it is what is
// known of one with the same filter.
func (k *Counts) Of(i int, filter string) (takes, matches int, ok bool) {
	if i >= len(k.of.rules) || k.of.rules[i].Filter != filter {
		for i = range k.of.rules {
			if k.of.rules[i].Filter == filter {
				break
			}
		}
	}
	if i >= len(k.takes) || k.of.rules[i].Filter != filter || k.of.rules[i].Off {
		return 0, 0, false
	}
	return k.takes[i], k.matches[i], true
}

func (c *Counter) run(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			c.now.Store(&Counts{of: c.wanted.Load(), Err: fmt.Errorf("counting failed: %v", p)})
		}
	}()
	wake, stop := c.s.Store().Subscribe()
	defer stop()
	first := min(c.s.Store().First(), c.s.Passed()) // what has left is not looked at
	var of *wanted
	var takes, matches []int
	upTo := 0
	for ctx.Err() == nil {
		if want := c.wanted.Load(); want != of {
			of, upTo = want, first
			takes, matches = make([]int, len(of.rules)), make([]int, len(of.rules))
		}
		to := min(c.s.Passed(), upTo+chunk)
		if to > upTo && len(of.rules) > 0 {
			if err := c.count(ctx, of.rules, upTo, to, takes, matches); err != nil {
				c.now.Store(&Counts{of: of, Err: err})
				return
			}
		}
		upTo = max(upTo, to)
		c.now.Store(&Counts{of: of, takes: append([]int(nil), takes...), matches: append([]int(nil), matches...), UpTo: upTo})
		if upTo == c.s.Passed() && c.wanted.Load() == of {
			c.wait(ctx, wake)
		}
	}
}

// wait waits for packets, for other rules, or for a first pass that lags behind.
func (c *Counter) wait(ctx context.Context, wake <-chan struct{}) {
	lags := make(<-chan time.Time)
	if c.s.Passed() < c.s.Store().Len() {
		lags = time.After(20 * time.Millisecond)
	}
	select {
	case <-ctx.Done():
	case <-wake:
		select { // a live capture wakes often; a few packets more are not worth a round each
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	case <-c.nudge:
	case <-lags:
	}
}

// count adds the packets behind from, up to to.
func (c *Counter) count(ctx context.Context, list []Ready, from, to int, takes, matches []int) error {
	taken := make([]uint64, (to-1)/64-from/64+1)
	for i, r := range list {
		if r.Off {
			continue
		}
		s := c.sets[r.Filter]
		if s == nil {
			s = &set{upTo: from}
			c.sets[r.Filter] = s
		}
		if err := s.fill(ctx, c.s, r.Compiled, to, c.skip); err != nil {
			return err
		}
		for k := range taken {
			at := from/64 + k
			word := s.word(at) & within(at, from, to)
			matches[i] += bits.OnesCount64(word)
			takes[i] += bits.OnesCount64(word &^ taken[k])
			taken[k] |= word
		}
	}
	return nil
}

// within has the bits of a word that stand for packets behind from, up to to.
func within(word, from, to int) uint64 {
	mask := ^uint64(0)
	if lo := from - word*64; lo > 0 {
		mask <<= lo
	}
	if hi := to - word*64; hi < 64 {
		mask &= 1<<hi - 1
	}
	return mask
}

// A set is which packets a filter matches: bit n%64 of word n/64 for packet n+1.
type set struct {
	words []uint64
	upTo  int // packets decided
}

func (s *set) word(i int) uint64 {
	if i < len(s.words) {
		return s.words[i]
	}
	return 0
}

// fill decides the packets up to one.
func (s *set) fill(ctx context.Context, of *dissect.Session, f *filter.Filter, to int,
	skip func(dissect.FrameNum) bool) error {
	if to <= s.upTo {
		return nil
	}
	err := filter.Scan(ctx, of, f, dissect.FrameNum(s.upTo+1), dissect.FrameNum(to),
		func(found []dissect.FrameNum, _ dissect.FrameNum) {
			for _, n := range found {
				if skip(n) {
					continue
				}
				at := int(n-1) / 64
				for len(s.words) <= at {
					s.words = append(s.words, 0)
				}
				s.words[at] |= 1 << (int(n-1) % 64)
			}
		})
	if err == nil || f.Stopped() != nil { // what was given up takes no more, and the others are counted on
		s.upTo, err = to, nil
	}
	return err
}
