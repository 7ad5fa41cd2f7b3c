package http

import (
	"bytes"
	"encoding/base64"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// schemes are the words in front of such tokens (RFC 4559 section 4, MS-NTHT section 2.2).
var schemes = [][]byte{[]byte("negotiate "), []byte("ntlm ")}

// proof hands on the token that stands in a header field behind the name of its scheme.
func proof(d *dissect.D, text []byte) {
	for _, s := range schemes {
		if len(text) <= len(s) || !bytes.EqualFold(text[:len(s)], s) {
			continue
		}
		token, err := base64.StdEncoding.AppendDecode(nil, bytes.TrimSpace(text[len(s):]))
		if err == nil && len(token) > 0 {
			d.From("Decoded token", token, func() { d.NextPart(tables.GSS, 1) })
		}
		return
	}
}
