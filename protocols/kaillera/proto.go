// Package kaillera dissects Kaillera 0.83, the netplay of arcade and console emulators through a server, over UDP.
//
// A client asks for a session port with a line of text and then logs in there. Every session datagram is a bundle: a
// count and messages, the newest first, each with a number of its own. There are no acknowledgements; what was sent
// before is sent again behind what is new. Numbers are little-endian, strings end with a NUL and have no declared
// character set.
package kaillera

import "remora/dissect"

var proto = dissect.NewProtocol("kaillera", "Kaillera",
	"Netplay of emulators through a Kaillera server, version 0.83.").
	LittleEndian().Color(dissect.HueGreen).Summary("Kaillera[, {type:name}]").Traits(dissect.Unpacks | dissect.QuietQuoted)

// controlPort is where servers take HELLO and PING unless their owner chose otherwise.
const controlPort = 27888

// Plugin is attached to the control port and recognised anywhere, on ports of others too, by its connect phase and by
// bundles. HELLOD00D claims the session port that it names; the ends of whatever was recognised are claimed, too.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: packet, Choices: charsetChoices(), UDP: []uint16{controlPort}, Guess: recognise,
		Special: true, Endpoints: true, Fits: onControlPort, Evidence: evidence,
		Statistics: statistics,
		Game: &dissect.GameFields{Tick: []*dissect.Field{fClientF}, Latency: []*dissect.Field{fLag},
			Lost: []*dissect.Field{fGap}, Saved: []*dissect.Field{fHealed}, Repeats: []*dissect.Field{nResend},
			Stalls: []dissect.GameStall{{Length: fStall, Missing: fMissing}}},
	}
}
