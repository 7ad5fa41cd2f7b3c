package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

var docBlock = regexp.MustCompile("(?s)```(lua|console)\n(.*?)```")

// TestOwnDissectorsAsTheDocsSay follows docs/own-dissectors.md.
func TestOwnDissectorsAsTheDocsSay(t *testing.T) {
	page, err := os.ReadFile("docs/own-dissectors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lua, _ := strings.Cut(string(page), "\n## In Lua\n")
	dir := t.TempDir()
	capture := dissecttest.Pcap(1,
		dissecttest.Packets(udpPacket(40000, 7300, "\x01\x00\x07\x32kith"), udpPacket(7300, 40000, "\x02\x00\x07\x0akith")))
	if err := os.WriteFile(filepath.Join(dir, "lamp.pcap"), capture, 0o600); err != nil {
		t.Fatal(err)
	}
	place := strings.NewReplacer("lamp.pcap", filepath.Join(dir, "lamp.pcap"), "lamp.lua", filepath.Join(dir, "lamp.lua"))
	steps := 0
	for _, block := range docBlock.FindAllStringSubmatch(lua, -1) {
		if block[1] == "lua" {
			if err := os.WriteFile(filepath.Join(dir, "lamp.lua"), []byte(block[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		line, want, _ := strings.Cut(block[2], "\n")
		r := remora(t, nil, docWords(place.Replace(strings.TrimPrefix(line, "$ remora ")))...)
		if r.out != want || r.err != "" || r.code != 0 {
			t.Errorf("%s gives %d, %q, %q; the page has %q", line, r.code, r.out, r.err, want)
		}
		steps++
	}
	if steps != 3 {
		t.Errorf("the page has %d steps", steps)
	}
}

// docWords takes a command apart: quotes hold words together.
func docWords(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
