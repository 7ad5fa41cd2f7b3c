package source

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPathsOfWindows has drive letters, backslashes and quotes where paths are typed.
func TestPathsOfWindows(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a game.pcapng")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("USERPROFILE", `C:\Users\ann`)
	for typed, want := range map[string]string{
		`~\x.pcap`: `C:\Users\ann\x.pcap`, "~/x.pcap": `C:\Users\ann\x.pcap`, `"C:\a b\c.pcap"`: `C:\a b\c.pcap`,
		`\\server\share\c.pcap`: `\\server\share\c.pcap`, "D:c.pcap": "D:c.pcap",
	} {
		if got := ExpandHome(typed); got != want {
			t.Errorf("%s is %s, want %s", typed, got, want)
		}
	}
	for _, typed := range []string{filepath.Join(dir, "a g"), `"` + filepath.Join(dir, "a g"), filepath.ToSlash(dir) + "/a"} {
		if got := CompletePath(typed); filepath.Clean(got) != file {
			t.Errorf("%s is completed to %s, want %s", typed, got, file)
		}
	}
	if got := ShortHome(`C:\Users\ann\x.pcap`); got != `~\x.pcap` {
		t.Error(got)
	}
}
