package capture

import (
	"fmt"
	"strings"
	"testing"
)

func TestPcapMagicsAndOrders(t *testing.T) {
	want := samples(500)
	for name, o := range orders {
		for _, magic := range []uint32{magicMicro, magicNano, magicModified} {
			t.Run(fmt.Sprintf("%s/%x", name, magic), func(t *testing.T) {
				s := memory(t, pcapBytes(o, magic, 113, want))
				expect(t, s, want)
				noNotices(t, s)
				i := s.Interface(0)
				digits := 6
				if magic == magicNano {
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
	want := []sample{{time: 1_700_000_000_123_456_789, len: 1, data: []byte{1}}}
	expect(t, memory(t, pcapBytes(orders["little"], magicNano, 1, want)), want)
}

func TestPcapFrameCheckSequence(t *testing.T) {
	s := memory(t, pcapBytes(orders["big"], magicMicro, 0x24000001, nil))
	if i := s.Interface(0); i.LinkType != 1 || i.FCSLen != 4 {
		t.Errorf("interface %+v", i)
	}
}

func TestPcapTornAtEveryOffset(t *testing.T) {
	want := samples(6)
	b := pcapBytes(orders["little"], magicMicro, 1, want)
	ends := []int{pcapHeader}
	for _, p := range want {
		ends = append(ends, ends[len(ends)-1]+16+len(p.data))
	}
	torn(t, b, ends, want)
}

// torn cuts a file at every offset: the packets before the cut stay, and a cut within a record is told.
func torn(t *testing.T, b []byte, ends []int, want []sample) {
	for cut := 4; cut <= len(b); cut++ {
		whole, clean := 0, false
		for i, end := range ends {
			if end <= cut {
				whole, clean = i, end == cut
			}
		}
		s := memory(t, b[:cut])
		expect(t, s, want[:whole])
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
		p := []sample{{time: 5_000_000_000, len: 9, data: []byte("abc")}}
		b := pcapBytes(orders["little"], magicMicro, 1, p)
		orders["little"].PutUint16(b[6:], minor)
		if swapped { // captured length and length the other way round
			orders["little"].PutUint32(b[pcapHeader+8:], 9)
			orders["little"].PutUint32(b[pcapHeader+12:], 3)
		}
		expect(t, memory(t, b), p)
	}
}

func TestPcapOddities(t *testing.T) {
	o := orders["little"]
	list := []sample{{time: 1_000_000_000, len: 4, data: []byte("abcd")},
		{time: 2_000_000_000, len: 2, data: []byte("xy")}}
	t.Run("absurd length", func(t *testing.T) {
		b := pcapBytes(o, magicMicro, 1, list)
		o.PutUint32(b[pcapHeader+16+4+8:], 0xFFFFFFFF)
		s := memory(t, b)
		expect(t, s, list[:1])
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "offset 44") || !strings.Contains(n[0], "4294967295") {
			t.Errorf("notices %q", n)
		}
	})
	t.Run("captured more than there was", func(t *testing.T) {
		list := []sample{{time: 1_000_000_000, len: 3, data: []byte("abcd")},
			{time: 2_000_000_000, len: 1, data: []byte("xy")}}
		s := memory(t, pcapBytes(o, magicMicro, 1, list))
		expect(t, s, list)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "packet 1") || !strings.Contains(n[0], "2 times") {
			t.Errorf("notices %q", n)
		}
	})
	t.Run("quarter of a megabyte and nothing", func(t *testing.T) {
		list := []sample{{time: 1e9, len: 262144, data: make([]byte, 262144)}, {time: 2e9, len: 0, data: nil},
			{time: 3e9, len: 262143, data: make([]byte, 262143)}}
		s := memory(t, pcapBytes(o, magicMicro, 1, list))
		expect(t, s, list)
		noNotices(t, s)
	})
	t.Run("the largest believed", func(t *testing.T) {
		list := []sample{{time: 1e9, len: maxCapLen, data: make([]byte, maxCapLen)}, {time: 2e9, len: 1, data: []byte{1}}}
		expect(t, memory(t, pcapBytes(o, magicMicro, 1, list)), list)
	})
	t.Run("archaic version", func(t *testing.T) {
		b := pcapBytes(o, magicMicro, 1, list)
		b[4] = 1
		s := memory(t, b)
		expect(t, s, nil)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "1.4") || !s.Status().Damaged {
			t.Errorf("notices %q", n)
		}
	})
	t.Run("unknown version", func(t *testing.T) {
		b := pcapBytes(o, magicMicro, 1, list)
		b[4] = 7
		s := memory(t, b)
		expect(t, s, list)
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "7.4") {
			t.Errorf("notices %q", n)
		}
	})
}
