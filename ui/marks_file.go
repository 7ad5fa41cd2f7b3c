package ui

import (
	"maps"
	"slices"
	"strings"

	"remora/capture"
	"remora/dissect"
)

// Marks go along with a capture: saving to pcapng writes each as a comment of its packet, "mark a", or "picked" for one without
// a letter. Other programs show these as well, and opening such a file puts the marks back. A mark alone makes nothing unsaved.

// markPrefix begins the comment that stands for a mark.
const markPrefix = "mark "

// pickedComment is the comment that stands for a packet picked without a letter.
const pickedComment = "picked"

// markOfComment is the letter of a comment that stands for a mark, or 0.
func markOfComment(text string) rune {
	letter, ok := strings.CutPrefix(text, markPrefix)
	if !ok || len(letter) != 1 || !isMark(rune(letter[0])) {
		return 0
	}
	return rune(letter[0])
}

func isMark(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// marksInFile are the marks that the comments of a capture hold.
type marksInFile struct {
	s        *dissect.Session
	byLetter map[rune]dissect.FrameNum
	picked   map[dissect.FrameNum]bool
}

// marksToRead tells whether the comments of a file that has been read are still to be asked for marks.
func (m *model) marksToRead() bool { return !m.marks.asked && m.packets.Store.Status().Done }

// readMarks asks the comments for marks, beside everything else.
func (m *model) readMarks() {
	m.marks.asked = true
	s, ctx := m.packets.Session, m.ctx
	m.pending = append(m.pending, func() any {
		defer m.guard("reading marks")
		in := marksInFile{s, map[rune]dissect.FrameNum{}, map[dissect.FrameNum]bool{}}
		for k, i := range s.Store().Commented() {
			if k%1024 == 0 && ctx.Err() != nil {
				return nil
			}
			for _, text := range s.Store().Comments(i) {
				if letter := markOfComment(text); letter != 0 {
					in.byLetter[letter] = dissect.FrameNum(i + 1)
				}
				if text == pickedComment {
					in.picked[dissect.FrameNum(i+1)] = true
				}
			}
		}
		return in
	})
}

// onMarksInFile takes up the marks of a file, but those that were set here meanwhile.
func (m *model) onMarksInFile(in marksInFile) {
	if in.s != m.packets.Session {
		return
	}
	m.marks.inFile, m.marks.pickedInFile = in.byLetter, in.picked
	maps.Copy(m.marks.picked, in.picked)
	for letter, n := range in.byLetter {
		if _, set := m.marks.byLetter[letter]; !set {
			m.marks.byLetter[letter] = n
		}
	}
}

func (m *model) marksChanged() bool {
	return !maps.Equal(m.marks.byLetter, m.marks.inFile) || !maps.Equal(m.marks.picked, m.marks.pickedInFile)
}

// keepMarks makes the comments say what is marked, before they are saved to a file that can hold them.
func (m *model) keepMarks(path string) {
	if f, _ := capture.FormatOf(path); f == capture.Pcap || !m.marksChanged() {
		return
	}
	for letter, n := range m.marks.inFile {
		if m.marks.byLetter[letter] != n {
			m.changeComments(n, slices.DeleteFunc(m.packets.Store.Comments(int(n)-1), func(text string) bool { return markOfComment(text) == letter }))
		}
	}
	for letter, n := range m.marks.byLetter {
		if m.marks.inFile[letter] != n {
			m.changeComments(n, append(m.packets.Store.Comments(int(n)-1), markPrefix+string(letter)))
		}
	}
	m.marks.inFile = maps.Clone(m.marks.byLetter)
	m.keepPicks()
}

// keepPicks makes the comments say what is picked.
func (m *model) keepPicks() {
	for n := range m.marks.pickedInFile {
		if !m.marks.picked[n] {
			m.changeComments(n, slices.DeleteFunc(m.packets.Store.Comments(int(n)-1), func(text string) bool { return text == pickedComment }))
		}
	}
	for n := range m.marks.picked {
		if !m.marks.pickedInFile[n] {
			m.changeComments(n, append(m.packets.Store.Comments(int(n)-1), pickedComment))
		}
	}
	m.marks.pickedInFile = maps.Clone(m.marks.picked)
}
