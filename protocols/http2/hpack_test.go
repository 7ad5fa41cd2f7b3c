package http2

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/net/http2/hpack"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/internal/texts"
)

// Tables that grow, shrink and forget, against another implementation.
func TestTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var packed bytes.Buffer
	var ours table
	e := hpack.NewEncoder(&packed)
	for round := range 3000 {
		if rnd.IntN(20) == 0 {
			e.SetMaxDynamicTableSize(uint32(rnd.IntN(startTable + 1)))
		}
		var want, got []string
		packed.Reset()
		for range rnd.IntN(8) {
			h := hpack.HeaderField{Name: strings.Repeat("n", 1+rnd.IntN(9)), Value: strings.Repeat("v", rnd.IntN(40)),
				Sensitive: rnd.IntN(9) == 0}
			if err := e.WriteField(h); err != nil {
				t.Fatal(err)
			}
			want = append(want, h.Name+"="+h.Value)
		}
		err := ours.read(packed.Bytes(), func(l line) {
			if l.form != formResize {
				got = append(got, l.name+"="+l.value)
			}
		})
		if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("block %d: %v: %q, not %q", round, err, got, want)
		}
		if n := len(ours.lines); n > 2*startTable/lineCost+2 {
			t.Fatalf("the table holds %d lines", n)
		}
	}
}

// A line of the table is put in the list once, whatever else came since.
func TestTextsStay(t *testing.T) {
	dissecttest.InFirstPass(t, func(d *dissect.D) {
		k := &known{name: "name", value: strings.Repeat("v", 100)}
		whole, named := line{name: k.name, value: k.value, whole: k}, line{name: k.name, value: "other", named: k}
		first := whole.pair(d)
		name, _ := whole.texts(d)
		for i := range 10 {
			texts.Keep(d, strings.Repeat(string(rune('a'+i)), 1<<20))
		}
		if whole.pair(d) != first {
			t.Error("the line was put in the list again")
		}
		if n, v := named.texts(d); n != name || v.String(d) != "other" {
			t.Error("the name was put in the list again")
		}
	})
}

// TestFloodIsCheap counts what a flood of lines of one byte each leaves: eight bytes for each, and nothing else for
// lines that are known, however they move through the table.
func TestFloodIsCheap(t *testing.T) {
	if size := unsafe.Sizeof(row{}); size != 8 {
		t.Errorf("a row takes %d bytes", size)
	}
	dissecttest.InFirstPass(t, func(d *dissect.D) {
		const rounds, refs = 300, 60
		var tab table
		lines := uint32(0)
		put := func(l line) {
			lines++
			if at := rows.Put(d, l.row(d)); at != lines {
				t.Fatalf("line %d is row %d", lines, at)
			}
			e := rows.At(d, lines).entry(d)
			if e.Name.String(d) != l.name || e.Value.String(d) != l.value || e.Index != l.index || e.Form != l.form ||
				e.Unknown != l.unknown {
				t.Fatalf("line %d is %v, not %v", lines, e, l)
			}
		}
		for i := range rounds {
			block := []byte{0x40, 1, 'a', 2, byte(i), byte(i >> 8)}
			for j := range refs {
				block = append(block, 0x80|byte(2+j), 0x80|byte(62+j%50), 0x0f, 1, 0)
			}
			if err := tab.read(block, put); err != nil {
				t.Fatal(err)
			}
		}
		if n := pairs.Put(d, pair{}); n > rounds+2*refs+10 {
			t.Errorf("%d lines leave %d pairs", lines, n)
		}
	})
}

// Streams that both sides ended are forgotten.
func TestOver(t *testing.T) {
	s, d := session{}, &dissect.D{}
	exchange := s.streams.Get(1, maxStreams)
	for i, want := range []int{1, 0} {
		d.Dir = i
		exchange.end(d, &note{})
		s.over(1, exchange)
		if got := s.streams.Len(); got != want {
			t.Errorf("with %d ends %d streams are known, not %d", i+1, got, want)
		}
	}
}
