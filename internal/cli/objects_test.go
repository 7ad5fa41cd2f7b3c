package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// filesIn are the contents of a folder's files, by their names.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(b)
	}
	return out
}

// responses is a capture of requests for targets, each answered by its number.
func responses(t *testing.T, targets ...string) string {
	t.Helper()
	var texts []string
	for i, target := range targets {
		texts = append(texts, "C:GET "+target+" HTTP/1.1\r\nHost: example.com\r\n\r\n",
			"S:HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Type: text/plain\r\n\r\n"+string(rune('0'+i)))
	}
	path := filepath.Join(t.TempDir(), "responses.pcap")
	if err := os.WriteFile(path, dissecttest.Pcap(101, dissecttest.Stream(80, texts...)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestExportedObjectsStayInTheirFolder: whatever packets call objects and whatever is in the folder, each object
// becomes a new file in it.
func TestExportedObjectsStayInTheirFolder(t *testing.T) {
	above := t.TempDir()
	dir, outside := filepath.Join(above, "made", "objects"), filepath.Join(above, "outside")
	path := responses(t, "/a.txt", "/b/a.txt", "/..", "/../../../x\x1b[31m", "/link", "*",
		"/"+strings.Repeat("n", 300)+".png", "/\xff\u202e.txt")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{outside: "mine", filepath.Join(dir, "a.txt"): "mine, too"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.txt": "mine, too", "a(1).txt": "0", "a(2).txt": "1", ".(1).": "2", "x%1b[31m": "3",
		"link": "mine", "link(1)": "4", "%2a": "5", strings.Repeat("n", 251) + ".png": "6", "%ff%e2%80%ae.txt": "7"}
	got := remora(t, nil, "-r", path, "-q", "--export-objects", "http,"+dir)
	if got.code != 0 || got.out != "" || got.err != "" {
		t.Errorf("%+v", got)
	}
	if files := filesIn(t, dir); !maps.Equal(files, want) {
		t.Errorf("the folder has %q, want %q", files, want)
	}
	if b, err := os.ReadFile(outside); err != nil || string(b) != "mine" {
		t.Errorf("outside is %q, %v", b, err)
	}
	if files, err := os.ReadDir(above); err != nil || len(files) != 2 {
		t.Errorf("beside the folder are %v, %v", files, err)
	}
	again := remora(t, nil, "-r", path, "--export-objects", "http,"+dir)
	if n := len(filesIn(t, dir)); again.code != 0 || n != len(want)+8 || !strings.Contains(again.out, "GET /a.txt") {
		t.Errorf("a second time there are %d files, and it printed %s%s", n, again.out, again.err)
	}
}

// TestExportedObjectsAreTsharks: the same files with the same bytes, where tshark knows what it is about: it takes
// bytes of other protocols on the ports of HTTP for bodies, and leaves some files and mails out.
func TestExportedObjectsAreTsharks(t *testing.T) {
	needTshark(t)
	for _, c := range []struct {
		path, proto string
		more        bool // tshark leaves some out
	}{
		{lan("lan.pcapng"), "http", false}, {lan("calls.pcap"), "http", false}, {lan("https.pcapng"), "http", false},
		{lan("kerberos.pcap"), "http", false}, {lan("tcp-loss.pcap"), "http", false}, {lan("vlan.pcap"), "http", false},
		{lan("smb.pcap"), "smb", false}, {lan("smb1.pcap"), "smb", false}, {lan("tftp.pcap"), "tftp", false},
		{lan("lan.pcapng"), "tftp", false}, {"protocols/imap/testdata/imap.pcap", "imf", true},
		{"protocols/ftp/testdata/ftp.pcap", "ftp-data", true},
	} {
		theirs, ours := filepath.Join(t.TempDir(), "theirs"), filepath.Join(t.TempDir(), "ours")
		tshark(t, "-r", c.path, "-q", "--export-objects", c.proto+","+theirs)
		if got := remora(t, nil, "-r", c.path, "-q", "--export-objects", c.proto+","+ours); got.code != 0 {
			t.Fatalf("%+v", got)
		}
		want, got := filesIn(t, theirs), filesIn(t, ours)
		if len(want) == 0 || len(got) < len(want) || len(got) > len(want) && !c.more {
			t.Errorf("%s: tshark has %d objects of %s, here are %d", c.path, len(want), c.proto, len(got))
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if text, ok := got[name]; !ok || text != want[name] {
				t.Errorf("%s: of %s tshark has %d bytes, here are %d (%t)", c.path, name, len(want[name]), len(text), ok)
			}
		}
	}
}

func TestMistakesOfExportAreTold(t *testing.T) {
	path, dir := sampleCapture(t), filepath.Join(t.TempDir(), "none")
	for words, says := range map[string]string{"none": "PROTO is ftp-data, http, http2, imf, smb, tftp",
		"http": "http,DIR", "dns,x": "it takes"} {
		got := remora(t, nil, "-r", path, "--export-objects", words)
		if got.code != exitUsage || !strings.Contains(got.err, says) {
			t.Errorf("%s: %+v", words, got)
		}
	}
	twice := remora(t, nil, "-r", path, "--export-objects", "http,"+dir, "--export-objects", "http,"+dir)
	if twice.code != exitUsage || !strings.Contains(twice.err, "already") {
		t.Errorf("twice: %+v", twice)
	}
	taken := remora(t, nil, "-r", path, "--export-objects", "http,"+path)
	if taken.code != exitFailed || !strings.Contains(taken.err, "not a directory") {
		t.Errorf("a file in place of the folder: %+v", taken)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made")
	}
}
