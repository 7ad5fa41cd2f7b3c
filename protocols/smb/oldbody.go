package smb

import (
	"fmt"

	"remora/dissect"
)

// An oldReader is one message of version 1 while it is read.
type oldReader struct {
	d        *dissect.D
	base     int // where the header begins, from where offsets count
	cmd      uint64
	response bool
	unicode  bool
	pipe     uint64 // the request's number
	note     oldNote
	trans    transaction
}

// An oldNote is what a response must know of its request.
type oldNote struct {
	FID, Sub       uint16
	HasFID, HasSub bool
	Lanman         bool // Sub is a function of the oldest calls
}

type oldState struct{ open map[uint32]oldNote }

var oldCalls = dissect.NewStore[oldState, oldNote]()

// remember keeps the file and the subcommand of a request for its response. b is the message.
func (o *oldReader) remember(b []byte) oldNote {
	key := uint32(little(b, 26, 2)<<16 | little(b, 30, 2))
	return oldCalls.FirstPass(o.d, func(s *oldState) oldNote {
		if s.open == nil || len(s.open) >= maxNames {
			s.open = map[uint32]oldNote{}
		}
		if o.response {
			n := s.open[key]
			delete(s.open, key)
			return n
		}
		n := oldNote{}
		if at, ok := whereOldFID[o.cmd]; ok && int(little(b, 32, 1))*2+33 >= at+2 {
			n.FID, n.HasFID = uint16(little(b, at, 2)), true
		}
		if o.cmd == oldTrans2 && little(b, 59, 1) > 0 {
			n.Sub, n.HasSub = uint16(little(b, 61, 2)), true
		}
		if o.cmd == oldTrans && little(b, 59, 1) == 2 {
			n.Sub, n.HasSub, n.FID, n.HasFID = uint16(little(b, 61, 2)), true, uint16(little(b, 63, 2)), true
		}
		if at := int(little(b, 53, 2)); o.cmd == oldTrans && little(b, 59, 1) == 0 && at > 63 && at+2 <= len(b) {
			n.Sub, n.Lanman = uint16(little(b, at, 2)), true
		}
		if n == (oldNote{}) {
			return oldNote{}
		}
		s.open[key] = n
		return n
	})
}

// Commands of version 1 whose bodies are read.
const (
	oldClose   = 0x04
	oldTrans   = 0x25
	oldRead    = 0x2e
	oldTrans2  = 0x32
	oldConnect = 0x75
	oldCreate  = 0xa2
)

// whereOldFID is where requests say the number of a file, counted from the header.
var whereOldFID = map[uint64]int{oldClose: 33, oldRead: 37, 0x2f: 37}

// An oldBody reads the words of a command that has at least that many, and the bytes behind them.
type oldBody struct {
	least        int
	words, bytes func(o *oldReader)
}

var oldRequests = map[uint64]oldBody{
	oldClose:     {3, func(o *oldReader) { o.fid(); o.d.Uint(oWriteTime) }, nil},
	oldTrans:     {14, (*oldReader).transWords, (*oldReader).transBytes},
	oldTrans2:    {14, (*oldReader).transWords, (*oldReader).askedBytes},
	oldRead:      {10, (*oldReader).readWords, nil},
	oldConnect:   {4, (*oldReader).connectWords, (*oldReader).connectBytes},
	oldCreate:    {24, nil, (*oldReader).createBytes},
	0x2f:         {12, (*oldReader).writeWords, nil},
	0x00:         {0, nil, func(o *oldReader) { o.named(oDir, "Directory") }},
	0x01:         {0, nil, func(o *oldReader) { o.named(oDir, "Directory") }},
	0x06:         {1, nil, func(o *oldReader) { o.named(oFileName, "Path") }},
	0x07:         {1, nil, func(o *oldReader) { o.named(oOldFile, "Old Name"); o.named(oFileName, "New Name") }},
	oldNegotiate: {0, nil, (*oldReader).dialects},
	oldSetup:     {12, nil, (*oldReader).proof},
}

var oldResponses = map[uint64]oldBody{
	oldTrans:     {10, (*oldReader).transedWords, (*oldReader).transedBytes},
	oldRead:      {12, (*oldReader).gotWords, nil},
	0x2f:         {6, (*oldReader).wroteWords, nil},
	oldCreate:    {34, (*oldReader).createdWords, nil},
	oldNegotiate: {17, nil, (*oldReader).offered},
	oldSetup:     {4, nil, (*oldReader).proof},
}

// body reads what stands behind the header: words, and bytes.
func (o *oldReader) body() {
	d := o.d
	all := oldRequests
	if o.response {
		all = oldResponses
		o.about()
	}
	words := int(d.Uint(oWords))
	b := all[o.cmd]
	known := words >= b.least && words > 0 || b.least == 0
	d.Within(2*words, func() {
		if known && b.words != nil {
			b.words(o)
		}
		d.Rest(oWord)
	})
	n := int(d.Uint(oCount))
	d.Within(min(n, d.Left()), func() {
		if known && b.bytes != nil && d.Left() > 0 {
			b.bytes(o)
		}
		d.Rest(oData)
	})
}

// about says which file a response is about.
func (o *oldReader) about() {
	d := o.d
	if o.note.HasFID && o.cmd != oldTrans {
		d.Set(oFile, uint64(o.note.FID))
		if d.Info().Wanted() {
			d.Info().List(fmt.Sprintf("FID: 0x%04x", o.note.FID))
		}
	}
	if o.cmd == oldTrans2 && o.note.HasSub && d.Info().Wanted() {
		d.Info().List(trans2[uint64(o.note.Sub)])
	}
}

// fid reads the number of a file.
func (o *oldReader) fid() {
	v := o.d.Uint(oFID)
	if o.d.Info().Wanted() {
		o.d.Info().List(fmt.Sprintf("FID: 0x%04x", v))
	}
}

// next reads which command follows in the same message. What follows is left as bytes.
func (o *oldReader) next() {
	o.d.Uint(oAndX)
	o.d.Bytes(oRes, 1)
	o.d.Uint(oAndXAt)
}

// text reads a text up to its NUL: in Unicode, at an even place.
func (o *oldReader) text(f *dissect.Field) string {
	d := o.d
	if !o.unicode {
		b := d.Data()
		if i := indexNUL(b); i >= 0 {
			s := string(b[:i])
			d.PutText(f, s, d.Pos(), i+1)
			d.Skip(i + 1)
			return s
		}
		return ""
	}
	if (d.Pos()-o.base)&1 != 0 && d.More() {
		d.Bytes(oPad, 1)
	}
	b := d.Data()
	n := 0
	for n+1 < len(b) && (b[n] != 0 || b[n+1] != 0) {
		n += 2
	}
	s := dissect.UTF16LE.Decode(b[:n])
	n = min(n+2, len(b))
	d.PutText(f, s, d.Pos(), n)
	d.Skip(n)
	return s
}

func indexNUL(b []byte) int {
	for i, c := range b {
		if c == 0 {
			return i
		}
	}
	return -1
}
