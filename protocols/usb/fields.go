package usb

import "remora/dissect"

var proto = dissect.NewProtocol("usb", "USB", "Universal Serial Bus, as Linux sees it: transfers to and from devices.").
	Summary("USB URB").Color(dissect.HueGreen).LittleEndian()

var (
	fAddr = proto.String("addr", "Source or Destination", "Either end.").Hidden()
	fID   = proto.Uint64("urb_id", "URB id", "Joins what is asked of a device with its end.").Hex()
	fType = proto.Kind("urb_type", "URB type",
		dissect.Values{'S': "URB_SUBMIT", 'C': "URB_COMPLETE", 'E': "URB_ERROR"},
		"Whether the transfer starts or has ended.").Wordless()
	fXfer = proto.Uint8("transfer_type", "URB transfer type", "Sort of the transfer.").Hex().
		Named(dissect.Values{0x0: "URB_ISOCHRONOUS", 0x1: "URB_INTERRUPT", 0x2: "URB_CONTROL", 0x3: "URB_BULK",
			0xfe: "USB IRP Info"})
	fEP    = proto.Uint8("endpoint_address", "Endpoint", "Which endpoint of the device, and which way.").Hex()
	fEPDir = proto.Uint8("endpoint_address.direction", "Direction", "Which way the data goes.").Masked(0x80).
		Named(dissect.Values{0: "OUT", 1: "IN"})
	fEPNum  = proto.Uint8("endpoint_address.number", "Endpoint number", "Number of the endpoint.").Masked(0x0f)
	fDev    = proto.Uint8("device_address", "Device", "Number of the device on its bus.")
	fBus    = proto.Uint16("bus_id", "URB bus id", "Number of the bus.")
	fSetupF = proto.Uint8("setup_flag", "Device setup request", "Whether a setup packet is there.").Hex().
		Format(func(v uint64) string { return flag(v, "relevant") })
	fDataF = proto.Uint8("data_flag", "Data", "Whether data is there.").Hex().
		Format(func(v uint64) string { return flag(v, "present") })
	fSec      = proto.Uint64("urb_ts_sec", "URB sec", "When it was, in seconds since 1970.")
	fUsec     = proto.Uint32("urb_ts_usec", "URB usec", "The microseconds of it.")
	fStatus   = proto.Int32("urb_status", "URB status", "How the transfer ended.").Format(status)
	fURBLen   = proto.Uint32("urb_len", "URB length [bytes]", "Length of the data as asked for or transferred.")
	fDataLen  = proto.Uint32("data_len", "Data length [bytes]", "Length of the data that is in the capture.")
	fUnused   = proto.Node("unused_setup_header", "Unused Setup Header", "Where a setup packet would be.")
	fInterval = proto.Uint32("interval", "Interval", "How often the endpoint is asked.")
	fStart    = proto.Uint32("start_frame", "Start frame", "The frame in which the transfer starts.")
	fFlags    = proto.Uint32("copy_of_transfer_flags", "Copy of Transfer Flags", "How the transfer shall be done.").Hex()
	fISOErr   = proto.Uint16("iso.error_count", "ISO error count", "Packets of the transfer that failed.").Wide(4)
	fISONum   = proto.Uint16("iso.numdesc", "Number of ISO descriptors", "Packets of the transfer.").Wide(4)
	fISOStat  = proto.Int32("iso.iso_status", "Status", "How a packet ended.").Format(status)
	fISOOff   = proto.Uint32("iso.iso_off", "Offset [bytes]", "Where the packet's data is.")
	fISOLen   = proto.Uint32("iso.iso_len", "Length [bytes]", "Length of the packet's data.")
	fISOPad   = proto.Uint32("iso.pad", "Padding", "Not used.").Hex()
	fReqIn    = proto.FrameRef("request_in", "Request in", "The frame with the start of the transfer.")
	fRspIn    = proto.FrameRef("response_in", "Response in", "The frame with the end of the transfer.")
	fTime     = proto.Span("time", "Time from request", "How long the transfer took.").Derived()
	fReqType  = proto.Uint8("bmRequestType", "bmRequestType", "Who asks whom for what.").Hex()
	fReqDir   = proto.Bool("bmRequestType.direction", "Direction", "Which way the data goes.").Masked(0x80).
			TrueFalse("Device-to-host", "Host-to-device")
	fReqKind = proto.Uint8("bmRequestType.type", "Type", "Whose request it is.").Hex().Masked(0x60).
			Named(dissect.Values{0x0: "Standard", 0x1: "Class", 0x2: "Vendor"})
	fReqTo = proto.Uint8("bmRequestType.recipient", "Recipient", "What the request is meant for.").Hex().Masked(0x1f).
		Named(dissect.Values{0x0: "Device", 0x1: "Interface", 0x2: "Endpoint", 0x3: "Other"})
	fRequest  = proto.Uint8("setup.bRequest", "bRequest", "What is asked.").Named(requests)
	fValue    = proto.Uint16("setup.wValue", "wValue", "A parameter of the request.").Hex()
	fIndex    = proto.Uint16("setup.wIndex", "wIndex", "A parameter of the request.").HexDec()
	fLength   = proto.Uint16("setup.wLength", "wLength", "Length of the data that follows or is wanted.")
	fFeature  = proto.Uint16("setup.wFeatureSelector", "wFeatureSelector", "Which feature.")
	fIface    = proto.Uint16("setup.wInterface", "wInterface", "Which interface.")
	fEndpoint = proto.Uint16("setup.wEndpoint", "wEndpoint", "Which endpoint.")
	fWStatus  = proto.Uint16("setup.wStatus", "wStatus", "The status.").Hex()
	fWFrame   = proto.Uint16("setup.wFrameNumber", "wFrameNumber", "Number of the frame.")
	fDescIdx  = proto.Uint8("DescriptorIndex", "Descriptor Index", "Which of the descriptors.").Hex()
	fDescType = proto.Uint8("bDescriptorType", "bDescriptorType", "What the descriptor describes.").Hex().
			Named(descriptors)
	fLang     = proto.Uint16("LanguageId", "Language Id", "The language that is wanted.").Hex()
	fCapData  = proto.Bytes("capdata", "Leftover Capture Data", "Data of the transfer.")
	fFragment = proto.Bytes("data_fragment", "Data Fragment", "Data of a request that is not standard.")
	fCtlData  = proto.Bytes("control.Response", "CONTROL response data", "Data of an answer that is not standard.")
	fDescData = proto.Bytes("getDescriptor.Response", "GET DESCRIPTOR Response data", "A descriptor of another sort.")
	dLength   = proto.Uint8("bLength", "bLength", "Length of the descriptor in bytes.")
	dUSB      = proto.Uint16("bcdUSB", "bcdUSB", "Version of USB.").Hex()
	dClass    = proto.Uint8("bDeviceClass", "bDeviceClass", "Sort of the device.").Hex().Named(classes)
	dSubClass = proto.Uint8("bDeviceSubClass", "bDeviceSubClass", "Sort within the class.")
	dProto    = proto.Uint8("bDeviceProtocol", "bDeviceProtocol", "What the device speaks.")
	dMax0     = proto.Uint8("bMaxPacketSize0", "bMaxPacketSize0", "Longest packet of endpoint 0.")
	dVendor   = proto.Uint16("idVendor", "idVendor", "Who made the device.").Hex()
	dProduct  = proto.Uint16("idProduct", "idProduct", "Which of the maker's devices.").Hex()
	dDevice   = proto.Uint16("bcdDevice", "bcdDevice", "Version of the device.").Hex()
	dMaker    = proto.Uint8("iManufacturer", "iManufacturer", "Number of the maker's name.")
	dName     = proto.Uint8("iProduct", "iProduct", "Number of the device's name.")
	dSerial   = proto.Uint8("iSerialNumber", "iSerialNumber", "Number of the serial number's text.")
	dConfs    = proto.Uint8("bNumConfigurations", "bNumConfigurations", "How many configurations there are.")
	dTotal    = proto.Uint16("wTotalLength", "wTotalLength", "Length of all descriptors of the configuration.")
	dIfaces   = proto.Uint8("bNumInterfaces", "bNumInterfaces", "How many interfaces there are.")
	dConf     = proto.Uint8("bConfigurationValue", "bConfigurationValue", "Number of the configuration.")
	dConfName = proto.Uint8("iConfiguration", "iConfiguration", "Number of the configuration's name.")
	dConfAttr = proto.Uint8("configuration.bmAttributes", "Configuration bmAttributes", "How the device is powered.").Hex()
	dMust     = proto.Bool("configuration.legacy10buspowered", "Must be 1", "Always set.").Masked(0x80).
			TrueFalse("Must be 1 for USB 1.1 and higher", "FIXME: Is this a USB 1.0 device")
	dSelf = proto.Bool("configuration.selfpowered", "Self-Powered", "The device has power of its own.").Masked(0x40).
		TrueFalse("This device is SELF-POWERED", "This device is powered from the USB bus")
	dWake = proto.Bool("configuration.remotewakeup", "Remote Wakeup", "The device can wake the host.").Masked(0x20).
		TrueFalse("This device supports REMOTE WAKEUP", "This device does NOT support remote wakeup")
	dPower   = proto.Uint8("bMaxPower", "bMaxPower", "Current from the bus in units of 2 mA.")
	dIface   = proto.Uint8("bInterfaceNumber", "bInterfaceNumber", "Number of the interface.")
	dAlt     = proto.Uint8("bAlternateSetting", "bAlternateSetting", "Which of its settings.")
	dEPs     = proto.Uint8("bNumEndpoints", "bNumEndpoints", "How many endpoints it has.")
	dIfClass = proto.Uint8("bInterfaceClass", "bInterfaceClass", "Sort of the interface.").Hex().Named(classes)
	dIfSub   = proto.Uint8("bInterfaceSubClass", "bInterfaceSubClass", "Sort within the class.").Hex()
	dIfProto = proto.Uint8("bInterfaceProtocol", "bInterfaceProtocol", "What the interface speaks.").Hex()
	dIfName  = proto.Uint8("iInterface", "iInterface", "Number of the interface's name.")
	dEP      = proto.Uint8("bEndpointAddress", "bEndpointAddress", "Which endpoint, and which way.").Hex()
	dEPDir   = proto.Bool("bEndpointAddress.direction", "Direction", "Which way the data goes.").Masked(0x80).
			TrueFalse("IN Endpoint", "OUT Endpoint")
	dEPNum = proto.Uint8("bEndpointAddress.number", "Endpoint Number", "Number of the endpoint.").Hex().Masked(0x0f)
	dAttr  = proto.Uint8("bmAttributes", "bmAttributes", "How the endpoint works.").Hex()
	dAttrX = proto.Uint8("bmAttributes.transfer", "Transfertype", "Sort of its transfers.").Hex().Masked(0x03).
		Named(dissect.Values{0x0: "Control-Transfer", 0x1: "Isochronous-Transfer", 0x2: "Bulk-Transfer",
			0x3: "Interrupt-Transfer"})
	dMaxPkt   = proto.Uint16("wMaxPacketSize", "wMaxPacketSize", "Longest packet.")
	dMaxSlots = proto.Uint16("wMaxPacketSize.slots", "Transactions per microframe", "Packets in one microframe.").
			Masked(0x1800).Named(dissect.Values{0: "1", 1: "2", 2: "3", 3: "Reserved"})
	dMaxSize  = proto.Uint16("wMaxPacketSize.size", "Maximum Packet Size", "Longest packet in bytes.").Masked(0x3ff)
	dInterval = proto.Uint8("bInterval", "bInterval", "How often the endpoint is asked.")
	dLangID   = proto.Uint16("wLANGID", "wLANGID", "A language of the texts.").Hex()
	dString   = proto.String("bString", "bString", "The text.").Encoded(dissect.UTF16LE)
	dFirst    = proto.Uint8("bFirstInterface", "bFirstInterface", "First interface of the function.")
	dCount    = proto.Uint8("bInterfaceCount", "bInterfaceCount", "How many interfaces it has.")
	dFnClass  = proto.Uint8("bFunctionClass", "bFunctionClass", "Sort of the function.").Hex().Named(classes)
	dFnSub    = proto.Uint8("bFunctionSubClass", "bFunctionSubClass", "Sort within the class.").Hex()
	dFnProto  = proto.Uint8("bFunctionProtocol", "bFunctionProtocol", "What the function speaks.").Hex()
	dFnName   = proto.Uint8("iFunction", "iFunction", "Number of the function's name.")

	fSrc = proto.String("src", "Source", "The sender: the host, or bus, device and endpoint.").Derived().Also(fAddr)
	fDst = proto.String("dst", "Destination", "The receiver: the host, or bus, device and endpoint.").Derived().
		Also(fAddr)
	fSetup = proto.Group("setup", "Setup Data", "What is asked of the device. Wireshark has no name for it.")
	fISO   = proto.Group("isodesc", "USB isodesc", "One packet of an isochronous transfer. Wireshark has no name for it.")
	fDesc  = proto.Group("descriptor", "DESCRIPTOR", "One descriptor. Wireshark has no name for it.").
		Summary("{bDescriptorType:name} DESCRIPTOR")
	fBody = proto.Bytes("descriptor_data", "Descriptor data",
		"What of a descriptor is not read here. Wireshark has names for each class.")
	nDesc  = proto.Expert("desc_length.invalid", dissect.Error, "Invalid descriptor length").About(dissect.AboutMalformed)
	nSetup = proto.Expert("setup.invalid", dissect.Warn, "Only control URBs may contain a setup packet").
		About(dissect.AboutMalformed)
)

var classes = dissect.Values{
	0x0: "Device", 0x1: "Audio", 0x2: "Communications and CDC Control", 0x3: "HID", 0x5: "Physical", 0x6: "Imaging",
	0x7: "Printer", 0x8: "Mass Storage", 0x9: "Hub",
	0xa: "CDC-Data", 0xb: "Smart Card", 0xd: "Content Security", 0xe: "Video", 0xf: "Personal Healthcare",
	0x10: "Audio/Video Devices", 0xdc: "Diagnostic Device",
	0xe0: "Wireless Controller", 0xef: "Miscellaneous", 0xfe: "Application Specific", 0xff: "Vendor Specific",
}

var descriptors = dissect.Values{
	0x1: "DEVICE", 0x2: "CONFIGURATION", 0x3: "STRING", 0x4: "INTERFACE", 0x5: "ENDPOINT", 0x6: "DEVICE QUALIFIER",
	0x7: "OTHER SPEED CONFIG", 0x8: "INTERFACE POWER",
	0x9: "OTG", 0xa: "DEBUG", 0xb: "INTERFACE ASSOCIATION", 0xf: "BOS", 0x10: "DEVICE CAPABILITY",
	0x30: "SUPERSPEED USB ENDPOINT COMPANION",
	0x31: "SUPERSPEED PLUS ISOCHRONOUS ENDPOINT COMPANION",
}

var requests = dissect.Values{
	0: "GET STATUS", 1: "CLEAR FEATURE", 3: "SET FEATURE", 5: "SET ADDRESS", 6: "GET DESCRIPTOR", 7: "SET DESCRIPTOR",
	8: "GET CONFIGURATION", 9: "SET CONFIGURATION",
	10: "GET INTERFACE", 11: "SET INTERFACE", 12: "SYNCH FRAME", 48: "SET SEL", 49: "SET ISOCH DELAY",
}

var transferBits = []*dissect.Field{
	proto.Bool("transfer_flags.short_not_ok", "Short not OK", "How the transfer shall be done: Short not OK.").Wide(4).
		Masked(0x01).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.iso_asap", "ISO ASAP", "How the transfer shall be done: ISO ASAP.").Wide(4).Masked(0x02).
		TrueFalse("True", "False"),
	proto.Bool("transfer_flags.no_transfer_dma_map", "No transfer DMA map",
		"How the transfer shall be done: No transfer DMA map.").Wide(4).Masked(0x04).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.no_fsbr", "No FSBR", "How the transfer shall be done: No FSBR.").Wide(4).Masked(0x20).
		TrueFalse("True", "False"),
	proto.Bool("transfer_flags.zero_packet", "Zero Packet", "How the transfer shall be done: Zero Packet.").Wide(4).
		Masked(0x40).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.no_interrupt", "No Interrupt", "How the transfer shall be done: No Interrupt.").Wide(4).
		Masked(0x80).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.free_buffer", "Free Buffer", "How the transfer shall be done: Free Buffer.").Wide(4).
		Masked(0x100).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.dir_in", "Dir IN", "How the transfer shall be done: Dir IN.").Wide(4).Masked(0x200).
		TrueFalse("True", "False"),
	proto.Bool("transfer_flags.dma_map_single", "DMA Map Single", "How the transfer shall be done: DMA Map Single.").
		Wide(4).Masked(0x10000).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.dma_map_page", "DMA Map Page", "How the transfer shall be done: DMA Map Page.").Wide(4).
		Masked(0x20000).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.dma_map_sg", "DMA Map SG", "How the transfer shall be done: DMA Map SG.").Wide(4).
		Masked(0x40000).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.map_local", "Map Local", "How the transfer shall be done: Map Local.").Wide(4).
		Masked(0x80000).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.setup_map_single", "Setup Map Single", "How the transfer shall be done: Setup Map Single.").
		Wide(4).Masked(0x100000).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.setup_map_local", "Setup Map Local", "How the transfer shall be done: Setup Map Local.").
		Wide(4).Masked(0x200000).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.dma_sg_combined", "DMA S-G Combined", "How the transfer shall be done: DMA S-G Combined.").
		Wide(4).Masked(0x400000).TrueFalse("True", "False"),
	proto.Bool("transfer_flags.aligned_temp_buffer", "Aligned Temp Buffer",
		"How the transfer shall be done: Aligned Temp Buffer.").Wide(4).Masked(0x800000).TrueFalse("True", "False"),
}
