package lldp

import "remora/dissect"

// The fields of organizations' pieces: those of IEEE 802.1 (IEEE 802.1Q annex D), IEEE 802.3 (clause 79) and LLDP-MED
// (ANSI/TIA-1057).
var (
	o1Sub = proto.Uint8("ieee.802_1.subtype", "IEEE 802.1 Subtype", "Which of the pieces of IEEE 802.1.").Hex().
		Named(subtypes1)
	o1PVID = proto.Uint16("ieee.802_1.port_vlan.id", "Port VLAN Identifier", "The VLAN of frames without a tag.").
		HexDec()
	o1Flags = proto.Uint8("ieee.802_1.port_and_vlan_id_flag", "Flags", "Whether VLANs by protocol are there.").Hex()
	o1Can   = proto.Bool("ieee.802_1.port_and_vlan_id_flag.supported", "Port and Protocol VLAN",
		"The port can have VLANs by protocol.").Masked(0x02).TrueFalse("Supported", "Not supported")
	o1On = proto.Bool("ieee.802_1.port_and_vlan_id_flag.enabled", "Port and Protocol VLAN",
		"The port has VLANs by protocol.").Masked(0x04).TrueFalse("Enabled", "Disabled")
	o1PPVID = proto.Uint16("ieee.802_1.port_proto_vlan.id", "Port and Protocol VLAN Identifier", "A VLAN by protocol.").
		HexDec()
	o1VID     = proto.Uint16("ieee.802_1.vlan.id", "VLAN Identifier", "A VLAN of the port.").HexDec()
	o1NameLen = proto.Uint8("ieee.802_1.vlan.name_len", "VLAN Name Length", "Length of its name in bytes.")
	o1Name    = proto.String("ieee.802_1.vlan.name", "VLAN Name", "Its name.")
	o1IDLen   = proto.Uint8("ieee.802_1.proto.id_length", "Protocol Identity Length", "Length of the identity in bytes.")
	o1ID      = proto.Bytes("ieee.802_1.proto.id", "Protocol Identity",
		"A protocol that the port speaks: the first bytes of its packets.")
	o3Sub = proto.Uint8("ieee.802_3.subtype", "IEEE 802.3 Subtype", "Which of the pieces of IEEE 802.3.").Hex().
		Named(subtypes3)
	o3Neg = proto.Uint8("ieee.802_3.mac_phy_auto_neg_status", "Auto-Negotiation Support/Status",
		"Whether speeds are negotiated.").Hex()
	o3Can = proto.Bool("ieee.802_3.mac_phy_auto_neg_status.supported", "Auto-Negotiation", "The port can negotiate.").
		Masked(0x01).TrueFalse("Supported", "Not supported")
	o3On = proto.Bool("ieee.802_3.mac_phy_auto_neg_status.enabled", "Auto-Negotiation", "The port negotiates.").
		Masked(0x02).TrueFalse("Enabled", "Disabled")
	o3Adv = proto.Uint16("ieee.802_3.pmd_auto_neg_advertised_caps", "PMD Auto-Negotiation Advertised Capability",
		"What the port offers.").Hex()
	o3MAU = proto.Uint16("ieee.802_3.pmd_mau_type", "Operational MAU Type", "What the link runs at.").Hex().
		Named(mauTypes)
	o3Max    = proto.Uint16("ieee.802_3.max_frame_size", "Maximum Frame Size", "Longest frame in bytes.")
	o3Agg    = proto.Uint8("ieee.802_3.aggregation_status", "Aggregation Status", "Whether links are bundled.").Hex()
	o3AggCan = proto.Bool("ieee.802_3.aggregation_status.cap", "Aggregation Capability", "The link can be bundled.").
			Masked(0x01).TrueFalse("Yes", "No")
	o3AggOn = proto.Bool("ieee.802_3.aggregation_status.enabled", "Aggregation Status", "The link is bundled.").
		Masked(0x02).TrueFalse("Enabled", "Disabled")
	o3AggPort = proto.Uint32("ieee.802_3.aggregated_port_id", "Aggregated Port Id", "The bundle that it belongs to.")
	oMSub     = proto.Uint8("media.subtype", "Media Subtype", "Which of the pieces of LLDP-MED.").Hex().
			Named(dissect.Values{0x1: "Media Capabilities", 0x2: "Network Policy", 0x3: "Location Identification",
			0x4: "Extended Power-via-MDI", 0x5: "Inventory - Hardware Revision", 0x6: "Inventory - Firmware Revision",
			0x7: "Inventory - Software Revision", 0x8: "Inventory - Serial Number", 0x9: "Inventory - Manufacturer Name",
			0xa: "Inventory - Model Name", 0xb: "Inventory - Asset ID"})
	oMCaps  = proto.Uint16("media.subtype.caps", "Capabilities", "What of LLDP-MED the station does.").Hex()
	oMClass = proto.Uint8("media.subtype.class", "Class Type", "Sort of the station.").
		Named(dissect.Values{0: "Type Not Defined", 1: "Endpoint Class I", 2: "Endpoint Class II", 3: "Endpoint Class III",
			4: "Network Connectivity"})
	oMApp = proto.Uint8("media.app_type", "Application Type", "What the policy is for.").
		Named(dissect.Values{0: "Reserved", 1: "Voice", 2: "Voice Signaling", 3: "Guest Voice", 4: "Guest Voice Signaling",
			5: "Softphone Voice", 6: "Video Conferencing", 7: "Streaming Video", 8: "Video Signaling"})
	oMPolicy = proto.Bool("media.policy_flag", "Policy", "The policy is not known yet.").Wide(3).Masked(0x800000).
			TrueFalse("Unknown", "Defined")
	oMTag = proto.Bool("media.tag_flag", "Tagged", "Frames carry a tag.").Wide(3).Masked(0x400000).
		TrueFalse("Yes", "No")
	oMVLAN   = proto.Uint24("media.vlan_id", "VLAN Id", "The VLAN to use.").Masked(0x1ffe00)
	oMPrio   = proto.Uint24("media.l2_prio", "L2 Priority", "Priority in the tag.").Masked(0x1c0)
	oMDSCP   = proto.Uint24("media.dscp", "DSCP Priority", "Priority in the IP header.").Masked(0x3f)
	oMHW     = proto.String("media.hardware", "Hardware Revision", "Revision of the hardware.")
	oMFW     = proto.String("media.firmware", "Firmware Revision", "Revision of the firmware.")
	oMSW     = proto.String("media.software", "Software Revision", "Revision of the software.")
	oMSerial = proto.String("media.sn", "Serial Number", "Serial number.")
	oMMaker  = proto.String("media.manufacturer", "Manufacturer Name", "Who made the station.")
	oMModel  = proto.String("media.model", "Model Name", "Which model it is.")
	oMAsset  = proto.String("media.asset", "Asset ID", "Its number in the owner's books.")
	oXSub    = proto.Uint8("unknown_subtype", "Unknown Subtype", "Which of the organization's pieces.")
	oXData   = proto.Bytes("unknown_subtype.content", "Unknown Subtype Content", "What the piece says.")
)

var mauTypes = dissect.Values{
	0x0: "other or unknown", 0x1: "AUI - no internal MAU, view from AUI", 0x2: "10Base5 - thick coax MAU",
	0x3: "Foirl - FOIRL MAU", 0x4: "10Base2 - thin coax MAU",
	0x5: "10BaseT - UTP MAU", 0x6: "10BaseFP - passive fiber MAU", 0x7: "10BaseFB - sync fiber MAU",
	0x8: "10BaseFL - async fiber MAU", 0x9: "10Broad36 - broadband DTE MAU",
	0xa: "10BaseTHD - UTP MAU, half duplex mode", 0xb: "10BaseTFD - UTP MAU, full duplex mode",
	0xc: "10BaseFLHD - async fiber MAU, half duplex mode",
	0xd: "10BaseFLDF - async fiber MAU, full duplex mode", 0xe: "10BaseT4 - 4 pair category 3 UTP",
	0xf:  "100BaseTXHD - 2 pair category 5 UTP, half duplex mode",
	0x10: "100BaseTXFD - 2 pair category 5 UTP, full duplex mode",
	0x11: "100BaseFXHD - X fiber over PMT, half duplex mode",
	0x12: "100BaseFXFD - X fiber over PMT, full duplex mode",
	0x13: "100BaseT2HD - 2 pair category 3 UTP, half duplex mode",
	0x14: "100BaseT2DF - 2 pair category 3 UTP, full duplex mode",
	0x15: "1000BaseXHD - PCS/PMA, unknown PMD, half duplex mode",
	0x16: "1000BaseXFD - PCS/PMA, unknown PMD, full duplex mode",
	0x17: "1000BaseLXHD - Fiber over long-wavelength laser, half duplex mode",
	0x18: "1000BaseLXFD - Fiber over long-wavelength laser, full duplex mode",
	0x19: "1000BaseSXHD - Fiber over short-wavelength laser, half duplex mode",
	0x1a: "1000BaseSXFD - Fiber over short-wavelength laser, full duplex mode",
	0x1b: "1000BaseCXHD - Copper over 150-Ohm balanced cable, half duplex mode",
	0x1c: "1000BaseCXFD - Copper over 150-Ohm balanced cable, full duplex mode",
	0x1d: "1000BaseTHD - Four-pair Category 5 UTP, half duplex mode",
	0x1e: "1000BaseTFD - Four-pair Category 5 UTP, full duplex mode", 0x1f: "10GigBaseX - X PCS/PMA, unknown PMD.",
	0x20: "10GigBaseLX4 - X fiber over WWDM optics",
	0x21: "10GigBaseR - R PCS/PMA, unknown PMD.", 0x22: "10GigBaseER - R fiber over 1550 nm optics",
	0x23: "10GigBaseLR - R fiber over 1310 nm optics",
	0x24: "10GigBaseSR - R fiber over 850 nm optics", 0x25: "10GigBaseW - W PCS/PMA, unknown PMD.",
	0x26: "10GigBaseEW - W fiber over 1550 nm optics",
	0x27: "10GigBaseLW - W fiber over 1310 nm optics", 0x28: "10GigBaseSW - W fiber over 850 nm optics",
	0x29: "10GBASE-CX4 - X copper over 8 pair 100-Ohm balanced cable",
	0x2a: "2BASE-TL - Voice grade UTP copper, up to 2700m, optional PAF",
	0x2b: "10PASS-TS - Voice grade UTP copper, up to 750m, optional PAF",
	0x2c: "100BASE-BX10D - One single-mode fiber OLT, long wavelength, 10km",
	0x2d: "100BASE-BX10U - One single-mode fiber ONU, long wavelength, 10km",
	0x2e: "100BASE-LX10 - One single-mode fiber ONU, long wavelength, 10km",
	0x2f: "1000BASE-BX10D - One single-mode fiber OLT, long wavelength, 10km",
	0x30: "1000BASE-BX10U - One single-mode fiber ONU, long wavelength, 10km",
	0x31: "1000BASE-LX10 - Two sigle-mode fiber, long wavelength, 10km",
	0x32: "1000BASE-PX10D - One single-mode fiber EPON OLT, 10km",
	0x33: "1000BASE-PX10U - One single-mode fiber EPON ONU, 10km",
	0x34: "1000BASE-PX20D - One single-mode fiber EPON OLT, 20km",
	0x35: "1000BASE-PX20U - One single-mode fiber EPON ONU, 20km",
}

var subtypes1 = dissect.Values{
	0x1: "Port VLAN ID", 0x2: "Port and Protocol VLAN ID", 0x3: "VLAN Name", 0x4: "Protocol Identity",
	0x5: "VID Usage Digest", 0x6: "Management VID",
	0x7: "Link Aggregation", 0x8: "Congestion Notification", 0x9: "ETS Configuration", 0xa: "ETS Recommendation",
	0xb: "Priority Flow Control Configuration",
	0xc: "Application Protocol", 0xd: "EVB", 0xe: "CDCP", 0xf: "Port extension", 0x10: "Application VLAN",
	0x11: "LRP ECP Discovery", 0x12: "LRP TCP Discovery",
	0x13: "Congestion Isolation", 0x14: "Topology Recognition",
}

var subtypes3 = dissect.Values{
	0x1: "MAC/PHY Configuration/Status", 0x2: "Power Via MDI", 0x3: "Link Aggregation", 0x4: "Maximum Frame Size",
	0x5: "EEE (Energy-Efficient Ethernet)",
	0x7: "IEEE 802.3br Additional Ethernet capabilities",
}

var advertisedBits = []*dissect.Field{
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.1000base_tfd", "1000BASE-T (full duplex mode)",
		"What the port offers: 1000BASE-T (full duplex mode).").Wide(2).Masked(0x01).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.1000base_t", "1000BASE-T (half duplex mode)",
		"What the port offers: 1000BASE-T (half duplex mode).").Wide(2).Masked(0x02).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.1000base_xfd", "1000BASE-X (-LX, -SX, -CX full duplex mode)",
		"What the port offers: 1000BASE-X (-LX, -SX, -CX full duplex mode).").Wide(2).Masked(0x04).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.1000base_x", "1000BASE-X (-LX, -SX, -CX half duplex mode)",
		"What the port offers: 1000BASE-X (-LX, -SX, -CX half duplex mode).").Wide(2).Masked(0x08).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.fdx_bpause",
		"Asymmetric and Symmetric PAUSE (for full-duplex links)",
		"What the port offers: Asymmetric and Symmetric PAUSE (for full-duplex links).").Wide(2).Masked(0x10).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.fdx_spause", "Symmetric PAUSE (for full-duplex links)",
		"What the port offers: Symmetric PAUSE (for full-duplex links).").Wide(2).Masked(0x20).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.fdx_apause", "Asymmetric PAUSE (for full-duplex links)",
		"What the port offers: Asymmetric PAUSE (for full-duplex links).").Wide(2).Masked(0x40).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.fdx_pause", "PAUSE (for full-duplex links)",
		"What the port offers: PAUSE (for full-duplex links).").Wide(2).Masked(0x80).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.100base_t2fd", "100BASE-T2 (full duplex mode)",
		"What the port offers: 100BASE-T2 (full duplex mode).").Wide(2).Masked(0x100).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.100base_t2", "100BASE-T2 (half duplex mode)",
		"What the port offers: 100BASE-T2 (half duplex mode).").Wide(2).Masked(0x200).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.100base_txfd", "100BASE-TX (full duplex mode)",
		"What the port offers: 100BASE-TX (full duplex mode).").Wide(2).Masked(0x400).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.100base_tx", "100BASE-TX (half duplex mode)",
		"What the port offers: 100BASE-TX (half duplex mode).").Wide(2).Masked(0x800).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.100base_t4", "100BASE-T4", "What the port offers: 100BASE-T4.").
		Wide(2).Masked(0x1000).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.10base_tfd", "10BASE-T (full duplex mode)",
		"What the port offers: 10BASE-T (full duplex mode).").Wide(2).Masked(0x2000).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.10base_t", "10BASE-T (half duplex mode)",
		"What the port offers: 10BASE-T (half duplex mode).").Wide(2).Masked(0x4000).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps.other", "Other or unknown",
		"What the port offers: Other or unknown.").Wide(2).Masked(0x8000).TrueFalse("Capable", "Not capable"),
}

var mediaBits = []*dissect.Field{
	proto.Bool("media.subtype.caps.llpd", "LLDP-MED Capabilities",
		"What of LLDP-MED the station does: LLDP-MED Capabilities.").Wide(2).Masked(0x01).TrueFalse("Capable", "Not capable"),
	proto.Bool("media.subtype.caps.network_policy", "Network Policy",
		"What of LLDP-MED the station does: Network Policy.").Wide(2).Masked(0x02).TrueFalse("Capable", "Not capable"),
	proto.Bool("media.subtype.caps.location_id", "Location Identification",
		"What of LLDP-MED the station does: Location Identification.").Wide(2).Masked(0x04).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("media.subtype.caps.mdi_pse", "Extended Power via MDI-PSE",
		"What of LLDP-MED the station does: Extended Power via MDI-PSE.").Wide(2).Masked(0x08).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("media.subtype.caps.mid_pd", "Extended Power via MDI-PD",
		"What of LLDP-MED the station does: Extended Power via MDI-PD.").Wide(2).Masked(0x10).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("media.subtype.caps.inventory", "Inventory", "What of LLDP-MED the station does: Inventory.").Wide(2).
		Masked(0x20).TrueFalse("Capable", "Not capable"),
}
