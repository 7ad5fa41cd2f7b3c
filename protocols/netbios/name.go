package netbios

import (
	"fmt"

	"remora/dissect"
)

// name reads a name in the second-level encoding (RFC 1002 section 4.1): 32 letters for 16 bytes, then a scope of
// labels, or a pointer to an earlier name. start is where the message begins. Where it is served, its
// service is part of the value, as Wireshark has it of records; otherwise of the label. It returns the name's text.
func name(d *dissect.D, f *dissect.Field, start int, served bool) string {
	at := d.Pos()
	whole := d.Data()
	if start < at { // pointers count from the message's start
		d.Seek(start)
		whole = d.Data()
		d.Seek(at)
	}
	text, service, n := decode(whole, at-start)
	if n == 0 {
		if d.CutShort() || d.Left() == 0 {
			d.Skip(d.Left() + 1)
		} else {
			d.Expert(nName)
			d.Rest(fData)
		}
		return ""
	}
	d.Skip(n)
	if !d.Short() {
		if served {
			d.PutText(f, text+service, at, n)
		} else {
			d.PutText(f, text, at, n)
			d.Suffix(f, service)
		}
	}
	return text
}

// decode reads a name at an offset of the message and says how many bytes it takes there, 0 when it is wrong.
func decode(b []byte, at int) (text, service string, taken int) {
	here := true
	for first, jumps := true, 0; at < len(b) && jumps < 8 && len(text) < 512; {
		n := int(b[at])
		switch {
		case n == 0:
			if here {
				taken++
			}
			return text, service, taken
		case n >= 0xc0 && at+1 < len(b):
			to := n&0x3f<<8 | int(b[at+1])
			if here {
				taken, here = taken+2, false
			}
			if to >= at {
				return "", "", 0
			}
			at = to
			jumps++
		case n < 0x40 && at+1+n <= len(b):
			label := b[at+1 : at+1+n]
			if first && n == 32 {
				text, service = plain(label)
			} else {
				text += "." + string(label)
			}
			first = false
			if here {
				taken += 1 + n
			}
			at += 1 + n
		default:
			return "", "", 0
		}
	}
	return "", "", 0
}

// plain undoes the first-level encoding: every letter from A on is half a byte.
func plain(label []byte) (text, service string) {
	var raw [16]byte
	for i := range raw {
		raw[i] = (label[2*i]-'A')<<4 | (label[2*i+1]-'A')&0xf
	}
	return written(raw)
}

// written is a name of 15 characters, without the spaces behind it, and its service.
func written(raw [16]byte) (text, service string) {
	end := 15
	for end > 0 && raw[end-1] == ' ' {
		end--
	}
	for _, c := range raw[:end] {
		if c >= 0x20 && c < 0x7f {
			text += string(rune(c))
		} else {
			text += fmt.Sprintf("<%02x>", c)
		}
	}
	text += fmt.Sprintf("<%02x>", raw[15])
	if s := suffixes[raw[15]]; s != "" {
		service = " (" + s + ")"
	}
	return text, service
}
