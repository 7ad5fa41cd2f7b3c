package smb

import "remora/dissect"

var (
	fSecFlags = proto.Uint8("create.security_flags", "Security Flags", "Unused.").Hex()
	fLevelOf  = proto.Uint32("impersonation.level", "Impersonation level", "What the server may do in the user's name.").Named(levels)
	fCrFlags  = proto.Uint64("create_flags", "Create Flags", "Unused.").Hex()
	fAccess   = proto.Uint32("create.access_mask", "Access Mask", "What the file is opened for.").Hex()
	fAttrs    = proto.Flags32("file_attributes", "File Attributes", []dissect.Flag{
		{Name: "read_only", Label: "READ ONLY", Mask: 0x1, Doc: "It cannot be written."}, {Name: "hidden", Label: "HIDDEN", Mask: 0x2, Doc: "It is not listed."},
		{Name: "system", Label: "SYSTEM", Mask: 0x4, Doc: "It belongs to the system."}, {Name: "directory", Label: "DIRECTORY", Mask: 0x10, Doc: "It is a folder."},
		{Name: "archive", Label: "Requires archived", Mask: 0x20, Doc: "It was changed since it was saved."}, {Name: "normal", Label: "NORMAL", Mask: 0x80, Doc: "It is a file like others."},
		{Name: "temporary", Label: "TEMPORARY", Mask: 0x100, Doc: "It will not be kept."}, {Name: "sparse", Label: "SPARSE", Mask: 0x200, Doc: "It has holes."},
		{Name: "reparse", Label: "REPARSE POINT", Mask: 0x400, Doc: "It stands for something else."}, {Name: "compressed", Label: "COMPRESSED", Mask: 0x800, Doc: "It is packed."},
		{Name: "offline", Label: "OFFLINE", Mask: 0x1000, Doc: "Its data are elsewhere."}, {Name: "encrypted", Label: "ENCRYPTED", Mask: 0x4000, Doc: "It is encrypted."},
	}, "What sort of file it is.")
	fSharing = proto.Flags32("share_access", "Share Access", []dissect.Flag{
		{Name: "read", Label: "Read", Mask: 1, Doc: "Others may read it meanwhile."}, {Name: "write", Label: "Write", Mask: 2, Doc: "Others may write it meanwhile."},
		{Name: "delete", Label: "Delete", Mask: 4, Doc: "Others may delete it meanwhile."},
	}, "What others may do meanwhile.")
	fDispose  = proto.Uint32("create.disposition", "Disposition", "What if the file is there, and what if it is not.").Named(dispositions)
	fOptions  = proto.Uint32("create_options", "Create Options", "How it is to be used.").Hex()
	fContext  = proto.Bytes("create.contexts", "ExtraInfo", "What else is asked or told.")
	fRepFlags = proto.Uint8("create.rep_flags", "Response Flags", "Whether it stands for something else.").Hex()
	fAction   = proto.Uint32("create.action", "Create Action", "What was done.").Named(actions)
	fCreate   = proto.Time("create.time", "Create", "When it was made.")
	fAccessed = proto.Time("last_access.time", "Last Access", "When it was last read.")
	fWroteAt  = proto.Time("last_write.time", "Last Write", "When it was last written.")
	fChanged  = proto.Time("last_change.time", "Last Change", "When what is known of it last changed.")
	fAlloc    = proto.Uint64("allocation_size", "Allocation Size", "How much room it takes.")
	fEOF      = proto.Uint64("eof", "End Of File", "How long it is.")
)

func create(m *reader) {
	d := m.d
	d.Uint(fSecFlags)
	d.Uint(fOplock)
	d.Uint(fLevelOf)
	d.Uint(fCrFlags)
	m.spare(8)
	d.Uint(fAccess)
	d.Uint(fAttrs)
	d.Uint(fSharing)
	d.Uint(fDispose)
	d.Uint(fOptions)
	off, n := d.Uint(fBlobOff), d.Uint(fBlobLen)
	more, size := d.Uint(fBlobO4), d.Uint(fBlobL4)
	m.at(off, n, func() { d.Rest(fName) })
	m.at(more, size, func() { d.Rest(fContext) })
}

func created(m *reader) {
	d := m.d
	d.Uint(fOplock)
	d.Uint(fRepFlags)
	d.Uint(fAction)
	m.times()
	d.Uint(fAlloc)
	d.Uint(fEOF)
	d.Uint(fAttrs)
	m.spare(4)
	m.fid()
	more, size := d.Uint(fBlobO4), d.Uint(fBlobL4)
	m.at(more, size, func() { d.Rest(fContext) })
	if m.note.Named && d.Wanted(fOpened) {
		d.SetText(fOpened, m.text(m.note.File))
	}
}

var fOpened = proto.String("filename", "Filename", "Name of the file that was opened.").Derived()

func closed(m *reader) {
	d := m.d
	d.Uint(fCloseFl)
	m.spare(4)
	m.times()
	d.Uint(fAlloc)
	d.Uint(fEOF)
	d.Uint(fAttrs)
}

func (m *reader) times() {
	for _, f := range [...]*dissect.Field{fCreate, fAccessed, fWroteAt, fChanged} {
		m.time(f)
	}
}

// epoch is how many steps of 100 ns lie between 1601 and 1970.
const epoch = 116444736000000000

// time reads a time of Windows: steps of 100 ns since 1601. 0 is none.
func (m *reader) time(f *dissect.Field) {
	d := m.d
	if v := little(d.Data(), 0, 8); d.Left() >= 8 {
		if v != 0 && v < 1<<62 {
			d.Put(f, uint64((int64(v)-epoch)*100), d.Pos(), 8)
		} else {
			d.Put(f, 0, d.Pos(), 8)
		}
	}
	d.Skip(8)
}
