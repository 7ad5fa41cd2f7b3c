package icmp

import (
	"fmt"

	"remora/dissect"
)

var (
	fExt     = proto.Node("ext", "ICMP Multi-Part Extensions", "Parts behind the quoted datagram (RFC 4884).")
	fExtVer  = proto.Uint8("ext.version", "Version", "Always 2.").Format(func(v uint64) string { return fmt.Sprint(v) })
	fExtRes  = proto.Uint16("ext.res", "Reserved", "Zero.").Masked(0x0fff).Hex()
	fExtSum  = proto.Uint16("ext.checksum", "Checksum", "Checksum over the parts.").Hex()
	fExtStat = proto.Uint8("ext.checksum.status", "Checksum Status", "What the check of the checksum says.").
			Named(statuses).Derived()
	fObject   = proto.Group("ext.object", "Object", "One part. Wireshark has no name for it.").Summary("[]")
	fObjLen   = proto.Uint16("ext.length", "Length", "Length of the part in bytes.")
	fObjClass = proto.Uint8("ext.class", "Class", "Sort of part.").
			Named(dissect.Values{classMPLS: "MPLS Label Stack Class", classInterface: "Interface Information Object",
			classIdentity: "Interface Identification Object"})
	fObjType = proto.Uint8("ext.ctype", "C-Type", "Sort of part within its class.")
	fObjData = proto.Bytes("ext.data", "Data", "Content of a part that is not known.")

	fEntry = proto.Group("mpls", "Label", "One label of the stack. Wireshark has no name for it.").
		Summary("Label: {mpls.label}, Exp: {mpls.exp}, S: {mpls.s:raw}, TTL: {mpls.ttl}")
	fLabel  = proto.Uint24("mpls.label", "Label", "The label.").Masked(0xfffff0)
	fExp    = proto.Uint24("mpls.exp", "Experimental", "Class of service.").Masked(0x00000e)
	fStack  = proto.Bool("mpls.s", "Stack bit", "This is the last label.").Wide(3).Masked(0x000001)
	fLabTTL = proto.Uint8("mpls.ttl", "Time to live", "How many routers may still pass the packet on.")
	nExtSum = proto.Expert("ext.checksum_bad", dissect.Warn, "Bad checksum of the extensions").
		About(dissect.AboutChecksum)
	extNames = map[uint64]string{classMPLS: "MPLS Stack Entry", classInterface: "Interface Information Object",
		classIdentity: "Interface Identification Object"}
)

// The classes of parts (IANA registry), and how long a quoted datagram is at least when parts follow it (RFC 4884).
const (
	classMPLS      = 1
	classInterface = 2
	classIdentity  = 3
	minQuoted      = 128
)

// failure reads an error: what is wrong, and the datagram that it is about. The message starts at an offset.
func failure(d *dissect.D, kind, code uint64, start int) {
	length := uint64(0)
	switch {
	case kind == typeParameter:
		d.Uint(fPointer)
		length = quotedLength(d, 3)
	case kind == typeUnreachable && code == 4:
		d.Bytes(fUnused, 2)
		d.Uint(fMTU)
	default:
		length = quotedLength(d, 4)
	}
	if d.Short() {
		return
	}
	n := minQuoted
	if length*4 > minQuoted {
		n = int(length * 4)
	}
	if d.Pos() != start+8 || !extended(d, n, length > 0) {
		quoted(d)
		return
	}
	d.Within(n, func() { quoted(d) })
	d.Seek(d.Pos() + d.Left())
}

// quotedLength reads the n bytes that are zero, or hold the quoted datagram's length.
func quotedLength(d *dissect.D, n int) uint64 {
	i := n - 3 // the length is the message's sixth byte
	v := uint64(d.Peek(i))
	if v == 0 {
		d.Bytes(fUnused, n)
		return 0
	}
	if i > 0 {
		d.Bytes(fUnused, i)
	}
	d.Uint(fLength)
	d.Set(fOrigLen, v*4)
	d.Bytes(fUnused, 2)
	return v
}

// extended reads the parts behind a quoted datagram of n bytes, if there are some: the message says so, or what looks
// like their header has a right checksum. The cursor stays in front of the datagram.
func extended(d *dissect.D, n int, told bool) bool {
	if d.Left() < n+4 {
		return false
	}
	at, b := d.Pos(), d.Data()[n:]
	if b[0]>>4 != 2 || !told && (d.CutShort() || dissect.Checksum(b) != 0) {
		return false
	}
	d.Seek(at + n)
	parts(d)
	d.Seek(at)
	return true
}

// parts reads the header and the objects up to the end of the message.
func parts(d *dissect.D) {
	whole := d.Data()
	d.In(fExt, func() {
		at, v := d.Pos(), d.PeekUint(0, 2)
		d.Skip(2)
		if d.Short() {
			return
		}
		d.Put(fExtVer, v>>12, at, 1)
		d.Put(fExtRes, v, at, 2)
		sum := d.Uint(fExtSum)
		partsSum(d, whole, sum)
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			n := int(d.PeekUint(0, 2))
			if n < 4 || n > d.Left() {
				d.Rest(fObjData)
				return
			}
			class := uint64(d.Peek(2))
			node := d.Open(fObject)
			if name := extNames[class]; name != "" {
				d.Suffix(fObject, name)
			} else {
				d.Suffix(fObject, fmt.Sprintf("Unknown object (%d)", class))
			}
			d.Within(n, func() { object(d, class) })
			d.Close(node)
		}
	})
}

func partsSum(d *dissect.D, whole []byte, sum uint64) {
	if d.Short() || !d.Wanted(fExtStat) && !d.Wanted(nExtSum) {
		return
	}
	switch right := uint64(dissect.Checksum(whole[:2], whole[4:])); {
	case d.CutShort():
		d.Set(fExtStat, 2)
	case right == sum:
		d.Suffix(fExtSum, " [correct]")
		d.Set(fExtStat, 1)
	default:
		d.Suffix(fExtSum, fmt.Sprintf(" incorrect, should be 0x%04x", right))
		d.Set(fExtStat, 0)
		d.Expert(nExtSum)
	}
}

func object(d *dissect.D, class uint64) {
	d.Uint(fObjLen)
	d.Uint(fObjClass)
	kind := d.Uint(fObjType)
	switch class {
	case classMPLS:
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			d.In(fEntry, func() { label(d) })
		}
	case classInterface:
		interfaceInfo(d, kind)
	case classIdentity:
		identity(d, kind)
	}
	d.Rest(fObjData)
}

// label reads one entry of a stack of MPLS labels (RFC 3032).
func label(d *dissect.D) {
	at, v := d.Pos(), d.PeekUint(0, 3)
	d.Skip(3)
	if d.Short() {
		return
	}
	d.Put(fLabel, v, at, 3)
	d.Put(fExp, v, at+2, 1)
	d.Put(fStack, v, at+2, 1)
	d.Uint(fLabTTL)
}

// quoted shows the packet that the error is about.
func quoted(d *dissect.D) {
	if d.More() {
		d.Quote(func() { d.Next(dissect.TableEther, 0x0800) })
	}
}
