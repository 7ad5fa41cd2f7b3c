package eth

import "remora/dissect"

var llc = dissect.NewProtocol("llc", "LLC", "Logical Link Control, the header of IEEE 802.3 payloads.").Called("Logical-Link Control")

var saps = dissect.Values{0x00: "NULL LSAP", 0x06: "TCP/IP", 0x42: "Spanning Tree BPDU", 0xaa: "SNAP", 0xe0: "NetWare", 0xf0: "NetBIOS", 0xfe: "ISO Network Layer", 0xff: "Global DSAP"}

var (
	lDSAP = llc.Uint8("dsap", "DSAP", "Service access point of the receiver.").Hex().Named(saps)
	lSSAP = llc.Uint8("ssap", "SSAP", "Service access point of the sender.").Hex().Named(saps)
	lCtl  = llc.Uint8("control", "Control field", "Sort of frame.").Hex().Named(dissect.Values{0x03: "U, func=UI", 0x13: "U P, func=UI", 0xaf: "U, func=XID", 0xe3: "U, func=TEST"})
	lCtl2 = llc.Uint16("control16", "Control field (16 bits)", "Sort of numbered frame.").Hex()
	lOUI  = llc.Uint24("oui", "Organization Code", "Who gave the protocol its number.").Hex().Named(dissect.Values{0: "Encapsulated Ethernet", 0x00000c: "Cisco Systems, Inc", 0x080007: "Apple, Inc."})
	lType = llc.Uint16("type", "Type", "What the payload is (EtherType).").Hex().Named(etherTypes)
	lPID  = llc.Uint16("pid", "Protocol ID", "Number of the organization's protocol.").Hex()
)

// LLC attaches the header to 802.3 payloads.
func LLC() dissect.Plugin {
	return dissect.Plugin{Protocol: llc, Dissect: linkControl, On: []dissect.Key{{Table: dissect.TableLLC}}}
}

func linkControl(d *dissect.D) {
	dsap := d.Uint(lDSAP)
	d.Uint(lSSAP)
	if d.Peek(0)&3 == 3 {
		d.Uint(lCtl)
	} else {
		d.Uint(lCtl2)
	}
	d.Info("{control}")
	if dsap != 0xaa {
		if d.More() {
			d.Next("llc.payload", uint32(dsap))
		}
		return
	}
	oui := d.Uint(lOUI)
	if oui == 0 {
		d.Next(dissect.TableEther, uint32(d.Uint(lType)))
		return
	}
	d.Next("llc.pid", uint32(d.Uint(lPID)))
}
