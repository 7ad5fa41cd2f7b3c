package owndissect_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/owndissect"
)

// words is a language of one line: the protocol's name, and its port or what its packets begin with.
type words struct{}

func (words) Suffix() string              { return ".words" }
func (words) Template(name string) string { return name + " 7000\n" }

func (words) Load(reg *dissect.Registry, f *owndissect.File) error {
	var name, where string
	if n, _ := fmt.Sscan(string(f.Text), &name, &where); n != 2 {
		return &owndissect.Error{Path: f.Path, Line: 1, Text: "a name and a place are missing"}
	}
	p := dissect.NewRuntimeProtocol(name, strings.ToUpper(name), "Test.")
	all := p.Bytes("all", "All", "Everything.")
	plugin := dissect.Plugin{Protocol: p, Dissect: func(d *dissect.D) { d.Rest(all) }}
	reg.Remove(name)
	var port uint32
	if _, err := fmt.Sscan(where, &port); err == nil {
		if err := reg.Add(plugin); err != nil {
			return err
		}
		return reg.Prefer(dissect.Key{Table: dissect.TableUDP, Value: port}, name)
	}
	if where == "post" {
		p.Quiet()
		plugin.Post = true
		return reg.Add(plugin)
	}
	plugin.Heuristics = map[dissect.Table]func(d *dissect.D) bool{
		dissect.TableUDP: func(d *dissect.D) bool { return strings.HasPrefix(string(d.Data()), where) }}
	return reg.Add(plugin)
}

func base() (*dissect.Registry, error) {
	old := dissect.NewProtocol("old", "OLD", "Built in.")
	rest := old.Bytes("rest", "Rest", "Everything.")
	return dissect.NewRegistry(dissecttest.OverUDP(dissect.Plugin{Protocol: old, UDP: []uint16{7000, 7001},
		Dissect: func(d *dissect.D) { d.Rest(rest) }})...)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// dissected are the protocols of packets to some ports.
func dissected(t *testing.T, reg *dissect.Registry) string {
	t.Helper()
	conv := dissecttest.Conversation{T: t}
	for i, text := range []string{"6162", "6162", "78797a", "6162"} {
		port := []uint16{7000, 7001, 9000, 9001}[i]
		conv.Say(1, dissecttest.Spot{Host: 1, Port: 40000}, dissecttest.Spot{Host: 2, Port: port}, text)
	}
	packets := conv.Packets
	s := dissecttest.SessionOf(t, reg, 1, packets)
	var out []string
	for i := range packets {
		tree := s.Tree(dissect.FrameNum(i + 1))
		text := tree.Protocol().Name()
		if f := reg.Field("late.all"); f != nil && tree.Find(f) >= 0 {
			text += "+late"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestFilesAreLoadedAndTheLastGoodVersionGoesOn(t *testing.T) {
	dir := t.TempDir()
	mine, started := filepath.Join(dir, "mine.words"), filepath.Join(dir, "start.words")
	write(t, mine, "mine 7000")
	write(t, started, "start xy")
	write(t, filepath.Join(dir, "other.txt"), "none of it")
	set := owndissect.NewSet(words{})
	if err := set.AddFolder(dir); err != nil {
		t.Fatal(err)
	}
	load := func(problems int) (*dissect.Registry, []error) {
		t.Helper()
		reg, bad, err := set.Load(base)
		if err != nil || len(bad) != problems {
			t.Fatalf("loading gives %v, %v; %d problems are wanted", bad, err, problems)
		}
		return reg, bad
	}
	reg, _ := load(0)
	if got, want := dissected(t, reg), "mine old start _ws"; got != want {
		t.Errorf("the packets are of %s, want %s", got, want)
	}
	id := reg.Field("mine.all").ID()
	write(t, mine, "broken")
	if err := set.Reread(dir); err != nil {
		t.Fatal(err)
	}
	reg, bad := load(1)
	var told *owndissect.Error
	if !errors.As(bad[0], &told) || told.Line != 1 || told.Path != mine {
		t.Errorf("the problem is %v", bad[0])
	}
	if got, want := dissected(t, reg), "mine old start _ws"; got != want {
		t.Errorf("with a broken file the packets are of %s, want %s", got, want)
	}
	if reg.Field("mine.all").ID() != id {
		t.Error("a field that is declared again has another number")
	}
	write(t, mine, "old 7001")
	write(t, filepath.Join(dir, "late.words"), "late post")
	if err := set.Reread(dir); err != nil {
		t.Fatal(err)
	}
	reg, _ = load(0)
	if got, want := dissected(t, reg), "_ws+late old+late start+late _ws+late"; got != want {
		t.Errorf("a protocol in the place of a built-in one: the packets are of %s, want %s", got, want)
	}
	if reg.Field("old.rest") != nil {
		t.Error("the fields of the protocol that was replaced are still there")
	}
}
