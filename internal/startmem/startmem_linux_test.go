package startmem

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/gopacket/layers"
)

// TestClear holds that what gopacket knows stays, and that what is forgotten has no layer.
func TestClear(t *testing.T) {
	if name := layers.EthernetTypeIPv4.String(); name != "IPv4" {
		t.Errorf("0x0800 is %q", name)
	}
	if name := layers.PPPTypeMPLSMulticast.String(); name != "MPLSMulticast" {
		t.Errorf("PPP's 0x0283 is %q", name)
	}
	known := 0
	for i, row := range layers.EthernetTypeMetadata {
		switch {
		case row.Name != "" && !strings.HasPrefix(row.Name, "Unknown"):
			known++
			if row.DecodeWith == nil || row.LayerType == 0 {
				t.Errorf("%#x has lost its decoder", i)
			}
		case row.LayerType != 0:
			t.Errorf("%#x has a layer and no name", i)
		}
	}
	if known != 18 {
		t.Errorf("%d types of Ethernet are known, 18 were", known)
	}
}

// TestRelease holds that the program reads the same after its pages are gone.
func TestRelease(t *testing.T) {
	before := bytes.Repeat([]byte(constants), 3)
	Release()
	if got := strings.Repeat(constants, 3); got != string(before) {
		t.Errorf("%q was %q", got, before)
	}
}
