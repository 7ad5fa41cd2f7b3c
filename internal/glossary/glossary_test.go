package glossary

import (
	"encoding/json"
	"strings"
	"testing"

	"remora/dissect"
	"remora/internal/preferences"
	"remora/protocols"
)

// TestReports looks for one line of each list, in tshark's form.
func TestReports(t *testing.T) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := preferences.Set(reg, []string{"tcp.check_checksum:TRUE"}); err != nil {
		t.Fatal(err)
	}
	g := &Glossary{Registry: reg, Version: "remora 1", Program: "/bin/remora", Folders: [][2]string{{"Temp", "/tmp"}}}
	for name, want := range map[string]string{
		"column-formats": "%i\tInformation\n", "decodes": "tcp.port\t80\thttp\n",
		"dissector-tables": "tcp.port\ttcp.port\tFT_UINT16\tBASE_DEC\tTCP\tDecode As supported\n",
		"elastic-mapping":  `"ip_ip_ttl": {`, "fieldcount": " header fields registered",
		"fields": "F\tTime to Live\tip.ttl\tFT_UINT8\tip\tBASE_DEC\t0x0\t",
		"":       "F\tSyn\ttcp.flags.syn\tFT_BOOLEAN\ttcp\t16\t0x2\t",
		"ftypes": "FT_UINT8\tUnsigned integer (1 byte)\n", "heuristic-decodes": "udp\twg\tT\n",
		"plugins":   "tcp             \tremora 1\tdissector\t/bin/remora\n",
		"protocols": "Internet Protocol Version 4\tIPv4\tip\n", "values": "V\tip.proto\t6\tTCP\n",
		"prefs": "\ntcp.check_checksum: TRUE\n", "currentprefs": "\n#udp.check_checksum: FALSE\n",
		"defaultprefs": "\n#tcp.check_checksum: FALSE\n", "folders": "Temp:                \t/tmp\n",
		"help": "  -G values ",
	} {
		var b strings.Builder
		if err := g.Write(&b, name); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("-G %s: %v; %q is not in %.300s", name, err, want, b.String())
		}
		if name == "elastic-mapping" && !json.Valid([]byte(b.String())) {
			t.Error("the mapping is no JSON")
		}
	}
	if err := g.Write(&strings.Builder{}, "nothing"); err == nil ||
		!strings.Contains(err.Error(), "there are column-formats") {
		t.Errorf("-G nothing: %v", err)
	}
}
