package keylog

import (
	"bytes"
	"testing"
)

// FuzzAdd reads any lines, at once and in two parts: what is kept is the same, and bounded by what was given.
func FuzzAdd(f *testing.F) {
	f.Add([]byte("# comment\nCLIENT_RANDOM 00ff 0102\nCLIENT_RANDOM 00FF 03\r\n"), 20)
	f.Add([]byte("EXPORTER_SECRET  aa bb\nA b c\nX 0 1"), 3)
	f.Fuzz(func(t *testing.T, lines []byte, at int) {
		if len(lines) > maxLine || at < 0 || at > len(lines) {
			return
		}
		whole := New(lines)
		parts := &Log{path: "grows", secrets: map[string][]byte{}}
		parts.add(lines[:at])
		parts.add(lines[at:])
		parts.add([]byte("\n"))
		if len(whole.secrets) != len(parts.secrets) || len(whole.secrets) > bytes.Count(lines, []byte("\n"))+1 {
			t.Fatalf("%d secrets, in parts %d", len(whole.secrets), len(parts.secrets))
		}
		for key, secret := range whole.secrets {
			if !bytes.Equal(parts.secrets[key], secret) || 2*len(secret) > len(lines) {
				t.Errorf("%q: %x, in parts %x", key, secret, parts.secrets[key])
			}
		}
	})
}
