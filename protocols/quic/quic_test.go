package quic

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	tlsproto "remora/protocols/tls"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), ip.Plugin(), udp.Plugin(), Plugin(), tlsproto.Plugin(),
		tlsproto.Certificate(),
		tlsproto.Names(), tlsproto.Texts(), tlsproto.Extensions(), data.Plugin()}
}

// datagramOf wraps a payload into UDP over IPv4 over Ethernet; back is from the server.
func datagramOf(back bool, payload []byte) []byte {
	from, to, sport, dport := "192.0.2.1", "192.0.2.2", uint16(50000), uint16(443)
	if back {
		from, to, sport, dport = to, from, dport, sport
	}
	udp := dissecttest.UDP(sport, dport, payload)
	return dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolUDP, from, to, udp))
}

// varintOf writes a number in two bytes.
func varintOf(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)|0x4000) }

// cryptoOf is a CRYPTO frame.
func cryptoOf(off int, b []byte) []byte {
	out := append([]byte{frameCrypto}, varintOf(off)...)
	return append(append(out, varintOf(len(b))...), b...)
}

// seal makes an Initial packet by RFC 9001: dcid is the ID that the client began with, to and from those in the header.
func seal(t *testing.T, version uint32, id, to, from []byte, server bool, number uint16, frames []byte,
	size int) []byte {
	t.Helper()
	k := keysOf(version, suite128, initialSecret(version, id, server))
	aead, err := k.aead()
	if err != nil {
		t.Fatal(err)
	}
	first := byte(0xc1)
	if version == version2 {
		first = 0xd1
	}
	head := binary.BigEndian.AppendUint32([]byte{first}, version)
	head = append(append(head, byte(len(to))), to...)
	head = append(append(head, byte(len(from))), from...)
	head = append(head, 0)
	if pad := size - len(head) - 2 - 2 - len(frames) - 16; pad > 0 {
		frames = append(frames, make([]byte, pad)...)
	}
	head = append(head, varintOf(2+len(frames)+16)...)
	at := len(head)
	head = binary.BigEndian.AppendUint16(head, number)
	nonce := bytes.Clone(k.IV[:])
	nonce[10] ^= byte(number >> 8)
	nonce[11] ^= byte(number)
	packet := aead.Seal(bytes.Clone(head), nonce, frames, head)
	mask, _ := k.mask(packet[at+4 : at+20])
	packet[0] ^= mask[0] & 0x0f
	packet[at] ^= mask[1]
	packet[at+1] ^= mask[2]
	return packet
}

// helloOf is a real Client Hello as QUIC carries it.
func helloOf(t *testing.T, name string) []byte {
	t.Helper()
	c := tls.QUICClient(&tls.QUICConfig{TLSConfig: &tls.Config{ServerName: name, NextProtos: []string{"h3"},
		MinVersion: tls.VersionTLS13}})
	c.SetTransportParameters([]byte{0x01, 0x02, 0x67, 0x10, 0x0f, 0x00})
	if err := c.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for {
		switch e := c.NextEvent(); e.Kind {
		case tls.QUICWriteData:
			return bytes.Clone(e.Data)
		case tls.QUICNoEvent:
			t.Fatal("the client says nothing")
		}
	}
}

// The keys of RFC 9001 appendix A.1 and RFC 9369 appendix A.1.
func TestKeys(t *testing.T) {
	id, _ := hex.DecodeString("8394c8f03e515708")
	for _, c := range []struct {
		version uint32
		server  bool
		iv      string
	}{{version1, false, "fa044b2f42a3fd3b46fb255c"}, {version1, true, "0ac1493ca1905853b0bba03e"},
		{version2, false, "91f73e2351d8fa91660e909f"}, {version2, true, "dd13c276499c0249d3310652"}} {
		k := keysOf(c.version, suite128, initialSecret(c.version, id, c.server))
		if got := hex.EncodeToString(k.IV[:]); got != c.iv {
			t.Errorf("version %#x, server %v: the IV is %s, not %s", c.version, c.server, got, c.iv)
		}
	}
}

// A connection whose Client Hello comes in two packets, the second part first, in both versions; then the server's
// answer and what cannot be read any more.
func TestInitial(t *testing.T) {
	id, mine, theirs := []byte{1, 2, 3, 4, 5, 6, 7, 8}, []byte{0xaa, 0xbb}, []byte{0xcc, 0xdd, 0xee}
	for _, version := range []uint32{version1, version2, drafts + 29, drafts + 27, drafts + 24, drafts + 22, 0xfaceb002} {
		h := helloOf(t, "www.example.test")
		cut := len(h) / 2
		handshake := append(binary.BigEndian.AppendUint32([]byte{0xe0}, version), 2, 0xaa, 0xbb, 3, 0xcc, 0xdd, 0xee)
		if version == version2 {
			handshake[0] = 0xf0
		}
		handshake = append(append(handshake, varintOf(30)...), make([]byte, 30)...)
		server := seal(t, version, id, mine, theirs, true, 0,
			append([]byte{frameAck, 1, 0, 0, 0}, frameClose, 0x41, 0x28, 0, 2, 'n', 'o'), 0)
		s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(
			datagramOf(false,
				seal(t, version, id, id, mine, false, 0, append([]byte{framePing}, cryptoOf(cut, h[cut:])...), 1200)),
			datagramOf(false, seal(t, version, id, id, mine, false, 1, cryptoOf(0, h[:cut]), 1200)),
			datagramOf(true, append(server, handshake...)),
			datagramOf(false, append([]byte{0x41, 0xcc, 0xdd, 0xee}, make([]byte, 30)...)),
			datagramOf(false, seal(t, version, id, id, mine, false, 2, cryptoOf(0, h), 1200)),
		))
		for n, want := range map[dissect.FrameNum]map[string]string{
			1: {"quic.type": "Initial", "quic.packet_number": "0", "tls.handshake.type": ""},
			2: {"tls.handshake.type": "Client Hello (1)", "tls.handshake.extensions_server_name": "www.example.test",
				"tls.handshake.extensions_alpn_str": "h3",
				"quic.packet_number":                "1", "tls.quic.parameter.max_idle_timeout": "10000 ms"},
			3: {"quic.type": "Initial,Handshake", "quic.cc.error_code.tls_alert": "40", "quic.cc.reason_phrase": "no",
				"quic.ack.largest_acknowledged": "1"},
			4: {"quic.type": "Protected Payload", "quic.dcid": "ccddee"},
			5: {"quic.crypto.offset": "0", "tls.handshake.type": ""}, // once more
		} {
			tree := s.Tree(n)
			for field, value := range want {
				if got := dissecttest.All(tree, field); got != value {
					t.Errorf("version %#x, frame %d: %s is %q, not %q", version, n, field, got, value)
				}
			}
			if tree.Protocol().Name() != "quic" {
				t.Errorf("frame %d is shown as %s", n, tree.Protocol().Name())
			}
		}
		if want := "Initial, DCID=0102030405060708, SCID=aabb, PKN: 1, CRYPTO, PADDING"; s.Tree(2).InfoLine() != want {
			t.Errorf("the Info column is %q, not %q", s.Tree(2).InfoLine(), want)
		}
		if ja4, _ := dissecttest.Find(s.Tree(2), "tls.handshake.ja4"); len(ja4) != 36 || ja4[:4] != "q13d" {
			t.Errorf("JA4 is %q", ja4)
		}
		dissecttest.Redissections(t, s)
		dissecttest.Fields(t, s)
	}
}

// The packets that need no keys.
func TestHeaders(t *testing.T) {
	negotiation := []byte{0xca, 0, 0, 0, 0, 1, 0x11, 1, 0x22, 0, 0, 0, 1, 0x6b, 0x33, 0x43, 0xcf, 0x1a, 0x2a, 0x3a, 0x4a}
	retry := append([]byte{0xf0, 0, 0, 0, 1, 1, 0x11, 1, 0x22, 't', 'o', 'k', 'e', 'n'}, bytes.Repeat([]byte{7}, 16)...)
	first := make([]byte, minInitial)
	copy(first, []byte{0xc3, 0, 0, 0, 1, 1, 0x11, 1, 0x22, 0, 0x44, 0x00})
	s := dissecttest.Session(t, plugins(), 1,
		dissecttest.Packets(datagramOf(false, first), datagramOf(true, negotiation), datagramOf(true, retry)))
	for n, want := range map[dissect.FrameNum]map[string]string{
		1: {"quic.type": "Initial", "quic.length": "1024"},
		2: {"quic.type": "Version Negotiation", "quic.supported_version": "1 (0x00000001),2 (0x6b3343cf),0x1a2a3a4a"},
		3: {"quic.type": "Retry", "quic.retry_token": "746f6b656e",
			"quic.retry_integrity_tag": "07070707070707070707070707070707"},
	} {
		for field, value := range want {
			if got := dissecttest.All(s.Tree(n), field); got != value {
				t.Errorf("frame %d: %s is %q, not %q", n, field, got, value)
			}
		}
	}
	if _, ok := dissecttest.Find(s.Tree(1), "quic.decryption_failed"); !ok {
		t.Error("an Initial packet that nothing opens has no note")
	}
	dissecttest.Redissections(t, s)
	dissecttest.Truncations(t, plugins(), s)
}

// A server's versions tell QUIC on any port, and a packet whose fixed bit is clear (RFC 9287) follows another one where
// it goes to the same ID.
func TestForms(t *testing.T) {
	negotiation := []byte{0xca, 0, 0, 0, 0, 1, 0x11, 1, 0x22, 0, 0, 0, 1}
	joined := append([]byte{0xc3, 0, 0, 0, 1, 1, 0x11, 1, 0x22, 0, 0x41, 0x00}, make([]byte, 256)...)
	joined = append(append(joined, 0, 0x11), make([]byte, minInitial)...)
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(
		dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolUDP, "192.0.2.1", "192.0.2.2",
			dissecttest.UDP(5001, 5002, negotiation))), datagramOf(false, joined)))
	for n, want := range []string{"Version Negotiation", "Initial,Protected Payload"} {
		if got := dissecttest.All(s.Tree(dissect.FrameNum(n+1)), "quic.type"); got != want {
			t.Errorf("frame %d is %q, not %q", n+1, got, want)
		}
	}
	dissecttest.Redissections(t, s)
}

// Random frames under right keys, and random bytes behind a header, do no harm.
func FuzzQUIC(f *testing.F) {
	f.Add([]byte{frameCrypto, 0, 4, 1, 0, 0, 0}, false)
	f.Add([]byte{frameAck, 1, 0, 0xff, 0, 1, 1}, true)
	f.Add([]byte{0xc3, 0, 0, 0, 1, 20}, false)
	f.Fuzz(func(t *testing.T, b []byte, bare bool) {
		if len(b) > 1400 {
			return
		}
		id := []byte{1, 2, 3, 4, 5, 6, 7, 8}
		packet := b
		if !bare {
			packet = seal(t, version1, id, id, nil, false, 0, bytes.Clone(b), 1200)
		}
		s := dissecttest.Session(t, plugins(), 1,
			dissecttest.Packets(datagramOf(false, seal(t, version1, id, id, nil, false, 0, []byte{framePing}, 1200)),
				datagramOf(false, packet)))
		dissecttest.Sound(t, s.Tree(2))
	})
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }
