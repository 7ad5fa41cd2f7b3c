package smb

import (
	"remora/dissect"
)

var (
	fBody    = proto.Uint16("buffer_code", "StructureSize", "Length of the fixed part, and whether more follows.").Hex()
	fBodyLen = proto.Uint16("buffer_code.length", "Fixed Part Length", "Length of the fixed part.").Masked(0xfffe)
	fDynamic = proto.Bool("buffer_code.dynamic", "Dynamic Part", "Whether more follows.").Wide(2).Masked(1).
			TrueFalse("True", "False")
	fFID    = proto.GUID("fid", "File Id", "The open file.")
	fHandle = proto.FrameRef("open_frame", "Frame handle opened", "The response that told the handle.").
		OtherName("dcerpc.nt.open_frame")
	fBlobLen = proto.Uint16("olb.length", "Blob Length", "Length of the data.")
	fBlobO4  = proto.Uint32("olb.offset", "Blob Offset", "Where the data are, counted from the header.").Hex()
	fBlobL4  = proto.Uint32("olb.length", "Blob Length", "Length of the data.")
	fPath    = proto.String("tree", "Tree", "The share.").Encoded(dissect.UTF16LE)
	fName    = proto.String("filename", "Filename", "Name of the file within its share.").Encoded(dissect.UTF16LE)
	fErrs    = proto.Uint8("error.context_count", "Error Context Count", "How many details follow.")
	fErrRes  = proto.Uint8("error.reserved", "Reserved", "Unused.").Hex()
	fErrLen  = proto.Uint32("error.byte_count", "Byte Count", "Length of the details.")
	fErrData = proto.Bytes("error.data", "Error Data", "The details.")

	fShare    = proto.Uint8("share_type", "Share Type", "What is shared.").Hex().Named(shareTypes)
	fCaching  = proto.Uint32("share.caching", "Caching policy", "What clients may keep of it.").Hex().Named(cachings)
	fTCSpare  = proto.Uint16("tc.reserved", "Reserved", "Unused.").Hex().Masked(0xfff8)
	fPattern  = proto.String("find.pattern", "Search Pattern", "Which names are wanted.").Encoded(dissect.UTF16LE)
	fFindLev  = proto.Uint8("find.infolevel", "Info Level", "What is wanted of each file.").Named(findLevels)
	fFileIdx  = proto.Uint32("file_index", "File Index", "Where in the folder to begin.").Hex()
	fOutLen   = proto.Uint32("output_buffer_len", "Output Buffer Length", "How much the response may bring.")
	fReadLen  = proto.Uint32("read_length", "Read Length", "How many bytes.")
	fReadLeft = proto.Uint32("read_remaining", "Read Remaining", "How many more there are.")
	fReadPad  = proto.Uint8("read_padding", "Padding", "Where the client wants the data.").Hex()
	fReadFl   = proto.Flags8("read_flags", "Flags", []dissect.Flag{
		{Name: "unbuffered", Label: "Unbuffered", Mask: 1, Doc: "The server keeps nothing of it in memory."},
		{Name: "compressed", Label: "Compressed", Mask: 2, Doc: "The data may be packed."},
	}, "How to read.")
	fOffset   = proto.Uint64("file_offset", "File Offset", "Where in the file.")
	fMinCount = proto.Uint32("min_count", "Min Count", "How many bytes at least.")
	fChan     = proto.Uint32("channel", "Channel", "Whether the data go past the processor.").Hex()
	fRemain   = proto.Uint32("remaining_bytes", "Remaining Bytes", "How many more follow.")
	fDataOff  = proto.Uint8("data_offset", "Data Offset", "Where the data are, counted from the header.").Hex()
	fDataOff2 = proto.Uint16("data_offset", "Data Offset", "Where the data are, counted from the header.").Hex()
	fReadData = proto.Bytes("read_data", "Read Data", "A part of the file.")
	fWriteLen = proto.Uint32("write_length", "Write Length", "How many bytes.")
	fWriteFl  = proto.Flags32("write.flags", "Write Flags", []dissect.Flag{
		{Name: "write_through", Label: "Write through", Mask: 1, Doc: "What is written goes to the disk at once."},
		{Name: "unbuffered", Label: "Unbuffered", Mask: 2, Doc: "The server keeps nothing of it in memory."},
	}, "How to write.")
	fWritten  = proto.Uint32("write.count", "Write Count", "How many bytes were written.")
	fWLeft    = proto.Uint32("write.remaining", "Write Remaining", "How many were not.")
	fWData    = proto.Bytes("write_data", "Write Data", "A part of the file.")
	fChanOff  = proto.Uint16("channel_info_offset", "Channel Info Offset", "Where the channel's data are.")
	fChanLen  = proto.Uint16("channel_info_length", "Channel Info Length", "How long they are.")
	fClass    = proto.Uint8("class", "Class", "What the information is about.").Hex().Named(classes)
	fLevel    = proto.Uint8("infolevel", "InfoLevel", "Which information.").Hex()
	fFileLev  = proto.Uint8("file_info.infolevel", "InfoLevel", "Which information.").Hex().Named(fileLevels)
	fFSLev    = proto.Uint8("fs_info.infolevel", "InfoLevel", "Which information.").Hex().Named(fsLevels)
	fMaxResp  = proto.Uint32("max_response_size", "Max Response Size", "How much the response may bring.")
	fGetOff   = proto.Uint16("getinfo_input_offset", "Getinfo Input Offset", "Where the input is.").Hex()
	fGetLen   = proto.Uint32("getinfo_input_size", "Getinfo Input Size", "How long it is.")
	fAddInfo  = proto.Uint32("getsetinfo_additional", "Additional Info", "Which parts are wanted.").Hex()
	fGetFl    = proto.Uint32("getinfo_flags", "Flags", "How to go on.").Hex()
	fSetLen   = proto.Uint32("setinfo_size", "Setinfo Size", "Length of the information.")
	fSetOff   = proto.Uint16("setinfo_offset", "Setinfo Offset", "Where it is.").Hex()
	fSetRes   = proto.Uint16("setinfo_reserved", "Reserved", "Unused.")
	fBlob     = proto.Bytes("info_blob", "Info", "The information.")
	fNotifyFl = proto.Uint16("notify.flags", "Notify Flags", "Whether to watch what is below, too.").Hex()
	fFilter   = proto.Uint32("notify.filter", "Completion Filter", "Which changes.").Hex()
	fLocks    = proto.Uint16("lock_count", "Lock Count", "How many ranges.")
	fLockSeq  = proto.Uint32("lock_sequence", "Lock Sequence", "Counts requests.").Hex()
	fLock     = proto.Node("lock_info", "Lock Info", "One range.")
	fLockLen  = proto.Uint64("lock_length", "Length", "How long it is.")
	fLockFl   = proto.Uint32("lock_flags", "Flags", "What to do with it.").Hex()
	fOplock   = proto.Uint8("create.oplock", "Oplock", "What the client may keep to itself.").Hex().Named(oplocks)
)

// body reads what stands behind the header.
func (m *reader) body() {
	d := m.d
	if d.Left() < 2 {
		return
	}
	if m.response {
		m.class()
	}
	size := d.Uint(fBody)
	d.Seek(d.Pos() - 2)
	d.Below(func() { d.Bits(fBodyLen, fDynamic) })
	if m.failed() && size == 9 {
		d.Uint(fErrs)
		d.Uint(fErrRes)
		d.Uint(fErrLen)
		d.Rest(fErrData)
		return
	}
	read := requests[m.cmd]
	if m.response {
		read = responses[m.cmd]
	}
	if read != nil {
		read(m)
	}
}

var requests = map[uint64]func(m *reader){
	0: negotiate, 1: setup, 2: (*reader).nothing, 3: connect, 4: (*reader).nothing, 5: create,
	6: func(m *reader) { m.d.Uint(fCloseFl); m.d.Bytes(fPad, 4); m.fid() },
	7: func(m *reader) { m.spare(6); m.fid() }, 8: readFile, 9: writeFile, 10: lock, 11: ioctl, 13: (*reader).nothing,
	14: find,
	15: func(m *reader) { m.d.Uint(fNotifyFl); m.d.Uint(fOutLen); m.fid(); m.d.Uint(fFilter); m.spare(4) }, 16: getInfo,
	17: setInfo,
	18: func(m *reader) { m.d.Uint(fOplock); m.spare(5); m.fid() },
}

var responses = map[uint64]func(m *reader){
	0: negotiated, 1: setUp, 2: (*reader).nothing, 3: connected, 4: (*reader).nothing, 5: created, 6: closed,
	7: (*reader).nothing, 8: gotData, 9: wrote,
	10: (*reader).nothing, 11: controlled, 13: (*reader).nothing, 14: func(m *reader) { m.output(m.entries) },
	15: func(m *reader) { m.output(m.rest) }, 16: func(m *reader) { m.output(m.information) },
	18: func(m *reader) { m.d.Uint(fOplock); m.spare(5); m.fid() },
}

func (m *reader) nothing() { m.spare(2) }

// spare reads unused bytes, where they are.
func (m *reader) spare(n int) {
	if n = min(n, m.d.Left()); n > 0 {
		m.d.Bytes(fRes, n)
	}
}

// fid reads the number of a file, whose first parts are little-endian as those of a GUID.
func (m *reader) fid() {
	m.guid(fFID)
	if m.note.Opened != 0 {
		m.d.Below(func() { m.d.Set(fHandle, uint64(m.note.Opened)) })
	}
}

func (m *reader) guid(f *dissect.Field) {
	d := m.d
	if b := d.Data(); len(b) >= 16 && d.Wanted(f) {
		d.PutText(f,
			string([]byte{b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]}),
			d.Pos(), 16)
	}
	d.Skip(16)
}

// at goes to where data are, counted from the header, and reads n bytes of them. What cannot be there is left.
func (m *reader) at(off, n uint64, read func()) {
	d := m.d
	gap := m.base + int(off) - d.Pos()
	if n == 0 || gap < 0 || gap > d.Left() {
		return
	}
	if gap > 0 {
		d.Bytes(fPad, gap)
	}
	d.Within(int(n), read)
}

// blob reads where data are and how long they are. Wireshark shows the place with eight digits, whatever its width.
func (m *reader) blob() (off, n uint64) { return m.offset(), m.d.Uint(fBlobLen) }

func (m *reader) offset() uint64 {
	d := m.d
	v := little(d.Data(), 0, 2)
	if d.Left() >= 2 {
		d.Put(fBlobO4, v, d.Pos(), 2)
	}
	d.Skip(2)
	return v
}

func connect(m *reader) {
	flags := little(m.d.Data(), 0, 2)
	m.d.Uint(fTCFlags)
	m.d.Below(func() { m.d.Put(fTCSpare, flags, m.d.Pos()-2, 2) })
	off, n := m.blob()
	m.at(off, n, func() { m.d.Rest(fPath) })
	if m.d.Info().Wanted() {
		m.d.Info().Setf("Tree: %s", m.here(off, n))
	}
}

func connected(m *reader) {
	m.d.Uint(fShare)
	m.spare(1)
	flags := m.d.Uint(fShFlags)
	m.d.Below(func() { m.d.Put(fCaching, flags&0x30, m.d.Pos()-4, 4) })
	m.d.Uint(fShCaps)
	m.d.Uint(fAccess)
}

func readFile(m *reader) {
	d := m.d
	d.Uint(fReadPad)
	d.Uint(fReadFl)
	n := d.Uint(fReadLen)
	off := d.Uint(fOffset)
	m.fid()
	d.Uint(fMinCount)
	d.Uint(fChan)
	d.Uint(fRemain)
	m.blob()
	m.spare(1)
	if d.Info().Wanted() {
		d.Info().Setf("Len:%d Off:%d", n, off)
	}
}

func gotData(m *reader) {
	d := m.d
	off := d.Uint(fDataOff)
	m.spare(1)
	n := d.Uint(fReadLen)
	d.Uint(fReadLeft)
	m.spare(4)
	m.at(off, n, func() { m.data(fReadData) })
}

func writeFile(m *reader) {
	d := m.d
	at := d.Uint(fDataOff2)
	n := d.Uint(fWriteLen)
	off := d.Uint(fOffset)
	m.fid()
	d.Uint(fChan)
	d.Uint(fRemain)
	m.blob()
	d.Uint(fWriteFl)
	if d.Info().Wanted() {
		d.Info().Setf("Len:%d Off:%d", n, off)
	}
	m.at(at, n, func() { m.data(fWData) })
}

func wrote(m *reader) {
	m.spare(2)
	m.d.Uint(fWritten)
	m.d.Uint(fWLeft)
	m.d.Uint(fChanOff)
	m.d.Uint(fChanLen)
}

func lock(m *reader) {
	n := m.d.Uint(fLocks)
	m.d.Uint(fLockSeq)
	m.fid()
	for more := m.d.Elements(); n > 0 && more.Next(); n-- {
		m.d.In(fLock, func() {
			m.d.Uint(fOffset)
			m.d.Uint(fLockLen)
			m.d.Uint(fLockFl)
			m.spare(4)
		})
	}
}

func find(m *reader) {
	d := m.d
	d.Uint(fFindLev)
	d.Uint(fFindFl)
	d.Uint(fFileIdx)
	m.fid()
	off, n := m.blob()
	d.Uint(fOutLen)
	m.at(off, n, func() { d.Rest(fPattern) })
	if d.Info().Wanted() {
		m.file()
		m.searched(m.here(off, n))
	}
}

// output reads a response that brings data of a form that the request asked for.
func (m *reader) output(read func()) {
	off, n := m.offset(), m.d.Uint(fBlobL4)
	m.at(off, n, read)
}

func (m *reader) rest() { m.d.Rest(fBlob) }

// level reads which information is meant.
func (m *reader) level() {
	d := m.d
	class := d.Uint(fClass)
	names := dissect.Values(nil)
	level := uint64(d.Peek(0))
	switch class {
	case 1:
		d.Uint(fFileLev)
		names = fileLevels
	case 2:
		d.Uint(fFSLev)
		names = fsLevels
	default:
		d.Uint(fLevel)
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s/%s", classes[class], names[level])
	}
}

// showLevel shows which information a response brings, which the request has said.
func (m *reader) showLevel(f *dissect.Field) {
	if v := m.note.Level & 0xff; v != 0 {
		m.d.Set(f, uint64(v))
	}
}

func (m *reader) class() {
	switch c := m.note.Level >> 8; c {
	case 0:
		m.showLevel(fFindLev)
	case 1:
		m.d.Set(fClass, 1)
		m.showLevel(fFileLev)
	case 2:
		m.d.Set(fClass, 2)
		m.showLevel(fFSLev)
	default:
		m.d.Set(fClass, uint64(c))
		m.showLevel(fLevel)
	}
}

func getInfo(m *reader) {
	d := m.d
	m.level()
	d.Uint(fMaxResp)
	off := d.Uint(fGetOff)
	m.spare(2)
	n := d.Uint(fGetLen)
	d.Uint(fAddInfo)
	d.Uint(fGetFl)
	m.fid()
	m.at(off, n, m.rest)
}

func setInfo(m *reader) {
	d := m.d
	m.level()
	n := d.Uint(fSetLen)
	off := d.Uint(fSetOff)
	d.Uint(fSetRes)
	d.Uint(fAddInfo)
	m.fid()
	m.at(off, n, m.information)
}
