package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFileSet finds the files of a set by their names, as dumpcap's rings have them, and in the order of their times.
func TestFileSet(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"lan_00002_20240131120100.pcap", "lan_00001_20240131120000.pcap",
		"lan_00001_20240131130000.pcap", "lan_20240131120000_00001.pcap", "lan_00001_20240131120000.pcap.gz", "lan.pcap",
		"wan_00001_20240131120000.pcap", "lan_00003_2024.pcap", "_00001_20240131120000"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "lan_00009_20240131120000.pcap"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"lan_00002_20240131120100.pcap": {"lan_00001_20240131120000.pcap", "lan_00002_20240131120100.pcap",
			"lan_00001_20240131130000.pcap"},
		"lan_20240131120000_00001.pcap":    {"lan_20240131120000_00001.pcap"},
		"lan_00001_20240131120000.pcap.gz": {"lan_00001_20240131120000.pcap.gz"},
		"_00001_20240131120000":            {"_00001_20240131120000"},
		"lan.pcap":                         nil,
		"lan_00003_2024.pcap":              nil,
	} {
		var got []string
		for _, path := range FileSet(filepath.Join(dir, name)) {
			got = append(got, filepath.Base(path))
		}
		if !slices.Equal(got, want) {
			t.Errorf("the set of %s is %q, want %q", name, got, want)
		}
	}
	if got := FileSet(""); got != nil {
		t.Errorf("nothing is of the set %q", got)
	}
}
