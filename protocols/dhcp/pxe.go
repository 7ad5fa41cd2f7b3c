package dhcp

import (
	"bytes"
	"strconv"

	"remora/dissect"
)

// The suboptions of option 43 that programs which boot from the network speak (PXE specification 2.1, table 2-1), and
// those of option 125 by which devices at home name themselves (Broadband Forum TR-111, section 2.2).
var (
	fPXE = proto.Uint8("option.vendor.pxeclient.suboption", "Option 43 Suboption",
		"What the boot program is told.").Named(pxeNames)
	fPXEPad   = proto.Uint8("option.vendor.pxeclient.padding", "Padding", "A byte between suboptions.")
	fPXEEnd   = proto.Uint8("option.vendor.pxeclient.end", "PXE Client End", "The last suboption.")
	fPXEMTFTP = proto.IPv4("option.vendor.pxeclient.mtftp_ip", "mtftp IP", "Where the file is sent to many at once.")
	fPXECPort = proto.Uint16("option.vendor.pxeclient.mtftp_client_port", "mtftp client port",
		"Where the client listens.").LE()
	fPXESPort = proto.Uint16("option.vendor.pxeclient.mtftp_server_port", "mtftp server port",
		"Where the server listens.").LE()
	fPXETimeout = proto.Uint8("option.vendor.pxeclient.mtftp_timeout", "mtftp timeout", "Seconds to listen before asking.")
	fPXEDelay   = proto.Uint8("option.vendor.pxeclient.mtftp_delay", "mtftp delay", "Seconds to wait before asking again.")
	fPXEControl = proto.Flags8("option.vendor.pxeclient.discovery_control", "discovery control", []dissect.Flag{
		{Name: "broadcast", Label: "Disable Broadcast", Mask: 1, Doc: "Boot servers must not be looked for by broadcast."},
		{Name: "multicast", Label: "Disable Multicast", Mask: 2, Doc: "Boot servers must not be looked for by multicast."},
		{Name: "serverlist", Label: "Serverlist only", Mask: 4, Doc: "Only the servers of the list count."},
		{Name: "bstrap", Label: "Bootstrap override", Mask: 8, Doc: "The named boot file is taken without asking."},
	}, "How boot servers are looked for.")
	fPXEMulticast = proto.IPv4("option.vendor.pxeclient.multicast_address", "multicast address",
		"Where boot servers are looked for.")
	fPXEServers = proto.Bytes("option.vendor.pxeclient.boot_servers", "boot servers", "Boot servers of each type.")
	fPXESrvType = proto.Uint16("option.vendor.pxeclient.boot_servers.type", "Type", "Type of the servers.").
			Named(pxeServers)
	fPXESrvCount = proto.Uint8("option.vendor.pxeclient.boot_servers.count", "IP count", "How many addresses follow.")
	fPXESrvIP    = proto.IPv4("option.vendor.pxeclient.boot_servers.ip", "IP", "A boot server.")
	fPXEMenu     = proto.Bytes("option.vendor.pxeclient.boot_menu", "boot menu", "What the user may choose from.")
	fPXEMenuType = proto.Uint16("option.vendor.pxeclient.boot_menu.type", "Type", "Type of the servers behind an entry.").
			Named(dissect.Values{0: "Local boot"})
	fPXEMenuLen   = proto.Uint8("option.vendor.pxeclient.boot_menu.length", "Length", "Length of the entry's text.")
	fPXEMenuText  = proto.String("option.vendor.pxeclient.boot_menu.desc", "Description", "What the entry says.")
	fPXEPrompt    = proto.Bytes("option.vendor.pxeclient.menu_prompt", "menu prompt", "What the user is asked.")
	fPXEPromptSec = proto.Uint8("option.vendor.pxeclient.menu_prompt.timeout", "Timeout",
		"Seconds until the first entry is taken.")
	fPXEPromptTxt = proto.String("option.vendor.pxeclient.menu_prompt.prompt", "Prompt", "The question.")
	fPXEItem      = proto.Bytes("option.vendor.pxeclient.boot_item", "boot item", "What was chosen.")
	fPXEItemType  = proto.Uint16("option.vendor.pxeclient.boot_item.type", "Type", "Type of the server.")
	fPXEItemLayer = proto.Bytes("option.vendor.pxeclient.boot_item.layer", "Layer", "Which part of the boot program.")

	fTR111 = proto.Uint8("option.vi.tr111.suboption", "Option 125 Suboption", "What the device says of itself.").
		Named(tr111Names)
	fTR111Maker  = proto.Uint32("option.vi.tr111.device_manufacturer_oui", "DeviceManufacturerOUI", "Who made the device.")
	tr111Strings = map[uint64]*dissect.Field{
		2: proto.String("option.vi.tr111.device_serial_number", "DeviceSerialNumber", "Number of the device."),
		3: proto.String("option.vi.tr111.device_product_class", "DeviceProductClass", "What the device is."),
		4: proto.String("option.vi.tr111.gateway_manufacturer_oui", "GatewayManufacturerOUI", "Who made the gateway."),
		5: proto.String("option.vi.tr111.gateway_serial_number", "GatewaySerialNumber", "Number of the gateway."),
		6: proto.String("option.vi.tr111.gateway_product_class", "GatewayProductClass", "What the gateway is."),
	}
)

var pxeNames = dissect.Values{
	0: "Padding", 1: "PXE mtftp IP", 2: "PXE mtftp client port", 3: "PXE mtftp server port", 4: "PXE mtftp timeout",
	5: "PXE mtftp delay",
	6: "PXE discovery control", 7: "PXE multicast address", 8: "PXE boot servers", 9: "PXE boot menu",
	10: "PXE menu prompt",
	11: "PXE multicast address alloc", 12: "PXE credential types", 71: "PXE boot item", 179: "PXE LCM Server",
	180: "PXE LCM Domain",
	181: "PXE LCM NIC option 0", 190: "PXE LCM Workgroup", 191: "PXE Discovery", 192: "PXE Configured",
	193: "PXE LCM version",
	194: "PXE LCM Serial Number", 255: "PXE End",
}

var pxeServers = dissect.Values{
	0: "PXE bootstrap server", 1: "Microsoft Windows NT Boot Server", 2: "Intel LCM Boot Server",
	3: "DOS/UNDI Boot Server",
	4: "NEC ESMPRO Boot Server", 5: "IBM WSoD Boot Server", 6: "IBM LCCM Boot Server", 7: "CA Unicenter TNG Boot Server",
	8: "HP OpenView Boot Server", 65535: "PXE API Test server",
}

var tr111Names = dissect.Values{
	1: "DeviceManufacturerOUI", 2: "DeviceSerialNumber", 3: "DeviceProductClass",
	4: "GatewayManufacturerOUI", 5: "GatewaySerialNumber", 6: "GatewayProductClass",
}

// pxeSimple are the suboptions whose value is one field, or several of the same kind.
var pxeSimple = map[uint64]*dissect.Field{
	1: fPXEMTFTP, 2: fPXECPort, 3: fPXESPort, 4: fPXETimeout, 5: fPXEDelay, 6: fPXEControl, 7: fPXEMulticast,
	11: proto.Bytes("option.vendor.pxeclient.multicast_address_alloc", "multicast address alloc", "Addresses to take."),
	12: proto.Bytes("option.vendor.pxeclient.credential_types", "credential types", "How the client may show who it is."),
}

// pxeParts are the suboptions whose value has parts, with the field that holds all of it.
var pxeParts = map[uint64]struct {
	whole *dissect.Field
	read  func(d *dissect.D)
}{
	8: {fPXEServers, func(d *dissect.D) {
		for more := d.Elements(); d.Left() >= 3 && more.Next(); {
			d.Uint(fPXESrvType)
			for n, more := d.Uint(fPXESrvCount), d.Elements(); n > 0 && d.Left() >= 4 && more.Next(); n-- {
				d.IPv4(fPXESrvIP)
			}
		}
	}},
	9: {fPXEMenu, func(d *dissect.D) {
		for more := d.Elements(); d.Left() >= 3 && more.Next(); {
			d.Uint(fPXEMenuType)
			d.Padded(fPXEMenuText, min(int(d.Uint(fPXEMenuLen)), d.Left()))
		}
	}},
	10: {fPXEPrompt, func(d *dissect.D) {
		d.Uint(fPXEPromptSec)
		d.Padded(fPXEPromptTxt, d.Left())
	}},
	71: {fPXEItem, func(d *dissect.D) {
		d.Uint(fPXEItemType)
		d.Rest(fPXEItemLayer)
	}},
}

// bootsByPXE tells whether option 60 says that the client boots from the network: its suboptions of option 43 mean what
// the PXE specification says.
func bootsByPXE(options []byte) bool {
	for at, p := 0, (dissect.Progress{}); at+1 < len(options) && options[at] != optEnd && p.Up(at); {
		if options[at] == optPad {
			at++
			continue
		}
		if options[at] == optVendorClass {
			return bytes.HasPrefix(options[at+2:], []byte("PXEClient"))
		}
		at += 2 + int(options[at+1])
	}
	return false
}

// pxe reads option 43 of clients that boot from the network.
func pxe(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		kind, n := uint64(d.Peek(0)), int(d.Peek(1))
		switch {
		case kind == optPad:
			d.Uint(fPXEPad)
			continue
		case kind == optEnd:
			d.Uint(fPXEEnd)
			d.Rest(fPad)
			return
		}
		d.Put(fPXE, kind, d.Pos(), min(2+n, d.Left()))
		d.Skip(1)
		d.Below(func() {
			d.Uint(fSubLen)
			d.Within(n, func() { pxeValue(d, kind) })
		})
	}
}

func pxeValue(d *dissect.D, kind uint64) {
	if !d.More() {
		return
	}
	part, parts := pxeParts[kind]
	f := pxeSimple[kind]
	if !parts && f == nil {
		d.Rest(fSubVal)
		return
	}
	d.Put(fSubRaw, 0, d.Pos(), d.Left())
	if parts {
		d.Put(part.whole, 0, d.Pos(), d.Left())
		d.Below(func() { part.read(d) })
	} else {
		values(d, f)
	}
	d.Rest(fSubVal)
}

// broadbandForum is the enterprise whose suboptions TR-111 lists.
const broadbandForum = 3561

// tr111 reads the suboptions of a device at home. The maker's number is written in hexadecimal digits.
func tr111(d *dissect.D) {
	for more := d.Elements(); d.Left() >= 2 && more.Next(); {
		kind, n := uint64(d.Peek(0)), int(d.Peek(1))
		d.Put(fTR111, kind, d.Pos(), min(2+n, d.Left()))
		d.Skip(1)
		d.Below(func() {
			d.Uint(fSubLen)
			n = min(n, d.Left())
			b, at := d.Data()[:n], d.Pos()
			d.Put(fVIRaw, 0, at, n)
			switch f := tr111Strings[kind]; {
			case f != nil:
				d.Padded(f, n)
			case kind == 1:
				v, _ := strconv.ParseUint(string(b[:min(n, 6)]), 16, 32)
				d.Put(fTR111Maker, v, at, n)
				d.Skip(n)
			case n > 0:
				d.Bytes(fVIValue, n)
			}
		})
	}
	d.Rest(fVIValue)
}
