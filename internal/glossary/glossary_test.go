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
	g := &Glossary{Registry: reg, Version: "remora 1", Release: "1.0", Program: "/bin/remora",
		Folders: [][2]string{{"Temp", "/tmp"}}}
	for name, want := range map[string]string{
		"column-formats": "%i\tInformation\n", "decodes": "tcp.port\t80\thttp\n",
		"dissector-tables": "\nwlan\twlan\tFT_UINT32\tBASE_DEC\t\tDecode As supported\nwlan.el",
		"elastic-mapping":  `"ip_ip_ttl": {`, "fieldcount": " header fields registered, of which:\n\t0 are deregistered\n",
		"fields": "F\tTime to Live\tip.ttl\tFT_UINT8\tip\tBASE_DEC\t0x0\t",
		"":       "F\tSyn\ttcp.flags.syn\tFT_BOOLEAN\ttcp\t16\t0x2\t",
		"ftypes": "FT_UINT8\tUnsigned integer (1 byte)\n", "heuristic-decodes": "udp\twg\tT\n",
		"plugins":   "tcp             \t1.0\tdissector\t/bin/remora\n",
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

// TestLinesOfTshark has the lines of what tshark lists, too, be tshark's.
func TestLinesOfTshark(t *testing.T) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := preferences.Set(reg, []string{`gui.column.format:"A, b","%m","B","%Cus:ip.src:1:R"`}); err != nil {
		t.Fatal(err)
	}
	g := &Glossary{Registry: reg, Programs: [][3]string{{"dump", "1.1.0", "/lib/dump"}},
		Extcap: []Argument{{Name: "extcap.dump.password", Doc: "Password", Secret: true}}}
	for name, lines := range map[string][]string{
		"dissector-tables": {"tcp.port\tTCP port\tFT_UINT16\tBASE_DEC\tTCP\tDecode As supported",
			"llc.dsap\tLLC SAP\tFT_UINT8\tBASE_HEX\tLLC\tDecode As not supported",
			"media_type\tInternet media type\tFT_STRING\tHTTP\tDecode As supported"},
		"plugins": {"dump            \t1.1.0\textcap\t/lib/dump"},
		"ftypes":  {"FT_NONE\tLabel", "FT_STRINGZTRUNC\tCharacter string"},
		"currentprefs": {"gui.column.format: \n\t\"A, b\", \"%m\",\n\t\"B\", \"%Cus:ip.src:1:R\"",
			"# A path to a file\n#tls.keylog_file: ", "# Password (never stored on disk)\n#extcap.dump.password: "},
		"defaultprefs": {"#gui.column.format: \n#\t\"No.\", \"%m\",\n#\t\"Time\", \"%t\",\n#\t\"Source\", \"%s\","},
	} {
		var b strings.Builder
		if err := g.Write(&b, name); err != nil {
			t.Fatal(err)
		}
		for _, want := range lines {
			if !strings.Contains("\n"+b.String(), "\n"+want+"\n") {
				t.Errorf("-G %s has no lines %q", name, want)
			}
		}
	}
}
