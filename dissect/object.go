package dissect

import "slices"

// An Object is a file that packets carry, such as the body of an HTTP response: what Wireshark exports as an object.
type Object struct {
	Frame FrameNum // the packet that completes it, or that has its first part
	Host  string   // the server's name or address, "" where nobody says it
	Type  string   // the content type, "" where nobody says it
	Name  string   // as the protocol has it, with a path perhaps; "" where nobody says it
}

// An ObjectPart takes bytes of an object, which begin at an offset in it. Parts of an object come with the same Object.
// They may come in any order and overlap, and the bytes are valid during the call alone.
type ObjectPart func(o *Object, offset int64, b []byte)

// Objects says how the objects are found that a protocol carries.
type Objects struct {
	Name string // as --export-objects has it, mostly the protocol's; protocols may share one
	// New begins to find them. What it returns is given the packets that hold the protocol, in their order.
	New func(s *Session) ObjectReader
}

// An ObjectReader hands on the parts of objects that a packet brings.
type ObjectReader func(t *Tree, add ObjectPart)

// ObjectNames are the names under which plugins declare Objects, in the order of the plugins.
func (r *Registry) ObjectNames() []string {
	var out []string
	for i := range r.plugins {
		if o := r.plugins[i].Objects; o != nil && !slices.Contains(out, o.Name) {
			out = append(out, o.Name)
		}
	}
	return out
}

// An ObjectFinder finds the objects of one name.
type ObjectFinder struct {
	s       *Session
	readers []protocolReader
}

type protocolReader struct {
	protocol *Protocol
	read     ObjectReader
}

// FindObjects begins to find the objects of a name, from the first packet on.
func (s *Session) FindObjects(name string) *ObjectFinder {
	f := &ObjectFinder{s: s}
	for i := range s.reg.plugins {
		if p := &s.reg.plugins[i]; p.Objects != nil && p.Objects.Name == name {
			f.readers = append(f.readers, protocolReader{p.Protocol, p.Objects.New(s)})
		}
	}
	return f
}

// Packet looks at a packet that has passed, and hands on the parts that it brings. Packets come in their order.
func (f *ObjectFinder) Packet(l *Dissector, n FrameNum, add ObjectPart) {
	for _, r := range f.readers {
		if f.s.StackHas(f.s.LayerStackOf(n), r.protocol) {
			r.read(l.Tree(n), add)
		}
	}
}
