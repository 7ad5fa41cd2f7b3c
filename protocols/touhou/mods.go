package touhou

import "remora/dissect"

// Packets of other mods that share the game's socket.
var (
	fYes     = proto.Uint8("practice.accept", "Accepted", "Whether the practice mode starts.").Named(yesNo)
	fElement = proto.String("practice.name", "Name", "Name of an element of the practice mode.").
			Encoded(dissect.ShiftJISOrGBK)
	fValue    = proto.Uint32("practice.value", "Value", "Value of the element.")
	fGFrom    = proto.Uint8("giuroll.from", "From", "Who sends the inputs.").Named(dissect.Values{1: "host", 2: "client"})
	fGZero    = proto.UnknownBytes("giuroll.zero", "Unknown", "Zero.")
	fGWeather = proto.Uint8("giuroll.weather", "Weather", "Weather of the frame 20 frames before, to find desyncs.")
	fGDelay   = proto.Uint8("giuroll.delay", "Delay", "Input delay.").In("frames")
	fGMax     = proto.Uint8("giuroll.rollback", "Maximum rollback", "Highest rollback.").In("frames")
	fGKeys    = proto.Flags16("giuroll.keys", "Keys", battleKeys,
		"Own inputs, newest first; the first is of the packet's frame.").Also(fKeys)
	fGFrame = proto.Uint32("giuroll.confirmed", "Confirmed frame", "Last frame of the other side that is confirmed.")
	fGTime  = proto.Int32("giuroll.time", "Time difference", "Clock difference in microseconds; 2147483647 is none.").
		In("µs")
	fSlot  = proto.Uint8("relay.slot", "Slot", "Place of a peer in the relay's list.")
	fPeers = proto.Uint8("relay.count", "Peers", "How many peers follow.")
	fRPeer = proto.Group("relay.peer", "Peer", "One peer of the relay.").
		Summary("Peer {relay.slot}: {relay.ip}:{relay.port}")
	fRIP    = proto.IPv4("relay.ip", "Address", "Address of the peer.").Also(fIP)
	fRPort  = proto.Uint16("relay.port", "Port", "Port of the peer, in network byte order.").BE().Also(fPort)
	fMajor  = proto.Uint8("soku2.major", "Major version", "Major version of Soku2.")
	fMinor  = proto.Uint8("soku2.minor", "Minor version", "Minor version of Soku2.")
	fLetter = proto.Uint8("soku2.letter", "Letter", "Letter behind the version.").Format(letter)
	fDesync = proto.UnknownBytes("desync.state", "State",
		"Bit field of the desync detector; its layout depends on the compiler.")
	fProbe = proto.Uint8("giuroll.mark", "Mark", "Second byte of the packet.").Hex().Unknown()
)

func letter(v uint64) string {
	if v >= 'A' && v <= 'z' {
		return string(rune(v))
	}
	return number(v)
}

func otherMod(d *dissect.D, kind uint64) {
	switch kind {
	case 0x16:
		d.Uint(fYes)
		d.Info().Set("{practice.accept:name}")
	case 0x17:
		paddedElement(d)
		d.Uint(fValue)
		d.Info().Set("{practice.name} = {practice.value}")
	case 0x21:
		d.Rest(fDesync)
	case 0x6B:
		giuroll(d)
	case 0x6D, 0x6E:
		d.Uint(fProbe)
	case 0x78:
		n := d.Uint(fPeers)
		for more := d.Elements(); n > 0 && more.Next(); n-- {
			d.In(fRPeer, func() {
				d.Uint(fSlot)
				d.IPv4(fRIP)
				d.Uint(fRPort)
			})
		}
		need(d, int(n))
		d.Info().Set("{relay.count} peers")
	case 0xD3:
		d.Uint(fMajor)
		d.Uint(fMinor)
		d.Uint(fLetter)
		d.Info().Set("Soku2 {soku2.major}.{soku2.minor}{soku2.letter}")
	}
}

// paddedElement reads a name of 64 bytes, whose rest behind the NUL is no text.
func paddedElement(d *dissect.D) {
	b := d.Data()
	b = b[:min(len(b), 64)]
	for i, c := range b {
		if c == 0 && i+1 < len(b) && len(b) == 64 {
			d.Padded(fElement, i+1)
			d.Bytes(fUninit, 64-i-1)
			return
		}
	}
	d.Padded(fElement, 64)
}

// giuroll reads 0x6B (20 + 2n bytes): sender, 2 zeros, frame, weather, delay, rollback, n, n inputs, confirmed
// frame, clock difference.
func giuroll(d *dissect.D) {
	from := d.Uint(fGFrom)
	d.Bytes(fGZero, 2)
	d.Transcript().Tick(d.Uint(fFrame))
	d.Uint(fGWeather)
	d.Uint(fGDelay)
	d.Uint(fGMax)
	for n, more := d.Uint(fCount), d.Elements(); n > 0 && more.Next(); n-- {
		d.Uint(fGKeys)
	}
	d.Uint(fGFrame)
	d.Int(fGTime)
	if d.Short() {
		return
	}
	if from == 1 || from == 2 {
		remember(d, &linkNotes, func(w *world) linkNote { w.players(d, from == 1); return linkNote{} })
	}
	d.Info().Set("f {input.frame} from {giuroll.from:name}, confirmed {giuroll.confirmed}")
}
