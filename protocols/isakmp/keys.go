package isakmp

import (
	"errors"
	"fmt"
	"strconv"

	"remora/dissect"
	"remora/protocols/internal/ipsec"
)

var (
	keys1 = proto.Rows("ikev1_decryption_table", "IKEv1 Decryption Table",
		"Keys of agreements of version 1, by what the initiator calls them.",
		"Initiator's COOKIE", "Encryption key").Loads(load1)
	keys2 = proto.Rows("ikev2_decryption_table", "IKEv2 Decryption Table",
		"Keys of agreements of version 2, by what both peers call them.",
		"Initiator's SPI", "Responder's SPI", "SK_ei", "SK_er", "Encryption algorithm", "SK_ai", "SK_ar",
		"Integrity algorithm").Loads(load2)
)

// secrets1 are the keys of version 1 by the initiator's cookie.
type secrets1 map[[8]byte][]byte

// The keys of an agreement of version 2; those of the initiator are first.
type agreement struct {
	cipher *ipsec.Cipher
	mac    *ipsec.MAC
	keys   [2][]byte
	proofs [2][]byte
}

// secrets2 are the keys of version 2 by the numbers of both peers.
type secrets2 map[[16]byte]*agreement

func spi(s string) (id [8]byte, err error) {
	b, err := ipsec.Digits(s)
	if err == nil && len(b) != 8 {
		err = fmt.Errorf("an SPI or COOKIE has 8 bytes in hexadecimal digits, not %q", s)
	}
	copy(id[:], b)
	return id, err
}

func load1(s dissect.Setting) (any, error) {
	all := secrets1{}
	for _, row := range s.Rows {
		id, err := spi(row[0])
		if err != nil {
			return nil, err
		}
		if all[id], err = ipsec.Digits(row[1]); err != nil {
			return nil, err
		}
		if len(all[id]) == 0 {
			return nil, errors.New("an encryption key is missing")
		}
	}
	return all, nil
}

func load2(s dissect.Setting) (any, error) {
	all := secrets2{}
	for _, row := range s.Rows {
		first, err := spi(row[0])
		if err != nil {
			return nil, err
		}
		second, err := spi(row[1])
		if err != nil {
			return nil, err
		}
		a, err := agreed(row)
		if err != nil {
			return nil, err
		}
		all[[16]byte(append(first[:], second[:]...))] = a
	}
	return all, nil
}

// agreed reads the algorithms and keys of a row.
func agreed(row []string) (*agreement, error) {
	a := &agreement{}
	var err error
	a.cipher, err = ipsec.Find(ciphers(), func(c *ipsec.Cipher) string { return c.Name }, "encryption algorithm", row[4])
	if err != nil {
		return nil, err
	}
	a.mac, err = ipsec.Find(macs(), func(m *ipsec.MAC) string { return m.Name }, "integrity algorithm", row[7])
	if err != nil {
		return nil, err
	}
	for i := range a.keys {
		if a.keys[i], err = ipsec.Digits(row[2+i]); err == nil {
			err = a.cipher.Check(a.keys[i])
		}
		if err == nil {
			a.proofs[i], err = ipsec.Digits(row[5+i])
		}
		if err == nil {
			err = a.mac.Check(a.proofs[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ciphers are those of version 2, as Wireshark names them.
func ciphers() []ipsec.Cipher {
	list := []ipsec.Cipher{ipsec.TripleDES("3DES [RFC2451]"), ipsec.Null("NULL [RFC2410]"),
		ipsec.ChaCha("CHACHA20-POLY1305 [RFC7634]")}
	for _, n := range []int{16, 24, 32} {
		bits := strconv.Itoa(8 * n)
		list = append(list, ipsec.AES("AES-CBC-"+bits+" [RFC3602]", n), ipsec.CTR("AES-CTR-"+bits+" [RFC5930]", n))
		for _, tag := range []int{8, 12, 16} {
			with := bits + " with " + strconv.Itoa(tag) + " octet ICV [RFC5282]"
			list = append(list, ipsec.GCM("AES-GCM-"+with, n, tag), ipsec.CCM("AES-CCM-"+with, n, tag))
		}
	}
	return list
}

// macs are the codes of version 2, as Wireshark names them.
func macs() []ipsec.MAC {
	list := []ipsec.MAC{{Name: "NONE [RFC4306]"},
		{Name: "HMAC_MD5_96 [RFC2403]", New: ipsec.MD5, Key: 16, Size: 12},
		{Name: "HMAC_SHA1_96 [RFC2404]", New: ipsec.SHA1, Key: 20, Size: 12},
		{Name: "HMAC_MD5_128 [RFC4595]", New: ipsec.MD5, Key: 16, Size: 16},
		{Name: "HMAC_SHA1_160 [RFC4595]", New: ipsec.SHA1, Key: 20, Size: 20},
		{Name: "HMAC_SHA2_256_96 [draft-ietf-ipsec-ciph-sha-256-00]", New: ipsec.SHA256, Key: 32, Size: 12},
		{Name: "HMAC_SHA2_256_128 [RFC4868]", New: ipsec.SHA256, Key: 32, Size: 16},
		{Name: "HMAC_SHA2_384_192 [RFC4868]", New: ipsec.SHA384, Key: 48, Size: 24},
		{Name: "HMAC_SHA2_512_256 [RFC4868]", New: ipsec.SHA512, Key: 64, Size: 32}}
	for _, bits := range []int{64, 96, 128, 160, 192, 256} {
		list = append(list, ipsec.MAC{Name: fmt.Sprintf("ANY %d-bits of Authentication [No Checking]", bits), Size: bits / 8})
	}
	return list
}
