package keys

import (
	"strings"
	"testing"

	"remora/ui/act"
)

// TestSheetIsTrue holds every key of the sheet against the table.
func TestSheetIsTrue(t *testing.T) {
	for _, g := range Standard.Sheet(true) {
		for _, k := range g.Keys {
			for word := range strings.FieldsSeq(k.Keys) {
				if strings.HasPrefix(word, "123") || word == ":123" {
					continue
				}
				name, err := Parse(word)
				first, _, _ := strings.Cut(name, " ")
				if err != nil ||
					Standard.Does[name] == act.None && !Standard.Waits[name] && !act.TakesLetter(Standard.Does[first]) {
					t.Errorf("%s: %q does nothing (%v)", g.Title, word, err)
				}
			}
		}
	}
	if all, some := len(Standard.Sheet(true)),
		len(Standard.Sheet(false)); all != len(sheet) || some != all-len(onPackets) {
		t.Errorf("%d parts, %d without packets", all, some)
	}
	own, faults := New(map[string]string{"J": "packet.next-of-type", "*": ""})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, k := range own.Sheet(true)[0].Keys {
		if k.Help == "same type" && k.Keys != "J #" {
			t.Errorf("the same type is %q", k.Keys)
		}
	}
}
