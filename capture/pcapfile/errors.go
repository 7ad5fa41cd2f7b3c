package pcapfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"remora/internal/broker"
	"remora/internal/suggest"
)

// An Error says in one sentence why a file cannot be opened as a capture, and what to do.
type Error struct {
	Path string
	Text string
	Err  error // the cause, where there is one

	Output bool // it was to be written, not read
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an [Error] of a path: its cause, which may be nil, and what fmt.Sprintf takes.
func Errorf(path string, err error, format string, args ...any) *Error {
	return &Error{Path: path, Text: fmt.Sprintf(format, args...), Err: err}
}

// CannotRead says why a file cannot be read, as an [Error], and what it is instead where its first bytes tell.
func CannotRead(path string, err error) error {
	var other *broker.NotReadable
	if errors.As(err, &other) {
		return notCapture(path, other.Head)
	}
	if errors.Is(err, fs.ErrPermission) {
		return Errorf(path, err, "%s: no permission to read it: ask its owner, or read it as root", path)
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return Errorf(path, err, "%s cannot be read: %v", path, err)
}

// notCapture tells what a file may be instead.
func notCapture(path string, head []byte) error {
	const known = "remora reads pcap and pcapng, plain or compressed by gzip, zstd or lz4"
	if len(head) == 0 {
		return Errorf(path, ErrNotCapture, "%s is empty: there is no capture in it", path)
	}
	for _, o := range otherFormats {
		if bytes.HasPrefix(head, []byte(o.magic)) {
			return Errorf(path, ErrNotCapture, "%s is %s, not a capture file that remora reads: %s", path, o.name, o.advice)
		}
	}
	if len(head) > 8 {
		head = head[:8]
	}
	return Errorf(path, ErrNotCapture, "%s is not a capture file (it begins with % x): %s", path, head, known)
}

var otherFormats = []struct{ magic, name, advice string }{
	{"snoop\x00\x00\x00", "a Solaris snoop file", "convert it with editcap -F pcapng"},
	{"0000  ", "a hex dump", "open a capture, then :import it, or start with --import-hex"},
	{"000000 ", "a hex dump", "open a capture, then :import it, or start with --import-hex"},
	{"BZh", "compressed by bzip2", "unpack it first with bunzip2"},
	{"\xFD7zXZ\x00", "compressed by xz", "unpack it first with unxz"},
	{"PK\x03\x04", "a zip archive", "unpack it first with unzip"},
	{"7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it first"},
	{"GMBU", "a Microsoft Network Monitor file", "convert it with editcap -F pcapng"},
	{"RTSS", "a Microsoft Network Monitor file", "convert it with editcap -F pcapng"},
	{"TRSNIFF data", "a Sniffer file", "convert it with editcap -F pcapng"},
	{"XCP\x00", "a NetXRay file", "convert it with editcap -F pcapng"},
	{"btsnoop\x00", "a Bluetooth snoop log", "convert it with editcap -F pcapng"},
}

// suggestFile looks for a name in the same folder that may have been meant.
func suggestFile(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return fmt.Sprintf(", nor a folder %s", filepath.Dir(path))
	}
	var names []string
	for _, e := range entries[:min(len(entries), 2000)] {
		names = append(names, e.Name())
	}
	if near := suggest.List(filepath.Base(path), names); len(near) > 0 {
		return fmt.Sprintf("; did you mean %s?", filepath.Join(filepath.Dir(path), near[0]))
	}
	return ""
}
