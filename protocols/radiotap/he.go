package radiotap

import "remora/dissect"

// How 802.11ax sends (radiotap.org/fields/HE): six words, of which the first two say what is known.
var (
	fHE  = proto.Group("he", "HE information", "How 802.11ax sends.")
	fHE1 = proto.Uint16("he.data_1", "HE Data 1", "What is known.").Hex()
	fHE2 = proto.Uint16("he.data_2", "HE Data 2", "What more is known.").Hex()
	fHE3 = proto.Uint16("he.data_3", "HE Data 3", "Code, rate and cell.").Hex()
	fHE4 = proto.Uint16("he.data_4", "HE Data 4", "Spatial reuse, or the station.").Hex()
	fHE5 = proto.Uint16("he.data_5", "HE Data 5", "Bandwidth and guard interval.").Hex()
	fHE6 = proto.Uint16("he.data_6", "HE Data 6", "Streams and duration.").Hex()
)

var heKnown1 = []*dissect.Field{
	proto.Uint16("he.data_1.ppdu_format", "PPDU Format", "Whether the rest is known: PPDU Format.").Hex().Masked(0x3).
		Named(dissect.Values{0: "HE_SU", 1: "HE_EXT_SU", 2: "HE_MU", 3: "HE_TRIG"}),
	proto.Bool("he.data_1.bss_color_known", "BSS Color known", "Whether the rest is known: BSS Color known.").Wide(2).
		Masked(0x4).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.beam_change_known", "Beam Change known", "Whether the rest is known: Beam Change known.").
		Wide(2).Masked(0x8).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.ul_dl_known", "UL/DL known", "Whether the rest is known: UL/DL known.").Wide(2).Masked(0x10).
		TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.data_mcs_known", "data MCS known", "Whether the rest is known: data MCS known.").Wide(2).
		Masked(0x20).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.data_dcm_known", "data DCM known", "Whether the rest is known: data DCM known.").Wide(2).
		Masked(0x40).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.coding_known", "Coding known", "Whether the rest is known: Coding known.").Wide(2).Masked(0x80).
		TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.ldpc_extra_symbol_segment_known", "LDPC extra symbol segment known",
		"Whether the rest is known: LDPC extra symbol segment known.").Wide(2).Masked(0x100).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.stbc_known", "STBC known", "Whether the rest is known: STBC known.").Wide(2).Masked(0x200).
		TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.spatial_reuse_1_known", "Spatial Reuse 1 known",
		"Whether the rest is known: Spatial Reuse 1 known.").Wide(2).Masked(0x400).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.spatial_reuse_2_known", "Spatial Reuse 2 known",
		"Whether the rest is known: Spatial Reuse 2 known.").Wide(2).Masked(0x800).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.spatial_reuse_3_known", "Spatial Reuse 3 known",
		"Whether the rest is known: Spatial Reuse 3 known.").Wide(2).Masked(0x1000).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.spatial_reuse_4_known", "Spatial Reuse 4 known",
		"Whether the rest is known: Spatial Reuse 4 known.").Wide(2).Masked(0x2000).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.data_bw_ru_allocation_known", "data BW/RU allocation known",
		"Whether the rest is known: data BW/RU allocation known.").Wide(2).Masked(0x4000).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_1.doppler_known", "Doppler known", "Whether the rest is known: Doppler known.").Wide(2).
		Masked(0x8000).TrueFalse("Known", "Unknown"),
}

var heKnown2 = []*dissect.Field{
	proto.Bool("he.data_2.pri_sec_80_mhz_known", "pri/sec 80 MHz known",
		"Whether the rest is known: pri/sec 80 MHz known.").Wide(2).Masked(0x1).TrueFalse("True", "False"),
	proto.Bool("he.data_2.gi_known", "GI known", "Whether the rest is known: GI known.").Wide(2).Masked(0x2).
		TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_2.num_ltf_symbols_known", "LTF symbols known", "Whether the rest is known: LTF symbols known.").
		Wide(2).Masked(0x4).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_2.pre_fec_padding_factor_known", "Pre-FEC Padding Factor known",
		"Whether the rest is known: Pre-FEC Padding Factor known.").Wide(2).Masked(0x8).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_2.txbf_known", "TxBF known", "Whether the rest is known: TxBF known.").Wide(2).Masked(0x10).
		TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_2.pe_disambiguity_known", "PE Disambiguity known",
		"Whether the rest is known: PE Disambiguity known.").Wide(2).Masked(0x20).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_2.txop_known", "TXOP known", "Whether the rest is known: TXOP known.").Wide(2).Masked(0x40).
		TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_2.midamble_periodicity_known", "midamble periodicity known",
		"Whether the rest is known: midamble periodicity known.").Wide(2).Masked(0x80).TrueFalse("Known", "Unknown"),
	proto.Uint16("he.data_2.ru_allocation_offset", "RU allocation offset",
		"Whether the rest is known: RU allocation offset.").Hex().Masked(0x3f00),
	proto.Bool("he.data_2.ru_allocation_offseti_known", "RU allocation offset known",
		"Whether the rest is known: RU allocation offset known.").Wide(2).Masked(0x4000).TrueFalse("Known", "Unknown"),
	proto.Bool("he.data_2.pri_sec_80_mhz", "pri/sec 80 MHz", "Whether the rest is known: pri/sec 80 MHz.").Wide(2).
		Masked(0x8000).TrueFalse("secondary", "primary"),
}

// A hePart is a part of a word that may be known: the bit of the first word that says so (from 16 on, of the second),
// and the fields for it when it is and when it is not. Without a bit, -1, there is one field.
type hePart struct {
	bit            int
	known, unknown *dissect.Field
}

var heWord3 = []hePart{
	{2, proto.Uint16("he.data_3.bss_color", "BSS Color", "What the frame says: BSS Color.").Hex().Masked(0x3f),
		proto.Uint16("he.data_3.bss_color_unknown", "BSS Color unknown", "What the frame says: BSS Color unknown.").Hex().
			Masked(0x3f)},
	{3, proto.Uint16("he.data_3.beam_change", "Beam Change", "What the frame says: Beam Change.").Hex().Masked(0x40),
		proto.Uint16("he.data_3.beam_change_unknown", "Beam Change unknown", "What the frame says: Beam Change unknown.").
			Hex().Masked(0x40)},
	{4, proto.Uint16("he.data_3.ul_dl", "UL/DL", "What the frame says: UL/DL.").Hex().Masked(0x80),
		proto.Uint16("he.data_3.ul_dl_unknown", "UL/DL unknown", "What the frame says: UL/DL unknown.").Hex().Masked(0x80)},
	{5, proto.Uint16("he.data_3.data_mcs", "data MCS", "What the frame says: data MCS.").Hex().Masked(0xf00),
		proto.Uint16("he.data_3.data_mcs_unknown", "data MCS unknown", "What the frame says: data MCS unknown.").Hex().
			Masked(0xf00)},
	{6, proto.Uint16("he.data_3.data_dcm", "data DCM", "What the frame says: data DCM.").Hex().Masked(0x1000),
		proto.Uint16("he.data_3.data_dcm_unknown", "data DCM unknown", "What the frame says: data DCM unknown.").Hex().
			Masked(0x1000)},
	{7, proto.Uint16("he.data_3.coding", "Coding", "What the frame says: Coding.").Hex().Masked(0x2000).
		Named(dissect.Values{0: "BCC", 1: "LDPC"}),
		proto.Uint16("he.data_3.coding_unknown", "Coding unknown", "What the frame says: Coding unknown.").Hex().
			Masked(0x2000)},
	{8, proto.Uint16("he.data_3.ldpc_extra_symbol_segment", "LDPC extra symbol segment",
		"What the frame says: LDPC extra symbol segment.").Hex().Masked(0x4000),
		proto.Uint16("he.data_3.ldpc_extra_symbol_segment_unknown", "LDPC extra symbol segment unknown",
			"What the frame says: LDPC extra symbol segment unknown.").Hex().Masked(0x4000)},
	{9, proto.Uint16("he.data_3.stbc", "STBC", "What the frame says: STBC.").Hex().Masked(0x8000),
		proto.Uint16("he.data_3.stbc_unknown", "STBC unknown", "What the frame says: STBC unknown.").Hex().Masked(0x8000)},
}

var heReuse = hePart{10,
	proto.Uint16("he.data_4.spatial_reuse", "Spatial Reuse", "What the frame says: Spatial Reuse.").Hex().Masked(0xf),
	proto.Uint16("he.data_4.spatial_reuse_unknown", "Spatial Reuse unknown",
		"What the frame says: Spatial Reuse unknown.").Hex().Masked(0xf)}

var heSingle = []hePart{
	{-1, proto.Uint16("he.data_4.reserved_d4_fff0", "Reserved", "Unused: Reserved.").Hex().Masked(0xfff0), nil},
}

var heMultiple = []hePart{
	{-1, proto.Uint16("he.data_4.sta_id_user", "STA-ID of user data captured for",
		"Of several stations: STA-ID of user data captured for.").Hex().Masked(0x7ff0), nil},
	{-1, proto.Uint16("he.data_4.reserved_d4_b15", "Reserved", "Of several stations: Reserved.").Hex().Masked(0x8000),
		nil},
}

var heTriggered = []hePart{
	{10, proto.Uint16("he.data_4.spatial_reuse_1", "Spatial Reuse 1", "What the frame says: Spatial Reuse 1.").Hex().
		Masked(0xf),
		proto.Uint16("he.data_4.spatial_reuse_1_unknown", "Spatial Reuse 1 unknown",
			"What the frame says: Spatial Reuse 1 unknown.").Hex().Masked(0xf)},
	{11, proto.Uint16("he.data_4.spatial_reuse_2", "Spatial Reuse 2", "What the frame says: Spatial Reuse 2.").Hex().
		Masked(0xf0),
		proto.Uint16("he.data_4.spatial_reuse_2_unknown", "Spatial Reuse 2 unknown",
			"What the frame says: Spatial Reuse 2 unknown.").Hex().Masked(0xf0)},
	{12, proto.Uint16("he.data_4.spatial_reuse_3", "Spatial Reuse 3", "What the frame says: Spatial Reuse 3.").Hex().
		Masked(0xf00),
		proto.Uint16("he.data_4.spatial_reuse_3_unknown", "Spatial Reuse 3 unknown",
			"What the frame says: Spatial Reuse 3 unknown.").Hex().Masked(0xf00)},
	{13, proto.Uint16("he.data_4.spatial_reuse_4", "Spatial Reuse 4", "What the frame says: Spatial Reuse 4.").Hex().
		Masked(0xf000),
		proto.Uint16("he.data_4.spatial_reuse_4_unknown", "Spatial Reuse 4 unknown",
			"What the frame says: Spatial Reuse 4 unknown.").Hex().Masked(0xf000)},
}

var heWord5 = []hePart{
	{14, proto.Uint16("he.data_5.data_bw_ru_allocation", "data Bandwidth/RU allocation",
		"How it is sent: data Bandwidth/RU allocation.").Hex().Masked(0xf).
		Named(dissect.Values{0: "20", 1: "40", 2: "80", 3: "160/80+80", 4: "26-tone RU", 5: "52-tone RU", 6: "106-tone RU",
			7: "242-tone RU", 8: "484-tone RU", 9: "996-tone RU", 10: "2x996-tone RU", 11: "reserved", 12: "reserved",
			13: "reserved", 14: "reserved", 15: "reserved"}),
		proto.Uint16("he.data_5.data_bw_ru_allocation_unknown", "data Bandwidth/RU allocation unknown",
			"How it is sent: data Bandwidth/RU allocation unknown.").Hex().Masked(0xf)},
	{17, proto.Uint16("he.data_5.gi", "GI", "How it is sent: GI.").Hex().Masked(0x30).
		Named(dissect.Values{0: "0.8us", 1: "1.6us", 2: "3.2us", 3: "reserved"}),
		proto.Uint16("he.data_5.gi_unknown", "GI unknown", "How it is sent: GI unknown.").Hex().Masked(0x30)},
	{17, proto.Uint16("he.data_5.ltf_symbol_size", "LTF symbol size", "How it is sent: LTF symbol size.").Hex().
		Masked(0xc0).Named(dissect.Values{0: "unknown", 1: "1x", 2: "2x", 3: "4x"}),
		proto.Uint16("he.data_5.ltf_symbol_size_unknown", "LTF symbol size unknown",
			"How it is sent: LTF symbol size unknown.").Hex().Masked(0xc0)},
	{18, proto.Uint16("he.num_ltf_symbols", "LTF symbols", "How it is sent: LTF symbols.").Hex().Masked(0x700).
		Named(dissect.Values{0: "1x", 1: "2x", 2: "4x", 3: "6x", 4: "8x", 5: "reserved", 6: "reserved", 7: "reserved"}),
		proto.Uint16("he.num_ltf_symbols_unknown", "LTF symbols unknown", "How it is sent: LTF symbols unknown.").Hex().
			Masked(0x700)},
	{-1, proto.Uint16("he.data_5.reserved_d5_b11", "reserved", "How it is sent: reserved.").Hex().Masked(0x800), nil},
	{19, proto.Uint16("he.pre_fec_padding_factor", "Pre-FEC Padding Factor", "How it is sent: Pre-FEC Padding Factor.").
		Hex().Masked(0x3000),
		proto.Uint16("he.pre_fec_padding_factor_unknown", "Pre-FEC Padding Factor unknown",
			"How it is sent: Pre-FEC Padding Factor unknown.").Hex().Masked(0x3000)},
	{20, proto.Uint16("he.txbf", "TxBF", "How it is sent: TxBF.").Hex().Masked(0x4000),
		proto.Uint16("he.txbf_unknown", "TxBF unknown", "How it is sent: TxBF unknown.").Hex().Masked(0x4000)},
	{21, proto.Uint16("he.pe_disambiguity", "PE Disambiguity", "How it is sent: PE Disambiguity.").Hex().Masked(0x8000),
		proto.Uint16("he.pe_disambiguity_unknown", "PE Disambiguity unknown", "How it is sent: PE Disambiguity unknown.").
			Hex().Masked(0x8000)},
}

var heWord6 = []hePart{
	{-1, proto.Uint16("he.data_6.nsts", "NSTS", "How it is sent: NSTS.").Hex().Masked(0xf).
		Named(dissect.Values{0: "Unknown", 1: "1 space-time stream", 2: "2 space-time streams", 3: "3 space-time streams",
			4: "4 space-time streams", 5: "5 space-time streams", 6: "6 space-time streams", 7: "7 space-time streams",
			8: "8 space-time streams", 9: "9 space-time streams", 10: "10 space-time streams", 11: "11 space-time streams",
			12: "12 space-time streams", 13: "13 space-time streams", 14: "14 space-time streams", 15: "15 space-time streams"}),
		nil},
	{15, proto.Uint16("he.data_6.doppler_value", "Doppler value", "How it is sent: Doppler value.").Hex().Masked(0x10),
		proto.Uint16("he.data_6.doppler_value_unknown", "Doppler value unknown", "How it is sent: Doppler value unknown.").
			Hex().Masked(0x10)},
	{-1, proto.Uint16("he.data_6.reserved_d6_00e0", "Reserved", "How it is sent: Reserved.").Hex().Masked(0xe0), nil},
	{22, proto.Uint16("he.data_6.txop_value", "TXOP value", "How it is sent: TXOP value.").Hex().Masked(0x7f00),
		proto.Uint16("he.data_6.txop_value_unknown", "TXOP value unknown", "How it is sent: TXOP value unknown.").Hex().
			Masked(0x7f00)},
	{23, proto.Uint16("he.data_6.midamble_periodicity", "midamble periodicity", "How it is sent: midamble periodicity.").
		Hex().Masked(0x8000).Named(dissect.Values{0: "10", 1: "20"}),
		proto.Uint16("he.data_6.midamble_periodicity_unknown", "midamble periodicity unknown",
			"How it is sent: midamble periodicity unknown.").Hex().Masked(0x8000)},
}

// Formats of 802.11ax, by the first bits of the first word.
const (
	heToMany    = 2
	heByTrigger = 3
)

// he reads the six words.
func he(d *dissect.D) {
	format := d.PeekUint(0, 1) & 3
	known := d.Bits(fHE1, heKnown1...)
	known |= d.Bits(fHE2, heKnown2...) << 16
	word(d, fHE3, known, heWord3)
	switch format {
	case heByTrigger:
		word(d, fHE4, known, heTriggered)
	case heToMany:
		word(d, fHE4, known, append([]hePart{heReuse}, heMultiple...))
	default:
		word(d, fHE4, known, append([]hePart{heReuse}, heSingle...))
	}
	word(d, fHE5, known, heWord5)
	word(d, fHE6, known, heWord6)
}

// word reads one word with the fields that fit what is known.
func word(d *dissect.D, f *dissect.Field, known uint64, parts []hePart) {
	fields := make([]*dissect.Field, len(parts))
	for i, p := range parts {
		fields[i] = p.known
		if p.bit >= 0 && known>>p.bit&1 == 0 {
			fields[i] = p.unknown
		}
	}
	d.Bits(f, fields...)
}
