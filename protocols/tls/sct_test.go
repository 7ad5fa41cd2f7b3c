package tls

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"strings"
	"testing"
)

// TestTimestampsWithin reads what logs say of a certificate within the certificate (RFC 6962 section 3.3).
func TestTimestampsWithin(t *testing.T) {
	one := append(append([]byte{0}, bytes.Repeat([]byte{7}, 32)...), 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 4, 3, 0, 2, 's', 'g')
	list, err := asn1.Marshal(append([]byte{0, byte(len(one) + 2), 0, byte(len(one))}, one...))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{SerialNumber: big.NewInt(1), ExtraExtensions: []pkix.Extension{
		{Id: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 11129, 2, 4, 2}, Value: list}}}
	cert, err := x509.CreateCertificate(rand.Reader, made, made, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	c := &tap{port: 443}
	c.record(1, inTheClear(cert))
	s := passed(t, c, nil)
	for field, want := range map[string]string{"tls.sct.sct_logid": strings.Repeat("07", 32),
		"tls.sct.sct_signature": "7367", "tls.handshake.sig_hash_alg": "0x0403"} {
		if got := every(s, field); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
}
