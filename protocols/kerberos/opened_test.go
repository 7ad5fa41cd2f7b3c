package kerberos

import (
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// TestCrypto has the examples of RFC 3961 (folding), RFC 3962 (ciphertext stealing) and RFC 8009.
func TestCrypto(t *testing.T) {
	for text, want := range map[string]string{"012345": "be072631276b1955", "password": "78a07b6caf85fa",
		"kerberos": "6b65726265726f737b9b5b2b93132b93"} {
		if got := hex.EncodeToString(folded([]byte(text), len(want)/2)); got != want {
			t.Errorf("%s is folded to %s, want %s", text, got, want)
		}
	}
	chicken := []byte("chicken teriyaki")
	for sealed, want := range map[string]string{"c6353568f2bf8cb4d8a580362da7ff7f97": "I would like the ",
		"fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5": "I would like the General Gau's "} {
		if got := unsteal(chicken, unhex(sealed)); string(got) != want {
			t.Errorf("%s is %q, want %q", sealed, got, want)
		}
	}
	key := unhex("3705d96080c17728a0e800eab6e0d23c")
	for sealed, want := range map[string]string{
		"ef85fb890bb8472f4dab20394dca781dad877eda39d50c870c0d5a0a8e48c718":             "",
		"84d7f30754ed987bab0bf3506beb09cfb55402cef7e6877ce99e247e52d16ed4421dfdf8976c": "000102030405",
	} {
		if got := open(aes128SHA2, key, 2, unhex(sealed)); got == nil || hex.EncodeToString(got) != want {
			t.Errorf("%s is %x, want %s", sealed, got, want)
		}
	}
	if got := hex.EncodeToString(derived(unhex("42263c6e89f4fc28b8df68ee09799f15"), 2, 0xaa)); got !=
		"5b14fc4e250e14ddf9dccf1af6674f53" {
		t.Errorf("the derived key is %s", got)
	}
}

// value is an element of DER.
func value(tag byte, parts ...string) string {
	all := strings.Join(parts, "")
	n := len(all)
	if n < 128 {
		return string([]byte{tag, byte(n)}) + all
	}
	return string([]byte{tag, 0x82, byte(n >> 8), byte(n)}) + all
}

func sealRC4(key []byte, usage uint32, plain string) string {
	plain = "8 bytes!" + plain
	k := sumOf(mac(md5.New, key), binary.LittleEndian.AppendUint32(nil, usage))
	sum := sumOf(mac(md5.New, k), []byte(plain))
	c, err := rc4.NewCipher(sumOf(mac(md5.New, k), sum))
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(plain))
	c.XORKeyStream(out, []byte(plain))
	return string(sum) + string(out)
}

// answer is an AP-REP with a new key in it.
func answer(key, subkey string) []byte {
	plain := value(0x7b, value(0x30, value(0xa0, value(0x18, "20240101000000Z")), value(0xa1, value(2, "\x07")),
		value(0xa2, value(0x30, value(0xa0, value(2, "\x17")), value(0xa1, value(4, subkey))))))
	m := value(0x6f, value(0x30, value(0xa0, value(2, "\x05")), value(0xa1, value(2, "\x0f")),
		value(0xa2, value(0x30, value(0xa0, value(2, "\x17")), value(0xa2, value(4, sealRC4([]byte(key), 12, plain)))))))
	return dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2", dissecttest.UDP(88, 1000, []byte(m)))
}

// TestOpened decrypts with a key of a keytab and then with the one that the message told, and says where none fits.
func TestOpened(t *testing.T) {
	const first, second, other = "key of sixteen b", "key that is told", "key of nobody..."
	entry := binary.BigEndian.AppendUint16([]byte("\x00\x01\x00\x01R\x00\x01p\x00\x00\x00\x01\x00\x00\x00\x00\x01"),
		rc4HMAC)
	entry = append(append(entry, 0, byte(len(first))), first...)
	tab := binary.BigEndian.AppendUint32([]byte("\x05\x02\xff\xff\xff\xfchole"), uint32(len(entry)))
	path := filepath.Join(t.TempDir(), "keytab")
	if err := os.WriteFile(path, append(tab, entry...), 0o600); err != nil {
		t.Fatal(err)
	}
	given, err := secrets.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), Plugin(), data.Plugin()}
	packets := dissecttest.Packets(answer(first, second), answer(second, first), answer(other, first))
	reg := dissecttest.Registry(t, plugins)
	reg.SetSecrets(secrets, given)
	s := dissecttest.SessionOf(t, reg, 101, packets)
	dissecttest.Redissections(t, s)
	for i, want := range []string{hex.EncodeToString([]byte(second)), hex.EncodeToString([]byte(first)), ""} {
		tree := s.Tree(dissect.FrameNum(i + 1))
		if got := dissecttest.All(tree, "kerberos.keyvalue"); got != want {
			t.Errorf("frame %d: the key is %q, want %q", i+1, got, want)
		}
		if _, ok := dissecttest.Find(tree, "kerberos.missing_keytype"); ok != (want == "") {
			t.Errorf("frame %d: a key is missing: %v", i+1, ok)
		}
	}
	s = dissecttest.Session(t, plugins, 101, packets)
	if _, ok := dissecttest.Find(s.Tree(1), "kerberos.missing_keytype"); ok {
		t.Error("without a keytab a key is said to be missing")
	}
}

// TestBadKeytab refuses what is no keytab, and one without a key.
func TestBadKeytab(t *testing.T) {
	for _, text := range []string{"", "\x05\x01", "\x05\x02", "\x05\x02\x00\x00\x00\x05short",
		"\x05\x02\x7f\xff\xff\xff\x00"} {
		if k, err := parseKeytab([]byte(text)); err == nil {
			t.Errorf("%q is taken for %d keys", text, len(k.keys))
		}
	}
}
