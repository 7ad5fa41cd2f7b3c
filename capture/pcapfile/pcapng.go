package pcapfile

import (
	"remora/capture"
	"remora/capture/internal/pcapng"
)

// An ngScanner walks a pcapng file: sections, each with its own byte order and interfaces, made of blocks that state
// their length at both ends.
type ngScanner struct {
	*sink
	big     bool
	section int
	first   int     // the store's number of the section's interface 0
	clocks  []clock // of the section's interfaces
	snap    []uint32
	last    int64 // time of the packet before, for simple packet blocks, which have none

	captured bool  // this program captures it: no packet has options, and what is counted is told elsewhere
	kept     int   // blocks that saving carries over
	keptSize int64 // of these blocks, in bytes
}

// maxKept bounds the blocks remembered for saving; a file of nothing but such blocks must not eat memory. maxKeptBytes
// bounds what saving carries over in them.
const (
	maxKept      = 1 << 16
	maxKeptBytes = 64 << 20
)

// comments remembers that packet i has comments, without reading them: options may be long.
func (f *ngScanner) comments(i int, b []byte, off int64) {
	found := false
	pcapng.Options(b, f.big, func(code uint16, _ []byte) bool {
		found = code == pcapng.OptComment
		return !found
	})
	if found {
		f.a.AddComment(i, capture.Span{Off: off, Len: len(b), BigEndian: f.big})
	}
}

// keepBlock remembers a block for saving.
func (f *ngScanner) keepBlock(kind uint32, off, total int64) {
	switch kind {
	case pcapng.BlockNames, pcapng.BlockStats, pcapng.BlockSecrets, pcapng.BlockCustom, pcapng.BlockJournal,
		pcapng.BlockEvent, pcapng.BlockEvent2, pcapng.BlockEvent2Long:
	default:
		return
	}
	if total > capture.MaxCapLen || f.captured {
		return
	}
	if f.kept == maxKept || f.keptSize+total > maxKeptBytes {
		f.a.Notice("kept", "the file holds more names, statistics and other extras than are kept when saving")
		return
	}
	f.kept++
	f.keptSize += total
	at := capture.Span{Off: off, Len: int(total), BigEndian: f.big}
	f.a.AddBlock(capture.Block{Span: at, Kind: kind, First: f.first})
}

func (f *ngScanner) scan(buf []byte, off int64) (done int64, need int, err error) {
	at := 0
	for {
		if len(buf)-at < 12 {
			return int64(at), 12, nil
		}
		b := buf[at:]
		kind := pcapng.U32(b, f.big)
		if kind == pcapng.BlockSection { // the same in both byte orders
			if err = f.byteOrder(b, off+int64(at)); err != nil {
				return int64(at), 0, err
			}
		} else if f.section == 0 {
			return int64(at), 0, capture.Damaged("the file does not begin with a section")
		}
		total := int64(pcapng.U32(b[4:], f.big))
		if total < 12 || total%4 != 0 {
			return int64(at), 0,
				capture.Damaged("the block at offset %d says that it is %d bytes long, which no block is: reading stopped there",
					off+int64(at), total)
		}
		if !f.wanted(kind) {
			f.keepBlock(kind, off+int64(at), total)
			f.passOver(kind, pcapng.U32(b[8:], f.big))
			if end := int64(at) + total; end >= int64(len(buf)) {
				return end, 0, nil
			}
			at += int(total)
			continue
		}
		if total > capture.MaxCapLen+4096 {
			return int64(at), 0,
				capture.Damaged("the block at offset %d claims %d bytes, which is damage or no capture data: reading stopped there",
					off+int64(at), total)
		}
		if int64(len(b)) < total {
			return int64(at), int(total), nil
		}
		b = b[:total]
		if again := int64(pcapng.U32(b[total-4:], f.big)); again != total {
			return int64(at), 0,
				capture.Damaged("the block at offset %d says that it is %d bytes long at its start and %d at its end: "+
					"reading stopped there", off+int64(at), total, again)
		}
		if err = f.block(kind, b, off+int64(at)); err != nil {
			return int64(at) + total, 0, err
		}
		at += int(total)
	}
}

// wanted says which blocks have to be looked into; the others are passed unread.
func (f *ngScanner) wanted(kind uint32) bool {
	switch kind {
	case pcapng.BlockSection, pcapng.BlockInterface, pcapng.BlockPacket, pcapng.BlockSimple, pcapng.BlockOldPacket:
		return true
	}
	return false
}

// passOver says that a block is left out that Wireshark counts among the frames, though it is no packet. first is the
// number behind its head: who defined a custom block.
func (f *ngScanner) passOver(kind, first uint32) {
	what := ""
	switch kind {
	case pcapng.BlockJournal:
		what = "entries of a systemd journal"
	case pcapng.BlockEvent, pcapng.BlockEvent2, pcapng.BlockEvent2Long:
		what = "events of Sysdig"
	case pcapng.BlockCustom, pcapng.BlockCustomNoCopy:
		if first != pcapng.FillerPEN {
			what = "custom blocks"
		}
	}
	if what != "" {
		f.a.Notice(what, "%s are no packets and are left out: Wireshark counts them, so its frame numbers differ", what)
	}
}

// byteOrder reads the magic number of a section header.
func (f *ngScanner) byteOrder(b []byte, off int64) error {
	switch {
	case pcapng.U32(b[8:], false) == pcapng.ByteOrderMagic:
		f.big = false
	case pcapng.U32(b[8:], true) == pcapng.ByteOrderMagic:
		f.big = true
	default:
		return capture.Damaged("the section at offset %d has no byte-order mark: reading stopped there", off)
	}
	return nil
}

// block handles one whole block. Errors end the scan.
func (f *ngScanner) block(kind uint32, b []byte, off int64) error {
	switch kind {
	case pcapng.BlockPacket:
		return f.enhanced(b, off, 4)
	case pcapng.BlockOldPacket:
		return f.enhanced(b, off, 2)
	case pcapng.BlockSimple:
		return f.simple(b, off)
	case pcapng.BlockInterface:
		return f.iface(b, off)
	}
	return f.newSection(b, off)
}

func (f *ngScanner) newSection(b []byte, off int64) error {
	if len(b) < 28 {
		return capture.Damaged("the section header at offset %d is too short: reading stopped there", off)
	}
	// Some writers say 1.2 and mean 1.0 (draft-ietf-opsawg-pcapng, section 4.1).
	if major, minor := pcapng.U16(b[12:], f.big), pcapng.U16(b[14:], f.big); major != 1 || minor != 0 && minor != 2 {
		return capture.Damaged("the section at offset %d is written in pcapng version %d.%d, which is not known: reading "+
			"stopped "+
			"there",
			off, major, minor)
	}
	f.section++
	f.first = f.a.Interfaces()
	f.clocks, f.snap = f.clocks[:0], f.snap[:0]
	if f.a.Sections() < capture.MaxInterfaces { // a file of nothing but sections must not eat memory
		f.a.AddSection(readSection(b[24:len(b)-4], f.big))
	}
	return nil
}

func (f *ngScanner) iface(b []byte, off int64) error {
	if len(b) < 20 {
		return capture.Damaged("the interface description at offset %d is too short: reading stopped there", off)
	}
	if f.a.Interfaces() == capture.MaxInterfaces {
		return capture.Damaged("the file describes more than %d interfaces: reading stopped at offset %d",
			capture.MaxInterfaces, off)
	}
	i := capture.Interface{
		LinkType: int(pcapng.U16(b[8:], f.big)), SnapLen: pcapng.U32(b[12:], f.big), TimeResolution: 6, FCSLen: -1,
		Section: f.a.Sections() - 1, BigEndian: f.big, PacketOptions: !f.captured,
	}
	readInterface(&i, b[16:len(b)-4])
	f.clocks = append(f.clocks, newClock(i.TimeResolution, i.TimeOffset))
	f.snap = append(f.snap, i.SnapLen)
	f.a.AddInterface(i)
	return nil
}

// enhanced reads an enhanced packet block, and the obsolete packet block, which differs in a shorter interface
// number followed by a drop count.
func (f *ngScanner) enhanced(b []byte, off int64, idLen int) error {
	if len(b) < pcapng.EpbHeader+4 {
		return capture.Damaged("the packet block at offset %d is too short: reading stopped there", off)
	}
	id := pcapng.U32(b[8:], f.big)
	if idLen == 2 {
		id = uint32(pcapng.U16(b[8:], f.big))
	}
	capLen, length := pcapng.U32(b[20:], f.big), pcapng.U32(b[24:], f.big)
	room := uint32(len(b)) - pcapng.EpbHeader - 4
	if capLen > room {
		return capture.Damaged("the packet block at offset %d is %d bytes long but claims a packet of %d: reading stopped "+
			"there",
			off, len(b), capLen)
	}
	if int64(id) >= int64(len(f.clocks)) {
		f.a.Notice("nointerface",
			"the packet block at offset %d names interface %d, which the file does not describe: left out", off, id)
		return nil
	}
	if capLen > length {
		f.a.Notice("caplen", "packet %d says that it was %d bytes long but holds %d", f.a.Len()+1, length, capLen)
	}
	f.last = f.clocks[id].nanos(uint64(pcapng.U32(b[12:], f.big))<<32 | uint64(pcapng.U32(b[16:], f.big)))
	at := f.a.Len()
	err := f.packet(f.last, f.first+int(id), off+pcapng.EpbHeader, length, b[pcapng.EpbHeader:pcapng.EpbHeader+capLen])
	if opts := pcapng.Pad4(capLen); room >= opts+4 && f.a.Len() > at {
		f.comments(at, b[pcapng.EpbHeader+opts:len(b)-4], off+pcapng.EpbHeader+int64(opts))
	}
	return err
}

// simple reads a simple packet block: the first interface of its section, no time.
func (f *ngScanner) simple(b []byte, off int64) error {
	if len(b) < pcapng.SpbHeader+4 {
		return capture.Damaged("the packet block at offset %d is too short: reading stopped there", off)
	}
	if len(f.clocks) == 0 {
		f.a.Notice("nointerface",
			"the packet block at offset %d names interface 0, which the file does not describe: left out", off)
		return nil
	}
	length := pcapng.U32(b[8:], f.big)
	capLen := min(length, uint32(len(b))-pcapng.SpbHeader-4)
	if f.snap[0] != 0 {
		capLen = min(capLen, f.snap[0])
	}
	f.a.Notice("simple", "simple packet blocks carry no time: each shows the time of the packet before it")
	return f.packet(f.last, f.first, off+pcapng.SpbHeader, length, b[pcapng.SpbHeader:pcapng.SpbHeader+capLen])
}
