package slow

import "remora/dissect"

// The fields of the aggregation protocol (IEEE 802.1AX section 6.4.2.3).
var (
	lVersion = lacp.Uint8("version", "LACP Version", "Version of the protocol.").Hex()
	lTLV     = lacp.Uint8("tlv_type", "TLV Type", "Which end the piece is about.").Hex().
			Named(dissect.Values{0x0: "Terminator", 0x1: "Actor Information", 0x2: "Partner Information",
			0x3: "Collector Information"})
	lLen       = lacp.Uint8("tlv_length", "TLV Length", "Length of the piece.").Hex()
	lAPrio     = lacp.Uint16("actor.sys_priority", "Actor System Priority", "Priority of the system of the sender.")
	lAID       = lacp.Ether("actor.sysid", "Actor System ID", "Address of the system of the sender.")
	lAKey      = lacp.Uint16("actor.key", "Actor Key", "Ports of one key can be bundled of the sender.")
	lAPortPrio = lacp.Uint16("actor.port_priority", "Actor Port Priority", "Priority of the port of the sender.")
	lAPort     = lacp.Uint16("actor.port", "Actor Port", "Number of the port of the sender.")
	lAState    = lacp.Uint8("actor.state", "Actor State", "What the port does of the sender.").Hex()
	lAText     = lacp.String("actor.state_str", "Actor State Flags", "The same as letters.").Derived()
	lARes      = lacp.Bytes("actor.reserved", "Reserved", "Zero.")
	lPPrio     = lacp.Uint16("partner.sys_priority", "Partner System Priority",
		"Priority of the system of the other end, as the sender knows it.")
	lPID = lacp.Ether("partner.sysid", "Partner System",
		"Address of the system of the other end, as the sender knows it.")
	lPKey = lacp.Uint16("partner.key", "Partner Key",
		"Ports of one key can be bundled of the other end, as the sender knows it.")
	lPPortPrio = lacp.Uint16("partner.port_priority", "Partner Port Priority",
		"Priority of the port of the other end, as the sender knows it.")
	lPPort = lacp.Uint16("partner.port", "Partner Port",
		"Number of the port of the other end, as the sender knows it.")
	lPState = lacp.Uint8("partner.state", "Partner State",
		"What the port does of the other end, as the sender knows it.").Hex()
	lPText = lacp.String("partner.state_str", "Partner State Flags", "The same as letters.").Derived()
	lPRes  = lacp.Bytes("partner.reserved", "Reserved", "Zero.")
	lDelay = lacp.Uint16("collector.max_delay", "Collector Max Delay",
		"How long frames may wait to be collected, in tens of microseconds.")
	lDelayRes = lacp.Bytes("coll_reserved", "Reserved", "Zero.")
	lPad      = lacp.Bytes("pad", "Pad", "Bytes that fill up.")
	lVendor   = lacp.Bytes("vendor", "Unknown vendor", "What a vendor adds.")
)

var actorBits = []*dissect.Field{
	lacp.Bool("actor.state.activity", "LACP Activity", "It sends without being asked.").Masked(0x1).
		TrueFalse("Active", "Passive"),
	lacp.Bool("actor.state.timeout", "LACP Timeout", "It waits for a short time only.").Masked(0x2).
		TrueFalse("Short Timeout", "Long Timeout"),
	lacp.Bool("actor.state.aggregation", "Aggregation", "The link may be bundled.").Masked(0x4).
		TrueFalse("Aggregatable", "Individual"),
	lacp.Bool("actor.state.synchronization", "Synchronization", "The link is in the right bundle.").Masked(0x8).
		TrueFalse("In Sync", "Out of Sync"),
	lacp.Bool("actor.state.collecting", "Collecting", "It takes frames.").Masked(0x10).TrueFalse("Enabled", "Disabled"),
	lacp.Bool("actor.state.distributing", "Distributing", "It sends frames.").Masked(0x20).
		TrueFalse("Enabled", "Disabled"),
	lacp.Bool("actor.state.defaulted", "Defaulted", "It knows the other end from its settings alone.").Masked(0x40).
		TrueFalse("Yes", "No"),
	lacp.Bool("actor.state.expired", "Expired", "It heard nothing for too long.").Masked(0x80).TrueFalse("Yes", "No"),
}

var partnerBits = []*dissect.Field{
	lacp.Bool("partner.state.activity", "LACP Activity", "It sends without being asked.").Masked(0x1).
		TrueFalse("Active", "Passive"),
	lacp.Bool("partner.state.timeout", "LACP Timeout", "It waits for a short time only.").Masked(0x2).
		TrueFalse("Short Timeout", "Long Timeout"),
	lacp.Bool("partner.state.aggregation", "Aggregation", "The link may be bundled.").Masked(0x4).
		TrueFalse("Aggregatable", "Individual"),
	lacp.Bool("partner.state.synchronization", "Synchronization", "The link is in the right bundle.").Masked(0x8).
		TrueFalse("In Sync", "Out of Sync"),
	lacp.Bool("partner.state.collecting", "Collecting", "It takes frames.").Masked(0x10).TrueFalse("Enabled", "Disabled"),
	lacp.Bool("partner.state.distributing", "Distributing", "It sends frames.").Masked(0x20).
		TrueFalse("Enabled", "Disabled"),
	lacp.Bool("partner.state.defaulted", "Defaulted", "It knows the other end from its settings alone.").Masked(0x40).
		TrueFalse("Yes", "No"),
	lacp.Bool("partner.state.expired", "Expired", "It heard nothing for too long.").Masked(0x80).TrueFalse("Yes", "No"),
}
