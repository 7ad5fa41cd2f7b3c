package smb

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// piped hands on bytes that came through a pipe. What they are takes the place of what the message would say.
func (m *reader) piped() {
	d, pipe := m.d, m.note.Pipe
	if d.Left() == 0 {
		return
	}
	d.SetLayerData([]byte{byte(pipe), byte(pipe >> 8), byte(pipe >> 16), byte(pipe >> 24)})
	m.carried = d.Next(tables.SMBPipe, 1)
	d.Skip(d.Left())
}

// data reads what was read or is written: a part of a file, or what came through a pipe.
func (m *reader) data(f *dissect.Field) {
	if m.note.Pipe != 0 || m.note.Tree.Kind == sharePipe {
		m.piped()
		return
	}
	m.d.Rest(f)
}
