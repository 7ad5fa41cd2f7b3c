package smb

import (
	"strings"

	"remora/dissect"
)

// objects are the files that were read and written, as far as they were. Both versions have them under one name, as in
// Wireshark.
var objects = &dissect.Objects{Name: old.Name(), New: func(*dissect.Session) dissect.ObjectReader {
	f := &fileFinder{}
	return f.read
}}

// A fileKey is an open file of a server.
type fileKey struct {
	server  dissect.Addr
	session uint64
	tree    uint64
	fid     string // as its bytes stand in packets
}

// A callKey is a request that waits for its response.
type callKey struct {
	server  dissect.Addr
	session uint64
	id      uint64
}

// A call is what a response to reading does not say again.
type call struct {
	fileKey
	offset uint64
}

// A fileFinder knows the open files of servers, and the requests to read them.
type fileFinder struct {
	files dissect.BoundedMap[fileKey, openFile]
	calls dissect.BoundedMap[callKey, call]
}

// An openFile is one whose object is made with its first bytes.
type openFile struct {
	name   string
	object *dissect.Object
}

// maxObject bounds where bytes of a file may stand: what is beyond is hardly a file's.
const maxObject = 1 << 40

// part hands on bytes of a file. Without an opening it is known by its number alone.
func (f *fileFinder) part(t *dissect.Tree, of fileKey, share, otherwise string, at uint64, b []byte,
	add dissect.ObjectPart) {
	if at > maxObject || len(b) == 0 {
		return
	}
	x := f.files.Get(of, maxNames)
	if x.object == nil {
		if x.name == "" {
			x.name = otherwise
		}
		x.object = &dissect.Object{Frame: t.Frame, Host: share, Type: "FILE", Name: x.name}
	}
	add(x.object, int64(at), b)
}

// related is the number of a file that the message in front opened.
var related = strings.Repeat("\xff", 16)

func (f *fileFinder) read(t *dissect.Tree, add dissect.ObjectPart) {
	opened := "" // by the last message of the packet
	for i := range t.Nodes {
		if t.Field(i) != fMessage || t.IsQuoted(i) {
			continue
		}
		m := readMessage(t, i)
		key := callKey{m.server, m.session, m.id}
		switch {
		case m.cmd == cmdCreate && m.response && m.fid != "":
			opened = m.fid
			*f.files.Get(m.fileKey, maxNames) = openFile{name: `\` + strings.TrimLeft(strings.TrimRight(m.name, "\x00"), `\`)}
		case m.cmd == cmdRead && !m.response:
			*f.calls.Get(key, maxNames) = call{m.fileKey, m.offset}
		case m.cmd == cmdRead && m.data != nil:
			if c := f.calls.Find(key); c != nil {
				if c.fid == related {
					c.fid = opened
				}
				f.part(t, c.fileKey, m.share, m.fidText, c.offset, m.data, add)
			}
		case m.cmd == cmdWrite && m.data != nil:
			f.part(t, m.fileKey, m.share, m.fidText, m.offset, m.data, add)
		}
	}
}

// A messageOf is what a message says of a file.
type messageOf struct {
	fileKey
	cmd, id, offset      uint64
	response             bool
	name, share, fidText string
	data                 []byte
}

// readMessage reads the message of version 2 whose node is given.
func readMessage(t *dissect.Tree, at int) (m messageOf) {
	for k := at + 1; k < t.End(at); k++ {
		v := t.Nodes[k].Val
		switch t.Field(k) {
		case fCmd:
			m.cmd = v
		case fFlags:
			m.response = v&1 != 0
		case fID:
			m.id = v
		case fTID:
			m.tree = v
		case fSession:
			m.session = v
		case fTree:
			m.share = t.Text(k)
		case fOpened:
			m.name = t.Text(k)
		case fFID:
			m.fid, m.fidText = string(t.Raw(k)), "File_Id_"+t.Text(k)
		case fOffset:
			m.offset = v
		case fReadData, fWData:
			m.data = t.Bytes(k)
		}
	}
	m.server = serverOf(t, m.response)
	return m
}

func serverOf(t *dissect.Tree, response bool) dissect.Addr {
	if response {
		return t.Src.Addr
	}
	return t.Dst.Addr
}
