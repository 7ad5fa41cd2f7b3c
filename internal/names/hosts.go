package names

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net/netip"
	"path/filepath"
	"strings"

	"remora/internal/textfile"
)

// Hosts are names of hosts by their addresses, as files of hosts (hosts(5)) tell them. They do not change once read.
type Hosts map[netip.Addr]string

// Bounds of what a file of hosts can make us keep, and of its bytes.
const (
	maxHosts     = 1 << 20
	maxHostsFile = 64 << 20
)

// ReadHosts reads the system's file of hosts, which may be missing, and those named. What was told first stays.
func ReadHosts(files ...string) (Hosts, error) {
	h, err := ReadFiles(files...)
	if err != nil {
		return nil, err
	}
	_ = h.readFile(textfile.SystemHosts())
	return h, nil
}

// ReadFiles reads some files of hosts alone.
func ReadFiles(files ...string) (Hosts, error) {
	h := Hosts{}
	for _, path := range files {
		if err := h.readFile(path); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// AddKept adds the files called hosts in some folders, where there are any.
func (h Hosts) AddKept(folders ...string) error {
	for _, dir := range folders {
		if err := h.readFile(filepath.Join(dir, "hosts")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (h Hosts) readFile(path string) error {
	f, err := textfile.Open(path, maxHostsFile)
	if err != nil {
		return err
	}
	defer f.Close()
	return h.read(f)
}

// read takes lines of an address and its names, of which the first is the one shown.
func (h Hosts) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) < 2 {
			continue
		}
		a, err := netip.ParseAddr(words[0])
		if err != nil {
			continue
		}
		if a = a.Unmap(); h[a] == "" && len(h) < maxHosts {
			h[a] = words[1]
		}
	}
	return lines.Err()
}
