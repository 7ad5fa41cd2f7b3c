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
	d := m.d
	d.Put(f, 0, d.Pos(), d.Left())
	if f == fReadData || f == fWData {
		m.content = [2]int{d.Pos(), d.Left()}
	}
	d.Skip(d.Left())
}

// handOn gives what is read or written to a layer of its own, as tshark does, when all else is said.
func (m *reader) handOn() {
	d := m.d
	at, n := m.content[0], m.content[1]
	if n == 0 {
		return
	}
	pos := d.Pos()
	d.Seek(at)
	d.Within(n, func() { d.Info().Suppress(func() { d.NextPart(noTable, 0) }) })
	d.Seek(pos)
}

// noTable has no protocols: what is handed on by it is data.
const noTable dissect.Table = "smb2.data"
