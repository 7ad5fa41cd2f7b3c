// Package udp dissects the User Datagram Protocol (RFC 768).
package udp

import (
	"fmt"
	"strconv"

	"remora/dissect"
)

var proto = dissect.NewProtocol("udp", "UDP", "User Datagram Protocol.").
	Traits(dissect.HandsOn|dissect.Underlies).
	Summary("User Datagram Protocol, Src Port: {srcport}, Dst Port: {dstport}").Color(dissect.HueBlue).
	InfoWords("[BAD UDP LENGTH IP PAYLOAD LENGTH]", "[ILLEGAL CHECKSUM (0)]", "Len=", "UDP", "IPv4", "IPv6")

var statuses = dissect.Values{0: "Bad", 1: "Good", 2: "Unverified", 3: "Not present", 4: "Illegal"}

var (
	fPort    = proto.Uint16("port", "Source or Destination Port", "Port of either end.")
	fSrcPort = proto.Uint16("srcport", "Source Port", "Port of the sender.").Sender().PortOf(dissect.TableUDP).Also(fPort)
	fDstPort = proto.Uint16("dstport", "Destination Port", "Port of the receiver.").Receiver().PortOf(dissect.TableUDP).
			Also(fPort)
	fLength = proto.Uint16("length", "Length", "Length of header and payload.")
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum over a pseudo header, the header and the payload.").Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").Named(statuses).
		Derived()
	fRight = proto.Uint16("checksum_calculated", "Calculated Checksum", "What the checksum should be.").Hex().Derived().
		Hidden()
	fStream = proto.Uint32("stream", "Stream index", "Number of the conversation among those of UDP, counted from 0.").
		Derived()
	fPayload = proto.Bytes("payload", "UDP payload", "What the datagram carries.").Sized()

	fTimes = proto.Group("timestamps", "Timestamps", "When the datagram was captured, within its conversation.").
		Summary("\\[Timestamps\\]")
	fRelative = proto.Span("time_relative", "Time since first frame", "Time since the conversation's first datagram.").
			Derived()
	fDelta = proto.Span("time_delta", "Time since previous frame",
		"Time since the datagram before, of either direction.").Derived()

	nBadSum = proto.Expert("checksum.bad", dissect.Error, "Bad checksum (may be caused by \"UDP checksum offload\")").
		About(dissect.AboutChecksum)
	nLength = proto.Expert("length.bad", dissect.Error,
		"Bad length value: it is shorter than the header or longer than the IP payload").About(dissect.AboutMalformed)
	nZero = proto.Expert("checksum.zero", dissect.Error, "Illegal checksum value (0)").About(dissect.AboutChecksum)
)

var verify = proto.Switch("check_checksum", "Validate the UDP checksum if possible",
	"Whether to validate the UDP checksum; network cards that make it leave a wrong one in what is captured on the "+
		"sender.",
	false)

// Plugin attaches UDP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Transport: transport,
		Ends: &dissect.EndLayer{Title: "UDP", Ports: dissect.TableUDP}, Dissect: datagram,
		On: []dissect.Key{{Table: dissect.TableIP, Value: 17}}}
}

func datagram(d *dissect.D) {
	start, whole := d.Pos(), d.Data()
	src, dst := uint16(d.Uint(fSrcPort)), uint16(d.Uint(fDstPort))
	length := int(d.Uint(fLength))
	sum := d.Uint(fSum)
	if d.Short() {
		return
	}
	payload, trouble := measure(d, length)
	if length > 0 && payload < 0 {
		if d.Info().Wanted() {
			d.Info().Setf("%s → %s%s", d.Names().Port(dissect.TableUDP, src), d.Names().Port(dissect.TableUDP, dst), trouble)
		}
		return
	}
	claimed, illegal := max(0, length-8), ""
	if trouble != "" {
		length = 0 // what the checksum covers is not known
	}
	if sum == 0 && d.Src.Addr.Kind() == dissect.AddrIPv6 { // RFC 8200 section 8.1
		illegal = " [ILLEGAL CHECKSUM (0)]"
		d.Expert(nZero)
	}
	if !d.Quoted() {
		length = min(length, len(whole))
	}
	checksum(d, whole, sum, length)
	if c := d.Ends().Converse(dissect.TableUDP, src, dst); c != nil {
		if d.Wanted(fStream) {
			d.Set(fStream, uint64(c.Stream))
		}
		times(d, c)
	} else if n, ok := d.Stream().Quoted(); ok {
		d.Set(fStream, uint64(n))
	}
	if d.Info().Wanted() {
		var room [64]byte
		b := append(d.Names().AppendPort(room[:0], dissect.TableUDP, src), " → "...)
		b = append(append(d.Names().AppendPort(b, dissect.TableUDP, dst), trouble...), " Len="...)
		d.Info().SetText(append(strconv.AppendInt(b, int64(claimed), 10), illegal...))
	}
	if d.Wanted(fPayload) && min(payload, d.Left()) > 0 {
		d.Put(fPayload, 0, start+8, min(payload, d.Left()))
	}
	if d.Quoted() { // what is quoted is cut short by rule
		payload = min(payload, d.Left())
	}
	d.Within(payload, func() {
		switch { // without a payload there is hardly ever a layer, and what follows the datagram has its own
		case d.Left() > 0:
			d.Inner().NextPort(dissect.TableUDP, src, dst)
		case payload == 0:
			d.Inner().NextEmpty()
		}
	})
}

// measure is the length of the payload, which is below 0 if the datagram is shorter than its header, and what to say
// about a wrong length.
func measure(d *dissect.D, length int) (payload int, trouble string) {
	payload = length - 8
	switch {
	case length == 0: // a jumbogram, or a sender that leaves the length to its hardware
		payload = d.Left()
	case length < 8:
		d.ExpertText(nLength, fmt.Sprintf("Bad length value %d < 8", length))
		trouble = fmt.Sprintf(" [BAD UDP LENGTH %d < 8]", length)
	case payload > d.Left()+d.Missing() && !d.Quoted():
		d.ExpertText(nLength, fmt.Sprintf("Bad length value %d > IP payload length", length))
		payload, trouble = d.Left(), fmt.Sprintf(" [BAD UDP LENGTH %d > IP PAYLOAD LENGTH]", length)
	}
	return payload, trouble
}

func times(d *dissect.D, c *dissect.Conversation) {
	last := d.Ends().Previous(fDelta)
	if !d.Session().Recording() || !d.Wanted(fTimes) && !d.Wanted(fRelative) && !d.Wanted(fDelta) {
		return
	}
	if last == 0 {
		last = d.Frame
	}
	at := d.Pos() - 8 // the header's, where Wireshark has them
	d.Put(fTimes, 0, at, 0)
	d.Below(func() {
		for _, f := range [...]struct {
			field *dissect.Field
			since dissect.FrameNum
		}{{fRelative, c.First}, {fDelta, last}} {
			if then, known := d.Packet().TimeOf(f.since); known {
				d.Put(f.field, uint64(d.Time()-then), at, 0)
			}
		}
	})
}

// checksum verifies the checksum if somebody looks and all its bytes are there.
func checksum(d *dissect.D, whole []byte, sum uint64, length int) {
	if !d.Wanted(fStatus) && !d.Wanted(nBadSum) && !d.Wanted(fRight) {
		return
	}
	at := d.Pos() - 2
	switch {
	case sum == 0 && d.Src.Addr.Kind() == dissect.AddrIPv6 && !d.Quoted():
		d.Suffix(fSum, " [zero-value illegal]")
		d.Below(func() { d.Put(fStatus, 4, at, 0) })
		return
	case sum == 0:
		d.Suffix(fSum, " [zero-value ignored]")
		d.Below(func() { d.Put(fStatus, 3, at, 0) })
		return
	case !verify.On(d) || d.CutShort() || length < 8 || d.Quoted() && length > len(whole):
		d.Suffix(fSum, " [unverified]")
		d.Put(fStatus, 2, at, 0)
		return
	}
	right := dissect.Correct(uint16(sum), d.Ends().PseudoSum(17, whole[:length]))
	if right == 0 { // which would say that there is none
		right = 0xffff
	}
	if uint64(right) == sum {
		d.Suffix(fSum, " [correct]")
		d.Put(fStatus, 1, at, 0)
	} else {
		d.Suffix(fSum, fmt.Sprintf(" incorrect, should be 0x%04x (maybe caused by \"UDP checksum offload\"?)", right))
		d.Put(fStatus, 0, at, 0)
		d.Expert(nBadSum)
	}
	d.Set(fRight, uint64(right))
}
