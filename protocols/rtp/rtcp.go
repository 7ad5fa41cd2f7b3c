package rtp

import (
	"remora/dissect"
)

var rtcp = dissect.NewProtocol("rtcp", "RTCP",
	"RTP Control Protocol: who sends and receives media, and how well they arrive.").
	Summary("Real-time Transport Control Protocol ({rtcp.pt:name})").Color(dissect.HueCyan)

var reports = dissect.Values{
	192: "Full Intra-frame Request (H.261)", 193: "Negative Acknowledgement (H.261)", 194: "SMPTE time-code mapping",
	195: "Extended inter-arrival jitter report",
	200: "Sender Report", 201: "Receiver Report", 202: "Source description", 203: "Goodbye", 204: "Application specific",
	205: "Generic RTP Feedback",
	206: "Payload-specific Feedback", 207: "Extended report (RFC 3611)", 208: "AVB RTCP packet (IEEE1733)",
	209: "Receiver Summary Information", 210: "Port Mapping",
}

var (
	cSetup = rtcp.Group("setup", "Stream setup", "Where the stream was described.").
		Summary("Stream setup by {rtcp.setup-method} (frame {rtcp.setup-frame})")
	cSetupIn = rtcp.FrameRef("setup-frame", "Setup frame", "The frame with the description.")
	cSetupBy = rtcp.String("setup-method", "Setup Method", "The protocol of the description.").Derived()
	cPacket  = rtcp.Group("packet", "Packet", "One of the packets of which the datagram consists.").
			Summary("{rtcp.pt:name}")
	cVersion = rtcp.Uint8("version", "Version", "Version of RTP.").Masked(0xc0).Named(versions)
	cPadding = rtcp.Bool("padding", "Padding", "Padding ends the packet.").Masked(0x20).TrueFalse("True", "False")
	cReports = rtcp.Uint8("rc", "Reception report count", "How many reports follow.").Masked(0x1f)
	cSources = rtcp.Uint8("sc", "Source count", "How many sources follow.").Masked(0x1f)
	cSubtype = rtcp.Uint8("app.subtype", "Subtype", "Which of the application's packets it is.").Masked(0x1f)
	cGeneric = rtcp.Uint8("rtpfb.fmt", "RTCP Feedback message type (FMT)", "What is fed back.").Masked(0x1f).
			Named(genericFeedback)
	cSpecific = rtcp.Uint8("psfb.fmt", "RTCP Feedback message type (FMT)", "What is fed back.").Masked(0x1f).
			Named(specificFeedback)
	cOther   = rtcp.Uint8("count", "Count", "What the packet makes of it.").Masked(0x1f)
	cType    = rtcp.Kind("pt", "Packet type", reports, "What the packet is.").Dec().Wordless()
	cLength  = rtcp.Uint16("length", "Length", "Length in units of four bytes, less one.")
	cSender  = rtcp.Uint32("senderssrc", "Sender SSRC", "Who sends the report.").HexFirst()
	cMedia   = rtcp.Uint32("mediassrc", "Media source SSRC", "Whose media are meant.").HexFirst()
	cSeconds = rtcp.Uint32("timestamp.ntp.msw", "Timestamp, MSW", "When the report was sent, in seconds since 1900.").
			HexDec()
	cFraction = rtcp.Uint32("timestamp.ntp.lsw", "Timestamp, LSW", "The fraction of the second.").HexDec()
	cNTP      = rtcp.Time("timestamp.ntp", "MSW and LSW as NTP timestamp", "Both as a point in time.")
	cStamp    = rtcp.Uint32("timestamp.rtp", "RTP timestamp", "The same moment on the clock of the media.")
	cPackets  = rtcp.Uint32("sender.packetcount", "Sender's packet count", "How many packets were sent.")
	cOctets   = rtcp.Uint32("sender.octetcount", "Sender's octet count", "How many bytes of payload were sent.")
	cBlock    = rtcp.Group("block", "Source", "How a source arrives.").Summary("Source {rtcp.ssrc.identifier}")
	cWho      = rtcp.Uint32("ssrc.identifier", "Identifier", "The source.").HexFirst()
	cLostPart = rtcp.Uint8("ssrc.fraction", "Fraction lost", "How many of 256 were lost since the last report.")
	cLostAll  = rtcp.Int32("ssrc.cum_nr", "Cumulative number of packets lost", "How many were lost so far.").Wide(3)
	cHigh     = rtcp.Uint32("ssrc.ext_high", "Extended highest sequence number received", "The last sequence number.")
	cCycles   = rtcp.Uint16("ssrc.high_cycles", "Sequence number cycles count", "How often the numbers began anew.")
	cHighSeq  = rtcp.Uint16("ssrc.high_seq", "Highest sequence number received", "The last sequence number as sent.")
	cJitter   = rtcp.Uint32("ssrc.jitter", "Interarrival jitter", "How unevenly packets arrive, in ticks.")
	cLastSR   = rtcp.Uint32("ssrc.lsr", "Last SR timestamp", "The middle of the time in the last sender report received.").
			HexDec()
	cDelay = rtcp.Uint32("ssrc.dlsr", "Delay since last SR timestamp",
		"Time since it was received, in units of 1/65536 s.")
	cSRFrame = rtcp.FrameRef("lsr-frame", "Frame matching Last SR timestamp", "The sender report that is meant.")
	cSRTime  = rtcp.Uint32("lsr-frame-captured", "Time since Last SR captured", "Time since that report.").In("ms").
			Derived()
	cRound = rtcp.Int32("roundtrip-delay", "Roundtrip Delay(ms)",
		"Time that the network took for the way there and back.").Derived()
	cExtra    = rtcp.Bytes("profile-specific-extension", "Profile-specific extension", "Bytes behind the reports.")
	cPadData  = rtcp.Bytes("padding.data", "Padding data", "Bytes at the end of the packet.")
	cPadCount = rtcp.Uint8("padding.count", "Padding count", "How many bytes of padding there are, with this one.")
	cRest     = rtcp.Bytes("data", "Data", "Bytes of an unknown form.")
	cSecret   = rtcp.Bytes("encrypted", "Encrypted data", "Reports that are encrypted (RFC 3711).")
	cCheck    = rtcp.Bool("length_check", "RTCP frame length check",
		"The lengths of the packets add up to that of the datagram.").TrueFalse("OK", "Incorrect").Derived()

	nCheck = rtcp.Expert("length_check.bad", dissect.Warn, "Incorrect RTCP packet length information").
		About(dissect.AboutMalformed)
)

// Control attaches RTCP to the ends that descriptions name, to what comes where media come, and to what two packets in
// a row tell to be reports.
func Control() dissect.Plugin {
	return dissect.Plugin{
		Protocol: rtcp, Dissect: control, Guess: recogniseControl, Evidence: controlEvidence,
		On: []dissect.Key{{Table: muxed, Value: 1}},
	}
}

func control(d *dissect.D) {
	if recogniseControl(d) == dissect.No {
		d.Reject()
		return
	}
	desc := described(d, noForm, d.Dst, d.Src)
	if desc.Secure {
		d.Info().Protocol("SRTCP")
	}
	compound(d, desc)
}

// noForm is no payload type: reports have none.
const noForm = 255

// compound reads the packets that a datagram holds.
func compound(d *dissect.D, desc setupNote) {
	total, first := d.Left(), true
	for more := d.Elements(); more.Next(); {
		if d.Left() < 4 || d.Peek(0)>>6 != 2 || desc.Secure && !first {
			break
		}
		first = false
		d.Message(func() { d.In(cPacket, func() { report(d, desc) }) })
	}
	whole := d.Left() == 0 && !d.Short()
	switch {
	case desc.Secure:
		d.Rest(cSecret)
	case d.Left() > 0:
		d.Rest(cRest)
	}
	if d.CutShort() {
		return
	}
	if whole {
		d.Set(cCheck, 1)
	} else if total > 0 {
		d.Set(cCheck, 0)
		d.Expert(nCheck)
	}
}

// report reads one packet.
func report(d *dissect.D, desc setupNote) {
	desc.show(d, cSetup, cSetupIn, cSetupBy)
	count := cOther
	kind := uint64(d.Peek(1))
	switch kind {
	case 192, 193, 200, 201:
		count = cReports
	case 202, 203:
		count = cSources
	case 204:
		count = cSubtype
	case 205:
		count = cGeneric
	case 206:
		count = cSpecific
	}
	first := d.Bits(cVersion, cPadding, count)
	d.Kind(cType)
	n := 4 * int(d.Uint(cLength))
	d.Info().Set("{rtcp.pt:name} ")
	d.Within(n, func() {
		if desc.Secure && kind <= 201 && d.Left() >= 4 { // RFC 3711 section 3.4: the first eight bytes are plain
			d.Uint(cSender)
			d.Rest(cSecret)
			return
		}
		pad := 0
		if first&0x20 != 0 && !d.CutShort() && d.Left() > 0 {
			pad = min(int(d.Data()[d.Left()-1]), d.Left())
		}
		d.Within(d.Left()-pad, func() { contents(d, kind, int(first&0x1f)) })
		if pad > 1 {
			d.Bytes(cPadData, pad-1)
		}
		if pad > 0 {
			d.Uint(cPadCount)
		}
	})
}

// contents reads what stands behind the header of a packet.
func contents(d *dissect.D, kind uint64, count int) {
	switch kind {
	case 200:
		senderReport(d)
		blocks(d, count)
		extensions(d)
	case 201:
		d.Uint(cSender)
		blocks(d, count)
		extensions(d)
	case 202:
		for i, more := 0, d.Elements(); i < count && more.Next(); i++ {
			chunk(d)
		}
	case 203:
		goodbye(d, count)
	case 192:
		d.Uint(cWho)
	case 193:
		d.Uint(cWho)
		d.Uint(cOldNackID)
		d.Uint(cOldNackMore)
	case 204:
		application(d)
	case 205, 206:
		feedback(d, kind, count)
	case 207:
		extended(d)
	}
	d.Rest(cRest)
}

func senderReport(d *dissect.D) {
	d.Uint(cSender)
	at := d.Pos()
	middle := uint32(d.PeekUint(2, 4))
	seconds := d.Uint(cSeconds)
	fraction := d.Uint(cFraction)
	if !d.Short() {
		d.Put(cNTP, uint64(ntp(seconds, fraction)), at, 8)
		remember(d, middle)
	}
	d.Uint(cStamp)
	d.Uint(cPackets)
	d.Uint(cOctets)
}

// ntp is a time of NTP (RFC 5905 section 6) in nanoseconds since 1970.
func ntp(seconds, fraction uint64) int64 {
	return (int64(seconds)-2208988800)*1e9 + int64(fraction*1e9>>32)
}

// blocks reads reports on sources.
func blocks(d *dissect.D, count int) {
	for i, more := 0, d.Elements(); i < count && more.Next(); i++ {
		d.In(cBlock, func() {
			d.Uint(cWho)
			d.Uint(cLostPart)
			d.Int(cLostAll)
			d.Uint(cHigh)
			d.Seek(max(0, d.Pos()-4))
			d.Below(func() { d.Uint(cCycles); d.Uint(cHighSeq) })
			d.Uint(cJitter)
			last := d.Uint(cLastSR)
			delay := d.Uint(cDelay)
			if last != 0 && !d.Short() {
				roundTrip(d, uint32(last), uint32(delay))
			}
		})
	}
}
