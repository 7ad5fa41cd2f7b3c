// Package media dissects what protocols carry by its media type (RFC 2046): text line by line, filled-in forms, bodies
// of several parts, and what nobody takes to pieces.
package media

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("media", "Media Type", "A body of a type that is not taken to pieces.").Quiet()

var fBody = proto.Bytes("type", "Media type", "The body.")

// Plugin takes the types that have no plugin of their own.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: body, Fallback: []dissect.Table{tables.MediaType}}
}

func body(d *dissect.D) {
	kind, _ := mediaType(d.LayerData())
	name(d, kind)
	d.Rest(fBody)
}

// mediaType splits a media type into its name, in lower case, and its parameters.
func mediaType(told []byte) (kind string, parameters []byte) {
	name, parameters, _ := bytes.Cut(told, []byte{';'})
	return string(bytes.ToLower(bytes.TrimSpace(name))), parameters
}

// images are the types that Wireshark calls by the names of their formats.
var images = map[string]string{"image/png": "PNG", "image/jpeg": "JPEG JFIF image", "image/jpg": "JPEG JFIF image",
	"image/gif": "GIF89a"}

// name tells the Info column what the body is.
func name(d *dissect.D, kind string) {
	if !d.Info().Wanted() || kind == "" {
		return
	}
	if image, ok := images[kind]; ok && signed(d.Data()) {
		kind = image
	}
	d.Info().Fence(" (" + dissect.Escape(kind) + ")")
}

// signed tells whether b begins as the pictures do.
func signed(b []byte) bool {
	for _, mark := range [...]string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF89a"} {
		if bytes.HasPrefix(b, []byte(mark)) {
			return true
		}
	}
	return false
}
