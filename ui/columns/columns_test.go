package columns_test

import (
	"slices"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/columns"
)

// titles are what stands over columns.
func titles(list []columns.Column) (out []string) {
	for _, c := range list {
		out = append(out, c.Head())
	}
	return out
}

// TestPlacedColumnsFillTheList: on every width the columns and their gaps take all of it, and Info what is left.
func TestPlacedColumnsFillTheList(t *testing.T) {
	const margin = 4
	list := slices.Clone(columns.Standard())
	list[5].Set, list[2].Off = 12, true
	for w := 60; w < 240; w++ {
		for what, list := range map[string][]columns.Column{"standard": columns.Standard(), "changed": list} {
			if what == "changed" && w < 90 { // a width set by hand counts more than Info
				continue
			}
			placed := columns.Place(list, w, margin, 2, func(usual int) int { return usual })
			sum := margin
			for _, c := range placed {
				sum += c.W + c.Gap
				if c.Title == "Protocol" && what == "changed" && c.W != 12 {
					t.Errorf("%d cells: Protocol is %d wide", w, c.W)
				}
			}
			if last := placed[len(placed)-1]; last.Kind == columns.Info && sum != w || sum > w+1 {
				t.Errorf("%s, %d cells: %d are taken", what, w, sum)
			}
		}
	}
}

func TestNamed(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	list, err := columns.Named(reg, []string{"no.", "udp.length as Size", "Info as What", "Δ conv"})
	if err != nil || !slices.Equal(titles(list), []string{"No.", "Size", "Δ conv", "What"}) {
		t.Errorf("%v, %v", titles(list), err)
	}
	if _, err := columns.Named(reg, []string{"Sorce"}); err == nil ||
		!strings.Contains(err.Error(), "did you mean Source?") {
		t.Errorf("of Sorce is said %v", err)
	}
	if all := columns.All(list); len(all) != len(columns.Known())+1 || all[len(list)].Off != true {
		t.Errorf("all columns are %v", titles(all))
	}
	if len(columns.Titles()) != len(columns.Known()) {
		t.Errorf("the titles are %v", columns.Titles())
	}
}

// TestTextIsReadAgain writes columns and reads them: widths, titles and what is hidden stay, what is no more is left
// out.
func TestTextIsReadAgain(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	const text = "No.,-Time,udp.srcport=12~from%2C+port,Type=120,Info"
	list := columns.Read(reg, strings.Replace(text, "-Time,", "-Time,nonsense.field,", 1))
	if got := columns.Text(list); got != text || list[2].Own != "from, port" || !list[1].Off {
		t.Errorf("read and written again it is %q", got)
	}
}

// lines are kept as a file keeps them.
type lines []string

func (l *lines) Lines() []string       { return slices.Clone(*l) }
func (l *lines) Add(line string) error { *l = append(*l, line); return nil }
func (l *lines) Remove(line string) error {
	*l = slices.DeleteFunc(*l, func(x string) bool { return x == line })
	return nil
}

// TestColumnsAreRemembered for the settings that they were made of, and for no others.
func TestColumnsAreRemembered(t *testing.T) {
	reg, kept := dissecttest.Registry(t, protocols.All()), &lines{}
	memory := columns.NewMemory(reg, kept)
	list := memory.Ask("", []string{"No.", "Type"})
	if got := titles(list); !slices.Equal(got, []string{"No.", "Type", "Info"}) {
		t.Fatalf("asked for are %q", got)
	}
	if memory.Ask("games", []string{"No.", "Type"}) != nil || memory.Ask("", []string{"nonsense"}) != nil {
		t.Error("the same, or nonsense, is shown anew")
	}
	memory.Ask("", []string{"No.", "Type"})
	memory.Keep(append(list[:1:1], columns.Column{Title: "File", Auto: true}))()
	memory.Keep(list[:1])()
	if len(*kept) != 1 {
		t.Errorf("kept is %q", *kept)
	}
	next := columns.NewMemory(reg, kept)
	if got := titles(next.Ask("", []string{"No.", "Type"})); !slices.Equal(got, []string{"No."}) {
		t.Errorf("the next run has %q", got)
	}
	if got := titles(next.Usual()); len(got) != 3 {
		t.Errorf("the usual ones are %q", got)
	}
	if got := titles(columns.NewMemory(reg, kept).Ask("games", []string{"No.", "Type"})); len(got) != 3 {
		t.Errorf("a profile has %q", got)
	}
	next.Forget()()
	if got := titles(columns.NewMemory(reg, kept).Ask("", []string{"No.", "Type"})); len(got) != 3 {
		t.Errorf("forgotten are %q", got)
	}
}
