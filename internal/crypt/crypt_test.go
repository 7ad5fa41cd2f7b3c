package crypt_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"testing"

	"remora/internal/crypt"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// block is AES with a key.
func block(t *testing.T, key string) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(unhex(t, key))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCCM holds the mode against the examples of NIST SP 800-38C, appendix C, and of RFC 3610, section 8.
func TestCCM(t *testing.T) {
	long := make([]byte, 65536)
	for i := range long {
		long[i] = byte(i)
	}
	const nist = "404142434445464748494a4b4c4d4e4f"
	for _, c := range []struct {
		key, nonce string
		extra      []byte
		plain      string
		sealed     string
		tag        int
	}{
		{nist, "10111213141516", unhex(t, "0001020304050607"), "20212223", "7162015b4dac255d", 4},
		{nist, "1011121314151617", unhex(t, "000102030405060708090a0b0c0d0e0f"), "202122232425262728292a2b2c2d2e2f",
			"d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd", 6},
		{nist, "101112131415161718191a1b1c", long, "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
			"69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5b", 14},
		{"c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", "00000003020100a0a1a2a3a4a5", unhex(t, "0001020304050607"),
			"08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
			"588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e0", 8},
	} {
		a, err := crypt.NewCCM(block(t, c.key), len(c.nonce)/2, c.tag)
		if err != nil {
			t.Fatal(err)
		}
		nonce, sealed := unhex(t, c.nonce), unhex(t, c.sealed)
		if got := a.Seal(nil, nonce, unhex(t, c.plain), c.extra); !bytes.Equal(got, sealed) {
			t.Errorf("sealed %x, want %x", got, sealed)
		}
		checkOpen(t, a, nonce, sealed, c.extra, unhex(t, c.plain))
	}
	for _, size := range [][2]int{{6, 8}, {14, 8}, {12, 2}, {12, 18}, {12, 7}} {
		if _, err := crypt.NewCCM(block(t, nist), size[0], size[1]); err == nil {
			t.Errorf("nonces of %d and tags of %d bytes are taken", size[0], size[1])
		}
	}
}

// checkOpen opens what was sealed, and refuses it changed and cut.
func checkOpen(t *testing.T, a cipher.AEAD, nonce, sealed, extra, want []byte) {
	t.Helper()
	if got, err := a.Open(nil, nonce, sealed, extra); err != nil || !bytes.Equal(got, want) {
		t.Errorf("opened %x, %v, want %x", got, err, want)
	}
	for n := range a.Overhead() + 1 {
		if _, err := a.Open(nil, nonce, sealed[:n], extra); err == nil && n < len(sealed) {
			t.Errorf("%d bytes are opened", n)
		}
	}
	sealed[0] ^= 1
	if _, err := a.Open(nil, nonce, sealed, extra); err == nil {
		t.Error("what was changed is opened")
	}
	sealed[0] ^= 1
}

// TestGCM holds short tags against the standard library's, which they begin.
func TestGCM(t *testing.T) {
	b := block(t, "feffe9928665731c6d6a8f9467308308")
	whole, err := cipher.NewGCM(b)
	if err != nil {
		t.Fatal(err)
	}
	nonce, plain, extra := unhex(t, "cafebabefacedbaddecaf888"), bytes.Repeat([]byte("plain text"), 9), []byte("header")
	sealed := whole.Seal(nil, nonce, plain, extra)
	for _, tag := range []int{4, 8, 12, 16} {
		a, err := crypt.NewGCM(b, tag)
		if err != nil {
			t.Fatal(err)
		}
		checkOpen(t, a, nonce, bytes.Clone(sealed[:len(plain)+tag]), extra, plain)
	}
	if _, err := crypt.NewGCM(b, 17); err == nil {
		t.Error("a tag of 17 bytes is taken")
	}
}

// TestRC2 holds the cipher against the examples of RFC 2268, section 5.
func TestRC2(t *testing.T) {
	for _, c := range []struct {
		key           string
		bits          int
		plain, sealed string
	}{
		{"0000000000000000", 63, "0000000000000000", "ebb773f993278eff"},
		{"ffffffffffffffff", 64, "ffffffffffffffff", "278b27e42e2f0d49"},
		{"88bca90e90875a7f0f79c384627bafb2", 64, "0000000000000000", "1a807d272bbe5db1"},
		{"88bca90e90875a7f0f79c384627bafb216f80a6f85920584c42fceb0be255daf1e", 129, "0000000000000000", "5b78d3a43dfff1f1"},
	} {
		b, err := crypt.NewRC2(unhex(t, c.key), c.bits)
		if err != nil {
			t.Fatal(err)
		}
		plain, sealed, got := unhex(t, c.plain), unhex(t, c.sealed), make([]byte, 8)
		if b.Encrypt(got, plain); !bytes.Equal(got, sealed) {
			t.Errorf("encrypted %x, want %x", got, sealed)
		}
		if b.Decrypt(got, sealed); !bytes.Equal(got, plain) {
			t.Errorf("decrypted %x, want %x", got, plain)
		}
	}
}

// TestCamellia holds the cipher against the examples of RFC 3713, appendix A.
func TestCamellia(t *testing.T) {
	const whole = "0123456789abcdeffedcba987654321000112233445566778899aabbccddeeff"
	for n, want := range map[int]string{16: "67673138549669730857065648eabe43",
		24: "b4993401b3e996f84ee5cee7d79b09b9", 32: "9acc237dff16d76c20ef7c919e3a7509"} {
		b, err := crypt.NewCamellia(unhex(t, whole[:2*n]))
		if err != nil {
			t.Fatal(err)
		}
		plain, got := unhex(t, whole[:32]), make([]byte, 16)
		if b.Encrypt(got, plain); hex.EncodeToString(got) != want {
			t.Errorf("with %d bytes of key it encrypts %x, want %s", n, got, want)
		}
		if b.Decrypt(got, got); !bytes.Equal(got, plain) {
			t.Errorf("with %d bytes of key it decrypts %x", n, got)
		}
	}
}

// TestRC4 goes on from the middle of the stream of RFC 6229, with a key of 40 bits.
func TestRC4(t *testing.T) {
	c, passed, got := crypt.NewRC4(unhex(t, "0102030405")), make([]byte, 16), make([]byte, 16)
	c.XORKeyStream(passed, passed)
	var middle crypt.RC4
	for range 2 {
		middle = c
		clear(got)
		middle.XORKeyStream(got, got)
		if want := "6982944f18fc82d589c403a47a0d0919"; hex.EncodeToString(got) != want {
			t.Errorf("the second block is %x, want %s", got, want)
		}
	}
}
