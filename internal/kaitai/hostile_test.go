package kaitai

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestHostileDescriptionsEnd within their limits, whatever the bytes are.
func TestHostileDescriptionsEnd(t *testing.T) {
	doubled := "seq: [{id: s, size-eos: true}]\ninstances:\n  i0: {value: 's.to_s(\"ASCII\")'}\n"
	for i, name := 1, "i0"; i < 60; i++ {
		next := "i" + strings.Repeat("x", i)
		doubled += "  " + next + ": {value: " + name + " + " + name + "}\n"
		name = next
	}
	for name, ksy := range map[string]string{
		"elements of nothing":  "seq: [{id: a, size: 0, repeat: eos}]",
		"many elements":        "seq: [{id: a, size: 0, repeat: expr, repeat-expr: 0xffffffffffff}]",
		"until never":          "seq: [{id: a, size: 0, repeat: until, repeat-until: false}]",
		"a type within itself": "meta: {id: a}\nseq: [{id: a, type: a}]",
		"inside out": "meta: {id: a}\ninstances: {i: {pos: 0, type: a}}\n" +
			"seq: [{id: s, size: 'i.i.i.i.i._io.size'}, {id: a, type: a}]",
		"texts doubled": doubled + "  end: {value: i" + strings.Repeat("x", 59) + ".length}",
	} {
		spec := load(t, texts{"a.ksy": ksy})
		p := NewParser(spec, Limits{Steps: 100000, Depth: 50, Memory: 1 << 20})
		o, err := p.Parse([]byte("abcdefgh"))
		if err == nil {
			for _, a := range spec.Root.Instances {
				if _, _, _, bad := p.Read(o, a); err == nil && bad != nil {
					err = bad
				}
			}
		}
		var e *Error
		if !errors.As(err, &e) || e.Kind != LimitReached {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHostileFilesAreRefused before they take memory.
func TestHostileFilesAreRefused(t *testing.T) {
	bomb := "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
	for c := 'b'; c < 'k'; c++ {
		prev := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+prev+",", 10), ",") + "]\n"
	}
	for name, ksy := range map[string]string{
		"repeated":    bomb,
		"parentheses": "instances: {a: {value: '" + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000) + "'}}",
		"signs":       "instances: {a: {value: '" + strings.Repeat("-", 100000) + "1'}}",
		"nested":      strings.Repeat("[", 100000),
		"large":       "doc: " + strings.Repeat("x", maxFile),
		"of itself":   "&a [*a]",
	} {
		if _, err := Load(texts{"a.ksy": ksy}, "a.ksy"); err == nil {
			t.Errorf("%s: no mistake", name)
		}
	}
}

// TestSizesOfTypesWithinTypes are each asked for once: 40 types that hold the next one twice are a million million.
func TestSizesOfTypesWithinTypes(t *testing.T) {
	ksy := "seq: [{id: x, type: t0}]\ninstances: {size: {value: x._sizeof / 1}}\ntypes:\n"
	for i := range 40 {
		ksy += fmt.Sprintf("  t%d: {seq: [{id: a, type: t%d}, {id: b, type: t%d}]}\n", i, i+1, i+1)
	}
	ksy += "  t40: {seq: [{id: a, size: 0}]}\n"
	spec := load(t, texts{"a.ksy": ksy})
	if got := spec.Root.Seq[0].bitSize(); got != 0 {
		t.Errorf("the size is %d", got)
	}
}

// FuzzLoad reads any bytes as any description.
func FuzzLoad(f *testing.F) {
	f.Add("seq: [{id: a, type: b3}, {id: b, size: a, process: xor(a)}]\ninstances: {c: {pos: a, type: u1, repeat: eos}}",
		[]byte("ab"))
	f.Add("seq: [{id: a, type: {switch-on: _io.size, cases: {2: u2le, _: strz}}}]\n-x: {y: [z]}", []byte("ab"))
	f.Add("instances: {a: {value: 'f\"{1 + 2}\" + [1, 2.5, \"x\"].first.to_s', if: not false and 2 << 3 > 1}}", []byte{})
	f.Fuzz(func(t *testing.T, ksy string, data []byte) {
		spec, err := Load(texts{"a.ksy": ksy}, "a.ksy")
		if err != nil {
			return
		}
		p := NewParser(spec, Limits{Steps: 20000, Depth: 20, Memory: 1 << 18})
		o, _ := p.Parse(data)
		for _, a := range spec.Root.Instances {
			_, _, _, _ = p.Read(o, a)
		}
	})
}
