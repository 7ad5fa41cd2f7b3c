package dcerpc

import (
	"encoding/hex"
	"fmt"

	"remora/dissect"
)

// A uuid names an interface, a transfer syntax or an object. Its bytes are in the order in which they are written.
type uuid [16]byte

// uuidOf takes a UUID as it comes: the first three parts are numbers in the sender's byte order.
func uuidOf(b []byte, big bool) (id uuid) {
	copy(id[:], b[:16])
	if !big {
		id[0], id[1], id[2], id[3] = b[3], b[2], b[1], b[0]
		id[4], id[5], id[6], id[7] = b[5], b[4], b[7], b[6]
	}
	return id
}

// parse takes a UUID from its text. What is no UUID is zero.
func parse(text string) (id uuid) {
	at := 0
	for i, p := 0, (dissect.Progress{}); i+1 < len(text) && at < len(id) && p.Up(i); {
		if text[i] == '-' {
			i++
			continue
		}
		n, err := hex.Decode(id[at:at+1], []byte(text[i:i+2]))
		if err != nil {
			return uuid{}
		}
		at += n
		i += 2
	}
	return id
}

func (id uuid) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// Transfer syntaxes: how the arguments of calls are written.
var syntaxes = map[uuid]string{
	parse("8a885d04-1ceb-11c9-9fe8-08002b104860"): "32bit NDR",
	parse("71710533-beba-4937-8319-b5dbef9ccc36"): "64bit NDR",
}

// features is how the UUID begins in which a client says what else it can do (MS-RPCE section 2.2.2.14).
var features = [8]byte{0x6c, 0xb7, 0x1c, 0x2c, 0x98, 0x12, 0x45, 0x40}

// syntax is the name of a transfer syntax.
func (id uuid) syntax() string {
	if name := syntaxes[id]; name != "" {
		return name
	}
	if [8]byte(id[:8]) == features {
		return "Bind Time Feature Negotiation"
	}
	return id.String()
}
