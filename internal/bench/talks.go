//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// A talks generator writes what many hosts say at once: connections with TLS and HTTP from the handshake to the end,
// with retransmissions, lost segments and resets; DNS, QUIC and NTP; some of it on IPv6 and in VLANs.
type talks struct {
	r     *rand.Rand
	pool  []byte // random bytes, of which payloads are parts
	open  []*talk
	frame []byte
	made  uint32
}

// A talk is one of the conversations, as the packets still to come.
type talk struct {
	client  uint32
	server  uint32
	ports   [2]uint16
	v6      bool
	vlan    uint16
	tcp     bool
	seq     [2]uint32
	packets []said
}

// said is one packet of a talk, from the client (0) or the server (1).
type said struct {
	side    int
	flags   byte
	payload []byte
	lost    bool // it was sent, and not captured
	again   bool // once more what was sent before
}

const (
	fin = 1
	syn = 2
	rst = 4
	psh = 8
	ack = 16

	segment = 1400 // bytes of a full one
	atOnce  = 300  // conversations that are open
)

func newTalks(seed uint64) *talks {
	g := &talks{r: rand.New(rand.NewPCG(seed, 11)), pool: make([]byte, 1<<16), open: make([]*talk, atOnce)}
	for i := range g.pool {
		g.pool[i] = byte(g.r.Uint32())
	}
	return g
}

// packet is the next one, of any talk.
func (g *talks) packet() []byte {
	for {
		at := &g.open[g.r.IntN(len(g.open))]
		if *at == nil || len((*at).packets) == 0 {
			*at = g.talk()
		}
		t := *at
		p := t.packets[0]
		t.packets = t.packets[1:]
		if b := g.write(t, p); !p.lost {
			return b
		}
	}
}

// talk begins a conversation.
func (g *talks) talk() *talk {
	g.made++
	t := &talk{client: uint32(g.r.IntN(400)), server: 1000 + uint32(g.r.IntN(2000)),
		ports: [2]uint16{uint16(32768 + g.made%28000), 443}, v6: g.r.IntN(5) == 0}
	if g.r.IntN(50) == 0 {
		t.vlan = 7
	}
	t.seq = [2]uint32{g.r.Uint32(), g.r.Uint32()}
	switch k := g.r.IntN(100); {
	case k < 38:
		g.tls(t)
	case k < 52:
		g.http(t)
	case k < 90:
		name := dnsQuery(uint16(g.made), g.r.IntN(26))
		answer := append(append([]byte(nil), name...), 0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 10, 1, 2, 3)
		answer[2], answer[3], answer[7] = 0x81, 0x80, 1
		t.ports[1] = 53
		t.say(0, 0, name)
		t.say(1, 0, answer)
	case k < 97:
		g.quic(t)
	default:
		t.ports[1] = 123
		t.say(0, 0, append([]byte{0x23, 0, 6, 0xec, 0, 0, 0, 0, 0, 0, 0, 0}, g.junk(36)...))
		t.say(1, 0, append([]byte{0x24, 2, 6, 0xec, 0, 0, 0, 1, 0, 0, 0, 2}, g.junk(36)...))
	}
	return t
}

func (g *talks) junk(n int) []byte {
	at := g.r.IntN(len(g.pool) - n)
	return g.pool[at : at+n]
}

// size is mostly small, and sometimes very large.
func (g *talks) size(least, doublings int) int {
	for range doublings {
		if g.r.IntN(2) == 0 {
			break
		}
		least *= 2
	}
	return least + g.r.IntN(least)
}

func (t *talk) say(side int, flags byte, payload []byte) {
	t.packets = append(t.packets, said{side: side, flags: flags, payload: payload})
}

func (t *talk) begin() {
	t.tcp = true
	t.say(0, syn, nil)
	t.say(1, syn|ack, nil)
	t.say(0, ack, nil)
}

// end closes a connection, and has a few of its packets lost, sent twice, or cut short by a reset.
func (g *talks) end(t *talk) {
	if g.r.IntN(30) == 0 {
		t.say(0, rst|ack, nil)
	} else {
		t.say(0, fin|ack, nil)
		t.say(1, fin|ack, nil)
		t.say(0, ack, nil)
	}
	for i := range t.packets {
		p := &t.packets[i]
		if len(p.payload) == 0 {
			continue
		}
		switch g.r.IntN(200) {
		case 0:
			p.lost = true
		case 1, 2:
			again := *p
			again.again = true
			t.packets = append(t.packets[:i+1], append([]said{again}, t.packets[i+1:]...)...)
			return // the slice moved
		}
	}
}

// send is bytes in segments, each second of which is acknowledged.
func (t *talk) send(side int, b []byte) {
	for i := 0; len(b) > 0; i++ {
		n := min(segment, len(b))
		t.say(side, ack|psh, b[:n])
		b = b[n:]
		if i%2 == 1 || len(b) == 0 {
			t.say(1-side, ack, nil)
		}
	}
}

func record(kind byte, body []byte) []byte {
	return append([]byte{kind, 3, 3, byte(len(body) >> 8), byte(len(body))}, body...)
}

func (g *talks) tls(t *talk) {
	t.begin()
	name := fmt.Sprintf("host%d.example.org", t.server)
	t.send(0, record(22, g.hello(name)))
	server := append([]byte{2, 0, 0, 76, 3, 3}, g.junk(32)...)
	server = append(append(server, 32), g.junk(32)...)
	server = append(server, 0x13, 1, 0, 0, 6, 0, 43, 0, 2, 3, 4)
	server[3] = byte(len(server) - 4)
	flight := append(record(22, server), record(20, []byte{1})...)
	t.send(1, append(flight, record(23, g.junk(g.size(1200, 2)))...))
	t.send(0, append(record(20, []byte{1}), record(23, g.junk(53))...))
	for range 1 + g.r.IntN(3) {
		t.send(0, record(23, g.junk(g.size(100, 3))))
		t.send(1, record(23, g.junk(g.size(300, 4))))
	}
	g.end(t)
}

// hello is a ClientHello for a name.
func (g *talks) hello(name string) []byte {
	be := binary.BigEndian
	sni := be.AppendUint16([]byte{0, 0}, uint16(len(name)+5))
	sni = be.AppendUint16(sni, uint16(len(name)+3))
	sni = be.AppendUint16(append(sni, 0), uint16(len(name)))
	ext := append(append(sni, name...), 0, 43, 0, 3, 2, 3, 4, 0, 16, 0, 5, 0, 3, 2, 'h', '2')
	b := append(append([]byte{3, 3}, g.junk(32)...), 32)
	b = append(append(b, g.junk(32)...), 0, 6, 0x13, 1, 0x13, 2, 0xc0, 0x2f, 1, 0)
	b = append(be.AppendUint16(b, uint16(len(ext))), ext...)
	return append([]byte{1, 0, byte(len(b) >> 8), byte(len(b))}, b...)
}

func (g *talks) http(t *talk) {
	t.begin()
	t.ports[1] = 80
	for range 1 + g.r.IntN(4) {
		t.send(0, fmt.Appendf(nil, "GET /items/%d HTTP/1.1\r\nHost: host%d.example.org\r\nUser-Agent: bench/1.0\r\n"+
			"Accept: */*\r\n\r\n", g.r.IntN(1e6), t.server))
		body := g.junk(g.size(200, 5))
		t.send(1, append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: application/octet-stream\r\n"+
			"Content-Length: %d\r\n\r\n", len(body)), body...))
	}
	g.end(t)
}

func (g *talks) quic(t *talk) {
	first := append([]byte{0xc3, 0, 0, 0, 1, 8}, g.junk(8)...)
	first = append(append(first, 0, 0, 0x44, 0x96), g.junk(1174)...)
	t.say(0, 0, first)
	t.say(1, 0, first)
	for range g.size(4, 3) {
		t.say(g.r.IntN(2), 0, append([]byte{0x40 | byte(g.r.IntN(32))}, g.junk(g.size(30, 4))...))
	}
}

// write makes the frame of what is said.
func (g *talks) write(t *talk, p said) []byte {
	be := binary.BigEndian
	b := append(g.frame[:0], 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2)
	if t.vlan != 0 {
		b = be.AppendUint16(append(b, 0x81, 0), t.vlan)
	}
	head := 8
	if t.tcp {
		head = 20
	}
	b = t.network(b, p.side, head+len(p.payload))
	b = be.AppendUint16(be.AppendUint16(b, t.ports[p.side]), t.ports[1-p.side])
	if t.tcp {
		if p.again {
			t.seq[p.side] -= uint32(len(p.payload))
		}
		b = be.AppendUint32(be.AppendUint32(b, t.seq[p.side]), t.seq[1-p.side])
		b = append(b, 0x50, p.flags, 0xff, 0xff, 0, 0, 0, 0)
		t.seq[p.side] += uint32(len(p.payload))
		if p.flags&(syn|fin) != 0 {
			t.seq[p.side]++
		}
	} else {
		b = append(be.AppendUint16(b, uint16(head+len(p.payload))), 0, 0)
	}
	g.frame = append(b, p.payload...)
	return g.frame
}

// network is the header of IP before n bytes.
func (t *talk) network(b []byte, side, n int) []byte {
	be := binary.BigEndian
	ends := [2]uint32{t.client, t.server}
	proto := byte(17)
	if t.tcp {
		proto = 6
	}
	if t.v6 {
		b = be.AppendUint16(append(b, 0x86, 0xdd, 0x60, 0, 0, 0), uint16(n))
		b = append(b, proto, 64)
		for _, host := range [2]uint32{ends[side], ends[1-side]} {
			b = be.AppendUint32(append(b, 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0), host)
		}
		return b
	}
	at := len(b) + 2
	b = be.AppendUint16(append(b, 8, 0, 0x45, 0), uint16(20+n))
	b = append(b, 0, 0, 0x40, 0, 64, proto, 0, 0)
	for _, host := range [2]uint32{ends[side], ends[1-side]} {
		b = append(b, 10, byte(host>>16), byte(host>>8), byte(host))
	}
	be.PutUint16(b[at+10:], checksum(b[at:at+20]))
	return b
}
