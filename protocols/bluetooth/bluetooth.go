// Package bluetooth dissects the Host Controller Interface of Bluetooth (Bluetooth Core Specification, volume 4) as it
// goes over a serial line (part A, "H4"): commands, events, and data with the header of L2CAP (volume 3 part A).
// Numbers have the lowest byte first.
package bluetooth

import (
	"fmt"

	"remora/dissect"
)

func protocol(name, title, doc, called string) *dissect.Protocol {
	return dissect.NewProtocol(name, title, doc).Summary(called).Color(dissect.HueBlue).LittleEndian()
}

var (
	h4  = protocol("hci_h4", "HCI H4", "Bluetooth's Host Controller Interface over a serial line.", "Bluetooth HCI H4")
	cmd = protocol("bthci_cmd", "HCI_CMD", "Commands to a Bluetooth controller.",
		"Bluetooth HCI Command - {opcode:name}")
	evt   = protocol("bthci_evt", "HCI_EVT", "Events from a Bluetooth controller.", "Bluetooth HCI Event - {code:name}")
	acl   = protocol("bthci_acl", "HCI_ACL", "Data over Bluetooth connections.", "Bluetooth HCI ACL Packet")
	sco   = protocol("bthci_sco", "HCI_SCO", "Sound over Bluetooth connections.", "Bluetooth HCI SCO Packet")
	iso   = protocol("bthci_iso", "HCI_ISO", "Sound over Bluetooth Low Energy.", "Bluetooth HCI ISO Packet")
	l2cap = protocol("btl2cap", "L2CAP",
		"Bluetooth's Logical Link Control and Adaptation Protocol: channels over a connection.", "Bluetooth L2CAP Protocol")
)

const (
	linkH4     = 187
	linkH4Dirs = 201

	tableType dissect.Table = "hci_h4.type"
	tableACL  dissect.Table = "bthci_acl"
)

// Directions are kept in the keys of the tables, so that inner layers know them.
const (
	sent     = 0
	received = 1
	unknown  = 2
)

var directions = [...]string{"Sent", "Rcvd", "UnknownDirection"}

// The types of packets (volume 4 part A section 2).
const (
	typeCommand = 1
	typeACL     = 2
	typeSCO     = 3
	typeEvent   = 4
	typeISO     = 5
)

// H4 attaches the serial line to its link types.
func H4() dissect.Plugin {
	return dissect.Plugin{Protocol: h4, Dissect: serial,
		On: []dissect.Key{{Table: dissect.TableLink, Value: linkH4}, {Table: dissect.TableLink, Value: linkH4Dirs}}}
}

// Commands dissects the commands of the host controller interface.
func Commands() dissect.Plugin { return attached(cmd, command, typeCommand) }

// Events are what the controller tells.
func Events() dissect.Plugin { return attached(evt, event, typeEvent) }

// ACL is the data of connections.
func ACL() dissect.Plugin { return attached(acl, data, typeACL) }

// SCO is the sound of connections.
func SCO() dissect.Plugin { return attached(sco, sound, typeSCO) }

// ISO is the sound of Low Energy.
func ISO() dissect.Plugin { return attached(iso, streams, typeISO) }

// L2CAP is what the data of connections carries.
func L2CAP() dissect.Plugin {
	p := dissect.Plugin{Protocol: l2cap, Dissect: message}
	for direction := range uint32(unknown + 1) {
		p.On = append(p.On, dissect.Key{Table: tableACL, Value: direction})
	}
	return p
}

// attached is a plugin found under a type, whatever the direction.
func attached(p *dissect.Protocol, read func(*dissect.D), kind uint32) dissect.Plugin {
	plugin := dissect.Plugin{Protocol: p, Dissect: read}
	for direction := range uint32(unknown + 1) {
		plugin.On = append(plugin.On, dissect.Key{Table: tableType, Value: kind | direction<<8})
	}
	return plugin
}

func serial(d *dissect.D) {
	direction := uint64(unknown)
	if d.Inner().Key() == linkH4Dirs {
		at, v := d.Pos(), d.PeekUint(0, 4)&1
		d.Skip(4)
		if d.Short() {
			return
		}
		direction = v
		d.Put(hDirection, direction, at, 4)
	}
	kind := d.Kind(hType)
	if d.Short() {
		return
	}
	if hType.ValueName(kind) == "" {
		if d.Info().Wanted() {
			d.Info().Setf("%s Unknown HCI packet type 0x%02x", directions[direction], kind)
		}
		d.Rest(hData)
		return
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s %s", directions[direction], hType.ValueName(kind))
	}
	if d.More() {
		d.Next(tableType, uint32(kind)|uint32(direction)<<8)
	}
}

// setInfo writes the direction and words into the Info column.
func setInfo(d *dissect.D, format string, args ...any) {
	if d.Info().Wanted() {
		d.Info().Setf("%s %s", directions[min(d.Inner().Key()>>8&3, unknown)], fmt.Sprintf(format, args...))
	}
}

// address reads a device's address, whose bytes go over the line lowest first.
func address(d *dissect.D, f *dissect.Field) {
	b := d.Data()
	at := d.Pos()
	d.Skip(6)
	if d.Short() {
		return
	}
	v := uint64(0)
	for i := range 6 {
		v = v<<8 | uint64(b[5-i])
	}
	d.Put(f, v, at, 6)
}

// each reads parameters by the sort of their fields, as far as there are bytes.
func each(d *dissect.D, fields []*dissect.Field) {
	for _, f := range fields {
		if !d.More() || f.Size() > d.Left() {
			return
		}
		switch f.Type() {
		case dissect.TypeEther:
			address(d, f)
		case dissect.TypeString:
			d.Padded(f, d.Left())
		case dissect.TypeInt:
			d.Int(f)
		default:
			d.Uint(f)
		}
	}
}

// sound is a packet of sound (volume 4 part E section 5.4.3).
func sound(d *dissect.D) {
	head := d.Bits(sHandle, sStatus)
	d.Uint(sLength)
	setInfo(d, "SCO - %s", sStatus.ValueName(head>>12&3))
	d.Rest(sData)
}

// streams is a packet of an isochronous stream (volume 4 part E section 5.4.5).
func streams(d *dissect.D) {
	d.Bits(iHandle, iPB, iTS)
	d.Uint(iLength)
	setInfo(d, "ISO")
	d.Rest(iData)
}
