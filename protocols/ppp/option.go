package ppp

import "remora/dissect"

// mapBits are the control characters of the map, one bit each (RFC 1662 section 7.1).
var mapBits = []*dissect.Field{
	lcp.Bool("opt.asyncmap.nul", "NUL", "Whether it must be escaped: NUL.").Wide(4).Masked(0x1).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.soh", "SOH", "Whether it must be escaped: SOH.").Wide(4).Masked(0x2).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.stx", "STX", "Whether it must be escaped: STX.").Wide(4).Masked(0x4).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.etx", "ETX", "Whether it must be escaped: ETX.").Wide(4).Masked(0x8).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.eot", "EOT", "Whether it must be escaped: EOT.").Wide(4).Masked(0x10).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.enq", "ENQ", "Whether it must be escaped: ENQ.").Wide(4).Masked(0x20).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.ack", "ACK", "Whether it must be escaped: ACK.").Wide(4).Masked(0x40).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.bel", "BEL", "Whether it must be escaped: BEL.").Wide(4).Masked(0x80).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.bs", "BS", "Whether it must be escaped: BS.").Wide(4).Masked(0x100).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.ht", "HT", "Whether it must be escaped: HT.").Wide(4).Masked(0x200).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.lf", "LF", "Whether it must be escaped: LF.").Wide(4).Masked(0x400).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.vt", "VT", "Whether it must be escaped: VT.").Wide(4).Masked(0x800).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.ff", "FF", "Whether it must be escaped: FF.").Wide(4).Masked(0x1000).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.cr", "CR", "Whether it must be escaped: CR.").Wide(4).Masked(0x2000).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.so", "SO", "Whether it must be escaped: SO.").Wide(4).Masked(0x4000).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.si", "SI", "Whether it must be escaped: SI.").Wide(4).Masked(0x8000).TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.dle", "DLE", "Whether it must be escaped: DLE.").Wide(4).Masked(0x10000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.dc1", "DC1 (XON)", "Whether it must be escaped: DC1 (XON).").Wide(4).Masked(0x20000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.dc2", "DC2", "Whether it must be escaped: DC2.").Wide(4).Masked(0x40000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.dc3", "DC3 (XOFF)", "Whether it must be escaped: DC3 (XOFF).").Wide(4).Masked(0x80000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.dc4", "DC4", "Whether it must be escaped: DC4.").Wide(4).Masked(0x100000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.nak", "NAK", "Whether it must be escaped: NAK.").Wide(4).Masked(0x200000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.syn", "SYN", "Whether it must be escaped: SYN.").Wide(4).Masked(0x400000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.etb", "ETB", "Whether it must be escaped: ETB.").Wide(4).Masked(0x800000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.can", "CAN", "Whether it must be escaped: CAN.").Wide(4).Masked(0x1000000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.em", "EM", "Whether it must be escaped: EM.").Wide(4).Masked(0x2000000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.sub", "SUB", "Whether it must be escaped: SUB.").Wide(4).Masked(0x4000000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.esc", "ESC", "Whether it must be escaped: ESC.").Wide(4).Masked(0x8000000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.fs", "FS", "Whether it must be escaped: FS.").Wide(4).Masked(0x10000000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.gs", "GS", "Whether it must be escaped: GS.").Wide(4).Masked(0x20000000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.rs", "RS", "Whether it must be escaped: RS.").Wide(4).Masked(0x40000000).
		TrueFalse("True", "False"),
	lcp.Bool("opt.asyncmap.us", "US", "Whether it must be escaped: US.").Wide(4).Masked(0x80000000).
		TrueFalse("True", "False"),
}

// Options of CCP (RFC 2118 and RFC 3078, RFC 1977, RFC 1979).
var (
	cBits = ccp.Uint32("opt.supported_bits", "Supported Bits", "What is asked for: Supported Bits.").Hex()
	cVD   = ccp.Uint8("opt.vd", "Vers/Dict", "Version and dictionary: Vers/Dict.").Hex()
)

var supportedBits = []*dissect.Field{
	ccp.Bool("opt.supported_bits.h", "H", "What is asked for: H.").Wide(4).Masked(0x1000000).
		TrueFalse("Stateless mode ON", "Stateless mode OFF"),
	ccp.Bool("opt.supported_bits.m", "M", "What is asked for: M.").Wide(4).Masked(0x80).
		TrueFalse("56-bit encryption ON", "56-bit encryption OFF"),
	ccp.Bool("opt.supported_bits.s", "S", "What is asked for: S.").Wide(4).Masked(0x40).
		TrueFalse("128-bit encryption ON", "128-bit encryption OFF"),
	ccp.Bool("opt.supported_bits.l", "L", "What is asked for: L.").Wide(4).Masked(0x20).
		TrueFalse("40-bit encryption ON", "40-bit encryption OFF"),
	ccp.Bool("opt.supported_bits.d", "D", "What is asked for: D.").Wide(4).Masked(0x10).
		TrueFalse("Obsolete (should NOT be 1)", "Obsolete (should ALWAYS be 0)"),
	ccp.Bool("opt.supported_bits.c", "C", "What is asked for: C.").Wide(4).Masked(0x1).
		TrueFalse("Desire to negotiate MPPC", "No desire to negotiate MPPC"),
}

var dictionaryBits = []*dissect.Field{
	ccp.Uint8("opt.vd.vers", "Vers", "Of BSD Compress: Vers.").Masked(0xe0),
	ccp.Uint8("opt.vd.dict", "Dict", "Of BSD Compress: Dict.").Masked(0x1f),
}

var deflateBits = []*dissect.Field{
	ccp.Uint8("opt.window", "Window", "Of Deflate: Window.").Masked(0xf0),
	ccp.Uint8("opt.method", "Method", "Of Deflate: Method.").Masked(0xf).Named(dissect.Values{8: "zlib compression"}),
}

var deflateCheck = []*dissect.Field{
	ccp.Uint8("opt.mbz", "MBZ", "Of Deflate: MBZ.").Masked(0xfc),
	ccp.Uint8("opt.chk", "Chk", "Of Deflate: Chk.").Masked(0x3).Named(dissect.Values{0: "sequence number check method"}),
}

// compression reads the value of an option of CCP.
func compression(d *dissect.D, kind uint64) {
	switch {
	case kind == 18 && d.Left() == 4:
		d.Bits(cBits, supportedBits...)
	case kind == 21 && d.Left() == 1:
		d.Bits(cVD, dictionaryBits...)
	case kind == 26 && d.Left() == 2:
		d.Bits(deflateBits[0], deflateBits[1:]...)
		d.Bits(deflateCheck[0], deflateCheck[1:]...)
	}
}
