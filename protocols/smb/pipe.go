package smb

import "remora/dissect"

// pipes is the table of what named pipes carry. What is handed on is told the number of the open pipe, four bytes.
const pipes dissect.Table = "smb.pipe"

// piped hands on bytes that came through a pipe. What they are takes the place of what the message would say.
func (m *reader) piped() {
	d, pipe := m.d, m.note.Pipe
	if d.Left() == 0 {
		return
	}
	d.Tell([]byte{byte(pipe), byte(pipe >> 8), byte(pipe >> 16), byte(pipe >> 24)})
	m.carried = d.Next(pipes, 1)
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
