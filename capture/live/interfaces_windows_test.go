package live

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestFriendlyNames(t *testing.T) {
	known := []adapter{{guid: "{4D36E972-E325-11CE-BFC1-08002BE10318}", name: "Ethernet 2"}}
	for device, want := range map[string]string{
		`\Device\NPF_{4d36e972-e325-11ce-bfc1-08002be10318}`: "Ethernet 2",
		`\Device\NPF_Loopback`:                               "Loopback",
		`\Device\NPF_{0}`:                                    `\Device\NPF_{0}`,
	} {
		if got := friendly(device, known); got != want {
			t.Errorf("%s is called %q, want %q", device, got, want)
		}
	}
	if got := deviceName("Loopback"); got != npfLoopback {
		t.Error(got)
	}
}

// TestAdapters holds what is told of adapters against what Go says of them.
func TestAdapters(t *testing.T) {
	cards, err := net.Interfaces()
	if err != nil || len(cards) == 0 {
		t.Fatalf("%v %v", cards, err)
	}
	counts, err := ReadCounters()
	if err != nil {
		t.Error(err)
	}
	known := adapters()
	for _, c := range cards {
		device := deviceName(c.Name)
		if !strings.HasPrefix(device, npfPrefix+"{") || friendly(device, known) != c.Name {
			t.Errorf("%s is %s to Npcap, and that %s", c.Name, device, friendly(device, known))
		}
		if _, ok := counts[c.Name]; !ok {
			t.Errorf("%s has no counters in %v", c.Name, counts)
		}
		want, err := c.Addrs()
		d := InterfaceInfo{Name: c.Name}
		d.completeFromSystem()
		if err != nil || len(d.Addresses) != len(want) || d.LinkType != 1 {
			t.Errorf("%+v, want addresses %v (%v)", d, want, err)
		}
	}
	loop := InterfaceInfo{Name: loopbackName}
	loop.completeFromSystem()
	if !loop.Up || !loop.Loopback || loop.LinkType != 0 ||
		!slices.Contains(loop.Addresses, netip.MustParsePrefix("127.0.0.1/8")) {
		t.Errorf("%+v", loop)
	}
	if name := SystemName(); !strings.HasPrefix(name, "Windows ") {
		t.Error(name)
	}
}
