package smb

import "remora/dissect"

var (
	fFindBlob = proto.Bytes("find.info_blob", "Info", "The files of the folder.")
	fPosition = proto.Uint64("position_info", "Position Information", "Where in the file the next byte is read.")
	fMode     = proto.Uint32("mode_info", "Mode Information", "How the file was opened.").Hex()
	fModes    = []*dissect.Field{
		proto.Uint32("mode.file_write_through", "FILE_WRITE_THROUGH", "What is written goes to the disk at once.").Hex().
			Masked(2),
		proto.Uint32("mode.file_sequential_only", "FILE_SEQUENTIAL_ONLY", "It is read from front to back.").Hex().Masked(4),
		proto.Uint32("mode.file_no_intermediate_buffering", "FILE_NO_INTERMEDIATE_BUFFERING",
			"The server keeps nothing of it in memory.").Hex().Masked(8),
		proto.Uint32("mode.file_synchronous_io_alert", "FILE_SYNCHRONOUS_IO_ALERT",
			"Reading and writing waits, and can be woken.").Hex().Masked(0x10),
		proto.Uint32("mode.file_synchronous_io_nonalert", "FILE_SYNCHRONOUS_IO_NONALERT", "Reading and writing waits.").Hex().
			Masked(0x20),
		proto.Uint32("mode.file_delete_on_close", "FILE_DELETE_ON_CLOSE", "It goes away when it is closed.").Hex().
			Masked(0x1000),
	}
	fAlign    = proto.Uint32("alignment_info", "Alignment Information", "Where in memory the disk wants its data.").Hex()
	fOldLen   = old.Uint32("file_name_len", "File Name Len", "Length of the name.")
	fOldName  = old.String("file", "File Name", "The name in the form of DOS.").Encoded(dissect.UTF16LE)
	fStream   = proto.Group("stream_info", "Stream Info", "One of the streams of bytes of a file.")
	fStreamAt = old.Uint32("next_entry_offset", "Next Entry Offset",
		"Where the next stream begins, counted from this one.")
	fStreamN  = old.Uint32("stream_name_len", "Stream Name Length", "Length of the name.")
	fStreamL  = old.Uint64("stream_size", "Stream Size", "How long it is.")
	fStreamID = old.String("stream_name", "Stream Name", "Its name.").Encoded(dissect.UTF16LE)
	fAlloc64  = old.Uint64("alloc_size64", "Allocation Size", "How much room there is, or is taken.")
	fFree     = old.Uint64("free_alloc_units", "Free Units", "How much of it is free.")
	fPerUnit  = old.Uint32("fs_sector_per_unit", "Sectors/Unit", "How many sectors a unit has.")
	fPerSec   = old.Uint32("fs_bytes_per_sector", "Bytes per Sector", "How many bytes a sector has.")
	fMade     = old.Time("create.time", "Created", "When it was made.")
	fSerial   = old.Uint32("volume.serial", "Volume Serial Number", "Its number.").Hex()
	fLabelLen = old.Uint32("volume.label.len", "Label Length", "Length of its name.")
	fLabel    = old.String("volume.label", "Label", "Its name.").Encoded(dissect.UTF16LE)
)

// all reads everything that is known of a file.
func (m *reader) all() {
	d := m.d
	m.times()
	d.Uint(fAttrs)
	d.Bytes(fUnknown, 4)
	m.standard()
	d.Uint(fFileID)
	d.Uint(fEASize)
	d.Uint(fAccess)
	d.Uint(fPosition)
	if d.Uint(fMode); !d.Short() {
		d.Seek(d.Pos() - 4)
		d.Below(func() { d.Bits(fModes[0], fModes[1:]...) })
	}
	d.Uint(fAlign)
	n := int(d.Uint(fNameLen))
	if n = min(n, d.Left()); n > 0 {
		d.Bytes(fName, n)
	}
}

// streams reads the names and sizes of a file's streams.
func (m *reader) streams() {
	d := m.d
	for more := d.Elements(); more.Next(); {
		n := d.Left()
		next := int(little(d.Data(), 0, 4))
		if next != 0 && next < n {
			n = next
		}
		d.Within(n, func() {
			d.In(fStream, func() {
				d.Uint(fStreamAt)
				name := int(d.Uint(fStreamN))
				d.Uint(fStreamL)
				d.Uint(fAlloc64)
				if name = min(name, d.Left()); name > 0 {
					d.Bytes(fStreamID, name)
				}
				d.Rest(fPad)
			})
		})
		if next == 0 {
			return
		}
	}
}

// volume reads what is known of a disk.
func (m *reader) volume() {
	d := m.d
	m.time(fMade)
	d.Uint(fSerial)
	n := int(d.Uint(fLabelLen))
	d.Bytes(oRes, 2)
	if n = min(n, d.Left()); n > 0 {
		d.Bytes(fLabel, n)
	}
}

// room reads how large a disk is.
func (m *reader) room() {
	d := m.d
	d.Uint(fAlloc64)
	d.Uint(fFree)
	d.Uint(fPerUnit)
	d.Uint(fPerSec)
}
