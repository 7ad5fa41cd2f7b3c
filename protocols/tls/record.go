package tls

import (
	"cmp"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// A context is what the fields of one record's messages depend on.
type context struct {
	d       *dissect.D
	note    note
	version uint16 // of the session, 0 while unknown
	quic    bool   // the messages come without records
	method  uint32 // of EAP, 0 elsewhere
	session *session

	datagram bool // of DTLS
}

// record reads one record: its header, then what it carries, decrypted where there are keys.
func record(d *dissect.D) {
	start, size := d.Pos(), int(d.PeekUint(3, 2))
	c := context{d: d}
	if d.Inner().Table() == tables.TLS {
		c.method = d.Inner().Key()
	}
	if d.Left() < headerSize {
		d.Skip(headerSize)
		return
	}
	whole := d.Data()
	if oldHello(whole) > 0 {
		c.oldClientHello(whole)
		return
	}
	whole = whole[:min(len(whole), headerSize+size)]
	c.note = sessions.FirstPass(d, func(s *session) note {
		c.session = s
		return s.pass(d, start, whole)
	})
	if c.version = c.note.Version; c.note.Kind == 0 { // there is no session: packets quoted by others
		c.note.Kind = whole[0]
	}
	if whole[1] == 3 {
		d.Info().Protocol(shortVersion(cmp.Or(c.agreed(), uint16(whole[1])<<8|uint16(whole[2]))))
	}
	d.In(fRecord, func() {
		if d.Labelling() {
			d.Suffix(fRecord, c.title(whole))
		}
		if whole[0] == typeData && c.version >= 0x0304 {
			d.Uint(fOpaque)
		} else {
			d.Uint(fContent)
		}
		d.Uint(fVersion)
		if d.Uint(fLength) > maxRecord {
			d.Expert(nLong)
		}
		d.Within(size, c.body)
	})
	if c.note.Key != 0 {
		c.unsealed(whole)
	}
}

// body reads what the record carries as it is on the wire.
func (c *context) body() {
	d := c.d
	typ := c.note.Kind
	switch {
	case c.note.Key != 0 && typ == typeData:
		d.Rest(fData)
		c.carried()
	case c.note.Key != 0:
		d.Rest(fSecret)
	case c.note.Sealed:
		c.sealed(typ)
	case typ == typeHandshake:
		c.fragments()
	case typ == typeAlert && d.Left()+d.Missing() != alertSize: // encrypted, in a session whose start nobody saw
		c.sealed(typ)
	default:
		c.plain(typ)
	}
}

// sealed shows what cannot be read.
func (c *context) sealed(typ uint8) {
	d := c.d
	if c.note.Failed {
		d.Expert(nUnsealed)
	}
	if why := reasons[c.note.Why]; why != nil {
		d.Expert(why)
	}
	kind := uint64(typ)<<8 | sealed
	switch typ {
	case typeHandshake:
		d.In(fSealed, func() { d.Skip(d.Left()) })
	case typeAlert:
		d.In(fSealedAl, func() { d.Skip(d.Left()) })
	case typeHeartbeat:
		d.In(fBeat, func() { d.Skip(d.Left()) })
	default:
		kind = typeData << 8
		d.Rest(fData)
		c.carried()
	}
	c.setKind(kind)
}

// carried names the protocol of the data.
func (c *context) carried() {
	if c.d.Wanted(fDataProto) {
		if name := c.inside(); name != "" {
			c.d.SetText(fDataProto, name)
		}
	}
}

// inside is the name of the protocol of the data: by what the session carries, else by the method of EAP around it.
func (c *context) inside() string {
	if c.note.App != 0 {
		return c.d.Inner().Name(c.note.App)
	}
	switch c.method {
	case methodTTLS:
		return "Diameter Protocol" // the form of what it carries (RFC 5281 section 10)
	case methodPEAP:
		return "Protected Extensible Authentication Protocol"
	}
	if d := c.d; c.note.Sealed && d.Ends().Transport() == dissect.TableTCP &&
		(d.Src.Port == portHTTPS || d.Dst.Port == portHTTPS) {
		return d.Inner().Name(d.Inner().Find(tables.TLSALPN, dissect.Word("http/1.1")))
	}
	return ""
}

// portHTTPS is where nothing but HTTP is expected as long as nothing is decrypted.
const portHTTPS = 443

// plain reads records other than handshakes.
func (c *context) plain(typ uint8) {
	d := c.d
	switch typ {
	case typeCipher:
		d.In(fCipher, func() { d.Skip(d.Left()) })
		c.setKind(typeCipher << 8)
	case typeAlert:
		c.alert()
	case typeHeartbeat:
		c.heartbeat()
	default:
		d.Rest(fData)
		c.setKind(uint64(typ) << 8)
	}
}

// setKind keeps a packet type and says it in the Info column.
func (c *context) setKind(kind uint64) {
	c.d.SetKind(fKind, kind)
	if c.d.Info().Wanted() && !c.quic { // QUIC speaks for itself
		c.d.Info().ListBehind(fKind.KindName(kind))
	}
}

const alertSize = 2

func (c *context) alert() {
	d := c.d
	d.In(fAlert, func() {
		d.SetKind(fKind, typeAlert<<8)
		level, what := d.Uint(fAlertLev), d.Uint(fAlertDesc)
		if d.Short() {
			return
		}
		text := alertText(level, what)
		if d.Labelling() {
			d.Suffix(fAlert, " ("+text+")")
		}
		if d.Info().Wanted() {
			d.Info().ListBehind("Alert (" + text + ")")
		}
		if level == 2 {
			d.Expert(nFatal)
		}
	})
}

func alertText(level, what uint64) string {
	return fmt.Sprintf("Level: %s, Description: %s", named(alertLevels, level), named(alerts, what))
}

func named(v dissect.Values, n uint64) string {
	if name, ok := v[n]; ok {
		return name
	}
	return fmt.Sprintf("Unknown (%d)", n)
}

func (c *context) heartbeat() {
	d := c.d
	d.In(fBeat, func() {
		c.setKind(typeHeartbeat << 8)
		d.Uint(fBeatType)
		n := int(d.Uint(fBeatLen))
		if n > d.Left()+d.Missing() {
			d.Expert(nBeat)
			n = d.Left()
		}
		d.Bytes(fBeatLoad, n)
		d.Rest(fBeatPad)
	})
}

// title is the text of a record's node.
func (c *context) title(whole []byte) string {
	version := c.version
	if version == 0 {
		version = uint16(whole[1])<<8 | uint16(whole[2])
	}
	layer := shortVersion(version) + " Record Layer: "
	body := whole[headerSize:]
	inner := c.inside()
	if inner != "" {
		inner = ": " + inner
	}
	switch typ := c.note.Kind; {
	case c.note.Key != 0 && typ == typeData:
		return layer + "Application Data Protocol" + inner
	case c.note.Key != 0:
		return layer + named(contentTypes, uint64(whole[0])) + " Protocol"
	case c.note.Sealed && whole[0] == typeData:
		return layer + "Application Data Protocol" + inner
	case c.note.Sealed:
		return layer + named(contentTypes, uint64(whole[0])) + " Protocol: " + named(kinds, uint64(whole[0])<<8|sealed)
	case typ == typeHandshake && len(body) >= 4:
		name := named(handshakeTypes, uint64(body[0]))
		if n := 4 + int(body[1])<<16 + int(body[2])<<8 + int(body[3]); n < len(body) {
			name = "Multiple Handshake Messages"
		}
		return layer + "Handshake Protocol: " + name
	case typ == typeAlert && len(body) != alertSize:
		return layer + "Encrypted Alert"
	case typ == typeAlert:
		return layer + "Alert (" + alertText(uint64(body[0]), uint64(body[1])) + ")"
	case typ == typeCipher:
		return layer + "Change Cipher Spec Protocol: Change Cipher Spec"
	default:
		return layer + named(contentTypes, uint64(typ)) + " Protocol"
	}
}

// shortVersion is a version as people say it.
func shortVersion(v uint16) string {
	switch v {
	case 0x0300:
		return "SSLv3"
	case 0x0301:
		return "TLSv1"
	case 0x0302:
		return "TLSv1.1"
	case 0x0303:
		return "TLSv1.2"
	case 0x0304:
		return "TLSv1.3"
	}
	if v>>8 == 0x7f || v == 0xfb17 || v == 0xfb1a { // drafts
		return "TLSv1.3"
	}
	return "TLS"
}
