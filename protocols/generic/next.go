package generic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"remora/dissect"
)

// A builder takes what one gopacket decoder finds. It remembers who would decode the payload and does not run it, so
// that every step comes back to us.
type builder struct {
	layers []gopacket.Layer
	next   gopacket.Decoder
	err    error
}

// SetTruncated does nothing: short frames are noticed by their reads.
func (b *builder) SetTruncated() {}

// AddLayer keeps a decoded layer.
func (b *builder) AddLayer(l gopacket.Layer) { b.layers = append(b.layers, l) }

// SetLinkLayer does nothing: layers are found by their order.
func (b *builder) SetLinkLayer(gopacket.LinkLayer) {}

// SetNetworkLayer does nothing, as SetLinkLayer.
func (b *builder) SetNetworkLayer(gopacket.NetworkLayer) {}

// SetTransportLayer does nothing, as SetLinkLayer.
func (b *builder) SetTransportLayer(gopacket.TransportLayer) {}

// SetApplicationLayer does nothing, as SetLinkLayer.
func (b *builder) SetApplicationLayer(gopacket.ApplicationLayer) {}

// SetErrorLayer does nothing: a decoder returns its error, too.
func (b *builder) SetErrorLayer(gopacket.ErrorLayer) {}

// NextDecoder keeps who would decode the payload, and does not run it.
func (b *builder) NextDecoder(next gopacket.Decoder) error { b.next = next; return nil }

// DumpPacketData does nothing: nobody debugs here.
func (b *builder) DumpPacketData() {}

// DecodeOptions lets layers refer to the bytes of the packet.
func (b *builder) DecodeOptions() *gopacket.DecodeOptions { return &gopacket.NoCopy }

// decode runs one decoder. gopacket may panic on hostile bytes: that is an error like any other.
func decode(with gopacket.Decoder, data []byte) (b *builder) {
	b = &builder{}
	defer func() {
		if p := recover(); p != nil {
			b.err = fmt.Errorf("%v", p)
		}
	}()
	data = data[:len(data):len(data)] // a decoder that appends must not write behind the packet
	if err := with.Decode(data, b); err != nil {
		b.err = err
	} else if len(b.layers) == 0 {
		b.err = errors.New("it found no layer")
	}
	return b
}

// offsetOf is where part lies in whole, if it lies in it. A slice of another shares its end of capacity.
func offsetOf(whole, part []byte) (int, bool) {
	off := len(whole) - cap(part)
	if len(part) == 0 || off < 0 || off+len(part) > len(whole) || &whole[off] != &part[0] {
		return 0, false
	}
	return off, true
}

// byLayer says where in our own tables the layers stand that we have plugins for.
var byLayer = map[gopacket.LayerType]dissect.Key{
	layers.LayerTypeEthernet: {Table: dissect.TableLink, Value: 1},
	layers.LayerTypeIPv4:     {Table: dissect.TableEther, Value: 0x0800},
	layers.LayerTypeIPv6:     {Table: dissect.TableEther, Value: 0x86dd},
	layers.LayerTypeARP:      {Table: dissect.TableEther, Value: 0x0806},
	layers.LayerTypeDot1Q:    {Table: dissect.TableEther, Value: 0x8100},
	layers.LayerTypeICMPv4:   {Table: dissect.TableIP, Value: 1},
	layers.LayerTypeTCP:      {Table: dissect.TableIP, Value: 6},
	layers.LayerTypeUDP:      {Table: dissect.TableIP, Value: 17},
	layers.LayerTypeICMPv6:   {Table: dissect.TableIP, Value: 58},
	layers.LayerTypeLLC:      {Table: dissect.TableLLC, Value: 0},
}

// ours hands the payload to our own tables if gopacket's next decoder stands for one of their numbers. If not, next is
// the layer that gopacket shall decode, or nil when it has no idea.
func ours(d *dissect.D, next *gopacket.Decoder) bool {
	t := gopacket.LayerTypeZero
	switch n := (*next).(type) {
	case layers.EthernetType:
		d.Next(dissect.TableEther, uint32(n))
		return true
	case layers.IPProtocol:
		d.Next(dissect.TableIP, uint32(n))
		return true
	case layers.LinkType:
		d.Next(dissect.TableLink, uint32(n))
		return true
	case layers.PPPType:
		if e, ok := byPPP[n]; ok {
			d.Next(dissect.TableEther, uint32(e))
			return true
		}
		*next = nil // gopacket decodes no other
		return false
	case layers.ProtocolGuessingDecoder:
		t = guess(d)
	case gopacket.LayerType:
		if t = n; !known(t) {
			*next = nil
			return false
		}
	case interface{ LayerType() gopacket.LayerType }:
		t = n.LayerType() // an enumeration of gopacket's own, with a decoder behind it even where it names no layer
	}
	if key, ok := byLayer[t]; ok {
		d.Next(key.Table, key.Value)
		return true
	}
	return false
}

// byPPP are the EtherTypes of what PPP carries under numbers of its own.
var byPPP = map[layers.PPPType]layers.EthernetType{
	layers.PPPTypeIPv4: layers.EthernetTypeIPv4, layers.PPPTypeIPv6: layers.EthernetTypeIPv6,
	layers.PPPTypeMPLSUnicast:   layers.EthernetTypeMPLSUnicast,
	layers.PPPTypeMPLSMulticast: layers.EthernetTypeMPLSMulticast,
}

// noDecoder tells gopacket's words for a number it has no decoder for from those for bytes it could not decode.
func noDecoder(err error) bool {
	return strings.HasPrefix(err.Error(), "Unable to decode ") ||
		strings.HasPrefix(err.Error(), "Layer type not currently supported")
}

// guess tells what stands behind MPLS labels, where no number says it: IP by its version, Ethernet otherwise.
func guess(d *dissect.D) gopacket.LayerType {
	switch d.Peek(0) >> 4 {
	case 4:
		return layers.LayerTypeIPv4
	case 6:
		return layers.LayerTypeIPv6
	case 0: // a control word of four bytes (RFC 4385)
		d.Skip(4)
	}
	return layers.LayerTypeEthernet
}
