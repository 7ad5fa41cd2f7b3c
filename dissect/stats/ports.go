package stats

import (
	"cmp"
	"slices"

	"remora/dissect"
	"remora/internal/sorting"
)

// A PortCount is what went to and from one port of a transport, over all ends that have it.
type PortCount struct {
	Transport     dissect.Table
	Port          uint16
	Conversations int   // conversations
	To, From      Count // what went to the port, and what came from it
	First, Last   int64 // nanoseconds since 1970
}

// Both is the sum of the two ways.
func (p *PortCount) Both() Count {
	c := p.To
	c.add(p.From)
	return c
}

// wellKnown is below which ports belong to services (RFC 6335 section 6).
const wellKnown = 1024

// ServicePort tells which end of a conversation has the port of the service: the one that the first packet went to, but
// for conversations that were met in their middle, which a port of well-known services tells.
func ServicePort(c *dissect.Conversation) dissect.Endpoint {
	if c.A.Port < wellKnown && c.B.Port >= wellKnown {
		return c.A
	}
	return c.B
}

// Ports are the services' ports so far, most packets first. There are none at layers without ports.
func (t *Table) Ports() []PortCount {
	if !t.layer.Ports {
		return nil
	}
	t.lockToRead()
	rows := slices.Clone(t.rows)
	all := make(portCounts, len(t.evicted.ports))
	for k, p := range t.evicted.ports {
		c := *p
		all[k] = &c
	}
	t.mu.Unlock()
	for i := range rows {
		all.add(&rows[i])
	}
	out := make([]PortCount, 0, len(all))
	for _, p := range all {
		out = append(out, *p)
	}
	sorting.Stable(out, func(a, b PortCount) int {
		return cmp.Or(cmp.Compare(b.Both().Packets, a.Both().Packets), cmp.Compare(a.Port, b.Port),
			cmp.Compare(a.Transport, b.Transport))
	})
	return out
}

// portCounts counts by port; there are no more than ports.
type portCounts map[portKey]*PortCount

type portKey struct {
	transport dissect.Table
	port      uint16
}

// add counts a conversation for the port of its service.
func (all portCounts) add(conv *Conversation) {
	if conv.Conv == nil || conv.Conv.A.Port == 0 && conv.Conv.B.Port == 0 {
		return
	}
	service := ServicePort(conv.Conv)
	k := portKey{conv.Conv.Transport, service.Port}
	p := all[k]
	if p == nil {
		p = &PortCount{Transport: k.transport, Port: k.port, First: conv.First}
		all[k] = p
	}
	to := 0
	if conv.B != service {
		to = 1
	}
	p.Conversations++
	p.To.add(conv.Directions[to])
	p.From.add(conv.Directions[1-to])
	p.First, p.Last = min(p.First, conv.First), max(p.Last, conv.Last)
}
