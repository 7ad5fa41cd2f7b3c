// Package links dissects link layers of former networks, whose captures are still read: FDDI (ANSI X3.139), Token Ring
// (IEEE 802.5) and Frame Relay (RFC 2427), and the headers that programs write in front of packets in files.
package links

import (
	"math/bits"

	"remora/dissect"
)

// tableOther is empty: what carries no LLC is data.
const tableOther dissect.Table = "fddi.other"

// FDDI.
var (
	fddi = dissect.NewProtocol("fddi", "FDDI", "Fiber Distributed Data Interface, a ring of optical fibre.").
		Traits(dissect.HandsOn | dissect.Underlies).
		Summary("Fiber Distributed Data Interface, Src: {src}, Dst: {dst}")
	fControl = fddi.Uint8("fc", "Frame Control", "What the frame is.").Hex()
	fAddr    = fddi.Ether("addr", "Source or Destination Address", "Address of either end.")
	fDst     = fddi.Ether("dst", "Destination", "Address of the receiver.").Receiver().Also(fAddr)
	fSrc     = fddi.Ether("src", "Source", "Address of the sender.").Sender().Also(fAddr)
)

// FDDI attaches the ring to its link type.
func FDDI() dissect.Plugin {
	return dissect.Plugin{Protocol: fddi, Dissect: fiber,
		Ends: &dissect.EndLayer{Title: "FDDI", Rare: true, Source: fSrc, Dest: fDst},
		On:   []dissect.Key{{Table: dissect.TableLink, Value: 10}}}
}

func fiber(d *dissect.D) {
	control := d.Uint(fControl)
	dst := reversed(d, fDst)
	src := reversed(d, fSrc)
	d.Ends().Set(src, dst)
	if control&0xf0 == 0x50 { // asynchronous frames of LLC
		d.Next(dissect.TableLLC, 0)
		return
	}
	d.Next(tableOther, uint32(control))
}

// reversed reads an address, whose bits FDDI sends the other way round than Ethernet.
func reversed(d *dissect.D, f *dissect.Field) dissect.Addr {
	v := d.PeekUint(0, 6)
	at := d.Pos()
	d.Skip(6)
	turned := bits.ReverseBytes64(bits.Reverse64(v))
	if !d.Short() {
		d.Put(f, turned, at, 6)
	}
	return ether(turned)
}

// ether is the address of a number.
func ether(v uint64) dissect.Addr {
	return dissect.EtherAddr([]byte{byte(v >> 40), byte(v >> 32), byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
}

// Token Ring.
var (
	ring = dissect.NewProtocol("tr", "Token-Ring", "A ring on which a token gives the word.").
		Traits(dissect.HandsOn | dissect.Underlies).Summary("Token-Ring")
	tAccess = ring.Uint8("ac", "Access Control", "Priority, token and monitor bits.").Hex()
	tFrame  = ring.Uint8("fc", "Frame Control", "What the frame is.").Hex()
	tAddr   = ring.Ether("addr", "Source or Destination Address", "Address of either end.")
	tDst    = ring.Ether("dst", "Destination", "Address of the receiver.").Receiver().Also(tAddr)
	tSrc    = ring.Ether("src", "Source", "Address of the sender, without the bit that tells of a route.").Sender().
		Also(tAddr)
	tRoute = ring.Bytes("rif", "Routing Information", "The rings and bridges on the way.")
)

// TokenRing attaches the ring to its link type.
func TokenRing() dissect.Plugin {
	return dissect.Plugin{Protocol: ring, Dissect: token,
		Ends: &dissect.EndLayer{Title: "Token-Ring", Rare: true, Source: tSrc, Dest: tDst},
		On:   []dissect.Key{{Table: dissect.TableLink, Value: 6}}}
}

// routed is the bit of a sender's address that says that a route follows.
const routed = 1 << 47

func token(d *dissect.D) {
	d.Uint(tAccess)
	control := d.Uint(tFrame)
	dst := d.Ether(tDst)
	at, src := d.Pos(), d.PeekUint(0, 6)
	d.Skip(6)
	if d.Short() {
		return
	}
	d.Put(tSrc, src&^routed, at, 6)
	d.Ends().Set(ether(src&^routed), dst)
	if src&routed != 0 {
		if n := int(d.Peek(0) & 0x1f); n > 1 {
			d.Bytes(tRoute, n)
		}
	}
	if control>>6 == 1 {
		d.Next(dissect.TableLLC, 0)
		return
	}
	d.Next(tableOther, uint32(control))
}

// Frame Relay.
var (
	relay = dissect.NewProtocol("fr", "FR", "Frame Relay: packets over circuits of a provider.").
		Traits(dissect.HandsOn | dissect.Underlies).Summary("Frame Relay")
	rAddress = relay.Uint16("address", "Address", "The circuit, and what is said of congestion.").Hex()
	rUpper   = relay.Uint16("upper_dlci", "Upper DLCI", "Upper bits of the circuit's number.").Hex().Masked(0xfc00)
	rLower   = relay.Uint16("lower_dlci", "Second DLCI", "Lower bits of the circuit's number.").Hex().Masked(0x00f0)
	rDLCI    = relay.Uint32("dlci", "DLCI", "Number of the circuit.").Derived()
	rControl = relay.Uint8("control", "Control Field", "3: unnumbered information.").Hex()
	rPadding = relay.Bytes("padding", "Padding", "A byte that evens out the header.")
	rNLPID   = relay.Uint8("nlpid", "NLPID", "What the payload is.").Hex().
			Named(dissect.Values{0x80: "SNAP", 0xcc: "IP", 0x8e: "IPv6"})
	rOUI  = relay.Uint24("snap.oui", "Organization Code", "Who gave the protocol its number.").Hex()
	rType = relay.Uint16("snaptype", "Type", "What the payload is (EtherType).").Hex()
)

// FrameRelay attaches the protocol to its link type.
func FrameRelay() dissect.Plugin {
	return dissect.Plugin{Protocol: relay, Dissect: circuit,
		On: []dissect.Key{{Table: dissect.TableLink, Value: 107}}}
}

func circuit(d *dissect.D) {
	at, v := d.Pos(), d.Uint(rAddress)
	if d.Short() {
		return
	}
	d.Below(func() {
		d.Put(rUpper, v, at, 2)
		d.Put(rLower, v, at, 2)
	})
	d.Set(rDLCI, v>>6&0x3f0|v>>4&0xf)
	if d.Uint(rControl) != 3 {
		d.Next(tableOther, 0)
		return
	}
	if d.Peek(0) == 0 {
		d.Bytes(rPadding, 1)
	}
	switch d.Uint(rNLPID) {
	case 0x80:
		d.Uint(rOUI)
		d.Next(dissect.TableEther, uint32(d.Uint(rType)))
	case 0xcc:
		d.Next(dissect.TableEther, 0x0800)
	case 0x8e:
		d.Next(dissect.TableEther, 0x86dd)
	default:
		d.Next(tableOther, 1)
	}
}
