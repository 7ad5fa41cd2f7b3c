//go:build cgo

package bpf

import (
	"errors"
	"testing"

	"remora/capture/internal/capturetest"
)

func TestCompileFilter(t *testing.T) {
	b, err := Compile(1, 0, "udp")
	if err != nil || b.Steps < 4 {
		t.Fatal(b, err)
	}
	if !b.Matches(capturetest.IPPacket(17), 54) || b.Matches(capturetest.IPPacket(6), 54) || b.Matches(nil, 0) {
		t.Error("udp matches the wrong packets")
	}
	for link, head := range map[int]int{101: 0, 113: 16, 276: 20} {
		b, err := Compile(link, 65535, "udp")
		if err != nil {
			t.Fatal(err)
		}
		p := append(make([]byte, head), capturetest.IPPacket(17)[14:]...)
		switch link {
		case 113:
			p[14] = 8
		case 276:
			p[0] = 8
		}
		if !b.Matches(p, uint32(len(p))) {
			t.Errorf("link type %d: no match", link)
		}
	}
	for expr, hint := range map[string]bool{"ip.src == 1.2.3.4": true, "tcp.port": true, "udp && host 10.0.0.1": false,
		"prot 5": false, "host www.example.com and": false} {
		_, err := Compile(1, 0, expr)
		var f *Error
		if expr == "udp && host 10.0.0.1" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if !errors.As(err, &f) || f.Text == "" || (f.Hint != "") != hint {
			t.Errorf("%q: %v", expr, err)
		}
	}
}
