package crypt

import (
	"bytes"
	"crypto/ecdh"
	"crypto/sha256"
	"testing"
)

// TestX25519 holds secrets and public keys against the standard library's, edges of the field among the points.
func TestX25519(t *testing.T) {
	t.Parallel()
	points := [][]byte{bytes.Repeat([]byte{0xff}, 32), append([]byte{0xec}, bytes.Repeat([]byte{0xff}, 31)...),
		append([]byte{0xee}, bytes.Repeat([]byte{0xff}, 31)...), make([]byte, 32), append([]byte{1}, make([]byte, 31)...)}
	last := sha256.Sum256([]byte("key"))
	for i := range 64 {
		private := last[:]
		key, err := ecdh.X25519().NewPrivateKey(private)
		if err != nil {
			t.Fatal(err)
		}
		if got := X25519Public(private); !bytes.Equal(got, key.PublicKey().Bytes()) {
			t.Fatalf("the public key of %x is %x, want %x", private, got, key.PublicKey().Bytes())
		}
		point := X25519Public(private)
		if i < len(points) {
			point = points[i]
		}
		public, err := ecdh.X25519().NewPublicKey(point)
		if err != nil {
			t.Fatal(err)
		}
		next := sha256.Sum256(private)
		other, _ := ecdh.X25519().NewPrivateKey(next[:])
		want, _ := other.ECDH(public) // nil where the point has a small order
		if got := X25519(next[:], point); !bytes.Equal(got, want) {
			t.Fatalf("%x with %x is %x, want %x", next, point, got, want)
		}
		last = next
	}
	if X25519([]byte{1}, points[0]) != nil || X25519(last[:], []byte{1}) != nil {
		t.Error("keys of other sizes have a secret")
	}
}
