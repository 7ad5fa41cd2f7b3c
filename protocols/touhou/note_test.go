package touhou

import (
	"math/rand/v2"
	"testing"

	"remora/dissect"
)

// TestInputNote packs notes of any content and expects them back.
func TestInputNote(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	frame := func(here dissect.FrameNum) dissect.FrameNum {
		return []dissect.FrameNum{0, here, here - 1, here - 65535, here - 65536, 1}[r.IntN(6)]
	}
	for range 10_000 {
		in := inputs{fromHost: r.IntN(2) == 0, frame: uint32(r.IntN(80)), scene: uint8(2 + r.IntN(5)), count: r.IntN(256)}
		d := &dissect.D{Frame: 100_000 + dissect.FrameNum(r.IntN(10))}
		n := inputNote{repeats: r.Uint64() >> r.IntN(65), first: frame(d.Frame), step: frame(d.Frame)}
		n.fresh, n.flags = uint8(r.IntN(256)), uint8(r.IntN(2))*inputSokuroll
		n.pack(d, &in)
		got := inputNote{commonInput: n.commonInput, rareInput: n.rareInput}
		if got.unpack(d, &in); got != n {
			t.Fatalf("%+v came back as %+v", n, got)
		}
	}
}

// TestUsualInput checks that a packet with new frames in front and repeats behind them, as nearly all are, leaves the
// short note alone.
func TestUsualInput(t *testing.T) {
	d := &dissect.D{Frame: 1000}
	in := inputs{fromHost: true, frame: 100, scene: sceneBattle, count: 8}
	n := inputNote{repeats: 0b1110, first: 0, step: 999}
	n.fresh = 1
	if n.pack(d, &in); n.rareInput != (rareInput{}) {
		t.Errorf("the rare note is %+v", n.rareInput)
	}
	n.repeats = 0b1010
	if n.pack(d, &in); n.unusual != 0b0100 {
		t.Errorf("the mask is %b", n.unusual)
	}
}
