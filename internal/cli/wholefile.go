package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	bin "encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
)

// wholeFormat is the word of -X that has a file read as one packet.
const wholeFormat = "read_format:MIME Files Format"

// readsWhole tells whether the file is a packet itself.
func (o *options) readsWhole() bool { return slices.Contains(o.own.extended, wholeFormat) }

// maxWhole bounds a file that is a packet: no packet may be longer.
const maxWhole = 256 << 10

// openWhole makes one packet of a file, unpacked where it is packed with gzip.
func openWhole(ctx context.Context, path string, opt capture.Options) (*capture.Store, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, pcapfile.CannotRead(path, err)
	}
	defer f.Close()
	var in io.Reader = f
	if z, err := gzip.NewReader(f); err == nil {
		in = z
	} else if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, pcapfile.CannotRead(path, err)
	}
	b, err := io.ReadAll(io.LimitReader(in, maxWhole+1))
	if err == nil && len(b) > maxWhole {
		err = fmt.Errorf("it has more than %d bytes", maxWhole)
	}
	if err != nil {
		return nil, pcapfile.Errorf(path, err, "%s cannot be read as one packet: %v", path, err)
	}
	var out bytes.Buffer
	for _, v := range []uint32{0xa1b2c3d4, 4<<16 | 2, 0, 0, maxWhole, dissect.LinkFile, 0, 0, uint32(len(b)),
		uint32(len(b))} {
		out.Write(bin.LittleEndian.AppendUint32(nil, v))
	}
	out.Write(b)
	return pcapfile.OpenBytes(ctx, filepath.Base(path), out.Bytes(), opt)
}
