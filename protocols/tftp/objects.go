package tftp

import (
	"path"
	"strconv"

	"remora/dissect"
)

// objects are the files of transfers that are whole. Each is handed on with its last block.
var objects = &dissect.Objects{Name: proto.Name(), New: func(*dissect.Session) dissect.ObjectReader {
	f := &fileFinder{}
	return f.read
}}

// A fileFinder puts files together, by the packets that asked for them.
type fileFinder struct {
	files dissect.BoundedMap[uint64, file]
}

// A file is what came of one so far.
type file struct {
	size   int    // of a block
	blocks uint64 // that came
	lost   bool   // one of them did not
	data   []byte
}

// Limits of the files that are waited for: TFTP is for small ones.
const (
	maxFiles = 64
	maxFile  = 64 << 20

	usualBlock = 512
)

func (f *fileFinder) read(t *dissect.Tree, add dissect.ObjectPart) {
	p := readBlock(t)
	if p.asked == 0 {
		return
	}
	x := f.files.Get(p.asked, maxFiles)
	if x.size == 0 {
		x.size = usualBlock
	}
	switch {
	case p.op == opOptions && p.size > 0:
		x.size = p.size
	case p.op != opData || p.block <= x.blocks || x.lost: // it came before
	case p.block > x.blocks+1 || len(x.data)+len(p.data) > maxFile:
		*x = file{lost: true}
	default:
		x.blocks++
		x.data = append(x.data, p.data...)
		if len(p.data) < x.size {
			add(&dissect.Object{Frame: t.Frame, Name: path.Base(p.name)}, 0, x.data)
			x.data = nil
		}
	}
}

// headSize is how much stands in front of a block's data.
const headSize = 4

// A packetOf is what a packet says of a transfer.
type packetOf struct {
	op, asked, block uint64
	name             string
	size             int
	data             []byte
}

func readBlock(t *dissect.Tree) (p packetOf) {
	sized := false
	for i := range t.Nodes {
		if t.IsQuoted(i) {
			continue
		}
		n := &t.Nodes[i]
		switch t.Field(i) {
		case proto.Self():
			if b := t.Carried(i); len(b) > headSize {
				p.data = b[headSize:]
			}
		case fOpcode:
			p.op = n.Val
		case fAsked:
			p.asked = n.Val
		case fFull:
			p.block = n.Val
		case fOfDest:
			p.name = t.Text(i)
		case fName:
			sized = t.Text(i) == "blksize"
		case fValue:
			if v, err := strconv.Atoi(t.Text(i)); sized && err == nil {
				p.size = v
			}
		}
	}
	return p
}
