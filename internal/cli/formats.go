package cli

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"remora/capture"
	"remora/capture/anonymise"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/internal/broker"
	"remora/internal/sharing"
	"remora/owndissect/lua"
)

// packetFile is what packets are written into: a capture file, or one in the format of a script.
type packetFile interface {
	CopyPacket(r *capture.Reader, i int) error
	CopyBlocks(s *capture.Store) error
	WriteNames(hosts map[netip.Addr]string) error
	Next() error
	Flush() error
	Close() error
}

// A formatList is the formats of scripts, as they were loaded last.
type formatList struct {
	mu  sync.Mutex
	all []*lua.Format
}

func (l *formatList) add(f *lua.Format) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, f)
}

func (l *formatList) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

func (l *formatList) now() []*lua.Format {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

// formats are those that -F takes beside those of scripts.
var formats = map[string]pcapfile.Format{"pcap": pcapfile.Pcap, "nsecpcap": pcapfile.Pcap, "pcapng": pcapfile.PcapNG}

// checkFormat tells what -F takes, once the scripts are loaded.
func (o *options) checkFormat() error {
	if _, known := formats[o.fileType]; o.fileType == "" || known || o.scriptFormat() != nil {
		return nil
	}
	names := []string{"pcap", "pcapng", "nsecpcap"}
	for _, f := range o.own.formats.now() {
		if f.Writes() {
			names = append(names, f.Name())
		}
	}
	return usage("-F %s: it takes %s", dissect.Escape(o.fileType), strings.Join(names, ", "))
}

// scriptFormat is the format of a script that -F names, or nil.
func (o *options) scriptFormat() *lua.Format {
	for _, f := range o.own.formats.now() {
		if f.Writes() && f.Name() == o.fileType {
			return f
		}
	}
	return nil
}

// createWriter begins the file of -w.
func (o *options) createWriter() (packetFile, error) {
	opt := pcapfile.WriterOptions{Ring: o.live.Ring, Stop: o.live.Stop, Replace: o.live.Replace,
		Closed: o.live.Closed}
	f := o.scriptFormat()
	if f == nil {
		if o.anonymise {
			opt.Rewrite = anonymise.New()
		}
		opt.Format, opt.Stated, opt.Nano = formats[o.fileType], o.fileType != "", o.fileType == "nsecpcap"
		opt.Secrets, opt.NoSecrets = o.secrets.injected, o.secrets.discard
		if o.seat.comment != "" {
			opt.Comments = []string{o.seat.comment}
		}
		return pcapfile.Create(o.write, opt)
	}
	if !opt.Replace {
		if err := pcapfile.MayCreate(o.write); err != nil {
			return nil, err
		}
	}
	to, err := sharing.OpenFile(o.write, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, pcapfile.CannotWrite(o.write, err)
	}
	return &scriptFile{format: f, to: to}, nil
}

// A scriptFile is written in the format of a script. It begins with the first packet, which tells the link type.
type scriptFile struct {
	format *lua.Format
	to     *os.File
	w      *lua.FormatWriter
}

// CopyPacket writes a packet of a store.
func (f *scriptFile) CopyPacket(r *capture.Reader, i int) (err error) {
	s := r.Store()
	m := s.Meta(i)
	from := s.Interface(m.Interface)
	if f.w == nil {
		if f.w, err = f.format.Create(f.to, from.LinkType, int(from.SnapLen)); err != nil {
			return err
		}
	}
	b, err := r.Bytes(i)
	if err != nil {
		return err
	}
	return f.w.Write(lua.Frame{Time: m.Time, Len: int(m.Len), Link: from.LinkType, Data: b, Comments: s.Comments(i)})
}

// CopyBlocks has nothing to write: scripts are told of packets alone.
func (*scriptFile) CopyBlocks(*capture.Store) error { return nil }

// WriteNames has nothing to write, either.
func (*scriptFile) WriteNames(map[netip.Addr]string) error { return nil }

// Next goes on in the same file.
func (*scriptFile) Next() error { return nil }

// Flush has nothing to do.
func (*scriptFile) Flush() error { return nil }

// Close ends the file.
func (f *scriptFile) Close() (err error) {
	if f.w != nil {
		err = f.w.Close()
	}
	return errors.Join(err, f.to.Close())
}

// maxScriptRead bounds a file that a script reads: it is read whole.
const maxScriptRead = 1 << 30

// openFile opens a file of captured packets, in a format that is built in or in one of a script.
func (o *options) openFile(ctx context.Context, path string, opt capture.Options) (*capture.Store, error) {
	readers := slices.DeleteFunc(o.own.formats.now(), func(f *lua.Format) bool { return !f.Reads() })
	if len(readers) == 0 || path == "-" {
		return pcapfile.Open(ctx, path, opt)
	}
	slices.SortStableFunc(readers, func(f, g *lua.Format) int { return cmp.Compare(btoi(g.First()), btoi(f.First())) })
	if !readers[0].First() {
		if s, err := pcapfile.Open(ctx, path, opt); err == nil {
			return s, nil
		}
	}
	if s, err := openByScript(ctx, path, readers, opt); s != nil || err != nil {
		return s, err
	}
	return pcapfile.Open(ctx, path, opt)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// openByScript asks the formats of scripts in turn. What they read becomes a capture in memory; nil: none takes it.
func openByScript(ctx context.Context, path string, readers []*lua.Format, opt capture.Options) (*capture.Store,
	error) {
	f, err := broker.Open(path)
	if err != nil {
		return nil, pcapfile.CannotRead(path, err)
	}
	defer f.Close()
	var in io.Reader = f
	z, packed := gzip.NewReader(f)
	if packed == nil {
		in = z
	} else if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, pcapfile.CannotRead(path, err)
	}
	b, err := io.ReadAll(io.LimitReader(in, maxScriptRead+1))
	if err != nil || len(b) > maxScriptRead {
		return nil, nil //nolint:nilerr,nilnil // then it is for the formats that are built in to say so
	}
	for _, r := range readers {
		var out bytes.Buffer
		to := newFrames(&out, pcapfile.PcapNG)
		ok, err := r.Read(b, packed == nil, func(fr lua.Frame) {
			if fr.Link >= 0 {
				err = errors.Join(err, to.Write(fr))
			}
		})
		if err != nil {
			fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(err))
		}
		if ok {
			if err := to.Close(); err != nil {
				return nil, err
			}
			return pcapfile.OpenBytes(ctx, filepath.Base(path), out.Bytes(), opt)
		}
	}
	return nil, nil //nolint:nilnil // see above
}

// frames writes packets of several link types.
type frames struct {
	*pcapfile.Writer
	links map[int]int
	to    io.Closer
}

func newFrames(to io.Writer, f pcapfile.Format) *frames {
	return &frames{Writer: pcapfile.NewWriter(to, pcapfile.WriterOptions{Format: f}), links: map[int]int{}}
}

// Write writes a packet.
func (f *frames) Write(fr lua.Frame) error {
	id, known := f.links[fr.Link]
	if !known {
		var err error
		if id, err = f.AddInterface(capture.Interface{LinkType: fr.Link, SnapLen: uint32(fr.Snap),
			TimeResolution: 9}); err != nil {
			return err
		}
		f.links[fr.Link] = id
	}
	return f.WritePacket(pcapfile.Packet{Interface: id, Time: fr.Time, Len: uint32(fr.Len), Data: fr.Data,
		Comments: fr.Comments})
}

// Close ends the file.
func (f *frames) Close() error {
	err := f.Writer.Close()
	if f.to != nil {
		err = errors.Join(err, f.to.Close())
	}
	return err
}

// createFrames begins a capture file that a script writes.
func createFrames(path string, ng bool, link int) (lua.FrameFile, error) {
	f, err := sharing.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	format := pcapfile.Pcap
	if ng {
		format = pcapfile.PcapNG
	}
	out := newFrames(f, format)
	out.to = f
	id, err := out.AddInterface(capture.Interface{LinkType: link, SnapLen: 1 << 18, TimeResolution: 6})
	out.links[link] = id
	return out, errors.Join(err, out.Flush())
}
