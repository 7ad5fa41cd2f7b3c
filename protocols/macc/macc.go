// Package macc dissects MAC Control (IEEE 802.3 clause 31 and annex 31B, IEEE 802.1Qbb): frames that have the other end
// of a link pause.
package macc

import "remora/dissect"

// The operations that are read.
const (
	opPause   = 0x0001
	opClasses = 0x0101
)

var fOp = proto.Kind("opcode", "Opcode",
	dissect.Values{1: "Pause", 2: "Gate", 3: "Report", 4: "Register Req", 5: "Register", 6: "Register Ack",
		opClasses: "Class Based Flow Control [CBFC] Pause"}, "What the frame asks.").Wide(2).Hex().Wordless()

// Plugin attaches MAC Control to its EtherType.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: frame, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8808}}}
}

func frame(d *dissect.D) {
	switch d.Kind(fOp) {
	case opPause:
		d.Uint(fTime)
		d.Info().Set("Pause: pause_time: {pause_time} quanta")
	case opClasses:
		d.Bits(fVector, classBits...)
		d.In(fTimes, func() {
			for _, f := range classTimes {
				d.Uint(f)
			}
		})
		d.Info().Set("{opcode:name}")
	default:
		d.Info().Set("{opcode:name}")
		d.Rest(fRest)
	}
	d.Limit(0) // the rest fills the frame up
}
