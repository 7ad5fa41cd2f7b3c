package pcapfile

import (
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/internal/pcapng"
)

func TestPcapngOrders(t *testing.T) {
	want := capturetest.Samples(500)
	for name, o := range capturetest.Orders {
		t.Run(name, func(t *testing.T) {
			s := memory(t, capturetest.Pcapng(o, want))
			capturetest.Expect(t, s, want)
			capturetest.NoNotices(t, s)
		})
	}
}

func TestPcapngTornAtEveryOffset(t *testing.T) {
	want := capturetest.Samples(5)
	g := &capturetest.NG{Order: capturetest.Orders["big"]}
	g.Section().Interface(1, 0, g.Option(pcapng.IfTSResol, []byte{9}))
	ends := []int{len(g.Bytes)}
	for _, p := range want {
		g.Packet(0, uint64(p.Time), p.Len, p.Data)
		ends = append(ends, len(g.Bytes))
	}
	head := len((&capturetest.NG{Order: capturetest.Orders["big"]}).Section().Bytes)
	for cut := 4; cut < ends[0]; cut++ {
		if n := memory(t, g.Bytes[:cut]).Notices(); cut != head && len(n) != 1 {
			t.Errorf("cut at %d: notices %q", cut, n)
		}
	}
	for cut := ends[0]; cut <= len(g.Bytes); cut++ {
		whole, clean := 0, false
		for i, end := range ends {
			if end <= cut {
				whole, clean = i, end == cut
			}
		}
		s := memory(t, g.Bytes[:cut])
		capturetest.Expect(t, s, want[:whole])
		if n := s.Notices(); clean != (len(n) == 0) {
			t.Fatalf("cut at %d: notices %q", cut, n)
		}
	}
}

func TestPcapngTornUnreadBlock(t *testing.T) {
	g := &capturetest.NG{Order: capturetest.Orders["little"]}
	g.Section().Block(pcapng.BlockNames, make([]byte, 200))
	s := memory(t, g.Bytes[:len(g.Bytes)-5])
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "cut short") {
		t.Errorf("notices %q", n)
	}
}

func TestTimeResolutions(t *testing.T) {
	units := []uint64{0, 1, 999, 1_000_000, 1_700_000_000_123_456, 1 << 52, math.MaxUint64}
	for res := range 256 {
		for _, offset := range []int64{0, 1_000_000_000, -5} {
			clk := newClock(byte(res), offset)
			for _, u := range units {
				if got, want := clk.nanos(u), exactNanos(byte(res), offset, u); got != want {
					t.Fatalf("resolution %#x, offset %d: %d units are %d ns, want %d", res, offset, u, got, want)
				}
			}
		}
	}
}

// exactNanos is the definition, in numbers without end.
func exactNanos(res byte, offset int64, units uint64) int64 {
	n := new(big.Int).Mul(new(big.Int).SetUint64(units), big.NewInt(second))
	base := big.NewInt(10)
	if res&0x80 != 0 {
		base = big.NewInt(2)
	}
	n.Div(n, base.Exp(base, big.NewInt(int64(res&0x7F)), nil))
	limit := big.NewInt(math.MaxInt64)
	if n.Cmp(limit) > 0 {
		n.Set(limit)
	}
	n.Add(n, new(big.Int).Mul(big.NewInt(offset), big.NewInt(second)))
	if n.Cmp(limit) > 0 {
		n.Set(limit)
	}
	return n.Int64()
}

func TestResolutionsInFiles(t *testing.T) {
	for name, o := range capturetest.Orders {
		for _, res := range []byte{0, 3, 6, 9, 12, 0x80, 0x8A, 0x94, 0x9E, 0xA0} {
			g := &capturetest.NG{Order: o}
			off := o.AppendUint64(nil, uint64(100))
			g.Section().Interface(1, 0, g.Option(pcapng.IfTSResol, []byte{res}), g.Option(pcapng.IfTSOffset, off)).
				Packet(0, 123_456_789_012, 1, []byte{9})
			s := memory(t, g.Bytes)
			if got, want := s.Meta(0).Time, exactNanos(res, 100, 123_456_789_012); got != want {
				t.Errorf("%s, resolution %#x: %d, want %d", name, res, got, want)
			}
		}
	}
}

func TestPcapngSectionsAndInterfaces(t *testing.T) {
	le, be := &capturetest.NG{Order: capturetest.Orders["little"]}, &capturetest.NG{Order: capturetest.Orders["big"]}
	le.Section(le.Option(pcapng.OptComment, []byte("first")), le.Option(pcapng.ShbOS, []byte("Linux"))).
		Interface(1, 0, le.Option(pcapng.IfName, []byte("eth0")), le.Option(pcapng.IfTSResol, []byte{9})).
		Interface(113, 0, le.Option(pcapng.IfName, []byte("any"))).
		Packet(1, 7, 3, []byte("one")).Packet(0, 8, 3, []byte("two"))
	be.Section(be.Option(pcapng.ShbApp, []byte("elsewhere"))).
		Interface(101, 4, be.Option(pcapng.IfName, []byte("tun0\x00")), be.Option(pcapng.IfTSResol, []byte{3})).
		Packet(0, 2, 5, []byte("three")).Simple(9, []byte("fourfour\x00")).OldPacket(0, 5, 4, []byte("five"))
	s := memory(t, append(le.Bytes, be.Bytes...))
	capturetest.Expect(t, s, []capturetest.Sample{
		{Time: 7000, Len: 3, Data: []byte("one"), Interface: 1}, {Time: 8, Len: 3, Data: []byte("two"), Interface: 0},
		{Time: 2_000_000, Len: 5, Data: []byte("three"), Interface: 2},
		{Time: 2_000_000, Len: 9, Data: []byte("four"), Interface: 2},
		{Time: 5_000_000, Len: 4, Data: []byte("five"), Interface: 2},
	})
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "no time") {
		t.Errorf("notices %q", n)
	}
	var names []string
	for _, i := range s.Interfaces() {
		names = append(names, i.Name)
	}
	if !reflect.DeepEqual(names, []string{"eth0", "any", "tun0"}) || s.Interface(2).Section != 1 || s.LinkType(2) != 101 {
		t.Errorf("interfaces %q, %+v", names, s.Interface(2))
	}
	sec := s.Sections()
	if len(sec) != 2 || sec[0].OS != "Linux" || sec[0].Comments[0] != "first" || sec[1].Application != "elsewhere" ||
		!sec[1].BigEndian {
		t.Errorf("sections %+v", sec)
	}
}

func TestPcapngInterfaceOptions(t *testing.T) {
	for name, o := range capturetest.Orders {
		g := &capturetest.NG{Order: o}
		g.Section().Interface(1, 96, g.Option(pcapng.IfName, []byte("en7")), g.Option(pcapng.IfDescription, []byte("Back")),
			g.Option(pcapng.IfIPv4, []byte{10, 1, 2, 3, 255, 255, 240, 0}),
			g.Option(pcapng.IfIPv6, append(netip.MustParseAddr("fe80::1").AsSlice(), 64)),
			g.Option(pcapng.IfMAC, []byte{1, 2, 3, 4, 5, 6}), g.Option(pcapng.IfSpeed, o.AppendUint64(nil, 1e9)),
			g.Option(pcapng.IfFilter, []byte("\x00udp")),
			g.Option(pcapng.IfOS, []byte("BSD")), g.Option(pcapng.IfFCSLen, []byte{4}),
			g.Option(pcapng.IfHardware, []byte("chip")),
			g.Option(pcapng.OptComment, []byte("c")), g.Option(0, nil),
			g.Option(pcapng.IfName, []byte("behind the end")))
		got := memory(t, g.Bytes).Interface(0)
		want := capture.Interface{Name: "en7", Description: "Back", Filter: "udp", LinkType: 1, SnapLen: 96,
			TimeResolution: 6,
			FCSLen:         4, Hardware: "chip",
			OS: "BSD", MAC: []byte{1, 2, 3, 4, 5, 6}, Speed: 1e9, Comments: []string{"c"},
			Addresses: []netip.Prefix{netip.MustParsePrefix("10.1.2.3/20"), netip.MustParsePrefix("fe80::1/64")},
			BigEndian: name == "big", PacketOptions: true}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
}

func TestPcapngComments(t *testing.T) {
	for _, o := range capturetest.Orders {
		g := &capturetest.NG{Order: o}
		g.Section().Interface(1, 0).Packet(0, 1, 1, []byte{1}).
			Packet(0, 2, 3, []byte{1, 2, 3}, g.Option(pcapng.EpbFlags, o.AppendUint32(nil, 1)),
				g.Option(pcapng.OptComment, []byte("look")),
				g.Option(pcapng.OptComment, []byte("here")), g.Option(0, nil)).
			Packet(0, 3, 1, []byte{1}, g.Option(pcapng.EpbFlags, o.AppendUint32(nil, 2)))
		s := memory(t, g.Bytes)
		if got := s.Comments(1); !reflect.DeepEqual(got, []string{"look", "here"}) || s.Comments(0) != nil ||
			s.Comments(2) != nil {
			t.Errorf("comments %q", got)
		}
		if got := s.Commented(); !reflect.DeepEqual(got, []int{1}) {
			t.Errorf("commented %v", got)
		}
		s.SetComments(1, nil)
		s.SetComments(2, []string{"mine"})
		if got := s.Commented(); !reflect.DeepEqual(got, []int{2}) || len(s.Comments(1)) != 0 || s.Comments(2)[0] != "mine" ||
			!s.CommentsChanged() {
			t.Errorf("after setting: %v %q", got, s.Comments(1))
		}
	}
}

func TestPcapngDamage(t *testing.T) {
	o := capturetest.Orders["little"]
	good := func() *capturetest.NG {
		g := &capturetest.NG{Order: o}
		return g.Section().Interface(1, 0).Packet(0, 1, 4, []byte("good"))
	}
	want := []capturetest.Sample{{Time: 1000, Len: 4, Data: []byte("good")}}
	cases := []struct {
		name   string
		damage func(*capturetest.NG)
		says   string
	}{
		{"length zero", func(g *capturetest.NG) { g.Bytes = append(g.Bytes, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) },
			"0 bytes long"},
		{"length not of four", func(g *capturetest.NG) { g.Bytes = append(g.Bytes, 6, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0) },
			"33 bytes long"},
		{"length four gigabytes",
			func(g *capturetest.NG) { g.Bytes = append(g.Bytes, 6, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0) },
			"4294967292"},
		{"unknown block of four gigabytes",
			func(g *capturetest.NG) { g.Bytes = append(g.Bytes, 99, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0) }, "cut short"},
		{"lengths differ", func(g *capturetest.NG) { g.Packet(0, 1, 1, []byte{1}); g.Bytes[len(g.Bytes)-4]++ }, "at its end"},
		{"packet longer than block",
			func(g *capturetest.NG) { g.Packet(0, 1, 1, []byte{1}); o.PutUint32(g.Bytes[len(g.Bytes)-16:], 5) },
			"claims a packet of 5"},
		{"short packet block", func(g *capturetest.NG) { g.Block(pcapng.BlockPacket, make([]byte, 8)) }, "too short"},
		{"short simple block", func(g *capturetest.NG) { g.Block(pcapng.BlockSimple, nil) }, "too short"},
		{"short interface", func(g *capturetest.NG) { g.Block(pcapng.BlockInterface, make([]byte, 4)) }, "too short"},
		{"no byte order", func(g *capturetest.NG) { g.Block(pcapng.BlockSection, make([]byte, 16)) }, "byte-order"},
		{"future version", func(g *capturetest.NG) { g.Section(); g.Bytes[len(g.Bytes)-16] = 9 }, "version 9.0"},
		{"minor version", func(g *capturetest.NG) { g.Section(); g.Bytes[len(g.Bytes)-14] = 1 }, "version 1.1"},
		{"unknown interface", func(g *capturetest.NG) { g.Packet(4, 1, 1, []byte{1}) }, "interface 4"},
	}
	for _, c := range cases {
		g := good()
		c.damage(g)
		s := memory(t, g.Bytes)
		capturetest.Expect(t, s, want)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], c.says) {
			t.Errorf("%s: notices %q, want one with %q", c.name, n, c.says)
		}
	}
}

func TestPcapngGoesOnBehindWhatItSkips(t *testing.T) {
	g := &capturetest.NG{Order: capturetest.Orders["little"]}
	g.Section().Block(0x12345678, make([]byte, 2_500_000)).Interface(1, 0).Packet(4, 1, 1, []byte{1}).
		Block(pcapng.BlockSecrets, make([]byte, 77)).Packet(0, 1, 1, []byte{2}).Simple(1, []byte{3})
	s := memory(t, g.Bytes)
	capturetest.Expect(t, s,
		[]capturetest.Sample{{Time: 1000, Len: 1, Data: []byte{2}}, {Time: 1000, Len: 1, Data: []byte{3}}})
	g = &capturetest.NG{Order: capturetest.Orders["little"]}
	g.Section().Packet(0, 1, 1, []byte{1}).Simple(1, []byte{2}).Interface(1, 0).Packet(0, 1, 1, []byte{3})
	s = memory(t, g.Bytes)
	capturetest.Expect(t, s, []capturetest.Sample{{Time: 1000, Len: 1, Data: []byte{3}}})
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "2 times") {
		t.Errorf("notices %q", n)
	}
}

// What Wireshark counts among the frames though it is no packet is left out, with a word on it, and carried over when
// saving.
func TestPcapngBlocksThatAreNoPackets(t *testing.T) {
	for name, o := range capturetest.Orders {
		entry := []byte("__REALTIME_TIMESTAMP=1700000000000000\nMESSAGE=hello\n\x00\x00\x00")
		g := &capturetest.NG{Order: o}
		g.Section().Interface(1, 0).Block(pcapng.BlockJournal, entry).Packet(0, 1, 4, []byte("good")).
			Block(pcapng.BlockJournal, entry).
			Block(pcapng.BlockEvent2, make([]byte, 28)).Block(pcapng.BlockCustom, o.AppendUint32(nil, 32473)).
			Block(pcapng.BlockCustomNoCopy, o.AppendUint32(nil, pcapng.FillerPEN)).Packet(0, 2, 4, []byte("more"))
		s := memory(t, g.Bytes)
		want := []capturetest.Sample{{Time: 1000, Len: 4, Data: []byte("good")}, {Time: 2000, Len: 4, Data: []byte("more")}}
		capturetest.Expect(t, s, want)
		if n := s.Notices(); len(n) != 3 || !strings.Contains(n[0], "journal") || !strings.Contains(n[0], "2 times") ||
			!strings.Contains(n[1], "Sysdig") || !strings.Contains(n[2], "custom") {
			t.Errorf("%s: notices %q", name, n)
		}
		var out memoryFile
		if err := save(s, NewWriter(&out, WriterOptions{}), nil, SaveOptions{Context: t.Context()}); err != nil {
			t.Fatal(err)
		}
		again := memory(t, out)
		capturetest.Expect(t, again, want)
		if n := strings.Count(string(out), string(entry)); n != 2 || again.Blocks(0)[0].Kind != pcapng.BlockJournal {
			t.Errorf("%s: %d entries of the journal are saved", name, n)
		}
	}
}

func TestExtrasAreBounded(t *testing.T) {
	g := &capturetest.NG{Order: capturetest.Orders["little"]}
	for range capture.MaxInterfaces + 10 {
		g.Section()
	}
	g.Interface(1, 0)
	for range maxKept + 10 {
		g.Block(pcapng.BlockNames, nil)
	}
	g.Packet(0, 1, 1, []byte{7})
	s := memory(t, g.Bytes)
	capturetest.Expect(t, s, []capturetest.Sample{{Time: 1000, Len: 1, Data: []byte{7}, Interface: 0}})
	if len(s.Sections()) != capture.MaxInterfaces || s.Interface(0).Section != capture.MaxInterfaces-1 ||
		len(s.Blocks(0)) != maxKept {
		t.Errorf("%d sections, interface of %d, %d kept blocks", len(s.Sections()), s.Interface(0).Section, len(s.Blocks(0)))
	}
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "10 times") {
		t.Errorf("notices %q", n)
	}
}

func TestTooManyInterfaces(t *testing.T) {
	g := &capturetest.NG{Order: capturetest.Orders["little"]}
	g.Section()
	for range capture.MaxInterfaces {
		g.Interface(1, 0)
	}
	g.Packet(capture.MaxInterfaces-1, 1, 1, []byte{7})
	want := []capturetest.Sample{{Time: 1000, Len: 1, Data: []byte{7}, Interface: capture.MaxInterfaces - 1}}
	capturetest.Expect(t, memory(t, g.Bytes), want)
	g.Interface(1, 0).Packet(capture.MaxInterfaces, 1, 1, []byte{8})
	s := memory(t, g.Bytes)
	capturetest.Expect(t, s, want)
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "more than 65536 interfaces") {
		t.Errorf("notices %q", n)
	}
}
