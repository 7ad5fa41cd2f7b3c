package ui

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/ui/ticks"
)

// TestTypesEndsGolden draws the curves of those who send: with colours, and with signs where there are none.
func TestTypesEndsGolden(t *testing.T) {
	for _, wh := range screens {
		x := openFile(t, recorded("kaillera/n64.pcapng"), wh[0], wh[1]).keys("gtlj<wait><tab>")
		dissecttest.Compare(t, filepath.Join("testdata", "types-ends-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"), trimmed(x.text()))
		x.m.cfg.ASCII = true
		if x.keys(""); x.m.body().h > 12 {
			x.has(".. ", "** ")
			x.hasNot("━━")
		}
	}
}

// TestTypesEndsAddUp: what those who send sent is what the line counts, with a filter, too.
func TestTypesEndsAddUp(t *testing.T) {
	for _, filter := range []string{"", "/frame.number > 100 && dir == forth<enter>"} {
		x := openFile(t, recorded("kaillera/n64.pcapng"), 120, 36).keys(filter + "gtl")
		v, several := x.m.view().(*typesView), 0
		for range v.panel.rows {
			x.keys("<wait>")
			at, _ := v.at()
			e := v.curve.endsOf(x.m, at)
			sum := 0.0
			from, to := x.m.span()
			curves := e.curves(x.m)
			for i := range curves {
				sum += curves[i].spread(from, to+1, 1)[0]
			}
			if n := at.Group().Packets; curves != nil && uint64(sum+0.5) != n {
				t.Errorf("%s: those who send have %.1f packets, the line %d", at.Name(), sum, n)
			} else if curves != nil {
				several++
			}
			x.keys("j")
		}
		if several < 3 {
			t.Errorf("%q: only %d lines have curves of those who send", filter, several)
		}
	}
}

// TestTypesEndsNeedNames: without names of ends, with a pinned line and with gaps there is what there was.
func TestTypesEndsNeedNames(t *testing.T) {
	x := openFile(t, recorded("kaillera/n64.pcapng"), 120, 36).keys("gtlj<wait>")
	x.has("━━ server")
	for _, keys := range []string{"v", "v<space>j"} {
		x.keys(keys)
		x.hasNot("━━ server")
	}
	x.keys("k<space><wait>")
	x.has("━━ server")
	x.m.names = false
	x.keys("kj<wait>")
	x.hasNot("━━")
}

// TestMalformedTypesAreMarked: the line of a type with a malformed packet has a sign in front, others and filtered ones do not.
func TestMalformedTypesAreMarked(t *testing.T) {
	list := packets()
	cut := dissecttest.Packet{Data: append([]byte(nil), list[0].Data...), Gap: list[0].Gap}
	cut.Data = cut.Data[:len(cut.Data)-4] // the question ends in the middle of its type
	cut.Len = len(cut.Data)
	x := openPackets(t, 120, 36, Config{}, append(list, cut)).keys("gt")
	marked := func() (out []string) {
		for _, l := range strings.Split(x.text(), "\n")[3:12] {
			if before, after, ok := strings.Cut(l, "!"); ok && strings.Trim(before, " ▸▾") == "" {
				out = append(out, strings.Fields(strings.TrimLeft(after, " ▸▾"))[0])
			}
		}
		return out
	}
	if got := strings.Join(marked(), " "); got != "QUERY" {
		t.Errorf("marked: %q in\n%s", got, x.text())
	}
	v := x.m.view().(*typesView)
	for i, r := range v.panel.rows {
		if r.Key() == "dns" {
			v.table.cur = i
		}
	}
	x.keys("h")
	if got := strings.Join(marked(), " "); got != "DNS" {
		t.Errorf("folded: %q in\n%s", got, x.text())
	}
	x.keys("q/frame.number in {1.." + strconv.Itoa(len(list)) + "}<enter>gt")
	if got := marked(); len(got) > 0 || v.broken.has(ticks.Line{Proto: &v.panel.all[0], Dir: -1}) {
		t.Errorf("marked without a malformed packet: %q\n%s", got, x.text())
	}
}
