package wlan

import (
	"fmt"

	"remora/dissect"
)

// A step is one number of an element: its field, nil where only its parts have some, and the parts.
type step struct {
	whole *dissect.Field
	parts []*dissect.Field
}

var (
	fExtcap = proto.Uint8("extcap", "Extended Capabilities", "What more the sender can do: Extended Capabilities.").Hex()
	fRmcap  = proto.Uint8("rmcap", "RM Capabilities", "Radio measurements that the sender can make: RM Capabilities.").
		Hex()
)

// steps are the numbers of elements in a row, by their tags (IEEE 802.11-2020 section 9.4.2).
var steps = map[uint64][]step{
	11: { // QBSS Load
		{proto.Uint16("qbss.scount", "Station Count", "How busy the cell is: Station Count."), nil},
		{proto.Uint8("qbss.cu", "Channel Utilization", "How busy the cell is: Channel Utilization."), nil},
		{proto.Uint8("qbss.adc", "Available Admission Capacity", "How busy the cell is: Available Admission Capacity."), nil},
	},
	32: { // Power Constraint
		{proto.Uint8("powercon.local", "Local Power Constraint", "Power that may be sent with: Local Power Constraint."),
			nil},
	},
	33: { // Power Capability
		{proto.Uint8("powercap.min", "Minimum Transmit Power",
			"Power that the sender can send with: Minimum Transmit Power."), nil},
		{proto.Uint8("powercap.max", "Maximum Transmit Power",
			"Power that the sender can send with: Maximum Transmit Power."), nil},
	},
	35: { // TPC Report
		{proto.Uint8("tcprep.trsmt_pow", "Transmit Power", "Power that was sent with: Transmit Power."), nil},
		{proto.Uint8("tcprep.link_mrg", "Link Margin", "Power that was sent with: Link Margin."), nil},
	},
	36: { // Supported Channels
		{proto.Uint8("supchan.first", "First Supported Channel",
			"Channels that the sender can use: First Supported Channel."), nil},
		{proto.Uint8("supchan.range", "Supported Channel Range",
			"Channels that the sender can use: Supported Channel Range."), nil},
	},
	37: { // Channel Switch Announcement
		{proto.Uint8("csa.channel_switch_mode", "Channel Switch Mode", "Where the cell moves: Channel Switch Mode."), nil},
		{proto.Uint8("csa.new_channel_number", "New Channel Number", "Where the cell moves: New Channel Number."), nil},
		{proto.Uint8("csa.channel_switch.count", "Channel Switch Count", "Where the cell moves: Channel Switch Count."), nil},
	},
	40: { // Quiet
		{proto.Uint8("quiet.count", "Count", "When all are to be quiet: Count."), nil},
		{proto.Uint8("quiet.period", "Period", "When all are to be quiet: Period."), nil},
		{proto.Uint16("quiet.duration", "Duration", "When all are to be quiet: Duration."), nil},
		{proto.Uint16("quiet.offset", "Offset", "When all are to be quiet: Offset."), nil},
	},
	54: { // Mobility Domain
		{proto.Uint16("mobility_domain.mdid", "Mobility Domain Identifier",
			"Roaming between cells: Mobility Domain Identifier.").Hex(), nil},
		{proto.Uint8("mobility_domain.ft_capab", "FT Capability and Policy",
			"Roaming between cells: FT Capability and Policy.").Hex(), []*dissect.Field{
			proto.Uint8("mobility_domain.ft_capab.ft_over_ds", "Fast BSS Transition over DS",
				"Roaming between cells: Fast BSS Transition over DS.").Hex().Masked(0x1),
			proto.Uint8("mobility_domain.ft_capab.resource_req", "Resource Request Protocol Capability",
				"Roaming between cells: Resource Request Protocol Capability.").Hex().Masked(0x2),
			proto.Uint8("mobility_domain.ft_capab.reserved", "Reserved", "Roaming between cells: Reserved.").Hex().Masked(0xfc),
		}},
	},
	61: { // HT Operation
		{proto.Uint8("ht.info.delim1", "HT Information Subset (1 of 3)",
			"How the cell uses 802.11n: HT Information Subset (1 of 3).").Hex(), []*dissect.Field{
			proto.Uint8("ht.info.secchanoffset", "Secondary channel offset",
				"How the cell uses 802.11n: Secondary channel offset.").Hex().Masked(0x3).
				Named(dissect.Values{0: "No secondary channel", 1: "Secondary channel is above the primary channel", 2: "Reserved",
					3: "Secondary channel is below the primary channel"}),
			proto.Bool("ht.info.chanwidth", "Supported channel width", "How the cell uses 802.11n: Supported channel width.").
				Masked(0x4).TrueFalse("Channel of any width supported", "20 MHz channel width only"),
			proto.Bool("ht.info.rifs", "Reduced Interframe Spacing (RIFS)",
				"How the cell uses 802.11n: Reduced Interframe Spacing (RIFS).").Masked(0x8).TrueFalse("Permitted", "Prohibited"),
			proto.Uint8("ht.info.reserved_b4_b7", "Reserved", "How the cell uses 802.11n: Reserved.").Hex().Masked(0xf0),
		}},
		{proto.Uint16("ht.info.delim2", "HT Information Subset (2 of 3)",
			"How the cell uses 802.11n: HT Information Subset (2 of 3).").Hex(), []*dissect.Field{
			proto.Uint16("ht.info.ht_protection", "HT Protection", "How the cell uses 802.11n: HT Protection.").Hex().
				Masked(0x3).
				Named(dissect.Values{0: "No protection mode", 1: "HT non-member protection mode", 2: "20 MHz protection mode",
					3: "non-HT mixed mode"}),
			proto.Bool("ht.info.greenfield", "Non-greenfield STAs present",
				"How the cell uses 802.11n: Non-greenfield STAs present.").Wide(2).Masked(0x4).
				TrueFalse("One or more associated STAs are not greenfield capable", "All associated STAs are greenfield capable"),
			proto.Uint16("ht.info.reserved_b11", "Reserved", "How the cell uses 802.11n: Reserved.").Hex().Masked(0x8),
			proto.Bool("ht.info.obssnonht", "OBSS non-HT STAs present", "How the cell uses 802.11n: OBSS non-HT STAs present.").
				Wide(2).Masked(0x10).
				TrueFalse("Use of protection for non-HT STAs by overlapping BSSs is needed",
					"Use of protection for non-HT STAs by overlapping BSSs is not needed"),
			proto.Uint16("ht.info.chan_center_freq_seg_2", "Channel Center Frequency Segment 2",
				"How the cell uses 802.11n: Channel Center Frequency Segment 2.").Masked(0x1fe0),
			proto.Uint16("ht.info.reserved_b21_b23", "Reserved", "How the cell uses 802.11n: Reserved.").Hex().Masked(0xe000),
		}},
		{proto.Uint16("ht.info.delim3", "HT Information Subset (3 of 3)",
			"How the cell uses 802.11n: HT Information Subset (3 of 3).").Hex(), []*dissect.Field{
			proto.Uint16("ht.info.reserved_b24_b29", "Reserved", "How the cell uses 802.11n: Reserved.").Hex().Masked(0x3f),
			proto.Bool("ht.info.dualbeacon", "Dual beacon", "How the cell uses 802.11n: Dual beacon.").Wide(2).Masked(0x40).
				TrueFalse("AP transmits a secondary beacon", "No second beacon is transmitted"),
			proto.Bool("ht.info.dualcts", "Dual Clear To Send (CTS) protection",
				"How the cell uses 802.11n: Dual Clear To Send (CTS) protection.").Wide(2).Masked(0x80).
				TrueFalse("Required", "Not required"),
			proto.Bool("ht.info.secondarybeacon", "Beacon ID", "How the cell uses 802.11n: Beacon ID.").Wide(2).Masked(0x100).
				TrueFalse("STBC beacon", "Primary beacon"),
			proto.Bool("ht.info.lsigprotsupport", "L-SIG TXOP Protection Full Support",
				"How the cell uses 802.11n: L-SIG TXOP Protection Full Support.").Wide(2).Masked(0x200).
				TrueFalse("All HT STAs in the BSS support L-SIG TXOP protection",
					"One or more HT STAs in the BSS do not support L-SIG TXOP protection"),
			proto.Bool("ht.info.pco.active", "Phased Coexistence Operation (PCO)",
				"How the cell uses 802.11n: Phased Coexistence Operation (PCO).").Wide(2).Masked(0x400).
				TrueFalse("Active", "Inactive"),
			proto.Bool("ht.info.pco.phase", "Phased Coexistence Operation (PCO) Phase",
				"How the cell uses 802.11n: Phased Coexistence Operation (PCO) Phase.").Wide(2).Masked(0x800).
				TrueFalse("Switch to or continue 40 MHz phase", "Switch to or continue 20 MHz phase"),
			proto.Uint16("ht.info.reserved_b36_b39", "Reserved", "How the cell uses 802.11n: Reserved.").Hex().Masked(0xf000),
		}},
	},
	70: { // RM Enabled Capabilities
		{fRmcap, []*dissect.Field{
			proto.Bool("rmcap.b0", "Link Measurement", "Radio measurements that the sender can make: Link Measurement.").
				Masked(0x1).TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b1", "Neighbor Report", "Radio measurements that the sender can make: Neighbor Report.").
				Masked(0x2).TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b2", "Parallel Measurements",
				"Radio measurements that the sender can make: Parallel Measurements.").Masked(0x4).TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b3", "Repeated Measurements",
				"Radio measurements that the sender can make: Repeated Measurements.").Masked(0x8).TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b4", "Beacon Passive Measurement",
				"Radio measurements that the sender can make: Beacon Passive Measurement.").Masked(0x10).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b5", "Beacon Active Measurement",
				"Radio measurements that the sender can make: Beacon Active Measurement.").Masked(0x20).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b6", "Beacon Table Measurement",
				"Radio measurements that the sender can make: Beacon Table Measurement.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("rmcap.b7", "Beacon Measurement Reporting Conditions",
				"Radio measurements that the sender can make: Beacon Measurement Reporting Conditions.").Masked(0x80).
				TrueFalse("Enabled", "Disabled"),
		}},
		{fRmcap, []*dissect.Field{
			proto.Bool("rmcap.b8", "Frame Measurement", "Radio measurements that the sender can make: Frame Measurement.").
				Masked(0x1).TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b9", "Channel Load Measurement",
				"Radio measurements that the sender can make: Channel Load Measurement.").Masked(0x2).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b10", "Noise Histogram Measurement",
				"Radio measurements that the sender can make: Noise Histogram Measurement.").Masked(0x4).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b11", "Statistics Measurement",
				"Radio measurements that the sender can make: Statistics Measurement.").Masked(0x8).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b12", "LCI Measurement", "Radio measurements that the sender can make: LCI Measurement.").
				Masked(0x10).TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b13", "LCI Azimuth capability",
				"Radio measurements that the sender can make: LCI Azimuth capability.").Masked(0x20).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b14", "Transmit Stream/Category Measurement",
				"Radio measurements that the sender can make: Transmit Stream/Category Measurement.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("rmcap.b15", "Triggered Transmit Stream/Category Measurement",
				"Radio measurements that the sender can make: Triggered Transmit Stream/Category Measurement.").Masked(0x80).
				TrueFalse("Enabled", "Disabled"),
		}},
		{fRmcap, []*dissect.Field{
			proto.Bool("rmcap.b16", "AP Channel Report capability",
				"Radio measurements that the sender can make: AP Channel Report capability.").Masked(0x1).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b17", "RM MIB capability", "Radio measurements that the sender can make: RM MIB capability.").
				Masked(0x2).TrueFalse("Enabled", "Disabled"),
			proto.Uint8("rmcap.b18to20", "Operating Channel Max Measurement Duration",
				"Radio measurements that the sender can make: Operating Channel Max Measurement Duration.").Masked(0x1c),
			proto.Uint8("rmcap.b21to23", "Nonoperating Channel Max Measurement Duration",
				"Radio measurements that the sender can make: Nonoperating Channel Max Measurement Duration.").Masked(0xe0),
		}},
		{fRmcap, []*dissect.Field{
			proto.Uint8("rmcap.b24to26", "Measurement Pilotcapability",
				"Radio measurements that the sender can make: Measurement Pilotcapability.").Masked(0x7),
			proto.Bool("rmcap.b27", "Measurement Pilot Transmission Information",
				"Radio measurements that the sender can make: Measurement Pilot Transmission Information.").Masked(0x8).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b28", "Neighbor Report TSF Offset",
				"Radio measurements that the sender can make: Neighbor Report TSF Offset.").Masked(0x10).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b29", "RCPI Measurement capability",
				"Radio measurements that the sender can make: RCPI Measurement capability.").Masked(0x20).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b30", "RSNI Measurement capability",
				"Radio measurements that the sender can make: RSNI Measurement capability.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("rmcap.b31", "BSS Average Access Delay capability",
				"Radio measurements that the sender can make: BSS Average Access Delay capability.").Masked(0x80).
				TrueFalse("Enabled", "Disabled"),
		}},
		{fRmcap, []*dissect.Field{
			proto.Bool("rmcap.b32", "BSS Available Admission Capacity capability",
				"Radio measurements that the sender can make: BSS Available Admission Capacity capability.").Masked(0x1).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b33", "Antenna capability", "Radio measurements that the sender can make: Antenna capability.").
				Masked(0x2).TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b34", "FTM Range Report Capability",
				"Radio measurements that the sender can make: FTM Range Report Capability.").Masked(0x4).
				TrueFalse("Enabled", "Disabled"),
			proto.Bool("rmcap.b35", "Civic Location Measurement Capability",
				"Radio measurements that the sender can make: Civic Location Measurement Capability.").Masked(0x8).
				TrueFalse("Enabled", "Disabled"),
			proto.Uint8("rmcap.o5", "Reserved", "Radio measurements that the sender can make: Reserved.").Hex().Masked(0xf0),
		}},
	},
	72: { // 20/40 Coexistence
		{proto.Uint8("20_40_bc", "20/40 BSS Coexistence Flags", "Whether cells share channels: 20/40 BSS Coexistence Flags.").
			Hex(), []*dissect.Field{
			proto.Bool("20_40_bc.information_request", "Information Request",
				"Whether cells share channels: Information Request.").Masked(0x1).TrueFalse("True", "False"),
			proto.Bool("20_40_bc.forty_mhz_intolerant", "Forty MHz Intolerant",
				"Whether cells share channels: Forty MHz Intolerant.").Masked(0x2).TrueFalse("True", "False"),
			proto.Bool("20_40_bc.20_mhz_bss_width_request", "20 MHz BSS Width Request",
				"Whether cells share channels: 20 MHz BSS Width Request.").Masked(0x4).TrueFalse("True", "False"),
			proto.Bool("20_40_bc.obss_scanning_exemption_request", "OBSS Scanning Exemption Request",
				"Whether cells share channels: OBSS Scanning Exemption Request.").Masked(0x8).TrueFalse("True", "False"),
			proto.Bool("20_40_bc.obss_scanning_exemption_grant", "OBSS Scanning Exemption Grant",
				"Whether cells share channels: OBSS Scanning Exemption Grant.").Masked(0x10).TrueFalse("True", "False"),
			proto.Uint8("20_40_bc.reserved", "Reserved", "Whether cells share channels: Reserved.").Hex().Masked(0xe0),
		}},
	},
	74: { // Overlapping BSS Scan Parameters
		{proto.Uint16("obss.spd", "Scan Passive Dwell", "How often to look for other cells: Scan Passive Dwell."), nil},
		{proto.Uint16("obss.sad", "Scan Active Dwell", "How often to look for other cells: Scan Active Dwell."), nil},
		{proto.Uint16("obss.cwtsi", "Channel Width Trigger Scan Interval",
			"How often to look for other cells: Channel Width Trigger Scan Interval."), nil},
		{proto.Uint16("obss.sptpc", "Scan Passive Total Per Channel",
			"How often to look for other cells: Scan Passive Total Per Channel."), nil},
		{proto.Uint16("obss.satpc", "Scan Active Total Per Channel",
			"How often to look for other cells: Scan Active Total Per Channel."), nil},
		{proto.Uint16("obss.wctdf", "Width Channel Transition Delay Factor",
			"How often to look for other cells: Width Channel Transition Delay Factor."), nil},
		{proto.Uint16("obss.sat", "Scan Activity Threshold", "How often to look for other cells: Scan Activity Threshold."),
			nil},
	},
	108: { // Advertisement Protocol
		{nil, []*dissect.Field{
			proto.Uint8("adv_proto.resp_len_limit", "Query Response Length Limit",
				"What can be asked for before joining: Query Response Length Limit.").Masked(0x7f),
			proto.Uint8("adv_proto.pame_bi", "PAME-BI", "What can be asked for before joining: PAME-BI.").Masked(0x80),
		}},
		{proto.Uint8("adv_proto.id", "Advertisement Protocol ID",
			"What can be asked for before joining: Advertisement Protocol ID.").
			Named(dissect.Values{0: "Access Network Query Protocol", 1: "MIH Information Service",
				2: "MIH Command and Event Services Capability Discovery", 3: "Emergency Alert System (EAS)",
				4: "Location-to-Service Translation Protocol", 221: "Vendor Specific"}), nil},
	},
	127: { // Extended Capabilities
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b0", "20/40 BSS Coexistence Management Support",
				"What more the sender can do: 20/40 BSS Coexistence Management Support.").Masked(0x1).
				TrueFalse("Supported", "Not supported"),
			proto.Uint8("extcap.b1", "Reserved (was On-demand beacon)",
				"What more the sender can do: Reserved (was On-demand beacon).").Hex().Masked(0x2),
			proto.Bool("extcap.b2", "Extended Channel Switching", "What more the sender can do: Extended Channel Switching.").
				Masked(0x4).TrueFalse("Supported", "Not supported"),
			proto.Uint8("extcap.b3", "Reserved (was WAVE indication)",
				"What more the sender can do: Reserved (was WAVE indication).").Hex().Masked(0x8),
			proto.Bool("extcap.b4", "PSMP Capability", "What more the sender can do: PSMP Capability.").Masked(0x10).
				TrueFalse("Supported", "Not supported"),
			proto.Uint8("extcap.b5", "Reserved", "What more the sender can do: Reserved.").Hex().Masked(0x20),
			proto.Bool("extcap.b6", "S-PSMP Support", "What more the sender can do: S-PSMP Support.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b7", "Event", "What more the sender can do: Event.").Masked(0x80).
				TrueFalse("Supported", "Not supported"),
		}},
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b8", "Diagnostics", "What more the sender can do: Diagnostics.").Masked(0x1).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b9", "Multicast Diagnostics", "What more the sender can do: Multicast Diagnostics.").Masked(0x2).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b10", "Location Tracking", "What more the sender can do: Location Tracking.").Masked(0x4).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b11", "FMS", "What more the sender can do: FMS.").Masked(0x8).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b12", "Proxy ARP Service", "What more the sender can do: Proxy ARP Service.").Masked(0x10).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b13", "Collocated Interference Reporting",
				"What more the sender can do: Collocated Interference Reporting.").Masked(0x20).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b14", "Civic Location", "What more the sender can do: Civic Location.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b15", "Geospatial Location", "What more the sender can do: Geospatial Location.").Masked(0x80).
				TrueFalse("Supported", "Not supported"),
		}},
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b16", "TFS", "What more the sender can do: TFS.").Masked(0x1).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b17", "WNM Sleep Mode", "What more the sender can do: WNM Sleep Mode.").Masked(0x2).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b18", "TIM Broadcast", "What more the sender can do: TIM Broadcast.").Masked(0x4).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b19", "BSS Transition", "What more the sender can do: BSS Transition.").Masked(0x8).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b20", "QoS Traffic Capability", "What more the sender can do: QoS Traffic Capability.").
				Masked(0x10).TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b21", "AC Station Count", "What more the sender can do: AC Station Count.").Masked(0x20).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b22", "Multiple BSSID", "What more the sender can do: Multiple BSSID.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b23", "Timing Measurement", "What more the sender can do: Timing Measurement.").Masked(0x80).
				TrueFalse("Supported", "Not supported"),
		}},
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b24", "Channel Usage", "What more the sender can do: Channel Usage.").Masked(0x1).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b25", "SSID List", "What more the sender can do: SSID List.").Masked(0x2).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b26", "DMS", "What more the sender can do: DMS.").Masked(0x4).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b27", "UTC TSF Offset", "What more the sender can do: UTC TSF Offset.").Masked(0x8).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b28", "TPU Buffer STA Support", "What more the sender can do: TPU Buffer STA Support.").
				Masked(0x10).TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b29", "TDLS Peer PSM Support", "What more the sender can do: TDLS Peer PSM Support.").
				Masked(0x20).TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b30", "TDLS channel switching", "What more the sender can do: TDLS channel switching.").
				Masked(0x40).TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b31", "Interworking", "What more the sender can do: Interworking.").Masked(0x80).
				TrueFalse("Supported", "Not supported"),
		}},
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b32", "QoS Map", "What more the sender can do: QoS Map.").Masked(0x1).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b33", "EBR", "What more the sender can do: EBR.").Masked(0x2).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b34", "SSPN Interface", "What more the sender can do: SSPN Interface.").Masked(0x4).
				TrueFalse("Supported", "Not supported"),
			proto.Uint8("extcap.b35", "Reserved", "What more the sender can do: Reserved.").Hex().Masked(0x8),
			proto.Bool("extcap.b36", "MSGCF Capability", "What more the sender can do: MSGCF Capability.").Masked(0x10).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b37", "TDLS Support", "What more the sender can do: TDLS Support.").Masked(0x20).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b38", "TDLS Prohibited", "What more the sender can do: TDLS Prohibited.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b39", "TDLS Channel Switching Prohibited",
				"What more the sender can do: TDLS Channel Switching Prohibited.").Masked(0x80).
				TrueFalse("Supported", "Not supported"),
		}},
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b40", "Reject Unadmitted Frame", "What more the sender can do: Reject Unadmitted Frame.").
				Masked(0x1).TrueFalse("Supported", "Not supported"),
			proto.Uint8("extcap.serv_int_granularity", "Service Interval Granularity",
				"What more the sender can do: Service Interval Granularity.").Masked(0xe).
				Named(dissect.Values{0: "5 ms", 1: "10 ms", 2: "15 ms", 3: "20 ms", 4: "25 ms", 5: "30 ms", 6: "35 ms",
					7: "40 ms"}),
			proto.Bool("extcap.b44", "Identifier Location", "What more the sender can do: Identifier Location.").Masked(0x10).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b45", "U-APSD Coexistence", "What more the sender can do: U-APSD Coexistence.").Masked(0x20).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b46", "WNM Notification", "What more the sender can do: WNM Notification.").Masked(0x40).
				TrueFalse("Supported", "Not supported"),
			proto.Uint8("extcap.b47", "QAB Capability", "What more the sender can do: QAB Capability.").Hex().Masked(0x80),
		}},
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b48", "UTF-8 SSID", "What more the sender can do: UTF-8 SSID.").Masked(0x1).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b49", "QMF Activated", "What more the sender can do: QMF Activated.").Masked(0x2).
				TrueFalse("True", "False"),
			proto.Bool("extcap.b50", "QMF Reconfiguration Activated",
				"What more the sender can do: QMF Reconfiguration Activated.").Masked(0x4).TrueFalse("True", "False"),
			proto.Bool("extcap.b51", "Robust AV Streaming", "What more the sender can do: Robust AV Streaming.").Masked(0x8).
				TrueFalse("True", "False"),
			proto.Bool("extcap.b52", "Advanced GCR", "What more the sender can do: Advanced GCR.").Masked(0x10).
				TrueFalse("True", "False"),
			proto.Bool("extcap.b53", "Mesh GCR", "What more the sender can do: Mesh GCR.").Masked(0x20).
				TrueFalse("True", "False"),
			proto.Bool("extcap.b54", "SCS", "What more the sender can do: SCS.").Masked(0x40).TrueFalse("True", "False"),
			proto.Bool("extcap.b55", "QLoad Report", "What more the sender can do: QLoad Report.").Masked(0x80).
				TrueFalse("True", "False"),
		}},
		{fExtcap, []*dissect.Field{
			proto.Bool("extcap.b56", "Alternate EDCA", "What more the sender can do: Alternate EDCA.").Masked(0x1).
				TrueFalse("True", "False"),
			proto.Bool("extcap.b57", "Unprotected TXOP Negotiation",
				"What more the sender can do: Unprotected TXOP Negotiation.").Masked(0x2).TrueFalse("True", "False"),
			proto.Bool("extcap.b58", "Protected TXOP Negotiation", "What more the sender can do: Protected TXOP Negotiation.").
				Masked(0x4).TrueFalse("True", "False"),
			proto.Uint8("extcap.b59", "Reserved", "What more the sender can do: Reserved.").Hex().Masked(0x8),
			proto.Bool("extcap.b60", "Protected QLoad Report", "What more the sender can do: Protected QLoad Report.").
				Masked(0x10).TrueFalse("True", "False"),
			proto.Bool("extcap.b61", "TDLS Wider Bandwidth", "What more the sender can do: TDLS Wider Bandwidth.").Masked(0x20).
				TrueFalse("Supported", "Not supported"),
			proto.Bool("extcap.b62", "Operating Mode Notification", "What more the sender can do: Operating Mode Notification.").
				Masked(0x40).TrueFalse("Supported", "Not supported"),
			proto.Uint8("extcap.b63", "Max Number Of MSDUs In A-MSDU",
				"What more the sender can do: Max Number Of MSDUs In A-MSDU.").Masked(0x80).
				Named(dissect.Values{0: "No limit", 1: "32", 2: "16", 3: "8"}),
		}},
	},
	192: { // VHT Operation
		{proto.Uint8("vht.op.channelwidth", "Channel Width", "How the cell uses 802.11ac: Channel Width.").
			Named(dissect.Values{0: "20 MHz or 40 MHz BSS Bandwidth", 1: "80 MHz, 160 MHz or 80+80 MHz BSS Bandwidth",
				2: "160 MHz BSS Bandwidth (deprecated)", 3: "Non-contiguous 80+80 MHz BSS Bandwidth (deprecated)"}), nil},
		{proto.Uint8("vht.op.channelcenter0", "Channel Center Segment 0",
			"How the cell uses 802.11ac: Channel Center Segment 0."), nil},
		{proto.Uint8("vht.op.channelcenter1", "Channel Center Segment 1",
			"How the cell uses 802.11ac: Channel Center Segment 1."), nil},
		{proto.Uint16("vht.op.basicmcsmap", "Basic MCS Map", "How the cell uses 802.11ac: Basic MCS Map.").Hex(),
			[]*dissect.Field{
				proto.Uint16("vht.op.basicmcsmap.ss1", "Basic 1 SS", "How the cell uses 802.11ac: Basic 1 SS.").Hex().Masked(0x3).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
				proto.Uint16("vht.op.basicmcsmap.ss2", "Basic 2 SS", "How the cell uses 802.11ac: Basic 2 SS.").Hex().Masked(0xc).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
				proto.Uint16("vht.op.basicmcsmap.ss3", "Basic 3 SS", "How the cell uses 802.11ac: Basic 3 SS.").Hex().Masked(0x30).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
				proto.Uint16("vht.op.basicmcsmap.ss4", "Basic 4 SS", "How the cell uses 802.11ac: Basic 4 SS.").Hex().Masked(0xc0).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
				proto.Uint16("vht.op.basicmcsmap.ss5", "Basic 5 SS", "How the cell uses 802.11ac: Basic 5 SS.").Hex().Masked(0x300).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
				proto.Uint16("vht.op.basicmcsmap.ss6", "Basic 6 SS", "How the cell uses 802.11ac: Basic 6 SS.").Hex().Masked(0xc00).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
				proto.Uint16("vht.op.basicmcsmap.ss7", "Basic 7 SS", "How the cell uses 802.11ac: Basic 7 SS.").Hex().
					Masked(0x3000).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
				proto.Uint16("vht.op.basicmcsmap.ss8", "Basic 8 SS", "How the cell uses 802.11ac: Basic 8 SS.").Hex().
					Masked(0xc000).
					Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
			}},
	},
	195: { // Tx Power Envelope
		{proto.Uint8("vht.tpe.pwr_info", "Tx Pwr Info", "Power that may be sent with: Tx Pwr Info.").Hex(), []*dissect.Field{
			proto.Uint8("vht.tpe.pwr_info.count", "Max Tx Pwr Count", "Power that may be sent with: Max Tx Pwr Count.").
				Masked(0x7),
			proto.Uint8("vht.tpe.pwr_info.unit", "Max Tx Pwr Unit Interpretation",
				"Power that may be sent with: Max Tx Pwr Unit Interpretation.").Masked(0x38).Named(dissect.Values{0: "EIRP"}),
			proto.Uint8("vht.tpe.pwr_info.reserved", "Reserved", "Power that may be sent with: Reserved.").Masked(0xc0),
		}},
		{proto.Uint8("vht.tpe.pwr_constr_20", "Local Max Tx Pwr Constraint 20MHz",
			"Power that may be sent with: Local Max Tx Pwr Constraint 20MHz."), nil},
	},
}

// vhtSchemes stand behind the first number of VHT Capabilities.
var vhtSchemes = []step{
	{proto.Uint16("vht.mcsset.rxmcsmap", "Rx MCS Map", "Codes and rates: Rx MCS Map.").Hex(), []*dissect.Field{
		proto.Uint16("vht.mcsset.rxmcsmap.ss1", "Rx 1 SS", "Codes and rates: Rx 1 SS.").Hex().Masked(0x3).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.rxmcsmap.ss2", "Rx 2 SS", "Codes and rates: Rx 2 SS.").Hex().Masked(0xc).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.rxmcsmap.ss3", "Rx 3 SS", "Codes and rates: Rx 3 SS.").Hex().Masked(0x30).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.rxmcsmap.ss4", "Rx 4 SS", "Codes and rates: Rx 4 SS.").Hex().Masked(0xc0).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.rxmcsmap.ss5", "Rx 5 SS", "Codes and rates: Rx 5 SS.").Hex().Masked(0x300).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.rxmcsmap.ss6", "Rx 6 SS", "Codes and rates: Rx 6 SS.").Hex().Masked(0xc00).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.rxmcsmap.ss7", "Rx 7 SS", "Codes and rates: Rx 7 SS.").Hex().Masked(0x3000).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.rxmcsmap.ss8", "Rx 8 SS", "Codes and rates: Rx 8 SS.").Hex().Masked(0xc000).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
	}},
	{nil, []*dissect.Field{
		proto.Uint16("vht.mcsset.rxhighestlonggirate", "Rx Highest Long GI Data Rate (in Mb/s, 0 = subfield not in use)",
			"Codes and rates: Rx Highest Long GI Data Rate (in Mb/s, 0 = subfield not in use).").Hex().Masked(0x1fff),
		proto.Uint16("vht.mcsset.max_nsts_total", "MaX NSTS Total", "Codes and rates: MaX NSTS Total.").Masked(0xe000),
	}},
	{proto.Uint16("vht.mcsset.txmcsmap", "Tx MCS Map", "Codes and rates: Tx MCS Map.").Hex(), []*dissect.Field{
		proto.Uint16("vht.mcsset.txmcsmap.ss1", "Tx 1 SS", "Codes and rates: Tx 1 SS.").Hex().Masked(0x3).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.txmcsmap.ss2", "Tx 2 SS", "Codes and rates: Tx 2 SS.").Hex().Masked(0xc).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.txmcsmap.ss3", "Tx 3 SS", "Codes and rates: Tx 3 SS.").Hex().Masked(0x30).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.txmcsmap.ss4", "Tx 4 SS", "Codes and rates: Tx 4 SS.").Hex().Masked(0xc0).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.txmcsmap.ss5", "Tx 5 SS", "Codes and rates: Tx 5 SS.").Hex().Masked(0x300).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.txmcsmap.ss6", "Tx 6 SS", "Codes and rates: Tx 6 SS.").Hex().Masked(0xc00).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.txmcsmap.ss7", "Tx 7 SS", "Codes and rates: Tx 7 SS.").Hex().Masked(0x3000).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
		proto.Uint16("vht.mcsset.txmcsmap.ss8", "Tx 8 SS", "Codes and rates: Tx 8 SS.").Hex().Masked(0xc000).
			Named(dissect.Values{0: "MCS 0-7", 1: "MCS 0-8", 2: "MCS 0-9", 3: "Not Supported"}),
	}},
	{nil, []*dissect.Field{
		proto.Uint16("vht.mcsset.txhighestlonggirate", "Tx Highest Long GI Data Rate  (in Mb/s, 0 = subfield not in use)",
			"Codes and rates: Tx Highest Long GI Data Rate  (in Mb/s, 0 = subfield not in use).").Hex().Masked(0x1fff),
		proto.Bool("vht.ncsset.ext_nss_bw_cap", "Extended NSS BW Capable", "Codes and rates: Extended NSS BW Capable.").
			Wide(2).Masked(0x2000).TrueFalse("Capable", "Not capable"),
		proto.Uint16("vht.ncsset.reserved", "Reserved", "Codes and rates: Reserved.").Hex().Masked(0xc000),
	}},
}

// walk reads the numbers of an element as far as it goes.
func walk(d *dissect.D, list []step) {
	for i, s := range list {
		size := 0
		switch {
		case s.whole != nil:
			size = s.whole.Size()
		case len(s.parts) > 0:
			size = s.parts[0].Size()
		}
		if d.Left() < size {
			return
		}
		if s.whole != nil {
			if dissect.Parts(d, s.whole, s.parts...); s.whole == fExtcap && d.Labelling() {
				d.Suffix(fExtcap, fmt.Sprintf(" (octet %d)", i+1))
			}
		} else {
			dissect.Parts(d, s.parts[0], s.parts[1:]...)
		}
	}
}
