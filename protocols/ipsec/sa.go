package ipsec

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"remora/dissect"
	alg "remora/protocols/internal/ipsec"
)

var (
	pDecrypt = proto.Switch("enable_encryption_decode", "Attempt to detect/decode encrypted ESP payloads",
		"Decrypts packets with the keys of the table esp_sa.", false)
	_ = proto.Switch("enable_authentication_check", "Attempt to Check ESP Authentication",
		"Accepted for Wireshark's sake: what is decrypted is always checked.", false)
	pTable = proto.Rows("esp_sa", "ESP SAs", "Agreements of ESP with their keys.", "Protocol", "Src IP", "Dest IP", "SPI",
		"Encryption", "Encryption Key", "Authentication", "Authentication Key").Loads(load)
)

// An agreement is an agreement with its keys, and the packets that it is for.
type agreement struct {
	number   uint32 // its place in the table
	version  int    // of IP; 0 for both
	src, dst netip.Prefix
	spi      string // eight digits in hexadecimal, in which a * is any
	cipher   *alg.Cipher
	mac      *alg.MAC
	key      []byte
	proof    []byte
}

// association finds the agreement of a packet, or nil.
func association(d *dissect.D, spi uint32) *agreement {
	list, _ := pTable.Loaded(d).([]*agreement)
	if len(list) == 0 || !pDecrypt.On(d) {
		return nil
	}
	digits := fmt.Sprintf("%08x", spi)
	for _, a := range list {
		if a.fits(digits, d.Src.Addr.Netip(), d.Dst.Addr.Netip()) {
			return a
		}
	}
	d.ExpertText(nClosed, "Not decrypted: esp_sa has no entry for these addresses and this SPI")
	return nil
}

func (a *agreement) fits(digits string, src, dst netip.Addr) bool {
	if a.version == 4 && !src.Is4() || a.version == 6 && !src.Is6() {
		return false
	}
	for i := range digits {
		if a.spi[i] != '*' && a.spi[i] != digits[i] {
			return false
		}
	}
	return within(a.src, src) && within(a.dst, dst)
}

func within(p netip.Prefix, a netip.Addr) bool { return !p.IsValid() || p.Contains(a) }

func load(s dissect.Setting) (any, error) {
	var list []*agreement
	for _, row := range s.Rows {
		a, err := readRow(row)
		if err != nil {
			return nil, err
		}
		a.number = uint32(len(list))
		list = append(list, a)
	}
	return list, nil
}

func readRow(row []string) (a *agreement, err error) {
	a = &agreement{}
	switch strings.ToLower(row[0]) {
	case "ipv4":
		a.version = 4
	case "ipv6":
		a.version = 6
	case "*", "any", "":
	default:
		return nil, fmt.Errorf("a protocol is IPv4, IPv6 or *, not %q", row[0])
	}
	if a.src, err = network(row[1]); err != nil {
		return nil, err
	}
	if a.dst, err = network(row[2]); err != nil {
		return nil, err
	}
	if a.spi, err = pattern(row[3]); err != nil {
		return nil, err
	}
	if a.cipher, err = alg.Find(ciphers(), func(c *alg.Cipher) string { return c.Name }, "encryption",
		row[4]); err != nil {
		return nil, err
	}
	if a.mac, err = alg.Find(macs(), func(m *alg.MAC) string { return m.Name }, "authentication", row[6]); err != nil {
		return nil, err
	}
	if a.key, err = secret(row[5]); err != nil {
		return nil, err
	}
	if err = a.cipher.Check(a.key); err != nil {
		return nil, err
	}
	a.proof, err = secret(row[7])
	return a, err
}

// network reads an address, one with the length of its network behind it, or * for any.
func network(s string) (netip.Prefix, error) {
	s = strings.TrimSpace(s)
	if s == "*" || s == "" {
		return netip.Prefix{}, nil
	}
	if p, err := netip.ParsePrefix(s); err == nil {
		return p, nil
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is neither an address nor a network nor *", s)
	}
	return netip.PrefixFrom(a, a.BitLen()), nil
}

// pattern reads an SPI: a number, digits in hexadecimal in which a * is any, or a * alone.
func pattern(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits, isHex := strings.CutPrefix(s, "0x")
	switch {
	case s == "*":
		return "********", nil
	case isHex && len(digits) <= 8 && strings.Trim(digits, "0123456789abcdef*") == "":
		return strings.Repeat("0", 8-len(digits)) + digits, nil
	}
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return "", fmt.Errorf("an SPI is a number, or 0x and digits in which * is any, not %q", s)
	}
	return fmt.Sprintf("%08x", n), nil
}

// secret reads a key: digits behind 0x, or a text.
func secret(s string) ([]byte, error) {
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		return alg.Digits(s)
	}
	return []byte(s), nil
}

// ciphers are those of Wireshark's table.
func ciphers() []alg.Cipher {
	return []alg.Cipher{alg.Null("NULL"), alg.TripleDES("TripleDES-CBC [RFC2451]"), alg.AES("AES-CBC [RFC3602]", 0),
		alg.CTR("AES-CTR [RFC3686]", 0), alg.DES("DES-CBC [RFC2405]"), alg.CAST("CAST5-CBC [RFC2144]"),
		alg.Blowfish("BLOWFISH-CBC [RFC2451]"), alg.Twofish("TWOFISH-CBC"), alg.GCM("AES-GCM [RFC4106]", 0, 16),
		alg.GCM("AES-GCM with 8 octet ICV [RFC4106]", 0, 8), alg.GCM("AES-GCM with 12 octet ICV [RFC4106]", 0, 12),
		alg.GCM("AES-GCM with 16 octet ICV [RFC4106]", 0, 16), alg.CCM("AES-CCM with 8 octet ICV [RFC4309]", 0, 8),
		alg.CCM("AES-CCM with 12 octet ICV [RFC4309]", 0, 12), alg.CCM("AES-CCM with 16 octet ICV [RFC4309]", 0, 16),
		alg.Camellia("CAMELLIA-CBC [RFC4312]"), alg.ChaCha("ChaCha20 with Poly1305 [RFC7634]")}
}

// macs are those of Wireshark's table.
func macs() []alg.MAC {
	list := []alg.MAC{{Name: "NULL"}, {Name: "HMAC-SHA-1-96 [RFC2404]", New: alg.SHA1, Size: 12},
		{Name: "HMAC-SHA-256-96 [draft-ietf-ipsec-ciph-sha-256-00]", New: alg.SHA256, Size: 12},
		{Name: "HMAC-SHA-256-128 [RFC4868]", New: alg.SHA256, Size: 16},
		{Name: "HMAC-SHA-384-192 [RFC4868]", New: alg.SHA384, Size: 24},
		{Name: "HMAC-SHA-512-256 [RFC4868]", New: alg.SHA512, Size: 32},
		{Name: "HMAC-MD5-96 [RFC2403]", New: alg.MD5, Size: 12},
		{Name: "MAC-RIPEMD-160-96 [RFC2857]", New: alg.RIPEMD, Size: 12}}
	for _, bits := range []int{64, 96, 128, 192, 256} {
		list = append(list, alg.MAC{Name: fmt.Sprintf("ANY %d bit authentication [no checking]", bits), Size: bits / 8})
	}
	return list
}
