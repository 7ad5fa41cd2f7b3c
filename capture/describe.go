package capture

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"

	"remora/internal/broker"
)

// FileInfo is what a capture file is, as its first bytes tell.
type FileInfo struct {
	Format      string // "pcapng", "pcap", "nanosecond pcap" or "modified pcap"
	Compression string // "gzip", "zstd" or "lz4", or "" without one
	Size        int64  // on disk
	SnapLen     uint32 // of a pcap file's header; 0: not said there
}

// Describe looks at a file's first bytes. It fails for what is no capture, and for what is no regular file.
func Describe(path string) (FileInfo, error) {
	var info FileInfo
	f, err := broker.Open(path)
	if err != nil {
		return info, cannotRead(path, err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil || !stat.Mode().IsRegular() {
		return info, fileError(path, err, "%s is not a file", path)
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
		return info, cannotRead(path, err)
	}
	defer r.Close()
	head = make([]byte, pcapHeader)
	if n, err := io.ReadFull(r, head); err != nil && n < 12 {
		return info, cannotRead(path, err)
	}
	return info, info.take(path, head)
}

func (info *FileInfo) take(path string, head []byte) error {
	var order binary.ByteOrder = binary.LittleEndian
	magic := order.Uint32(head)
	if magic == blockSection {
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

// Hashes are hash sums of a file, in hexadecimal.
type Hashes struct{ SHA256, SHA1 string }

// HashFile reads a file to its end. Progress is told how many bytes are done, now and then; it may be nil.
func HashFile(ctx context.Context, path string, progress func(done int64)) (Hashes, error) {
	f, err := broker.Open(path)
	if err != nil {
		return Hashes{}, cannotRead(path, err)
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
			return Hashes{}, cannotRead(path, err)
		case ctx.Err() != nil:
			return Hashes{}, ctx.Err()
		}
		if progress != nil {
			progress(done)
		}
	}
}
