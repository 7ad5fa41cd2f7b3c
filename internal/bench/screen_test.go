//go:build unix

package main

import (
	"slices"
	"strings"
	"testing"
)

func TestScreen(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"text and lines", "ab\r\ncd", "ab|cd||"},
		{"places", "\x1b[2;3Hx\x1b[1Gy\x1b[4dz", "|y x|| z"},
		{"wrapping", "abcdefghijX", "abcdefghij|X||"},
		{"no wrapping before it must be", "abcdefghij\r\nX", "abcdefghij|X||"},
		{"erasing", "abcdef\x1b[3D\x1b[K\r\nabcdef\x1b[1;1H\x1b[2X", "  c|abcdef||"},
		{"repeating", "a\x1b[4b", "aaaaa|||"},
		{"inserting and deleting", "abc\x1b[1G\x1b[2@\r\ndefgh\x1b[1G\x1b[2P", "  abc|fgh||"},
		{"lines", "a\r\nb\r\nc\x1b[1;1H\x1b[L\x1b[3;1H\x1b[M", "|a|c|"},
		{"a region", "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nX\x1b[r", "a|c|X|d"},
		{"up", "a\r\nb\x1b[1;1H\x1bMx", "x|a|b|"},
		{"colours", "\x1b[38;2;1;2;3mé│\x1b[m", "é│|||"},
	} {
		for cut := range len(c.in) {
			s := newScreen(10, 4, func(string) {}, func() {})
			s.write([]byte(c.in[:cut]))
			s.write([]byte(c.in[cut:]))
			var lines []string
			for i := range s.h {
				text, _ := s.line(i)
				lines = append(lines, strings.TrimRight(text, " "))
			}
			if got := strings.Join(lines, "|"); got != c.want {
				t.Errorf("%s, cut at %d: %q, want %q", c.name, cut, got, c.want)
			}
		}
	}
}

func TestScreenAnswers(t *testing.T) {
	replies, frames := "", 0
	s := newScreen(10, 4, func(r string) { replies += r }, func() { frames++ })
	s.write([]byte("\x1b[?2026$p\x1b[?2027$p\x1b]11;?\x1b\\\x1b[?2026hx\x1b[?2026l"))
	if want := "\x1b[?2026;2$y\x1b[?2027;0$y\x1b]11;rgb:0000/0000/0000\x1b\\"; replies != want || frames != 1 {
		t.Errorf("%q and %d pictures", replies, frames)
	}
}

func TestScreenKeepsWhereTheFocusIs(t *testing.T) {
	s := newScreen(10, 1, func(string) {}, func() {})
	s.write([]byte("a\x1b[1mb\x1b[22;7mc\x1b[27;48;5;7md\x1b[38;2;0;0;7me\x1b[mf"))
	_, pens := s.line(0)
	want := []pen{{}, {bold: true}, {reverse: true}, {ground: 1007}, {ground: 1007}, {}}
	if !slices.Equal(pens[:6], want) {
		t.Errorf("%v, want %v", pens[:6], want)
	}
}
