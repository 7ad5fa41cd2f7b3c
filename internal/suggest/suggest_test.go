package suggest_test

import (
	"slices"
	"testing"

	"remora/internal/suggest"
)

func TestOne(t *testing.T) {
	names := []string{"udp.port", "ftp", "dns", "dhcp", "ip.addr", "eth0", "ctrl"}
	for word, want := range map[string]string{"udp.prot": "udp.port", "foo": "", "DNS": "dns", "dhpc": "dhcp",
		"cltr": "ctrl", "ip.adr": "ip.addr", "eht0": "eth0", "x": "", "": "", "completely": ""} {
		if got := suggest.One(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestListHasWhatBeginsSo(t *testing.T) {
	names := []string{"game.pcapng", "gama.pcapng", "gamelan.pcap", "other"}
	if got := suggest.List("game.pcap", names); !slices.Equal(got,
		[]string{"game.pcapng", "gama.pcapng", "gamelan.pcap"}) {
		t.Errorf("%q", got)
	}
	if got := suggest.List("game", names); !slices.Equal(got, []string{"game.pcapng", "gamelan.pcap"}) {
		t.Errorf("%q", got)
	}
}
