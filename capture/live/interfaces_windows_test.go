package live

import "testing"

func TestFriendlyNames(t *testing.T) {
	names := map[string]string{"{4D36E972-E325-11CE-BFC1-08002BE10318}": "Ethernet 2"}
	for device, want := range map[string]string{
		`\Device\NPF_{4d36e972-e325-11ce-bfc1-08002be10318}`: "Ethernet 2",
		`\Device\NPF_Loopback`:                               "Loopback",
		`\Device\NPF_{0}`:                                    `\Device\NPF_{0}`,
	} {
		if got := friendly(device, names); got != want {
			t.Errorf("%s is called %q, want %q", device, got, want)
		}
	}
	if got := deviceName("Loopback"); got != npfLoopback {
		t.Error(got)
	}
}
