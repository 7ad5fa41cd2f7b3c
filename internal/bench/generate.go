//go:build unix

package main

import (
	"bufio"
	"encoding/binary"
	"math/rand/v2"
	"os"
)

// A mix is a sort of traffic.
type mix struct {
	name, about string
	packet      func() func(i int) []byte // begins anew
}

// mixes are what everything is measured on. The first is what the screen is measured on.
var mixes = []mix{
	{"games", "35 % Touhou, 25 % other UDP, 5 % DNS, 30 % TCP, 5 % ARP", func() func(int) []byte {
		g := generator{r: rand.New(rand.NewPCG(1, 2))}
		return g.packet
	}},
	{"web", "connections with TLS and HTTP, DNS, QUIC, NTP; IPv4 and IPv6, VLANs, losses", func() func(int) []byte {
		g := newTalks(3)
		return func(int) []byte { return g.packet() }
	}},
	{"mixed", "half of each", func() func(int) []byte {
		games, web := generator{r: rand.New(rand.NewPCG(5, 6))}, newTalks(7)
		return func(i int) []byte {
			if i%2 == 0 {
				return games.packet(i)
			}
			return web.packet()
		}
	}},
}

// generate writes a capture of a mix. It is the same for the same number of packets. It returns the file's size.
func generate(path string, packets int, packet func(i int) []byte) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	le := binary.LittleEndian
	head := le.AppendUint32(nil, 0xa1b2c3d4)
	head = append(head, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0)
	w.Write(head)
	var rec [16]byte
	for i := range packets {
		b := packet(i)
		us := uint64(1704067200e6) + uint64(i)*37
		le.PutUint32(rec[0:], uint32(us/1e6))
		le.PutUint32(rec[4:], uint32(us%1e6))
		le.PutUint32(rec[8:], uint32(len(b)))
		le.PutUint32(rec[12:], uint32(len(b)))
		w.Write(rec[:])
		w.Write(b)
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	return info.Size(), err
}

type generator struct {
	r     *rand.Rand
	buf   []byte
	frame [2]uint32
	seq   [512]uint32
	asked []byte // the DNS query that waits for its answer, and who asked
	host  uint32
	port  uint16
}

func (g *generator) packet(i int) []byte {
	switch k := g.r.IntN(100); {
	case k < 35:
		return g.touhou()
	case k < 60:
		return g.udp(uint32(g.r.IntN(200)), uint16(20000+g.r.IntN(200)), 40000, g.junk(20+g.r.IntN(120)))
	case k < 65:
		return g.dns(uint16(i))
	case k < 95:
		return g.tcp()
	}
	return g.arp(byte(i))
}

func (g *generator) junk(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.r.Uint32())
	}
	b[0] = 0xfe
	return b
}

// touhou is one side's input of a battle, as the game sends it sixty times a second.
func (g *generator) touhou() []byte {
	side := g.r.IntN(2)
	g.frame[side]++
	words := 1
	if side == 0 {
		words = 4
	}
	p := []byte{byte(0x0d + side), 3, 0, 0, 0, 0, 5, byte(words)}
	binary.LittleEndian.PutUint32(p[2:], g.frame[side])
	p = append(p, make([]byte, 2*words)...)
	if side == 0 {
		return g.udp(1, 10800, 50001, p)
	}
	return g.udp(1, 50001, 10800, p)
}

// dns is a query, and the next time its answer.
func (g *generator) dns(id uint16) []byte {
	if g.asked != nil {
		answer := g.asked
		g.asked = nil
		answer[2], answer[3] = 0x81, 0x80
		return g.udp(g.host, 53, g.port, answer)
	}
	g.host, g.port = uint32(g.r.IntN(50)), uint16(33000+g.r.IntN(5000))
	g.asked = dnsQuery(id, g.r.IntN(26))
	return g.udp(g.host, g.port, 53, g.asked)
}

func dnsQuery(id uint16, letter int) []byte {
	b := []byte{byte(id >> 8), byte(id), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 4, 'h', 'o', 's', byte('a' + letter), 7, 'e', 'x',
		'a', 'm', 'p', 'l', 'e', 3, 'o', 'r', 'g', 0, 0, 1, 0, 1}
	return b
}

func (g *generator) ether(etherType uint16) {
	g.buf = append(g.buf[:0], 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, byte(etherType>>8), byte(etherType))
}

func (g *generator) ip(proto byte, host uint32, forward bool, n int) {
	g.ether(0x0800)
	h := []byte{0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, proto, 0, 0, 10, 0, byte(host >> 8), byte(host), 10, 1, 0, 1}
	if !forward {
		copy(h[12:16], []byte{10, 1, 0, 1})
		copy(h[16:20], []byte{10, 0, byte(host >> 8), byte(host)})
	}
	binary.BigEndian.PutUint16(h[2:], uint16(20+n))
	binary.BigEndian.PutUint16(h[10:], checksum(h))
	g.buf = append(g.buf, h...)
}

func (g *generator) udp(host uint32, src, dst uint16, payload []byte) []byte {
	g.ip(17, host, src > dst, 8+len(payload))
	u := make([]byte, 8)
	binary.BigEndian.PutUint16(u, src)
	binary.BigEndian.PutUint16(u[2:], dst)
	binary.BigEndian.PutUint16(u[4:], uint16(8+len(payload)))
	g.buf = append(append(g.buf, u...), payload...)
	return g.buf
}

func (g *generator) tcp() []byte {
	c := g.r.IntN(len(g.seq))
	payload := g.junk(1 + g.r.IntN(200))
	flags := byte(0x18)
	if g.seq[c] == 0 {
		flags, payload = 2, nil
	}
	g.ip(6, uint32(c), true, 20+len(payload))
	h := make([]byte, 20)
	binary.BigEndian.PutUint16(h, uint16(35000+c))
	binary.BigEndian.PutUint16(h[2:], 8443)
	binary.BigEndian.PutUint32(h[4:], g.seq[c])
	h[12], h[13], h[14] = 0x50, flags, 0xff
	g.seq[c] += uint32(max(1, len(payload)))
	g.buf = append(append(g.buf, h...), payload...)
	return g.buf
}

func (g *generator) arp(n byte) []byte {
	g.ether(0x0806)
	g.buf = append(g.buf, 0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 2, 10, 0, 0, n, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1)
	return g.buf
}

func checksum(b []byte) uint16 {
	var s uint32
	for i := 0; i+1 < len(b); i += 2 {
		s += uint32(b[i])<<8 | uint32(b[i+1])
	}
	for s>>16 != 0 {
		s = s>>16 + s&0xffff
	}
	return ^uint16(s)
}
