package ssh

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/crypt"
	"remora/protocols/internal/keylog"
)

// The captures are sessions of Go's and Paramiko's clients with OpenSSH's server, each of which logged its keys.
const (
	withKeys = "testdata/opened.pcapng" // holds them itself
	renewed  = "testdata/renewed.pcap"  // agrees on keys twice
	grouped  = "testdata/grouped.pcap"
)

// load passes a capture with the keys of a log.
func load(t *testing.T, path, log string) *dissect.Session {
	t.Helper()
	reg := dissecttest.Registry(t, plugins())
	if log != "" {
		reg.SetSecrets(secrets, keylog.NewOf(line, []byte(log)))
	}
	return dissecttest.LoadOf(t, reg, path)
}

// said are the values of a field in all packets.
func said(s *dissect.Session, field string) (out []string) {
	for n := range s.Store().Len() {
		tree := s.Tree(dissect.FrameNum(n + 1))
		for i := range tree.Nodes {
			if tree.Field(i).Name() == field {
				out = append(out, tree.Show(i))
			}
		}
	}
	return out
}

func logOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(strings.TrimSuffix(path, ".pcap") + ".keys")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestOpened reads sessions with private keys: of either cipher, MAC and agreement, renewed ones, and those in the
// file.
func TestOpened(t *testing.T) {
	for path, packets := range map[string]int{withKeys: 24, renewed: 40, grouped: 23} {
		log := ""
		if path != withKeys {
			log = logOf(t, path)
		}
		s := load(t, path, log)
		if got := said(s, "ssh.mac.status"); len(got) != packets || strings.Contains(strings.Join(got, ""), "B") {
			t.Errorf("%s: %d packets are open, want %d: %v", path, len(got), packets, got)
		}
		if got := said(s, "ssh.encrypted_packet"); len(got) != 0 {
			t.Errorf("%s: %d packets are closed", path, len(got))
		}
		data := strings.Join(said(s, "ssh.channel_data"), " ")
		if !strings.Contains(data, hex.EncodeToString([]byte("hello\n"))) {
			t.Errorf("%s: the channels carry %s", path, data)
		}
		if got := strings.Join(said(s, "ssh.exit_status"), " "); !strings.HasPrefix(got, "0x00000003") {
			t.Errorf("%s: the program ended with %s", path, got)
		}
	}
}

// TestHostileOpened changes packets whose keys are known.
func TestHostileOpened(t *testing.T) {
	dissecttest.Mutations(t, plugins(), load(t, withKeys, ""), 42)
}

// TestShared reads a session with the secret that both sides agreed on.
func TestShared(t *testing.T) {
	words := strings.Fields(logOf(t, renewed))
	var log string
	for i, public := range said(load(t, renewed, logOf(t, renewed)), "ssh.ecdh.q_s") {
		shared := crypt.X25519(unhex(t, words[2*i+1]), unhex(t, public))
		log += words[2*i] + " SHARED_SECRET " + hex.EncodeToString(shared) + "\n"
	}
	if got := len(said(load(t, renewed, log), "ssh.mac.status")); got != 40 {
		t.Errorf("%d packets are open", got)
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWhyClosed says why packets stay encrypted, once somebody gave keys.
func TestWhyClosed(t *testing.T) {
	log := logOf(t, renewed)
	cookie, key, _ := strings.Cut(log, " ")
	for _, c := range []struct{ log, want string }{
		{"", ""},
		{strings.Repeat("00", 16) + " " + key, "no_key"},
		{cookie + " " + strings.Repeat("11", 32), "wrong"},
		{cookie + " PRIVATE_KEY 1234", "exchange"},
	} {
		s := load(t, renewed, c.log)
		for _, why := range []string{"no_key", "wrong", "exchange", "cipher", "no_exchange"} {
			if got := len(said(s, "ssh.decryption."+why)); got > 0 != (why == c.want) {
				t.Errorf("with %.60q %d packets say %q, want %q", c.log, got, why, c.want)
			}
		}
		if got := len(said(s, "ssh.mac.status")); got != 0 {
			t.Errorf("with %.60q %d packets are open", c.log, got)
		}
	}
}

// TestGroups holds the primes that have a name against their last digits (RFC 2409, RFC 3526).
func TestGroups(t *testing.T) {
	for name, want := range map[string]string{"group1": "49286651ece65381", "group14": "15728e5a8aacaa68",
		"group15": "4b82d120a93ad2ca", "group16": "4df435c934063199", "group17": "e694f91e6dcc4024",
		"group18": "60c980dd98edd3df"} {
		if got := prime("diffie-hellman-" + name + "-sha512").Text(16); !strings.HasSuffix(got, want+"ffffffffffffffff") {
			t.Errorf("%s ends in %s", name, got[len(got)-40:])
		}
	}
}

// TestHugeGroups does not reckon with a prime that is larger than any that is in use: it would take minutes.
func TestHugeGroups(t *testing.T) {
	a := agreement{asked: []byte{1}, group: [2][]byte{[]byte(strings.Repeat("\xff", maxNumber+1))}}
	if secret := a.power(nil, "diffie-hellman-group-exchange-sha256", []byte{5}, []byte{3}); secret != nil {
		t.Errorf("%d bytes", len(secret))
	}
}
