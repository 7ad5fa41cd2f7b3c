package wlan

import (
	"crypto/pbkdf2"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"remora/dissect"
)

var (
	pDecrypt = proto.Switch("enable_decryption", "Enable decryption",
		"Decrypts frames with the keys of the table 80211_keys.", true)
	pKeys = proto.Rows("80211_keys", "Decryption keys", "Keys by their sort: wep, wpa-pwd (a passphrase, and behind a "+
		"colon the network's name), wpa-psk (the key made of both, or the pairwise master key), tk (a temporal key) and msk "+
		"(what EAP agreed on). All but passphrases are hexadecimal digits.", "Key type", "Key").
		Checked(func(s dissect.Setting) error {
			for _, row := range s.Rows {
				if _, err := keyOf(row); err != nil {
					return err
				}
			}
			return nil
		})
)

// The sorts of keys that a person has.
const (
	sortWEP    = "wep"
	sortPhrase = "wpa-pwd"
	sortPSK    = "wpa-psk"
	sortTK     = "tk"
	sortMSK    = "msk"
)

// A givenKey is what a person has: a passphrase, maybe with the name of its network, or a key.
type givenKey struct {
	sort   string
	key    []byte
	ssid   string
	anyNet bool // the passphrase comes without a name
}

// keyOf reads a row of the table.
func keyOf(row []string) (k givenKey, err error) {
	k.sort = strings.ToLower(strings.TrimSpace(row[0]))
	if k.sort == sortPhrase {
		return phraseOf(row[1])
	}
	k.key, err = hex.DecodeString(strings.NewReplacer(":", "", "-", "", ".", "", " ", "").Replace(row[1]))
	if err != nil {
		return k, fmt.Errorf("the key %q is not in hexadecimal digits", row[1])
	}
	n := len(k.key)
	fits, want := false, ""
	switch k.sort {
	case sortWEP:
		fits, want = n >= 1 && n <= 32, "1 to 32, mostly 5 or 13"
	case sortPSK:
		fits, want = n == 32 || n == 48, "32 or 48"
	case sortTK:
		fits, want = n == 16 || n == 32, "16 or 32"
	case sortMSK:
		fits, want = n >= 64 && n <= 128, "64 to 128"
	default:
		return k, fmt.Errorf("there is no sort of key called %q; there are wep, wpa-pwd, wpa-psk, tk and msk", row[0])
	}
	if !fits {
		return k, fmt.Errorf("a %s key has %s bytes, and %q has %d", k.sort, want, row[1], n)
	}
	return k, nil
}

// phraseOf reads a passphrase and the name behind it, of which both may have characters as %20.
func phraseOf(text string) (k givenKey, err error) {
	phrase, ssid, named := strings.Cut(text, ":")
	k = givenKey{sort: sortPhrase, anyNet: !named}
	if phrase, err = url.PathUnescape(phrase); err != nil {
		return k, errors.New("a percent sign in a passphrase stands in front of two hexadecimal digits")
	}
	if k.ssid, err = url.PathUnescape(ssid); err != nil || len(k.ssid) > maxSSID {
		return k, fmt.Errorf("%q is no name of a network: it has at most %d bytes", ssid, maxSSID)
	}
	if k.key = []byte(phrase); len(k.key) < 8 || len(k.key) > 63 {
		return k, fmt.Errorf("a passphrase has 8 to 63 characters, and %q has %d", phrase, len(k.key))
	}
	return k, nil
}

const maxSSID = 32

// pskCosts is what a key made of a passphrase costs, in bytes as D.Spend counts them: 8192 hashes.
const pskCosts = 8192 * 64

// psk makes the key of a passphrase and the name of a network (IEEE 802.11-2020 annex J.4).
func psk(phrase []byte, ssid string) []byte {
	key, err := pbkdf2.Key(sha1.New, string(phrase), []byte(ssid), 4096, 32)
	if err != nil {
		return nil
	}
	return key
}
