package aoe2

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// A stack of the tests' own: Ethernet, IPv4 without options checked, and UDP, as far as the plugin needs them.
var (
	wire    = dissect.NewProtocol("wire", "Wire", "Addresses and ports for the tests.").Quiet()
	wHead   = wire.Bytes("head", "Headers", "All headers.")
	rest    = dissect.NewProtocol("data", "Data", "Bytes that no protocol takes.").Quiet()
	restAll = rest.Bytes("data", "Data", "The bytes.")
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{
		{Protocol: wire, On: []dissect.Key{{Table: dissect.TableRoot, Value: 0}}, Dissect: dissectWire},
		Plugin(), Session(),
		{Protocol: rest, Dissect: func(d *dissect.D) { d.Rest(restAll) }},
	}
}

// dissectWire takes 42 bytes of headers; what is no UDP over IPv4 is data.
func dissectWire(d *dissect.D) {
	b := d.Data()
	if len(b) < 42 || b[12] != 8 || b[13] != 0 || b[14] != 0x45 || b[23] != 17 {
		d.Rest(wHead)
		return
	}
	d.Bytes(wHead, 42)
	d.Between(dissect.IPv4Addr(b[26:]), dissect.IPv4Addr(b[30:]))
	src, dst := binary.BigEndian.Uint16(b[34:]), binary.BigEndian.Uint16(b[36:])
	d.Limit(int(binary.BigEndian.Uint16(b[38:])) - 8)
	d.Converse(dissect.TableUDP, src, dst)
	d.NextPort(dissect.TableUDP, src, dst)
}

const headers = 42

// A spot is an address 10.0.0.x and a port.
type spot struct {
	host byte
	port uint16
}

var (
	host   = spot{1, 2350}
	second = spot{2, 2350}
	third  = spot{3, 2350}
)

func datagram(src, dst spot, payload []byte) []byte {
	b := make([]byte, headers, headers+len(payload))
	b[12], b[14], b[23] = 8, 0x45, 17
	binary.BigEndian.PutUint16(b[16:], uint16(28+len(payload)))
	copy(b[26:], []byte{10, 0, 0, src.host, 10, 0, 0, dst.host})
	binary.BigEndian.PutUint16(b[34:], src.port)
	binary.BigEndian.PutUint16(b[36:], dst.port)
	binary.BigEndian.PutUint16(b[38:], uint16(8+len(payload)))
	return append(b, payload...)
}

// unhex reads bytes as they stand in documents.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A talk builds a capture datagram by datagram.
type talk struct {
	t       testing.TB
	packets []dissecttest.Packet
}

// say adds a datagram gap milliseconds after the one before.
func (k *talk) say(gap int64, src, dst spot, text string) dissect.FrameNum {
	k.packets = append(k.packets, dissecttest.Packet{Data: datagram(src, dst, unhex(k.t, text)), Gap: gap * 1e6})
	return dissect.FrameNum(len(k.packets))
}

func (k *talk) session() *dissect.Session {
	return dissecttest.Session(k.t, plugins(), 1, k.packets)
}
