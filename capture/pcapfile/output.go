package pcapfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"remora/internal/broker"
	"remora/internal/sharing"
)

// A Format is a kind of capture file to write.
type Format int

// The formats.
const (
	PcapNG Format = iota // interfaces, comments, names and statistics
	Pcap                 // packets of one link type, and nothing else
)

// FormatOf tells by a file's name what to write: pcap for .pcap, .cap and .dmp, pcapng for everything else. A
// further .gz, .zst or .lz4 says how to compress it: compression is then "gzip", "zstd" or "lz4".
func FormatOf(path string) (f Format, compression string) {
	name := strings.ToLower(filepath.Base(path))
	for ending, codec := range map[string]string{".gz": "gzip", ".zst": "zstd", ".lz4": "lz4"} {
		if strings.HasSuffix(name, ending) {
			name, compression = strings.TrimSuffix(name, ending), codec
		}
	}
	switch filepath.Ext(name) {
	case ".pcap", ".cap", ".dmp":
		f = Pcap
	}
	return f, compression
}

// outputBuffer is how much is collected before it is written. Only whole records are written, so that a killed
// program leaves a file that ends cleanly.
const outputBuffer = 256 << 10

// An output is one file being written.
type output struct {
	w       io.Writer
	f       *os.File // the file itself; nil when the caller gave a writer
	z       io.WriteCloser
	regular bool
	buf     []byte
	ends    []int // where records end in buf
	written int64 // whole records that are in the file, in bytes
	err     error
}

func openOutput(path string) (*output, error) {
	if path == "-" {
		return &output{w: os.Stdout}, nil
	}
	f, err := broker.OpenOutput(path)
	if err != nil {
		return nil, CannotWrite(path, err)
	}
	_, codec := FormatOf(path)
	return newOutput(f, codec)
}

func newOutput(f *os.File, codec string) (*output, error) {
	o := &output{w: f, f: f}
	if info, err := f.Stat(); err == nil {
		o.regular = info.Mode().IsRegular()
	}
	switch codec {
	case "gzip":
		o.z = gzip.NewWriter(f)
	case "zstd":
		z, err := zstd.NewWriter(f)
		if err != nil {
			return nil, err
		}
		o.z = z
	case "lz4":
		o.z = lz4.NewWriter(f)
	}
	if o.z != nil {
		o.w = o.z
	}
	return o, nil
}

// add takes one whole record.
func (o *output) add(b []byte) error {
	o.buf = append(o.buf, b...)
	o.ends = append(o.ends, len(o.buf))
	if len(o.buf) >= outputBuffer {
		return o.write()
	}
	return o.err
}

// size is how long the file is, uncompressed, once all is written.
func (o *output) size() int64 { return o.written + int64(len(o.buf)) }

// write hands the collected records to the file. When the disk is full, a record that went in by half is cut off
// again.
func (o *output) write() error {
	if o.err != nil || len(o.buf) == 0 {
		return o.err
	}
	n, err := o.w.Write(o.buf)
	if err != nil {
		o.err = err
		if n > 0 && o.regular && o.z == nil {
			o.cut(n)
		}
		return err
	}
	o.written += int64(n)
	o.buf, o.ends = o.buf[:0], o.ends[:0]
	return nil
}

// cut shortens the file to the whole records among the n bytes that went in.
func (o *output) cut(n int) {
	whole := 0
	for _, end := range o.ends {
		if end <= n {
			whole = end
		}
	}
	o.written += int64(whole)
	o.f.Truncate(o.written)
}

// flush makes what was added readable by others.
func (o *output) flush() error {
	err := o.write()
	if f, ok := o.z.(interface{ Flush() error }); ok && err == nil {
		err = f.Flush()
	}
	return err
}

func (o *output) close() error {
	err := o.write()
	if o.z != nil {
		err = errors.Join(err, o.z.Close())
	}
	if o.f != nil {
		err = errors.Join(err, o.f.Close())
	}
	return err
}

// CannotWrite says why a file that is written as packets come cannot be written on, as an [Error]: what went in stays.
func CannotWrite(path string, err error) error {
	e := writeError(path, err)
	e.Output = true
	return e
}

// CannotSave says why a file that is written whole or not at all could not be, and what helps. Errors that say so
// already, and those of another kind, stay as they are.
func CannotSave(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case sharing.DiskFull(err):
		err = Errorf(path, err, "%s: the disk is full, and no part of it is left: save it on another one", path)
	case sharing.Broken(err):
		err = Errorf(path, err, "%s: the disk fails (%v), and no part of it is left: save it on another one", path,
			syscall.EIO)
	case sharing.ReadOnly(err):
		err = Errorf(path, err, "%s: the disk can only be read: save it on another one", path)
	case errors.Is(err, syscall.EISDIR):
		err = Errorf(path, err, "%s is a folder: give the file a name", path)
	default:
		var p *os.PathError
		var known *Error
		if errors.As(err, &known) || !errors.As(err, &p) {
			return err
		}
		return CannotWrite(path, err)
	}
	var e *Error
	if errors.As(err, &e) {
		e.Output = true
	}
	return err
}

func writeError(path string, err error) *Error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	switch {
	case sharing.DiskFull(err):
		return Errorf(path, err, "%s: the disk is full: what was written so far is kept", path)
	case sharing.Broken(err):
		return Errorf(path, err, "%s: the disk fails (%v): what was written so far is kept", path, err)
	case errors.Is(err, os.ErrPermission):
		return Errorf(path, err, "%s: no permission to write it", path)
	case errors.Is(err, os.ErrNotExist):
		return Errorf(path, err, "%s: there is no folder %s", path, filepath.Dir(path))
	}
	return Errorf(path, err, "%s cannot be written: %v", path, err)
}
