// Package wol dissects Wake on LAN: the magic packet that wakes a sleeping host, which holds six bytes of ones and then
// the host's address sixteen times (AMD, "Magic Packet Technology", publication 20213).
package wol

import (
	"fmt"
	"net"

	"remora/dissect"
)

var proto = dissect.NewProtocol("wol", "WOL", "Wake on LAN: a packet that wakes a host.").
	Summary("Wake On LAN[, MAC: {mac}][, Password: {passwd}]").Color(dissect.HueYellow)

var (
	fSync = proto.Bytes("sync", "Sync stream", "Six bytes of ones.")
	fMAC  = proto.Ether("mac", "MAC", "The host to wake.")
	fPass = proto.Bytes("passwd", "Password", "What the host may ask for, four or six bytes.")
)

const (
	syncLen = 6
	repeats = 16
	whole   = syncLen + 6*repeats
)

// Plugin attaches Wake on LAN to its EtherType, and to UDP packets of its form.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, Guess: guess,
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x0842}}, Fallback: []dissect.Table{dissect.TableUDP}}
}

// guess wants the whole of the form.
func guess(d *dissect.D) dissect.Confidence {
	if n := d.Left(); n != whole && n != whole+4 && n != whole+6 || d.PeekUint(0, 6) != 1<<48-1 {
		return dissect.No
	}
	for i := range repeats {
		if d.PeekUint(syncLen+6*i, 6) != d.PeekUint(syncLen, 6) {
			return dissect.No
		}
	}
	return dissect.Strong
}

func packet(d *dissect.D) {
	d.Bytes(fSync, syncLen)
	d.Ether(fMAC)
	password := ""
	d.Below(func() {
		for i, more := 1, d.Elements(); i < repeats && more.Next(); i++ {
			d.Ether(fMAC)
		}
	})
	if n := d.Left(); n == 4 || n == 6 {
		b := d.Rest(fPass)
		if len(b) == 4 {
			password = fmt.Sprintf(", password %d.%d.%d.%d", b[0], b[1], b[2], b[3])
		} else if len(b) == 6 {
			password = ", password " + net.HardwareAddr(b).String()
		}
	}
	if d.Info().Wanted() {
		d.Info().Set("MagicPacket for {mac}" + password)
	}
	d.Limit(0) // the rest fills the frame up
}
