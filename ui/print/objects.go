package print

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"remora/dissect"
)

// Objects writes the objects of one protocol into a folder, a file each, as they come. No file that is there is
// changed, and none is made elsewhere, whatever packets call it.
type Objects struct {
	finder *dissect.ObjectFinder
	folder *os.Root
	names  map[string]int // how many files have a name, but for the number in it
	files  map[*dissect.Object]string
	last   *os.File // that of the last part
	of     *dissect.Object
	err    error
}

// NewObjects begins to write the objects that the session's registry has under a name. The folder is closed by Close.
func NewObjects(s *dissect.Session, name string, folder *os.Root) *Objects {
	return &Objects{finder: s.FindObjects(name), folder: folder, names: map[string]int{},
		files: map[*dissect.Object]string{}}
}

// Packet writes what a packet brings that has passed. Packets come in their order.
func (e *Objects) Packet(l *dissect.Dissector, n dissect.FrameNum) error {
	e.finder.Packet(l, n, func(o *dissect.Object, offset int64, b []byte) {
		if e.err == nil {
			e.err = e.part(o, offset, b)
		}
	})
	return e.err
}

// part writes bytes of an object.
func (e *Objects) part(o *dissect.Object, offset int64, b []byte) error {
	if e.of != o {
		if err := e.open(o); err != nil {
			return err
		}
	}
	_, err := e.last.WriteAt(b, offset)
	return err
}

// open opens the file of an object, which is made the first time.
func (e *Objects) open(o *dissect.Object) (err error) {
	if err := e.closeLast(); err != nil {
		return err
	}
	if name, known := e.files[o]; known {
		e.last, err = e.folder.OpenFile(name, os.O_WRONLY, 0)
	} else {
		e.last, err = e.create(o)
	}
	if err == nil {
		e.of = o
	}
	return err
}

// create makes a file of a new name.
func (e *Objects) create(o *dissect.Object) (*os.File, error) {
	plain := FileName(o, 0)
	for n := e.names[plain]; ; n++ {
		name := FileName(o, n)
		if name == "." || name == ".." {
			continue
		}
		f, err := e.folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			e.names[plain], e.files[o] = n+1, name
		}
		return f, err
	}
}

func (e *Objects) closeLast() error {
	f := e.last
	if e.last, e.of = nil, nil; f == nil {
		return nil
	}
	return f.Close()
}

// Close ends the last file, and closes the folder.
func (e *Objects) Close() error { return errors.Join(e.closeLast(), e.folder.Close()) }

// maxFileName bounds the bytes of a file's name.
const maxFileName = 255

// FileName is the name of an object's file, in the manner of tshark: what file systems refuse is written as %XX, and a
// number above 0 stands in front of the ending. An object without a name is called by its packet and its type.
func FileName(o *dissect.Object, number int) string {
	name := o.Name
	if name == "" {
		name = fmt.Sprintf("object%d", o.Frame)
		if o.Type != "" {
			name += "." + o.Type
		}
	}
	name = systemName(safeName(name))
	end, extra := strings.LastIndexByte(name, '.'), ""
	if number > 0 {
		extra = fmt.Sprintf("(%d)", number)
	}
	if len(name) <= maxFileName && extra == "" {
		return name
	}
	ending := ""
	if end >= 0 && len(name)-end+len(extra) < maxFileName {
		name, ending = name[:end], name[end:]
	}
	return strings.ToValidUTF8(name[:min(len(name), maxFileName-len(extra)-len(ending))], "") + extra + ending
}

// safeName writes what file systems refuse, and what terminals would obey, as %XX.
func safeName(name string) string {
	var b strings.Builder
	for i, size := 0, 0; i < len(name); i += size {
		r, n := utf8.DecodeRuneInString(name[i:])
		if size = n; r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) || strings.ContainsRune(`<>:"/\|?*`, r) {
			for _, c := range []byte(name[i : i+n]) {
				fmt.Fprintf(&b, "%%%02x", c)
			}
		} else {
			b.WriteString(name[i : i+n])
		}
	}
	return b.String()
}

// windowsName writes as %XX what Windows refuses beside: devices, whatever their ending, and what it takes off at the
// end.
func windowsName(name string) string {
	first, _, _ := strings.Cut(name, ".")
	switch device := strings.ToUpper(strings.TrimRight(first, " ")); {
	case slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, device),
		len(device) == 4 && (device[:3] == "COM" || device[:3] == "LPT") && device[3] >= '0' && device[3] <= '9':
		name = fmt.Sprintf("%%%02x%s", name[0], name[1:])
	}
	if last := len(name) - 1; last >= 0 && (name[last] == '.' || name[last] == ' ') {
		name = fmt.Sprintf("%s%%%02x", name[:last], name[last])
	}
	return name
}
