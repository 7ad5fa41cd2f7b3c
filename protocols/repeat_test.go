package protocols

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
)

// TestKnownHeadersAreNotReadAgain holds a first pass that goes on behind the headers that it knows against one that
// reads all of them, on conversations that come several times and have bytes of their headers changed now and then.
func TestKnownHeadersAreNotReadAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	known, read := 0, 0
	for i, name := range []string{"http.pcap", "dns.pcap", "vlan.pcap", "fragments.pcap", "mld.pcap", "tls13.pcapng"} {
		if i%testall.Of(2, 1) != 0 {
			continue
		}
		once := dissecttest.Load(t, All(), "../fixtures/captures/lan/"+name).Store()
		reader := once.NewReader()
		var packets []dissecttest.Packet
		for i := range 6 * once.Len() {
			b, err := reader.Bytes(i % once.Len())
			if err != nil {
				t.Fatal(err)
			}
			p := dissecttest.Packet{Data: slices.Clone(b), Len: int(once.Meta(i % once.Len()).Len)}
			if r.IntN(3) == 0 {
				p.Data[r.IntN(min(len(p.Data), 64))] ^= 1 << r.IntN(8)
			}
			packets = append(packets, p)
		}
		a, b := headersOf(t, packets, false, &known), headersOf(t, packets, true, &read)
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("%s: behind known headers packet %d is\n%s\nwant\n%s", name, i+1, a[i], b[i])
			}
		}
	}
	if known > read*2/3 {
		t.Errorf("%d headers of IP were read, and %d where none is known", known, read)
	}
}

// headersOf is what is known of each packet after a first pass, and adds how many headers of IP it read.
func headersOf(t *testing.T, packets []dissecttest.Packet, all bool, read *int) (out []string) {
	plugins := slices.Clone(All())
	for i := range plugins {
		p := &plugins[i]
		if all {
			p.Repeats = nil
		}
		if name := p.Protocol.Name(); name == "ip" || name == "ipv6" {
			inner := p.Dissect
			p.Dissect = func(d *dissect.D) {
				if d.Session().FirstPass() {
					*read++
				}
				inner(d)
			}
		}
	}
	reg := dissecttest.Registry(t, plugins)
	steps := make([]int, len(packets)+1)
	reg.Spent = func(n dissect.FrameNum, spent int, _ bool) { steps[n] = spent }
	s := dissecttest.SessionOf(t, reg, 1, packets)
	reg.Spent = nil
	l := s.Dissector()
	for i := range packets {
		n := dissect.FrameNum(i + 1)
		conv, dir := s.DirectionOf(n)
		out = append(out, fmt.Sprintln(s.StackPath(s.LayerStackOf(n)), s.LayerStackOf(n).Kinds, conv, dir, s.SeverityOf(n),
			s.RecordOf(n), steps[n])+dissecttest.Dump(l.Tree(n)))
	}
	for i := range s.ExpertInfos() {
		out = append(out, fmt.Sprint(s.ExpertInfo(i)))
	}
	return out
}
