package git

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

// TestGit reads lines of both ends: texts, marks without one, a part of a pack.
func TestGit(t *testing.T) {
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), data.Plugin(), Plugin()}
	packets := dissecttest.Stream(9418, "C:0014command=ls-refs\n0001", "S:000eversion 2\n0000", "S:0007\x02hi0003")
	s := dissecttest.Session(t, plugins, 101, packets)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 3, Field: "git.packet_type", Want: "Delimiter (1)"},
		{Frame: 4, Field: "git.version", Want: "Git protocol version 2 (50)"},
		{Frame: 5, Field: "git.sideband_control_code", Want: "0x02"},
		{Frame: 5, Field: "_ws.expert.message", Want: "unrecognized special pkt-len value"},
	})
	var frames [][]byte
	for _, p := range packets {
		frames = append(frames, p.Data)
	}
	dissecttest.RunMade(t, plugins, 101, frames...)
}
