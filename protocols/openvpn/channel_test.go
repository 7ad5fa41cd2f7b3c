package openvpn

import (
	"encoding/binary"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/internal/tables"
)

var taker = dissect.NewProtocol("taker", "Taker", "Stands in for TLS.")

var taken = taker.Bytes("records", "Records", "What is handed on.")

// messageOf is a control message without anything around it.
func messageOf(op byte, number uint32, data ...byte) []byte {
	b := append([]byte{op << 3, 1, 2, 3, 4, 5, 6, 7, 8, 0}, binary.BigEndian.AppendUint32(nil, number)...)
	return append(b, data...)
}

// Records in several messages, out of order, twice, and with a beginning that never came.
func TestChannel(t *testing.T) {
	plugins := dissecttest.OverUDP(Plugin(),
		dissect.Plugin{Protocol: taker, On: []dissect.Key{{Table: tables.TLS, Value: 0}},
			Dissect: func(d *dissect.D) { d.Rest(taken) }})
	k := dissecttest.Conversation{T: t, Plugins: plugins}
	alice, bob := dissecttest.Spot{Host: 1, Port: 40000}, dissecttest.Spot{Host: 2, Port: 1194}
	k.Send(1, alice, bob, messageOf(resetV2, 0))
	first := k.Send(1, alice, bob, messageOf(control, 1, 22, 3, 1, 0, 2, 0xaa, 0xbb, 23, 3))
	third := k.Send(1, alice, bob, messageOf(control, 3, 0xdd))
	second := k.Send(1, alice, bob, messageOf(control, 2, 3, 0, 2, 0xcc))
	again := k.Send(1, alice, bob, messageOf(control, 2, 3, 0, 2, 0xcc))
	other := k.Send(1, bob, alice, messageOf(control, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9))
	s := k.Session()
	for n, want := range map[dissect.FrameNum]string{first: "1603010002aabb", third: "", second: "1703030002ccdd",
		again: "", other: ""} {
		if got, _ := dissecttest.Find(s.Tree(n), "taker.records"); got != want {
			t.Errorf("frame %d hands on %q, not %q", n, got, want)
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Truncations(t, plugins, s)
}
