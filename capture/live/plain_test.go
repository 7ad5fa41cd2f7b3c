//go:build cgo && linux

package live

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"remora/capture"
	"remora/capture/internal/pcapng"
)

// TestPlainTaker takes packets as other systems than Linux do.
func TestPlainTaker(t *testing.T) {
	if !alone(t) {
		return
	}
	h, _, err := openInterface("lo", capture.Options{Filter: "udp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	from := &plainTaker{h: h.(pcapDevice).Handle}
	if _, err := from.next(0); err != errSilence {
		t.Errorf("silence gives %v", err)
	}
	talk(t, 3)
	for i := 0; i < 3; {
		p, err := from.next(0)
		if err == errSilence {
			continue
		}
		if err != nil || p.n != 1 {
			t.Fatalf("packet %d: %+v, %v", i, p, err)
		}
		le, b := binary.LittleEndian, p.blocks
		size := le.Uint32(b[20:])
		if want := fmt.Appendf(nil, "packet %d", i); !bytes.HasSuffix(b[pcapng.EpbHeader:pcapng.EpbHeader+size], want) ||
			le.Uint32(b[24:]) != size || le.Uint32(b[12:]) == 0 {
			t.Fatalf("packet %d: %x", i, b)
		}
		i++
	}
}
