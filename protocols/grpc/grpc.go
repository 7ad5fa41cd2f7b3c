// Package grpc dissects the messages that calls by gRPC and gRPC-Web exchange in bodies of HTTP (the documents
// PROTOCOL-HTTP2.md and PROTOCOL-WEB.md of gRPC): each with five bytes in front. What is in JSON is handed on.
package grpc

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/internal/coding"
	"remora/protocols/internal/httpbody"
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
	fDigits = proto.String("encoded", "Messages in Base64", "The messages, as they are sent in text.").Own()
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
	c := httpbody.ParseCall(d.LayerData())
	title := "GRPC"
	switch {
	case strings.HasPrefix(c.Name(), webText):
		title = "GRPC-Web-Text"
	case strings.HasPrefix(c.Name(), "application/grpc-web"):
		title = "GRPC-Web"
	}
	if c.Path != "" {
		d.Suffix(proto.Self(), fmt.Sprintf(": %s, %s", c.Path, way(c, "Request", "Response")))
	}
	d.Info().Fence(" (" + title + ")")
	if title != "GRPC" {
		d.Info().Protocol(title)
	}
	d.Info().KeepProtocol()
	if title == "GRPC-Web-Text" {
		decoded(d, c)
	} else {
		all(d, c)
	}
	d.Info().KeepProtocol()
}

// way is one of two words: for requests and for responses.
func way(c httpbody.Call, request, response string) string {
	if c.Request {
		return request
	}
	return response
}

// all reads messages up to the end.
func all(d *dissect.D, c httpbody.Call) {
	for more := d.Elements(); more.Next(); {
		message(d, c)
	}
}

// decoded reads a body in Base64, of which each part may have been filled up on its own.
func decoded(d *dissect.D, c httpbody.Call) {
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
	d.Rest(fDigits)
	if len(plain) > 0 {
		d.From("Decoded body", plain, func() { all(d, c) })
	}
}

func message(d *dissect.D, c httpbody.Call) {
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
	if flags&1 != 0 {
		unpacked(d, b, c)
	} else {
		d.Seek(at)
		d.Within(len(b), func() { inner(d, b, c) })
	}
	d.Seek(end)
}

// unpacked reads a message that is packed, mostly by gzip.
func unpacked(d *dissect.D, b []byte, c httpbody.Call) {
	d.Spend(coding.Cost(len(b)))
	plain, err := coding.Unpack(b, cmp.Or(c.Encoding, "gzip"))
	if err != nil {
		d.Expert(nPacked)
	}
	if len(plain) > 0 {
		d.From("Uncompressed message", plain, func() {
			d.Put(fData, 0, 0, len(plain))
			inner(d, plain, c)
			d.Skip(d.Left())
		})
	}
}

// inner hands a message on: as JSON, or by the media type to what is told the method and the direction.
func inner(d *dissect.D, b []byte, c httpbody.Call) {
	if len(b) == 0 {
		return
	}
	if isJSON(d, b) || strings.HasSuffix(c.Name(), "+json") {
		d.SetLayerData([]byte("application/grpc+json"))
		d.NextPart(tables.MediaType, dissect.Word("application/json"))
		return
	}
	d.SetLayerData([]byte(c.Name() + "," + c.Path + "," + way(c, "request", "response")))
	if key := dissect.Word(c.Name()); c.Path != "" && d.Inner().Attached(tables.GRPCMessage, key) {
		d.NextPart(tables.GRPCMessage, key)
	}
}

// isJSON tells whether a message is to be read as JSON.
func isJSON(d *dissect.D, b []byte) bool {
	b = bytes.TrimSpace(b)
	return pJSON.On(d) && len(b) >= 2 && (b[0] == '{' && b[len(b)-1] == '}' || b[0] == '[' && b[len(b)-1] == ']')
}
