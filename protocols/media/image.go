package media

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// Pictures are read as far as people ask for: what they are, and their size.
var (
	png = dissect.NewProtocol("png", "PNG", "Pictures in the format PNG.").Quiet().Summary("Portable Network Graphics")
	jpg = dissect.NewProtocol("image-jfif", "JFIF (JPEG) image", "Pictures in the format JPEG.").Quiet().
		Summary("JPEG File Interchange Format")
	gif = dissect.NewProtocol("image-gif", "GIF image", "Pictures in the format GIF.").Quiet().Summary("Compuserve GIF")

	fPNGMark   = png.Bytes("signature", "PNG Signature", "With this each picture begins.")
	fPNGChunk  = png.String("chunk.type", "Type", "What a part of the picture is.")
	fPNGLength = png.Uint32("chunk.len", "Len", "Length of the part.")
	fPNGWidth  = png.Uint32("ihdr.width", "Width", "How many pixels it is wide.")
	fPNGHeight = png.Uint32("ihdr.height", "Height", "How many pixels it is high.")
	fPNGData   = png.Bytes("chunk.data", "Data", "What the part holds.")
	fPNGSum    = png.Uint32("chunk.crc", "CRC", "Checksum of the part.").Hex()

	fJPGMark = jpg.Uint16("marker", "Marker", "What a part of the picture is.").Hex()
	fJPGData = jpg.Bytes("remain_seg_data", "Remaining segment data", "What the picture holds.")

	fGIFVersion = gif.String("version", "Version", "With this each picture begins.")
	fGIFWidth   = gif.Uint16("screen.width", "Screen width", "How many pixels it is wide.").LE()
	fGIFHeight  = gif.Uint16("screen.height", "Screen height", "How many pixels it is high.").LE()
	fGIFData    = gif.Bytes("data", "Data", "What the picture holds.").Own()
)

// Pictures attaches pictures to their media types.
func Pictures() []dissect.Plugin {
	of := func(p *dissect.Protocol, mark string, read func(*dissect.D), rest *dissect.Field,
		types ...string) dissect.Plugin {
		out := dissect.Plugin{Protocol: p, Dissect: func(d *dissect.D) { picture(d, mark, read, rest) }}
		for _, t := range types {
			out.On = append(out.On, dissect.Key{Table: tables.MediaType, Value: dissect.Word(t)})
		}
		return out
	}
	return []dissect.Plugin{
		of(png, "\x89PNG\r\n\x1a\n", readPNG, fPNGData, "image/png"),
		of(jpg, "\xff\xd8\xff", readJPG, fJPGData, "image/jpeg", "image/jpg", "image/jfif"),
		of(gif, "GIF8", readGIF, fGIFData, "image/gif"),
	}
}

// picture reads what begins as pictures of its kind do. Bodies are dissected where somebody looks at them, and have to
// be what their type says by then: one that begins otherwise is shown as it is.
func picture(d *dissect.D, mark string, read func(*dissect.D), rest *dissect.Field) {
	kind, _ := mediaType(d.LayerData())
	name(d, kind)
	if !bytes.HasPrefix(d.Data(), []byte(mark)) {
		d.Rest(rest)
		return
	}
	read(d)
}

func readPNG(d *dissect.D) {
	d.Bytes(fPNGMark, 8)
	for more := d.Elements(); more.Next(); {
		n := int(d.Uint(fPNGLength))
		head := bytes.HasPrefix(d.Data(), []byte("IHDR"))
		d.Bytes(fPNGChunk, 4)
		d.Within(n, func() {
			if head {
				d.Uint(fPNGWidth)
				d.Uint(fPNGHeight)
			}
			d.Rest(fPNGData)
		})
		d.Uint(fPNGSum)
	}
}

func readJPG(d *dissect.D) {
	d.Uint(fJPGMark)
	d.Rest(fJPGData)
}

func readGIF(d *dissect.D) {
	d.Bytes(fGIFVersion, 6)
	d.Uint(fGIFWidth)
	d.Uint(fGIFHeight)
	d.Rest(fGIFData)
}
