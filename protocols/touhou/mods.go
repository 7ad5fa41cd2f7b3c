package touhou

import "remora/dissect"

// Packets of other mods that share the game's socket.
var (
	fYes     = proto.Uint8("practice.accept", "Accepted", "Whether the practice mode starts.").Named(yesNo)
	fElement = proto.String("practice.name", "Name", "Name of an element of the practice mode.").
			Encoded(dissect.ShiftJISOrGBK)
	fValue = proto.Uint32("practice.value", "Value", "Value of the element.")
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
	case 0x6C:
		d.Request(keyProbe<<56|uint64(d.Dir)<<32, fAnsweredIn)
	case 0x6D:
		d.Uint(fProbe)
		d.Response(keyProbe<<56|uint64(1-d.Dir)<<32, fAnsweredIn, fRequestIn, fTime)
	case 0x6E:
		d.Uint(fProbe)
		remember(d, &linkNotes, func(w *world) linkNote { w.leaveGiuroll(d); return linkNote{} })
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
