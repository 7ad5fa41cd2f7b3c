package quic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The server's first packet of RFC 9001 appendix A.3.
func TestServerInitial(t *testing.T) {
	packet := unhex(t, "cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a5816b6394100f37a1c69797554780bb3"+
		"8cc5a99f5ede4cf73c3ec2493a1839b3dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84022f8ef4cdd93795d7"+
		"7d06edbb7aaf2f58891850abbdca3d20398c276456cbc42158407dd074ee")
	k := keysOf(version1, suite128, initialSecret(version1, unhex(t, "8394c8f03e515708"), true))
	r := recipe{At: 18}
	if !r.unhide(&k, packet) || r.First != 0xc1 || r.Size != 2 || r.Number != 1 {
		t.Fatalf("the header is %+v", r)
	}
	aead, err := k.aead()
	if err != nil {
		t.Fatal(err)
	}
	payload := r.unseal(aead, k.IV, packet)
	if want := unhex(t, "02000000000600405a020000560303"); !bytes.HasPrefix(payload, want) {
		t.Errorf("the payload is %x", payload)
	}
}

// The short packet of RFC 9001 appendix A.5, with ChaCha20, and the secret behind its own.
func TestChaCha(t *testing.T) {
	secret := unhex(t, "9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b")
	k := keysOf(version1, suites[0x1303], secret)
	for _, c := range []struct {
		name      string
		got, want []byte
	}{
		{"key", k.Key[:], unhex(t, "c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8")},
		{"IV", k.IV[:], unhex(t, "e0459b3474bdd0e44a41c144")},
		{"key of the header", k.Hide[:], unhex(t, "25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4")},
	} {
		if !bytes.Equal(c.got, c.want) {
			t.Errorf("the %s is %x, not %x", c.name, c.got, c.want)
		}
	}
	next, keys := k.update(version1, suites[0x1303], secret)
	if want := unhex(t, "1223504755036d556342ee9361d253421a826c9ecdf3c7148684b36b714881f9"); !bytes.Equal(next, want) ||
		keys.Hide != k.Hide {
		t.Errorf("the next secret is %x, not %x", next, want)
	}
	packet := unhex(t, "4cfe4189655e5cd55c41f69080575d7999c25a5bfb")
	r := recipe{At: 1}
	if !r.unhide(&k, packet) || r.First != 0x42 || r.Size != 3 || r.Number != 0xbff4 {
		t.Fatalf("the header is %+v", r)
	}
	r.Number = fullNumber(654360564, r.Number, r.Size)
	aead, err := k.aead()
	if err != nil {
		t.Fatal(err)
	}
	if payload := r.unseal(aead, k.IV, packet); r.Number != 654360564 || !bytes.Equal(payload, []byte{framePing}) {
		t.Errorf("packet %d has the payload %x", r.Number, payload)
	}
}

// The Retry packets of RFC 9001 appendix A.4 and RFC 9369 appendix A.4.
func TestRetry(t *testing.T) {
	id := unhex(t, "8394c8f03e515708")
	for version, text := range map[uint32]string{
		version1: "ff000000010008f067a5502a4262b5746f6b656e04a265ba2eff4d829058fb3f0f2496ba",
		version2: "cf6b3343cf0008f067a5502a4262b5746f6b656ec8646ce8bfe33952d955543665dcc7b6",
	} {
		packet := unhex(t, text)
		if !genuine(version, id, packet) {
			t.Errorf("version %#x: the tag is not taken for right", version)
		}
		packet[len(packet)-1] ^= 1
		if genuine(version, id, packet) || genuine(version, id[1:], packet) {
			t.Errorf("version %#x: a wrong tag is taken for right", version)
		}
	}
}

// Packet numbers from their last bytes: the example of RFC 9000 appendix A.3, and both edges of the window.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		expected, part uint64
		size           uint8
		want           uint64
	}{{0xa82f30eb, 0x9b32, 2, 0xa82f9b32}, {0, 0xff, 1, 0xff}, {0x100, 0xff, 1, 0xff}, {0xff, 0x01, 1, 0x101},
		{0x1000, 0x05, 1, 0x1005}, {1 << 61, 0, 4, 1 << 61}} {
		if got := fullNumber(c.expected, c.part, c.size); got != c.want {
			t.Errorf("after %#x, %#x in %d bytes is %#x, not %#x", c.expected, c.part, c.size, got, c.want)
		}
	}
}

// What the handshake tells, also where it breaks off anywhere.
func TestLearn(t *testing.T) {
	b := helloOf(t, "www.example.test")
	var h hello
	if h.learn(b); h.asked != "h3" || !bytes.Equal(h.random[:], b[6:38]) {
		t.Errorf("the client would like %q, with the random %x", h.asked, h.random)
	}
	extensions := append([]byte{0, 16, 0, 5, 0, 3, 2, 'h', '3', 0, 57, 0, 21, 1, 1, 5, 2, 16},
		bytes.Repeat([]byte{9}, 16)...)
	server := append([]byte{encrypted, 0, 0, byte(2 + len(extensions)), 0, byte(len(extensions))}, extensions...)
	if h.learn(server); h.alpn != "h3" || len(h.tokens) != 1 || h.tokens[0][15] != 9 {
		t.Errorf("the server chose %q, with the tokens %x", h.alpn, h.tokens)
	}
	preferredAddress := append(make([]byte, 24), append([]byte{2, 0xab, 0xcd}, bytes.Repeat([]byte{8}, 16)...)...)
	extensions = append([]byte{0, 57, 0, byte(2 + len(preferredAddress)), preferred, byte(len(preferredAddress))},
		preferredAddress...)
	server = append([]byte{encrypted, 0, 0, byte(2 + len(extensions)), 0, byte(len(extensions))}, extensions...)
	if h.learn(server); string(h.moved) != "\xab\xcd" || len(h.tokens) != 2 || h.tokens[1][15] != 8 {
		t.Errorf("at its preferred address the server is %x, with the tokens %x", h.moved, h.tokens)
	}
	for n := range server {
		new(hello).learn(server[:n])
	}
	for n := range b {
		new(hello).learn(b[:n])
	}
}

// Keys of other suites have the lengths that they must have.
func TestSuites(t *testing.T) {
	for number, s := range suites {
		secret := make([]byte, s.hash().Size())
		k := keysOf(version2, s, secret)
		aead, err := k.aead()
		if err != nil || aead.NonceSize() != len(k.IV) || aead.Overhead() != 16 {
			t.Errorf("suite %#x: %v", number, err)
		}
	}
	if suite128.hash().Size() != sha256.Size {
		t.Error("the suite of Initial packets has another digest")
	}
}
