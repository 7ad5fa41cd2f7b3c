package capture

// Block types of pcapng (draft-ietf-opsawg-pcapng).
const (
	blockInterface = 1
	blockOldPacket = 2
	blockSimple    = 3
	blockNames     = 4
	blockStats     = 5
	blockPacket    = 6
	blockJournal   = 9 // an entry of systemd's journal
	blockSecrets   = 10
	blockSection   = 0x0A0D0D0A
	blockCustom    = 0x00000BAD // may be copied by programs that do not know it
	blockCustomNot = 0x40000BAD // must not be copied

	// Events of Sysdig, as Wireshark's wiretap/pcapng_module.h numbers them: system calls.
	blockEvent      = 0x204
	blockEvent2     = 0x216
	blockEvent2Long = 0x221

	byteOrderMagic = 0x1A2B3C4D
)

const (
	epbHeader = 28 // type, length, interface, time high, time low, captured length, length
	spbHeader = 12 // type, length, packet length
)

// pcapng walks a pcapng file: sections, each with its own byte order and interfaces, made of blocks that state
// their length at both ends.
type pcapng struct {
	*sink
	big     bool
	section int
	first   int     // the store's number of the section's interface 0
	clocks  []clock // of the section's interfaces
	snap    []uint32
	last    int64 // time of the packet before, for simple packet blocks, which have none
}

func (f *pcapng) scan(buf []byte, off int64) (done int64, need int, err error) {
	at := 0
	for {
		if len(buf)-at < 12 {
			return int64(at), 12, nil
		}
		b := buf[at:]
		kind := u32(b, f.big)
		if kind == blockSection { // the same in both byte orders
			if err = f.byteOrder(b, off+int64(at)); err != nil {
				return int64(at), 0, err
			}
		} else if f.section == 0 {
			return int64(at), 0, damaged("the file does not begin with a section")
		}
		total := int64(u32(b[4:], f.big))
		if total < 12 || total%4 != 0 {
			return int64(at), 0,
				damaged("the block at offset %d says that it is %d bytes long, which no block is: reading stopped there",
					off+int64(at), total)
		}
		if !f.wanted(kind) {
			f.keepBlock(kind, off+int64(at), total)
			f.passOver(kind, u32(b[8:], f.big))
			if end := int64(at) + total; end >= int64(len(buf)) {
				return end, 0, nil
			}
			at += int(total)
			continue
		}
		if total > maxCapLen+4096 {
			return int64(at), 0,
				damaged("the block at offset %d claims %d bytes, which is damage or no capture data: reading stopped there",
					off+int64(at), total)
		}
		if int64(len(b)) < total {
			return int64(at), int(total), nil
		}
		b = b[:total]
		if again := int64(u32(b[total-4:], f.big)); again != total {
			return int64(at), 0, damaged("the block at offset %d says that it is %d bytes long at its start and %d at its end: "+
				"reading stopped there", off+int64(at), total, again)
		}
		if err = f.block(kind, b, off+int64(at)); err != nil {
			return int64(at) + total, 0, err
		}
		at += int(total)
	}
}

// wanted says which blocks have to be looked into; the others are passed unread.
func (f *pcapng) wanted(kind uint32) bool {
	switch kind {
	case blockSection, blockInterface, blockPacket, blockSimple, blockOldPacket:
		return true
	}
	return false
}

// passOver says that a block is left out that Wireshark counts among the frames, though it is no packet. first is the
// number behind its head: who defined a custom block.
func (f *pcapng) passOver(kind, first uint32) {
	what := ""
	switch kind {
	case blockJournal:
		what = "entries of a systemd journal"
	case blockEvent, blockEvent2, blockEvent2Long:
		what = "events of Sysdig"
	case blockCustom, blockCustomNot:
		if first != fillerPEN {
			what = "custom blocks"
		}
	}
	if what != "" {
		f.s.notice(what, "%s are no packets and are left out: Wireshark counts them, so its frame numbers differ", what)
	}
}

// byteOrder reads the magic number of a section header.
func (f *pcapng) byteOrder(b []byte, off int64) error {
	switch {
	case u32(b[8:], false) == byteOrderMagic:
		f.big = false
	case u32(b[8:], true) == byteOrderMagic:
		f.big = true
	default:
		return damaged("the section at offset %d has no byte-order mark: reading stopped there", off)
	}
	return nil
}

// block handles one whole block. Errors end the scan.
func (f *pcapng) block(kind uint32, b []byte, off int64) error {
	switch kind {
	case blockPacket:
		return f.enhanced(b, off, 4)
	case blockOldPacket:
		return f.enhanced(b, off, 2)
	case blockSimple:
		return f.simple(b, off)
	case blockInterface:
		return f.iface(b, off)
	}
	return f.newSection(b, off)
}

func (f *pcapng) newSection(b []byte, off int64) error {
	if len(b) < 28 {
		return damaged("the section header at offset %d is too short: reading stopped there", off)
	}
	// Some writers say 1.2 and mean 1.0 (draft-ietf-opsawg-pcapng, section 4.1).
	if major, minor := u16(b[12:], f.big), u16(b[14:], f.big); major != 1 || minor != 0 && minor != 2 {
		return damaged("the section at offset %d is written in pcapng version %d.%d, which is not known: reading stopped "+
			"there",
			off, major, minor)
	}
	f.section++
	f.first = f.s.ifaces.Len()
	f.clocks, f.snap = f.clocks[:0], f.snap[:0]
	if f.s.sections.Len() < maxInterfaces { // a file of nothing but sections must not eat memory
		f.s.sections.Append(readSection(b[24:len(b)-4], f.big))
	}
	return nil
}

func (f *pcapng) iface(b []byte, off int64) error {
	if len(b) < 20 {
		return damaged("the interface description at offset %d is too short: reading stopped there", off)
	}
	if f.s.ifaces.Len() == maxInterfaces {
		return damaged("the file describes more than %d interfaces: reading stopped at offset %d", maxInterfaces, off)
	}
	i := Interface{
		LinkType: int(u16(b[8:], f.big)), SnapLen: u32(b[12:], f.big), TimeResolution: 6, FCSLen: -1,
		Section: f.s.sections.Len() - 1, bigEndian: f.big, optOff: off + 16, optLen: len(b) - 20,
	}
	readInterface(&i, b[16:len(b)-4])
	f.clocks = append(f.clocks, newClock(i.TimeResolution, i.TimeOffset))
	f.snap = append(f.snap, i.SnapLen)
	f.s.ifaces.Append(i)
	return nil
}

// enhanced reads an enhanced packet block, and the obsolete packet block, which differs in a shorter interface
// number followed by a drop count.
func (f *pcapng) enhanced(b []byte, off int64, idLen int) error {
	if len(b) < epbHeader+4 {
		return damaged("the packet block at offset %d is too short: reading stopped there", off)
	}
	id := u32(b[8:], f.big)
	if idLen == 2 {
		id = uint32(u16(b[8:], f.big))
	}
	capLen, length := u32(b[20:], f.big), u32(b[24:], f.big)
	room := uint32(len(b)) - epbHeader - 4
	if capLen > room {
		return damaged("the packet block at offset %d is %d bytes long but claims a packet of %d: reading stopped there",
			off, len(b), capLen)
	}
	if int64(id) >= int64(len(f.clocks)) {
		f.s.notice("nointerface",
			"the packet block at offset %d names interface %d, which the file does not describe: left out", off, id)
		return nil
	}
	if capLen > length {
		f.s.notice("caplen", "packet %d says that it was %d bytes long but holds %d", f.s.Len()+1, length, capLen)
	}
	f.last = f.clocks[id].nanos(uint64(u32(b[12:], f.big))<<32 | uint64(u32(b[16:], f.big)))
	at := f.s.Len()
	err := f.packet(f.last, f.first+int(id), off+epbHeader, length, b[epbHeader:epbHeader+capLen])
	if opts := pad4(capLen); room >= opts+4 && f.s.Len() > at {
		f.comments(at, b[epbHeader+opts:len(b)-4], off+epbHeader+int64(opts))
	}
	return err
}

// simple reads a simple packet block: the first interface of its section, no time.
func (f *pcapng) simple(b []byte, off int64) error {
	if len(b) < spbHeader+4 {
		return damaged("the packet block at offset %d is too short: reading stopped there", off)
	}
	if len(f.clocks) == 0 {
		f.s.notice("nointerface",
			"the packet block at offset %d names interface 0, which the file does not describe: left out", off)
		return nil
	}
	length := u32(b[8:], f.big)
	capLen := min(length, uint32(len(b))-spbHeader-4)
	if f.snap[0] != 0 {
		capLen = min(capLen, f.snap[0])
	}
	f.s.notice("simple", "simple packet blocks carry no time: each shows the time of the packet before it")
	return f.packet(f.last, f.first, off+spbHeader, length, b[spbHeader:spbHeader+capLen])
}

func pad4(n uint32) uint32 { return (n + 3) &^ 3 }
