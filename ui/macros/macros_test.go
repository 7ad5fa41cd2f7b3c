package macros

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"remora/ui/act"
)

type list struct{ lines []string }

func (l *list) Lines() []string       { return l.lines }
func (l *list) Add(line string) error { l.lines = append(l.lines, line); return nil }
func (l *list) Remove(line string) error {
	l.lines = slices.DeleteFunc(l.lines, func(s string) bool { return s == line })
	return nil
}

// TestKeysAreMapped to actions and to other keys, kept, changed and taken back.
func TestKeysAreMapped(t *testing.T) {
	kept, said := &list{}, ""
	m := New(func(text string) { said = text }, kept)
	m.Map("f5 view.rates")
	m.Map("Q :w a b.pcap<enter><lt><esc>")
	again := New(func(string) {}, kept)
	if does, _, ok := again.Of("f5"); !ok || does != act.Rates {
		t.Errorf("f5 does %v", does)
	}
	_, presses, ok := again.Of("Q")
	if got := fmt.Sprint(presses); !ok ||
		got != "[{: :} {w w} {space  } {a a} {space  } {b b} {. .} {p p} {c c} {a a} {p p} "+
			"{enter } {< <} {esc }]" {
		t.Errorf("Q presses %s", got)
	}
	m.Map("f5 gf")
	if len(kept.lines) != 2 || !slices.Contains(kept.lines, "f5\tgf") {
		t.Errorf("kept: %q", kept.lines)
	}
	if m.Map(""); !strings.Contains(said, "F5: gf") || !strings.Contains(said, "Q: :w") {
		t.Errorf("said: %q", said)
	}
	m.Unmap("f5")
	if _, _, ok := m.Of("f5"); ok || len(kept.lines) != 1 {
		t.Errorf("f5 is mapped still; kept: %q", kept.lines)
	}
	for _, wrong := range []string{": gf", "esc gf", "nosuchkey gf", "gz gf", "5 gf"} {
		if m.Map(wrong); !strings.HasPrefix(said, "not mapped") {
			t.Errorf("%s: %s", wrong, said)
		}
	}
	if got := parse("<a<b>c"); fmt.Sprint(got[0]) != "{< <}" {
		t.Errorf("half a bracket: %v", got)
	}
	if n := len(parse(strings.Repeat("j", 5000))); n != mostPresses {
		t.Errorf("%d keys are pressed", n)
	}
}
