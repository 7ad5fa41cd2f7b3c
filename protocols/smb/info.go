package smb

import "remora/dissect"

var (
	fEntry    = proto.Group("find.entry", "Entry", "A file in the folder.").Summary("Entry: {smb2.filename}")
	fNextEnt  = proto.Uint32("next_offset", "Next Offset", "Where the next entry begins, counted from this one.")
	fNameLen  = proto.Uint32("filename.len", "Filename Length", "Length of the name.")
	fEASize   = proto.Uint32("ea_size", "EA Size", "How long its own attributes are.")
	fShortLen = proto.Uint8("short_name_len", "Short Name Length", "Length of the short name.")
	fShort    = proto.String("shortname", "Short Name", "The name in the form of DOS.").Encoded(dissect.UTF16LE)
	fFileID   = proto.Uint64("file_id", "File Id", "The file's number.").Hex()
	fLinks    = proto.Uint32("nlinks", "Number of Links", "How many names it has.")
	fDeleted  = proto.Uint8("delete_pending", "Delete Pending", "Whether it goes away when it is closed.")
	fIsDir    = proto.Uint8("is_directory", "Is Directory", "Whether it is a folder.")
	fReplace  = proto.Bool("rename.replace_if", "Replace If", "Whether another file of that name may be replaced.").
			TrueFalse("Replace the target if it exists", "Fail if the target exists")
	fRandom = proto.Bytes("reserved.random", "Reserved (Random)", "Unused.")
	fRoot   = proto.Bytes("root_directory", "Root Dir Handle (MBZ)", "Always 0.")
	fDelete = proto.Bool("disposition.delete_on_close", "Delete on close", "Whether it goes away when it is closed.").
		Masked(1).TrueFalse("DELETE this file when closed", "Normal access, do not delete on close")
)

// What is asked of folders and files, by MS-FSCC section 2.4.
const (
	findPlain     = 1
	findFull      = 2
	findBoth      = 3
	findNames     = 12
	findIDBoth    = 37
	findIDFull    = 38
	infoBasic     = 0x104
	infoStd       = 0x105
	infoRename    = 0x10a
	infoDispose   = 0x10d
	infoAll       = 0x112
	infoEOF       = 0x114
	infoAlternate = 0x115
	infoStreams   = 0x116
	volume        = 0x201
	volumeSize    = 0x203
	infoOpen      = 0x122
)

// entries reads the files of a folder.
func (m *reader) entries() {
	d := m.d
	level := m.note.Level
	switch level {
	case findPlain, findFull, findBoth, findNames, findIDBoth, findIDFull:
	default:
		d.Rest(fBlob)
		return
	}
	d.Put(fFindBlob, 0, d.Pos(), d.Left())
	for more := d.Elements(); more.Next(); {
		n := d.Left()
		next := int(little(d.Data(), 0, 4))
		if next != 0 && next < n {
			n = next
		}
		d.Within(n, func() { d.In(fEntry, func() { m.entry(level) }) })
		if next == 0 {
			return
		}
	}
}

func (m *reader) entry(level uint16) {
	d := m.d
	d.Uint(fNextEnt)
	d.Uint(fFileIdx)
	if level != findNames {
		m.times()
		d.Uint(fEOF)
		d.Uint(fAlloc)
		d.Uint(fAttrs)
	}
	n := int(d.Uint(fNameLen))
	if level != findNames && level != findPlain {
		d.Uint(fEASize)
	}
	if level == findBoth || level == findIDBoth {
		short := int(d.Uint(fShortLen))
		m.spare(1)
		d.Within(24, func() {
			if short = min(short, d.Left()); short > 0 {
				d.Bytes(fShort, short)
			}
			d.Rest(fPad)
		})
	}
	switch level {
	case findIDBoth:
		m.spare(2)
		d.Uint(fFileID)
	case findIDFull:
		m.spare(4)
		d.Uint(fFileID)
	}
	if n > 0 {
		d.Bytes(fName, n)
	}
	d.Rest(fPad)
}

// information reads what is told of a file, or is to be changed.
func (m *reader) information() {
	d := m.d
	switch m.note.Level {
	case infoBasic:
		m.times()
		d.Uint(fAttrs)
		m.spare(4)
	case infoStd:
		m.standard()
	case infoAll:
		m.all()
	case infoAlternate:
		n := int(d.Uint(fOldLen))
		d.Within(min(n, d.Left()), func() { d.Rest(fOldName) })
	case infoStreams:
		m.streams()
	case volume:
		m.volume()
	case volumeSize:
		m.room()
	case infoOpen:
		m.times()
		d.Uint(fAlloc)
		d.Uint(fEOF)
		d.Uint(fAttrs)
		m.spare(4)
	case infoEOF:
		d.Uint(fEOF)
	case infoDispose:
		d.Bool(fDelete)
	case infoRename:
		m.rename()
	}
	d.Rest(fBlob)
}

func (m *reader) standard() {
	d := m.d
	d.Uint(fAlloc)
	d.Uint(fEOF)
	d.Uint(fLinks)
	d.Uint(fDeleted)
	d.Uint(fIsDir)
	m.spare(2)
}

func (m *reader) rename() {
	d := m.d
	d.Bool(fReplace)
	d.Bytes(fRandom, 7)
	d.Bytes(fRoot, 8)
	n := int(d.Uint(fNameLen))
	if n == 0 || n > d.Left() {
		return
	}
	name := d.Bytes(fName, n)
	if d.Info().Wanted() {
		m.after = "NewName:" + dissect.UTF16LE.Decode(name)
	}
}
