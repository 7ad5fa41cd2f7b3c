package protocols

import (
	"slices"
	"strings"
	"testing"
)

// radioFields are the beginnings of the names of those fields of 802.11 and radiotap that are held against tshark.
var radioFields = strings.Fields(`wlan.ht. wlan.htex. wlan.txbf wlan.asel wlan.vht. wlan.extcap wlan.rmcap
	wlan.wfa.ie.wpa wlan.wfa.ie.wme wlan.csa. wlan.quiet.
	wlan.obss. wlan.mobility_domain. wlan.20_40_bc wlan.qbss. wlan.powercap. wlan.tcprep. wlan.supchan. radiotap.he.
	radiotap.vht.`)

// radioExcept are fields in which remora differs for a reason.
var radioExcept = map[string]string{"radiotap.vht.known": "tshark takes it for a number of one byte"}

// TestOracleRadio compares what beacons say in their elements, and how 802.11ac and 802.11ax are sent. The frames were
// made with scapy 2.5.
func TestOracleRadio(t *testing.T) {
	const path = "wlan/testdata/elements.pcap"
	names := oracleNames(t)
	fields := slices.DeleteFunc(append(madeFields("wlan", names), madeFields("radiotap", names)...),
		func(name string) bool {
			return !slices.ContainsFunc(radioFields, func(begin string) bool { return strings.HasPrefix(name, begin) })
		})
	want, got := oraclePrint(t, path, fields), ourPrint(t, path, fields)
	compared := 0
	for n := range want {
		for i, f := range fields {
			if want[n][i] != "" {
				compared++
			}
			if want[n][i] != got[n][i] && radioExcept[f] == "" {
				t.Errorf("frame %d: %s is %q, tshark has %q", n+1, f, got[n][i], want[n][i])
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d fields were compared", compared)
	}
}
