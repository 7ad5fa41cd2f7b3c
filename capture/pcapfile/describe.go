package pcapfile

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"

	"remora/capture/internal/pcapng"
	"remora/internal/broker"
)

// Info is what a capture file is, as its first bytes tell.
type Info struct {
	Format      string // "pcapng", "pcap", "nanosecond pcap" or "modified pcap"
	Compression string // "gzip", "zstd" or "lz4", or "" without one
	Size        int64  // on disk
	SnapLen     uint32 // of a pcap file's header; 0: not said there
}

// Describe looks at a file's first bytes. It fails for what is no capture, and for what is no regular file.
func Describe(path string) (Info, error) {
	var info Info
	f, err := broker.Open(path)
	if err != nil {
		return info, CannotRead(path, err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil || !stat.Mode().IsRegular() {
		return info, Errorf(path, err, "%s is not a file", path)
	}
	info.Size = stat.Size()
	head := make([]byte, 4)
	if _, err := f.ReadAt(head, 0); err == nil {
		if c := compression(head); c != nil {
			info.Compression = c.name
		}
	}
	r, err := decompress(f)
	if err != nil {
		return info, CannotRead(path, err)
	}
	defer r.Close()
	head = make([]byte, pcapHeader)
	if n, err := io.ReadFull(r, head); err != nil && n < 12 {
		return info, CannotRead(path, err)
	}
	return info, info.take(path, head)
}

func (info *Info) take(path string, head []byte) error {
	var order binary.ByteOrder = binary.LittleEndian
	magic := order.Uint32(head)
	if magic == pcapng.BlockSection {
		info.Format = "pcapng"
		return nil
	}
	if !knownMagic(magic) {
		order = binary.BigEndian
		magic = order.Uint32(head)
	}
	switch magic {
	case magicMicro:
		info.Format = "pcap"
	case magicNano:
		info.Format = "nanosecond pcap"
	case magicModified:
		info.Format = "modified pcap"
	default:
		return notCapture(path, head)
	}
	info.SnapLen = order.Uint32(head[16:])
	return nil
}

// IsCapture reports whether a file begins as captures do, once it is decompressed.
func IsCapture(f io.ReaderAt, size int64) bool {
	r, err := decompress(io.NewSectionReader(f, 0, size))
	if err != nil {
		return false
	}
	defer r.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(r, head); err != nil {
		return false
	}
	little, big := binary.LittleEndian.Uint32(head), binary.BigEndian.Uint32(head)
	return little == pcapng.BlockSection || knownMagic(little) || knownMagic(big)
}

// Hashes are hash sums of a file, in hexadecimal.
type Hashes struct{ SHA256, SHA1 string }

// Hash reads a file to its end. Progress is told how many bytes are done, now and then; it may be nil.
func Hash(ctx context.Context, path string, progress func(done int64)) (Hashes, error) {
	f, err := broker.Open(path)
	if err != nil {
		return Hashes{}, CannotRead(path, err)
	}
	defer f.Close()
	long, short := sha256.New(), sha1.New()
	buf := make([]byte, 256<<10)
	for done := int64(0); ; {
		n, err := f.Read(buf)
		long.Write(buf[:n])
		short.Write(buf[:n])
		done += int64(n)
		switch {
		case err == io.EOF:
			return Hashes{hex.EncodeToString(long.Sum(nil)), hex.EncodeToString(short.Sum(nil))}, nil
		case err != nil:
			return Hashes{}, CannotRead(path, err)
		case ctx.Err() != nil:
			return Hashes{}, ctx.Err()
		}
		if progress != nil {
			progress(done)
		}
	}
}
