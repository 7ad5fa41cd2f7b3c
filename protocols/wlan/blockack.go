package wlan

import "remora/dissect"

// The fields of the frames that agree on block acknowledgments (IEEE 802.11-2020 section 9.6.4).
var (
	fBAAction = proto.Uint8("fixed.action_code", "Action code", "Asking, answering or ending.").Hex().
			Named(dissect.Values{0: "Add Block Ack Request", 1: "Add Block Ack Response", 2: "Delete Block Ack"})
	fToken    = proto.Uint8("fixed.dialog_token", "Dialog token", "Joins a question and its answer.").Hex()
	fBAParams = proto.Uint16("fixed.baparams", "Block Ack Parameters", "What is agreed on.").Hex()
	fBATime   = proto.Uint16("fixed.batimeout", "Block Ack Timeout", "How long it holds.").Hex()
	fBASSC    = proto.Uint16("fixed.ssc", "Block Ack Starting Sequence Control (SSC)",
		"The first frame that it counts for.").Hex()
)

var baBits = []*dissect.Field{
	proto.Bool("fixed.baparams.amsdu", "A-MSDUs", "Frames may hold several.").Wide(2).Masked(0x1).
		TrueFalse("Permitted in QoS Data MPDUs", "Not Permitted"),
	proto.Bool("fixed.baparams.policy", "Block Ack Policy", "When to acknowledge.").Wide(2).Masked(0x2).
		TrueFalse("Immediate Block Ack", "Delayed Block Ack"),
	proto.Uint16("fixed.baparams.tid", "Traffic Identifier", "The traffic that it is for.").Hex().Masked(0x3c),
	proto.Uint16("fixed.baparams.buffersize", "Number of Buffers (1 Buffer = 2304 Bytes)", "How many frames may wait.").
		Masked(0xffc0),
}

var baSSCBits = []*dissect.Field{
	proto.Uint16("fixed.ssc.fragment", "Fragment", "Number of the fragment.").Masked(0xf),
	proto.Uint16("fixed.ssc.sequence", "Starting Sequence Number", "Number of the frame.").Masked(0xfff0),
}

// categoryBlock are the actions that agree on block acknowledgments.
const categoryBlock = 3

// blockAction reads one of them.
func blockAction(d *dissect.D) {
	action := d.Uint(fBAAction)
	if action > 1 {
		return
	}
	d.Uint(fToken)
	if action == 1 {
		d.Uint(fStatus)
	}
	dissect.Parts(d, fBAParams, baBits...)
	d.Uint(fBATime)
	if action == 0 {
		dissect.Parts(d, fBASSC, baSSCBits...)
	}
}
