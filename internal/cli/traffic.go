package cli

import (
	"fmt"
	"slices"

	"remora/dissect"
	"remora/internal/lab"
)

// traffic is what packets carry over UDP and TCP.
type traffic struct {
	messages []lab.Message
	streams  map[direction]*stream
	order    []*stream
	segments int
	ports    map[int]int // how often each is the lower one
}

type direction struct {
	conversation uint32
	back         int
}

type stream struct {
	direction
	time  int64
	bytes []byte
	next  uint32
}

// newTraffic has nothing yet.
func newTraffic() *traffic {
	return &traffic{ports: map[int]int{}, streams: map[direction]*stream{}}
}

// Add adds what a packet carries.
func (p *traffic) Add(s *dissect.Session, tree *dissect.Tree) {
	conv, dir := s.DirectionOf(tree.Frame)
	d := direction{conv, dir}
	seq := uint32(0)
	for i := range tree.Nodes {
		switch tree.Field(i).Name() {
		case "tcp.seq_raw":
			seq = uint32(tree.Nodes[i].Val)
		case "udp.payload":
			p.messages = append(p.messages, lab.Message{Time: tree.Time(), Flow: conv, Direction: dir,

				Data: slices.Clone(tree.Raw(i)), Frame: uint32(tree.Frame)})
			p.ports[int(min(tree.Src.Port, tree.Dst.Port))]++
		case "tcp.payload":
			p.segment(d, tree, seq, tree.Raw(i))
		}
	}
}

// Messages is how many datagrams there are, and segments that belong to streams.
func (p *traffic) Messages() int { return len(p.messages) + p.segments }

// segment adds bytes to a stream where they follow the ones before: what is repeated is left out, and what is behind a
// gap.
func (p *traffic) segment(d direction, tree *dissect.Tree, seq uint32, b []byte) {
	st := p.streams[d]
	if st == nil {
		st = &stream{direction: d, time: tree.Time(), next: seq}
		p.streams[d], p.order = st, append(p.order, st)
	}
	if seq != st.next {
		return
	}
	p.segments++
	st.bytes, st.next = append(st.bytes, b...), seq+uint32(len(b))
	p.ports[int(min(tree.Src.Port, tree.Dst.Port))]++
}

// Report looks at the datagrams, or at the streams where there are none.
func (p *traffic) Report() *lab.Report {
	if len(p.messages) > 0 {
		return lab.Analyse(p.messages, nil)
	}
	var all [][]byte
	for _, st := range p.order {
		all = append(all, st.bytes)
	}
	f, ok := lab.Frame(all)
	if !ok {
		return nil
	}
	for _, st := range p.order {
		cut, _ := f.Cut(st.bytes)
		for i, b := range cut {
			m := lab.Message{Time: st.time + int64(i), Flow: st.conversation, Direction: st.back, Data: b}
			p.messages = append(p.messages, m)
		}
	}
	return lab.Analyse(p.messages, &f)
}

// Where is the key below -remora that finds the messages again.
func (p *traffic) Where(r *lab.Report) string {
	port := 0
	for n, count := range p.ports {
		if count > p.ports[port] || count == p.ports[port] && n < port {
			port = n
		}
	}
	if f := r.Framing; f != nil {
		return fmt.Sprintf("tcp: {port: %d, header: %d, length: message_length + %d}", port, f.Off+f.Size, f.Plus)
	}
	return fmt.Sprintf("udp: %d", port)
}
