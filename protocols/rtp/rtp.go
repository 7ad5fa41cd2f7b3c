// Package rtp dissects media in packets: the Real-time Transport Protocol (RFC 3550) with its control protocol RTCP,
// the named events of RFC 4733, and the Session Description Protocol (RFC 8866), which tells where media go and in what
// form.
package rtp

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("rtp", "RTP", "Real-time Transport Protocol: sound and pictures, packet by packet.").
	Summary("Real-Time Transport Protocol").Color(dissect.HueCyan)

var (
	fSetup = proto.Group("setup", "Stream setup", "Where the stream was described.").
		Summary("Stream setup by {rtp.setup-method} (frame {rtp.setup-frame})")
	fSetupIn = proto.FrameRef("setup-frame", "Setup frame", "The frame with the description.")
	fSetupBy = proto.String("setup-method", "Setup Method", "The protocol of the description.").Derived()
	fVersion = proto.Uint8("version", "Version", "Version of RTP.").Masked(0xc0).Named(versions)
	fPadding = proto.Bool("padding", "Padding", "Padding follows the payload.").Masked(0x20).TrueFalse("True", "False")
	fExt     = proto.Bool("ext", "Extension", "The header has an extension.").Masked(0x10).TrueFalse("True", "False")
	fCount   = proto.Uint8("cc", "Contributing source identifiers count", "How many sources were mixed.").Masked(0x0f)
	fMarker  = proto.Bool("marker", "Marker", "Begins a talk spurt, or ends a picture.").Masked(0x80).
			TrueFalse("True", "False")
	fType   = proto.Kind("p_type", "Payload type", formats, "The form of the payload.").Masked(0x7f).Dec().Wordless()
	fSeq    = proto.Uint16("seq", "Sequence number", "Counts packets.")
	fExtSeq = proto.Uint32("extseq", "Extended sequence number",
		"The sequence number, counted on where the 16 bits begin anew.").Derived()
	fTime = proto.Uint32("timestamp", "Timestamp",
		"When the payload's first sample was taken, in ticks of the form's clock.")
	fSSRC    = proto.Uint32("ssrc", "Synchronization Source identifier", "Names the sender's stream.").HexFirst()
	fSources = proto.Node("csrc.items", "Contributing Source identifiers", "The sources that a mixer mixed.")
	fSource  = proto.Uint32("csrc.item", "CSRC item", "One of them.").HexFirst()
	fProfile = proto.Uint16("ext.profile", "Defined by profile", "What the extension is.").HexFirst()
	fExtLen  = proto.Uint16("ext.len", "Extension length", "Length of the extension in units of four bytes.")
	fExts    = proto.Node("hdr_exts", "Header extensions", "The extension of the header.")
	fExtWord = proto.Uint32("hdr_ext", "Header extension", "Four bytes of an extension that nobody knows.").HexFirst()
	fElement = proto.Group("ext.rfc5285", "RFC 5285 Header Extension", "One element of the extension (RFC 8285).").
			Summary("RFC 5285 Header Extension, Identifier: {rtp.ext.rfc5285.id}")
	fElemApp  = proto.Uint8("ext.rfc5285.appbits", "Application Bits", "Bits that are the application's.")
	fElemID   = proto.Uint8("ext.rfc5285.id", "Identifier", "Which element.")
	fElemLen  = proto.Uint8("ext.rfc5285.len", "Length", "Length of the element.")
	fElemData = proto.Bytes("ext.rfc5285.data", "Extension Data", "The element.")
	fElemPad  = proto.Bytes("ext.rfc5285.padding", "Padding", "Bytes between elements.")
	fPayload  = proto.Bytes("payload", "Payload", "Sound or pictures.")
	fInner    = proto.Bytes("payload", "Payload", "What another protocol dissects.").Hidden()
	fPadData  = proto.Bytes("padding.data", "Padding data", "Bytes behind the payload.")
	fPadCount = proto.Uint8("padding.count", "Padding count", "How many bytes of padding there are, with this one.")

	nPadding = proto.Expert("padding.bad", dissect.Warn, "The padding is longer than the payload")
)

// The tables of what payloads are: by the name of their form, secured, and control among media.
const (
	dynamic dissect.Table = "rtp_dyn_payload_type"
	secured dissect.Table = "rtp.secured"
	muxed   dissect.Table = "rtp.muxed"
)

// Plugin attaches RTP to the ends that descriptions name, and to what tells by a row of packets that it is.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Dissect: packet, Guess: recognise, Evidence: evidence,
		Media: &dissect.MediaFields{Source: fSSRC, Sequence: fSeq, Timestamp: fTime, Type: fType, Payload: fPayload,
			Setup: fSetupIn, Form: formOf},
		On: []dissect.Key{{Table: tables.MediaType, Value: dissect.Word("rtp")}},
	}
}

// formOf is what the description of a stream calls what its packet carries: "iLBC".
func formOf(t *dissect.Tree) string {
	for i := range t.Nodes {
		if t.Field(i) == fType {
			_, name, _ := strings.Cut(t.Label(i), " [")
			return strings.TrimSuffix(name, "]")
		}
	}
	return ""
}

func packet(d *dissect.D) {
	if first := d.Peek(1); d.Left() >= 8 && first >= 192 && first <= 223 { // RFC 5761 section 4
		if unannounced(d) && recogniseControl(d) != dissect.Likely { // encrypted, or none
			d.Reject()
			return
		}
		d.Next(muxed, 1)
		return
	}
	if d.Peek(0)>>6 != 2 {
		d.Reject()
		return
	}
	kind := uint64(d.Peek(1) & 0x7f)
	desc := described(d, kind, d.Dst, d.Src)
	desc.show(d, fSetup, fSetupIn, fSetupBy)
	first := d.Bits(fVersion, fPadding, fExt, fCount)
	marked := d.Peek(0)&0x80 != 0
	d.Bits(fMarker, fType)
	name := ""
	if kind >= 96 && desc.Name.Len > 0 && d.Info().Wanted() {
		if b, known := d.Stream().Recall(desc.Name); known {
			name = string(b)
			d.Suffix(fType, " ["+name+"]")
		}
	}
	seq := d.Uint(fSeq)
	at := d.Pos() - 2
	stamp := d.Uint(fTime)
	ssrc := d.Uint(fSSRC)
	if d.Short() {
		return
	}
	track(d, at, uint32(ssrc), uint16(seq), uint32(stamp), rate(desc, kind))
	if d.Info().Wanted() {
		what := name
		if what == "" {
			what = formats[kind]
		}
		if what == "" {
			what = fmt.Sprintf("Unknown (%d)", kind)
		}
		mark := ""
		if marked {
			mark = ", Mark"
		}
		d.Info().Setf("PT=%s, SSRC=0x%X, Seq=%d, Time=%d%s", what, ssrc, seq, stamp, mark)
	}
	if n := first & 0xf; n > 0 {
		d.In(fSources, func() {
			for range n {
				d.Uint(fSource)
			}
		})
	}
	if first&0x10 != 0 {
		extension(d)
	}
	payload(d, desc, first&0x20 != 0)
}

// extension reads the extension of the header (RFC 3550 section 5.3.1): elements of RFC 8285, or words.
func extension(d *dissect.D) {
	profile := d.Uint(fProfile)
	n := 4 * int(d.Uint(fExtLen))
	if n == 0 || d.Short() {
		return
	}
	i := d.Open(fExts)
	d.Within(n, func() {
		for more := d.Elements(); more.Next(); {
			switch {
			case profile == 0xbede:
				element(d, profile)
			case profile>>4 == 0x100:
				element(d, profile)
			case d.Left() >= 4:
				d.Uint(fExtWord)
			default:
				d.Rest(fElemPad)
			}
		}
	})
	d.Close(i)
}

// element reads one element, or the padding in front of it. The profile says whether its header has one byte or two.
func element(d *dissect.D, profile uint64) {
	pad := 0
	for pad < d.Left() && d.Peek(pad) == 0 {
		pad++
	}
	if pad > 0 {
		d.Bytes(fElemPad, pad)
		return
	}
	if profile == 0xbede && d.Peek(0)>>4 == 15 { // RFC 8285 section 4.2: nothing behind it counts
		d.Rest(fElemPad)
		return
	}
	d.In(fElement, func() {
		n := 0
		if profile == 0xbede {
			first := uint64(d.Peek(0))
			d.Put(fElemID, first>>4, d.Pos(), 1)
			n = int(first&15) + 1
			d.Put(fElemLen, uint64(n), d.Pos(), 1)
			d.Skip(1)
		} else {
			d.Set(fElemApp, profile&15)
			d.Uint(fElemID)
			n = int(d.Uint(fElemLen))
		}
		if n > 0 {
			d.Bytes(fElemData, n)
		}
	})
}

// payload hands on what the packet carries, and reads the padding behind it.
func payload(d *dissect.D, desc setupNote, padded bool) {
	n, pad := d.Left(), 0
	if padded && n > 0 && !d.CutShort() && !desc.Secure {
		pad = int(d.Data()[n-1])
		if pad == 0 || pad > n {
			d.Expert(nPadding)
			pad = 0
		}
	}
	read := func() {
		switch {
		case d.Left() == 0:
		case desc.Secure:
			d.Next(secured, 1)
		case desc.Known && d.Inner().Attached(dynamic, desc.Form):
			d.Put(fInner, 0, d.Pos(), d.Left())
			d.Next(dynamic, desc.Form)
		default:
			d.Rest(fPayload)
		}
	}
	if pad == 0 {
		read()
		return
	}
	d.Behind(n-pad, read, func() {
		if pad > 1 {
			d.Bytes(fPadData, pad-1)
		}
		d.Uint(fPadCount)
	})
}
