package tls

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/privatekey"
)

// A keyring is what preferences give to decrypt with, for TLS or for DTLS.
type keyring struct{ psk, list, table *dissect.Preference }

var (
	keyFiles = proto.Rows("rsa_keys", "RSA private keys",
		"Files with RSA keys of servers, in PEM, DER or PKCS#12, and their passwords.", "File or token URI",
		"Password or PIN").Loads(loadFiles)
	given = keyring{
		psk: proto.Text("psk", "Pre-Shared Key", "The key that both sides know, in hexadecimal digits.").Loads(loadPSK),
		list: proto.Text("keys_list", "RSA keys list (deprecated)",
			"Address,port,protocol,key file,password; and so on. Keys are tried with every server.").Loads(loadList),
		table: proto.Rows("ssl_keys", "TLS Decrypt",
			"RSA keys of servers, and what their ports carry. Keys are tried with every server.", "IP address", "Port",
			"Protocol", "Key File", "Password").Loads(loadTable),
	}
	joins = proto.Switch("desegment_ssl_application_data", "Reassemble TLS Application Data spanning multiple TLS records",
		"Whether messages of the protocol inside are put together of several records.", true)
	joinsRecords = proto.Switch("desegment_ssl_records", "Reassemble TLS records spanning multiple TCP segments",
		"Whether records are put together of several segments.", true)
)

// An opener is a key that a preference names, and what the port of its server carries.
type opener struct {
	key  *privatekey.RSA
	port uint16
	name string
}

// maxOpeners bounds the keys, of which each is tried.
const maxOpeners = 64

func loadPSK(s dissect.Setting) (any, error) {
	text := strings.NewReplacer(":", "", " ", "").Replace(s.Text)
	b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(b) > 1<<16-1 {
		return nil, errors.New("the key is written in pairs of hexadecimal digits")
	}
	return b, nil
}

func loadFiles(s dissect.Setting) (any, error) {
	var rows [][]string
	for _, r := range s.Rows {
		rows = append(rows, []string{"", "", "", r[0], r[1]})
	}
	return loadTable(dissect.Setting{Rows: rows})
}

func loadList(s dissect.Setting) (any, error) {
	var rows [][]string
	for word := range strings.SplitSeq(s.Text, ";") {
		if strings.TrimSpace(word) == "" {
			continue
		}
		row := strings.SplitN(strings.TrimSpace(word), ",", 5)
		if len(row) < 4 {
			return nil, fmt.Errorf("it takes ADDRESS,PORT,PROTOCOL,FILE and perhaps a password, not %q", word)
		}
		if len(row) < 5 {
			row = append(row, "")
		}
		rows = append(rows, row)
	}
	return loadTable(dissect.Setting{Rows: rows})
}

func loadTable(s dissect.Setting) (any, error) {
	var list []opener
	for _, r := range s.Rows {
		port, err := strconv.ParseUint("0"+r[1], 10, 16)
		if err != nil && r[1] != "start_tls" {
			return nil, fmt.Errorf("a port is a number, not %q", r[1])
		}
		k, err := privatekey.Read(r[3], r[4])
		if err != nil {
			return nil, err
		}
		if list = append(list, opener{k, uint16(port), r[2]}); len(list) > maxOpeners {
			return nil, fmt.Errorf("%d keys are the most that are taken", maxOpeners)
		}
	}
	return list, nil
}

// keyringOf is that of the protocol that a session is of.
func keyringOf(datagram bool) keyring {
	if datagram {
		return dtls().given
	}
	return given
}

// openers are the keys that may open a session.
func (g keyring) openers(d *dissect.D) (all []opener) {
	for _, f := range []*dissect.Preference{g.list, g.table, keyFiles} {
		list, _ := f.Loaded(d).([]opener)
		all = append(all, list...)
	}
	return all
}

// shared is the key that both sides know.
func (g keyring) shared(d *dissect.D) []byte {
	b, _ := g.psk.Loaded(d).([]byte)
	return b
}

// inside is what a server's port carries, as the keys' table has it.
func (g keyring) inside(d *dissect.D, port uint16) dissect.InnerProtocol {
	for _, o := range g.openers(d) {
		if o.port == port && port != 0 {
			return d.Inner().Called(o.name)
		}
	}
	return 0
}
