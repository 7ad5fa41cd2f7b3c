// Package frame is the outermost layer of every packet: when and where it was captured, and how long it is.
package frame

import "remora/dissect"

var proto = dissect.NewProtocol("frame", "Frame", "A packet as captured: time, length, interface.").
	Whole().Called("Frame {number}: {len:raw} bytes on wire, {cap_len:raw} bytes captured[ on interface {interface_name}]")

var (
	fInterface = proto.Uint32("interface_id", "Interface id", "Number of the interface, counted from 0.").Derived()
	fIfName    = proto.String("interface_name", "Interface name", "Name of the interface the packet was captured on.").Derived()
	fEncap     = proto.Uint16("encap_type", "Encapsulation type", "Link type of the interface (LINKTYPE_).").Derived()
	fTime      = proto.Time("time", "Arrival Time", "When the packet was captured.").Derived()
	fEpoch     = proto.Span("time_epoch", "Epoch Time", "When the packet was captured, in seconds since 1970.").Derived()
	fDelta     = proto.Span("time_delta", "Time delta from previous captured frame", "Time since the packet captured before.").Derived()
	fRelative  = proto.Span("time_relative", "Time since reference or first frame", "Time since the first packet of the capture.").Derived()
	fNumber    = proto.Uint32("number", "Frame Number", "Number of the packet, counted from 1.").Derived()
	fLen       = proto.Uint32("len", "Frame Length", "Length on the wire.").Derived().In("bytes")
	fCapLen    = proto.Uint32("cap_len", "Capture Length", "Bytes that were captured.").Derived().In("bytes")
	fProtocols = proto.String("protocols", "Protocols in frame", "The layers of the packet, joined by colons.").Derived()
	fComment   = proto.String("comment", "Comment", "What somebody wrote about the packet.").Derived()
)

// Plugin is the root of all dissection.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: frame, On: []dissect.Key{{Table: dissect.TableRoot}}}
}

func frame(d *dissect.D) {
	in := d.Interface()
	d.Set(fInterface, uint64(d.InterfaceID()))
	if in.Name != "" {
		d.SetText(fIfName, in.Name)
	}
	d.Set(fEncap, uint64(in.LinkType))
	d.Set(fTime, uint64(d.Time()))
	d.Set(fEpoch, uint64(d.Time()))
	if d.Wanted(fDelta) {
		before := d.Time()
		if d.Frame > 1 {
			before = d.TimeOf(d.Frame - 1)
		}
		d.Set(fDelta, uint64(d.Time()-before))
	}
	if d.Wanted(fRelative) {
		d.Set(fRelative, uint64(d.Time()-d.TimeOf(1)))
	}
	d.Set(fNumber, uint64(d.Frame))
	d.Set(fLen, uint64(d.FrameLen()))
	d.Set(fCapLen, uint64(d.CapLen()))
	if d.Wanted(fProtocols) {
		d.SetText(fProtocols, layers(d))
	}
	if d.Wanted(fComment) {
		for _, c := range d.Comments() {
			d.SetText(fComment, c)
		}
	}
	d.Next(dissect.TableLink, uint32(in.LinkType))
}

// layers joins the protocols' names as Wireshark does, which counts the EtherType as a layer of its own.
func layers(d *dissect.D) string {
	text := ""
	for i, p := range d.Layers() {
		if i == 0 {
			continue // the frame itself
		}
		if i > 1 {
			text += ":"
		}
		text += p.Name()
		if (p.Name() == "eth" || p.Name() == "sll" || p.Name() == "vlan") && i+1 < len(d.Layers()) && d.Layers()[i+1].Name() != "llc" {
			text += ":ethertype"
		}
	}
	return text
}
