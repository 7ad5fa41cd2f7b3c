package dns

import (
	"testing"

	"remora/dissect/dissecttest"
)

// TestClassOfAQuestion has NTP to DNS's port be data, by a question of no class, and a question of any class be DNS.
func TestClassOfAQuestion(t *testing.T) {
	k := dissecttest.Conversation{T: t, Plugins: dissecttest.OverUDP(Plugin())}
	server := dissecttest.Spot{Host: 2, Port: 53}
	for i, c := range []struct {
		payload string
		dns     bool
	}{
		{"e100 0004 0001 0000 0000 0000 00 0000 0000 0000000000000000", false},
		{"0007 0100 0001 0000 0000 0000 0161 00 0001 0001", true},
		{"0007 0100 0001 0000 0000 0000 0161 00 00ff 00ff", true},
		{"0007 0100 0001 0000 0000 0000 0161 00 0001 8001", true},
		{"0007 0100 0001 0000 0000 0000 c00c 0001 0001", true},
	} {
		n := k.Say(1, dissecttest.Spot{Host: 1, Port: uint16(40000 + i)}, server, c.payload)
		if got := k.Session().Tree(n).Protocol() == proto; got != c.dns {
			t.Errorf("%s: it is DNS: %v", c.payload, got)
		}
	}
}
