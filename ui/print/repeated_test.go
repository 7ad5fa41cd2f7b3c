package print_test

import (
	"math/rand/v2"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/ui/print"
)

// A protocol whose fields stand below each other or beside each other, as the packet's number says.
var (
	near  = dissect.NewProtocol("near", "Near", "Fields below others.").Summary("Near[, {num}]")
	nAny  = near.Ether("any", "Any", "Either card.")
	nCard = near.Ether("card", "Card", "A card.").Also(nAny)
	nTime = near.Time("time", "Time", "A date.")
	nNum  = near.Uint8("num", "Number", "A number.")
	nGrp  = near.Group("group", "Group", "A number.").Summary("Group[ of {num}]")
)

func nearPlugin() dissect.Plugin {
	return dissect.Plugin{Protocol: near, On: []dissect.Key{{Table: dissect.TableRoot, Value: 0}},
		Dissect: func(d *dissect.D) {
			how := d.Packet().Number() % 12
			below := func(bit dissect.FrameNum, do func()) {
				if how&bit != 0 {
					d.Below(do)
				} else {
					do()
				}
			}
			d.Ether(nCard)
			below(1, func() { d.Set(nTime, 1) })
			d.Put(nGrp, 0, d.Pos(), 0)
			below(2, func() { d.Uint(nNum) })
			d.Suffix(nNum, []string{"", " (one)", " (two)"}[how>>2])
		}}
}

// Lines that are kept from earlier packets are those that the packet has: a printer that has printed many packets
// prints each as a new one does, also when addresses are called something else.
func TestRepeatedLines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"one", "two", "", "a word that is longer than all that is kept of a value in a key of lines, by far"}
	var packets [][]byte
	for range 2000 {
		var said []string
		for range random.IntN(4) {
			said = append(said, words[random.IntN(len(words))])
		}
		b := packet(said...)
		for range random.IntN(4) {
			b[random.IntN(15)] = byte(random.IntN(3))
		}
		packets = append(packets, b[:len(b)-random.IntN(2)*random.IntN(4)])
	}
	printsTheSame(t, session(t, packets...))
	packets = packets[:0]
	for range 2000 {
		packets = append(packets, []byte{0, 0, 0, 0, 0, byte(random.IntN(2)), byte(random.IntN(3))})
	}
	printsTheSame(t, dissecttest.Session(t, []dissect.Plugin{nearPlugin()}, 1, dissecttest.Packets(packets...)))
}

func printsTheSame(t *testing.T, s *dissect.Session) {
	t.Helper()
	opt := print.Options{Tree: true}
	kept, err := print.New(nil, s, opt)
	if err != nil {
		t.Fatal(err)
	}
	l := s.Dissector()
	for n := range dissect.FrameNum(s.Passed()) {
		if n == 1000 {
			s.Registry().SetNaming(&dissect.Naming{Host: func(a dissect.Addr) string { return "host" }})
		}
		alone, err := print.New(nil, s, opt)
		if err != nil {
			t.Fatal(err)
		}
		tree := l.Redissect(n+1, kept.Wants())
		if got, want := string(kept.Append(nil, tree)), string(alone.Append(nil, tree)); got != want {
			t.Fatalf("packet %d is printed as\n%s\nand not as\n%s", n+1, got, want)
		}
	}
}
