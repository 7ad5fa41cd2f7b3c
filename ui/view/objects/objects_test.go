package objects

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	x := viewtest.OpenFile(t, protocols.All(), "../../../"+name, w, h)
	return x.Show(New(x))
}

// TestObjectsAreListed: objects of each protocol with host, type, size and first bytes; / narrows the list.
func TestObjectsAreListed(t *testing.T) {
	x := file(t, "fixtures/captures/lan/http2.pcapng", 100, 30)
	x.Has("http2", "data.txt", "style.css", "text/css", "23.4 KiB", "Begins with")
	x.Has("application/x-www-form-urlencoded ")
	x.Keys("/").Type("css").Has("style.css", "6 objects with css").HasNot("data.txt")
	x.Keys("/").Type("nothing like it").Has("no object with")
	file(t, "fixtures/captures/lan/smb.pcap", 80, 24).Has("smb", `\letter.txt`, `\put.txt`)
	file(t, "protocols/ftp/testdata/ftp.pcap", 80, 24).Has("ftp-data", "large.txt")
	file(t, "protocols/tftp/testdata/tftp.pcap", 80, 24).Has("tftp", "boot.img")
	file(t, "fixtures/captures/lan/pop.pcap", 80, 24).Has("imf", "lunch.eml")
	file(t, "fixtures/captures/lan/dns.pcap", 60, 12).Has("no HTTP body")
}

// TestSavedAsTshark: all objects, and one of them, are saved with the bytes that tshark exports.
func TestSavedAsTshark(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip(err)
	}
	for _, c := range [][2]string{{"http", "fixtures/captures/lan/tcp-loss.pcap"},
		{"smb", "fixtures/captures/lan/smb.pcap"}, {"tftp", "protocols/tftp/testdata/tftp.pcap"}} {
		theirs, ours := t.TempDir(), t.TempDir()
		if out, err := exec.Command(tshark, "-q", "-r", "../../../"+c[1], "--export-objects",
			c[0]+","+theirs).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		x := file(t, c[1], 80, 24)
		x.Keys("w").Type(ours + "/")
		if !strings.Contains(x.Notice, "saved to") {
			t.Fatal(x.Notice)
		}
		names, _ := os.ReadDir(theirs)
		if len(names) == 0 {
			t.Fatalf("tshark finds no objects in %s", c[1])
		}
		for _, name := range names {
			same(t, filepath.Join(ours, name.Name()), filepath.Join(theirs, name.Name()))
		}
		one := filepath.Join(t.TempDir(), "one")
		x.Keys("gg" + "w").Type(one)
		first := x.View.(*View).at()
		same(t, one, filepath.Join(ours, freshName(&first.Object, map[string]int{})))
		if x.Keys("w").Type(one); !strings.Contains(x.Question, "is there already") {
			t.Errorf("a file is replaced: %s", x.Notice)
		}
	}
}

func same(t *testing.T, a, b string) {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Error(err)
		return
	}
	y, err := os.ReadFile(b)
	if err != nil || !bytes.Equal(x, y) {
		t.Errorf("%s has %d bytes, %s %d (%v)", a, len(x), b, len(y), err)
	}
}
