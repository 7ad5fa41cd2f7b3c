//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
)

// hostileAim is how many times the ordinary a packet of a hostile shape may cost.
const hostileAim = 2

// hostile are the shapes of traffic that are made to cost much: state for each packet, and work that grows with it.
var hostile = []mix{
	{"SYN flood", "each packet from another host and port", func() func(int) []byte {
		g := generator{r: rand.New(rand.NewPCG(9, 1))}
		return func(i int) []byte { return g.segment(g.r.Uint32(), uint16(g.r.Uint32()), 80, syn, g.r.Uint32(), nil) }
	}},
	{"port scan", "one host asks all ports of others, which refuse", func() func(int) []byte {
		g := generator{r: rand.New(rand.NewPCG(9, 2))}
		return func(i int) []byte {
			host, port := uint32(i>>17), uint16(i>>1)
			if i%2 == 0 {
				return g.segment(host, 54321, port, syn, 1, nil)
			}
			return g.segment(host|fromServer, 54321, port, rst|ack, 0, nil)
		}
	}},
	{"fragments", "each of a datagram that never comes whole", func() func(int) []byte {
		g := generator{r: rand.New(rand.NewPCG(9, 3))}
		return func(i int) []byte { return g.fragment(uint16(i), uint16(g.r.IntN(8000)), 16) }
	}},
	{"one-byte segments", "of a single connection", func() func(int) []byte {
		g := generator{r: rand.New(rand.NewPCG(9, 4))}
		return func(i int) []byte {
			return g.segment(7, 40000, 80, ack|psh, uint32(i), []byte{"GET / HTTP/1.1\r\nA: b\r\n\r\n"[i%24]})
		}
	}},
	{"random bytes to a game", "on the port of Touhou", func() func(int) []byte {
		g := generator{r: rand.New(rand.NewPCG(9, 5))}
		return func(int) []byte {
			return g.udp(uint32(g.r.IntN(200)), 50001, 10800, g.bytes(20+g.r.IntN(80)))
		}
	}},
	{"random bytes to another", "on the port of Kaillera", func() func(int) []byte {
		g := generator{r: rand.New(rand.NewPCG(9, 6))}
		return func(int) []byte {
			return g.udp(uint32(g.r.IntN(200)), 50001, 27888, g.bytes(20+g.r.IntN(80)))
		}
	}},
}

// fromServer marks the host of a segment that it sends itself.
const fromServer = 1 << 31

func (g *generator) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.r.Uint32())
	}
	return b
}

// segment is one of TCP between a host and the one that all know.
func (g *generator) segment(host uint32, client, server uint16, flags byte, seq uint32, payload []byte) []byte {
	forward := host&fromServer == 0
	g.ip(6, host, forward, 20+len(payload))
	copy(g.buf[14+12:], []byte{10, 1, 0, 1, 10, byte(host >> 16 & 0x7f), byte(host >> 8), byte(host)})
	if forward {
		copy(g.buf[14+12:], []byte{10, byte(host >> 16), byte(host >> 8), byte(host), 10, 1, 0, 1})
	}
	ports := [2]uint16{client, server}
	if !forward {
		ports[0], ports[1] = server, client
	}
	be := binary.BigEndian
	b := be.AppendUint16(be.AppendUint16(g.buf, ports[0]), ports[1])
	b = be.AppendUint32(be.AppendUint32(b, seq), 0)
	g.buf = append(append(b, 0x50, flags, 0xff, 0xff, 0, 0, 0, 0), payload...)
	return g.buf
}

// fragment is one in the midst of a datagram.
func (g *generator) fragment(id, at uint16, n int) []byte {
	g.ip(17, 3, true, n)
	h := g.buf[14:34]
	binary.BigEndian.PutUint16(h[4:], id)
	binary.BigEndian.PutUint16(h[6:], 0x2000|at)
	h[10], h[11] = 0, 0
	binary.BigEndian.PutUint16(h[10:], checksum(h))
	g.buf = append(g.buf, g.bytes(n)...)
	return g.buf
}

// hostileTable compares the first pass over hostile shapes with that over the ordinary mixes, and what is held of them
// at rest, a packet each.
func (b *bencher) hostileTable(dir string, packets int) error {
	fmt.Printf("\nhostile shapes, %d packets each: first pass, and at rest\n%-28s %10s %10s %12s %10s %12s\n", packets, "",
		"ns/packet", "MB", "of ordinary", "B/packet", "of ordinary")
	var ordinary, worst [2]float64 // nanoseconds, bytes
	for i, m := range append(append([]mix(nil), mixes...), hostile...) {
		file := filepath.Join(dir, "hostile.pcap")
		if _, err := generate(file, packets, m.packet()); err != nil {
			return err
		}
		r := b.outside(b.remora, "-r", file, "-Y", "frame.number==0")
		cost := [2]float64{r.cpu / float64(packets) * 1e9, float64(b.inside("parts", file).bytes) / float64(packets)}
		for k := range cost {
			if i < len(mixes) {
				ordinary[k] = max(ordinary[k], cost[k])
			} else {
				worst[k] = max(worst[k], cost[k]/ordinary[k])
			}
		}
		fmt.Printf("%-28s %10.0f %10.0f %12.2f %10.1f %12.2f\n", m.name, cost[0], float64(r.bytes)/1e6, cost[0]/ordinary[0],
			cost[1], cost[1]/ordinary[1])
	}
	for k, what := range []string{"hostile shapes, a packet", "hostile shapes, bytes a packet at rest"} {
		b.check(what, fmt.Sprintf("%d times", hostileAim), fmt.Sprintf("%.2f times", worst[k]), worst[k] <= hostileAim)
	}
	return nil
}
