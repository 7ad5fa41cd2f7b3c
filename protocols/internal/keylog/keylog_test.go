package keylog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLines(t *testing.T) {
	l := New([]byte("# comment\nCLIENT_RANDOM 0102 aabb\r\nbroken\nTRAILED 0102 dd\\\nX zz 00\nSERVER_TRAFFIC_SECRET_0 " +
		"0102 cc"))
	for label, want := range map[string]string{"CLIENT_RANDOM": "\xaa\xbb", "SERVER_TRAFFIC_SECRET_0": "\xcc",
		"TRAILED": "\xdd", "X": ""} {
		if got := l.Secret(label, []byte{1, 2}); string(got) != want {
			t.Errorf("%s is %x, not %x", label, got, want)
		}
	}
}

// TestOtherFiles: a file of something else is refused, one that may still get its secrets is not.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]error{
		"": nil, "# begun\n\n": nil, "CLIENT_RANDOM 01 ab\nletters\n": nil, "root:x:0:0\n": ErrOther,
		"# keys\nCLIENT_RANDOM zz\n": ErrOther,
	} {
		path := filepath.Join(t.TempDir(), "keys")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// A log that is still written: what is not known yet is looked for again, also in a line that came in two parts and in
// a file that was not there at first.
func TestGrowing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Secret("CLIENT_RANDOM", []byte{1}); got != nil {
		t.Fatalf("a file that is not there gave %x", got)
	}
	write := func(text string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(text)
		f.Close()
		l.looked = time.Time{}
	}
	write("CLIENT_RANDOM 01 a")
	if got := l.Secret("CLIENT_RANDOM", []byte{1}); got != nil {
		t.Errorf("half a line gave %x", got)
	}
	write("b\nCLIENT_RANDOM 02 cd\n")
	for id, want := range map[byte]byte{1: 0xab, 2: 0xcd} {
		if got := l.Secret("CLIENT_RANDOM", []byte{id}); len(got) != 1 || got[0] != want {
			t.Errorf("session %d has %x, not %x", id, got, want)
		}
	}
	if err := os.WriteFile(path, []byte("CLIENT_RANDOM 03 ee\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.looked = time.Time{}
	if got := l.Secret("CLIENT_RANDOM", []byte{3}); len(got) != 1 || got[0] != 0xee {
		t.Errorf("after the file was written anew session 3 has %x", got)
	}
}

// TestLastLine takes a secret of full length at the end of a file that does not end in a line's end, until what is
// added says something else.
func TestLastLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	full, half := strings.Repeat("ab", 48), strings.Repeat("ab", 32)
	for _, c := range []struct {
		text, label string
		want        int
	}{
		{"CLIENT_RANDOM 01 " + full, "CLIENT_RANDOM", 48},
		{"CLIENT_RANDOM 01 " + half, "CLIENT_RANDOM", 0},
		{"CLIENT_TRAFFIC_SECRET_0 01 " + half, "CLIENT_TRAFFIC_SECRET_0", 32},
		{"CLIENT_TRAFFIC_SECRET_0 01 " + half[2:], "CLIENT_TRAFFIC_SECRET_0", 0},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(l.Secret(c.label, []byte{1})); got != c.want {
			t.Errorf("%s gives %d bytes, want %d", c.text, got, c.want)
		}
		if c.want != 32 {
			continue
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(full[64:] + "\nCLIENT_RANDOM 02 ab\n")
		f.Close()
		l.looked = time.Time{}
		l.Secret("CLIENT_RANDOM", []byte{2})
		if got := len(l.Secret(c.label, []byte{1})); got != 48 {
			t.Errorf("once it is whole it gives %d bytes", got)
		}
	}
}
