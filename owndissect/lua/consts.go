package lua

import lua "github.com/yuin/gopher-lua"

// The numbers of Wireshark 4.0's API. Scripts name them; some have the numbers themselves.
const (
	ftNone = iota
	ftProtocol
	ftBoolean
	ftChar
	ftUint8
	ftUint16
	ftUint24
	ftUint32
	ftUint40
	ftUint48
	ftUint56
	ftUint64
	ftInt8
	ftInt16
	ftInt24
	ftInt32
	ftInt40
	ftInt48
	ftInt56
	ftInt64
	ftSFloat11073
	ftFloat11073
	ftFloat
	ftDouble
	ftAbsolute
	ftRelative
	ftString
	ftStringZ
	ftUintString
	ftEther
	ftBytes
	ftUintBytes
	ftIPv4
	ftIPv6
	ftIPX
	ftFrameNum
	ftGUID
	ftOID
	ftEUI64
	ftAX25
	ftVINES
	ftRelOID
	ftSystemID
	ftStringZPad
	ftFCWWN
	ftStringZTrunc
)

const (
	baseDec       = 1
	baseHex       = 2
	baseOct       = 3
	baseDecHex    = 4
	baseHexDec    = 5
	baseDot       = 8
	baseDash      = 9
	baseColon     = 10
	baseSpace     = 11
	baseUTC       = 19
	baseDayOfYear = 20
	baseRange     = 0x100
	baseUnit      = 0x1000

	encLittle   = 0x80000000
	encText     = 0xfffe & 0xffff
	encASCII    = 0
	encUTF8     = 2
	encUTF16    = 4
	encStrNum   = 0x01000000
	encStrHex   = 0x02000000
	encSepNone  = 0x00010000
	encSepColon = 0x00020000
	encSepDash  = 0x00040000
	encSepDot   = 0x00080000
	encSepSpace = 0x00100000

	encDate          = 0x00010000
	encTime          = 0x00020000
	encDateTime      = 0x00030000
	encRFC822        = 0x00040000
	encRFC1123       = 0x00080000
	encDateTimeBasic = 0x00100000
	encTimes         = 0x001f0000

	piComment = 0x00100000
	piChat    = 0x00200000
	piNote    = 0x00400000
	piWarn    = 0x00600000
	piError   = 0x00800000
)

var sizes = map[int]int{ftChar: 1, ftUint8: 1, ftUint16: 2, ftUint24: 3, ftUint32: 4, ftUint40: 5, ftUint48: 6,
	ftUint56: 7, ftUint64: 8, ftInt8: 1, ftInt16: 2, ftInt24: 3, ftInt32: 4, ftInt40: 5, ftInt48: 6, ftInt56: 7,
	ftInt64: 8, ftFloat: 4, ftDouble: 8, ftIPv4: 4, ftIPv6: 16, ftEther: 6, ftGUID: 16, ftIPX: 4, ftFrameNum: 4,
	ftEUI64: 8}

// typeNumbers are ftypes, by name.
var typeNumbers = []string{"NONE", "PROTOCOL", "BOOLEAN", "CHAR", "UINT8", "UINT16", "UINT24", "UINT32", "UINT40",
	"UINT48", "UINT56", "UINT64", "INT8", "INT16", "INT24", "INT32", "INT40", "INT48", "INT56", "INT64",
	"IEEE_11073_SFLOAT", "IEEE_11073_FLOAT", "FLOAT", "DOUBLE", "ABSOLUTE_TIME", "RELATIVE_TIME", "STRING", "STRINGZ",
	"UINT_STRING", "ETHER", "BYTES", "UINT_BYTES", "IPv4", "IPv6", "IPXNET", "FRAMENUM", "GUID", "OID", "EUI64", "AX25",
	"VINES", "REL_OID", "SYSTEM_ID", "STRINGZPAD", "FCWWN", "STRINGZTRUNC", "OVERFLOW", "BADARG", "ERROR"}

func (m *machine) numbers(name string, of map[string]int) {
	t := m.l.NewTable()
	for k, v := range of {
		t.RawSetString(k, lua.LNumber(v))
	}
	m.l.SetGlobal(name, t)
}

func (m *machine) openConstants() {
	types := map[string]int{}
	for i, name := range typeNumbers {
		types[name] = i
	}
	m.numbers("ftypes", types)
	m.numbers("base", map[string]int{"NONE": 0, "DEC": 1, "HEX": 2, "OCT": 3, "DEC_HEX": 4, "HEX_DEC": 5, "CUSTOM": 6,
		"EXP": 7, "DOT": 8, "DASH": 9, "COLON": 10, "SPACE": 11, "NETMASK": 12, "PT_UDP": 13, "PT_TCP": 14, "PT_DCCP": 15,
		"PT_SCTP": 16, "OUI": 17, "LOCAL": 18, "UTC": 19, "DOY_UTC": 20, "NTP_UTC": 21, "RANGE_STRING": baseRange,
		"UNIT_STRING": baseUnit})
	m.numbers("frametype", map[string]int{"NONE": 0, "REQUEST": 1, "RESPONSE": 2, "ACK": 3, "DUP_ACK": 4,
		"RETRANS_PREV": 5, "RETRANS_NEXT": 6})
	m.numbers("wtap_tsprecs", map[string]int{"SEC": 0, "DSEC": 1, "CSEC": 2, "MSEC": 3, "USEC": 6, "NSEC": 9})
	m.numbers("wtap_comments", map[string]int{"PER_SECTION": 1, "PER_INTERFACE": 2, "PER_PACKET": 4})
	m.numbers("wtap_rec_types", map[string]int{"PACKET": 0, "FT_SPECIFIC_EVENT": 1, "FT_SPECIFIC_REPORT": 2, "SYSCALL": 3,
		"SYSTEMD_JOURNAL_EXPORT": 4, "CUSTOM_BLOCK": 5})
	m.numbers("wtap_presence_flags", map[string]int{"TS": 1, "CAP_LEN": 2, "INTERFACE_ID": 4, "SECTION_NUMBER": 8})
	m.numbers("wtap_filetypes", fileTypes)
	encaps := map[string]int{}
	for name, e := range encapsulations {
		encaps[name] = e.number
	}
	m.numbers("wtap_encaps", encaps)
	m.l.SetGlobal("wtap", m.l.GetGlobal("wtap_encaps"))
	group := map[string]int{"CHECKSUM": 1, "SEQUENCE": 2, "RESPONSE_CODE": 3, "REQUEST_CODE": 4, "UNDECODED": 5,
		"REASSEMBLE": 6, "MALFORMED": 7, "DEBUG": 8, "PROTOCOL": 9, "SECURITY": 10, "COMMENTS_GROUP": 11, "DECRYPTION": 12,
		"ASSUMPTION": 13, "DEPRECATED": 14}
	severity := map[string]int{"COMMENT": piComment, "CHAT": piChat, "NOTE": piNote, "WARN": piWarn, "ERROR": piError}
	groups, severities := m.l.NewTable(), m.l.NewTable()
	for k, v := range group {
		groups.RawSetString(k, lua.LNumber(v<<24))
		m.l.SetGlobal("PI_"+k, lua.LNumber(v<<24))
	}
	for k, v := range severity {
		severities.RawSetString(k, lua.LNumber(v))
		m.l.SetGlobal("PI_"+k, lua.LNumber(v))
	}
	expert := m.l.NewTable()
	expert.RawSetString("group", groups)
	expert.RawSetString("severity", severities)
	m.l.SetGlobal("expert", expert)
	for k, v := range plainNumbers {
		m.l.SetGlobal(k, lua.LNumber(v))
	}
}
