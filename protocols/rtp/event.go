package rtp

import (
	"fmt"

	"remora/dissect"
)

var event = dissect.NewProtocol("rtpevent", "RTP EVENT",
	"Keys that were pressed and other tones, named instead of sent as sound (RFC 4733).").
	Summary("RFC 2833 RTP Event").Color(dissect.HueCyan)

var (
	fEvent    = event.Kind("event_id", "Event ID", events, "What happened.").Dec().Wordless()
	fEventEnd = event.Bool("end_of_event", "End of Event", "The event is over.").Masked(0x80).TrueFalse("True", "False")
	fEventRes = event.Bool("reserved", "Reserved", "Unused.").Masked(0x40).TrueFalse("True", "False")
	fVolume   = event.Uint8("volume", "Volume", "How loud a tone is, in dBm0 below zero.").Masked(0x3f)
	fDuration = event.Uint16("duration", "Event Duration", "How long the event has lasted, in ticks of the clock.")
	fEventTo  = event.Bytes("more", "More data", "Bytes behind the event.")
)

// Event attaches the named events to their form.
func Event() dissect.Plugin {
	return dissect.Plugin{Protocol: event, Dissect: happened,
		On: []dissect.Key{{Table: dynamic, Value: word("telephone-event")}}}
}

func happened(d *dissect.D) {
	id := d.Kind(fEvent)
	over := d.Bits(fEventEnd, fEventRes, fVolume)&0x80 != 0
	d.Uint(fDuration)
	if d.Info().Wanted() {
		name, end := events[id], ""
		if name == "" {
			name = fmt.Sprintf("Unknown (%d)", id)
		}
		if over {
			end = " (end)"
		}
		d.Info().Setf("Payload type=RTP Event, %s%s", name, end)
	}
	d.Rest(fEventTo)
}

var srtp = dissect.NewProtocol("srtp", "SRTP", "Secure RTP: payloads that are encrypted (RFC 3711).").
	Summary("Secure Real-Time Transport Protocol").Color(dissect.HueCyan)

var fSecret = srtp.Bytes("enc_payload", "SRTP Encrypted Payload", "The payload, encrypted, with what proves it.")

// Secure attaches encrypted payloads to the streams that descriptions say are secure.
func Secure() dissect.Plugin {
	return dissect.Plugin{Protocol: srtp, Dissect: func(d *dissect.D) { d.Rest(fSecret) },
		On: []dissect.Key{{Table: secured, Value: 1}}}
}
