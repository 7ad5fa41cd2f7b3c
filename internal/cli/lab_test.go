package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLab proposes fields for the messages of a capture that a filter leaves, and writes a description of them.
func TestLab(t *testing.T) {
	file := filepath.Join("fixtures", "captures", "touhou", "vanilla.pcapng")
	got := remora(t, nil, "lab", file, "-Y", "udp.length == 18 or udp.length == 15")
	for _, want := range []string{"byte 1 is 0x03", "     2    4  counter      little  100%  +1"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("the lab does not say %q:\n%s%s", want, got.out, got.err)
		}
	}
	if strings.Contains(got.out, "of 37 bytes") {
		t.Errorf("the filter is not heeded:\n%s", got.out)
	}
	got = remora(t, nil, "lab", filepath.Join("fixtures", "captures", "soaprun", "original.pcapng"), "--ksy")
	if want := "tcp: {port: 1002, header: 4, length: message_length + 4}"; !strings.Contains(got.out, want) {
		t.Errorf("the description does not say %q:\n%s%s", want, got.out, got.err)
	}
	if got = remora(t, nil, "lab", os.DevNull); got.code != exitFailed {
		t.Errorf("no capture gives %d: %s", got.code, got.err)
	}
}
