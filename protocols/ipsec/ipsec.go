// Package ipsec dissects the packets of IPsec: what is encrypted (ESP, RFC 4303), decrypted with keys that people give,
// what is only proven (AH, RFC 4302), and both in UDP (RFC 3948). Numbers are in network order.
package ipsec

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var (
	encap = dissect.NewProtocol("udpencap", "UDPENCAP", "Packets of IPsec in UDP, for ways with address translation.").
		Summary("UDP Encapsulation of IPsec Packets").Color(dissect.HueMagenta)
	ah = dissect.NewProtocol("ah", "AH", "Authentication Header: packets that are proven, but not encrypted.").
		Summary("Authentication Header").Color(dissect.HueMagenta)

	fAlive  = encap.Node("nat_keepalive", "NAT-keepalive packet", "A byte that keeps an address translation alive.")
	fMarker = encap.Node("non_esp_marker", "Non-ESP Marker", "Zeros where ESP has its number: a message of IKE follows.")

	fAHNext   = ah.Uint8("next_header", "Next header", "What is inside, as a protocol number of IP.")
	fAHLength = ah.Uint8("length", "Length", "Length of the header in words of four bytes, less two.").Format(ahLength)
	fAHZero   = ah.Bytes("reserved", "Reserved", "Zero.")
	fAHSPI    = ah.Uint32("spi", "AH SPI", "The receiver's number of the agreement.").Hex()
	fAHNumber = ah.Uint32("sequence", "AH Sequence", "Number of the packet.")
	fAHICV    = ah.Bytes("icv", "AH ICV", "The proof that nothing was changed.")
)

func ahLength(v uint64) string { return itoa(v) + " (" + itoa((v+2)*4) + " bytes)" }

// Encapsulation attaches IPsec in UDP to its port.
func Encapsulation() dissect.Plugin {
	return dissect.Plugin{Protocol: encap, Dissect: encapsulated, UDP: []uint16{4500}, Guess: recognise}
}

// recognise knows IKE behind its marker; ESP says little of itself: a number that is not reserved, and few packets so
// far.
func recognise(d *dissect.D) dissect.Confidence {
	b, size := d.Data(), d.Left()+d.Missing()
	switch {
	case d.Dst.Port != 4500 && d.Src.Port != 4500:
		return dissect.No
	case size == 1 && d.Peek(0) == 0xff:
		return dissect.Weak
	case len(b) >= 32 && d.PeekUint(0, 4) == 0 && d.PeekUint(4, 8) != 0 && (b[21] == 0x10 || b[21] == 0x20) &&
		int(d.PeekUint(28, 4)) == size-4:
		return dissect.Strong
	case size >= 24 && size%2 == 0 && d.PeekUint(0, 4) > 255 && d.PeekUint(4, 4)-1 < 1<<16:
		return dissect.Weak
	}
	return dissect.No
}

func encapsulated(d *dissect.D) {
	switch {
	case d.Left() == 1 && d.Peek(0) == 0xff:
		d.Info().Set("NAT-keepalive")
		d.In(fAlive, func() { d.Skip(1) })
	case d.PeekUint(0, 4) == 0:
		d.Info().Set("ISAKMP")
		d.In(fMarker, func() { d.Skip(4) })
		d.Next(tables.ISAKMP, 0)
	default:
		d.Info().Set("ESP")
		d.Next(tables.ESP, 0)
	}
}

// Authentication attaches AH to its number.
func Authentication() dissect.Plugin {
	return dissect.Plugin{Protocol: ah, Dissect: authenticated, On: []dissect.Key{{Table: dissect.TableIP, Value: 51}}}
}

func authenticated(d *dissect.D) {
	next := d.Uint(fAHNext)
	length := (int(d.Uint(fAHLength)) + 2) * 4
	d.Bytes(fAHZero, 2)
	spi := d.Uint(fAHSPI)
	d.Uint(fAHNumber)
	if length > 12 {
		d.Bytes(fAHICV, length-12)
	}
	if d.Info().Wanted() {
		d.Info().Setf("AH (SPI=0x%08x)", spi)
	}
	exportNext(d, uint32(next))
	d.Next(dissect.TableIP, uint32(next))
}

// exportNext exports what is inside.
func exportNext(d *dissect.D, next uint32) {
	if d.Inner().Exporting(dissect.ExportLayer3) {
		d.Inner().ExportAs(dissect.ExportLayer3, dissect.ExportedAs{Name: d.Inner().CalledBy(dissect.TableIP, next)})
	}
}
