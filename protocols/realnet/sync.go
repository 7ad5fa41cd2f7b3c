package realnet

import (
	"fmt"
	"unicode/utf8"

	"remora/dissect"
)

var (
	fSync = proto.Uint8("sync", "Block type",
		"What the Synchronization is, 1 byte behind the sequence (sheet, section 4).").Named(syncTypes)
	fSyncSeq = proto.Uint16("sync.answers", "Answered sequence",
		"Number of the Synchronization that this one answers, 2 bytes, little-endian (sheet, section 4).")
	fSyncSent = proto.Uint64("sync.sent", "Sent",
		"When this packet was sent, 8 bytes, little-endian, µs by the server's clock (sheet, section 4).").In("µs").
		Also(fStamp)
	fSyncRecv = proto.Uint64("sync.received", "Received",
		"When the answered packet was received, 8 bytes, little-endian, µs by the server's clock (sheet, section 4).").
		In("µs").Also(fStamp)
	fSyncTook = proto.Span("sync.took", "Answerer took", "From receiving to sending, by the answerer's stamps.").Derived()

	fMsgTime = proto.Uint64("message.time", "Timestamp",
		"When the message was sent, 8 bytes, little-endian, µs by the server's clock (sheet, section 4).").In("µs").
		Also(fStamp)
	fMsgNLen = proto.Uint8("message.name.size", "Name size", "Size of the message's name, 1 byte (sheet, section 4).").
			In("bytes")
	fMsgName = proto.String("message.name", "Name", "Name of the message (sheet, section 4).")
	fMsgLen  = proto.Uint16("message.size", "Data size",
		"Size of the message's data, 2 bytes, little-endian (sheet, section 4).").In("bytes")
	fMsgData  = proto.Bytes("message.data", "Data", "The message (sheet, section 4).")
	fMsgText  = proto.String("message.text", "Data as text", "The data, where it is readable text.").Derived()
	fLinkType = proto.Uint16("linking", "Block type",
		"What the Linking packet is, 2 bytes behind the sequence, little-endian (sheet, sections 4 and 7).").
		Named(linkingTypes)

	nLinkNo = proto.Expert("linking.reject", dissect.Warn, "The client rejects the link table: no replication may follow")
)

// sync reads the body of a Synchronization: the server asks, the client answers with its times, the server with its.
func (v *view) sync(d *dissect.D) {
	d.Uint(fSync)
	if d.Short() {
		return
	}
	switch v.kind {
	case kindSyncInit:
		if d.Info().Wanted() {
			gap := ""
			if v.times.flags&timeGap != 0 {
				gap = ", " + millis(v.times.gap) + " after the last"
			}
			d.Info().Setf("%d%s", v.seq, gap)
		}
	case kindSyncAck:
		answers := d.Uint(fSyncSeq)
		sent := d.Uint(fSyncSent)
		received := d.Uint(fSyncRecv)
		if d.Short() {
			return
		}
		if sent < received {
			d.Expert(nOrder)
		} else if sent < maxStamp {
			d.Set(fSyncTook, (sent-received)*1000)
		}
		if d.Info().Wanted() {
			d.Info().Setf("%d answers %d%s", v.seq, answers, v.tripText())
		}
	default:
		v.unknownBlock(d)
	}
}

// message reads the body of a Message.
func (v *view) message(d *dissect.D) {
	d.Uint(fMsgTime)
	name := d.Counted(fMsgNLen, fMsgName)
	data := d.Counted(fMsgLen, fMsgData)
	if d.Short() {
		return
	}
	readable := len(data) > 0 && (d.Wanted(fMsgText) || d.Info().Wanted()) && isText(data)
	if readable {
		d.SetText(fMsgText, string(data))
	}
	if !d.Info().Wanted() {
		return
	}
	switch {
	case readable:
		d.Info().Setf("%s: %s", text(name), text(data))
	case len(data) > 0:
		d.Info().Setf("%s, %s", text(name), plural(len(data), "byte"))
	default:
		d.Info().Setf("%s", text(name))
	}
}

// isText reports whether bytes are UTF-8 without control characters other than those of running text.
func isText(b []byte) bool {
	for _, c := range b {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(b)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
