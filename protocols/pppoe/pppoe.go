// Package pppoe dissects PPP over Ethernet (RFC 2516): how hosts find access concentrators, and the frames of sessions.
package pppoe

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("pppoe", "PPPoE", "PPP over Ethernet.")

// The two EtherTypes are protocols of their own; the header's fields belong to both.
var (
	discovery = dissect.NewProtocol("pppoed", "PPPoED", "PPP over Ethernet: hosts find access concentrators.").
			Summary("PPP-over-Ethernet Discovery").Color(dissect.HueYellow).SharesFields(proto)
	session = dissect.NewProtocol("pppoes", "PPPoES", "PPP over Ethernet: frames of sessions.").
		Summary("PPP-over-Ethernet Session").Color(dissect.HueYellow).SharesFields(proto)
)

var codes = dissect.Values{0x00: "Session Data", 0x07: "Active Discovery Offer (PADO)",
	0x09: "Active Discovery Initiation (PADI)", 0x0a: "Active Discovery Session-Grant (PADG)",
	0x0b: "Active Discovery Session-Credit Response (PADC)", 0x0c: "Active Discovery Quality (PADQ)",
	0x19: "Active Discovery Request (PADR)", 0x65: "Active Discovery Session-confirmation (PADS)",
	0xa7: "Active Discovery Terminate (PADT)", 0xd3: "Active Discovery Message (PADM)",
	0xd4: "Active Discovery Network (PADN)"}

var tags = dissect.Values{0: "End-Of-List", 0x101: "Service-Name", 0x102: "AC-Name", 0x103: "Host-Uniq",
	0x104: "AC-Cookie", 0x105: "Vendor-Specific", 0x106: "Credits", 0x107: "Metrics", 0x108: "Sequence Number",
	0x110: "Relay-Session-Id", 0x111: "HURL", 0x112: "MOTM", 0x120: "PPP-Max-Payload", 0x121: "IP Route Add",
	0x201: "Service-Name-Error", 0x202: "AC-System-Error", 0x203: "Generic-Error"}

var (
	fVersion = proto.Uint8("version", "Version", "Always 1.").Masked(0xf0)
	fType    = proto.Uint8("type", "Type", "Always 1.").Masked(0x0f)
	fCode    = proto.Kind("code", "Code", codes, "What the frame is.").Hex().Wordless()
	fSession = proto.Uint16("session_id", "Session ID", "Number of the session.").Hex()
	fLength  = proto.Uint16("payload_length", "Payload Length", "Length of the payload in bytes.")

	nLength = proto.Expert("payload_length.bad", dissect.Warn, "Possible bad payload length").About(dissect.AboutMalformed)
)

var (
	tGroup   = discovery.Node("tags", "PPPoE Tags", "What host and concentrator tell one another.")
	tTag     = discovery.Uint16("tag", "Tag", "What the tag says.").Hex().Named(tags).Hidden()
	tLen     = discovery.Uint16("tag_length", "Tag Length", "Length of the tag's value in bytes.").Hidden()
	tService = discovery.String("tags.service_name", "Service-Name", "Service that is asked for or offered.")
	tName    = discovery.String("tags.ac_name", "AC-Name", "Name of the concentrator.")
	tUniq    = discovery.Bytes("tags.host_uniq", "Host-Uniq", "Number of the host's for its request.")
	tCookie  = discovery.Bytes("tags.ac_cookie", "AC-Cookie", "Number of the concentrator's against floods.")
	tRelay   = discovery.Bytes("tags.relay_session_id", "Relay-Session-Id", "Number of a relay's.")
	tHURL    = discovery.Bytes("tags.hurl", "HURL", "Address of a page.")
	tMOTM    = discovery.Bytes("tags.motm", "MOTM", "Message of the minute.")
	tMax     = discovery.Bytes("tags.max_payload", "PPP-Max-Payload", "Longest payload in bytes (RFC 4638).")
	tSNError = discovery.String("tags.service_name_error", "Service-Name-Error", "Why the service is not given.")
	tACError = discovery.String("tags.ac_system_error", "AC-System-Error", "What broke at the concentrator.")
	tError   = discovery.String("tags.generic_error", "Generic-Error", "What broke.")
	tVendor  = discovery.Uint32("tags.vendor_id", "Vendor id", "Whose tag this is (IANA enterprise number).")
	tOwn     = discovery.Bytes("tags.vendor_unspecified", "Vendor unspecified", "Value of a vendor's tag.")
	tUnknown = discovery.Bytes("tag.unknown_data", "Unknown Data", "Value of a tag of another sort.")
	tTail    = discovery.Bytes("trailer", "Trailer", "Bytes behind the last tag. Wireshark has no name for them.")
)

// Plugin has the fields of the header, which both stages share. It is attached to nothing.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: func(d *dissect.D) { d.Reject() }}
}

// Discovery attaches the search for concentrators.
func Discovery() dissect.Plugin {
	return dissect.Plugin{Protocol: discovery, Dissect: discover,
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8863}}}
}

// Session attaches the frames of sessions.
func Session() dissect.Plugin {
	return dissect.Plugin{Protocol: session, Dissect: data, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8864}}}
}

// header reads what both have and bounds the range to the payload, which Ethernet may have padded.
func header(d *dissect.D) uint64 {
	d.Bits(fVersion, fType)
	code := d.Kind(fCode)
	d.Uint(fSession)
	n := int(d.Uint(fLength))
	if n > d.Left() && !d.CutShort() && !d.Short() {
		d.Expert(nLength)
	}
	d.Limit(n)
	return code
}

func data(d *dissect.D) {
	header(d)
	if d.Short() {
		return
	}
	d.Info().Set("{pppoe.code:name}")
	d.Next(tables.PPP, 0)
}

func discover(d *dissect.D) {
	code := header(d)
	if d.Short() {
		return
	}
	if codes[code] == "" {
		d.Info().Set("Unknown")
	} else {
		d.Info().Set("{pppoe.code:name}")
	}
	if !d.More() {
		return
	}
	d.In(tGroup, func() {
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			if tag(d) == 0 {
				break
			}
		}
		d.Rest(tTail)
	})
}

func tag(d *dissect.D) uint64 {
	kind := d.Uint(tTag)
	n := int(d.Uint(tLen))
	if n == 0 {
		return kind
	}
	d.Within(n, func() {
		switch kind {
		case 0x102:
			d.Rest(tName)
			d.Info().Set("AC-Name='{pppoed.tags.ac_name}'")
		case 0x105:
			d.Uint(tVendor)
			d.Rest(tOwn)
		default:
			d.Rest(value(kind))
		}
	})
	return kind
}

func value(kind uint64) *dissect.Field {
	switch kind {
	case 0x101:
		return tService
	case 0x103:
		return tUniq
	case 0x104:
		return tCookie
	case 0x110:
		return tRelay
	case 0x111:
		return tHURL
	case 0x112:
		return tMOTM
	case 0x120:
		return tMax
	case 0x201:
		return tSNError
	case 0x202:
		return tACError
	case 0x203:
		return tError
	}
	return tUnknown
}
