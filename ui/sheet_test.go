package ui

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryViewSavesItsNumbers reads back what e writes, as CSV and as JSON.
func TestEveryViewSavesItsNumbers(t *testing.T) {
	for keys, want := range map[string]string{"gt": "GAME_INPUT", "gc": "touhou", "gc<tab>": "10800",
		"gc<tab><tab>": "10.0.0.1", "gn": "severity", "gu": "udp.port == 6000",
		"gr/touhou<enter>": "time_s", "gi": "Packets", "3Ggf": "GAME_INPUT", "7GD": "touhou.input.frame",
		"3G<tab>jjP": "packet"} {
		dir := t.TempDir()
		x := open(t, 120, 36, Config{}).keys(keys)
		x.keys("e<ctrl+u>" + dir + "/a.csv<enter>")
		x.keys("e<ctrl+u>" + dir + "/a.json<enter>")
		text, err := os.ReadFile(filepath.Join(dir, "a.csv"))
		if err != nil {
			t.Errorf("%s: %v\n%s", keys, err, x.text())
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v without %s in\n%s", keys, err, want, text)
		}
		var objects []map[string]any
		text, _ = os.ReadFile(filepath.Join(dir, "a.json"))
		if err := json.Unmarshal(text, &objects); err != nil || len(objects) != len(rows)-1 {
			t.Errorf("%s: %d objects, %d rows (%v)\n%s", keys, len(objects), len(rows)-1, err, text)
		}
		if strings.ContainsAny(string(text), "\x1b\x07") {
			t.Errorf("%s: hostile text is written as it is", keys)
		}
		x.keys("e<ctrl+u>" + dir + "/a.csv<enter>")
		x.has("Replace a.csv?", "choose another name", "replace it")
		x.keys("<esc>")
	}
}

// TestShotOfTheScreen saves a picture in three forms.
func TestShotOfTheScreen(t *testing.T) {
	dir := t.TempDir()
	x := open(t, 120, 36, Config{}).keys("4G")
	x.m.look.colour = true
	x.m.repen()
	for _, name := range []string{"a.svg", "a.ansi", "a.txt"} {
		x.keys(":shot " + dir + "/" + name + "<enter>")
		x.has("the screen saved to")
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(b), "Packets") {
			t.Errorf("%s: %v\n%s", name, err, b)
		}
		if colours := strings.Contains(string(b), "\x1b["); colours != (name == "a.ansi") {
			t.Errorf("%s: sequences %v", name, colours)
		}
		for d := xml.NewDecoder(strings.NewReader(string(b))); name == "a.svg"; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}
