package dissecttest

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
)

// A stack of the tests' own: Ethernet, IPv4 and UDP as far as a plugin over UDP needs them, and data for the rest.
var (
	wire    = dissect.NewProtocol("wire", "Wire", "Addresses and ports for the tests.").Quiet()
	wHead   = wire.Bytes("head", "Headers", "All headers.")
	rest    = dissect.NewProtocol("data", "Data", "Bytes that no protocol takes.").Quiet()
	restAll = rest.Bytes("data", "Data", "The bytes.")
)

// Headers is how many bytes stand in front of what Datagram sends.
const Headers = 42

// OverUDP puts plugins between the stack of the tests and data. Datagrams to or from port 1 are data.
func OverUDP(plugins ...dissect.Plugin) []dissect.Plugin {
	below := dissect.Plugin{Protocol: wire, On: []dissect.Key{{Table: dissect.TableRoot, Value: 0}}, Dissect: dissectWire}
	above := dissect.Plugin{Protocol: rest, UDP: []uint16{1}, Dissect: func(d *dissect.D) { d.Rest(restAll) }}
	return append(append([]dissect.Plugin{below}, plugins...), above)
}

// dissectWire takes the headers; what is no UDP over IPv4 without options is all header.
func dissectWire(d *dissect.D) {
	b := d.Data()
	if len(b) < Headers-8 || b[12] != 8 || b[13] != 0 || b[14] != 0x45 || b[23] != 17 {
		d.Rest(wHead)
		return
	}
	if b[20]&0x3f != 0 || b[21] != 0 {
		dissectFragment(d, b)
		return
	}
	if len(b) < Headers {
		d.Rest(wHead)
		return
	}
	d.Bytes(wHead, Headers)
	d.Ends().Set(dissect.IPv4Addr(b[26:]), dissect.IPv4Addr(b[30:]))
	src, dst := binary.BigEndian.Uint16(b[34:]), binary.BigEndian.Uint16(b[36:])
	d.Limit(int(binary.BigEndian.Uint16(b[38:])) - 8)
	d.Ends().Converse(dissect.TableUDP, src, dst)
	d.Inner().NextPort(dissect.TableUDP, src, dst)
}

// dissectFragment takes a fragment of an IPv4 datagram; the UDP header is in the first one.
func dissectFragment(d *dissect.D, b []byte) {
	d.Bytes(wHead, Headers-8)
	at := binary.BigEndian.Uint16(b[20:])
	src, dst := dissect.IPv4Addr(b[26:]), dissect.IPv4Addr(b[30:])
	d.Ends().Set(src, dst)
	p := dissect.Piece{Key: dissect.PieceKey{Src: src, Dst: dst, ID: uint32(binary.BigEndian.Uint16(b[18:]))},
		Off: int(at&0x1fff) * 8, Last: at&0x2000 == 0}
	whole, done := d.Stream().Assemble(p, d.Left())
	d.Rest(wHead)
	if !done {
		return
	}
	b = d.Stream().Gather(whole.Refs)
	d.Stream().FromFragments("Datagram", b, func() {
		d.Bytes(wHead, min(8, len(b)))
		if len(b) >= 8 {
			src, dst := binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])
			d.Ends().Converse(dissect.TableUDP, src, dst)
			d.Inner().NextPort(dissect.TableUDP, src, dst)
		}
	})
}

// Fragments cuts a Datagram into fragments with size bytes of its payload each, a multiple of 8, and the number id.
func Fragments(datagram []byte, size int, id uint16) (out [][]byte) {
	const ip = Headers - 8
	for at := ip; at < len(datagram); at += size {
		end := min(len(datagram), at+size)
		b := append(append([]byte(nil), datagram[:ip]...), datagram[at:end]...)
		word := uint16(at-ip) / 8
		if end < len(datagram) {
			word |= 0x2000
		}
		binary.BigEndian.PutUint16(b[18:], id)
		binary.BigEndian.PutUint16(b[20:], word)
		out = append(out, b)
	}
	return out
}

// A Spot is the address 10.0.0.Host and a port. It is an alias so that tests may leave out the names.
type Spot = struct {
	Host byte
	Port uint16
}

// Datagram is an Ethernet frame with a UDP datagram over IPv4, without checksums.
func Datagram(src, dst Spot, payload []byte) []byte {
	b := make([]byte, Headers, Headers+len(payload))
	b[12], b[14], b[23] = 8, 0x45, 17
	binary.BigEndian.PutUint16(b[16:], uint16(28+len(payload)))
	copy(b[26:], []byte{10, 0, 0, src.Host, 10, 0, 0, dst.Host})
	binary.BigEndian.PutUint16(b[34:], src.Port)
	binary.BigEndian.PutUint16(b[36:], dst.Port)
	binary.BigEndian.PutUint16(b[38:], uint16(8+len(payload)))
	return append(b, payload...)
}

// Unhex reads bytes as they stand in documents: hexadecimal digits with white space anywhere.
func Unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A Conversation is a capture that a test builds datagram by datagram.
type Conversation struct {
	T       testing.TB
	Plugins []dissect.Plugin
	Packets []Packet
}

// Say adds a datagram, in hexadecimal digits, gap milliseconds after the one before.
func (k *Conversation) Say(gap int64, src, dst Spot, text string) dissect.FrameNum {
	k.T.Helper()
	return k.Send(gap, src, dst, Unhex(k.T, text))
}

// Send is Say with the bytes themselves.
func (k *Conversation) Send(gap int64, src, dst Spot, payload []byte) dissect.FrameNum {
	k.Packets = append(k.Packets, Packet{Data: Datagram(src, dst, payload), Gap: gap * 1e6})
	return dissect.FrameNum(len(k.Packets))
}

// Session passes over what was said so far.
func (k *Conversation) Session(as ...dissect.DecodeAs) *dissect.Session {
	k.T.Helper()
	return Session(k.T, k.Plugins, 1, k.Packets, as...)
}

// LoadReal passes over a capture of the folder that REMORA_CAPTURES names, and skips the test where there is none.
func LoadReal(t testing.TB, plugins []dissect.Plugin, name string) *dissect.Session {
	t.Helper()
	folder := os.Getenv("REMORA_CAPTURES")
	if folder == "" {
		t.Skip("REMORA_CAPTURES names no folder of captures")
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	return Load(t, plugins, path)
}
