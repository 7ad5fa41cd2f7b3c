package files

import (
	"os"
	"path/filepath"
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

// folder has two captures, a text and a folder with nothing.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"dns.pcap", "http2.pcapng"} {
		b, err := os.ReadFile("../../../fixtures/captures/lan/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("no capture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestFilesAreListed with kind, packets and first packets; the one under the cursor is opened.
func TestFilesAreListed(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}} {
		opened, tab, dir := "", "", folder(t)
		x := viewtest.OpenSample(t, protocols.All(), size[0], size[1])
		x.Show(New(x, dir, func(path string) { opened = path }, func(path string) { tab = path }))
		x.Has("below/", "dns.pcap", "178", "2 captures", "notes.txt")
		x.Keys("4j").Has("this is no capture").Keys("k").Has("Begins with", "1  ")
		x.Keys("k").Has("DNS  Standard query")
		if size[0] >= 80 {
			x.Has("pcapng", "nanosecond pcap")
		}
		if x.Keys("t"); tab != filepath.Join(dir, "dns.pcap") || x.View == nil {
			t.Errorf("opened in a tab: %q", tab)
		}
		x.Keys("/").Type("http").HasNot("dns.pcap")
		x.Keys("G<enter>")
		if opened != filepath.Join(dir, "http2.pcapng") || x.View != nil {
			t.Errorf("opened: %q", opened)
		}
	}
}

// TestFoldersAreEntered and left again, with the cursor on the one that was left; without a right to read one says so.
func TestFoldersAreEntered(t *testing.T) {
	dir := folder(t)
	x := viewtest.OpenSample(t, protocols.All(), 100, 30)
	x.Show(New(x, dir, func(string) {}, nil)).Keys("j<enter>").Has("below", "0 captures", "..").HasNot("dns.pcap")
	x.Keys("h").Has("dns.pcap")
	if e := x.View.(*View).at(); e == nil || e.name != "below" {
		t.Errorf("the cursor is on %+v", e)
	}
	x = viewtest.OpenSample(t, protocols.All(), 100, 30)
	x.Show(New(x, filepath.Join(dir, "none"), func(string) {}, nil)).Keys("h").Has("dns.pcap")
}
