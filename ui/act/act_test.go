package act

import (
	"strings"
	"testing"
)

func TestActionsHaveNames(t *testing.T) {
	if len(table) != int(actions) {
		t.Errorf("%d actions have names, there are %d", len(table)-1, actions-1)
	}
	seen := map[string]bool{}
	for _, a := range All() {
		name := a.Name()
		if a.Help() == "" || strings.Count(name, ".") != 1 || seen[name] {
			t.Errorf("action %d is called %q (%q): each has a name of its own, as in packet.next, and a text (table)", a, name,
				a.Help())
		}
		seen[name] = true
		if Named(name) != a {
			t.Errorf("%s is not found", name)
		}
	}
}
