package main

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/internal/names"
	"remora/protocols"
)

// A tally counts frames with a field: how many tshark has, how many of them are equal, how many are explained, and how
// many remora alone has. sample is the first difference.
type tally struct {
	has, equal, explained, extra int
	sample                       string
}

// A comparison holds remora against tshark for a set of fields.
type comparison struct {
	protocols []string
	fields    []string          // columns first
	of        map[string]string // protocol of a field
	reg       *dissect.Registry
	places    map[dissect.FieldID][]int // which of fields a field of remora shows in
	known     map[string]bool           // protocols that tshark knows
	reasons   []*reason
	counts    []tally
	every     string // pattern of fields of which each difference is shown
	meant     bool   // whether those that are explained are shown, too
	captures  int
	frames    int
}

func newComparison(list []string, of map[string]string) (*comparison, error) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		return nil, err
	}
	for _, f := range reg.Preferences() {
		if strings.HasSuffix(f.Name(), ".check_checksum") {
			reg.SetPreference(f, dissect.Setting{On: true})
		}
	}
	known, err := tsharkProtocols()
	if err != nil {
		return nil, err
	}
	reg.SetNaming(&dissect.Naming{Vendor: func(a dissect.Addr) string { return names.Vendor(a.Uint64()) }})
	c := &comparison{protocols: list, of: of, reg: reg,
		fields: append(slices.Clone(columns), slices.Sorted(maps.Keys(of))...),
		places: map[dissect.FieldID][]int{}, known: known, reasons: reasons(explanations)}
	c.counts = make([]tally, len(c.fields))
	for i, name := range c.fields {
		seen := map[dissect.FieldID]bool{}
		for _, f := range reg.FieldsNamed(name) {
			for _, m := range f.Members() {
				if !seen[m.ID()] {
					seen[m.ID()] = true
					c.places[m.ID()] = append(c.places[m.ID()], i)
				}
			}
		}
	}
	return c, nil
}

// capture compares all frames of a capture.
func (c *comparison) capture(file string) error {
	store, err := pcapfile.Open(context.Background(), file)
	if err != nil {
		return err
	}
	defer store.Close()
	s, err := dissect.NewSession(c.reg, store)
	if err != nil {
		return err
	}
	if err := s.Pass(context.Background()); err != nil {
		return err
	}
	look, n, ours := s.Dissector(), 0, make([][]string, len(c.fields))
	err = tsharkRows(file, c.fields, func(row []string) error {
		if n++; n > s.Passed() {
			return fmt.Errorf("tshark has more than %d frames", s.Passed())
		}
		c.frame(called(file), look.Tree(dissect.FrameNum(n)), row, ours)
		return nil
	})
	if err == nil && n != s.Passed() {
		err = fmt.Errorf("tshark has %d frames, remora %d", n, s.Passed())
	}
	c.captures++
	c.frames += n
	c.met(called(file))
	return err
}

// called is a capture's name in explained.txt: behind the folder's name, of tests the protocol's.
func called(file string) string {
	dir := filepath.Dir(file)
	if filepath.Base(dir) == "testdata" {
		dir = filepath.Dir(dir)
	}
	return filepath.Base(dir) + "/" + filepath.Base(file)
}

// frame compares one frame.
func (c *comparison) frame(file string, t *dissect.Tree, want []string, ours [][]string) {
	for i := range ours {
		ours[i] = ours[i][:0]
	}
	ours[0], ours[1] = append(ours[0], t.ProtocolText()), append(ours[1], t.InfoLine())
	for i := range t.Nodes {
		for _, at := range c.places[t.Nodes[i].Field] {
			ours[at] = append(ours[at], plain(t.Show(i)))
		}
	}
	own := !c.known[t.Protocol().Name()]
	for i, f := range c.fields {
		if own && i >= len(columns) && slices.Contains(applications, c.of[f]) {
			continue // remora has a protocol of its own for it
		}
		want[i] = present(want[i])
		got, k := strings.Join(ours[i], "|"), &c.counts[i]
		if i == 1 {
			got, want[i] = strings.Join(strings.Fields(got), " "), strings.Join(strings.Fields(want[i]), " ")
		}
		switch {
		case i < len(columns) && own:
			continue // nothing that tshark could say
		case want[i] == "":
			if got != "" {
				k.extra++
			}
			continue
		case got == want[i]:
			k.equal++
		default:
			c.differ(k, f, difference{file, t.Frame, want[i], got})
		}
		k.has++
	}
}

// A difference is what tshark and remora say of a field of a frame.
type difference struct {
	file      string
	frame     dissect.FrameNum
	want, got string
}

// differ notes that a field of a frame is not the same.
func (c *comparison) differ(k *tally, field string, d difference) {
	why := c.explain(field, d)
	if why != nil {
		k.explained++
	} else if k.sample == "" {
		k.sample = fmt.Sprintf("%s frame %d: tshark %q, remora %q", d.file, d.frame, short(d.want), short(d.got))
	}
	if in, _ := path.Match(c.every, field); in && (why == nil || c.meant) {
		fmt.Printf("%s\t%s\t%d\t%q\t%q", field, d.file, d.frame, d.want, d.got)
		if why != nil {
			fmt.Printf("\tline %d", why.line)
		}
		fmt.Println()
	}
}

// applications are the protocols in whose place remora may have one that tshark does not know: of a game that speaks
// HTTP.
var applications = []string{"http", "dns", "tls"}

// present drops what tshark prints for fields of no bytes, which remora leaves out.
func present(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	parts := slices.DeleteFunc(strings.Split(s, "|"), func(p string) bool { return p == "<MISSING>" || p == "<none>" })
	return strings.Join(parts, "|")
}

// plain is a text as tshark writes it between tabs.
func plain(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)
}

func short(s string) string {
	if len(s) > 120 {
		return s[:120] + "…"
	}
	return s
}
