package kerberos

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
	"remora/internal/textfile"
)

// secrets are in the file of keys that messages are decrypted with.
var secrets = &dissect.Keys{
	Flag: "keytab", Short: "K", Help: "read Kerberos with the keys of the keytab `FILE`",
	Preference: proto.Text("file", "Kerberos keytab file", "The keytab file containing all the secrets"),
	Open: func(path string) (dissect.Secrets, error) {
		b, err := textfile.Read(path, maxKeytab)
		if err != nil {
			return nil, err
		}
		k, err := parseKeytab(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return k, nil
	},
	New: func() dissect.GrowingSecrets { return &keytab{} },
}

var pDecrypt = proto.Switch("decrypt", "Try to decrypt Kerberos blobs",
	"Decrypts with the keys of the file, where one is named.", true)

// Limits of a keytab, in bytes and keys.
const (
	maxKeytab = 4 << 20
	maxKeys   = 256
)

// A key is one of a type, and how long it is.
type key struct {
	Etype uint16
	Len   uint16
	Bytes [32]byte
}

// keyOf is a key of a type; false says that nothing is decrypted with such.
func keyOf(etype uint16, b []byte) (k key, ok bool) {
	if len(b) == 0 || len(b) != keySizes[etype] {
		return k, false
	}
	k.Etype, k.Len = etype, uint16(len(b))
	copy(k.Bytes[:], b)
	return k, true
}

// A keytab is the keys of a file, each with its type in front.
type keytab struct{ keys [][]byte }

// numbered is the label under which keys are asked for by their numbers.
const numbered = "key"

// Secret is the key of that number.
func (k *keytab) Secret(label string, id []byte) []byte {
	if n := binary.BigEndian.Uint32(id); label == numbered && int(n) < len(k.keys) {
		return k.keys[n]
	}
	return nil
}

// Add takes nothing: captures hold no keytabs.
func (k *keytab) Add([]byte) {}

var errKeytab = fmt.Errorf("this is no keytab of version 2")

// parseKeytab reads a file as MIT and Heimdal write it: entries with their lengths, in network order.
func parseKeytab(b []byte) (*keytab, error) {
	if len(b) < 2 || b[0] != 5 || b[1] != 2 {
		return nil, errKeytab
	}
	k := &keytab{}
	for b, p := b[2:], (dissect.Progress{}); len(b) >= 4 && p.Down(len(b)); {
		n := int(int32(binary.BigEndian.Uint32(b)))
		hole := n < 0
		if hole {
			n = -n
		}
		if b = b[4:]; n > len(b) || n == 0 {
			break
		}
		if found := keyIn(b[:n]); !hole && found != nil && len(k.keys) < maxKeys {
			k.keys = append(k.keys, found)
		}
		b = b[n:]
	}
	if len(k.keys) == 0 {
		return nil, fmt.Errorf("there is no key in the keytab that anything is decrypted with")
	}
	return k, nil
}

// keyIn is the key of an entry with its type in front: behind the names, of which the number comes first.
func keyIn(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	names := int(binary.BigEndian.Uint16(b)) + 1 // with the realm
	b = b[2:]
	for range names {
		if len(b) < 2 {
			return nil
		}
		n := 2 + int(binary.BigEndian.Uint16(b))
		if n > len(b) {
			return nil
		}
		b = b[n:]
	}
	const fixed = 4 + 4 + 1 // the kind of name, the time, the version
	if len(b) < fixed+4 {
		return nil
	}
	b = b[fixed:]
	n := int(binary.BigEndian.Uint16(b[2:]))
	if n > len(b)-4 {
		return nil
	}
	if _, ok := keyOf(binary.BigEndian.Uint16(b), b[4:4+n]); !ok {
		return nil
	}
	return append(append([]byte{}, b[:2]...), b[4:4+n]...)
}
