package ui

import (
	"errors"
	"testing"

	"remora/dissect"
	"remora/protocols"
)

// ownRegistry has a protocol of a person's own, with a field of that name.
func ownRegistry(t *testing.T, field string) *dissect.Registry {
	t.Helper()
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	p := dissect.NewRuntimeProtocol("mine", "Mine", "Test.")
	f := p.Bytes(field, "Bytes of "+field, "Everything.")
	if err := reg.Add(dissect.Plugin{Protocol: p, UDP: []uint16{6000},
		Dissect: func(d *dissect.D) { d.Rest(f) }}); err != nil {
		t.Fatal(err)
	}
	if err := reg.Prefer(dissect.Key{Table: dissect.TableUDP, Value: 6000}, "mine"); err != nil {
		t.Fatal(err)
	}
	return reg
}

// TestDissectorsThatWereSaved has packets dissected once more, with what was chosen kept.
func TestDissectorsThatWereSaved(t *testing.T) {
	x := open(t, 120, 36, Config{})
	x.m.applyFilter("udp.port == 6000")
	x.settle()
	cur := x.m.selected.Frame
	x.m.marks.Set('a', cur)
	x.m.views.OpenTab(1)
	was := x.m.packets.Session
	x.send(ownLoaded{reg: ownRegistry(t, "first")})
	x.settle()
	if x.m.packets.Session == was || x.m.views.Tab() != 1 {
		t.Fatalf("the packets are shown as before, or tab %d", x.m.views.Tab())
	}
	x.m.views.Close()
	x.settle()
	x.has("Bytes of first", "udp.port == 6000", "dissectors loaded")
	if x.m.selected.Frame != cur || x.m.marks.Frame('a') != cur {
		t.Errorf("packet %d is selected, mark a on %d, want %d", x.m.selected.Frame, x.m.marks.Frame('a'), cur)
	}
	if f := x.m.cfg.Registry.Field("mine.first"); f == nil || x.m.list.Named("Info") < 0 {
		t.Error("the fields are not known, or the columns are gone")
	}
	x.m.applyFilter("mine.first")
	was = x.m.packets.Session
	x.send(ownLoaded{problems: []error{errors.New("mine.lua:3: no such thing")}})
	x.settle()
	x.has("mine.lua:3: no such thing; the last good version goes on")
	if x.m.packets.Session != was {
		t.Error("packets are dissected once more for a mistake")
	}
	x.send(ownLoaded{reg: ownRegistry(t, "second")})
	x.settle()
	x.has("the filter is off", "Bytes of second")
}

// TestViewsGoOnWithSavedDissectors: following and comparing show what saved dissectors say, and hold nothing back.
func TestViewsGoOnWithSavedDissectors(t *testing.T) {
	x := open(t, 120, 80, Config{})
	x.m.applyFilter("udp.port == 6000")
	x.settle()
	for _, c := range []struct{ keys, has, field string }{{"gf", "Follow", "first"}, {"GDv", "equal fields", "second"}} {
		x.m.views.OpenTab(0)
		x.keys(c.keys)
		was := x.m.packets.Session
		over := x.m.views.Over()
		x.send(ownLoaded{reg: ownRegistry(t, c.field)})
		x.settle()
		if x.m.packets.Session == was || x.m.views.Over() == nil || x.m.views.Over() == over {
			t.Fatalf("%s: the view shows packets as before, or is gone", c.keys)
		}
		x.has(c.has)
		if c.keys == "GDv" {
			x.keys("G")
			x.has("Bytes of second")
		}
	}
}
