package pcapfile

import (
	"fmt"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

func TestPcapMagicsAndOrders(t *testing.T) {
	want := capturetest.Samples(500)
	for name, o := range capturetest.Orders {
		for _, magic := range []uint32{capturetest.Micro, capturetest.Nano, capturetest.Modified} {
			t.Run(fmt.Sprintf("%s/%x", name, magic), func(t *testing.T) {
				s := memory(t, capturetest.Pcap(o, magic, 113, want))
				capturetest.Expect(t, s, want)
				capturetest.NoNotices(t, s)
				i := s.Interface(0)
				digits := 6
				if magic == capturetest.Nano {
					digits = 9
				}
				if i.LinkType != 113 || i.SnapLen != 262144 || i.TimeDigits() != digits || i.FCSLen != -1 {
					t.Errorf("interface %+v", i)
				}
			})
		}
	}
}

func TestPcapNanosecondsSurvive(t *testing.T) {
	want := []capturetest.Sample{{Time: 1_700_000_000_123_456_789, Len: 1, Data: []byte{1}}}
	capturetest.Expect(t, memory(t, capturetest.Pcap(capturetest.Orders["little"], capturetest.Nano, 1, want)), want)
}

func TestPcapFrameCheckSequence(t *testing.T) {
	s := memory(t, capturetest.Pcap(capturetest.Orders["big"], capturetest.Micro, 0x24000001, nil))
	if i := s.Interface(0); i.LinkType != 1 || i.FCSLen != 4 {
		t.Errorf("interface %+v", i)
	}
}

func TestPcapTornAtEveryOffset(t *testing.T) {
	want := capturetest.Samples(6)
	b := capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, want)
	ends := []int{pcapHeader}
	for _, p := range want {
		ends = append(ends, ends[len(ends)-1]+16+len(p.Data))
	}
	torn(t, b, ends, want)
}

// torn cuts a file at every offset: the packets before the cut stay, and a cut within a record is told.
func torn(t *testing.T, b []byte, ends []int, want []capturetest.Sample) {
	for cut := 4; cut <= len(b); cut++ {
		whole, clean := 0, false
		for i, end := range ends {
			if end <= cut {
				whole, clean = i, end == cut
			}
		}
		s := memory(t, b[:cut])
		capturetest.Expect(t, s, want[:whole])
		notices := s.Notices()
		if clean && len(notices) > 0 || !clean && len(notices) != 1 {
			t.Fatalf("cut at %d: notices %q", cut, notices)
		}
		if !clean && !strings.Contains(notices[0], "cut short") {
			t.Fatalf("cut at %d: %q", cut, notices)
		}
		s.Close()
	}
}

func TestPcapSwappedLengths(t *testing.T) {
	for minor, swapped := range map[uint16]bool{2: true, 3: true, 4: false} {
		p := []capturetest.Sample{{Time: 5_000_000_000, Len: 9, Data: []byte("abc")}}
		b := capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, p)
		capturetest.Orders["little"].PutUint16(b[6:], minor)
		if swapped { // captured length and length the other way round
			capturetest.Orders["little"].PutUint32(b[pcapHeader+8:], 9)
			capturetest.Orders["little"].PutUint32(b[pcapHeader+12:], 3)
		}
		capturetest.Expect(t, memory(t, b), p)
	}
}

func TestPcapOddities(t *testing.T) {
	o := capturetest.Orders["little"]
	list := []capturetest.Sample{{Time: 1_000_000_000, Len: 4, Data: []byte("abcd")},
		{Time: 2_000_000_000, Len: 2, Data: []byte("xy")}}
	t.Run("absurd length", func(t *testing.T) {
		b := capturetest.Pcap(o, capturetest.Micro, 1, list)
		o.PutUint32(b[pcapHeader+16+4+8:], 0xFFFFFFFF)
		s := memory(t, b)
		capturetest.Expect(t, s, list[:1])
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "offset 44") || !strings.Contains(n[0], "4294967295") {
			t.Errorf("notices %q", n)
		}
	})
	t.Run("captured more than there was", func(t *testing.T) {
		list := []capturetest.Sample{{Time: 1_000_000_000, Len: 3, Data: []byte("abcd")},
			{Time: 2_000_000_000, Len: 1, Data: []byte("xy")}}
		s := memory(t, capturetest.Pcap(o, capturetest.Micro, 1, list))
		capturetest.Expect(t, s, list)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "packet 1") || !strings.Contains(n[0], "2 times") {
			t.Errorf("notices %q", n)
		}
	})
	t.Run("quarter of a megabyte and nothing", func(t *testing.T) {
		list := []capturetest.Sample{{Time: 1e9, Len: 262144, Data: make([]byte, 262144)}, {Time: 2e9, Len: 0, Data: nil},
			{Time: 3e9, Len: 262143, Data: make([]byte, 262143)}}
		s := memory(t, capturetest.Pcap(o, capturetest.Micro, 1, list))
		capturetest.Expect(t, s, list)
		capturetest.NoNotices(t, s)
	})
	t.Run("the largest believed", func(t *testing.T) {
		list := []capturetest.Sample{{Time: 1e9, Len: capture.MaxCapLen, Data: make([]byte, capture.MaxCapLen)},
			{Time: 2e9, Len: 1, Data: []byte{1}}}
		capturetest.Expect(t, memory(t, capturetest.Pcap(o, capturetest.Micro, 1, list)), list)
	})
	t.Run("archaic version", func(t *testing.T) {
		b := capturetest.Pcap(o, capturetest.Micro, 1, list)
		b[4] = 1
		s := memory(t, b)
		capturetest.Expect(t, s, nil)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "1.4") || !s.Status().Damaged {
			t.Errorf("notices %q", n)
		}
	})
	t.Run("unknown version", func(t *testing.T) {
		b := capturetest.Pcap(o, capturetest.Micro, 1, list)
		b[4] = 7
		s := memory(t, b)
		capturetest.Expect(t, s, list)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "7.4") {
			t.Errorf("notices %q", n)
		}
	})
}
