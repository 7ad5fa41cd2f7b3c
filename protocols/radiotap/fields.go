package radiotap

import (
	"math"
	"strconv"

	"remora/dissect"
)

var (
	fVersion  = proto.Uint8("version", "Header revision", "Version of the header; 0.")
	fPad      = proto.Uint8("pad", "Header pad", "Zero.")
	fLength   = proto.Uint16("length", "Header length", "Length of the header in bytes.")
	fPresent  = proto.Node("present", "Present flags", "Which fields follow.")
	fWord     = proto.Uint32("present.word", "Present flags word", "Which fields follow, by their bits.").Hex()
	fTime     = proto.Uint64("mactime", "MAC timestamp", "When the frame came, by the radio's clock in microseconds.")
	fFlags    = proto.Uint8("flags", "Flags", "Properties of the frame.").Hex()
	fRate     = proto.Float32("datarate", "Data rate (Mb/s)", "Rate in units of 500 kb/s.")
	fFreq     = proto.Uint16("channel.freq", "Channel frequency", "Frequency of the channel in MHz.")
	fChFlags  = proto.Uint16("channel.flags", "Channel flags", "Properties of the channel.").Hex()
	fHop      = proto.Uint8("fhss.hopset", "FHSS Hop Set", "Set of the frequency hops.")
	fHopPat   = proto.Uint8("fhss.pattern", "FHSS Pattern", "Pattern of the frequency hops.")
	fSignal   = proto.Int8("dbm_antsignal", "Antenna signal", "Power of the signal.").In("dBm")
	fNoise    = proto.Int8("dbm_antnoise", "Antenna noise", "Power of the noise.").In("dBm")
	fQuality  = proto.Uint16("quality", "Signal Quality", "Quality of the signal's code lock.")
	fTxAtt    = proto.Uint16("txattenuation", "TX attenuation", "Attenuation of the transmitter, without a unit.")
	fTxAttDB  = proto.Uint16("db_txattenuation", "dB TX attenuation", "Attenuation of the transmitter in dB.")
	fTxPower  = proto.Int8("txpower", "Transmit power", "Power of the transmitter.").In("dBm")
	fAntenna  = proto.Uint8("antenna", "Antenna", "Which antenna was used.")
	fSignalDB = proto.Uint8("db_antsignal", "dB antenna signal", "Power of the signal in dB from a fixed point.").
			InColumn("%e", func(v uint64) string { return strconv.FormatUint(v, 10) + " dB" })
	fNoiseDB  = proto.Uint8("db_antnoise", "dB antenna noise", "Power of the noise in dB from a fixed point.")
	fRxFlags  = proto.Uint16("rxflags", "RX flags", "Properties of what was received.").Hex()
	fTxFlags  = proto.Uint16("txflags", "TX flags", "Properties of what is sent.").Hex()
	fRetries  = proto.Uint8("data_retries", "data retries", "How often the frame was sent again.")
	fXFlags   = proto.Uint32("xchannel.flags", "Channel flags", "Properties of the channel.").Hex()
	fXFreq    = proto.Uint32("xchannel.freq", "Channel frequency", "Frequency of the channel in MHz.").Wide(2)
	fXChannel = proto.Uint32("xchannel.channel", "Channel number", "Number of the channel.").Wide(1)
	fMCS      = proto.Node("mcs", "MCS information", "Modulation and coding of 802.11n.")
	fMCSKnown = proto.Uint8("mcs.known", "Known MCS information", "What is known of it.").Hex()
	fMCSBW    = proto.Uint8("mcs.bw", "Bandwidth", "Width of the channel.").Masked(0x03).
			Named(dissect.Values{0: "20 MHz", 1: "40 MHz", 2: "20 MHz lower", 3: "20 MHz upper"})
	fMCSGI = proto.Uint8("mcs.gi", "Guard interval", "Pause between symbols.").Masked(0x04).
		Named(dissect.Values{0: "long", 1: "short"})
	fMCSFormat = proto.Uint8("mcs.format", "Format", "Sort of preamble.").Masked(0x08).
			Named(dissect.Values{0: "mixed", 1: "greenfield"})
	fMCSFEC = proto.Uint8("mcs.fec", "FEC type", "How errors are corrected.").Masked(0x10).
		Named(dissect.Values{0: "BCC", 1: "LDPC"})
	fMCSSTBC    = proto.Uint8("mcs.stbc", "STBC streams", "Streams of space-time coding.").Masked(0x60)
	fMCSIndex   = proto.Uint8("mcs.index", "MCS index", "Number of modulation and coding.")
	fAMPDU      = proto.Node("ampdu", "A-MPDU status", "The aggregate that the frame was a part of.")
	fAMPDURef   = proto.Uint32("ampdu.reference", "A-MPDU reference number", "Number of the aggregate.")
	fAMPDUFlags = proto.Uint16("ampdu.flags", "A-MPDU flags", "Properties of the aggregate.").Hex()
	fAMPDUCRC   = proto.Uint8("ampdu.delim_crc", "A-MPDU subframe delimiter CRC", "Checksum of the delimiter.").Hex()
	fVHT        = proto.Node("vht", "VHT information", "Modulation and coding of 802.11ac.")
	fVHTKnown   = proto.Uint8("vht.known", "Known VHT information", "What is known of it.").Hex().Wide(2)
	rChannel    = radio.Uint32("channel", "Channel", "Number of the channel.")
	rFreq       = radio.Uint16("frequency", "Frequency", "Frequency of the channel in MHz.").Format(megahertz).
			InColumn("%F", func(v uint64) string { return strconv.FormatUint(v, 10) + " MHz" })
	rSignal = radio.Int8("signal_dbm", "Signal strength (dBm)", "Power of the signal.").In("dBm").
		InColumn("%e", func(v uint64) string { return strconv.Itoa(int(int8(v))) + " dBm" })
	rNoise = radio.Int8("noise_dbm", "Noise level (dBm)", "Power of the noise.").In("dBm")
	rSNR   = radio.Int32("snr", "Signal/noise ratio (dB)", "How far the signal is above the noise.").
		In("dB")
	rRate = radio.Float32("data_rate", "Data rate", "Rate in Mb/s.").Format(megabits).
		InColumn("%x", func(v uint64) string {
			return strconv.FormatFloat(math.Float64frombits(v), 'f', 1, 64)
		})
	rTime = radio.Uint64("timestamp", "TSF timestamp", "When the frame came, by the radio's clock in microseconds.")

	fBadPLCP = proto.Bool("rxflags.badplcp", "Bad PLCP", "The header of the physical layer was broken.").Wide(2).
			Masked(0x02).Drawn(24).TrueFalse("True", "False")
	fVendor = proto.Bytes("vendor_data", "Vendor data", "Fields of a vendor. Wireshark has a tree of its own for them.")
	fOther  = proto.Bytes("other", "Other fields", "Fields that are not read here. Wireshark has names for some of them.")

	nLength = proto.Expert("length.bad", dissect.Warn, "The length is shorter than the fields, or longer than the frame")
)

var presentBits = []*dissect.Field{
	proto.Bool("present.tsft", "TSFT", "Whether the header has the field: TSFT.").Wide(4).Masked(0x01).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.flags", "Flags", "Whether the header has the field: Flags.").Wide(4).Masked(0x02).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.rate", "Rate", "Whether the header has the field: Rate.").Wide(4).Masked(0x04).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.channel", "Channel", "Whether the header has the field: Channel.").Wide(4).Masked(0x08).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.fhss", "FHSS", "Whether the header has the field: FHSS.").Wide(4).Masked(0x10).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.dbm_antsignal", "dBm Antenna Signal", "Whether the header has the field: dBm Antenna Signal.").
		Wide(4).Masked(0x20).TrueFalse("Present", "Absent"),
	proto.Bool("present.dbm_antnoise", "dBm Antenna Noise", "Whether the header has the field: dBm Antenna Noise.").
		Wide(4).Masked(0x40).TrueFalse("Present", "Absent"),
	proto.Bool("present.lock_quality", "Lock Quality", "Whether the header has the field: Lock Quality.").Wide(4).
		Masked(0x80).TrueFalse("Present", "Absent"),
	proto.Bool("present.tx_attenuation", "TX Attenuation", "Whether the header has the field: TX Attenuation.").Wide(4).
		Masked(0x100).TrueFalse("Present", "Absent"),
	proto.Bool("present.db_tx_attenuation", "dB TX Attenuation", "Whether the header has the field: dB TX Attenuation.").
		Wide(4).Masked(0x200).TrueFalse("Present", "Absent"),
	proto.Bool("present.dbm_tx_power", "dBm TX Power", "Whether the header has the field: dBm TX Power.").Wide(4).
		Masked(0x400).TrueFalse("Present", "Absent"),
	proto.Bool("present.antenna", "Antenna", "Whether the header has the field: Antenna.").Wide(4).Masked(0x800).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.db_antsignal", "dB Antenna Signal", "Whether the header has the field: dB Antenna Signal.").
		Wide(4).Masked(0x1000).TrueFalse("Present", "Absent"),
	proto.Bool("present.db_antnoise", "dB Antenna Noise", "Whether the header has the field: dB Antenna Noise.").Wide(4).
		Masked(0x2000).TrueFalse("Present", "Absent"),
	proto.Bool("present.rxflags", "RX flags", "Whether the header has the field: RX flags.").Wide(4).Masked(0x4000).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.txflags", "TX flags", "Whether the header has the field: TX flags.").Wide(4).Masked(0x8000).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.data_retries", "data retries", "Whether the header has the field: data retries.").Wide(4).
		Masked(0x20000).TrueFalse("Present", "Absent"),
	proto.Bool("present.xchannel", "Channel+", "Whether the header has the field: Channel+.").Wide(4).Masked(0x40000).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.mcs", "MCS information", "Whether the header has the field: MCS information.").Wide(4).
		Masked(0x80000).TrueFalse("Present", "Absent"),
	proto.Bool("present.ampdu", "A-MPDU Status", "Whether the header has the field: A-MPDU Status.").Wide(4).
		Masked(0x100000).TrueFalse("Present", "Absent"),
	proto.Bool("present.vht", "VHT information", "Whether the header has the field: VHT information.").Wide(4).
		Masked(0x200000).TrueFalse("Present", "Absent"),
	proto.Bool("present.timestamp", "frame timestamp", "Whether the header has the field: frame timestamp.").Wide(4).
		Masked(0x400000).TrueFalse("Present", "Absent"),
	proto.Bool("present.he", "HE information", "Whether the header has the field: HE information.").Wide(4).
		Masked(0x800000).TrueFalse("Present", "Absent"),
	proto.Bool("present.he_mu", "HE-MU information", "Whether the header has the field: HE-MU information.").Wide(4).
		Masked(0x1000000).TrueFalse("Present", "Absent"),
	proto.Bool("present.0_length.psdu", "0 Length PSDU", "Whether the header has the field: 0 Length PSDU.").Wide(4).
		Masked(0x4000000).TrueFalse("Present", "Absent"),
	proto.Bool("present.l_sig", "L-SIG", "Whether the header has the field: L-SIG.").Wide(4).Masked(0x8000000).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.tlv", "TLVs", "Whether the header has the field: TLVs.").Wide(4).Masked(0x10000000).
		TrueFalse("Present", "Absent"),
	proto.Bool("present.rtap_ns", "Radiotap NS next", "Whether the header has the field: Radiotap NS next.").Wide(4).
		Masked(0x20000000).TrueFalse("True", "False"),
	proto.Bool("present.vendor_ns", "Vendor NS next", "Whether the header has the field: Vendor NS next.").Wide(4).
		Masked(0x40000000).TrueFalse("True", "False"),
	proto.Bool("present.ext", "Ext", "Whether the header has the field: Ext.").Wide(4).Masked(0x80000000).
		TrueFalse("Present", "Absent"),
}

var flagBits = []*dissect.Field{
	proto.Bool("flags.cfp", "CFP", "A property of the frame: CFP.").Masked(0x01).TrueFalse("True", "False"),
	proto.Bool("flags.preamble", "Preamble", "A property of the frame: Preamble.").Masked(0x02).TrueFalse("Short", "Long"),
	proto.Bool("flags.wep", "WEP", "A property of the frame: WEP.").Masked(0x04).TrueFalse("True", "False"),
	proto.Bool("flags.frag", "Fragmentation", "A property of the frame: Fragmentation.").Masked(0x08).
		TrueFalse("True", "False"),
	proto.Bool("flags.fcs", "FCS at end", "A property of the frame: FCS at end.").Masked(0x10).TrueFalse("True", "False"),
	proto.Bool("flags.datapad", "Data Pad", "A property of the frame: Data Pad.").Masked(0x20).TrueFalse("True", "False"),
	proto.Bool("flags.badfcs", "Bad FCS", "A property of the frame: Bad FCS.").Masked(0x40).TrueFalse("True", "False"),
	proto.Bool("flags.shortgi", "Short GI", "A property of the frame: Short GI.").Masked(0x80).TrueFalse("True", "False"),
}

var channelBits = []*dissect.Field{
	proto.Bool("channel.flags.700mhz", "700 MHz spectrum", "A property of the channel: 700 MHz spectrum.").Wide(2).
		Masked(0x01).TrueFalse("True", "False"),
	proto.Bool("channel.flags.800mhz", "800 MHz spectrum", "A property of the channel: 800 MHz spectrum.").Wide(2).
		Masked(0x02).TrueFalse("True", "False"),
	proto.Bool("channel.flags.900mhz", "900 MHz spectrum", "A property of the channel: 900 MHz spectrum.").Wide(2).
		Masked(0x04).TrueFalse("True", "False"),
	proto.Bool("channel.flags.turbo", "Turbo", "A property of the channel: Turbo.").Wide(2).Masked(0x10).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.cck", "Complementary Code Keying (CCK)",
		"A property of the channel: Complementary Code Keying (CCK).").Wide(2).Masked(0x20).TrueFalse("True", "False"),
	proto.Bool("channel.flags.ofdm", "Orthogonal Frequency-Division Multiplexing (OFDM)",
		"A property of the channel: Orthogonal Frequency-Division Multiplexing (OFDM).").Wide(2).Masked(0x40).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.2ghz", "2 GHz spectrum", "A property of the channel: 2 GHz spectrum.").Wide(2).Masked(0x80).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.5ghz", "5 GHz spectrum", "A property of the channel: 5 GHz spectrum.").Wide(2).Masked(0x100).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.passive", "Passive", "A property of the channel: Passive.").Wide(2).Masked(0x200).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.dynamic", "Dynamic CCK-OFDM", "A property of the channel: Dynamic CCK-OFDM.").Wide(2).
		Masked(0x400).TrueFalse("True", "False"),
	proto.Bool("channel.flags.gfsk", "Gaussian Frequency Shift Keying (GFSK)",
		"A property of the channel: Gaussian Frequency Shift Keying (GFSK).").Wide(2).Masked(0x800).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.gsm", "GSM (900MHz)", "A property of the channel: GSM (900MHz).").Wide(2).Masked(0x1000).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.sturbo", "Static Turbo", "A property of the channel: Static Turbo.").Wide(2).Masked(0x2000).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.half", "Half Rate Channel (10MHz Channel Width)",
		"A property of the channel: Half Rate Channel (10MHz Channel Width).").Wide(2).Masked(0x4000).
		TrueFalse("True", "False"),
	proto.Bool("channel.flags.quarter", "Quarter Rate Channel (5MHz Channel Width)",
		"A property of the channel: Quarter Rate Channel (5MHz Channel Width).").Wide(2).Masked(0x8000).
		TrueFalse("True", "False"),
}

var xchannelBits = []*dissect.Field{
	proto.Bool("xchannel.flags.turbo", "Turbo", "A property of the channel: Turbo.").Wide(3).Masked(0x10).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.cck", "Complementary Code Keying (CCK)",
		"A property of the channel: Complementary Code Keying (CCK).").Wide(3).Masked(0x20).TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.ofdm", "Orthogonal Frequency-Division Multiplexing (OFDM)",
		"A property of the channel: Orthogonal Frequency-Division Multiplexing (OFDM).").Wide(3).Masked(0x40).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.2ghz", "2 GHz spectrum", "A property of the channel: 2 GHz spectrum.").Wide(3).Masked(0x80).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.5ghz", "5 GHz spectrum", "A property of the channel: 5 GHz spectrum.").Wide(3).
		Masked(0x100).TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.dynamic", "Dynamic CCK-OFDM", "A property of the channel: Dynamic CCK-OFDM.").Wide(3).
		Masked(0x400).TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.gfsk", "Gaussian Frequency Shift Keying (GFSK)",
		"A property of the channel: Gaussian Frequency Shift Keying (GFSK).").Wide(3).Masked(0x800).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.gsm", "GSM (900MHz)", "A property of the channel: GSM (900MHz).").Wide(3).Masked(0x1000).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.sturbo", "Static Turbo", "A property of the channel: Static Turbo.").Wide(3).Masked(0x2000).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.half", "Half Rate Channel (10MHz Channel Width)",
		"A property of the channel: Half Rate Channel (10MHz Channel Width).").Wide(3).Masked(0x4000).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.quarter", "Quarter Rate Channel (5MHz Channel Width)",
		"A property of the channel: Quarter Rate Channel (5MHz Channel Width).").Wide(3).Masked(0x8000).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.ht20", "HT Channel (20MHz Channel Width)",
		"A property of the channel: HT Channel (20MHz Channel Width).").Wide(3).Masked(0x10000).TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.ht40u", "HT Channel (40MHz Channel Width with Extension channel above)",
		"A property of the channel: HT Channel (40MHz Channel Width with Extension channel above).").Wide(3).Masked(0x20000).
		TrueFalse("True", "False"),
	proto.Bool("xchannel.flags.ht40d", "HT Channel (40MHz Channel Width with Extension channel below)",
		"A property of the channel: HT Channel (40MHz Channel Width with Extension channel below).").Wide(3).Masked(0x40000).
		TrueFalse("True", "False"),
}

var ampduBits = []*dissect.Field{
	proto.Bool("ampdu.flags.report_zerolen", "Driver reports 0-length subframes in this A-MPDU",
		"A property of the aggregate: Driver reports 0-length subframes in this A-MPDU.").Wide(2).Masked(0x01).
		TrueFalse("True", "False"),
	proto.Bool("ampdu.flags.is_zerolen", "This is a 0-length subframe",
		"A property of the aggregate: This is a 0-length subframe.").Wide(2).Masked(0x02).TrueFalse("True", "False"),
	proto.Bool("ampdu.flags.lastknown", "Last subframe of this A-MPDU is known",
		"A property of the aggregate: Last subframe of this A-MPDU is known.").Wide(2).Masked(0x04).
		TrueFalse("True", "False"),
	proto.Bool("ampdu.flags.last", "This is the last subframe of this A-MPDU",
		"A property of the aggregate: This is the last subframe of this A-MPDU.").Wide(2).Masked(0x08).
		TrueFalse("True", "False"),
	proto.Bool("ampdu.flags.delim_crc_error", "Delimiter CRC error on this subframe",
		"A property of the aggregate: Delimiter CRC error on this subframe.").Wide(2).Masked(0x10).TrueFalse("True", "False"),
	proto.Bool("ampdu.flags.eof", "EOF on this subframe", "A property of the aggregate: EOF on this subframe.").Wide(2).
		Masked(0x40).TrueFalse("True", "False"),
	proto.Bool("ampdu.flags.eof_known", "EOF of this A-MPDU is known",
		"A property of the aggregate: EOF of this A-MPDU is known.").Wide(2).Masked(0x80).TrueFalse("True", "False"),
}

var mcsBits = []*dissect.Field{
	proto.Bool("mcs.have_bw", "Bandwidth", "What is known: Bandwidth.").Masked(0x01).TrueFalse("Present", "Absent"),
	proto.Bool("mcs.have_index", "MCS index", "What is known: MCS index.").Masked(0x02).TrueFalse("Present", "Absent"),
	proto.Bool("mcs.have_gi", "Guard interval", "What is known: Guard interval.").Masked(0x04).
		TrueFalse("Present", "Absent"),
	proto.Bool("mcs.have_format", "Format", "What is known: Format.").Masked(0x08).TrueFalse("Present", "Absent"),
	proto.Bool("mcs.have_fec", "FEC type", "What is known: FEC type.").Masked(0x10).TrueFalse("Present", "Absent"),
	proto.Bool("mcs.have_stbc", "STBC streams", "What is known: STBC streams.").Masked(0x20).
		TrueFalse("Present", "Absent"),
	proto.Bool("mcs.have_ness", "Number of extension spatial streams",
		"What is known: Number of extension spatial streams.").Masked(0x40).TrueFalse("Present", "Absent"),
}
