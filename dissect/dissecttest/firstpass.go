package dissecttest

import (
	"testing"

	"remora/dissect"
)

// InFirstPass runs a function in the first pass, where tables may be filled.
func InFirstPass(t *testing.T, run func(d *dissect.D)) {
	t.Helper()
	p := dissect.NewProtocol("firstpass", "First pass", "Runs a test.")
	all := p.Bytes("all", "All", "All bytes.")
	done := false
	plugins := OverUDP(dissect.Plugin{Protocol: p, UDP: []uint16{9}, Dissect: func(d *dissect.D) {
		if d.Session().FirstPass() {
			run(d)
			done = true
		}
		d.Rest(all)
	}})
	k := Conversation{T: t, Plugins: plugins}
	k.Send(1, Spot{Host: 1, Port: 9}, Spot{Host: 2, Port: 9}, []byte{0})
	k.Session()
	if !done {
		t.Fatal("the test did not run")
	}
}
