package lldp

import (
	"fmt"

	"remora/dissect"
)

// The fields of power over Ethernet, of places and of data centre bridging (IEEE 802.3 clause 79, ANSI/TIA-1057 and
// IEEE 802.1Q annex D).
var (
	o3Power = proto.Uint8("ieee.802_3.mdi_power_support", "MDI Power Support",
		"Which end feeds the other, and whether it does.").Hex()
	o3Pair  = proto.Uint8("ieee.802_3.mdi_pse_pair", "PSE Power Pair", "The wires that carry power.")
	o3Class = proto.Uint8("ieee.802_3.mdi_power_class", "Power Class", "How much power the fed end may want, plus 1.").
		Named(dissect.Values{1: "0", 2: "1", 3: "2", 4: "3", 5: "4"})
	o3Type = proto.Uint8("ieee.802_3.mdi_power_type", "Power Type", "Sort of the station that speaks.").Masked(0xc0).
		Named(dissect.Values{0: "Type 2 PSE Device", 1: "Type 2 PD Device", 2: "Type 1 PSE Device", 3: "Type 1 PD Device"})
	o3Source = proto.Uint8("ieee.802_3.mdi_power_source", "Power Source", "Where its power comes from.").Masked(0x30).
			Format(func(v uint64) string { return fmt.Sprint(v) })
	o3Prio = proto.Uint8("ieee.802_3.mdi_power_priority", "Power Priority", "How urgently it needs power.").Masked(0xf).
		Named(dissect.Values{0: "Unknown", 1: "Critical", 2: "High", 3: "Low"})
	o3Want = proto.Uint16("ieee.802_3.mdi_pde_requested", "PD Requested Power Value",
		"What the fed end asks for, in tenths of watts.").Format(watts)
	o3Grant = proto.Uint16("ieee.802_3.mdi_pse_allocated", "PSE Allocated Power Value",
		"What the feeding end gives, in tenths of watts.").Format(watts)
	o3Tx   = proto.Uint16("ieee.802_3.eee.transmit", "Transmit", "Microseconds that the sender waits to wake the link.")
	o3Rx   = proto.Uint16("ieee.802_3.eee.receive", "Receive", "Microseconds that it wants the other end to wait.")
	o3Fall = proto.Uint16("ieee.802_3.eee.fallback_receive", "Fallback Receive",
		"Microseconds that it would like instead.")
	o3EchoTx = proto.Uint16("ieee.802_3.eee.echo_transmit", "Echo Transmit", "The same as last heard of the other end.")
	o3EchoRx = proto.Uint16("ieee.802_3.eee.echo_receive", "Echo Receive", "The same as last heard of the other end.")
	oMFormat = proto.Uint8("media.loc.data_format", "Location Data Format", "How the place is told.").
			Named(dissect.Values{0: "Invalid ", 1: "Coordinate-based LCI", 2: "Civic Address LCI", 3: "ECS ELIN"})
	oMLatRes = proto.Uint8("media.loc.lat_resolution", "Latitude Resolution", "How many bits of the latitude count.").
			Masked(0xfc)
	oMLat = proto.Uint64("media.loc.latitude", "Latitude", "Degrees north, a binary fraction of 34 bits.").
		Format(degrees)
	oMLongRes = proto.Uint8("media.loc.long_resolution", "Longitude Resolution", "How many bits of the longitude count.").
			Masked(0xfc)
	oMLong = proto.Uint64("media.loc.longitude", "Longitude", "Degrees east, a binary fraction of 34 bits.").
		Format(degrees)
	oMAltType = proto.Uint8("media.loc.alt_type", "Altitude Type", "Metres or floors.").Masked(0xf0).
			Named(dissect.Values{1: "Meters", 2: "Floors"})
	oMAltRes = proto.Uint16("media.loc.alt_resolution", "Altitude Resolution", "How many bits of the altitude count.").
			Masked(0xfc0)
	oMAlt     = proto.Uint32("media.loc.altitude", "Altitude", "How high.").Masked(0x3fffffff)
	oMDatum   = proto.Uint8("media.loc.datum", "Datum", "What the coordinates refer to.")
	oMCivLen  = proto.Uint8("media.civic.length", "LCI Length", "Length of the address.")
	oMCivWhat = proto.Uint8("media.civic.what", "What", "Whose address it is.").
			Named(dissect.Values{0: "Location of the DHCP server",
			1: "Location of the network element believed to be closest to the client", 2: "Location of the client"})
	oMCountry = proto.String("media.civic.country", "Country", "Country by two letters.")
	oMCAType  = proto.Uint8("media.civic.type", "CA Type", "Which part of the address follows.").
			Named(dissect.Values{0: "Language", 1: "National subdivisions (province, state, etc)", 2: "County, parish, district",
			3: "City, township", 4: "City division, borough, ward", 5: "Neighborhood, block", 6: "Street",
			16: "Leading street direction", 17: "Trailing street suffix", 18: "Street suffix", 19: "House number",
			20: "House number suffix", 21: "Landmark or vanity address", 22: "Additional location information", 23: "Name",
			24: "Postal/ZIP code", 25: "Building", 26: "Unit", 27: "Floor", 28: "Room number", 29: "Place type", 128: "Script"})
	oMCALen  = proto.Uint8("media.civic.value_len", "CA Length", "Its length. Wireshark has no name for it.")
	oMCAText = proto.String("media.civic.value", "CA Value", "The part.")
	oMELIN   = proto.String("media.ecs", "ELIN", "Number for emergency calls.")
	oMPType  = proto.Uint8("media.power.type", "Power Type", "Sort of the station that speaks.").Masked(0xc0).
			Named(dissect.Values{0: "PSE Device", 1: "PD Device", 2: "PSE Device", 3: "PD Device"})
	oMPSource = proto.Uint8("media.power.source", "Power Source", "Where its power comes from.").Masked(0x30).
			Format(func(v uint64) string { return fmt.Sprint(v) })
	oMPPrio = proto.Uint8("media.power.prio", "Power Priority", "How urgently it needs power.").Masked(0xf).
		Named(dissect.Values{0: "Unknown", 1: "Critical", 2: "High", 3: "Low"})
	oMPValue = proto.Uint16("media.power.value", "Power Value", "Power in tenths of watts.").Format(watts)
	o1Agg    = proto.Uint8("ieee.802_1.aggregation_status", "Aggregation Status", "Whether links are bundled.").Hex()
	o1AggCan = proto.Bool("ieee.802_1.aggregation_status.cap", "Aggregation Capability", "The link can be bundled.").
			Masked(0x1).TrueFalse("Yes", "No")
	o1AggOn = proto.Bool("ieee.802_1.aggregation_status.enabled", "Aggregation Status", "The link is bundled.").
		Masked(0x2).TrueFalse("Enabled", "Disabled")
	o1AggType = proto.Uint8("ieee.802_1.aggregation_status.porttype", "Aggregation Status", "What sends this.").
			Masked(0xc).
			Named(dissect.Values{0: "Not specified", 1: "From aggregation port", 2: "From aggregator",
			3: "From single-port aggregator"})
	o1AggPort = proto.Uint32("ieee.802_1.aggregated_port_id", "Aggregated Port Id", "The bundle that it belongs to.")
	oDWill    = proto.Bool("dcbx.ieee.willing", "Willing", "The station takes what the other end wants.").Masked(0x80).
			TrueFalse("Yes", "No")
	oDShaper = proto.Bool("dcbx.ieee.ets.cbs", "Credit-Based Shaper", "Credits shape the traffic.").Masked(0x40).
			TrueFalse("Supported", "Not supported")
	oDClasses = proto.Uint8("dcbx.ieee.ets.maxtcs", "Maximum Number of Traffic Classes",
		"How many classes there can be; 0 for 8.").Masked(0x7)
	oDBypass = proto.Bool("dcbx.ieee.pfc.mbc", "MACsec Bypass Capability", "Pausing works with encryption off.").
			Masked(0x40).TrueFalse("Capable", "Not capable")
	oDPause = proto.Uint8("dcbx.ieee.pfc.numtcs", "Max PFC Enabled Traffic Classes", "How many classes can be paused.").
		Masked(0xf)
	oDAppRes  = proto.Uint8("dcbx.ieee.app.reserved", "Reserved", "Zero.").Hex()
	oDAppPrio = proto.Uint8("dcbx.ieee.app.prio", "Application Priority", "Priority of the application.").Masked(0xe0)
	oDAppSel  = proto.Uint8("dcbx.iee.app.sf", "Application Selector", "What the number is.").Masked(0x7).
			Named(dissect.Values{0: "Reserved", 1: "Default or Ethertype", 2: "Port over TCP/SCTP", 3: "Port over UDP/DCCP",
			4: "Port over TCP/SCTP/UDP/DCCP", 5: "Reserved", 6: "Reserved", 7: "Reserved"})
	oDApp     = proto.Uint16("dcbx.feature.app.proto", "Application Protocol Id", "EtherType or port.").Hex()
	oDRes     = proto.Uint8("dcbx.feature.pg.reserved", "Reserved", "Zero.").Hex().Masked(0xfe)
	o3Swapped = proto.Group("ieee.802_3.pmd_auto_neg_advertised_caps_inv", "Same in inverse (wrong) bitorder",
		"What the port offers if its bits are in the wrong order.")
)

var powerBits = []*dissect.Field{
	proto.Bool("ieee.802_3.mdi_power_support.port_class", "Port Class", "A property of the feeding end.").Masked(0x1).
		TrueFalse("PSE", "PD"),
	proto.Bool("ieee.802_3.mdi_power_support.supported", "PSE MDI Power", "A property of the feeding end.").Masked(0x2).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("ieee.802_3.mdi_power_support.enabled", "PSE MDI Power", "A property of the feeding end.").Masked(0x4).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_3.mdi_power_support.pse_pairs", "PSE Pairs Control Ability", "A property of the feeding end.").
		Masked(0x8).TrueFalse("Yes", "No"),
}

// swappedBits read the offers in the order of bits that some stations send by mistake.
var swappedBits = []*dissect.Field{
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.1000base_tfd", "1000BASE-T (full duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x8000).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.1000base_t", "1000BASE-T (half duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x4000).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.1000base_xfd", "1000BASE-X (-LX, -SX, -CX full duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x2000).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.1000base_x", "1000BASE-X (-LX, -SX, -CX half duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x1000).
		TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.fdx_bpause",
		"Asymmetric and Symmetric PAUSE (for full-duplex links)", "What the port offers if its bits are in the wrong order.").
		Wide(2).Masked(0x800).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.fdx_spause", "Symmetric PAUSE (for full-duplex links)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x400).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.fdx_apause", "Asymmetric PAUSE (for full-duplex links)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x200).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.fdx_pause", "PAUSE (for full-duplex links)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x100).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.100base_t2fd", "100BASE-T2 (full duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x80).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.100base_t2", "100BASE-T2 (half duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x40).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.100base_txfd", "100BASE-TX (full duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x20).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.100base_tx", "100BASE-TX (half duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x10).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.100base_t4", "100BASE-T4",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x8).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.10base_tfd", "10BASE-T (full duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x4).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.10base_t", "10BASE-T (half duplex mode)",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x2).TrueFalse("Capable", "Not capable"),
	proto.Bool("ieee.802_3.pmd_auto_neg_advertised_caps_inv.other", "Other or unknown",
		"What the port offers if its bits are in the wrong order.").Wide(2).Masked(0x1).TrueFalse("Capable", "Not capable"),
}

var capableBits = []*dissect.Field{
	proto.Bool("ieee.802_1qau.cnpv.prio0", "Priority 0 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x1).TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_1qau.cnpv.prio1", "Priority 1 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x2).TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_1qau.cnpv.prio2", "Priority 2 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x4).TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_1qau.cnpv.prio3", "Priority 3 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x8).TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_1qau.cnpv.prio4", "Priority 4 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x10).TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_1qau.cnpv.prio5", "Priority 5 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x20).TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_1qau.cnpv.prio6", "Priority 6 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x40).TrueFalse("Enabled", "Disabled"),
	proto.Bool("ieee.802_1qau.cnpv.prio7", "Priority 7 CNPV Capability", "The priority can tell of congestion.").
		Masked(0x80).TrueFalse("Enabled", "Disabled"),
}

var readyBits = []*dissect.Field{
	proto.Bool("ieee.802_1qau.ready.prio0", "Priority 0 Ready Indicator", "The priority is ready for that.").Masked(0x1).
		TrueFalse("Set", "Not set"),
	proto.Bool("ieee.802_1qau.ready.prio1", "Priority 1 Ready Indicator", "The priority is ready for that.").Masked(0x2).
		TrueFalse("Set", "Not set"),
	proto.Bool("ieee.802_1qau.ready.prio2", "Priority 2 Ready Indicator", "The priority is ready for that.").Masked(0x4).
		TrueFalse("Set", "Not set"),
	proto.Bool("ieee.802_1qau.ready.prio3", "Priority 3 Ready Indicator", "The priority is ready for that.").Masked(0x8).
		TrueFalse("Set", "Not set"),
	proto.Bool("ieee.802_1qau.ready.prio4", "Priority 4 Ready Indicator", "The priority is ready for that.").Masked(0x10).
		TrueFalse("Set", "Not set"),
	proto.Bool("ieee.802_1qau.ready.prio5", "Priority 5 Ready Indicator", "The priority is ready for that.").Masked(0x20).
		TrueFalse("Set", "Not set"),
	proto.Bool("ieee.802_1qau.ready.prio6", "Priority 6 Ready Indicator", "The priority is ready for that.").Masked(0x40).
		TrueFalse("Set", "Not set"),
	proto.Bool("ieee.802_1qau.ready.prio7", "Priority 7 Ready Indicator", "The priority is ready for that.").Masked(0x80).
		TrueFalse("Set", "Not set"),
}

var pauseBits = []*dissect.Field{
	proto.Bool("dcbx.feature.pfc.prio0", "PFC for Priority 0", "Frames of the priority can be paused.").Masked(0x1).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("dcbx.feature.pfc.prio1", "PFC for Priority 1", "Frames of the priority can be paused.").Masked(0x2).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("dcbx.feature.pfc.prio2", "PFC for Priority 2", "Frames of the priority can be paused.").Masked(0x4).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("dcbx.feature.pfc.prio3", "PFC for Priority 3", "Frames of the priority can be paused.").Masked(0x8).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("dcbx.feature.pfc.prio4", "PFC for Priority 4", "Frames of the priority can be paused.").Masked(0x10).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("dcbx.feature.pfc.prio5", "PFC for Priority 5", "Frames of the priority can be paused.").Masked(0x20).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("dcbx.feature.pfc.prio6", "PFC for Priority 6", "Frames of the priority can be paused.").Masked(0x40).
		TrueFalse("Enabled", "Disabled"),
	proto.Bool("dcbx.feature.pfc.prio7", "PFC for Priority 7", "Frames of the priority can be paused.").Masked(0x80).
		TrueFalse("Enabled", "Disabled"),
}

var groupOf = []*dissect.Field{
	proto.Uint16("dcbx.feature.pg.pgid_prio0", "PGID for Prio 0", "The class that the priority belongs to.").
		Masked(0xf000),
	proto.Uint16("dcbx.feature.pg.pgid_prio1", "PGID for Prio 1", "The class that the priority belongs to.").Masked(0xf00),
	proto.Uint16("dcbx.feature.pg.pgid_prio2", "PGID for Prio 2", "The class that the priority belongs to.").Masked(0xf0),
	proto.Uint16("dcbx.feature.pg.pgid_prio3", "PGID for Prio 3", "The class that the priority belongs to.").Masked(0xf),
	proto.Uint16("dcbx.feature.pg.pgid_prio4", "PGID for Prio 4", "The class that the priority belongs to.").
		Masked(0xf000),
	proto.Uint16("dcbx.feature.pg.pgid_prio5", "PGID for Prio 5", "The class that the priority belongs to.").Masked(0xf00),
	proto.Uint16("dcbx.feature.pg.pgid_prio6", "PGID for Prio 6", "The class that the priority belongs to.").Masked(0xf0),
	proto.Uint16("dcbx.feature.pg.pgid_prio7", "PGID for Prio 7", "The class that the priority belongs to.").Masked(0xf),
}

var shareOf = []*dissect.Field{
	proto.Uint8("dcbx.feature.pg.per0", "Bandwidth for PGID 0", "Share of the class in percent."),
	proto.Uint8("dcbx.feature.pg.per1", "Bandwidth for PGID 1", "Share of the class in percent."),
	proto.Uint8("dcbx.feature.pg.per2", "Bandwidth for PGID 2", "Share of the class in percent."),
	proto.Uint8("dcbx.feature.pg.per3", "Bandwidth for PGID 3", "Share of the class in percent."),
	proto.Uint8("dcbx.feature.pg.per4", "Bandwidth for PGID 4", "Share of the class in percent."),
	proto.Uint8("dcbx.feature.pg.per5", "Bandwidth for PGID 5", "Share of the class in percent."),
	proto.Uint8("dcbx.feature.pg.per6", "Bandwidth for PGID 6", "Share of the class in percent."),
	proto.Uint8("dcbx.feature.pg.per7", "Bandwidth for PGID 7", "Share of the class in percent."),
}

var methodOf = []*dissect.Field{
	proto.Uint8("dcbx.ieee.ets.tsa0", "TSA for Traffic Class 0", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
	proto.Uint8("dcbx.ieee.ets.tsa1", "TSA for Traffic Class 1", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
	proto.Uint8("dcbx.ieee.ets.tsa2", "TSA for Traffic Class 2", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
	proto.Uint8("dcbx.ieee.ets.tsa3", "TSA for Traffic Class 3", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
	proto.Uint8("dcbx.ieee.ets.tsa4", "TSA for Traffic Class 4", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
	proto.Uint8("dcbx.ieee.ets.tsa5", "TSA for Traffic Class 5", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
	proto.Uint8("dcbx.ieee.ets.tsa6", "TSA for Traffic Class 6", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
	proto.Uint8("dcbx.ieee.ets.tsa7", "TSA for Traffic Class 7", "How the class is scheduled.").
		Named(dissect.Values{0: "Strict Priority", 1: "Credit-Based Shaper", 2: "Enhanced Transmission Selection",
			255: "Vendor Specific Algorithm"}),
}

func watts(v uint64) string { return fmt.Sprintf("%d.%d. Watt", v/10, v%10) }

// degrees reads a signed binary fraction of 34 bits, 25 of them behind the point.
func degrees(v uint64) string { return fmt.Sprintf("%.4f degrees", float64(int64(v<<30)>>30)/(1<<25)) }
