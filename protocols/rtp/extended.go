package rtp

import "remora/dissect"

// Extended reports (RFC 3611; RFC 5093 for type 8, RFC 7272 for type 12).
var xrTypes = dissect.Values{
	1: "Loss Run Length Encoding Report Block", 2: "Duplicate Run Length Encoding Report Block",
	3: "Packet Receipt Times Report Block",
	4: "Receiver Reference Time Report Block", 5: "DLRR Report Block", 6: "Statistics Summary Report Block",
	7: "VoIP Metrics Report Block",
	8: "BT XNQ RTCP XR (RFC5093) Report Block", 9: "Texas Instruments Extended VoIP Quality Block",
	10: "Post-repair Loss RLE Report Block",
	11: "Multicast Acquisition Report Block", 12: "Inter-destination Media Synchronization Block",
}

var (
	cXR     = rtcp.Group("xr.block", "Block", "One of the extended reports.").Summary("{rtcp.xr.bt:name}")
	cXRType = rtcp.Uint8("xr.bt", "Type", "What is reported.").Named(xrTypes)
	cXRBits = rtcp.Uint8("xr.bs", "Type Specific", "What the type makes of it.")
	cXRThin = rtcp.Uint8("xr.tf", "Thinning factor",
		"Packets are told of whose number is a multiple of 2 to this power.").Masked(0x0f)
	cXRLen   = rtcp.Uint16("xr.bl", "Length", "Length in units of four bytes.")
	cXRFirst = rtcp.Uint16("xr.beginseq", "Begin Sequence Number", "The first packet that is told of.")
	cXREnd   = rtcp.Uint16("xr.endseq", "End Sequence Number", "The one behind the last packet that is told of.")
	cXRRun   = rtcp.Uint16("xr.chunk.length", "Check length", "How many packets are the same.").Masked(0x3fff)
	cXRMap   = rtcp.Uint16("xr.chunk.bit_vector", "Bit Vector", "A bit for each of 15 packets.").Masked(0x7fff)
	cXRNull  = rtcp.Label("xr.chunk.null_terminator", "Null Terminator", "Zeros that fill up four bytes.")
	cXRCame  = rtcp.Uint32("xr.receipt_time_seq", "Receipt Time", "When a packet came, on the clock of the media.")
	cXRTime  = rtcp.Time("xr.timestamp", "Timestamp", "The receiver's time.")
	cXRLast  = rtcp.Uint32("xr.lrr", "Last RR timestamp", "The middle of the time in the last such report.")
	cXRDelay = rtcp.Uint32("xr.dlrr", "Delay since last RR timestamp",
		"Time since it was received, in units of 1/65536 s.")
	cXRData = rtcp.Bytes("xr.data", "Contents", "What is reported.")

	cXRHasLost = rtcp.Bool("xr.stats.lrflag", "Loss Report Flag", "Losses are told.").Masked(0x80).
			TrueFalse("True", "False")
	cXRHasDups = rtcp.Bool("xr.stats.dupflag", "Duplicates Report Flag", "Duplicates are told.").Masked(0x40).
			TrueFalse("True", "False")
	cXRHasJitter = rtcp.Bool("xr.stats.jitterflag", "Jitter Report Flag", "Jitter is told.").Masked(0x20).
			TrueFalse("True", "False")
	cXRHasTTL = rtcp.Uint8("xr.stats.ttl", "TTL or Hop Limit Flag", "Whether times to live are told, and which.").
			Masked(0x18).
			Named(dissect.Values{0: "No TTL Values", 1: "IPv4", 2: "IPv6", 3: "Undefined"})
)

// The numbers of a summary of statistics, in their order.
var xrStatistics = []*dissect.Field{
	rtcp.Uint32("xr.stats.lost", "Lost Packets", "How many were lost."),
	rtcp.Uint32("xr.stats.dups", "Duplicate Packets", "How many came twice."),
	rtcp.Uint32("xr.stats.minjitter", "Minimum Jitter", "The least jitter, in ticks."),
	rtcp.Uint32("xr.stats.maxjitter", "Maximum Jitter", "The most."),
	rtcp.Uint32("xr.stats.meanjitter", "Mean Jitter", "The mean."),
	rtcp.Uint32("xr.stats.devjitter", "Standard Deviation of Jitter", "How far it strays."),
	rtcp.Uint8("xr.stats.minttl", "Minimum TTL or Hop Limit", "The least time to live."),
	rtcp.Uint8("xr.stats.maxttl", "Maximum TTL or Hop Limit", "The most."),
	rtcp.Uint8("xr.stats.meanttl", "Mean TTL or Hop Limit", "The mean."),
	rtcp.Uint8("xr.stats.devttl", "Standard Deviation of TTL", "How far it strays."),
}

// extended reads the blocks.
func extended(d *dissect.D) {
	d.Uint(cSender)
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		d.In(cXR, func() {
			kind, bits := d.Uint(cXRType), uint64(d.Peek(0))
			switch kind {
			case 1, 2, 3:
				d.Uint(cXRThin)
			case 6:
				d.Bits(cXRHasLost, cXRHasDups, cXRHasJitter, cXRHasTTL)
			default:
				d.Uint(cXRBits)
			}
			n := 4 * int(d.Uint(cXRLen))
			d.Within(n, func() {
				xrContents(d, kind, bits)
				d.Rest(cXRData)
			})
		})
	}
}

// xrContents reads what a block reports. The bits are those of its header.
func xrContents(d *dissect.D, kind, bits uint64) {
	switch kind {
	case 1, 2, 3, 6, 10:
		d.Uint(cWho)
		d.Uint(cXRFirst)
		d.Uint(cXREnd)
	}
	switch kind {
	case 1, 2, 10:
		for more := d.Elements(); d.Left() >= 2 && more.Next(); {
			xrChunk(d)
		}
	case 3:
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			d.Uint(cXRCame)
		}
	case 4:
		xrTime(d, cXRTime)
	case 5:
		for more := d.Elements(); d.Left() >= 12 && more.Next(); {
			d.Uint(cWho)
			d.Uint(cXRLast)
			d.Uint(cXRDelay)
		}
	case 6:
		for _, f := range xrStatistics {
			d.Uint(f)
		}
	case 7:
		xrVoIP(d)
	case 8:
		xrQuality(d)
	case 12:
		xrSynchronization(d, bits)
	}
}

// xrChunk reads a run, a list of bits, or what fills up (RFC 3611 section 4.1).
func xrChunk(d *dissect.D) {
	switch v := d.PeekUint(0, 2); {
	case v == 0:
		d.Put(cXRNull, 0, d.Pos(), 2)
		d.Skip(2)
	case v&0x8000 != 0:
		d.Uint(cXRMap)
	default:
		d.Uint(cXRRun)
	}
}

// xrTime reads a time of NTP.
func xrTime(d *dissect.D, f *dissect.Field) {
	if d.Left() >= 8 {
		d.Put(f, uint64(ntp(d.PeekUint(0, 4), d.PeekUint(4, 4))), d.Pos(), 8)
		d.Skip(8)
	}
}
