// Package generic shows what gopacket's layers package can decode and no plugin of ours takes: BFD, sFlow, GTP,
// EtherIP, RUDP, ASF and more. Per layer it shows the header's bytes and the exported fields of gopacket's
// struct, by reflection. As soon as a layer carries something that a plugin of ours knows, the bytes go back to our
// tables.
//
// Source: github.com/google/gopacket/layers, whose structs follow the documents named there.
package generic

import (
	"bytes"
	"encoding/binary"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("gopacket", "gopacket",
	"Layers that the gopacket library decodes and no plugin takes.").
	Color(dissect.HuePlain).Traits(dissect.Underlies).Summary("[{type:name} ](decoded by gopacket)")

var (
	fType  = proto.Kind("type", "Layer", layerNames(), "Which layer of gopacket it is.").Wide(2).Dec().Wordless()
	fOther = proto.Bytes("other", "Layer", "Bytes of a layer whose fields are not listed here.")

	nFailed = proto.Expert("failed", dissect.Error, "gopacket could not decode the layer").About(dissect.AboutMalformed)
	nCut    = proto.Expert("cut", dissect.Chat, "Packet size limited during capture: the layer is not whole")

	plans = declare()
)

// Tables of our own for what gopacket's numbers, not ours, name.
const (
	tableRest dissect.Table = "gopacket.payload"
)

// udpPorts are the ports of UDP for which gopacket has a decoder: DHCP, NTP, BFD, VXLAN, SIP, Geneve, sFlow, RADIUS,
// GTP, RMCP. Plugins that stand in front of this one take theirs, and say what is not.
var udpPorts = []uint16{67, 68, 123, 623, 1812, 1813, 2152, 3784, 4789, 5060, 6081, 6343}

// Plugin attaches gopacket behind everything else.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: udpPorts, Fits: decodes,
		Fallback: []dissect.Table{dissect.TableLink, dissect.TableEther, dissect.TableIP, dissect.TableLLC, tables.LLCPayload,
			tables.LLCPID}}
}

// decodes says whether a datagram on one of the ports above is what the port says. It never claims other ports.
func decodes(d *dissect.D) bool {
	t := layerOfPorts(d.Src.Port, d.Dst.Port)
	if b := d.Data(); t == gopacket.LayerTypeZero || len(b) < 8 || !shaped(t, b) {
		return false
	}
	b := decode(t, d.Data())
	return b.err == nil && len(b.layers) > 0
}

// shaped tells whether the first bytes are of the version that the decoder reads, and lengths are those that are there.
func shaped(t gopacket.LayerType, b []byte) bool {
	switch t {
	case layers.LayerTypeRMCP:
		return b[0] == 6 && b[1] == 0
	case layers.LayerTypeGTPv1U:
		return b[0]&0xf0 == 0x30 && 8+int(binary.BigEndian.Uint16(b[2:])) == len(b)
	case layers.LayerTypeSIP:
		return dissect.IsText(b) && bytes.Contains(b, []byte("SIP/2.0"))
	case layers.LayerTypeBFD:
		return b[0]>>5 == 1 && int(b[3]) >= 24 && int(b[3]) <= len(b)
	case layers.LayerTypeSFlow:
		return binary.BigEndian.Uint32(b) == 5 && b[4]|b[5]|b[6] == 0 && b[7]-1 < 2
	}
	return !dissect.IsText(b) // all others are binary
}

// layerOf is gopacket's layer for the number under which the packet came to us, or LayerTypeZero.
func layerOf(d *dissect.D) gopacket.LayerType {
	key := d.Inner().Key()
	switch d.Inner().Table() {
	case dissect.TableLink:
		if key < uint32(len(layers.LinkTypeMetadata)) {
			return layers.LinkType(key).LayerType()
		}
	case dissect.TableEther:
		return layers.EthernetType(uint16(key)).LayerType()
	case dissect.TableIP:
		return layers.IPProtocol(uint8(key)).LayerType()
	case tables.LLCPayload, dissect.TableLLC:
		if key == 0x42 {
			return layers.LayerTypeSTP
		}
	case tables.LLCPID:
		if key == uint32(layers.EthernetTypeCiscoDiscovery) {
			return layers.LayerTypeCiscoDiscovery
		}
	case dissect.TableUDP:
		return layerOfPorts(d.Src.Port, d.Dst.Port)
	}
	return gopacket.LayerTypeZero
}

func layerOfPorts(src, dst uint16) gopacket.LayerType {
	for _, port := range [...]uint16{dst, src} {
		if t := layers.UDPPort(port).LayerType(); known(t) {
			return t
		}
	}
	return gopacket.LayerTypeZero
}

// known tells gopacket's real layers from its words for "no idea".
func known(t gopacket.LayerType) bool {
	switch t {
	case gopacket.LayerTypeZero, gopacket.LayerTypePayload, gopacket.LayerTypeFragment, gopacket.LayerTypeDecodeFailure:
		return false
	}
	return true
}

func packet(d *dissect.D) {
	t := layerOf(d)
	if !known(t) {
		d.Reject()
		return
	}
	var next gopacket.Decoder = t
	names := ""
	for n := range maxLayers {
		b := decode(next, d.Data())
		if b.err != nil && len(b.layers) == 0 {
			if n == 0 && noDecoder(b.err) {
				d.Reject() // nobody knows the number: the layer around it has the last word
				return
			}
			failed(d, b.err)
			break
		}
		for _, l := range b.layers {
			names = join(d, names, l.LayerType())
			if known(l.LayerType()) {
				d.Info().Protocol(title(l.LayerType()))
			}
			show(d, l)
		}
		if d.Info().Wanted() {
			d.Info().Setf("%s", names)
		}
		if b.err != nil {
			failed(d, b.err)
			break
		}
		last := b.layers[len(b.layers)-1]
		payload := last.LayerPayload()
		if !d.More() || len(payload) == 0 {
			break
		}
		if off, ok := offsetOf(d.Data(), payload); ok && off == 0 && len(payload) < d.Left() {
			d.Limit(len(payload))
		}
		if next = b.next; next == nil {
			break
		}
		if ours(d, &next) {
			return
		}
		if next == nil {
			break
		}
	}
	if d.More() {
		d.Next(tableRest, 0)
	}
}

// maxLayers bounds the layers that gopacket decodes in a row before the rest is plain data.
const maxLayers = 16

func join(d *dissect.D, names string, t gopacket.LayerType) string {
	if !d.Info().Wanted() {
		return ""
	}
	if names != "" {
		names += " / "
	}
	return names + t.String()
}

// failed notes that gopacket gave up. What is left of the packet is shown as data.
func failed(d *dissect.D, err error) {
	if noDecoder(err) {
		return
	}
	note, text := nFailed, ""
	if d.CutShort() {
		note = nCut
	} else if d.Wanted(nFailed) {
		text = nFailed.Label() + ": " + err.Error()
	}
	d.ExpertText(note, text)
}
