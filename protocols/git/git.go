// Package git dissects the lines in which Git's programs talk (gitprotocol-common, gitprotocol-v2): each begins with
// its length in four hexadecimal digits.
package git

import (
	"encoding/hex"

	"remora/dissect"
)

var proto = dissect.NewProtocol("git", "Git", "Git: commits fetched and pushed.").Summary("Git Smart Protocol").
	Color(dissect.HueGreen)

var (
	fLength  = proto.Uint16("length", "Packet length", "Length of the line with these digits.").Hex()
	fVersion = proto.Uint8("version", "Git Protocol Version", "The version that the sender speaks.").Named(versions)
	fType    = proto.Uint8("packet_type", "Git Packet Type", "What a line without a text is.").Named(types)
	fData    = proto.Bytes("data", "Packet data", "The text, or a part of what is sent.")
	fBand    = proto.Uint8("sideband_control_code", "Sideband control code", "Whether it is data, news or an error.").Hex()

	nLength = proto.Expert("bad_pkt_len", dissect.Error, "unrecognized special pkt-len value")
)

var (
	versions = dissect.Values{'1': "Git protocol version 1", '2': "Git protocol version 2"}
	types    = dissect.Values{0: "Flush", 1: "Delimiter", 2: "Response end"}
)

// Plugin attaches Git to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: line, Message: length, TCP: []uint16{9418}, Fits: fits}
}

// size is the number that a line begins with, -1 where there is none.
func size(b []byte) int {
	var digits [2]byte
	if _, err := hex.Decode(digits[:], b[:4]); err != nil {
		return -1
	}
	return int(digits[0])<<8 | int(digits[1])
}

func length(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	switch n := size(b); {
	case n < 0:
		return -len(b)
	case n < 4:
		return 4
	default:
		return n
	}
}

// fits tells whether bytes begin with a line that is a text, as all do that open a connection.
func fits(d *dissect.D) bool {
	b := d.Data()
	return len(b) > 4 && size(b) > 4 && size(b) < 4096 && dissect.IsText(b[4:min(len(b), size(b))])
}

func line(d *dissect.D) {
	n := 0
	if d.Left() >= 4 {
		n = size(d.Data())
	}
	if n < 4 {
		d.Put(fType, uint64(max(0, n)), d.Pos(), min(4, d.Left()))
		if types[uint64(max(0, n))] == "" {
			d.Expert(nLength)
		}
		d.Skip(4)
		return
	}
	d.Put(fLength, uint64(n), d.Pos(), min(4, d.Left()))
	d.Skip(4)
	if b := d.Data(); len(b) >= 9 && string(b[:8]) == "version " {
		d.Put(fVersion, uint64(b[8]), d.Pos()+8, 1)
	}
	if d.More() && d.Peek(0) >= 1 && d.Peek(0) <= 3 {
		d.Uint(fBand)
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s", dissect.Escape(firstLine(d.Data())))
	}
	d.Rest(fData)
}

// firstLine is the text up to the end of the line, where it is one.
func firstLine(b []byte) string {
	end, _, _ := dissect.LineAt(b, 0, 80)
	if !dissect.IsText(b[:end]) {
		return ""
	}
	return string(b[:end])
}
