package smb

import (
	"remora/dissect"
	"remora/protocols/internal/texts"
)

// A handle is the number under which a server knows an open file.
type handle [16]byte

// A shareState is what is known of a connection: its shares and open files by their numbers, and the requests that will
// tell such numbers, by theirs.
type shareState struct {
	trees  map[uint32]tree
	proven map[uint64]sessionState
	files  map[handle]name16
	frames map[handle]dissect.FrameNum // of the responses that told the handles
	asked  map[uint64]name16
	levels map[uint64]uint16
	pipes  map[handle]uint32
	awaits map[uint64]uint32 // pipes that requests read from
	opened uint32            // pipes so far
}

// A name16 is a name in UTF-16: where it stands, or, where it was decrypted or unpacked, the name itself.
type name16 struct {
	at   dissect.Ref
	kept texts.Text
}

func (n name16) empty() bool { return n.at.Len == 0 && n.kept.Len == 0 }

// A tree is a share to which a client is connected: its name, what it is, and the frame of the response that said so.
type tree struct {
	Name  name16
	Frame dissect.FrameNum
	Kind  uint8
}

// A sessionState is the frame in which a session was set up, and those of it that came before.
type sessionState struct {
	frame  dissect.FrameNum
	before [4]dissect.FrameNum
}

// A note is what a message remembers: the names of its share and its file.
type note struct {
	Tree    tree
	Session dissect.FrameNum // in which it was set up
	File    name16           // in a response to a search, its pattern
	Opened  dissect.FrameNum // where the handle was told
	Named   bool             // File is known, if only as the share itself
	Level   uint16           // which information is asked or told: the class and the level within it
	Pipe    uint32           // the number of the open pipe that is read or written, counted from 1
}

var shares = dissect.NewStore[shareState, note]()

// maxNames bounds each of a connection's lists.
const maxNames = 4096

// sharePipe is the kind of the share of named pipes.
const sharePipe = 2

// Commands.
const (
	cmdSetup   = 1
	cmdTree    = 3
	cmdCreate  = 5
	cmdRead    = 8
	cmdWrite   = 9
	cmdControl = 11
	cmdFind    = 14
	cmdGet     = 16
	cmdSet     = 17
)

// whereFID is where the number of the file stands in requests, counted from the header.
var whereFID = map[uint64]int{6: 72, 7: 72, 8: 80, 9: 80, 10: 72, 11: 72, 14: 72, 15: 72, 16: 88, 17: 80}

// remember takes a message into the state of its connection.
func remember(d *dissect.D, b []byte, m *reader) note {
	id, tid := little(b, 24, 8), uint32(little(b, 36, 4))
	fid := handle{}
	if at := whereFID[m.cmd]; at > 0 && at+16 <= len(b) && !m.response {
		copy(fid[:], b[at:])
	}
	if m.response && m.cmd == cmdCreate && m.status == 0 && len(b) >= 144 {
		copy(fid[:], b[128:])
	}
	base := d.Pos()
	return shares.FirstPass(d, func(s *shareState) note {
		s.bound()
		n := note{Tree: s.trees[tid], Level: s.level(b, m, id), Session: s.session(d, little(b, 40, 8), m)}
		switch {
		case !m.response && (m.cmd == cmdCreate || m.cmd == cmdTree):
			at, size := pathAt(b, m.cmd)
			r := nameAt(d, base, b, at, size)
			s.asked[id] = r
			if m.cmd == cmdCreate {
				n.File, n.Named = r, true
			}
		case m.response && m.cmd == cmdTree:
			if r, ok := s.asked[id]; ok && m.status == 0 {
				n.Tree = tree{r, d.Frame, uint8(little(b, 66, 1))}
				s.trees[tid] = n.Tree
			}
			delete(s.asked, id)
		case m.response && m.cmd == cmdCreate:
			if r, ok := s.asked[id]; ok && m.status == 0 {
				s.files[fid], s.frames[fid] = r, d.Frame
				n.File, n.Named, n.Opened = r, true, d.Frame
			}
			if m.status != 0x103 {
				delete(s.asked, id)
			}
		case m.response && m.cmd == cmdFind:
			n.File = s.asked[id]
			delete(s.asked, id)
		case !m.response && whereFID[m.cmd] > 0:
			if m.cmd == cmdFind {
				s.asked[id] = nameAt(d, base, b, int(little(b, 88, 2)), int(little(b, 90, 2)))
			}
			n.File, n.Named, n.Opened = s.files[fid], false, s.frames[fid]
			if _, ok := s.files[fid]; ok {
				n.Named = true
			}
		}
		n.Pipe = s.pipe(m, id, fid, n.Tree.Kind)
		return n
	})
}

// pipe is the number of the open pipe that a message reads or writes. Responses to reading do not say it.
func (s *shareState) pipe(m *reader, id uint64, fid handle, kind uint8) uint32 {
	switch {
	case m.response && (m.cmd == cmdRead || m.cmd == cmdControl): // responses that come later do not even say the share
		n := s.awaits[id]
		if m.status != statusPending {
			delete(s.awaits, id)
		}
		return n
	case kind != sharePipe:
	case m.response && m.cmd == cmdCreate && m.status == 0:
		s.opened++
		s.pipes[fid] = s.opened
	case !m.response:
		n := s.pipes[fid]
		if n != 0 && (m.cmd == cmdRead || m.cmd == cmdControl) {
			s.awaits[id] = n
		}
		return n
	}
	return 0
}

// bound forgets everything where there is too much of something.
func (s *shareState) bound() {
	held := len(s.trees) + len(s.proven) + len(s.files) + len(s.frames) + len(s.asked) + len(s.levels) + len(s.pipes)
	if s.trees == nil || held+len(s.awaits) > maxNames {
		*s = shareState{trees: map[uint32]tree{}, proven: map[uint64]sessionState{}, files: map[handle]name16{},
			frames: map[handle]dissect.FrameNum{}, asked: map[uint64]name16{}, levels: map[uint64]uint16{},
			pipes:  map[handle]uint32{},
			awaits: map[uint64]uint32{}, opened: s.opened}
	}
}

// session is the frame in which the session of a message was set up, 0 before. That frame is told to those before it.
func (s *shareState) session(d *dissect.D, id uint64, m *reader) dissect.FrameNum {
	if id == 0 {
		return 0
	}
	v := s.proven[id]
	if v.frame != 0 {
		return v.frame
	}
	if m.response && m.cmd == cmdSetup && m.status == 0 {
		for _, n := range v.before {
			d.Link(n, fProven, nil)
		}
		v = sessionState{frame: d.Frame}
	} else {
		copy(v.before[1:], v.before[:3])
		v.before[0] = d.Frame
	}
	s.proven[id] = v
	return v.frame
}

// pathAt is where the name stands in a request for a file or a share, counted from the header.
func pathAt(b []byte, cmd uint64) (at, size int) {
	if cmd == cmdTree {
		return int(little(b, 68, 2)), int(little(b, 70, 2))
	}
	return int(little(b, 108, 2)), int(little(b, 110, 2))
}

// nameAt is a name in a message, where it lies in one frame. It serves the first pass.
func nameAt(d *dissect.D, base int, b []byte, at, size int) (n name16) {
	if size == 0 || at+size > len(b) {
		return n
	}
	if refs, ok := d.Stream().RefsAt(base+at, size); ok && len(refs) == 1 {
		n.at = refs[0]
	} else if !ok && size <= maxName {
		n.kept = texts.Keep(d, string(b[at:at+size]))
	}
	return n
}

// maxName is how long a name may be that is kept itself, in bytes.
const maxName = 4096

// level is which information a message is about. Responses do not say it.
func (s *shareState) level(b []byte, m *reader, id uint64) uint16 {
	switch {
	case m.cmd != cmdFind && m.cmd != cmdGet && m.cmd != cmdSet:
		return 0
	case m.response:
		defer delete(s.levels, id)
		return s.levels[id]
	}
	v := uint16(little(b, 66, 1)) // of a search it has no class
	if m.cmd != cmdFind {
		v = v<<8 | uint16(little(b, 67, 1))
	}
	s.levels[id] = v
	return v
}
