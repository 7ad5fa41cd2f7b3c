// Package radius dissects the Remote Authentication Dial In User Service (RFC 2865) with accounting (RFC 2866) and
// changes of authorization (RFC 5176).
package radius

import (
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("radius", "RADIUS",
	"Remote Authentication Dial In User Service: who may use a network, and for how long they did.").
	Summary("RADIUS Protocol").Color(dissect.HueYellow)

var (
	fCode   = proto.Kind("code", "Code", codes, "What the packet is.").Dec().Wordless()
	fID     = proto.Uint8("id", "Packet identifier", "Joins request and response.")
	fLength = proto.Uint16("length", "Length", "Length of the packet.")
	fAuth   = proto.Bytes("authenticator", "Authenticator",
		"A number used once, or proof that the answer is the server's.")
	fIsReq  = proto.Bool("req", "Request", "The packet is a request.").Derived().Hidden().TrueFalse("True", "False")
	fIsRsp  = proto.Bool("rsp", "Response", "The packet is a response.").Derived().Hidden().TrueFalse("True", "False")
	fRespIn = proto.FrameRef("rspframe", "Response Frame", "The frame with the answer.")
	fReqIn  = proto.FrameRef("reqframe", "Request Frame", "The frame with the request.")
	fTime   = proto.Span("time", "Time from request", "Time from the request to the response.").Derived()
	fAVPs   = proto.Group("avps", "Attribute Value Pairs", "What the packet says.")
	fBytes  = proto.Bytes("avp", "AVP", "The bytes of one attribute.").Hidden()
	fAVP    = proto.Group("avps.item", "AVP", "One attribute.").
		Summary("AVP: t={avp.type:name}({avp.type:raw}) l={avp.length}")
	fType   = proto.Uint8("avp.type", "Type", "Which attribute.").Named(names)
	fLen    = proto.Uint8("avp.length", "Length", "Length of the attribute with its header.")
	fVendor = proto.Uint32("avp.vendor_id", "Vendor ID", "Whose attribute it is.").Named(vendors)
	fVType  = proto.Uint8("avp.vendor_type", "Type", "Which of the vendor's attributes.")
	fVLen   = proto.Uint8("avp.vendor_len", "Length", "Length of the vendor's attribute with its header.")
	fVValue = proto.Bytes("vsa_value", "Value", "The vendor's value.")
	fEAP    = proto.Bytes("eap_fragment", "EAP fragment", "A part of an EAP message.")
	fIdent  = proto.Uint8("CHAP_Ident", "CHAP Ident", "Number of the challenge.").Hex()
	fString = proto.Bytes("CHAP_String", "CHAP String", "What proves that the user knows the password.")
	fOther  = proto.Bytes("Unknown_Attribute", "Unknown-Attribute", "The value.")
	fRest   = proto.Bytes("padding", "Padding", "Bytes behind the packet.")

	nLength = proto.Expert("length.bad", dissect.Warn, "A length does not fit")
)

var vendors = dissect.Values{
	9: "ciscoSystems", 311: "Microsoft", 14122: "Wi-Fi Alliance", 14823: "Aruba, a Hewlett Packard Enterprise company",
	14988: "MikroTik", 2636: "Juniper Networks, Inc.", 25053: "Ruckus Wireless, Inc.",
	10415: "The Third Generation Partnership Project (3GPP)",
	3561:  "Broadband Forum (previously 'DSL Forum')", 529: "Ascend Communications Inc.", 11344: "FreeRADIUS",
	41112: "Ubiquiti Networks, Inc.", 12356: "Fortinet, Inc.",
}

// An attribute is how its value is read. Those with a tag may have a byte in front that joins the attributes of one
// tunnel (RFC 2868 section 3).
type attribute struct {
	field *dissect.Field
	tag   *dissect.Field // of which tunnel it is; nil for others
}

func tagOf(name string) *dissect.Field {
	return proto.Uint8(name+".tag", "Tag", "Which tunnel is meant.").Hex()
}

const (
	attCHAP   = 3
	attVendor = 26
	attEAP    = 79
)

// requests are the codes of requests, with those of their answers.
var requests = map[uint64][]uint64{1: {2, 3, 11}, 4: {5}, 12: {2, 3, 5}, 40: {41, 42}, 43: {44, 45}, 7: {8, 9}}

// Plugin attaches RADIUS to its ports, and to those that it had first.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Statistics: statistics, Dissect: packet,
		UDP: []uint16{1645, 1646, 1700, 1812, 1813, 3799}, Fits: recognise}
}

// recognise takes packets of the length that they say, whose attributes fill it.
func recognise(d *dissect.D) bool {
	n := int(d.PeekUint(2, 2))
	if codes[uint64(d.Peek(0))] == "" || n < 20 || n > 4096 || n > d.Left()+d.Missing() {
		return false
	}
	for i, p := n, (dissect.Progress{}); i < d.Left() && p.Up(i); i++ { // RFC 2865 section 3: padding
		if d.Peek(i) != 0 {
			return false
		}
	}
	for at, p := 20, (dissect.Progress{}); at < n && at+1 < d.Left() && p.Up(at); {
		kind, size := d.Peek(at), int(d.Peek(at+1))
		if at += size; kind == 0 || size < 2 || at > n {
			return false
		}
	}
	return true
}

func packet(d *dissect.D) {
	code := d.Kind(fCode)
	id := d.Uint(fID)
	length := int(d.Uint(fLength))
	d.Bytes(fAuth, 16)
	if d.Info().Wanted() {
		name := codes[code]
		if name == "" {
			name = fmt.Sprintf("Unknown code %d", code)
		}
		d.Info().Setf("%s id=%d", name, id)
	}
	if d.Short() {
		return
	}
	pair(d, code, id)
	if length < 20 {
		d.Expert(nLength)
		d.Rest(fRest)
		return
	}
	var m message
	if length > 20 {
		d.In(fAVPs, func() {
			d.Within(min(length-20, max(d.Left(), 1)), func() {
				for more := d.Elements(); more.Next(); {
					m.pairOf(d)
				}
			})
		})
	}
	d.Rest(fRest)
	m.read(d)
}

// pair joins requests and responses by their number.
func pair(d *dissect.D, code, id uint64) {
	if _, asks := requests[code]; asks {
		d.Set(fIsReq, 1)
		d.Request(id, fRespIn)
		return
	}
	d.Set(fIsRsp, 1)
	d.Response(id, fRespIn, fReqIn, fTime)
}

// pairOf reads one attribute.
func (m *message) pairOf(d *dissect.D) {
	d.In(fAVP, func() {
		kind := d.Uint(fType)
		n := int(d.Uint(fLen)) - 2
		switch {
		case d.Short() || n == 0:
			return
		case n < 0:
			d.Expert(nLength)
			d.Rest(fRest)
			return
		}
		d.Put(fBytes, 0, d.Pos()-2, 2+min(n, d.Left()))
		d.Within(n, func() {
			switch kind {
			case attCHAP:
				at := d.Pos()
				value(d, attributes[kind])
				d.Seek(at)
				d.Below(func() { d.Uint(fIdent); d.Rest(fString) })
			case attVendor:
				vendor(d)
			case attEAP:
				m.piece(d)
			default:
				value(d, attributes[kind])
			}
			d.Rest(fOther)
		})
	})
}

// value reads the value of an attribute, if it has the length of its sort.
func value(d *dissect.D, a attribute) {
	if a.field == nil {
		return
	}
	if first := d.Peek(0); a.tag != nil && (first <= 0x1f || a.field.Type() == dissect.TypeUint) {
		if d.Uint(a.tag); a.field.Type() == dissect.TypeUint { // the tag takes the number's first byte
			if d.Left() == 3 {
				d.Put(a.field, d.PeekUint(0, 3), d.Pos(), 3)
				d.Skip(3)
			}
			return
		}
	}
	n := d.Left()
	switch a.field.Type() {
	case dissect.TypeString, dissect.TypeBytes:
		d.Rest(a.field)
	case dissect.TypeIPv4:
		if n == 4 {
			d.IPv4(a.field)
		}
	case dissect.TypeIPv6:
		if n == 16 {
			d.IPv6(a.field)
		}
	case dissect.TypeTime:
		if n == 4 {
			d.Put(a.field, d.PeekUint(0, 4)*1e9, d.Pos(), 4)
			d.Skip(4)
		}
	default:
		if n == a.field.Size() {
			d.Uint(a.field)
		}
	}
}

// vendor reads a vendor's attributes, where they have the usual form.
func vendor(d *dissect.D) {
	who := d.Uint(fVendor)
	for more := d.Elements(); d.Left() >= 2 && int(d.Peek(1)) >= 2 && int(d.Peek(1)) <= d.Left() && more.Next(); {
		kind := d.Uint(fVType)
		if n := int(d.Uint(fVLen)) - 2; n > 0 {
			d.Within(n, func() {
				value(d, vendorAttributes[who][kind])
				d.Rest(fVValue)
			})
		}
	}
	d.Rest(fVValue)
}
