package protocols

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestWhatDecodeAsGetsWrong: datagrams that are not what somebody said are what else they look like, and the same when
// they are dissected once more.
func TestWhatDecodeAsGetsWrong(t *testing.T) {
	const dns = "../fixtures/captures/lan/dns.pcap"
	count := func(as, protocol string) (n int) {
		s := dissecttest.Load(t, All(), dns, dissect.DecodeAs{Table: dissect.TableUDP, Value: 53, Protocol: as})
		l := s.Dissector()
		for f := dissect.FrameNum(1); int(f) <= s.Passed(); f++ {
			first := s.StackTop(s.LayerStackOf(f)).Name()
			if again := l.Tree(f).Protocol().Name(); again != first {
				t.Errorf("%s: packet %d is %s, and dissected once more %s", as, f, first, again)
			}
			if first == protocol {
				n++
			}
		}
		return n
	}
	all := count("dns", "dns")
	if got := count("sip", "dns"); got != all {
		t.Errorf("as SIP %d packets are DNS, want %d", got, all)
	}
	if got := count("rtp", "dns"); got == 0 || got >= all {
		t.Errorf("as RTP %d of %d packets are DNS", got, all)
	}
}
