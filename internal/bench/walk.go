//go:build unix

package main

import (
	"regexp"
	"strings"
	"time"
)

// walk presses every sort of key, several rounds of each.
func (s *session) walk(prefix string, rounds int) {
	for range rounds {
		s.key(prefix+"gg", "gg", func(_, p picture) bool { return p.packet() == 1 })
		for range 20 {
			s.key(prefix+"j", "j", func(was, p picture) bool { return p.packet() == was.packet()+1 })
		}
		for range 10 {
			s.key(prefix+"PgDn", "\x1b[6~", func(was, p picture) bool { return p.packet() > was.packet()+5 })
		}
		for range 5 {
			s.key(prefix+"*", "*", func(was, p picture) bool { return p.packet() > was.packet() })
			s.key(prefix+"}", "}", func(was, p picture) bool { return p.packet() > was.packet() })
			s.key(prefix+"k", "k", func(was, p picture) bool { return p.packet() == was.packet()-1 })
		}
		s.key(prefix+"G", "G", func(was, p picture) bool { return p.packet() > was.packet()+1000 })
		s.key(prefix+"gg", "gg", func(_, p picture) bool { return p.packet() == 1 })
		s.panes(prefix)
		s.filters(prefix)
		s.views(prefix)
		s.sizes(prefix)
	}
}

// key presses a key when nothing is left of the one before.
func (s *session) key(name, keys string, good func(was, now picture) bool) {
	was := s.view()
	took, _, ok := s.press(keys, func(p picture) bool { return good(was, p) })
	s.note(name, took, ok)
	time.Sleep(20 * time.Millisecond)
}

// view is what the screen shows now.
func (s *session) view() picture {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.picture(time.Now())
}

// panes goes to the tree and back, and unfolds it.
func (s *session) panes(prefix string) {
	different := func(was, p picture) bool { return !p.like(was) }
	s.key(prefix+"Tab", "\t", different)
	s.key(prefix+"tree k", "k", different)
	s.key(prefix+"zR", "zR", different)
	s.key(prefix+"zM", "zM", different)
	s.tty.WriteString("\t\t")
	s.rest(100*time.Millisecond, 300*time.Millisecond)
}

// filters applies some, finds a text, and takes them away again.
func (s *session) filters(prefix string) {
	for _, f := range []string{"touhou.type == GAME_INPUT", "dns", "tcp.flags.syn == 1", "udp.length > 140"} {
		s.key(prefix+"/", "/", func(_, p picture) bool { return p.has("Enter") })
		s.tty.WriteString("\x15") // Ctrl-U: the filter before stands there
		for i := range len(f) {
			text := f[:i+1]
			s.key(prefix+"a letter of a filter", f[i:i+1], func(_, p picture) bool { return strings.Contains(p.lines[1], text) })
		}
		s.key(prefix+"Enter on a filter", "\r", func(_, p picture) bool {
			return strings.Contains(p.lines[1], f) &&
				(strings.Contains(p.lines[1], " so far") || strings.Contains(p.lines[1], " of "))
		})
		s.key(prefix+"Esc", "\x1b", func(_, p picture) bool { return strings.Contains(p.lines[1], "no filter") })
	}
	for _, f := range []string{"touhou", "dns", "udp.length > 140"} {
		s.tty.WriteString("gg")
		s.rest(100*time.Millisecond, 300*time.Millisecond)
		s.tty.WriteString("/\x15" + f)
		s.until(2*time.Second, func(p picture) bool { return strings.Contains(p.lines[1], f) })
		s.key(prefix+"a screen of matches", "\r", func(_, p picture) bool {
			return !strings.Contains(p.lines[1], "Enter") && p.rows() >= 10
		})
		s.key(prefix+"Esc", "\x1b", func(_, p picture) bool { return strings.Contains(p.lines[1], "no filter") })
	}
	s.tty.WriteString("\x06\x15" + "example")
	s.until(2*time.Second, func(p picture) bool { return strings.Contains(p.lines[1], "example") })
	s.key(prefix+"Enter on a text to find", "\r", func(was, p picture) bool { return !p.has("find text") })
	for range 3 {
		s.key(prefix+"n", "n", func(was, p picture) bool { return p.packet() != was.packet() })
	}
	// it ends what was found first
	s.key(prefix+"Esc", "\x1b", func(_, p picture) bool { return p.has("not marked any more") })
}

// views opens what takes the place of the packets, and the facets.
func (s *session) views(prefix string) {
	s.facets(prefix)
	for _, v := range [][2]string{{"gt", "[Packet types]"}, {"gc", "[Statistics]"}, {"gn", "[Expert info"},
		{"gp", "[Packets]"}} {
		s.key(prefix+v[0], v[0], func(_, p picture) bool { return p.has(v[1]) })
	}
}

var emptyBox, tickedBox = regexp.MustCompile(`\[ \]`), regexp.MustCompile(`\[■\]`)

// facets ticks lines, and has the text of the filter tick them.
func (s *session) facets(prefix string) {
	boxes := func(p picture, box *regexp.Regexp) int { return len(box.FindAllString(p.text(), -1)) }
	filtered := func(p picture) bool {
		return strings.Contains(p.lines[1], " so far") || strings.Contains(p.lines[1], " of ")
	}
	s.key(prefix+"f", "f", func(_, p picture) bool { return boxes(p, tickedBox) > 1 })
	s.key(prefix+"facets j", "j", func(was, p picture) bool { return !p.like(was) })
	for range 3 {
		s.key(prefix+"facets untick", " ", func(_, p picture) bool { return boxes(p, emptyBox) > 0 && filtered(p) })
		s.key(prefix+"facets tick", " ", func(_, p picture) bool {
			return boxes(p, emptyBox) == 0 && strings.Contains(p.lines[1], "no filter") || p.has("as it was ticked last")
		})
		s.key(prefix+"facets o", "o", func(_, p picture) bool { return boxes(p, emptyBox) > 0 && filtered(p) })
		s.key(prefix+"facets A", "A", func(_, p picture) bool {
			return boxes(p, emptyBox) == 0 && strings.Contains(p.lines[1], "no filter")
		})
		s.key(prefix+"facets x", "x", func(_, p picture) bool { return boxes(p, emptyBox) > 0 && filtered(p) })
		s.key(prefix+"facets u", "u", func(_, p picture) bool { return boxes(p, emptyBox) == 0 })
	}
	for _, f := range []string{"dns", "!(dns)"} { // editing the text moves the ticks
		s.tty.WriteString("/\x15" + f)
		s.until(2*time.Second, func(p picture) bool { return strings.Contains(p.lines[1], f+" ") })
		s.key(prefix+"facets by text", "\r", func(_, p picture) bool { return boxes(p, emptyBox) > 0 && filtered(p) })
	}
	s.key(prefix+"facets Esc", "\x1b", func(_, p picture) bool { return strings.Contains(p.lines[1], "no filter") })
	s.key(prefix+"f again", "f", func(_, p picture) bool { return boxes(p, tickedBox) == 0 })
}

// sizes gives the terminal other sizes.
func (s *session) sizes(prefix string) {
	for _, z := range [][2]int{{200, 50}, {80, 24}, {120, 36}} {
		took, _, ok := s.resize(z[0], z[1], func(p picture) bool {
			return len(p.lines) == z[1] && strings.Contains(p.lines[0], "[P") && strings.Contains(p.lines[z[1]-1], "filter")
		})
		s.note(prefix+"resize", took, ok)
		s.rest(50*time.Millisecond, 200*time.Millisecond)
	}
}
