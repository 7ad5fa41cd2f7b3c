package sip

import (
	"bytes"
	"encoding/hex"

	"remora/dissect"
)

// The parts of headers of telephone networks (RFC 7315, RFC 3329) and of Session-ID (RFC 7989).
var (
	fAccessType = proto.String("P-Access-Network-Info.access-type", "access-type", "How the phone is connected.")
	fCell       = proto.String("P-Access-Network-Info.utran-cell-id-3gpp", "utran-cell-id-3gpp", "The cell that it is in.")

	fMechanism = proto.String("sec_mechanism", "[Security-mechanism]", "How messages are protected.")

	fSession = proto.Bytes("Session-ID.sess_id", "sess-id", "The session.").Hidden()
	fLocal   = proto.GUID("Session-ID.local_uuid", "local-uuid", "The sender's half of the session's name.")
	fRemote  = proto.GUID("Session-ID.remote_uuid", "remote-uuid", "The other half.")
	fLogMe   = proto.Label("Session-ID.logme", "logme", "The session is to be logged (RFC 8497).")
)

var chargingParameters = map[string]*dissect.Field{
	"icid-value":    proto.String("icid_value", "icid-value", "What is charged."),
	"icid-gen-addr": proto.String("icid_gen_addr", "icid-gen-addr", "Who named it."),
}

var mechanismParameters = map[string]*dissect.Field{
	"alg":    proto.String("sec_mechanism.alg", "alg", "How the messages' integrity is protected."),
	"ealg":   proto.String("sec_mechanism.ealg", "ealg", "How they are encrypted."),
	"prot":   proto.String("sec_mechanism.prot", "prot", "The protocol of IPsec."),
	"spi-c":  proto.Uint32("sec_mechanism.spi_c", "spi-c", "The index for the client's port.").HexDec(),
	"spi-s":  proto.Uint32("sec_mechanism.spi_s", "spi-s", "The index for the server's port.").HexDec(),
	"port1":  proto.Uint16("sec_mechanism.port1", "port1", "A port."),
	"port-c": proto.Uint16("sec_mechanism.port_c", "port-c", "The client's port."),
	"port2":  proto.Uint16("sec_mechanism.port2", "port2", "A port."),
	"port-s": proto.Uint16("sec_mechanism.port_s", "port-s", "The server's port."),
}

// access records how a phone is connected, and where.
func (m *reader) access(s span) {
	params := until(m.b, s, ';')
	m.put(fAccessType, trim(m.b, span{s.from, params}))
	m.parameters(span{min(params+1, s.to), s.to}, func(name string, _, value span) {
		if name == "utran-cell-id-3gpp" {
			m.put(fCell, value)
		}
	})
}

// mechanisms records the ways of protection that an end offers, which commas separate.
func (m *reader) mechanisms(s span) {
	for more := m.d.Elements(); s.from < s.to && more.NextAt(s.from); {
		end := until(m.b, s, ',')
		one := trim(m.b, span{s.from, end})
		params := until(m.b, one, ';')
		m.put(fMechanism, trim(m.b, span{one.from, params}))
		m.parameters(span{min(params+1, one.to), one.to}, func(name string, _, value span) {
			switch f := mechanismParameters[name]; {
			case f == nil:
			case f.Type() == dissect.TypeUint:
				m.number(f, value)
			default:
				m.put(f, value)
			}
		})
		s.from = end + 1
	}
}

// sessionID records both halves of the session's name, which are 32 hexadecimal digits each.
func (m *reader) sessionID(s span) {
	params := until(m.b, s, ';')
	m.half(trim(m.b, span{s.from, params}), fSession, fLocal)
	m.parameters(span{min(params+1, s.to), s.to}, func(name string, whole, value span) {
		switch name {
		case "remote":
			m.half(value, fRemote)
		case "logme":
			m.put(fLogMe, whole)
		}
	})
}

// half records hexadecimal digits as the bytes that they are.
func (m *reader) half(s span, fields ...*dissect.Field) {
	id, err := hex.DecodeString(string(bytes.TrimSpace(m.b[s.from:min(s.to, s.from+64)])))
	if err != nil || len(id) != 16 {
		return
	}
	for _, f := range fields {
		m.d.PutText(f, string(id), m.base+s.from, s.to-s.from)
	}
}
