// Package privatekey reads RSA keys from files, as PEM and DER in the forms PKCS#1 and PKCS#8 and from PKCS#12, and
// decrypts with them what TLS clients sent. The standard library's reader of keys refuses the old and short ones that
// captures are read with.
package privatekey

import (
	"bytes"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"

	"remora/dissect"
	"remora/internal/textfile"
)

// RSA is a private key.
type RSA struct{ n, d *big.Int }

// Limits of files and keys.
const (
	maxFile = 1 << 20
	maxBits = 16384
)

var (
	errNone     = errors.New("there is no RSA key in it, in the forms PEM, DER or PKCS#12")
	errPassword = errors.New("the password does not open it")
	errCipher   = errors.New(
		"it is encrypted in a way that is not read here: only PBES2 with AES or triple DES, and the " +
			"ways of PKCS#12 with triple DES or RC2, are")
)

// Read reads the key in a file, which may be locked by a password.
func Read(path, password string) (*RSA, error) {
	b, err := textfile.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	k, err := Parse(b, password)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// Parse reads the first key in the contents of a file.
func Parse(b []byte, password string) (*RSA, error) {
	if !bytes.Contains(b, []byte("-----BEGIN")) {
		if k, err := fromDER(b, password); k != nil || !errors.Is(err, errNone) {
			return k, err
		}
		return fromPKCS12(b, password)
	}
	block, rest := pem.Decode(b)
	for p := (dissect.Progress{}); block != nil && p.Down(len(rest)); block, rest = pem.Decode(rest) {
		der := block.Bytes
		switch block.Type {
		case "RSA PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
		default:
			continue
		}
		if block.Headers["DEK-Info"] != "" {
			var err error
			if der, err = openPEM(block, password); err != nil {
				return nil, err
			}
		}
		k, err := fromDER(der, password)
		if errors.Is(err, errNone) && block.Headers["DEK-Info"] != "" {
			err = errPassword
		}
		return k, err
	}
	return nil, errNone
}

// The forms in which keys stand (RFC 8017 appendix A.1.2, RFC 5958 section 2).
type (
	pkcs1 struct {
		Version    int
		N, E, D    *big.Int
		P, Q       *big.Int
		DP, DQ, QI *big.Int
		More       asn1.RawValue `asn1:"optional"`
	}
	algorithm struct {
		ID         asn1.ObjectIdentifier
		Parameters asn1.RawValue `asn1:"optional"`
	}
	pkcs8 struct {
		Version    int
		Algorithm  algorithm
		Key        []byte
		Attributes asn1.RawValue `asn1:"optional,tag:0"`
	}
	sealed struct {
		Algorithm algorithm
		Data      []byte
	}
)

var oidRSA = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}

// fromDER reads one of the forms of a key.
func fromDER(der []byte, password string) (*RSA, error) {
	var k pkcs1
	if _, err := asn1.Unmarshal(der, &k); err == nil {
		return k.key()
	}
	var whole pkcs8
	if _, err := asn1.Unmarshal(der, &whole); err == nil && whole.Algorithm.ID.Equal(oidRSA) {
		return fromDER(whole.Key, "")
	}
	var locked sealed
	if _, err := asn1.Unmarshal(der, &locked); err == nil && len(locked.Algorithm.ID) > 0 {
		plain, err := locked.open(password)
		if err != nil {
			return nil, err
		}
		if _, err := asn1.Unmarshal(plain, &whole); err != nil {
			return nil, errPassword
		}
		if whole.Algorithm.ID.Equal(oidRSA) {
			return fromDER(whole.Key, "")
		}
	}
	return nil, errNone
}

func (k *pkcs1) key() (*RSA, error) {
	if bits := k.N.BitLen(); bits < 512 || bits > maxBits || k.D.Sign() <= 0 || k.D.BitLen() > bits {
		return nil, fmt.Errorf("an RSA key of %d bits is not taken: 512 to %d are", bits, maxBits)
	}
	return &RSA{n: k.N, d: k.D}, nil
}

// Size is the length of what is encrypted with the key, in bytes.
func (k *RSA) Size() int { return (k.n.BitLen() + 7) / 8 }

// Decrypt takes off the encryption and the padding of PKCS#1 v1.5; nil where the key does not fit.
func (k *RSA) Decrypt(c []byte) []byte {
	x := new(big.Int).SetBytes(c)
	if len(c) != k.Size() || x.Cmp(k.n) >= 0 {
		return nil
	}
	plain := x.Exp(x, k.d, k.n).FillBytes(make([]byte, k.Size()))
	if plain[0] != 0 || plain[1] != 2 {
		return nil
	}
	if end := bytes.IndexByte(plain[2:], 0); end >= 8 {
		return plain[2+end+1:]
	}
	return nil
}
