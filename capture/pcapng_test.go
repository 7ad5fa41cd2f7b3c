package capture

import (
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
)

func TestPcapngOrders(t *testing.T) {
	want := samples(500)
	for name, o := range orders {
		t.Run(name, func(t *testing.T) {
			s := memory(t, ngBytes(o, want))
			expect(t, s, want)
			noNotices(t, s)
		})
	}
}

func TestPcapngTornAtEveryOffset(t *testing.T) {
	want := samples(5)
	g := &ng{order: orders["big"]}
	g.section().iface(1, 0, g.opt(ifTSResol, []byte{9}))
	ends := []int{len(g.b)}
	for _, p := range want {
		g.packet(0, uint64(p.time), p.len, p.data)
		ends = append(ends, len(g.b))
	}
	head := len((&ng{order: orders["big"]}).section().b)
	for cut := 4; cut < ends[0]; cut++ {
		if n := memory(t, g.b[:cut]).Notices(); cut != head && len(n) != 1 {
			t.Errorf("cut at %d: notices %q", cut, n)
		}
	}
	for cut := ends[0]; cut <= len(g.b); cut++ {
		whole, clean := 0, false
		for i, end := range ends {
			if end <= cut {
				whole, clean = i, end == cut
			}
		}
		s := memory(t, g.b[:cut])
		expect(t, s, want[:whole])
		if n := s.Notices(); clean != (len(n) == 0) {
			t.Fatalf("cut at %d: notices %q", cut, n)
		}
	}
}

func TestPcapngTornUnreadBlock(t *testing.T) {
	g := &ng{order: orders["little"]}
	g.section().block(blockNames, make([]byte, 200))
	s := memory(t, g.b[:len(g.b)-5])
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
	for name, o := range orders {
		for _, res := range []byte{0, 3, 6, 9, 12, 0x80, 0x8A, 0x94, 0x9E, 0xA0} {
			g := &ng{order: o}
			off := o.AppendUint64(nil, uint64(100))
			g.section().iface(1, 0, g.opt(ifTSResol, []byte{res}), g.opt(ifTSOffset, off)).
				packet(0, 123_456_789_012, 1, []byte{9})
			s := memory(t, g.b)
			if got, want := s.Meta(0).Time, exactNanos(res, 100, 123_456_789_012); got != want {
				t.Errorf("%s, resolution %#x: %d, want %d", name, res, got, want)
			}
		}
	}
}

func TestPcapngSectionsAndInterfaces(t *testing.T) {
	le, be := &ng{order: orders["little"]}, &ng{order: orders["big"]}
	le.section(le.opt(optComment, []byte("first")), le.opt(shbOS, []byte("Linux"))).
		iface(1, 0, le.opt(ifName, []byte("eth0")), le.opt(ifTSResol, []byte{9})).
		iface(113, 0, le.opt(ifName, []byte("any"))).
		packet(1, 7, 3, []byte("one")).packet(0, 8, 3, []byte("two"))
	be.section(be.opt(shbApp, []byte("elsewhere"))).
		iface(101, 4, be.opt(ifName, []byte("tun0\x00")), be.opt(ifTSResol, []byte{3})).
		packet(0, 2, 5, []byte("three")).simple(9, []byte("fourfour\x00")).oldPacket(0, 5, 4, []byte("five"))
	s := memory(t, append(le.b, be.b...))
	expect(t, s, []sample{
		{7000, 3, []byte("one"), 1}, {8, 3, []byte("two"), 0}, {2_000_000, 5, []byte("three"), 2},
		{2_000_000, 9, []byte("four"), 2}, {5_000_000, 4, []byte("five"), 2},
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
	for name, o := range orders {
		g := &ng{order: o}
		g.section().iface(1, 96, g.opt(ifName, []byte("en7")), g.opt(ifDescription, []byte("Back")),
			g.opt(ifIPv4, []byte{10, 1, 2, 3, 255, 255, 240, 0}),
			g.opt(ifIPv6, append(netip.MustParseAddr("fe80::1").AsSlice(), 64)),
			g.opt(ifMAC, []byte{1, 2, 3, 4, 5, 6}), g.opt(ifSpeed, o.AppendUint64(nil, 1e9)), g.opt(ifFilter, []byte("\x00udp")),
			g.opt(ifOS, []byte("BSD")), g.opt(ifFCSLen, []byte{4}), g.opt(ifHardware, []byte("chip")),
			g.opt(optComment, []byte("c")), g.opt(0, nil),
			g.opt(ifName, []byte("behind the end")))
		got := memory(t, g.b).Interface(0)
		want := Interface{Name: "en7", Description: "Back", Filter: "udp", LinkType: 1, SnapLen: 96, TimeResolution: 6,
			FCSLen: 4, Hardware: "chip",
			OS: "BSD", MAC: []byte{1, 2, 3, 4, 5, 6}, Speed: 1e9, Comments: []string{"c"},
			Addresses: []netip.Prefix{netip.MustParsePrefix("10.1.2.3/20"), netip.MustParsePrefix("fe80::1/64")},
			bigEndian: got.bigEndian, optOff: got.optOff, optLen: got.optLen}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
}

func TestPcapngComments(t *testing.T) {
	for _, o := range orders {
		g := &ng{order: o}
		g.section().iface(1, 0).packet(0, 1, 1, []byte{1}).
			packet(0, 2, 3, []byte{1, 2, 3}, g.opt(epbFlags, o.AppendUint32(nil, 1)), g.opt(optComment, []byte("look")),
				g.opt(optComment, []byte("here")), g.opt(0, nil)).
			packet(0, 3, 1, []byte{1}, g.opt(epbFlags, o.AppendUint32(nil, 2)))
		s := memory(t, g.b)
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
	o := orders["little"]
	good := func() *ng {
		g := &ng{order: o}
		return g.section().iface(1, 0).packet(0, 1, 4, []byte("good"))
	}
	want := []sample{{time: 1000, len: 4, data: []byte("good")}}
	cases := []struct {
		name   string
		damage func(*ng)
		says   string
	}{
		{"length zero", func(g *ng) { g.b = append(g.b, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }, "0 bytes long"},
		{"length not of four", func(g *ng) { g.b = append(g.b, 6, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0) }, "33 bytes long"},
		{"length four gigabytes", func(g *ng) { g.b = append(g.b, 6, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0) },
			"4294967292"},
		{"unknown block of four gigabytes",
			func(g *ng) { g.b = append(g.b, 99, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0) }, "cut short"},
		{"lengths differ", func(g *ng) { g.packet(0, 1, 1, []byte{1}); g.b[len(g.b)-4]++ }, "at its end"},
		{"packet longer than block", func(g *ng) { g.packet(0, 1, 1, []byte{1}); o.PutUint32(g.b[len(g.b)-16:], 5) },
			"claims a packet of 5"},
		{"short packet block", func(g *ng) { g.block(blockPacket, make([]byte, 8)) }, "too short"},
		{"short simple block", func(g *ng) { g.block(blockSimple, nil) }, "too short"},
		{"short interface", func(g *ng) { g.block(blockInterface, make([]byte, 4)) }, "too short"},
		{"no byte order", func(g *ng) { g.block(blockSection, make([]byte, 16)) }, "byte-order"},
		{"future version", func(g *ng) { g.section(); g.b[len(g.b)-16] = 9 }, "version 9.0"},
		{"minor version", func(g *ng) { g.section(); g.b[len(g.b)-14] = 1 }, "version 1.1"},
		{"unknown interface", func(g *ng) { g.packet(4, 1, 1, []byte{1}) }, "interface 4"},
	}
	for _, c := range cases {
		g := good()
		c.damage(g)
		s := memory(t, g.b)
		expect(t, s, want)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], c.says) {
			t.Errorf("%s: notices %q, want one with %q", c.name, n, c.says)
		}
	}
}

func TestPcapngGoesOnBehindWhatItSkips(t *testing.T) {
	g := &ng{order: orders["little"]}
	g.section().block(0x12345678, make([]byte, 2_500_000)).iface(1, 0).packet(4, 1, 1, []byte{1}).
		block(blockSecrets, make([]byte, 77)).packet(0, 1, 1, []byte{2}).simple(1, []byte{3})
	s := memory(t, g.b)
	expect(t, s, []sample{{time: 1000, len: 1, data: []byte{2}}, {time: 1000, len: 1, data: []byte{3}}})
	g = &ng{order: orders["little"]}
	g.section().packet(0, 1, 1, []byte{1}).simple(1, []byte{2}).iface(1, 0).packet(0, 1, 1, []byte{3})
	s = memory(t, g.b)
	expect(t, s, []sample{{time: 1000, len: 1, data: []byte{3}}})
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "2 times") {
		t.Errorf("notices %q", n)
	}
}

// What Wireshark counts among the frames though it is no packet is left out, with a word on it, and carried over when
// saving.
func TestPcapngBlocksThatAreNoPackets(t *testing.T) {
	for name, o := range orders {
		entry := []byte("__REALTIME_TIMESTAMP=1700000000000000\nMESSAGE=hello\n\x00\x00\x00")
		g := &ng{order: o}
		g.section().iface(1, 0).block(blockJournal, entry).packet(0, 1, 4, []byte("good")).block(blockJournal, entry).
			block(blockEvent2, make([]byte, 28)).block(blockCustom, o.AppendUint32(nil, 32473)).
			block(blockCustomNot, o.AppendUint32(nil, fillerPEN)).packet(0, 2, 4, []byte("more"))
		s := memory(t, g.b)
		want := []sample{{time: 1000, len: 4, data: []byte("good")}, {time: 2000, len: 4, data: []byte("more")}}
		expect(t, s, want)
		if n := s.Notices(); len(n) != 3 || !strings.Contains(n[0], "journal") || !strings.Contains(n[0], "2 times") ||
			!strings.Contains(n[1], "Sysdig") || !strings.Contains(n[2], "custom") {
			t.Errorf("%s: notices %q", name, n)
		}
		var out memoryFile
		if err := s.save(NewWriter(&out, WriterOptions{}), nil, SaveOptions{Context: t.Context()}); err != nil {
			t.Fatal(err)
		}
		again := memory(t, out)
		expect(t, again, want)
		if n := strings.Count(string(out), string(entry)); n != 2 || again.notes.kept[0].kind != blockJournal {
			t.Errorf("%s: %d entries of the journal are saved", name, n)
		}
	}
}

func TestExtrasAreBounded(t *testing.T) {
	g := &ng{order: orders["little"]}
	for range maxInterfaces + 10 {
		g.section()
	}
	g.iface(1, 0)
	for range maxKept + 10 {
		g.block(blockNames, nil)
	}
	g.packet(0, 1, 1, []byte{7})
	s := memory(t, g.b)
	expect(t, s, []sample{{1000, 1, []byte{7}, 0}})
	if len(s.Sections()) != maxInterfaces || s.Interface(0).Section != maxInterfaces-1 || len(s.notes.kept) != maxKept {
		t.Errorf("%d sections, interface of %d, %d kept blocks", len(s.Sections()), s.Interface(0).Section, len(s.notes.kept))
	}
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "10 times") {
		t.Errorf("notices %q", n)
	}
}

func TestTooManyInterfaces(t *testing.T) {
	g := &ng{order: orders["little"]}
	g.section()
	for range maxInterfaces {
		g.iface(1, 0)
	}
	g.packet(maxInterfaces-1, 1, 1, []byte{7})
	want := []sample{{1000, 1, []byte{7}, maxInterfaces - 1}}
	expect(t, memory(t, g.b), want)
	g.iface(1, 0).packet(maxInterfaces, 1, 1, []byte{8})
	s := memory(t, g.b)
	expect(t, s, want)
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "more than 65536 interfaces") {
		t.Errorf("notices %q", n)
	}
}
