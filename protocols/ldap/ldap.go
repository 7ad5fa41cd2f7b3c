// Package ldap dissects the Lightweight Directory Access Protocol (RFC 4511): who binds, what is searched and changed,
// and what comes back.
package ldap

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/ber"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("ldap", "LDAP", "LDAP: directories of people and machines, asked and changed.").
	Summary("Lightweight Directory Access Protocol").Color(dissect.HueGreen)

var (
	asn      = ber.For(proto)
	fMessage = proto.Node("LDAPMessage_element", "LDAPMessage", "One message.").
			Summary("LDAPMessage {ldap.protocolOp:name}[({ldap.messageID})]")
	fID      = proto.Uint32("messageID", "messageID", "Joins request and responses.")
	fOp      = proto.Kind("protocolOp", "protocolOp", operations, "What the message is.").Dec().Wordless()
	fVersion = proto.Uint32("version", "version", "The version of the protocol.")
	fName    = proto.String("name", "name", "Who binds.")
	fSimple  = proto.String("simple", "simple", "The password.")
	fSASL    = proto.String("mechanism", "mechanism", "How the client proves who it is.")
	fCreds   = proto.Bytes("credentials", "credentials", "What proves it.")
	fBuffer  = proto.Uint32("sasl_buffer_length", "SASL Buffer Length", "Length of the protected token.")
	fServer  = proto.Bytes("serverSaslCreds", "serverSaslCreds", "What proves who the server is.")
	fResult  = proto.Uint32("resultCode", "resultCode", "How it went.").Named(results)
	fMatched = proto.String("matchedDN", "matchedDN", "How much of the name is there.")
	fError   = proto.String("errorMessage", "errorMessage", "What went wrong, in words.")
	fBase    = proto.String("baseObject", "baseObject", "Where the search begins.")
	fScope   = proto.Uint32("scope", "scope", "How far down it goes.").Named(scopes)
	fDeref   = proto.Uint32("derefAliases", "derefAliases", "Whether aliases are followed.").Named(derefs)
	fSizes   = proto.Uint32("sizeLimit", "sizeLimit", "How many entries are wanted at most, 0 all.")
	fTimes   = proto.Uint32("timeLimit", "timeLimit", "How many seconds it may take, 0 any.")
	fTypes   = proto.Bool("typesOnly", "typesOnly", "Whether values are left out.")
	fFilter  = proto.String("filter.text", "Filter", "What is looked for.")
	fWanted  = proto.String("AttributeDescription", "AttributeDescription", "An attribute that is wanted.")
	fObject  = proto.String("objectName", "objectName", "The entry.")
	fEntry   = proto.String("entry", "entry", "The entry.")
	fType    = proto.String("type", "type", "An attribute.")
	fValue   = proto.String("AttributeValue", "AttributeValue", "A value of it.")
	fChange  = proto.Uint32("operation", "operation", "What is changed.").
			Named(dissect.Values{0: "add", 1: "delete", 2: "replace", 3: "increment"})
	fDesc    = proto.String("attributeDesc", "attributeDesc", "The attribute that is compared.")
	fAssert  = proto.String("assertionValue", "assertionValue", "The value with which it is.")
	fDelete  = proto.String("delRequest", "delRequest", "The entry that is removed.")
	fNewName = proto.String("newrdn", "newrdn", "The entry's new name.")
	fOldGone = proto.Bool("deleteoldrdn", "deleteoldrdn", "Whether the old name is removed.")
	fSuper   = proto.String("newSuperior", "newSuperior", "Where the entry goes.")
	fAbandon = proto.Uint32("abandonRequest", "abandonRequest", "The request that is given up.")
	fAsked   = proto.String("requestName", "requestName", "The extended operation.")
	fURI     = proto.String("LDAPURL", "LDAPURL", "Where to go on.")
	fControl = proto.String("controlType", "controlType", "A control: what else is asked or told.")
	fData    = proto.Bytes("value", "Value", "A part of a form of its own.")
	fIn      = proto.FrameRef("response_in", "Response In", "The response.")
	fTo      = proto.FrameRef("response_to", "Response To", "The request.")
	fTime    = proto.Span("time", "Time", "Time from the request to the response.").Derived()
)

// The operations whose bodies differ, by the number of their tag.
const (
	opBind         = 0
	opBindAnswer   = 1
	opUnbind       = 2
	opSearch       = 3
	opEntry        = 4
	opModify       = 6
	opAdd          = 8
	opDelete       = 10
	opRename       = 12
	opCompare      = 14
	opAbandon      = 16
	opReference    = 19
	opExtended     = 23
	opIntermediate = 25
)

// Plugin attaches LDAP to its ports, with that of the global catalogue of Windows.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Statistics: statistics, Dissect: packet, TCP: []uint16{389, 3268},
		Message: length, Fits: fits, On: []dissect.Key{{Table: tables.GSSPayload, Value: 1}}}
}

// fits tells whether the bytes begin as a message does: a sequence with a number.
func fits(d *dissect.D) bool {
	b := d.Data()
	tag, n, size := ber.Header(b)
	return size > 0 && tag == ber.Sequence && n <= maxMessage && len(b) > size+1 && b[size] == ber.Integer &&
		b[size+1] >= 1 && b[size+1] <= 4
}

// maxMessage bounds a message.
const maxMessage = 4 << 20

// length is how long the message at the start of b is.
func length(b []byte) int {
	if len(b) > 0 && b[0] == 0 { // a buffer of SASL (RFC 4422 section 3.7)
		if len(b) < 4 {
			return 0
		}
		if n := int(binary.BigEndian.Uint32(b)); n <= maxMessage {
			return 4 + n
		}
	}
	if len(b) > 0 && b[0] != ber.Sequence {
		return len(b)
	}
	if len(b) < 2 || b[1] > 0x80 && len(b) < 2+int(b[1]&0x7f) && b[1] <= 0x84 {
		return 0
	}
	_, n, size := ber.Header(b)
	if size == 0 || n > maxMessage {
		return len(b)
	}
	return size + n
}

// packet reads messages, or a buffer that a mechanism of SASL protects.
func packet(d *dissect.D) {
	if d.Left() > 4 && d.Peek(0) == 0 && d.PeekUint(0, 4) == uint64(d.Left()-4) {
		d.Uint(fBuffer)
		d.Info().Setf("SASL GSS-API") // until what is inside says more
		d.Next(tables.GSS, 1)
		return
	}
	for more := d.Elements(); d.Left() > 0 && more.Next(); {
		message(d)
	}
}

func message(d *dissect.D) {
	ok := asn.Group(d, fMessage, ber.Sequence, func() {
		id := uint64(asn.Number(d, fID, ber.Integer))
		tag, _, size := ber.Header(d.Data())
		if size == 0 || tag&0xc0 != 0x40 {
			asn.Odd(d)
			return
		}
		op := uint64(tag & 0x1f)
		d.SetKind(fOp, op)
		pair(d, id, op)
		if d.Info().Wanted() {
			d.Info().Setf("%s(%d)", name(operations, op), id)
		}
		asn.Value(d, tag, func(byte, int) { body(d, op) })
		asn.Optional(d, ber.Context, func() { asn.Each(d, func() { control(d) }) })
	})
	if ok && d.Left() > 0 {
		d.Rest(fData)
	}
}

// pair joins a request with the response that ends it.
func pair(d *dissect.D, id, op uint64) {
	switch op {
	case opBind, opSearch, opModify, opAdd, opDelete, opRename, opCompare, opExtended:
		d.Request(id, fIn)
	case opBindAnswer, 5, 7, 9, 11, 13, 15, 24:
		d.Response(id, fIn, fTo, fTime)
	case opEntry, opReference, opIntermediate:
		d.Response(id, nil, fTo, fTime)
	}
}

func name(v dissect.Values, n uint64) string {
	if text := v[n]; text != "" {
		return text
	}
	return fmt.Sprintf("unknown %d", n)
}

func control(d *dissect.D) {
	asn.Value(d, ber.Sequence, func(byte, int) {
		asn.Bytes(d, fControl, ber.Octets)
		d.Rest(fData)
	})
}

// quoted adds a name to the Info column, the root by its sign.
func quoted(d *dissect.D, b []byte) {
	if !d.Info().Wanted() {
		return
	}
	text := string(b)
	if text == "" {
		text = "<ROOT>"
	}
	d.Info().Setf("%q", strings.ToValidUTF8(text, "\uFFFD"))
}

// body reads one operation (RFC 4511 section 4).
func body(d *dissect.D, op uint64) {
	switch op {
	case opBind:
		asn.Number(d, fVersion, ber.Integer)
		quoted(d, asn.Bytes(d, fName, ber.Octets))
		credentials(d)
	case opSearch:
		search(d)
	case opEntry:
		count(d)
		quoted(d, asn.Bytes(d, fObject, ber.Octets))
		attributes(d)
	case opAdd:
		quoted(d, asn.Bytes(d, fEntry, ber.Octets))
		attributes(d)
	case opModify:
		quoted(d, asn.Bytes(d, fObject, ber.Octets))
		asn.Value(d, ber.Sequence, func(byte, int) { asn.Each(d, func() { change(d) }) })
	case opDelete:
		quoted(d, d.Rest(fDelete))
	case opRename:
		quoted(d, asn.Bytes(d, fEntry, ber.Octets))
		asn.Bytes(d, fNewName, ber.Octets)
		asn.Number(d, fOldGone, ber.Boolean)
		if ber.Next(d) == ber.Plain {
			asn.Bytes(d, fSuper, ber.Plain)
		}
	case opCompare:
		quoted(d, asn.Bytes(d, fEntry, ber.Octets))
		asn.Value(d, ber.Sequence, func(byte, int) {
			asn.Bytes(d, fDesc, ber.Octets)
			asn.Bytes(d, fAssert, ber.Octets)
		})
	case opAbandon:
		asn.Bare(d, fAbandon, d.Left())
	case opReference:
		asn.Each(d, func() { asn.Bytes(d, fURI, ber.Octets) })
	case opExtended:
		if b := asn.Bytes(d, fAsked, ber.Plain); d.Info().Wanted() {
			d.Info().Setf("%s", cmp.Or(extensions[string(b)], string(b)))
		}
		d.Rest(fData)
	case opUnbind, opIntermediate:
		d.Rest(fData)
	default:
		result(d, op)
	}
}

func credentials(d *dissect.D) {
	switch ber.Next(d) {
	case ber.Plain:
		d.Info().Setf("simple")
		asn.Bytes(d, fSimple, ber.Plain)
	case ber.Context | 3:
		d.Info().Setf("sasl")
		asn.Value(d, ber.Context|3, func(byte, int) {
			asn.Bytes(d, fSASL, ber.Octets)
			if d.More() {
				asn.Value(d, ber.Octets, func(_ byte, n int) { blob(d, fCreds) })
			}
		})
	}
}

func blob(d *dissect.D, f *dissect.Field) {
	if d.Left() == 0 {
		return
	}
	d.Put(f, 0, d.Pos(), d.Left())
	if d.Peek(0) == ber.Application || d.Peek(0) == 'N' || d.Peek(0) == ber.Context|1 ||
		d.Peek(0) == 5 && d.Left() > 16 {
		d.Next(tables.GSS, 1)
	}
	d.Skip(d.Left())
}

// result reads how an operation went (RFC 4511 section 4.1.9).
func result(d *dissect.D, op uint64) {
	code := asn.Number(d, fResult, ber.Enumerated)
	if d.Info().Wanted() && op != 24 {
		d.Info().Setf("%s", name(results, uint64(code)))
	}
	asn.Bytes(d, fMatched, ber.Octets)
	if b := asn.Bytes(d, fError, ber.Octets); code != 0 && len(b) > 0 && d.Info().Wanted() {
		d.Info().Setf("(%s)", strings.ToValidUTF8(string(b), "\uFFFD"))
	}
	countInfo(d, op)
	if op == opBindAnswer && ber.Next(d) == ber.Plain|7 {
		asn.Value(d, ber.Plain|7, func(byte, int) { blob(d, fServer) })
	}
	d.Rest(fData)
}

func attributes(d *dissect.D) {
	asn.Value(d, ber.Sequence, func(byte, int) { asn.Each(d, func() { attribute(d) }) })
}

func attribute(d *dissect.D) {
	asn.Value(d, ber.Sequence, func(byte, int) {
		asn.Bytes(d, fType, ber.Octets)
		asn.Value(d, ber.Set, func(byte, int) { asn.Each(d, func() { asn.Bytes(d, fValue, ber.Octets) }) })
	})
}

func change(d *dissect.D) {
	asn.Value(d, ber.Sequence, func(byte, int) {
		asn.Number(d, fChange, ber.Enumerated)
		attribute(d)
	})
}

func search(d *dissect.D) {
	quoted(d, asn.Bytes(d, fBase, ber.Octets))
	scope := asn.Number(d, fScope, ber.Enumerated)
	if d.Info().Wanted() {
		d.Info().Setf("%s", name(scopes, uint64(scope)))
	}
	asn.Number(d, fDeref, ber.Enumerated)
	asn.Number(d, fSizes, ber.Integer)
	asn.Number(d, fTimes, ber.Integer)
	asn.Number(d, fTypes, ber.Boolean)
	if _, n, size := ber.Header(d.Data()); size > 0 && size+n <= d.Left() {
		d.PutText(fFilter, filter(d.Data()[:size+n], 0), d.Pos(), size+n)
		d.Skip(size + n)
	}
	asn.Value(d, ber.Sequence, func(byte, int) { asn.Each(d, func() { asn.Bytes(d, fWanted, ber.Octets) }) })
}
