// Package grpc dissects the messages that calls by gRPC and gRPC-Web exchange in bodies of HTTP (the documents
// PROTOCOL-HTTP2.md and PROTOCOL-WEB.md of gRPC): each with five bytes in front. What is in JSON is handed on.
package grpc

import (
	"bytes"
	"encoding/base64"

	"remora/dissect"
	"remora/internal/coding"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("grpc", "GRPC", "Messages of remote calls by gRPC.").Summary("GRPC Message").
	Color(dissect.HueGreen)

var (
	fFrame = proto.Uint8("frame_type", "Frame Type", "Data, or in gRPC-Web the trailer.").Masked(0x80).
		Named(dissect.Values{0: "Data", 1: "Trailer"})
	fPacked = proto.Uint8("compressed_flag", "Compressed Flag", "Whether the message is packed.").Masked(0x01).
		Named(dissect.Values{0: "Not Compressed", 1: "Compressed"})
	fLength = proto.Uint32("message_length", "Message Length", "Length of the message.")
	fData   = proto.Bytes("message_data", "Message Data", "The message.")
	fText   = proto.String("trailer", "Trailer", "How the call ended, in the lines of HTTP.").Own()

	nBroken = proto.Expert("body_malformed", dissect.Warn, "Malformed message data").About(dissect.AboutUndecoded)
	nPacked = proto.Expert("body_decompression_failed", dissect.Warn, "Body decompression failed").
		About(dissect.AboutUndecoded)

	pJSON = proto.Switch("detect_json_automatically", "Always check whether the message is JSON",
		"Reads messages that begin as JSON does as JSON, whatever the type of the body says.", true)
)

// Plugin attaches gRPC to its media types.
func Plugin() dissect.Plugin {
	p := dissect.Plugin{Protocol: proto, Dissect: messages, Stateful: true} // it hands on what is inside
	for _, t := range []string{"application/grpc", "application/grpc+proto", "application/grpc+json",
		"application/grpc-web", "application/grpc-web+proto", webText, webText + "+proto"} {
		p.On = append(p.On, dissect.Key{Table: tables.MediaType, Value: dissect.Word(t)})
	}
	return p
}

// webText is the media type of bodies in Base64.
const webText = "application/grpc-web-text"

func messages(d *dissect.D) {
	if bytes.HasPrefix(bytes.ToLower(d.LayerData()), []byte(webText)) {
		decoded(d)
		return
	}
	all(d)
}

// all reads messages up to the end.
func all(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		message(d)
	}
}

// decoded reads a body in Base64, of which each part may have been filled up on its own.
func decoded(d *dissect.D) {
	var plain []byte
	b := d.Data()
	d.Spend(len(b))
	for p := (dissect.Progress{}); len(b) >= 4 && p.Down(len(b)); {
		n := len(b) &^ 3
		if end := bytes.IndexByte(b, '='); end >= 0 {
			n = min(n, end&^3+4)
		}
		part, err := base64.StdEncoding.AppendDecode(plain, b[:n])
		if err != nil {
			d.Expert(nBroken)
			break
		}
		plain, b = part, b[n:]
	}
	d.Skip(d.Left())
	if len(plain) > 0 {
		d.From("Decoded body", plain, func() { all(d) })
	}
}

func message(d *dissect.D) {
	flags := d.Bits(fFrame, fPacked)
	n := int(d.Uint(fLength))
	if n > d.Left() && !d.CutShort() {
		d.Expert(nBroken)
		n = d.Left()
	}
	if flags&0x80 != 0 {
		d.Bytes(fText, n)
		return
	}
	at := d.Pos()
	b := d.Bytes(fData, n)
	end := d.Pos()
	switch {
	case flags&1 != 0:
		unpacked(d, b)
	case isJSON(d, b):
		d.Seek(at)
		d.Within(len(b), func() { d.NextPart(tables.MediaType, dissect.Word("application/json")) })
	}
	d.Seek(end)
}

// unpacked reads a message packed by gzip, which is the usual one.
func unpacked(d *dissect.D, b []byte) {
	d.Spend(coding.Cost(len(b)))
	plain, err := coding.Unpack(b, "gzip")
	if err != nil {
		d.Expert(nPacked)
	}
	if len(plain) > 0 {
		d.From("Uncompressed message", plain, func() {
			d.Put(fData, 0, 0, len(plain))
			if isJSON(d, plain) {
				d.NextPart(tables.MediaType, dissect.Word("application/json"))
			}
			d.Skip(d.Left())
		})
	}
}

// isJSON tells whether a message is to be read as JSON.
func isJSON(d *dissect.D, b []byte) bool {
	b = bytes.TrimSpace(b)
	return pJSON.On(d) && len(b) >= 2 && (b[0] == '{' && b[len(b)-1] == '}' || b[0] == '[' && b[len(b)-1] == ']')
}
