package protocols

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
)

// oracleVersion is the tshark whose output is the measure. Others name some fields in other ways.
const oracleVersion = "4.0."

// needOracle skips the test where that tshark is not installed.
func needOracle(t *testing.T) {
	t.Helper()
	testall.Only(t)
	out, err := exec.Command("tshark", "--version").Output()
	if err != nil {
		t.Skip("tshark is not installed")
	}
	if first, _, _ := strings.Cut(string(out), "\n"); !strings.Contains(first, " "+oracleVersion) {
		t.Skipf("the measure is tshark %sx, not %s", oracleVersion, first)
	}
}

// oracleCaptures are the captures of the fixtures.
func oracleCaptures(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../fixtures/captures/*/*.pcap*")
	if err != nil {
		t.Fatal(err)
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return filepath.Ext(p) == ".tree" })
	if len(paths) == 0 {
		t.Fatal("there are no captures")
	}
	return paths
}

// oraclePrint is what tshark prints for the fields: a row for each frame, in it all values of each field joined by "|".
// Checksums are verified as remora does, and names are not looked up. More options may follow.
func oraclePrint(t *testing.T, path string, fields []string, options ...string) [][]string {
	t.Helper()
	args := []string{"-2", "-n", "-r", path, "-T", "fields", "-E", "separator=/t", "-E", "aggregator=|"}
	for _, o := range []string{"ip.check_checksum:TRUE", "tcp.check_checksum:TRUE", "udp.check_checksum:TRUE"} {
		args = append(args, "-o", o)
	}
	args = append(args, options...)
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command("tshark", args...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C.UTF-8")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	var rows [][]string
	for line := range strings.Lines(string(out)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// ourPrint is the same as remora prints it.
func ourPrint(t *testing.T, path string, fields []string) [][]string {
	t.Helper()
	s := dissecttest.Load(t, All(), path)
	l := s.Dissector()
	wanted := make([]map[*dissect.Field]bool, len(fields))
	for i, name := range fields {
		wanted[i] = map[*dissect.Field]bool{}
		for _, f := range s.Registry().FieldsNamed(name) {
			for _, m := range f.Members() {
				wanted[i][m] = true
			}
		}
		if len(wanted[i]) == 0 {
			t.Errorf("there is no field %s", name)
		}
	}
	rows := make([][]string, s.Passed())
	for n := range rows {
		tree := l.Tree(dissect.FrameNum(n + 1))
		rows[n] = make([]string, len(fields))
		for i := range fields {
			var values []string
			for j := range tree.Nodes {
				if wanted[i][tree.Field(j)] {
					values = append(values, tree.Show(j))
				}
			}
			rows[n][i] = strings.Join(values, "|")
		}
	}
	return rows
}

// compareWithOracle holds remora's print of the fields against tshark's, for all captures of the fixtures. except names
// frames and fields that differ for a reason.
func compareWithOracle(t *testing.T, fields []string, except func(path string, frame int, field string) bool,
	options ...string) {
	t.Helper()
	needOracle(t)
	seen := map[string]bool{}
	for _, path := range oracleCaptures(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want, got := oraclePrint(t, path, fields, options...), ourPrint(t, path, fields)
			if len(want) != len(got) {
				t.Fatalf("tshark prints %d frames, remora %d", len(want), len(got))
			}
			shown := map[string]bool{}
			for n := range want {
				for i, f := range fields {
					if got[n][i] != "" {
						seen[f] = true
					}
					if want[n][i] == got[n][i] || shown[f] || except != nil && except(path, n+1, f) {
						continue
					}
					shown[f] = true // the first frame of a field is enough
					t.Errorf("frame %d: %s is %q, tshark has %q", n+1, f, got[n][i], want[n][i])
				}
			}
		})
	}
	for _, f := range fields {
		if !seen[f] {
			t.Errorf("no capture has %s: nothing was compared", f)
		}
	}
}

// oracleNames are the names of all fields and protocols that tshark knows.
func oracleNames(t *testing.T) map[string]bool {
	t.Helper()
	needOracle(t)
	out, err := exec.Command("tshark", "-G", "fields").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if parts := strings.Split(line, "\t"); len(parts) > 2 {
			names[strings.TrimSpace(parts[2])] = true
		}
	}
	return names
}
