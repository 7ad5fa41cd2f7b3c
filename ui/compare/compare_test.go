package compare

import (
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// labels are the rows as text: the field's label, with + and - for one that only the second or the first packet has.
func labels(a, b *dissect.Tree, rows []Row) (out []string) {
	for _, r := range rows {
		t, i, sign := b, r.B, ""
		switch {
		case r.B < 0:
			t, i, sign = a, r.A, "-"
		case r.A < 0:
			sign = "+"
		case r.Same && !r.Head:
			sign = "="
		}
		out = append(out, sign+t.Field(i).Name())
	}
	return out
}

func load(t *testing.T, file string) *dissect.Session {
	return dissecttest.Load(t, protocols.All(), "../../fixtures/captures/"+file)
}

// TestOnlyWhatDiffers: of two packets of a game there are the fields of the new messages that differ, and nothing of
// the layers below, of copies, or of what is the same; all of it is there when all is wanted.
func TestOnlyWhatDiffers(t *testing.T) {
	s := load(t, "kaillera/evening.pcapng")
	a, b := s.Tree(392), s.Tree(400)
	rows, sums := Lay(a, b, false)
	got := labels(a, b, rows)
	for _, want := range []string{"kaillera.number"} {
		if n := len(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != want })); n != 1 {
			t.Errorf("%s is there %d times: %q", want, n, got)
		}
	}
	if slices.Contains(got, "ip.id") || slices.Contains(got, "frame.number") || slices.Contains(got, "kaillera") {
		t.Errorf("%q", got)
	}
	differ := 0
	for _, r := range rows {
		if !r.Head && !r.Same {
			differ++
		}
	}
	if differ != sums.Differ || sums.Copies != 2 || sums.Below < 5 || sums.Equal() < 3 {
		t.Errorf("%d rows differ, %+v", differ, sums)
	}
	all, again := Lay(a, b, true)
	got = labels(a, b, all)
	if again != sums || !slices.Contains(got, "ip.id") || !slices.Contains(got, "=ip.version") || len(all) < 3*len(rows) {
		t.Errorf("%+v, %q", again, got)
	}
}

// TestOfOneAlone: fields of one packet alone stand where they would be, and packets of different protocols are compared
// by what they have in common.
func TestOfOneAlone(t *testing.T) {
	s := load(t, "lan/dns.pcap")
	q, r := s.Tree(1), s.Tree(2)
	rows, sums := Lay(q, r, false)
	got := labels(q, r, rows)
	if !slices.Contains(got, "dns.flags.response") ||
		!slices.ContainsFunc(got, func(s string) bool { return s[0] == '+' }) || sums.Differ == 0 {
		t.Errorf("%q", got)
	}
	back, other := Lay(r, q, false)
	if other.Differ != sums.Differ ||
		!slices.ContainsFunc(labels(r, q, back), func(s string) bool { return s[0] == '-' }) {
		t.Errorf("the other way: %+v, %+v", sums, other)
	}
	if _, none := Lay(q, q, false); none.Differ != 0 || none.Below != 0 {
		t.Errorf("a packet differs from itself: %+v", none)
	}
	lan := load(t, "lan/lan.pcapng")
	first := lan.Tree(1)
	for n := dissect.FrameNum(2); int(n) <= lan.Passed(); n++ {
		if o := lan.Tree(n); o.Protocol() != first.Protocol() {
			rows, _ := Lay(first, o, false)
			if !slices.Contains(labels(first, o, rows), "frame.number") {
				t.Error("nothing of what they have in common")
			}
			return
		}
	}
}

func TestLines(t *testing.T) {
	a, b := []byte("0123456789abcdef"), []byte("0123X56789abcdefgh")
	if got := Lines(a, b, 8); !slices.Equal(got, []int{0, 16}) || Line(b, 16, 8) != "gh" || Line(a, 16, 8) != "" {
		t.Errorf("%v", got)
	}
}

// TestBitsAndParents: of a field of bits only the bits differ that changed, not those beside them, and what stands over
// them is a head.
func TestBitsAndParents(t *testing.T) {
	s := load(t, "lan/dns.pcap")
	q, r := s.Tree(1), s.Tree(2)
	all, _ := Lay(q, r, true)
	rows, _ := Lay(q, r, false)
	got, whole := labels(q, r, rows), labels(q, r, all)
	if !slices.Contains(got, "dns.flags.response") || slices.Contains(got, "dns.flags.opcode") ||
		!slices.Contains(whole, "=dns.flags.opcode") {
		t.Errorf("of the flags differ %q", got)
	}
	for _, row := range rows {
		if row.B >= 0 && r.Field(row.B).Name() == "dns.flags" && !row.Head {
			t.Error("the flags are marked, though their bits say what differs")
		}
	}
}

// TestDataDiffers: what nobody dissects is compared, too.
func TestDataDiffers(t *testing.T) {
	packet := func(data string) []byte {
		return dissecttest.Ethernet(dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2", dissecttest.UDP(40000, 40001, []byte(data))))
	}
	s := dissecttest.Session(t, protocols.All(), 1, dissecttest.Packets(packet("some data"), packet("more data")))
	a, b := s.Tree(1), s.Tree(2)
	rows, sums := Lay(a, b, false)
	if got := labels(a, b, rows); !slices.Contains(got, "data.data") || sums.Differ == 0 {
		t.Errorf("%q differ, %+v", got, sums)
	}
}
