package imf

import (
	"bytes"

	"remora/dissect"
)

// lists are the lines that hold addresses, with the field of one of them.
var lists = map[string]*dissect.Field{
	"from": fMailbox, "resent-from": fMailbox,
	"to": fAddress, "cc": fAddress, "bcc": fAddress, "reply-to": fAddress,
	"resent-to": fAddress, "resent-cc": fAddress, "resent-bcc": fAddress,
}

// maxAddresses bounds the addresses that are shown of one line.
const maxAddresses = 500

// addresses reads a list of addresses (RFC 5322 section 3.4): commas within quotes, brackets and comments are none
// between addresses.
func addresses(d *dissect.D, item *dissect.Field, b []byte, at int) {
	for n := 0; len(b) > 0 && n < maxAddresses; n++ {
		size := addressEnd(b)
		one := b[:size]
		start := at + len(one) - len(bytes.TrimLeft(one, " \t\r\n"))
		if one = bytes.TrimSpace(one); len(one) > 0 {
			d.Put(item, 0, start, len(one))
			d.Below(func() { address(d, one, start) })
		}
		size = min(size+1, len(b))
		at, b = at+size, b[size:]
	}
}

// addressEnd is where the first address of a list ends.
func addressEnd(b []byte) int {
	quoted, depth := false, 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '<' || c == '(':
			depth++
		case (c == '>' || c == ')') && depth > 0:
			depth--
		case c == ',' && depth == 0:
			return i
		}
	}
	return len(b)
}

// address shows the parts of an address: with or without a name.
func address(d *dissect.D, b []byte, at int) {
	open := bytes.LastIndexByte(b, '<')
	end := bytes.LastIndexByte(b, '>')
	if open < 0 || end < open {
		d.Put(fAt, 0, at, len(b))
		return
	}
	if name := bytes.TrimSpace(b[:open]); len(name) > 0 {
		d.Put(fName, 0, at, len(name))
	}
	d.Put(fAt, 0, at+open+1, end-open-1)
}
