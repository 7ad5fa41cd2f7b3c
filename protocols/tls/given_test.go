package tls

import (
	"bytes"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/crypt"
	"remora/protocols/raw"
)

// keyed passes over the sessions of testdata/keys.pcap.gz, between programs of OpenSSL, with preferences.
func keyed(t *testing.T, given map[string]string) *dissect.Session {
	t.Helper()
	list := slices.DeleteFunc(plugins(), func(p dissect.Plugin) bool { return p.Protocol.Name() == "toy" })
	reg := dissecttest.Registry(t, list)
	for name, value := range given {
		f := reg.Preference(name)
		s, err := f.Parse(value)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(f, s)
	}
	if err := reg.LoadPreferences(); err != nil {
		t.Fatal(err)
	}
	return dissecttest.LoadOf(t, reg, "testdata/keys.pcap.gz")
}

const sharedKey = "0123456789abcdef0123456789abcdef"

// said are the words of the sessions, by whoever said them.
func said(t *testing.T, s *dissect.Session) []string {
	t.Helper()
	var out []string
	for word := range strings.SplitSeq(every(s, "data.data"), ",") {
		b, err := hex.DecodeString(word)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimSpace(string(b)))
	}
	return out
}

// TestKeysOfServers reads sessions by a shared key, by the server's RSA key, and by both: with GCM, CCM, ChaCha20,
// Camellia and no cipher, of TLS 1.0 to 1.2, with and without the extended master secret and encrypt-then-MAC.
func TestKeysOfServers(t *testing.T) {
	shared := []string{"psk-ccm", "psk-ccm8", "psk-gcm", "psk-chacha", "psk-camellia", "psk-null"}
	server := []string{"rsa-camellia", "rsa-noetm", "rsa-tls1", "rsa-tls11", "rsa-ccm8"}
	both := slices.Concat(shared, []string{"rsapsk"}, server)
	for _, c := range []struct {
		given map[string]string
		want  []string
	}{
		{map[string]string{"tls.psk": sharedKey}, shared},
		{map[string]string{"rsa_keys": `"testdata/server.key",""`}, server},
		{map[string]string{"tls.keys_list": "0.0.0.0,0,data,testdata/server.key"}, server},
		{map[string]string{"ssl_keys": `"","4433","data","testdata/server.key",""`, "tls.psk": sharedKey}, both},
	} {
		s := keyed(t, c.given)
		var want []string
		for _, name := range c.want {
			want = append(want, "from server "+name, "from client "+name)
		}
		if got := said(t, s); !slices.Equal(got, want) {
			t.Errorf("with %v it says %q, want %q", c.given, got, want)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestWhyNot says why sessions are not read: in their trees, and only where somebody gave keys.
func TestWhyNot(t *testing.T) {
	for _, c := range []struct {
		given map[string]string
		want  map[string]string // by the field: the streams
	}{
		{map[string]string{"tls.psk": sharedKey, "rsa_keys": `"testdata/server.key",""`}, map[string]string{
			"tls.decryption.forward_secrecy": "11", "tls.decryption.psk": "12", "tls.decryption.suite": "14"}},
		{map[string]string{"tls.psk": "00"}, map[string]string{"tls.decryption.failed": "0,1,2,3,4,5",
			"tls.decryption.forward_secrecy": "11", "tls.decryption.psk": "12", "tls.decryption.suite": "14",
			"tls.decryption.rsa": "6,7,8,9,10,13"}},
		{nil, nil},
	} {
		s := keyed(t, c.given)
		got := map[string][]string{}
		l := s.Dissector()
		for n := range s.Passed() {
			tree := l.Tree(dissect.FrameNum(n + 1))
			stream, _ := dissecttest.Find(tree, "tcp.stream")
			for _, f := range []string{"no_secret", "suite", "forward_secrecy", "rsa", "psk", "failed", "no_handshake"} {
				name := "tls.decryption." + f
				if _, found := dissecttest.Find(tree, name); found && !slices.Contains(got[name], stream) {
					got[name] = append(got[name], stream)
				}
			}
		}
		written := map[string]string{}
		for name, streams := range got {
			written[name] = strings.Join(streams, ",")
		}
		if c.want == nil {
			c.want = map[string]string{}
		}
		if fmt.Sprint(written) != fmt.Sprint(c.want) {
			t.Errorf("with %v: %v, want %v", c.given, written, c.want)
		}
	}
}

// TestRC4 goes through records as a sender with the standard library's cipher makes them, of SSL 3.0 and TLS 1.0.
func TestRC4(t *testing.T) {
	for _, version := range []uint16{0x0300, 0x0301} {
		s := &session{version: version, suite: 0x0005}
		k := cipherOf(s.suite)
		b := s.macKeys(k, bytes.Repeat([]byte{7}, 48), true)
		sender, err := rc4.NewCipher(b.Key[:b.Size])
		if err != nil {
			t.Fatal(err)
		}
		dissecttest.InFirstPass(t, func(d *dissect.D) {
			h := half{}
			b.Stream = streams.Put(d, crypt.NewRC4(b.Key[:b.Size]))
			h.key = keys.Put(d, b)
			for seq, size := range []int{5, 9000, 12000, 1} {
				content := bytes.Repeat([]byte{byte(seq)}, size)
				record := binary.BigEndian.AppendUint16([]byte{typeData, 3, byte(version)}, uint16(size+20))
				sealed := append(bytes.Clone(content), b.sum(uint64(seq), record, content)...)
				sender.XORKeyStream(sealed, sealed)
				record = append(record, sealed...)
				now := keys.At(d, h.key)
				if got, ok := now.openMAC(d, uint64(seq), record); !ok || !bytes.Equal(got, content) {
					t.Errorf("version %#x: record %d is not read", version, seq)
				}
				s.chain(d, &h, now, record)
			}
		})
	}
}

// TestOldestSecrets holds the secrets of SSL 3.0 against what RFC 6101, section 6.1, says of them.
func TestOldestSecrets(t *testing.T) {
	secret, seed := []byte("premaster"), []byte("randoms")
	var want []byte
	for _, letters := range []string{"A", "BB", "CCC"} {
		inner := sha1.Sum([]byte(letters + "premaster" + "randoms"))
		outer := md5.Sum(append([]byte("premaster"), inner[:]...))
		want = append(want, outer[:]...)
	}
	if got := oldest(secret, seed, 40); !bytes.Equal(got, want[:40]) {
		t.Errorf("%x, want %x", got, want[:40])
	}
}

// TestOldHello reads the hello of SSL 2.0 that a client offers SSL 3.0 with.
func TestOldHello(t *testing.T) {
	hello := "\x80\x2e\x01\x03\x00\x00\x15\x00\x00\x00\x10" + "\x01\x00\x80\x07\x00\xc0\x00\x00\x35\x00\x00\x05" +
		"\x00\x00\x04\x00\x00\x0a\x00\x00\x09" + "challengechallen"
	for cut := range len(hello) {
		if n := oldHello([]byte(hello[:cut])); n != 0 && (cut < oldHeader || n != len(hello)) {
			t.Errorf("of %d bytes it is %d", cut, n)
		}
	}
	s := dissecttest.Session(t, append(plugins(), raw.Plugin()), 101, dissecttest.Stream(443, "C:"+hello))
	for field, want := range map[string]string{"tls.handshake.cipherspec": "SSL2_RC4_128_WITH_MD5 (0x010080)," +
		"SSL2_DES_192_EDE3_CBC_WITH_MD5 (0x0700c0),TLS_RSA_WITH_AES_256_CBC_SHA (0x000035)," +
		"TLS_RSA_WITH_RC4_128_SHA (0x000005),TLS_RSA_WITH_RC4_128_MD5 (0x000004)," +
		"TLS_RSA_WITH_3DES_EDE_CBC_SHA (0x00000a),TLS_RSA_WITH_DES_CBC_SHA (0x000009)",
		"tls.handshake.challenge": hex.EncodeToString([]byte("challengechallen")),
		"tls.handshake.version":   "SSL 3.0 (0x0300)",
		"tls.record.length":       "46"} {
		if got := every(s, field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
}
