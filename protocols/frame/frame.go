// Package frame is the outermost layer of every packet: when and where it was captured, and how long it is.
package frame

import (
	"fmt"
	"slices"
	"strconv"

	"remora/dissect"
)

var proto = dissect.NewProtocol("frame", "Frame", "A packet as captured: time, length, interface.").
	Whole().Traits(dissect.Underlies).Summary("Frame {number}").InfoWords()

// What Wireshark shows without brackets is not marked as derived here, though none of it stands in the packet.
var (
	fSection   = proto.Uint32("section_number", "Section number", "Number of the file's section, counted from 1.")
	fInterface = proto.Uint32("interface_id", "Interface id", "Number of the interface, counted from 0.")
	fFile      = proto.String("file", "File", "Which of several files that are read as one the packet is from.")
	fIfName    = proto.String("interface_name", "Interface name", "Name of the interface the packet was captured on.")
	fIfAbout   = proto.String("interface_description", "Interface description", "What the capture says of the interface.")
	fEncap     = proto.Int16("encap_type", "Encapsulation type", "Link type of the interface, by Wireshark's number.").
			Named(encapsulations)
	fTime  = proto.Time("time", "Arrival Time", "When the packet was captured.")
	fShift = proto.Span("offset_shift", "Time shift for this packet", "By how much the time was changed: never.").
		Derived()
	fEpoch = proto.Span("time_epoch", "Epoch Time", "When the packet was captured, in seconds since 1970.")
	fDelta = proto.Span("time_delta", "Time delta from previous captured frame",
		"Time since the packet captured before.").Derived()
	fShown = proto.Span("time_delta_displayed", "Time delta from previous displayed frame",
		"Time since the packet displayed before: where packets are printed with a display filter, the one printed before, "+
			"else the one captured before.").
		Derived()
	fRelative = proto.Span("time_relative", "Time since reference or first frame",
		"Time since the last time reference up to the packet, else since the first packet of the capture.").Derived()
	fReference = proto.Label("ref_time", "This is a Time Reference frame",
		"Somebody made the packet a time reference: not in files.").Derived()
	fNumber = proto.Uint32("number", "Frame Number", "Number of the packet, counted from 1.")
	fLen    = proto.Uint32("len", "Frame Length", "Length on the wire.").FormatTo(octets)
	fCapLen = proto.Uint32("cap_len", "Capture Length", "Bytes that were captured.").FormatTo(octets)
	fMarked = proto.Bool("marked", "Frame is marked", "Somebody marked the packet: not in files.").
		TrueFalse("True", "False").Derived()
	fIgnored = proto.Bool("ignored", "Frame is ignored", "Somebody wants the packet ignored: not in files.").
			TrueFalse("True", "False").Derived()
	fProtocols = proto.String("protocols", "Protocols in frame", "The layers of the packet, joined by colons.").Derived()
	fComment   = proto.String("comment", "Comment", "What somebody wrote about the packet.")
)

// Plugin is the root of all dissection.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: frame, Recorded: true,
		Counts: &dissect.CountFields{Number: fNumber, Length: fLen, Captured: fCapLen},
		On:     []dissect.Key{{Table: dissect.TableRoot}}}
}

func frame(d *dissect.D) {
	if d.WantedOf(proto) && (d.Labelling() || slices.ContainsFunc(proto.Fields(), d.Wanted)) {
		about(d)
	}
	d.Next(dissect.TableLink, uint32(d.Packet().LinkType()))
}

// about records what is known of the frame: nothing of it is read from its bytes or serves the layers inside.
func about(d *dissect.D) {
	in := d.Packet().Interface()
	if in.File != "" {
		d.PutText(fFile, in.File, 0, 0)
	}
	name := in.Name
	if name == "" {
		name = "unknown" // as Wireshark has it
	}
	listed := in.Listed() || d.Packet().InterfaceID() > 0
	if listed {
		d.Put(fSection, uint64(in.Section+1), 0, 0)
		d.Put(fInterface, uint64(d.Packet().InterfaceID()), 0, 0)
		d.Suffix(fInterface, " ("+name+")")
		d.Below(func() { names(d, name, in.Description) })
	}
	d.Put(fEncap, encapsulation(in.LinkType), 0, 0)
	times(d)
	d.Put(fNumber, uint64(d.Packet().Number()), 0, 0)
	d.Put(fLen, uint64(d.Packet().Len()), 0, 0)
	d.Put(fCapLen, uint64(d.Packet().CapLen()), 0, 0)
	d.Set(fMarked, 0)
	d.Set(fIgnored, 0)
	if d.Wanted(fProtocols) {
		d.Packet().LayersText(fProtocols, layers)
	}
	if d.Wanted(fComment) {
		for _, c := range d.Packet().Comments() {
			d.PutText(fComment, c, 0, 0)
		}
	}
	if d.Labelling() {
		var room [128]byte
		b := appendExtent(append(room[:0], ": "...), d.Packet().Len(), " on wire (")
		dissect.SuffixBytes(d, proto.Self(), appendExtent(append(b, ", "...), d.Packet().CapLen(), " captured ("))
		if listed {
			d.Suffix(proto.Self(), fmt.Sprintf(" on interface %s, id %d", name, d.Packet().InterfaceID()))
		}
	}
}

func names(d *dissect.D, name, about string) {
	d.PutText(fIfName, name, 0, 0)
	if about != "" {
		d.PutText(fIfAbout, about, 0, 0)
	}
}

func times(d *dissect.D) {
	now := d.Time()
	d.Put(fTime, uint64(now), 0, 0)
	d.Set(fShift, 0)
	d.Put(fEpoch, uint64(now), 0, 0)
	if d.Wanted(fDelta) || d.Wanted(fShown) {
		before := d.Packet().Before()
		d.Packet().SetSince(fDelta, before)
		d.Packet().SetSince(fShown, before)
	}
	d.Packet().SetSince(fRelative, d.Packet().Reference())
	if d.Packet().IsReference() {
		d.Set(fReference, 0)
	}
}

func appendExtent(dst []byte, n int, what string) []byte {
	bytes := " bytes"
	if n == 1 {
		bytes = " byte"
	}
	dst = append(append(strconv.AppendInt(dst, int64(n), 10), bytes...), what...)
	return append(strconv.AppendInt(dst, int64(8*n), 10), " bits)"...)
}

// octets writes a length in bytes and bits.
func octets(dst []byte, v uint64) []byte { return appendExtent(dst, int(v), " (") }

// layers joins the protocols' names as Wireshark does, which counts the EtherType as a layer of its own.
func layers(dst []byte, d *dissect.D) []byte {
	all := d.Packet().Layers()
	for i, p := range all {
		if i == 0 {
			continue // the frame itself
		}
		if p.IsPost() {
			break
		}
		if i > 1 {
			dst = append(dst, ':')
		}
		dst = append(dst, p.Name()...)
		switch p.Name() {
		case "radiotap":
			dst = append(dst, ":wlan_radio"...)
		case "eth", "vlan", "ieee8021ad", "sll":
			if i+1 < len(all) && all[i+1].Name() != "llc" {
				dst = append(dst, ":ethertype"...)
			}
		}
	}
	return dst
}
