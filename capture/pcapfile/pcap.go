package pcapfile

import (
	"encoding/binary"

	"remora/capture"
	"remora/capture/internal/pcapng"
)

// Magic numbers of pcap files, as libpcap's sf-pcap.c reads them.
const (
	magicMicro    = 0xA1B2C3D4
	magicNano     = 0xA1B23C4D
	magicModified = 0xA1B2CD34 // Kuznetzov's patched format: 8 more bytes in each record header
)

const pcapHeader = 24

// pcapFile walks a pcap file: a header of 24 bytes, then for each packet a header of 16 bytes (seconds, fraction,
// captured length, length; in the writer's byte order) and its bytes.
type pcapFile struct {
	*sink
	big    bool
	header bool  // the file header has been read
	unit   int64 // nanoseconds per unit of the fraction
	rec    int   // size of a record header
	swap   swapping
}

// swapping tells which old writers mixed up the two lengths of a record.
type swapping byte

const (
	swapNever  swapping = iota
	swapMaybe           // version 2.3: some did, so the smaller is taken for the captured length
	swapAlways          // before 2.3, and the DG/UX version 543.0
)

// newPcap recognizes the magic number in either byte order.
func newPcap(out *sink, head []byte) (*pcapFile, bool) {
	f := &pcapFile{sink: out, rec: 16}
	magic := binary.LittleEndian.Uint32(head)
	if f.big = !knownMagic(magic); f.big {
		magic = binary.BigEndian.Uint32(head)
	}
	switch magic {
	case magicMicro:
		f.unit = 1000
	case magicNano:
		f.unit = 1
	case magicModified:
		f.unit, f.rec = 1000, 24
	default:
		return nil, false
	}
	return f, true
}

func knownMagic(m uint32) bool { return m == magicMicro || m == magicNano || m == magicModified }

func (f *pcapFile) scan(buf []byte, off int64) (done int64, need int, err error) {
	if !f.header {
		if len(buf) < pcapHeader {
			return 0, pcapHeader, nil
		}
		if err = f.readHeader(buf); err != nil {
			return 0, 0, err
		}
		done = pcapHeader
	}
	at := int(done)
	for {
		if len(buf)-at < f.rec {
			return int64(at), f.rec, nil
		}
		h := buf[at : at+16]
		capLen, length := pcapng.U32(h[8:], f.big), pcapng.U32(h[12:], f.big)
		if f.swap != swapNever && (f.swap == swapAlways || capLen > length) {
			capLen, length = length, capLen
		}
		if capLen > capture.MaxCapLen {
			return int64(at), 0,
				capture.Damaged("the record at offset %d claims a packet of %d bytes, which is damage or no capture data: "+
					"reading stopped there", off+int64(at), capLen)
		}
		end := at + f.rec + int(capLen)
		if end > len(buf) {
			return int64(at), f.rec + int(capLen), nil
		}
		if capLen > length {
			f.a.Notice("caplen", "packet %d says that it was %d bytes long but holds %d", f.a.Len()+1, length, capLen)
		}
		time := int64(pcapng.U32(h, f.big))*second + int64(pcapng.U32(h[4:], f.big))*f.unit
		if err = f.packet(time, 0, off+int64(at+f.rec), length, buf[at+f.rec:end]); err != nil {
			return int64(end), 0, err
		}
		at = end
	}
}

// readHeader takes the version, the snapshot length and the link type. The upper bits of the link type carry the
// length of the frame check sequence. Versions before 2 are refused, as by libpcap: their records are of another
// form.
func (f *pcapFile) readHeader(b []byte) error {
	f.header = true
	major, minor := pcapng.U16(b[4:], f.big), pcapng.U16(b[6:], f.big)
	switch {
	case major == 2 && minor < 3 || major == 543 && minor == 0:
		f.swap = swapAlways
	case major == 2 && minor == 3:
		f.swap = swapMaybe
	}
	switch {
	case major < 2:
		return capture.Damaged("the file is written in pcap version %d.%d: remora reads those from 2.0 on", major, minor)
	case major != 2 && major != 543:
		f.a.Notice("version", "the file says pcap version %d.%d, which is read as if it were 2.4", major, minor)
	}
	link := pcapng.U32(b[20:], f.big)
	i := capture.Interface{LinkType: int(link & 0x03FFFFFF), SnapLen: pcapng.U32(b[16:], f.big), TimeResolution: 6,
		FCSLen:    -1,
		BigEndian: f.big}
	if f.unit == 1 {
		i.TimeResolution = 9
	}
	if link&0x04000000 != 0 {
		i.FCSLen = int(link>>28) * 2
	}
	f.a.AddSection(capture.Section{BigEndian: f.big})
	f.a.AddInterface(i)
	return nil
}
