package rtp

import (
	"math"

	"remora/dissect"
)

// VoIP metrics (RFC 3611 section 4.7).
var (
	vDiscarded = rtcp.Uint8("ssrc.discarded", "Fraction discarded", "How many of 256 came too late or too early.")
	vDurations = []*dissect.Field{
		rtcp.Uint8("xr.voipmetrics.burstdensity", "Burst Density", "How many of 256 were lost or discarded within bursts."),
		rtcp.Uint8("xr.voipmetrics.gapdensity", "Gap Density", "How many between bursts."),
		rtcp.Uint16("xr.voipmetrics.burstduration", "Burst Duration(ms)", "Mean length of a burst."),
		rtcp.Uint16("xr.voipmetrics.gapduration", "Gap Duration(ms)", "Mean time between bursts."),
		rtcp.Uint16("xr.voipmetrics.rtdelay", "Round Trip Delay(ms)", "The last delay there and back."),
		rtcp.Uint16("xr.voipmetrics.esdelay", "End System Delay(ms)", "The last delay within this end."),
	}
	vSignal    = rtcp.Int8("xr.voipmetrics.signallevel", "Signal Level", "How loud speech is, in dBm0.")
	vNoise     = rtcp.Int8("xr.voipmetrics.noiselevel", "Noise Level", "How loud silence is, in dBm0.")
	vQualities = []*dissect.Field{
		rtcp.Uint8("xr.voipmetrics.rerl", "Residual Echo Return Loss", "How weak the echo is, in dB."),
		rtcp.Uint8("xr.voipmetrics.gmin", "Gmin", "How many packets a gap has at least."),
		rtcp.Uint8("xr.voipmetrics.rfactor", "R Factor", "Quality of the call from 0 to 100; 127 is unknown."),
		rtcp.Uint8("xr.voipmetrics.extrfactor", "External R Factor", "Quality of what another network adds; 127 is unknown."),
	}
	vListening    = rtcp.Float32("xr.voipmetrics.moslq", "MOS - Listening Quality", "From 1 to 5.").Derived()
	vConversation = rtcp.Float32("xr.voipmetrics.moscq", "MOS - Conversational Quality", "From 1 to 5.").Derived()
	vConceal      = rtcp.Uint8("xr.voipmetrics.plc", "Packet Loss Concealment Algorithm", "How gaps are filled.").
			Masked(0xc0).
			Named(dissect.Values{0: "Unspecified", 1: "Disabled", 2: "Enhanced", 3: "Standard"})
	vAdaptive = rtcp.Uint8("xr.voipmetrics.jba", "Adaptive Jitter Buffer Algorithm", "Whether the buffer's size changes.").
			Masked(0x30).
			Named(dissect.Values{0: "Unknown", 1: "Reserved", 2: "Non-Adaptive", 3: "Adaptive"})
	vRate    = rtcp.Uint8("xr.voipmetrics.jbrate", "Jitter Buffer Rate", "How fast it changes.").Masked(0x0f)
	vBuffers = []*dissect.Field{
		rtcp.Uint16("xr.voipmetrics.jbnominal", "Nominal Jitter Buffer Size",
			"Delay in the buffer of what comes in time, in ms."),
		rtcp.Uint16("xr.voipmetrics.jbmax", "Maximum Jitter Buffer Size", "Delay of what comes as early as can be, in ms."),
		rtcp.Uint16("xr.voipmetrics.jbabsmax", "Absolute Maximum Jitter Buffer Size", "The most that it can be, in ms."),
	}
)

// xrVoIP reads how good a call sounds.
func xrVoIP(d *dissect.D) {
	d.Uint(cWho)
	d.Uint(cLostPart)
	d.Uint(vDiscarded)
	uints(d, vDurations)
	d.Int(vSignal)
	d.Int(vNoise)
	uints(d, vQualities)
	opinion(d, vListening)
	opinion(d, vConversation)
	d.Bits(vConceal, vAdaptive, vRate)
	d.Skip(1)
	uints(d, vBuffers)
}

// opinion reads a score in tenths; 127, which is unknown, is 12.7.
func opinion(d *dissect.D, f *dissect.Field) {
	if d.More() {
		d.Put(f, math.Float64bits(float64(d.Peek(0))/10), d.Pos(), 1)
		d.Skip(1)
	}
}

// uints reads one number after the other.
func uints(d *dissect.D, fields []*dissect.Field) {
	for _, f := range fields {
		d.Uint(f)
	}
}

// What BT tells of quality (RFC 5093 section 3).
var (
	xqCounts = []*dissect.Field{
		rtcp.Uint16("xr.btxnq.begseq", "Starting sequence number", "The first packet that is told of."),
		rtcp.Uint16("xr.btxnq.endseq", "Last sequence number", "The last."),
		rtcp.Uint16("xr.btxnq.vmaxdiff", "Maximum IPDV difference in 1 cycle",
			"How much the delay varied at most within a cycle."),
		rtcp.Uint16("xr.btxnq.vrange", "Maximum IPDV difference seen to date", "How much so far."),
		rtcp.Uint32("xr.btxnq.vsum", "Sum of peak IPDV differences to date", "The sum over all cycles."),
		rtcp.Uint16("xr.btxnq.cycles", "Number of cycles in calculation", "How many cycles there were."),
		rtcp.Uint16("xr.btxnq.jbevents", "Number of jitter buffer adaptations to date", "How often the buffer changed."),
	}
	xqTimes = []*dissect.Field{
		rtcp.Uint32("xr.btxnq.tdegnet", "Time degraded by packet loss or late delivery", "In samples.").Wide(3),
		rtcp.Uint32("xr.btxnq.tdegjit", "Time degraded by jitter buffer adaptation events", "In samples.").Wide(3),
		rtcp.Uint32("xr.btxnq.es", "ES due to unavailable packet events", "Errored seconds.").Wide(3),
		rtcp.Uint32("xr.btxnq.ses", "SES due to unavailable packet events", "Severely errored seconds.").Wide(3),
	}
	xqSpare = rtcp.String("xr.btxnq.spare", "Spare/reserved bits", "Unused, and told of where they are set.")
)

func xrQuality(d *dissect.D) {
	uints(d, xqCounts)
	for _, f := range xqTimes {
		if d.Peek(0) != 0 {
			d.PutText(xqSpare, "Warning - spare bits not 0", d.Pos(), 1)
		}
		d.Skip(1)
		d.Uint(f)
	}
}

// How ends play at the same time (RFC 7272 section 7).
var (
	xsType = rtcp.Uint8("xr.idms.spst", "Synchronization Packet Sender Type", "Who tells.").
		Named(dissect.Values{0: "Reserved", 1: "SC", 2: "MSAS", 3: "SC' INPUT", 4: "SC' OUTPUT"})
	xsPayload   = rtcp.Uint8("xr.idms.pt", "Payload Type", "The form of the payload.")
	xsGroup     = rtcp.Uint32("xr.idms.msci", "Media Stream Correlation Identifier", "The group of ends.")
	xsSource    = rtcp.Uint32("xr.idms.source_ssrc", "Source SSRC", "Whose media.")
	xsReceived  = rtcp.Time("xr.idms.ntp_rcv_ts", "NTP Timestamp of packet reception", "When the packet came.")
	xsStamp     = rtcp.Uint32("xr.idms.rtp_ts", "RTP Timestamp of packet", "The packet's time on the clock of the media.")
	xsPresented = rtcp.Uint32("xr.idms.ntp_pres_ts", "NTP Timestamp of presentation",
		"When it was played, the middle of a time of NTP.")
)

func xrSynchronization(d *dissect.D, bits uint64) {
	if d.Left() < 28 {
		return
	}
	d.Put(xsType, bits>>4, d.Pos()-3, 1)
	d.Uint(xsPayload)
	d.Skip(3)
	d.Uint(xsGroup)
	d.Uint(xsSource)
	xrTime(d, xsReceived)
	d.Uint(xsStamp)
	d.Uint(xsPresented)
}
