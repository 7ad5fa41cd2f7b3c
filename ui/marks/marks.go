// Package marks has the letters that are put on packets by hand, as vim has them, and the packets that are picked
// without one.
package marks

import (
	"context"
	"maps"
	"slices"
	"strings"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
)

// PickedSign stands for a packet that was picked.
const PickedSign = '*'

// Marks are those of a capture.
type Marks struct {
	letters map[rune]dissect.FrameNum
	last    rune // the letter that was set last
	picked  map[dissect.FrameNum]bool

	inFile       map[rune]dissect.FrameNum // as the comments say
	pickedInFile map[dissect.FrameNum]bool
	asked        bool // the comments were asked
}

// New is no mark yet.
func New() *Marks {
	return &Marks{letters: map[rune]dissect.FrameNum{}, picked: map[dissect.FrameNum]bool{}}
}

// Clear takes all marks away: another capture is shown.
func (m *Marks) Clear() { *m = *New() }

// Clone is a copy that does not change with the marks.
func (m *Marks) Clone() *Marks {
	c := *m
	c.letters, c.picked = maps.Clone(m.letters), maps.Clone(m.picked)
	return &c
}

// Valid tells whether a letter may be a mark.
func Valid(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// Of is the sign beside a packet, or 0.
func (m *Marks) Of(n dissect.FrameNum) rune {
	for letter, at := range m.letters {
		if at == n {
			return letter
		}
	}
	if m.picked[n] {
		return PickedSign
	}
	return 0
}

// Set puts a letter on a packet, or takes it away where it is already; it tells whether it was put there.
func (m *Marks) Set(letter rune, n dissect.FrameNum) bool {
	if m.letters[letter] == n {
		delete(m.letters, letter)
		return false
	}
	m.letters[letter], m.last = n, letter
	return true
}

// Frame is the packet with a letter, or 0.
func (m *Marks) Frame(letter rune) dissect.FrameNum { return m.letters[letter] }

// Last is the letter that was set last, and its packet; 0 where there is none any more.
func (m *Marks) Last() (rune, dissect.FrameNum) { return m.last, m.letters[m.last] }

// Letters are the letters that are set, in order.
func (m *Marks) Letters() []rune { return slices.Sorted(maps.Keys(m.letters)) }

// Pick picks a packet, or lets it go.
func (m *Marks) Pick(n dissect.FrameNum) {
	if m.picked[n] {
		delete(m.picked, n)
	} else {
		m.picked[n] = true
	}
}

// Unpick picks none any more; it tells whether one was.
func (m *Marks) Unpick() bool {
	was := len(m.picked) > 0
	clear(m.picked)
	return was
}

// Picked are the packets picked, in order.
func (m *Marks) Picked() []dissect.FrameNum { return slices.Sorted(maps.Keys(m.picked)) }

// All are the packets with a mark and those picked, in order.
func (m *Marks) All() []dissect.FrameNum {
	out := slices.AppendSeq(m.Picked(), maps.Values(m.letters))
	slices.Sort(out)
	return slices.Compact(out)
}

// Marks go along with a capture: saving to pcapng writes each as a comment of its packet, "mark a", or "picked" for one
// without a letter. Other programs show these as well, and opening such a file puts the marks back. A mark alone makes
// nothing unsaved.

// prefix begins the comment that stands for a mark, pickedComment stands for a packet picked without a letter.
const (
	prefix        = "mark "
	pickedComment = "picked"
)

// OfComment is the letter of a comment that stands for a mark, or 0.
func OfComment(text string) rune {
	letter, ok := strings.CutPrefix(text, prefix)
	if !ok || len(letter) != 1 || !Valid(rune(letter[0])) {
		return 0
	}
	return rune(letter[0])
}

// InFile are the marks that the comments of a capture hold.
type InFile struct {
	s       *dissect.Session
	letters map[rune]dissect.FrameNum
	picked  map[dissect.FrameNum]bool
}

// Unread tells whether the comments of a file that has been read are still to be asked for marks.
func (m *Marks) Unread(store *capture.Store) bool { return !m.asked && store.Status().Done }

// Asked says that the comments are being asked.
func (m *Marks) Asked() { m.asked = true }

// Read asks the comments of a capture for marks; ok is false when it was given up.
func Read(ctx context.Context, s *dissect.Session) (in InFile, ok bool) {
	in = InFile{s, map[rune]dissect.FrameNum{}, map[dissect.FrameNum]bool{}}
	for k, i := range s.Store().Commented() {
		if k%1024 == 0 && ctx.Err() != nil {
			return in, false
		}
		for _, text := range s.Store().Comments(i) {
			if letter := OfComment(text); letter != 0 {
				in.letters[letter] = dissect.FrameNum(i + 1)
			}
			if text == pickedComment {
				in.picked[dissect.FrameNum(i+1)] = true
			}
		}
	}
	return in, true
}

// Take takes up the marks of the file that is shown, but those that were set here meanwhile.
func (m *Marks) Take(in InFile, s *dissect.Session) {
	if in.s != s {
		return
	}
	m.inFile, m.pickedInFile = in.letters, in.picked
	maps.Copy(m.picked, in.picked)
	for letter, n := range in.letters {
		if _, set := m.letters[letter]; !set {
			m.letters[letter] = n
		}
	}
}

// Changed tells whether the marks are other than the comments say.
func (m *Marks) Changed() bool {
	return !maps.Equal(m.letters, m.inFile) || !maps.Equal(m.picked, m.pickedInFile)
}

// Keep makes the comments say what is marked, before they are saved to a file that can hold them; change gives a packet
// comments.
func (m *Marks) Keep(store *capture.Store, path string, change func(n dissect.FrameNum, comments []string)) {
	if f, _ := pcapfile.FormatOf(path); f == pcapfile.Pcap || !m.Changed() {
		return
	}
	without := func(n dissect.FrameNum, is func(text string) bool) {
		change(n, slices.DeleteFunc(store.Comments(int(n)-1), is))
	}
	with := func(n dissect.FrameNum, text string) { change(n, append(store.Comments(int(n)-1), text)) }
	for letter, n := range m.inFile {
		if m.letters[letter] != n {
			without(n, func(text string) bool { return OfComment(text) == letter })
		}
	}
	for letter, n := range m.letters {
		if m.inFile[letter] != n {
			with(n, prefix+string(letter))
		}
	}
	for n := range m.pickedInFile {
		if !m.picked[n] {
			without(n, func(text string) bool { return text == pickedComment })
		}
	}
	for n := range m.picked {
		if !m.pickedInFile[n] {
			with(n, pickedComment)
		}
	}
	m.inFile, m.pickedInFile = maps.Clone(m.letters), maps.Clone(m.picked)
}
