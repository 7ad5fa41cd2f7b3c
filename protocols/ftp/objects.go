package ftp

import (
	"strings"

	"remora/dissect"
)

// objects are the files that clients stored and fetched. Missing bytes are zeros.
var objects = &dissect.Objects{Name: dataProto.Name(), New: func(s *dissect.Session) dissect.ObjectReader {
	f := &fileFinder{}
	if tcp := s.Registry().Transport(dissect.TableTCP); tcp != nil {
		f.number = tcp.Numbers[len(tcp.Numbers)-1]
	}
	return f.read
}}

// A fileFinder finds the files in the connections of data.
type fileFinder struct {
	number  *dissect.Field                    // of a packet's first byte in its stream, counted from 1
	files   dissect.BoundedMap[uint64, file]  // by the packets of the commands
	streams dissect.BoundedMap[uint32, int64] // how far the streams of connections were read
}

// A file is one that passes.
type file struct {
	object *dissect.Object // nil: nobody stores or fetches it
	begins int64           // its place in the stream
}

// maxFiles bounds the files that pass at the same time.
const maxFiles = 4096

func (f *fileFinder) read(t *dissect.Tree, add dissect.ObjectPart) {
	if t.Conv == nil {
		return
	}
	var number, asked uint64
	var command string
	for i := range t.Nodes {
		switch field := t.Field(i); field {
		case dAsked:
			asked = t.Nodes[i].Val
		case dCommand:
			command = t.Text(i)
		case dBytes:
			if asked != 0 {
				f.part(t, asked, command, number, t.Bytes(i), add)
			}
		default:
			if field == f.number {
				number = t.Nodes[i].Val
			}
		}
	}
}

// part takes bytes of a file.
func (f *fileFinder) part(t *dissect.Tree, asked uint64, command string, number uint64, b []byte,
	add dissect.ObjectPart) {
	upTo := f.streams.Get(t.Conv.ID, maxFiles)
	if *upTo == 0 {
		*upTo = 1 // numbers count from the first byte
	}
	at := *upTo + int64(int32(uint32(number)-uint32(*upTo)))
	x := f.files.Get(asked, maxFiles)
	if x.begins == 0 {
		x.begins = *upTo
		x.object = begin(t, command)
	}
	*upTo = max(*upTo, at+int64(len(b)))
	if x.object != nil && at >= x.begins {
		add(x.object, at-x.begins, b)
	}
}

// begin is the file that a command asks for, or nil.
func begin(t *dissect.Tree, command string) *dissect.Object {
	verb, name, _ := strings.Cut(command, " ")
	if !strings.EqualFold(verb, "STOR") && !strings.EqualFold(verb, "RETR") {
		return nil
	}
	if name == "" {
		name = "(MISSING)"
	}
	return &dissect.Object{Frame: t.Frame, Host: t.Src.Addr.String(), Type: "FTP file", Name: name}
}
