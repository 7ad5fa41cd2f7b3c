package pcapfile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/internal/pcapng"
	"remora/internal/broker"
	"remora/internal/sharing"
)

// WriterOptions say how to write. The zero value writes one pcapng file.
type WriterOptions struct {
	Format      Format // Create takes it from the file's name unless it is Stated
	Stated      bool
	Nano        bool   // pcap has nanoseconds, whatever the interfaces have
	Application string // "": remora
	Comments    []string
	Section     capture.Section // its hardware, system and application are stated; Comments are added
	Ring        capture.Ring
	Stop        capture.StopRules // Packets, Bytes and Files
	Replace     bool              // Create may replace a file that is there
	Rewrite     Rewriter          // changes packets that are copied, or nil
	Secrets     []Secret          // written in front of the packets
	NoSecrets   bool              // those of the store that is copied are left out
	Closed      func(path string) // is told the name of each file of a ring that is complete, or nil
}

// A Secret is what a Decryption Secrets Block of pcapng holds (draft-ietf-opsawg-pcapng, section 4.7).
type Secret struct {
	Sort uint32 // of the secrets
	Data []byte // mostly the text of a key log
}

// A Rewriter changes packets that are copied to a file. What else tells where they are from is left out then: comments,
// options, names of hosts and interfaces, secrets.
type Rewriter interface {
	// Packet returns what is written of a packet, by the LINKTYPE_ value of its interface.
	Packet(link int, b []byte) []byte
	// Check says why packets of a link type cannot be written, or nil.
	Check(link int, name string) error
}

// A Packet is what a Writer takes.
type Packet struct {
	Interface int   // as numbered by AddInterface
	Time      int64 // nanoseconds since 1970-01-01 UTC
	Len       uint32
	Data      []byte
	Comments  []string
	options   []byte // further pcapng options, little-endian
}

// A Writer writes capture files as packets come, one file or a ring of them. The files are valid at any moment
// after a Flush, whatever happens to the program. A Writer is for one goroutine at a time.
type Writer struct {
	path    string // "": a stream of the caller's
	opt     WriterOptions
	format  Format
	out     *output
	ring    ring
	ifaces  []capture.Interface
	begun   bool // the head of the current file has been written
	packets int  // in the current file
	total   int
	scratch []byte
	from    sourceMap
	copied  int // how many of the store's blocks
	started int64
}

// Create begins to write at path, "-" being standard output. The name says the format, see [FormatOf]; with ring
// options the names are made as tshark makes them, name_00001_20060102150405.ext.
func Create(path string, opt WriterOptions) (*Writer, error) {
	w := &Writer{path: path, opt: opt, started: time.Now().UnixNano()}
	if w.format, _ = FormatOf(path); opt.Stated {
		w.format = opt.Format
	}
	if !opt.Replace && !opt.Ring.On() { // names of a ring are new
		if err := MayCreate(path); err != nil {
			return nil, err
		}
	}
	if err := w.open(); err != nil {
		return nil, err
	}
	return w, nil
}

// MayCreate says why nothing is to be written at path without asking: there is a file with something in it. What cannot
// be written at all is for whoever opens it to say.
func MayCreate(path string) error {
	if info, err := os.Stat(path); path == "-" || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	f, err := sharing.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	f.Close()
	return Errorf(path, fs.ErrExist, "%s is there already: choose another name, or replace it with --force", path)
}

// NewWriter writes to a stream. Ring options do not apply.
func NewWriter(dst io.Writer, opt WriterOptions) *Writer {
	opt.Ring = capture.Ring{}
	return &Writer{opt: opt, format: opt.Format, out: &output{w: dst}, started: time.Now().UnixNano()}
}

// AddInterface declares an interface and gives its number.
func (w *Writer) AddInterface(i capture.Interface) (int, error) {
	if w.format == Pcap {
		for _, o := range w.ifaces {
			if o.LinkType != i.LinkType {
				return 0, fmt.Errorf("%s cannot be a pcap file: the packets are %s and %s, and pcap holds one kind only: write "+
					"pcapng (name it .pcapng)",
					w.name(), capture.LinkTypeName(o.LinkType), capture.LinkTypeName(i.LinkType))
			}
		}
	}
	w.ifaces = append(w.ifaces, i)
	if w.begun && w.format == PcapNG {
		w.scratch = AppendInterface(w.scratch[:0], i)
		if err := w.add(w.scratch); err != nil {
			return 0, err
		}
	}
	return len(w.ifaces) - 1, nil
}

func (w *Writer) name() string {
	if w.path == "" || w.path == "-" {
		return "standard output"
	}
	return w.path
}

// WritePacket writes one packet. [capture.ErrEnough] says that a stop rule holds now: the packet has been written, the
// next would not be.
func (w *Writer) WritePacket(p Packet) error {
	if p.Interface < 0 || p.Interface >= len(w.ifaces) {
		return fmt.Errorf("the packet names interface %d, which was not added", p.Interface)
	}
	if err := w.turn(); err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	w.scratch = w.encode(w.scratch[:0], p)
	if err := w.add(w.scratch); err != nil {
		return err
	}
	w.packets++
	w.total++
	return w.enough()
}

func (w *Writer) encode(b []byte, p Packet) []byte {
	if w.format == Pcap {
		t := max(p.Time, 0)
		unit := int64(1000)
		if w.nano() {
			unit = 1
		}
		le := binary.LittleEndian
		b = le.AppendUint32(b, uint32(t/second))
		b = le.AppendUint32(b, uint32(t%second/unit))
		b = le.AppendUint32(b, uint32(len(p.Data)))
		b = le.AppendUint32(b, p.Len)
		return append(b, p.Data...)
	}
	if len(p.Comments) == 0 && len(p.options) == 0 {
		n := PacketBlockSize(len(p.Data))
		if cap(b) < n {
			b = make([]byte, n*2)
		}
		b = b[:n]
		PutPacket(b, p.Interface, max(p.Time, 0), p.Len, p.Data)
		return b
	}
	return pcapng.AppendBlock(b, pcapng.BlockPacket, func(b []byte) []byte {
		le, t := binary.LittleEndian, uint64(max(p.Time, 0))
		b = le.AppendUint32(b, uint32(p.Interface))
		b = le.AppendUint32(b, uint32(t>>32))
		b = le.AppendUint32(b, uint32(t))
		b = le.AppendUint32(b, uint32(len(p.Data)))
		b = le.AppendUint32(b, p.Len)
		b = append(b, p.Data...)
		for n := len(p.Data); n%4 != 0; n++ {
			b = append(b, 0)
		}
		b = pcapng.AppendComments(b, p.Comments)
		return pcapng.AppendEnd(append(b, p.options...))
	})
}

// begin writes the head of a file before its first record.
func (w *Writer) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	w.scratch = w.head(w.scratch[:0])
	return w.add(w.scratch)
}

func (w *Writer) head(b []byte) []byte {
	if w.format == Pcap {
		return w.pcapHead(b)
	}
	sec := w.opt.Section
	sec.Comments = append(append([]string(nil), sec.Comments...), w.opt.Comments...)
	if sec.Application = w.opt.Application; sec.Application == "" {
		sec.Application = cmp.Or(w.opt.Section.Application, "remora")
	}
	b = AppendSection(b, sec)
	for _, i := range w.ifaces {
		b = AppendInterface(b, i)
	}
	for _, s := range w.opt.Secrets {
		b = pcapng.AppendBlock(b, pcapng.BlockSecrets, func(b []byte) []byte {
			b = binary.LittleEndian.AppendUint32(b, s.Sort)
			b = binary.LittleEndian.AppendUint32(b, uint32(len(s.Data)))
			return append(b, s.Data...)
		})
	}
	return b
}

func (w *Writer) pcapHead(b []byte) []byte {
	le := binary.LittleEndian
	magic := uint32(magicMicro)
	if w.nano() {
		magic = magicNano
	}
	link, snap := uint32(1), uint32(0)
	for _, i := range w.ifaces {
		link = uint32(i.LinkType)
		if i.FCSLen > 0 {
			link |= 0x04000000 | uint32(i.FCSLen/2)<<28
		}
		snap = max(snap, i.SnapLen)
		if i.SnapLen == 0 {
			snap = bpf.MaxSnapLen
		}
	}
	if snap == 0 {
		snap = bpf.MaxSnapLen
	}
	b = le.AppendUint32(b, magic)
	b = append(b, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	b = le.AppendUint32(b, snap)
	return le.AppendUint32(b, link)
}

// nano says whether a pcap file needs nanoseconds. It is settled by the interfaces known when the file begins.
func (w *Writer) nano() bool {
	if w.opt.Nano {
		return true
	}
	for _, i := range w.ifaces {
		if i.TimeDigits() > 6 {
			return true
		}
	}
	return false
}

// WriteStats ends a pcapng file with what was counted on an interface; pcap files have no place for it.
func (w *Writer) WriteStats(iface int, c capture.InterfaceCounts) error {
	if w.format == Pcap {
		return nil
	}
	if err := w.begin(); err != nil {
		return err
	}
	return w.add(AppendStats(nil, iface, time.Now().UnixNano(), w.started, c))
}

func (w *Writer) add(b []byte) error { return w.failed(w.out.add(b)) }

// Flush makes everything written so far readable by others.
func (w *Writer) Flush() error {
	if err := w.begin(); err != nil {
		return err
	}
	return w.failed(w.out.flush())
}

// Close ends the current file. A writer that was given no packet leaves a valid empty capture.
func (w *Writer) Close() error {
	err := w.begin()
	if e := w.out.close(); err == nil {
		err = w.failed(e)
	}
	// not even its head went in: that is no capture
	if err != nil && w.out.regular && w.out.written == 0 && w.opt.Ring.On() {
		broker.Remove(w.current())
	}
	if err == nil && w.opt.Closed != nil && w.opt.Ring.On() && w.ring.ended < w.ring.count {
		w.ring.ended = w.ring.count
		w.opt.Closed(w.current())
	}
	return err
}

// Files lists the files written that are still there, oldest first.
func (w *Writer) Files() []string { return append([]string(nil), w.ring.names...) }

// Packets is how many packets were written in all.
func (w *Writer) Packets() int { return w.total }

func (w *Writer) failed(err error) error {
	if err == nil || w.path == "" {
		return err
	}
	if _, ok := err.(*Error); ok {
		return err
	}
	return CannotWrite(w.current(), err)
}

func (w *Writer) open() error {
	name := w.path
	if w.opt.Ring.On() && name != "-" {
		name = ringName(w.path, w.ring.count+1, time.Now(), w.opt.Ring.TimeNum)
	}
	out, err := openOutput(name)
	if err != nil {
		w.out = &output{err: err} // what is written from now on fails in the same way
		return err
	}
	w.out = out
	w.begun, w.packets = false, 0
	w.ring.add(name, w.opt.Ring.Files, broker.Remove)
	return nil
}

func (w *Writer) current() string {
	if n := len(w.ring.names); n > 0 {
		return w.ring.names[n-1]
	}
	return w.name()
}
