package lab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"remora/internal/sorting"
)

// A Pair is messages of one group that those of another answer.
type Pair struct {
	Request, Response *Group
	Answered          float64 // the share of requests that have a response
	Delay             int64   // nanoseconds in between, for half of them
	Key               *Key    // what both have in common; nil: the next message answers
}

// A Key is bytes of a request that stand in its response, too.
type Key struct{ In, Out, Size int }

// A sent message is one of a conversation, with its group.
type sent struct {
	group int
	m     Message
}

// exchange is a message, and those that come next in the other direction, as far as they may answer.
type exchange struct {
	ask     Message
	answers []sent
}

const (
	answersAhead = 8   // messages of the other direction among which a response is
	mostAsked    = 400 // requests that are looked at
	leastPairs   = 6
	keyWithin    = 24 // bytes in which keys are looked for
)

// pairs looks for groups that answer each other.
func (r *Report) pairs() (out []Pair) {
	if r.Records != nil {
		return nil
	}
	asked := r.exchanges()
	for a, list := range asked {
		if len(list) < leastPairs {
			continue
		}
		for b := range r.Groups {
			if b != a {
				if p, ok := r.pair(a, b, list); ok {
					out = append(out, p)
				}
			}
		}
	}
	return oneWay(out)
}

// exchanges are the messages of each group with what may answer them.
func (r *Report) exchanges() [][]exchange {
	flows := map[uint32][]sent{}
	for i, g := range r.Groups {
		for _, m := range g.Messages {
			flows[m.Flow] = append(flows[m.Flow], sent{i, m})
		}
	}
	out := make([][]exchange, len(r.Groups))
	for _, flow := range slices.Sorted(maps.Keys(flows)) { // always the same ones, where there are many
		list := flows[flow]
		sorting.Stable(list, func(a, b sent) int { return cmp.Compare(a.m.Time, b.m.Time) })
		for i, s := range list {
			if len(out[s.group]) == mostAsked {
				continue
			}
			e := exchange{ask: s.m}
			for _, next := range list[i+1:] {
				if next.m.Direction == s.m.Direction {
					continue
				}
				if e.answers = append(e.answers, next); len(e.answers) == answersAhead {
					break
				}
			}
			out[s.group] = append(out[s.group], e)
		}
	}
	return out
}

// pair tells whether messages of one group answer those of another: by a key, or since they always come next.
func (r *Report) pair(a, b int, list []exchange) (Pair, bool) {
	p := Pair{Request: r.Groups[a], Response: r.Groups[b]}
	if key, share := findKey(b, list, p.Request.Min, p.Response.Min); share >= 0.8 {
		p.Key, p.Answered = &key, share
	} else if p.Answered = nextShare(b, list); p.Answered < 0.95 ||
		len(p.Response.Messages) > len(p.Request.Messages)*5/4 {
		return p, false
	}
	var delays []int64
	for _, e := range list {
		if m, ok := e.answer(b, p.Key); ok {
			delays = append(delays, m.Time-e.ask.Time)
		}
	}
	slices.Sort(delays)
	p.Delay = delays[len(delays)/2]
	return p, true
}

// answer is the message of a group that answers.
func (e *exchange) answer(b int, key *Key) (Message, bool) {
	for _, s := range e.answers {
		if key == nil {
			return s.m, s.group == b
		}
		if s.group == b && value(s.m.Data, key.Out, key.Size, false) == value(e.ask.Data, key.In, key.Size, false) {
			return s.m, true
		}
	}
	return Message{}, false
}

// nextShare is for how many messages the next one of the other direction is of a group.
func nextShare(b int, list []exchange) float64 {
	n := 0
	for _, e := range list {
		if _, ok := e.answer(b, nil); ok {
			n++
		}
	}
	return float64(n) / float64(len(list))
}

// findKey is the number that most responses have of their requests, and no other response.
func findKey(b int, list []exchange, asks, answers int) (best Key, share float64) {
	for _, size := range []int{4, 2, 1} {
		for in := 0; in+size <= min(asks, keyWithin); in++ {
			if !tells(list, in, size) {
				continue
			}
			for out := 0; out+size <= min(answers, keyWithin); out++ {
				k := Key{in, out, size}
				s, chance := k.shares(b, list)
				if s >= 0.8 && chance < 0.3 && s > share+0.02 {
					best, share = k, s
				}
			}
		}
	}
	return best, share
}

// tells says whether a number of requests tells them apart, with each of its bytes.
func tells(list []exchange, in, size int) bool {
	distinct, changes := map[uint64]bool{}, uint64(0)
	first := value(list[0].ask.Data, in, size, false)
	for _, e := range list {
		v := value(e.ask.Data, in, size, false)
		distinct[v] = true
		changes |= v ^ first
	}
	for i := range size {
		if changes>>(8*i)&0xff == 0 {
			return false
		}
	}
	return len(distinct) >= max(4, min(len(list)/2, 100))
}

// shares are how many messages have a response by a key, and how many would have that of the one before.
func (k Key) shares(b int, list []exchange) (own, other float64) {
	for i := range list {
		if _, ok := list[i].answer(b, &k); ok {
			own++
		}
		if i > 0 {
			e := exchange{ask: list[i-1].ask, answers: list[i].answers}
			if m, ok := e.answer(b, &k); ok {
				if was, both := list[i-1].answer(b, &k); !both || was.Time != m.Time {
					other++
				}
			}
		}
	}
	n := float64(len(list))
	return own / n, other / n
}

// oneWay leaves of two groups that seem to answer each other the pair whose response comes sooner.
func oneWay(pairs []Pair) []Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool {
		return slices.ContainsFunc(pairs, func(q Pair) bool {
			back := q.Request == p.Response && q.Response == p.Request
			return back && (q.Key != nil && p.Key == nil || (q.Key == nil) == (p.Key == nil) && q.Delay < p.Delay)
		})
	})
}

// String says by what the pair is one.
func (p *Pair) String() string {
	text := fmt.Sprintf("%.0f %%, after %s", 100*p.Answered, span(p.Delay))
	if p.Key == nil {
		return text + ", as the next message"
	}
	text += ", by " + places(p.Key.In, p.Key.Size)
	if p.Key.Out != p.Key.In {
		text += " and " + places(p.Key.Out, p.Key.Size) + " of the response"
	}
	return text
}

func places(off, size int) string {
	if size == 1 {
		return fmt.Sprintf("byte %d", off)
	}
	return fmt.Sprintf("bytes %d to %d", off, off+size-1)
}

// span is a time between messages.
func span(ns int64) string {
	if ns < 1e9 {
		return fmt.Sprintf("%.3g ms", float64(ns)/1e6)
	}
	return fmt.Sprintf("%.3g s", float64(ns)/1e9)
}

// Number is the group's number in the report, from 1 on.
func (r *Report) Number(g *Group) int { return slices.Index(r.Groups, g) + 1 }

// Answers says which group answers a group, or which one it answers; "" is none.
func (r *Report) Answers(g *Group) string {
	for i := range r.Pairs {
		switch p := &r.Pairs[i]; g {
		case p.Request:
			return fmt.Sprintf("answered by group %d: %s", r.Number(p.Response), p)
		case p.Response:
			return fmt.Sprintf("answers group %d: %s", r.Number(p.Request), p)
		}
	}
	return ""
}
