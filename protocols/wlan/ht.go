package wlan

import "remora/dissect"

// What stands behind the first two numbers of HT Capabilities (IEEE 802.11-2020 section 9.4.2.55).
var (
	fMCSSet = proto.Node("ht.mcsset", "Rx Supported Modulation and Coding Scheme Set",
		"Codes and rates that the sender takes.")
	fMCSMask = proto.Node("ht.mcsset.rxbitmask", "Rx Modulation and Coding Scheme (One bit per modulation)",
		"A bit for each.")
	fMCSRest = proto.Bytes("ht.mcsset.reserved", "Reserved", "Zero.")
	fMCSRate = proto.Uint16("ht.mcsset.highestdatarate", "Highest Supported Data Rate",
		"In Mb/s: Highest Supported Data Rate.").Hex().Masked(0x3ff)
	fHTEx = proto.Uint16("htex.capabilities", "HT Extended Capabilities",
		"What more the sender can do: HT Extended Capabilities.").Hex()
	fTxBF = proto.Uint32("txbf", "Transmit Beam Forming (TxBF) Capabilities",
		"What the sender can do: Transmit Beam Forming (TxBF) Capabilities.").Hex()
	fASEL = proto.Uint8("asel", "Antenna Selection (ASEL) Capabilities",
		"What the sender can do: Antenna Selection (ASEL) Capabilities.").Hex()
)

var mcsLow = []*dissect.Field{
	proto.Uint32("ht.mcsset.rxbitmask.0to7", "Rx Bitmask Bits 0-7", "Codes and rates: Rx Bitmask Bits 0-7.").Hex().
		Masked(0xff),
	proto.Uint32("ht.mcsset.rxbitmask.8to15", "Rx Bitmask Bits 8-15", "Codes and rates: Rx Bitmask Bits 8-15.").Hex().
		Masked(0xff00),
	proto.Uint32("ht.mcsset.rxbitmask.16to23", "Rx Bitmask Bits 16-23", "Codes and rates: Rx Bitmask Bits 16-23.").Hex().
		Masked(0xff0000),
	proto.Uint32("ht.mcsset.rxbitmask.24to31", "Rx Bitmask Bits 24-31", "Codes and rates: Rx Bitmask Bits 24-31.").Hex().
		Masked(0xff000000),
}

var mcsMiddle = []*dissect.Field{
	proto.Uint32("ht.mcsset.rxbitmask.32", "Rx Bitmask Bit 32", "Codes and rates: Rx Bitmask Bit 32.").Hex().Masked(0x1),
	proto.Uint32("ht.mcsset.rxbitmask.33to38", "Rx Bitmask Bits 33-38", "Codes and rates: Rx Bitmask Bits 33-38.").Hex().
		Masked(0x7e),
	proto.Uint32("ht.mcsset.rxbitmask.39to52", "Rx Bitmask Bits 39-52", "Codes and rates: Rx Bitmask Bits 39-52.").Hex().
		Masked(0x1fff80),
}

var mcsHigh = []*dissect.Field{
	proto.Uint32("ht.mcsset.rxbitmask.53to76", "Rx Bitmask Bits 53-76", "Codes and rates: Rx Bitmask Bits 53-76.").Hex().
		Masked(0x1fffffe0),
}

var mcsSent = []*dissect.Field{
	proto.Bool("ht.mcsset.txsetdefined", "Tx Supported MCS Set", "What is sent: Tx Supported MCS Set.").Wide(2).
		Masked(0x1).TrueFalse("Defined", "Not defined"),
	proto.Bool("ht.mcsset.txrxmcsnotequal", "Tx and Rx MCS Set", "What is sent: Tx and Rx MCS Set.").Wide(2).Masked(0x2).
		TrueFalse("Not Equal", "Equal"),
	proto.Uint16("ht.mcsset.txmaxss", "Maximum Number of Tx Spatial Streams Supported",
		"What is sent: Maximum Number of Tx Spatial Streams Supported.").Hex().Masked(0xc),
	proto.Bool("ht.mcsset.txunequalmod", "Unequal Modulation", "What is sent: Unequal Modulation.").Wide(2).Masked(0x10).
		TrueFalse("Supported", "Not supported"),
}

var htExBits = []*dissect.Field{
	proto.Bool("htex.capabilities.pco", "Transmitter supports PCO", "What the sender can do: Transmitter supports PCO.").
		Wide(2).Masked(0x1).TrueFalse("Supported", "Not supported"),
	proto.Uint16("htex.capabilities.transtime", "Time needed to transition between 20MHz and 40MHz",
		"What the sender can do: Time needed to transition between 20MHz and 40MHz.").Hex().Masked(0x6).
		Named(dissect.Values{0: "No Transition", 1: "400 usec", 2: "1.5 msec", 3: "5 msec"}),
	proto.Uint16("htex.capabilities.mcs", "MCS Feedback capability", "What the sender can do: MCS Feedback capability.").
		Hex().Masked(0x300).
		Named(dissect.Values{0: "STA does not provide MCS feedback", 1: "Reserved",
			2: "STA provides only unsolicited MCS feedback",
			3: "STA can provide MCS feedback in response to MRQ as well as unsolicited MCS feedback"}),
	proto.Bool("htex.capabilities.htc", "High Throughput", "What the sender can do: High Throughput.").Wide(2).
		Masked(0x400).TrueFalse("Supported", "Not supported"),
	proto.Bool("htex.capabilities.rdresponder", "Reverse Direction Responder",
		"What the sender can do: Reverse Direction Responder.").Wide(2).Masked(0x800).TrueFalse("Supported", "Not supported"),
}

var txbfBits = []*dissect.Field{
	proto.Bool("txbf.txbf", "Transmit Beamforming", "What the sender can do: Transmit Beamforming.").Wide(4).Masked(0x1).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("txbf.rxss", "Receive Staggered Sounding", "What the sender can do: Receive Staggered Sounding.").Wide(4).
		Masked(0x2).TrueFalse("Supported", "Not supported"),
	proto.Bool("txbf.txss", "Transmit Staggered Sounding", "What the sender can do: Transmit Staggered Sounding.").Wide(4).
		Masked(0x4).TrueFalse("Supported", "Not supported"),
	proto.Bool("txbf.rxndp", "Receive Null Data packet (NDP)", "What the sender can do: Receive Null Data packet (NDP).").
		Wide(4).Masked(0x8).TrueFalse("Supported", "Not supported"),
	proto.Bool("txbf.txndp", "Transmit Null Data packet (NDP)",
		"What the sender can do: Transmit Null Data packet (NDP).").Wide(4).Masked(0x10).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("txbf.impltxbf", "Implicit TxBF capable", "What the sender can do: Implicit TxBF capable.").Wide(4).
		Masked(0x20).TrueFalse("Supported", "Not supported"),
	proto.Uint32("txbf.calibration", "Calibration", "What the sender can do: Calibration.").Hex().Masked(0xc0).
		Named(dissect.Values{0: "incapable", 1: "Limited involvement, cannot initiate",
			2: "Limited involvement, can initiate", 3: "Fully capable"}),
	proto.Bool("txbf.csi", "STA can apply TxBF using CSI explicit feedback",
		"What the sender can do: STA can apply TxBF using CSI explicit feedback.").Wide(4).Masked(0x100).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("txbf.fm.uncompressed.tbf", "STA can apply TxBF using uncompressed beamforming feedback matrix",
		"What the sender can do: STA can apply TxBF using uncompressed beamforming feedback matrix.").Wide(4).Masked(0x200).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("txbf.fm.compressed.tbf", "STA can apply TxBF using compressed beamforming feedback matrix",
		"What the sender can do: STA can apply TxBF using compressed beamforming feedback matrix.").Wide(4).Masked(0x400).
		TrueFalse("Supported", "Not supported"),
	proto.Uint32("txbf.rcsi", "Receiver can return explicit CSI feedback",
		"What the sender can do: Receiver can return explicit CSI feedback.").Hex().Masked(0x1800).
		Named(dissect.Values{0: "not supported", 1: "delayed feedback capable", 2: "immediate feedback capable",
			3: "delayed and immediate feedback capable"}),
	proto.Uint32("txbf.fm.uncompressed.rbf", "Receiver can return explicit uncompressed Beamforming Feedback Matrix",
		"What the sender can do: Receiver can return explicit uncompressed Beamforming Feedback Matrix.").Hex().
		Masked(0x6000).
		Named(dissect.Values{0: "not supported", 1: "delayed feedback capable", 2: "immediate feedback capable",
			3: "delayed and immediate feedback capable"}),
	proto.Uint32("txbf.fm.compressed.bf", "STA can compress and use compressed Beamforming Feedback Matrix",
		"What the sender can do: STA can compress and use compressed Beamforming Feedback Matrix.").Hex().Masked(0x18000).
		Named(dissect.Values{0: "not supported", 1: "delayed feedback capable", 2: "immediate feedback capable",
			3: "delayed and immediate feedback capable"}),
	proto.Uint32("txbf.mingroup", "Minimal grouping used for explicit feedback reports",
		"What the sender can do: Minimal grouping used for explicit feedback reports.").Hex().Masked(0x60000).
		Named(dissect.Values{0: "No grouping supported", 1: "Groups of 1, 2 supported", 2: "Groups of 1, 4 supported",
			3: "Groups of 1, 2, 4 supported"}),
	proto.Uint32("txbf.csinumant", "Max antennae STA can support when CSI feedback required",
		"What the sender can do: Max antennae STA can support when CSI feedback required.").Hex().Masked(0x180000).
		Named(dissect.Values{0: "1 TX antenna sounding", 1: "2 TX antenna sounding", 2: "3 TX antenna sounding",
			3: "4 TX antenna sounding"}),
	proto.Uint32("txbf.fm.uncompressed.maxant",
		"Max antennae STA can support when uncompressed Beamforming feedback required",
		"What the sender can do: Max antennae STA can support when uncompressed Beamforming feedback required.").Hex().
		Masked(0x600000).
		Named(dissect.Values{0: "1 TX antenna sounding", 1: "2 TX antenna sounding", 2: "3 TX antenna sounding",
			3: "4 TX antenna sounding"}),
	proto.Uint32("txbf.fm.compressed.maxant", "Max antennae STA can support when compressed Beamforming feedback required",
		"What the sender can do: Max antennae STA can support when compressed Beamforming feedback required.").Hex().
		Masked(0x1800000).
		Named(dissect.Values{0: "1 TX antenna sounding", 1: "2 TX antenna sounding", 2: "3 TX antenna sounding",
			3: "4 TX antenna sounding"}),
	proto.Uint32("txbf.csi.maxrows", "Maximum number of rows of CSI explicit feedback",
		"What the sender can do: Maximum number of rows of CSI explicit feedback.").Hex().Masked(0x6000000).
		Named(dissect.Values{0: "1 row of CSI", 1: "2 rows of CSI", 2: "3 rows of CSI", 3: "4 rows of CSI"}),
	proto.Uint32("txbf.channelest",
		"Maximum number of space time streams for which channel dimensions can be simultaneously estimated",
		"What the sender can do: Maximum number of space time streams for which channel dimensions can be simultaneously "+
			"estimated.").Hex().Masked(0x18000000).
		Named(dissect.Values{0: "1 space time stream", 1: "2 space time streams", 2: "3 space time streams",
			3: "4 space time streams"}),
	proto.Uint32("txbf.reserved", "Reserved", "What the sender can do: Reserved.").Hex().Masked(0xe0000000),
}

var aselBits = []*dissect.Field{
	proto.Bool("asel.capable", "Antenna Selection Capable", "What the sender can do: Antenna Selection Capable.").
		Masked(0x1).TrueFalse("Supported", "Not supported"),
	proto.Bool("asel.txcsi", "Explicit CSI Feedback Based Tx ASEL",
		"What the sender can do: Explicit CSI Feedback Based Tx ASEL.").Masked(0x2).TrueFalse("Supported", "Not supported"),
	proto.Bool("asel.txif", "Antenna Indices Feedback Based Tx ASEL",
		"What the sender can do: Antenna Indices Feedback Based Tx ASEL.").Masked(0x4).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("asel.csi", "Explicit CSI Feedback", "What the sender can do: Explicit CSI Feedback.").Masked(0x8).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("asel.if", "Antenna Indices Feedback", "What the sender can do: Antenna Indices Feedback.").Masked(0x10).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("asel.rx", "Rx ASEL", "What the sender can do: Rx ASEL.").Masked(0x20).
		TrueFalse("Supported", "Not supported"),
	proto.Bool("asel.sppdu", "Tx Sounding PPDUs", "What the sender can do: Tx Sounding PPDUs.").Masked(0x40).
		TrueFalse("Supported", "Not supported"),
	proto.Uint8("asel.reserved", "Reserved", "What the sender can do: Reserved.").Hex().Masked(0x80),
}

// schemes reads the 16 bytes of codes and rates: bits 0 to 76 say what is received, the last two numbers the rest.
func schemes(d *dissect.D) {
	d.In(fMCSSet, func() {
		d.In(fMCSMask, func() {
			dissect.Parts(d, mcsLow[0], mcsLow[1:]...)
			at := d.Pos()
			dissect.Parts(d, mcsMiddle[0], mcsMiddle[1:]...)
			d.Seek(at + 2) // bits 53 to 76 are in a number that overlaps the one before
			dissect.Parts(d, mcsHigh[0], mcsHigh[1:]...)
		})
		d.Uint(fMCSRate)
		dissect.Parts(d, mcsSent[0], mcsSent[1:]...)
		d.Bytes(fMCSRest, 2)
	})
}

// behindSchemes reads what follows them.
func behindSchemes(d *dissect.D) {
	dissect.Parts(d, fHTEx, htExBits...)
	dissect.Parts(d, fTxBF, txbfBits...)
	dissect.Parts(d, fASEL, aselBits...)
}
