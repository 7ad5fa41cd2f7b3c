package live

import "testing"

// TestHardwareWithoutSys asks the kernel what /sys tells elsewhere.
func TestHardwareWithoutSys(t *testing.T) {
	kind, ok := hardwareType("lo")
	if link, known := linkOfHardware[kind]; !ok || !known || link != 1 {
		t.Errorf("lo is of kind %d (%v), its packets of %d", kind, ok, link)
	}
	if _, ok := hardwareType("none0"); ok {
		t.Error("an interface that is not there has a kind")
	}
}
