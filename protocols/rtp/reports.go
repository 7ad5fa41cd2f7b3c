package rtp

import "remora/dissect"

var sdesTypes = dissect.Values{
	0: "END", 1: "CNAME (user and domain)", 2: "NAME (common name)", 3: "EMAIL (e-mail address)", 4: "PHONE (phone number)", 5: "LOC (geographic location)",
	6: "TOOL (name/version of source app)", 7: "NOTE (note about source)", 8: "PRIV (private extensions)", 9: "H323-CADDR (H.323 callable address)",
	10: "Application Specific Identifier",
}

var genericFeedback = dissect.Values{
	1: "Generic negative acknowledgement (NACK)", 3: "Temporary Maximum Media Stream Bit Rate Request (TMMBR)",
	4: "Temporary Maximum Media Stream Bit Rate Notification (TMMBN)", 15: "Transport-wide Congestion Control (Transport-cc)", 31: "Reserved for future extensions",
}

var specificFeedback = dissect.Values{
	1: "Picture Loss Indication", 2: "Slice Loss Indication", 3: "Reference Picture Selection Indication", 4: "Full Intra Request (FIR) Command",
	5: "Temporal-Spatial Trade-off Request (TSTR)", 6: "Temporal-Spatial Trade-off Notification (TSTN)", 7: "Video Back Channel Message (VBCM)",
	15: "Application Layer Feedback", 31: "Reserved for future extensions",
}

var xrTypes = dissect.Values{
	1: "Loss Run Length Encoding Report Block", 2: "Duplicate Run Length Encoding Report Block", 3: "Packet Receipt Times Report Block",
	4: "Receiver Reference Time Report Block", 5: "DLRR Report Block", 6: "Statistics Summary Report Block", 7: "VoIP Metrics Report Block",
}

var (
	cChunk    = rtcp.Group("chunk", "Chunk", "What is told of one source.").Summary("Chunk, SSRC/CSRC {rtcp.ssrc.identifier}")
	cItem     = rtcp.Uint8("sdes.type", "Type", "What is told.").Named(sdesTypes)
	cItemLen  = rtcp.Uint32("sdes.length", "Length", "Length of the text.").Wide(1)
	cItemText = rtcp.String("sdes.text", "Text", "What is told.")
	cPrefLen  = rtcp.Uint8("sdes.prefix.length", "Prefix length", "Length of the prefix.")
	cPrefix   = rtcp.String("sdes.prefix.string", "Prefix string", "What the private item is.")
	cAlign    = rtcp.Bytes("sdes.padding", "Padding", "Zeros up to the next four bytes.")
	cAppName  = rtcp.String("app.name", "Name (ASCII)", "Whose packet it is.")
	cAppData  = rtcp.Bytes("app.data", "Application specific data", "What the application makes of it.")
	cNackID   = rtcp.Uint16("rtpfb.nack_pid", "RTCP Transport Feedback NACK PID", "A packet that was lost.")
	cNackMore = rtcp.Uint16("rtpfb.nack_blp", "RTCP Transport Feedback NACK BLP", "Which of the 16 packets behind it were lost too.").Hex()
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
	cTMOver   = rtcp.Uint16("rtpfb.tmmbr.fci.measuredoverhead", "Measured Overhead", "Bytes of headers in a packet.").Masked(0x1ff)
	cTCBase   = rtcp.Uint16("rtpfb.transportcc.baseseq", "Base Sequence Number", "The first packet that is reported.").HexDec()
	cTCCount  = rtcp.Uint16("rtpfb.transportcc.statuscount", "Packet Status Count", "How many packets are reported.").HexDec()
	cTCTime   = rtcp.Int32("rtpfb.transportcc.reftime", "Reference Time", "When the report begins, in units of 64 ms.").Wide(3)
	cTCNumber = rtcp.Uint8("rtpfb.transportcc.pktcount", "Feedback Packets Count", "Counts reports.").HexDec()
	cFCI      = rtcp.Bytes("fci", "Feedback Control Information (FCI)", "What is fed back.")
	cXR       = rtcp.Group("xr.block", "Block", "One of the extended reports.").Summary("{rtcp.xr.bt:name}")
	cXRType   = rtcp.Uint8("xr.bt", "Type", "What is reported.").Named(xrTypes)
	cXRBits   = rtcp.Uint8("xr.bs", "Type Specific", "What the type makes of it.")
	cXRLen    = rtcp.Uint16("xr.bl", "Length", "Length in units of four bytes.")
	cXRTime   = rtcp.Time("xr.timestamp", "Timestamp", "The receiver's time.")
	cXRLast   = rtcp.Uint32("xr.lrr", "Last RR timestamp", "The middle of the time in the last such report.")
	cXRDelay  = rtcp.Uint32("xr.dlrr", "Delay since last RR timestamp", "Time since it was received, in units of 1/65536 s.")
	cXRData   = rtcp.Bytes("xr.data", "Contents", "What is reported.")
)

// chunk reads what is told of one source (RFC 3550 section 6.5).
func chunk(d *dissect.D) {
	d.In(cChunk, func() {
		start := d.Pos()
		d.Uint(cWho)
		for d.More() {
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
	for i := 0; i < count && d.More(); i++ {
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
	d.Info("( {rtcp.app.name} ) subtype={rtcp.app.subtype}")
	d.Rest(cAppData)
}

// feedback reads reports of RFC 4585 and RFC 5104.
func feedback(d *dissect.D, kind uint64, format int) {
	d.Uint(cSender)
	d.Uint(cMedia)
	switch {
	case kind == 205 && format == 1:
		for d.Left() >= 4 && d.More() {
			nack := d.Uint(cNackID)
			for more, i := d.Uint(cNackMore), nack+1; more != 0; more, i = more>>1, i+1 {
				if more&1 != 0 {
					d.Set(cNackID, i&0xffff)
				}
			}
		}
	case kind == 205 && (format == 3 || format == 4):
		for d.Left() >= 8 && d.More() {
			d.Uint(cTMWho)
			d.Put(cTMExp, uint64(d.Peek(0)), d.Pos(), 1)
			d.Put(cTMMan, d.PeekUint(0, 3), d.Pos(), 3)
			d.Skip(2)
			d.Uint(cTMOver)
		}
	case kind == 205 && format == 15:
		d.Uint(cTCBase)
		d.Uint(cTCCount)
		d.Int(cTCTime)
		d.Uint(cTCNumber)
	case kind == 206 && format == 1:
		d.Infof("PLI")
	case kind == 206 && format == 4:
		d.Infof("FIR")
		for d.Left() >= 8 && d.More() {
			d.Uint(cFIRWho)
			d.Uint(cFIRNo)
			d.Uint(cFIRFree)
		}
	case kind == 206 && format == 15:
		d.Infof("ALFB")
		if string(d.Data()[:min(4, d.Left())]) == "REMB" {
			remb(d)
		}
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
	for i := 0; i < n && d.Left() >= 4 && d.More(); i++ {
		d.Uint(cREMBWho)
	}
}

// extended reads the blocks of RFC 3611.
func extended(d *dissect.D) {
	d.Uint(cSender)
	for d.Left() >= 4 && d.More() {
		d.In(cXR, func() {
			kind := d.Uint(cXRType)
			d.Uint(cXRBits)
			n := 4 * int(d.Uint(cXRLen))
			d.Within(n, func() {
				switch kind {
				case 4:
					d.Put(cXRTime, uint64(ntp(d.PeekUint(0, 4), d.PeekUint(4, 4))), d.Pos(), min(8, d.Left()))
					d.Skip(min(8, d.Left()))
				case 5:
					for d.Left() >= 12 && d.More() {
						d.Uint(cWho)
						d.Uint(cXRLast)
						d.Uint(cXRDelay)
					}
				}
				d.Rest(cXRData)
			})
		})
	}
}
