package rtp

import (
	"bytes"

	"remora/dissect"
)

var sdesTypes = dissect.Values{
	0: "END", 1: "CNAME (user and domain)", 2: "NAME (common name)", 3: "EMAIL (e-mail address)",
	4: "PHONE (phone number)", 5: "LOC (geographic location)",
	6: "TOOL (name/version of source app)", 7: "NOTE (note about source)", 8: "PRIV (private extensions)",
	9:  "H323-CADDR (H.323 callable address)",
	10: "Application Specific Identifier",
}

var genericFeedback = dissect.Values{
	1: "Generic negative acknowledgement (NACK)", 3: "Temporary Maximum Media Stream Bit Rate Request (TMMBR)",
	4:  "Temporary Maximum Media Stream Bit Rate Notification (TMMBN)",
	15: "Transport-wide Congestion Control (Transport-cc)", 31: "Reserved for future extensions",
}

var specificFeedback = dissect.Values{
	1: "Picture Loss Indication", 2: "Slice Loss Indication", 3: "Reference Picture Selection Indication",
	4: "Full Intra Request (FIR) Command",
	5: "Temporal-Spatial Trade-off Request (TSTR)", 6: "Temporal-Spatial Trade-off Notification (TSTN)",
	7:  "Video Back Channel Message (VBCM)",
	15: "Application Layer Feedback", 31: "Reserved for future extensions",
}

// specificWords are how Wireshark's Info column calls them.
var specificWords = map[int]string{1: "PLI", 2: "SLI", 3: "RPSI", 4: "FIR", 5: "TSTR", 6: "TSTN", 7: "VBCM", 15: "ALFB",
	31: "Reserved"}

func specificWord(format int) string {
	if w := specificWords[format]; w != "" {
		return w
	}
	return "Unknown"
}

var extensionTypes = dissect.Values{
	1: "MS - Estimated Bandwidth", 4: "MS - Packet Loss Notification", 5: "MS - Video Preference", 6: "MS - Padding",
	7: "MS - Policy Server Bandwidth",
	8: "MS - TURN Server Bandwidth", 9: "MS - Audio Healer Metrics", 10: "MS - Receiver-side Bandwidth Limit",
	11: "MS - Packet Train Packet",
	12: "MS - Peer Info Exchange", 13: "MS - Network Congestion Notification", 14: "MS - Modality Send Bandwidth Limit",
}

var (
	cChunk = rtcp.Group("chunk", "Chunk", "What is told of one source.").
		Summary("Chunk, SSRC/CSRC {rtcp.ssrc.identifier}")
	cItem     = rtcp.Uint8("sdes.type", "Type", "What is told.").Named(sdesTypes)
	cItemLen  = rtcp.Uint32("sdes.length", "Length", "Length of the text.").Wide(1)
	cItemText = rtcp.String("sdes.text", "Text", "What is told.")
	cPrefLen  = rtcp.Uint8("sdes.prefix.length", "Prefix length", "Length of the prefix.")
	cPrefix   = rtcp.String("sdes.prefix.string", "Prefix string", "What the private item is.")
	cAlign    = rtcp.Bytes("sdes.padding", "Padding", "Zeros up to the next four bytes.")
	cAppName  = rtcp.String("app.name", "Name (ASCII)", "Whose packet it is.")
	cAppText  = rtcp.String("app.data_str", "Application specific data",
		"What the application makes of it, in letters.")
	cAppData  = rtcp.Bytes("app.data", "Application specific data", "What the application makes of it.")
	cNackID   = rtcp.Uint16("rtpfb.nack_pid", "RTCP Transport Feedback NACK PID", "A packet that was lost.")
	cNackMore = rtcp.Uint16("rtpfb.nack_blp", "RTCP Transport Feedback NACK BLP",
		"Which of the 16 packets behind it were lost too.").Hex()
	cFIRWho   = rtcp.Uint32("psfb.fir.fci.ssrc", "SSRC", "Whose picture is asked for.").HexFirst()
	cFIRNo    = rtcp.Uint8("psfb.fir.fci.csn", "Command Sequence Number", "Counts commands.")
	cFIRFree  = rtcp.Uint24("psfb.fir.fci.reserved", "Reserved", "Unused.")
	cREMB     = rtcp.String("psfb.remb.identifier", "Unique Identifier", "REMB.")
	cREMBCnt  = rtcp.Uint8("psfb.remb.fci.number_ssrcs", "Number of Ssrcs", "How many sources are meant.")
	cREMBExp  = rtcp.Uint8("psfb.remb.fci.br_exp", "BR Exp", "Exponent of the bit rate.").Masked(0xfc)
	cREMBMan  = rtcp.Uint24("psfb.remb.fci.br_mantissa", "Br Mantissa", "Mantissa of the bit rate.").Masked(0x3ffff)
	cREMBRate = rtcp.Uint64("psfb.remb.rate", "Maximum bit rate", "How much may be sent.").In("bit/s").Derived()
	cREMBWho  = rtcp.Uint32("psfb.remb.fci.ssrc", "SSRC", "A source that is meant.").HexFirst()
	cTMWho    = rtcp.Uint32("rtpfb.tmmbr.fci.ssrc", "SSRC", "Whose rate is meant.").HexFirst()
	cTMExp    = rtcp.Uint8("rtpfb.tmmbr.fci.exp", "MxTBR Exp", "Exponent of the bit rate.").Masked(0xfc)
	cTMMan    = rtcp.Uint24("rtpfb.tmmbr.fci.mantissa", "MxTBR Mantissa", "Mantissa of the bit rate.").Masked(0x3fffe)
	cTMOver   = rtcp.Uint16("rtpfb.tmmbr.fci.measuredoverhead", "Measured Overhead", "Bytes of headers in a packet.").
			Masked(0x1ff)
	cSLIFirst   = rtcp.Uint32("psfb.fir.sli.first", "First MB", "The first macroblock that was lost.").Masked(0xfff80000)
	cSLICount   = rtcp.Uint32("psfb.fir.sli.number", "Number of MBs", "How many were lost.").Masked(0x7ffc0)
	cSLIPicture = rtcp.Uint32("psfb.fir.sli.picture_id", "Picture ID", "The last bits of the picture's number.").
			Masked(0x3f)
	cOldNackID   = rtcp.Uint16("nack.fsn", "First sequence number", "A packet that was lost (RFC 2032).")
	cOldNackMore = rtcp.Uint16("nack.blp", "Bitmask of following lost packets",
		"Which of the 16 packets behind it were lost too.")
	cPSE       = rtcp.Group("pse", "Profile-specific extension", "What a profile adds to a report.")
	cPSEType   = rtcp.Uint16("profile-specific-extension.type", "Extension Type", "What is added.").Named(extensionTypes)
	cPSELength = rtcp.Uint16("profile-specific-extension.length", "Extension Length",
		"Length of the extension with this header.")
	cAFBType = rtcp.Uint16("psfb.ms.afb_type", "Application Layer Feedback Type",
		"What is fed back ([MS-RTP] section 2.2.12.1).").
		Named(dissect.Values{1: "Video Source Request", 3: "Dominant Speaker History Notification"})
	cAFBLength = rtcp.Uint16("psfb.ms.length", "Length", "Length of what is fed back, from its type on.")
	cFCI       = rtcp.Bytes("fci", "Feedback Control Information (FCI)", "What is fed back.")
)

// chunk reads what is told of one source (RFC 3550 section 6.5).
func chunk(d *dissect.D) {
	d.In(cChunk, func() {
		start := d.Pos()
		d.Uint(cWho)
		for more := d.Elements(); more.Next(); {
			kind := d.Uint(cItem)
			if kind == 0 {
				break
			}
			n := int(d.Uint(cItemLen))
			d.Within(n, func() {
				if kind == 8 && d.Left() > 0 {
					d.Bytes(cPrefix, min(int(d.Uint(cPrefLen)), d.Left()))
				}
				d.Rest(cItemText)
			})
		}
		if pad := -(d.Pos() - start) & 3; pad > 0 && !d.Short() {
			d.Bytes(cAlign, min(pad, d.Left()))
		}
	})
}

func goodbye(d *dissect.D, count int) {
	for i, more := 0, d.Elements(); i < count && more.Next(); i++ {
		d.Uint(cWho)
	}
	if d.More() {
		n := int(d.Uint(cItemLen))
		d.Padded(cItemText, min(n, d.Left()))
		d.Rest(cAlign)
	}
}

func application(d *dissect.D) {
	d.Uint(cWho)
	d.Bytes(cAppName, 4)
	d.Info().Set("( {rtcp.app.name} ) subtype={rtcp.app.subtype}")
	if b := d.Data(); len(b) > 0 && printable(b) {
		d.Rest(cAppText)
		return
	}
	d.Rest(cAppData)
}

// extensions reads what stands behind the reports: Microsoft's have a type and a length ([MS-RTP] section 2.2.11).
func extensions(d *dissect.D) {
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		d.In(cPSE, func() {
			kind := d.Uint(cPSEType)
			d.Info().Setf("(PSE:%s)", extensionName(kind))
			if n := int(d.Uint(cPSELength)); n > 4 {
				d.Bytes(cExtra, min(n-4, d.Left()))
			}
		})
	}
	d.Rest(cExtra)
}

func extensionName(kind uint64) string {
	if name := extensionTypes[kind]; name != "" {
		return name
	}
	return "Unknown "
}

// feedback reads reports of RFC 4585 and RFC 5104.
func feedback(d *dissect.D, kind uint64, format int) {
	d.Uint(cSender)
	d.Uint(cMedia)
	if kind == 206 {
		d.Info().Setf("%s", specificWord(format))
	}
	switch {
	case kind == 205 && format == 1:
		for each := d.Elements(); d.Left() >= 4 && each.Next(); {
			nack := d.Uint(cNackID)
			for more, i := d.Uint(cNackMore), nack+1; more != 0; more, i = more>>1, i+1 {
				if more&1 != 0 {
					d.Set(cNackID, i&0xffff)
				}
			}
		}
	case kind == 205 && (format == 3 || format == 4):
		for more := d.Elements(); d.Left() >= 8 && more.Next(); {
			d.Uint(cTMWho)
			d.Put(cTMExp, uint64(d.Peek(0)), d.Pos(), 1)
			d.Put(cTMMan, d.PeekUint(0, 3), d.Pos(), 3)
			d.Skip(2)
			d.Uint(cTMOver)
		}
	case kind == 205 && format == 15:
		transportWide(d)
	case kind == 206 && format == 2:
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			d.Bits(cSLIFirst, cSLICount, cSLIPicture)
		}
	case kind == 206 && format == 4:
		for more := d.Elements(); d.Left() >= 8 && more.Next(); {
			d.Uint(cFIRWho)
			d.Uint(cFIRNo)
			d.Uint(cFIRFree)
		}
	case kind == 206 && format == 15 && string(d.Data()[:min(4, d.Left())]) == "REMB":
		remb(d)
	case kind == 206 && format == 15 && d.Left() >= 4:
		d.Uint(cAFBType)
		d.Uint(cAFBLength)
	}
	d.Rest(cFCI)
}

// remb reads how much a receiver wants at most.
func remb(d *dissect.D) {
	d.Bytes(cREMB, 4)
	n := int(d.Uint(cREMBCnt))
	at, exp := d.Pos(), uint64(d.Peek(0))
	d.Put(cREMBExp, exp, at, 1)
	mantissa := d.Uint(cREMBMan)
	d.Set(cREMBRate, mantissa<<(exp>>2&63))
	for i, more := 0, d.Elements(); i < n && d.Left() >= 4 && more.Next(); i++ {
		d.Uint(cREMBWho)
	}
}

// printable tells whether bytes are letters of ASCII that can be shown, up to a zero at the end.
func printable(b []byte) bool {
	for _, c := range bytes.TrimRight(b, "\x00") {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
