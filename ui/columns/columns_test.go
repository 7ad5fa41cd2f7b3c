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
	need := &columns.Needs{Cells: []int{2, 0, 8, 0, 0, 7, 12, 4, 90}, Same: make([]bool, len(list)),
		Times: [3]int{6, 9, 0},
		Ends:  [2][columns.Forms]int{{19, 13, 6}, {21, 15, 6}}, Usual: [2]int{19, 21}}
	for w := 60; w < 240; w++ {
		for what, list := range map[string][]columns.Column{"standard": columns.Standard(), "changed": list} {
			if what == "changed" && w < 90 { // a width set by hand counts more than Info
				continue
			}
			placed := columns.Place(list, w, margin, need)
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

// needs are those of rows between such ends, all of one protocol.
func needs(ends [2][columns.Forms]int) *columns.Needs {
	n := &columns.Needs{Cells: []int{5, 0, 8, 0, 0, 7, 12, 4, 90}, Same: make([]bool, 9), Times: [3]int{6, 9, 0},
		Ends: ends}
	for i, forms := range ends {
		if forms[columns.Whole] <= columns.UsualEnd {
			n.Usual[i] = forms[columns.Whole]
		}
	}
	return n
}

// TestColumnsGiveWay: on narrow lists columns that say least go first, then ports and digits of times, and ends are cut
// last. Info keeps its share.
func TestColumnsGiveWay(t *testing.T) {
	v4 := needs([2][columns.Forms]int{{19, 14, 6}, {19, 15, 6}})
	usual := needs([2][columns.Forms]int{{18, 14, 6}, {18, 15, 6}})
	v6 := needs([2][columns.Forms]int{{32, 24, 6}, {32, 24, 6}})
	rare := needs([2][columns.Forms]int{{32, 24, 6}, {32, 24, 6}}) // one row of IPv6 among many of IPv4
	rare.Usual = [2]int{19, 19}
	longType := needs([2][columns.Forms]int{{32, 24, 6}, {32, 24, 6}})
	longType.Cells[6] = 20
	local := needs([2][columns.Forms]int{{15, 9, 6}, {15, 9, 6}})
	local.OneHost = true
	implied := needs([2][columns.Forms]int{{19, 14, 6}, {19, 15, 6}})
	implied.Implied = true
	for _, c := range []struct {
		what  string
		need  *columns.Needs
		w     int
		want  string
		ends  [2]int
		forms columns.Form
		info  int
	}{
		{"wide", v4, 160, "No. Time Δ ms Source Destination Protocol Type Len Info", [2]int{19, 19}, columns.Whole, 64},
		{"the design size", usual, 120, "No. Time Source Destination Protocol Len Info", [2]int{18, 18}, columns.Whole, 48},
		{"long ends", v4, 120, "No. Time Source Destination Protocol Info", [2]int{19, 19}, columns.Whole, 48},
		{"no length", v4, 116, "No. Time Source Destination Protocol Info", [2]int{19, 19}, columns.Whole, 44},
		{"a type says the protocol", implied, 108, "No. Time Source Destination Info", [2]int{19, 19}, columns.Whole, 43},
		{"no ports", v4, 100, "No. Time Source Destination Protocol Info", [2]int{14, 15}, columns.HostOnly, 40},
		{"small", v4, 80, "No. Time Source Destination Info", [2]int{14, 15}, columns.HostOnly, 32},
		{"smallest", v4, 60, "No. Source Destination Info", [2]int{12, 12}, columns.HostOnly, 24},
		{"only ports differ", local, 80, "No. Time Source Destination Protocol Info", [2]int{9, 9}, columns.PortOnly, 32},
		{"IPv6", v6, 200, "No. Time Source Destination Protocol Type Len Info", [2]int{32, 32}, columns.Whole, 80},
		{"no room for types that Info says", longType, 160, "No. Time Source Destination Protocol Len Info",
			[2]int{24, 24}, columns.Whole, 64},
		{"little IPv6, ports", rare, 120, "No. Time Source Destination Protocol Info", [2]int{20, 20}, columns.Whole, 48},
		{"IPv6, no ports", v6, 120, "No. Time Source Destination Protocol Info", [2]int{22, 23}, columns.HostOnly, 48},
		{"IPv6, cut", v6, 80, "No. Time Source Destination Info", [2]int{14, 15}, columns.HostOnly, 32},
	} {
		placed, ends, form, info := columns.Place(columns.Standard(), c.w, 4, c.need), [2]int{}, columns.Whole, 0
		var list []columns.Column
		for _, p := range placed {
			list = append(list, p.Column)
			switch p.Kind {
			case columns.Source, columns.Destination:
				ends[p.Kind-columns.Source], form = p.W, p.Form
			case columns.Info:
				info = p.W
			}
		}
		if got := strings.Join(titles(list), " "); got != c.want || ends != c.ends || form != c.forms || info < c.info {
			t.Errorf("%s, %d cells: %s, ends %v in form %d, Info %d;\nwant %s, %v, %d, %d",
				c.what, c.w, got, ends, form, info, c.want, c.ends, c.forms, c.info)
		}
	}
}
