package wlan

import (
	"encoding/hex"
	"strings"
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

// TestPublished holds what keys are made with against published examples.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want string
	}{
		{"PSK, IEEE 802.11-2020 annex J.4.2", hex.EncodeToString(psk([]byte("password"), "IEEE")),
			"f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"},
		{"PSK, IEEE 802.11-2020 annex J.4.2", hex.EncodeToString(psk([]byte("ThisIsAPassword"), "ThisIsASSID")),
			"0dc0d6eb90555ed6419756b9a15ec3e3209b63df707dd508d14581f8982721af"},
		{"CMAC, RFC 4493", hex.EncodeToString(cmac(unhex(t, "2b7e151628aed2a6abf7158809cf4f3c"), nil)),
			"bb1d6929e95937287fa37d129b756746"},
		{"CMAC, RFC 4493", hex.EncodeToString(cmac(unhex(t, "2b7e151628aed2a6abf7158809cf4f3c"),
			unhex(t, "6bc1bee22e409f96e93d7e117393172a"))), "070a16b46b4d4144f79bdd9dd04a287c"},
		{"CMAC, RFC 4493", hex.EncodeToString(cmac(unhex(t, "2b7e151628aed2a6abf7158809cf4f3c"),
			unhex(t, "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411"))),
			"dfa66747de9ae63030ca32611497c827"},
		{"key wrap, RFC 3394", hex.EncodeToString(unwrap(unhex(t, "000102030405060708090a0b0c0d0e0f"),
			unhex(t, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"))), "00112233445566778899aabbccddeeff"},
		{"PRF, IEEE 802.11-2020 annex J.3.2", hex.EncodeToString(prf(way(t, 2).hash, []byte(strings.Repeat("\x0b", 20)),
			"prefix", []byte("Hi There"), 24)), "bcd4c650b30b9684951829e0d75f9d54b862175ed9f00606"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
	if got := unwrap(unhex(t, "000102030405060708090a0b0c0d0e0e"),
		unhex(t, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5")); got != nil {
		t.Errorf("another key unwraps it to %x", got)
	}
}

func way(t *testing.T, kind uint8) akm {
	t.Helper()
	a, ok := akmOf(kind)
	if !ok {
		t.Fatal(kind)
	}
	return a
}

// TestWrongKeys looks at what is said of keys that cannot be right.
func TestWrongKeys(t *testing.T) {
	for value, want := range map[string]string{
		`"wep","12:34:56:78:90"`: "", `"wpa-pwd","test0815"`: "", `"wpa-pwd","a%20long one:net%3awork"`: "",
		`"wpa-psk","` + strings.Repeat("ab", 32) + `"`: "", `"msk","` + strings.Repeat("ab", 64) + `"`: "",
		`"tk","` + strings.Repeat("ab", 16) + `"`: "", `"wpa-pwd","short"`: "8 to 63", `"wpa-pwd","test%0815%"`: "percent",
		`"wpa-psk","abcd"`: "32 or 48", `"tk","ab"`: "16 or 32", `"msk","ab"`: "64", `"wep","xyz"`: "hexadecimal",
		`"wpa2","abcdefgh"`: "hexadecimal", `"wpa2","abcd"`: "no sort of key", `"wep"`: "2 columns",
		`"wpa-pwd","test0815:` + strings.Repeat("n", 33) + `"`: "at most 32",
	} {
		_, err := pKeys.Parse(value)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
}

// TestKeyFrames reads what is cut, and what is not of the kind.
func TestKeyFrames(t *testing.T) {
	frame := append([]byte{2, 3, 0, 99, 2, 0x13, 0xc8}, make([]byte, 96)...)
	frame[98+1], frame[98] = 0, 0
	frame[97], frame[98] = 0, 4
	if f, ok := keyFrameOf(frame); !ok || len(f.data) != 4 || f.wpa || !f.ack || !f.sealed() {
		t.Errorf("%+v, %v", f, ok)
	}
	for n := range len(frame) {
		if _, ok := keyFrameOf(frame[:n]); ok {
			t.Errorf("%d bytes are enough", n)
		}
	}
}
