// Package isakmp dissects how peers agree on keys for IPsec: IKE version 1 (RFC 2408, RFC 2409) and version 2 (RFC
// 7296), and decrypts both with keys that people give. Numbers are in network order.
package isakmp

import (
	"fmt"
	"maps"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("isakmp", "ISAKMP", "Peers that agree on keys and algorithms for IPsec: IKE.").
	Summary("Internet Security Association and Key Management Protocol").Color(dissect.HueMagenta)

var (
	fISPI     = proto.Bytes("ispi", "Initiator SPI", "The initiator's number of the agreement.")
	fRSPI     = proto.Bytes("rspi", "Responder SPI", "The responder's number of the agreement, at first zero.")
	fNext     = proto.Uint8("nextpayload", "Next payload", "What the next payload is.").Named(payloadTypes)
	fVersion  = proto.Uint8("version", "Version", "The version of the protocol.").Hex().Format(versionText)
	fMajor    = proto.Uint8("mjver", "MjVer", "The larger part of the version.").Hex().Masked(0xf0)
	fMinor    = proto.Uint8("mnver", "MnVer", "The smaller part of the version.").Hex().Masked(0x0f)
	fExchange = proto.Kind("exchangetype", "Exchange type", exchanges, "What the message serves.").Dec().Wordless()
	fFlags    = proto.Uint8("flags", "Flags", "How the message is to be read.").Hex()
	fEncrypt  = flag("flag_e", "Encryption", "Encrypted", "Not encrypted", 1, "The payloads are encrypted (version 1).")
	fCommit   = flag("flag_c", "Commit", "Commit", "No commit", 2, "The keys are not to be used yet.")
	fAuth     = flag("flag_a", "Authentication", "Authentication", "No authentication", 4, "Not encrypted, but proven.")
	fInit     = flag("flag_i", "Initiator", "Initiator", "Responder", 8, "The sender began the agreement.")
	fHigher   = flag("flag_v", "Version", "A higher version enabled", "No higher version", 16,
		"It could speak a newer version.")
	fResponse = flag("flag_r", "Response", "Response", "Request", 32, "The message answers one of the same number.")
	fID       = proto.Uint32("messageid", "Message ID", "Which exchange the message belongs to.").Hex()
	fLength   = proto.Uint32("length", "Length", "Length of the message with its header.")
	fAlive    = proto.Node("ike.nat_keepalive", "NAT Keepalive", "A byte that keeps an address translation alive.")
	fExtra    = proto.Bytes("extradata", "Extra data", "What stands behind the last payload.")

	fPayload  = proto.Uint8("typepayload", "Payload", "A payload of the message.").Named(payloadTypes)
	fCritical = proto.Bool("criticalpayload", "Critical Bit", "Who does not know the payload must refuse the message.").
			TrueFalse("Critical", "Not critical").Masked(0x80)
	fReserved7 = proto.Uint8("reserved7", "Reserved", "Zero.").Hex().Masked(0x7f)
	fReserved  = proto.Bytes("reserved", "Reserved", "Zero.")
	fSize      = proto.Uint16("payloadlength", "Payload length", "Length of the payload with its header.")
	fData      = proto.Bytes("datapayload", "Data Payload", "What a payload of an unknown type holds.")

	nLength = proto.Expert("payloadlength.invalid", dissect.Error, "Invalid payload length").About(dissect.AboutMalformed)
)

func flag(name, label, yes, no string, mask uint64, doc string) *dissect.Field {
	return proto.Bool(name, label, doc).TrueFalse(yes, no).Masked(mask)
}

func versionText(v uint64) string { return fmt.Sprintf("%d.%d", v>>4, v&15) }

// The bits of the flags that matter here.
const (
	bitEncrypted = 1
	bitInitiator = 8
	bitResponse  = 32
)

const headSize = 28

// exchanges are those of both versions, whose numbers differ.
var exchanges = func() dissect.Values {
	all := maps.Clone(exchanges1)
	maps.Copy(all, exchanges2)
	return all
}()

// Plugin attaches IKE to its port; behind the marker of UDP encapsulation it is found by table.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, UDP: []uint16{500}, TCP: []uint16{500}, Fits: fits,
		On: []dissect.Key{{Table: tables.ISAKMP, Value: 0}}}
}

// fits tells whether a datagram has the form of a message: a version that there is, and its own length.
func fits(d *dissect.D) bool {
	if d.Left() == 1 {
		return d.Peek(0) == 0xff
	}
	version, length := d.Peek(17)>>4, int(d.PeekUint(24, 4))
	return d.PeekUint(0, 8) != 0 && (version == 1 || version == 2) && length >= headSize && length == d.Left()+d.Missing()
}

// A reading is a message that is read.
type reading struct {
	d       *dissect.D
	version byte
	head    header
	whole   []byte // the message as it came
	at      int    // where it begins in its source
}

// A header is what all messages begin with.
type header struct {
	initiator, responder [8]byte
	next                 uint64
	flags                uint64
	id                   uint32
}

func message(d *dissect.D) {
	if d.Left() == 1 && d.Peek(0) == 0xff {
		d.Info().Set("NAT Keepalive")
		d.In(fAlive, func() { d.Skip(1) })
		return
	}
	r := reading{d: d, whole: d.Data(), at: d.Pos(), version: d.Peek(17) >> 4}
	copy(r.head.initiator[:], d.Bytes(fISPI, 8))
	copy(r.head.responder[:], d.Bytes(fRSPI, 8))
	r.head.next = d.Uint(fNext)
	d.Bits(fVersion, fMajor, fMinor)
	d.Kind(fExchange)
	r.flags()
	r.head.id = uint32(d.Uint(fID))
	length := int(d.Uint(fLength)) - headSize
	r.info(d.Info())
	if length < 0 {
		d.Expert(nLength)
		return
	}
	d.Limit(length)
	if r.version == 1 {
		r.first()
		return
	}
	r.payloads(r.head.next)
}

func (r *reading) flags() {
	d := r.d
	r.head.flags = uint64(d.Peek(0))
	if r.version == 1 {
		d.Bits(fFlags, fEncrypt, fCommit, fAuth)
		return
	}
	d.Bits(fFlags, fInit, fHigher, fResponse)
}

func (r *reading) info(c *dissect.InfoColumn) {
	if !c.Wanted() {
		return
	}
	c.Set("{exchangetype:name}")
	if r.version == 2 {
		c.Setf("MID=%02d %s %s", r.head.id, choose(r.head.flags&bitInitiator != 0, "Initiator", "Responder"),
			choose(r.head.flags&bitResponse != 0, "Response", "Request"))
	}
}

func choose(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// payloads reads the chain of payloads that a type begins.
func (r *reading) payloads(kind uint64) {
	d := r.d
	for more := d.Elements(); more.Next(); {
		if kind == payloadNone {
			d.Rest(fExtra)
			return
		}
		kind = r.payload(kind)
	}
}

// payload reads one payload, and returns the type of the next.
func (r *reading) payload(kind uint64) (next uint64) {
	d := r.d
	length := int(d.PeekUint(2, 2))
	next = uint64(d.Peek(0))
	if d.Left() < 4 || length < 4 || length > d.Left() && !d.CutShort() {
		d.Expert(nLength)
		d.Rest(fExtra)
		return payloadNone
	}
	d.Put(fPayload, kind, d.Pos(), min(length, d.Left()))
	d.Below(func() {
		d.Uint(fNext)
		if r.version == 1 || kind == payloadProposal || kind == payloadTransform {
			d.Bytes(fReserved, 1)
		} else {
			d.Bits(fCritical, fReserved7)
		}
		d.Uint(fSize)
		d.Within(length-4, func() { r.body(kind, next) })
	})
	return next
}
