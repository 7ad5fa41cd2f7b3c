//go:build unix

package ui

import (
	"os"
	"testing"
	"time"
)

func TestEscIsNotHeldBack(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	k, b := keyboard{File: r, early: &earlyKeys{}}, make([]byte, 16)
	read := func(want string) {
		t.Helper()
		if n, err := k.Read(b); string(b[:n]) != want || err != nil {
			t.Errorf("%q, %v; want %q", b[:n], err, want)
		}
	}
	w.WriteString("\x1b")
	read(escapeKey)
	w.WriteString("\x1b[A")
	read("\x1b[A")
	w.WriteString("\x1b")
	go func() {
		time.Sleep(time.Millisecond) // a read that waits for the rest cannot be seen from here
		w.WriteString("[B")
	}()
	if n, err := k.Read(b[:1]); n != 1 || err != nil { // no room for the key's sequence: as it came
		t.Error(n, err)
	}
	read("[B")
	w.Close()
	if n, err := k.Read(b); n != 0 || err == nil {
		t.Error(n, err)
	}
}
