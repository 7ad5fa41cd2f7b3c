package smb

import "remora/dissect"

// oldObjects are those of version 1.
var oldObjects = &dissect.Objects{Name: old.Name(), New: func(*dissect.Session) dissect.ObjectReader {
	f := &oldFinder{}
	return f.read
}}

// An oldFinder is a fileFinder that keeps the names of files until their requests are answered.
type oldFinder struct {
	fileFinder
	names dissect.BoundedMap[callKey, string]
}

// oldWrite is the command that writes.
const oldWrite = 0x2f

func (f *oldFinder) read(t *dissect.Tree, add dissect.ObjectPart) {
	for i := range t.Nodes {
		if t.Field(i) != old.Self() || t.IsQuoted(i) {
			continue
		}
		b := t.Carried(i)
		cmd, response, words := little(b, 4, 1), little(b, 9, 1)&0x80 != 0, int(little(b, 32, 1))
		server, session := serverOf(t, response), little(b, 28, 2)
		file := func(at int) fileKey {
			return fileKey{server, session, little(b, 24, 2), string(b[at:min(at+2, len(b))])}
		}
		key := callKey{server, session, little(b, 26, 2)<<16 | little(b, 30, 2)}
		switch {
		case len(b) < oldHead+2*words:
		case cmd == oldCreate && !response:
			*f.names.Get(key, maxNames) = nameIn(t, i)
		case cmd == oldCreate && words >= 34 && little(b, 96, 2) == 0 && little(b, 100, 1) == 0: // a file, and no folder
			if name := f.names.Find(key); name != nil {
				*f.files.Get(file(38), maxNames) = openFile{name: *name}
			}
		case cmd == oldRead && !response && words >= 10:
			c := call{file(37), little(b, 39, 4)}
			if words >= 12 {
				c.offset |= little(b, 53, 4) << 32
			}
			*f.calls.Get(key, maxNames) = c
		case cmd == oldRead && response && words >= 12:
			if c := f.calls.Find(key); c != nil && f.files.Find(c.fileKey) != nil {
				f.part(t, c.fileKey, "", "", c.offset, part(b, little(b, 45, 2), little(b, 47, 2)<<16|little(b, 43, 2)), add)
			}
		case cmd == oldWrite && !response && words >= 12 && f.files.Find(file(37)) != nil:
			at := little(b, 39, 4)
			if words >= 14 {
				at |= little(b, 57, 4) << 32
			}
			f.part(t, file(37), "", "", at, part(b, little(b, 55, 2), little(b, 51, 2)<<16|little(b, 53, 2)), add)
		}
	}
}

// oldHead is how much stands in front of the words.
const oldHead = 33

// part is n bytes of a message, as far as they are there.
func part(b []byte, at, n uint64) []byte {
	b = b[min(at, uint64(len(b))):]
	return b[:min(n, uint64(len(b)))]
}

// nameIn is the name of a file in the message whose protocol's node is given.
func nameIn(t *dissect.Tree, at int) string {
	for k := at + 1; k < t.End(at); k++ {
		if t.Field(k) == oFileName {
			return t.Text(k)
		}
	}
	return ""
}
