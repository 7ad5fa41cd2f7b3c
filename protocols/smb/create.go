package smb

import "remora/dissect"

var (
	fSecFlags = proto.Uint8("create.security_flags", "Security Flags", "Unused.").Hex()
	fLevelOf  = proto.Uint32("impersonation.level", "Impersonation level", "What the server may do in the user's name.").
			Named(levels)
	fCrFlags = proto.Uint64("create_flags", "Create Flags", "Unused.").Hex()
	fDispose = proto.Uint32("create.disposition", "Disposition", "What if the file is there, and what if it is not.").
			Named(dispositions)
	fContext  = proto.Bytes("create.contexts", "ExtraInfo", "What else is asked or told.")
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
	off, n := m.blob()
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
	if m.note.Named {
		if name := m.text(m.note.File); name != "" || m.note.File.empty() {
			d.SetText(fOpened, name)
		}
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
func (m *reader) time(f *dissect.Field) { windowsTime(m.d, f) }

func windowsTime(d *dissect.D, f *dissect.Field) {
	if v := little(d.Data(), 0, 8); d.Left() >= 8 {
		if v != 0 && v < 1<<62 {
			d.Put(f, uint64((int64(v)-epoch)*100), d.Pos(), 8)
		} else {
			d.Put(f, 0, d.Pos(), 8)
		}
	}
	d.Skip(8)
}
