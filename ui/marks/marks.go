// Package marks has the letters that are put on packets by hand, as vim has them, and the packets that are picked
// without one.
package marks

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"remora/capture"
	"remora/dissect"
)

// PickedSign stands for a packet that was picked.
const PickedSign = '*'

// Marks are those of a capture.
type Marks struct {
	letters map[rune]dissect.FrameNum
	last    rune // the letter that was set last
	picked  map[dissect.FrameNum]bool

	list  List // keeps them; nil: nothing does
	asked bool // the list was asked for those of the file
}

// New is no mark yet.
func New() *Marks {
	return &Marks{letters: map[rune]dissect.FrameNum{}, picked: map[dissect.FrameNum]bool{}}
}

// Clear takes all marks away: another capture is shown.
func (m *Marks) Clear() { *m = *New().In(m.list) }

// Clone is a copy that does not change with the marks.
func (m *Marks) Clone() *Marks {
	c := *m
	c.letters, c.picked = maps.Clone(m.letters), maps.Clone(m.picked)
	return &c
}

// PickAll picks packets, or lets them go.
func (m *Marks) PickAll(list []dissect.FrameNum, on bool) {
	for _, n := range list {
		if on {
			m.picked[n] = true
		} else {
			delete(m.picked, n)
		}
	}
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

// Marks are kept beside a capture's file, in a list of the user's own: comments are the user's words alone, and a file
// holds no others. They are known again where the file at that path has as many packets.

// A List is lines that are kept between runs.
type List interface {
	Lines() []string
	Add(line string) error
	Remove(line string) error
}

// In has the marks kept in a list.
func (m *Marks) In(list List) *Marks {
	m.list = list
	return m
}

// mostKept bounds the packets of a file whose picks are kept.
const mostKept = 1000

// Unread tells whether a file that has been read is still to be asked for.
func (m *Marks) Unread(store *capture.Store) bool { return !m.asked && store.Status().Done }

// Keep keeps the marks with a file of some packets; number is the one that a packet has there, or 0.
func (m *Marks) Keep(path string, packets int, number func(n dissect.FrameNum) dissect.FrameNum) {
	if m.list == nil || path == "" {
		return
	}
	var words []string
	add := func(sign rune, n dissect.FrameNum) {
		if n = number(n); n > 0 {
			words = append(words, string(sign)+"="+strconv.Itoa(int(n)))
		}
	}
	for _, letter := range m.Letters() {
		add(letter, m.letters[letter])
	}
	for _, n := range m.Picked()[:min(len(m.picked), mostKept)] {
		add(PickedSign, n)
	}
	before, _, had := m.find(path)
	line := strings.Join(words, ",") + " " + strconv.Itoa(packets) + " " + path
	switch {
	case had && before == line, !had && words == nil:
		return
	case had:
		m.list.Remove(before) //nolint:errcheck // what cannot be kept is forgotten quietly
	}
	if words != nil {
		m.list.Add(line) //nolint:errcheck // the same
	}
}

// find is the line of a file, and what stands in front of its path.
func (m *Marks) find(path string) (line, front string, ok bool) {
	for _, line := range m.list.Lines() {
		if front, ok := strings.CutSuffix(line, " "+path); ok && strings.Count(front, " ") == 1 {
			return line, front, true
		}
	}
	return "", "", false
}

// Read takes up the marks that were kept with a file of some packets.
func (m *Marks) Read(path string, packets int) {
	m.asked = true
	if m.list == nil || path == "" {
		return
	}
	_, front, _ := m.find(path)
	words, count, _ := strings.Cut(front, " ")
	if count != strconv.Itoa(packets) { // another file is there now
		return
	}
	for word := range strings.SplitSeq(words, ",") {
		sign, at, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(at)
		if err != nil || n < 1 || n > packets || len(sign) != 1 {
			continue
		}
		switch letter := rune(sign[0]); {
		case letter == PickedSign:
			m.picked[dissect.FrameNum(n)] = true
		case Valid(letter) && m.letters[letter] == 0:
			m.letters[letter] = dissect.FrameNum(n)
		}
	}
}
