package stats

import (
	"cmp"
	"slices"

	"remora/capture"
	"remora/dissect"
)

// A Talk is what was counted of one conversation. Ways are from A to B and back.
type Talk struct {
	*dissect.Conversation
	Ways        [2]Count
	First, Last int64 // nanoseconds since 1970
}

// Both is the sum of the two ways.
func (t *Talk) Both() Count {
	c := t.Ways[0]
	c.add(t.Ways[1])
	return c
}

// talks counts by conversation.
type talks struct{ rows []talkRow }

type talkRow struct {
	ways        [2]Count
	first, last int64
}

func (t *talks) add(conv uint32, dir int, m capture.Meta) {
	if conv == 0 {
		return
	}
	for int(conv) > len(t.rows) {
		t.rows = append(t.rows, talkRow{})
	}
	r := &t.rows[conv-1]
	if r.ways[0].Packets+r.ways[1].Packets == 0 || m.Time < r.first {
		r.first = m.Time
	}
	r.last = max(r.last, m.Time)
	r.ways[dir].add(Count{1, uint64(m.Len)})
}

// NewTalkTally is a tally that also counts by conversation. That takes 56 bytes for each of them.
func NewTalkTally(s *dissect.Session) *Tally { return &Tally{s: s, talks: &talks{}} }

// Talks are the conversations over a transport, all if it is empty, most packets first. Only a tally made by NewTalkTally
// has them.
func (t *Tally) Talks(transport dissect.Table) []Talk {
	t.ask()
	defer t.mu.Unlock()
	var out []Talk
	if t.talks == nil {
		return nil
	}
	for i, r := range t.talks.rows {
		c := t.s.Conversation(uint32(i + 1))
		if r.ways[0].Packets+r.ways[1].Packets > 0 && (transport == "" || c.Transport == transport) {
			out = append(out, Talk{c, r.ways, r.first, r.last})
		}
	}
	slices.SortStableFunc(out, func(a, b Talk) int { return cmp.Compare(b.Both().Packets, a.Both().Packets) })
	return out
}

// An EndCount is what one endpoint sent and received.
type EndCount struct {
	End            dissect.Endpoint
	Transport      dissect.Table
	Sent, Received Count
}

// Both is the sum of what was sent and received.
func (e *EndCount) Both() Count {
	c := e.Sent
	c.add(e.Received)
	return c
}

// Ends are the endpoints of conversations over a transport, most packets first. Without ports they are hosts, of all
// transports together.
func (t *Tally) Ends(transport dissect.Table, ports bool) []EndCount {
	type key struct {
		end       dissect.Endpoint
		transport dissect.Table
	}
	at := map[key]int{}
	var out []EndCount
	end := func(e dissect.Endpoint, tr dissect.Table) *EndCount {
		if !ports {
			e.Port, tr = 0, ""
		}
		k := key{e, tr}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, EndCount{End: e, Transport: tr})
		}
		return &out[i]
	}
	for _, talk := range t.Talks(transport) {
		a := end(talk.A, talk.Transport)
		a.Sent.add(talk.Ways[0])
		a.Received.add(talk.Ways[1])
		b := end(talk.B, talk.Transport)
		b.Sent.add(talk.Ways[1])
		b.Received.add(talk.Ways[0])
	}
	slices.SortStableFunc(out, func(a, b EndCount) int { return cmp.Compare(b.Both().Packets, a.Both().Packets) })
	return out
}
