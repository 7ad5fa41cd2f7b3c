package protocols_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestQuotedGames has errors of ICMP quote the datagrams of games: they are shown, and raise nothing again.
func TestQuotedGames(t *testing.T) {
	for name, test := range map[string]struct {
		port  uint16
		bytes string
		note  string
	}{
		"touhou refused": {10800, "07 01 00 00 00", "touhou.init.refused"},
		"aoe2 resign":    {2350, "46 23 01 00 00 00 00 00 3e 02 00 00 bc 02 00 00 5c 12 00 00 0b 02 02 00", "aoe2.left"},
	} {
		udp := dissecttest.UDP(test.port, test.port, dissecttest.Unhex(t, test.bytes))
		plain := dissecttest.IPv4(dissecttest.ProtocolUDP, "10.0.0.1", "10.0.0.2", udp)
		quote := dissecttest.IPv4(1, "10.0.0.2", "10.0.0.1", append([]byte{3, 3, 0, 0, 0, 0, 0, 0}, plain...))
		s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(plain, quote))
		if _, told := dissecttest.Find(s.Tree(1), test.note); !told {
			t.Errorf("%s: the datagram itself has no note", name)
		}
		if _, told := dissecttest.Find(s.Tree(2), test.note); told {
			t.Errorf("%s: the quoted datagram raises the note again", name)
		}
		if s.ExpertInfos() == 0 {
			t.Errorf("%s: nothing is counted", name)
		}
		for i := range s.ExpertInfos() {
			if e := s.ExpertInfo(i); e.Frame == 2 && s.Registry().FieldByID(e.Field).Name() == test.note {
				t.Errorf("%s: the quoted datagram's note is counted", name)
			}
		}
		if got := dissecttest.All(s.Tree(2), s.Tree(1).Protocol().Name()+".type"); got == "" {
			t.Errorf("%s: the quoted datagram is not read", name)
		}
		alone := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(quote))
		if n := len(alone.Games()); n != 0 {
			t.Errorf("%s: the quoted datagram alone makes %d games", name, n)
		}
		if end := alone.End(alone.Tree(1).Dst, 1); end.Name != "" || end.Role != "" {
			t.Errorf("%s: the quoted datagram alone names an end: %+v", name, end)
		}
		dissecttest.Redissections(t, s)
	}
}
