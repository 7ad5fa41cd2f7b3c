// Package eap dissects the Extensible Authentication Protocol (RFC 3748) and its usual methods: identity, MD5 (RFC 3748
// section 5.4), TLS (RFC 5216) and the methods built on it (TTLS, RFC 5281; PEAP; FAST, RFC 4851; TEAP, RFC 7170),
// MS-CHAP-v2, LEAP, SIM (RFC 4186) and AKA (RFC 4187). What TLS messages carry goes to the table tls.
package eap

import (
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// The codes and types that need more than their name.
const (
	codeRequest  = 1
	codeResponse = 2

	typeIdentity = 1
	typeNotice   = 2
	typeNak      = 3
	typeMD5      = 4
	typeTLS      = 13
	typeLEAP     = 17
	typeSIM      = 18
	typeTTLS     = 21
	typeAKA      = 23
	typePEAP     = 25
	typeMSCHAP   = 26
	typeFAST     = 43
	typeAKAPrime = 50
	typeTEAP     = 55
	typeExpanded = 254
)

const headLength = 4

// Plugin attaches EAP to what carries it.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: tables.EAP}}}
}

func packet(d *dissect.D) {
	code := d.Kind(fCode)
	id := d.Uint(fID)
	n := int(d.Uint(fLen)) - headLength
	if d.Short() {
		return
	}
	if n < 0 {
		d.Expert(nLength)
	}
	d.Limit(max(n, 0))
	if code != codeRequest && code != codeResponse {
		info(d, "{code:name}", "Unknown code (0x%02X)", code, fCode)
		d.Rest(fData)
		return
	}
	if !d.More() {
		d.Info().Set("{code:name}")
		return
	}
	kind := d.Uint(fType)
	info(d, "{code:name}, {type:name}", "Unknown type (0x%02x)", kind, fType)
	other := d.Dst.Addr
	if isGroup(other) {
		other = groups.FirstPassIn(d, func(s *stations) dissect.Addr { return s.note(d.Dst.Addr, d.Src.Addr) })
	}
	method(d, code, id, kind, other)
	d.Rest(fData)
}

// info writes the template, or words with the number where it has no name.
func info(d *dissect.D, template, unknown string, v uint64, f *dissect.Field) {
	switch {
	case f.ValueName(v) != "":
		d.Info().Set(template)
	case !d.Info().Wanted():
	case f == fType:
		d.Info().Set("{code:name}, ")
		d.Info().Setf(unknown, v)
	default:
		d.Info().Setf(unknown, v)
	}
}

func method(d *dissect.D, code, id, kind uint64, other dissect.Addr) {
	switch kind {
	case typeIdentity:
		d.Rest(fIdentity)
	case typeNotice:
		d.Rest(fNotice)
	case typeNak:
		for more := d.Elements(); more.Next(); {
			d.Uint(fDesired)
		}
	case typeMD5:
		digest(d)
	case typeTLS, typeTTLS, typePEAP, typeFAST, typeTEAP:
		tunnel(d, id, kind, other)
	case typeLEAP:
		light(d, code)
	case typeMSCHAP:
		chap(d)
	case typeSIM:
		simple(d, simFields)
	case typeAKA, typeAKAPrime:
		simple(d, akaFields)
	case typeExpanded:
		expanded(d)
	}
}

// digest is the challenge of MD5 or the answer to it (RFC 3748 section 5.4).
func digest(d *dissect.D) {
	d.Expert(nExposed)
	n := int(d.Uint(fMD5Len))
	if n > d.Left() && !d.CutShort() {
		d.Expert(nSize)
		n = d.Left()
	}
	if n > 0 {
		d.Bytes(fMD5, n)
	}
	d.Rest(fMD5Rest)
}

// expanded names a method by its vendor (RFC 3748 section 5.7): three bytes and four.
func expanded(d *dissect.D) {
	vendor, kind, at := d.PeekUint(0, 3), d.PeekUint(3, 4), d.Pos()
	d.Skip(7)
	if d.Short() {
		return
	}
	d.Put(fExtVendor, vendor, at, 3)
	d.Put(fExtType, kind, at+3, 4)
}

// light is LEAP: a challenge or the response to it, and a name.
func light(d *dissect.D, code uint64) {
	d.Expert(nGuessed)
	d.Uint(fLeapVer)
	d.Uint(fLeapRes)
	switch n := int(d.Uint(fLeapCount)); {
	case code == codeRequest && n == 8:
		d.Bytes(fLeapChal, n)
	case code == codeResponse && n == 24:
		d.Bytes(fLeapResp, n)
	default:
		d.Bytes(fLeapData, n)
	}
	d.Rest(fLeapName)
}

// chap is Microsoft's challenge handshake within EAP (draft-kamath-pppext-eap-mschapv2).
func chap(d *dissect.D) {
	op := d.Uint(fChapOp)
	if !d.More() {
		return
	}
	whole := d.Left() + 1
	d.Uint(fChapID)
	if n := int(d.Uint(fChapLen)); n != whole && !d.CutShort() && !d.Short() {
		d.Expert(nChapLen)
	}
	switch op {
	case 1:
		d.Counted(fChapSize, fChapChal)
		d.Rest(fChapName)
	case 2:
		response(d, int(d.Uint(fChapSize)))
		d.Rest(fChapName)
	case 3:
		d.Rest(fChapText)
	case 4:
		d.Rest(fChapFail)
	default:
		d.Rest(fChapData)
	}
}

// chapResponse is the usual length of a response: two challenges' worth of numbers and flags.
const chapResponse = 49

func response(d *dissect.D, n int) {
	if n != chapResponse {
		d.Bytes(fChapResp, n)
		return
	}
	d.Bytes(fChapPeer, 16)
	d.Bytes(fChapRes, 8)
	d.Bytes(fChapNT, 24)
	d.Uint(fChapFlags)
}

// attributes are the fields of SIM's messages, and those of AKA's.
type attributes struct{ subtype, reserved, group, kind, length, value *dissect.Field }

var (
	simFields = attributes{fSimType, fSimRes, fSimAttr, fSimAttrT, fSimAttrL, fSimValue}
	akaFields = attributes{fAkaType, fAkaRes, fAkaAttr, fAkaAttrT, fAkaAttrL, fAkaValue}
)

// simple reads a message of attributes, whose lengths count units of four bytes (RFC 4186 section 8.1).
func simple(d *dissect.D, f attributes) {
	d.Uint(f.subtype)
	d.Uint(f.reserved)
	for more := d.Elements(); more.Next(); {
		d.In(f.group, func() {
			kind := d.Uint(f.kind)
			n := int(d.Uint(f.length))*4 - 2
			if d.Labelling() && !d.Short() {
				d.Suffix(f.group, fmt.Sprintf(": %s (%d)", f.kind.ValueName(kind), kind))
			}
			if n < 0 {
				d.Expert(nLength)
				n = d.Left()
			}
			if n > 0 {
				d.Bytes(f.value, n)
			}
		})
	}
}
