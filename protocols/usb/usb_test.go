package usb_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// both are the rows of the packets that stand in both captures, one for each of Linux's link types.
var both = []dissecttest.Row{
	{Frame: 1, Field: "info", Want: "GET DESCRIPTOR Request DEVICE"},
	{Frame: 2, Field: "info", Want: "GET DESCRIPTOR Response DEVICE"},
	{Frame: 3, Field: "info", Want: "GET DESCRIPTOR Request CONFIGURATION"},
	{Frame: 4, Field: "info", Want: "GET DESCRIPTOR Response CONFIGURATION"},
	{Frame: 5, Field: "info", Want: "GET DESCRIPTOR Request STRING"},
	{Frame: 6, Field: "info", Want: "GET DESCRIPTOR Response STRING"},
	{Frame: 9, Field: "info", Want: "SET CONFIGURATION Request"},
	{Frame: 10, Field: "info", Want: "SET CONFIGURATION Response"},
	{Frame: 11, Field: "info", Want: "SET ADDRESS Request"},
	{Frame: 12, Field: "info", Want: "SET ADDRESS Response"},
	{Frame: 13, Field: "info", Want: "GET STATUS Request"},
	{Frame: 14, Field: "info", Want: "GET STATUS Response"},
	{Frame: 15, Field: "info", Want: "CLEAR FEATURE Request"},
	{Frame: 16, Field: "info", Want: "CLEAR FEATURE Response"},
	{Frame: 17, Field: "info", Want: "GET CONFIGURATION Request"},
	{Frame: 18, Field: "info", Want: "GET CONFIGURATION Response"},
	{Frame: 19, Field: "info", Want: "GET INTERFACE Request"},
	{Frame: 20, Field: "info", Want: "GET INTERFACE Response"},
	{Frame: 21, Field: "info", Want: "SET INTERFACE Request"},
	{Frame: 22, Field: "info", Want: "SET INTERFACE Response"},
	{Frame: 23, Field: "info", Want: "SET FEATURE Request"},
	{Frame: 24, Field: "info", Want: "SET FEATURE Response"},
	{Frame: 25, Field: "info", Want: "URB_CONTROL in"},
	{Frame: 27, Field: "info", Want: "URB_CONTROL out"},
	{Frame: 29, Field: "info", Want: "GET DESCRIPTOR Request DEVICE QUALIFIER"},
	{Frame: 30, Field: "info", Want: "GET DESCRIPTOR Response DEVICE QUALIFIER"},
	{Frame: 33, Field: "info", Want: "SYNCH FRAME Request"},
	{Frame: 34, Field: "info", Want: "SYNCH FRAME Response"},
	{Frame: 35, Field: "info", Want: "GET DESCRIPTOR Request BOS"},
	{Frame: 36, Field: "info", Want: "GET DESCRIPTOR Response BOS"},
	{Frame: 37, Field: "info", Want: "URB_INTERRUPT in"},
	{Frame: 39, Field: "info", Want: "URB_BULK out"},
	{Frame: 41, Field: "info", Want: "URB_BULK in"},
}

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/mapped.hex", []dissecttest.Row{
		{Frame: 42, Field: "info", Want: "URB_ISOCHRONOUS in"},
		{Frame: 44, Field: "info", Want: "[Malformed Packet]"},
		{Frame: 46, Field: "info", Want: "URB_ISOCHRONOUS out"},
		{Frame: 1, Field: "usb.urb_type", Want: "URB_SUBMIT (0x53)"},
		{Frame: 2, Field: "usb.urb_type", Want: "URB_COMPLETE (0x43)"},
		{Frame: 1, Field: "usb.transfer_type", Want: "URB_CONTROL (0x02)"},
		{Frame: 37, Field: "usb.transfer_type", Want: "URB_INTERRUPT (0x01)"},
		{Frame: 1, Field: "usb.endpoint_address.number", Want: "0"},
		{Frame: 37, Field: "usb.endpoint_address.number", Want: "1"},
		{Frame: 1, Field: "usb.urb_status", Want: "Operation now in progress (-EINPROGRESS) (-115)"},
		{Frame: 2, Field: "usb.urb_status", Want: "Success (0)"},
		{Frame: 1, Field: "usb.setup_flag", Want: "relevant ('\\0')"},
		{Frame: 2, Field: "usb.setup_flag", Want: "not relevant ('-')"},
		{Frame: 1, Field: "usb.src", Want: "host"},
		{Frame: 2, Field: "usb.src", Want: "1.3.0"},
		{Frame: 2, Field: "usb.request_in", Want: "1"},
		{Frame: 4, Field: "usb.request_in", Want: "3"},
		{Frame: 1, Field: "usb.response_in", Want: "2"},
		{Frame: 3, Field: "usb.response_in", Want: "4"},
		{Frame: 2, Field: "usb.time", Want: "0.001000000"},
		{Frame: 1, Field: "usb.bmRequestType", Want: "0x80"},
		{Frame: 9, Field: "usb.bmRequestType", Want: "0x00"},
		{Frame: 1, Field: "usb.setup.bRequest", Want: "GET DESCRIPTOR (6)"},
		{Frame: 9, Field: "usb.setup.bRequest", Want: "SET CONFIGURATION (9)"},
		{Frame: 1, Field: "usb.bDescriptorType", Want: "DEVICE (0x01)"},
		{Frame: 3, Field: "usb.bDescriptorType", Want: "CONFIGURATION (0x02)"},
		{Frame: 2, Field: "usb.idVendor", Want: "0x046d"},
		{Frame: 4, Field: "usb.bMaxPower", Want: "49"},
		{Frame: 32, Field: "usb.bMaxPower", Want: "250"},
		{Frame: 4, Field: "usb.bInterfaceClass", Want: "HID (0x03)"},
		{Frame: 32, Field: "usb.bInterfaceClass", Want: "Communications and CDC Control (0x02),CDC-Data (0x0a)"},
		{Frame: 4, Field: "usb.bEndpointAddress.direction", Want: "IN Endpoint"},
		{Frame: 32, Field: "usb.bEndpointAddress.direction", Want: "IN Endpoint,OUT Endpoint,IN Endpoint"},
		{Frame: 8, Field: "usb.bString", Want: "Mouse"},
		{Frame: 6, Field: "usb.wLANGID", Want: "0x0409"},
		{Frame: 14, Field: "usb.setup.wStatus", Want: "0x0001"},
		{Frame: 42, Field: "usb.iso.iso_len", Want: "4,4"},
		{Frame: 43, Field: "usb.iso.iso_len", Want: "4"},
		{Frame: 38, Field: "usb.capdata", Want: "00010203"},
		{Frame: 39, Field: "usb.capdata", Want: "55534243000000000000000000000000000000000000000000000000000000"},
	}},
	{"testdata/old.hex", []dissecttest.Row{
		{Frame: 1, Field: "usb.dst", Want: "1.3.0"},
		{Frame: 2, Field: "usb.dst", Want: "host"},
		{Frame: 2, Field: "usb.bcdUSB", Want: "0x0200"},
		{Frame: 38, Field: "usb.capdata", Want: "00010203"},
		{Frame: 39, Field: "usb.capdata", Want: "55534243000000000000000000000000000000000000000000000000000000"},
	}},
}

func TestPackets(t *testing.T) {
	for _, f := range files {
		link, made := dissecttest.HexFile(t, f.Path)
		s := dissecttest.Session(t, protocols.All(), link, made)
		dissecttest.Owned(t, s)
		dissecttest.Check(t, s, both)
		dissecttest.Check(t, s, f.Rows)
	}
}

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 9) }
