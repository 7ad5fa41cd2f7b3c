package wireguard

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/internal/crypt"
	"remora/protocols/internal/keylog"
)

// Keys are what WireGuard's packets are decrypted with: the format of Wireshark's extract-handshakes.sh.
var secrets = &dissect.Keys{
	Flag: "wg-keylog", Block: 0x57474b4c, Sort: "wg",
	Help: "read WireGuard with the keys of `FILE` (lines such as LOCAL_STATIC_PRIVATE_KEY=…)",
	Preference: proto.Text("keylog_file", "Key log filename", "The file of keys, as extract-handshakes.sh writes it.").
		Begins(func(start []byte) bool { return keylog.Begins(reader())(start) }),
	Open: func(path string) (dissect.Secrets, error) { return keylog.OpenOf(reader(), path) },
	New:  func() dissect.GrowingSecrets { return keylog.NewOf(reader(), nil) },
}

var tableKeys = proto.Rows("wg_keys", "WireGuard static keys",
	"Keys of peers: Public or Private, and the key in Base64.",
	"Key type", "Key").Loads(loadKeys)

// The labels under which keys are kept: private keys by their public ones, static public keys by a number, keys shared
// before by an ephemeral public key and a number.
const (
	byPublic = "private"
	byNumber = "static"
	byPeer   = "shared"
	named    = "named"

	maxKeys = 256 // tried for one handshake
)

// reader reads the lines of a log. A key shared before belongs to the ephemeral key in the line
// in front of it.
func reader() func(keep keylog.Keep, line string) {
	statics, shared, last := uint32(0), map[string]uint32{}, ""
	seen := map[string]bool{}
	static := func(keep keylog.Keep, key []byte) {
		if !seen[string(key)] && statics < maxKeys {
			seen[string(key)] = true
			keep(byNumber, numbered(nil, statics), key)
			keep(named, key, key)
			statics++
		}
	}
	return func(keep keylog.Keep, line string) {
		name, value, _ := strings.Cut(line, "=")
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(value))
		if err != nil || len(key) != 32 {
			return
		}
		switch strings.TrimSpace(name) {
		case "REMOTE_STATIC_PUBLIC_KEY":
			static(keep, key)
		case "LOCAL_STATIC_PRIVATE_KEY":
			public := crypt.X25519Public(key)
			keep(byPublic, public, key)
			static(keep, public)
		case "LOCAL_EPHEMERAL_PRIVATE_KEY":
			public := crypt.X25519Public(key)
			keep(byPublic, public, key)
			last = string(public)
		case "PRESHARED_KEY":
			if n := shared[last]; last != "" && n < maxKeys && len(shared) < 1<<16 {
				keep(byPeer, numbered([]byte(last), n), key)
				shared[last]++
			}
			last = ""
		}
	}
}

func numbered(b []byte, n uint32) []byte { return binary.BigEndian.AppendUint32(b[:len(b):len(b)], n) }

// loadKeys makes a log of the rows.
func loadKeys(s dissect.Setting) (any, error) {
	var lines strings.Builder
	for _, r := range s.Rows {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(r[1]))
		if err != nil || len(key) != 32 {
			return nil, fmt.Errorf("a key has 32 bytes in Base64, as wg shows it, not %q", r[1])
		}
		switch r[0] {
		case "Public":
			lines.WriteString("REMOTE_STATIC_PUBLIC_KEY=")
		case "Private":
			lines.WriteString("LOCAL_STATIC_PRIVATE_KEY=")
		default:
			return nil, errors.New("a key is Public or Private")
		}
		lines.WriteString(r[1] + "\n")
	}
	return keylog.NewOf(reader(), []byte(lines.String())), nil
}

// secret asks the table, and then the logs. It serves the first pass.
func secret(d *dissect.D, label string, id []byte) []byte {
	if l, ok := tableKeys.Loaded(d).(*keylog.Log); ok {
		if s := l.Secret(label, id); s != nil {
			return s
		}
	}
	return d.Session().Secret(secrets, label, id)
}

// statics are the static public keys that are known.
func statics(d *dissect.D) (keys [][]byte) {
	l, _ := tableKeys.Loaded(d).(*keylog.Log)
	for i := uint32(0); l != nil && i < maxKeys; i++ {
		if k := l.Secret(byNumber, numbered(nil, i)); k != nil {
			keys = append(keys, k)
		}
	}
	for i := range uint32(maxKeys) {
		k := d.Session().Secret(secrets, byNumber, numbered(nil, i))
		if k == nil {
			break
		}
		keys = append(keys, k)
	}
	return keys
}

// sharedWith are the keys shared before that may go with an ephemeral key; none is one of zeros.
func sharedWith(d *dissect.D, ephemeral []byte) [][]byte {
	keys := [][]byte{make([]byte, 32)}
	for i := range uint32(maxKeys) {
		k := d.Session().Secret(secrets, byPeer, numbered(ephemeral, i))
		if k == nil {
			break
		}
		keys = append(keys, k)
	}
	return keys
}
