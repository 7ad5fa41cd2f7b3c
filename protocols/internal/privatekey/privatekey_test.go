package privatekey_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/protocols/internal/privatekey"
)

// TestRead reads a key of OpenSSL's in each form, and decrypts with it what OpenSSL encrypted.
func TestRead(t *testing.T) {
	sealed, err := os.ReadFile("testdata/sealed")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pkcs1.pem", "pkcs8.pem", "pkcs8.der", "pkcs1-aes.pem", "pkcs1-des3.pem",
		"pkcs8-pbes2.pem", "pkcs8-3des.pem", "pbes2.p12", "3des.p12", "rc2.p12"} {
		path := filepath.Join("testdata", name)
		k, err := privatekey.Read(path, "secret")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := string(k.Decrypt(sealed)); got != "hello secret" {
			t.Errorf("%s decrypts %q", name, got)
		}
		if k.Decrypt(sealed[1:]) != nil || k.Decrypt(append([]byte{sealed[0] ^ 1}, sealed[1:]...)) != nil {
			t.Errorf("%s decrypts what was changed", name)
		}
		locked := !strings.HasPrefix(name, "pkcs8.") && name != "pkcs1.pem"
		if _, err := privatekey.Read(path, "wrong"); locked && (err == nil || !strings.Contains(err.Error(), "password")) {
			t.Errorf("%s with a wrong password: %v", name, err)
		}
	}
	for name, want := range map[string]string{"ec.pem": "no RSA key", "sealed": "no RSA key", "missing": "testdata"} {
		if _, err := privatekey.Read(filepath.Join("testdata", name), ""); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// FuzzParse reads anything as a file of keys.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"pkcs1-des3.pem", "pkcs8.der", "rc2.p12"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(_ *testing.T, b []byte) {
		if k, err := privatekey.Parse(b, "secret"); err == nil {
			k.Decrypt(make([]byte, k.Size()))
		}
	})
}
