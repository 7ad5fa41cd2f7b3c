package sibling

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestLocal passes a file and a message within the program: the file that arrives is one of its own.
func TestLocal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := Local()
	sent := make(chan error, 1)
	go func() { sent <- Send(a, []byte("hello"), f) }()
	var got []byte
	var files []*os.File
	for len(got) < 5 {
		buf := make([]byte, 3)
		n, more, err := Receive(b, buf)
		if err != nil {
			t.Fatal(err)
		}
		got, files = append(got, buf[:n]...), append(files, more...)
	}
	if err := <-sent; err != nil || string(got) != "hello" || len(files) != 1 {
		t.Fatalf("received %q and %d files (%v)", got, len(files), err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := files[0].WriteAt([]byte("x"), 0); err != nil {
		t.Errorf("the file that was passed closed with the other: %v", err)
	}
	files[0].Close()
	a.Close()
	if _, _, err := Receive(b, make([]byte, 1)); err != io.EOF {
		t.Errorf("behind the end there is %v", err)
	}
}
