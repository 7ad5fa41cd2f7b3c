package capture

import (
	"net/netip"
	"strings"
)

// Option codes of pcapng.
const (
	optEnd     = 0
	optComment = 1

	shbHardware = 2
	shbOS       = 3
	shbApp      = 4

	ifName        = 2
	ifDescription = 3
	ifIPv4        = 4
	ifIPv6        = 5
	ifMAC         = 6
	ifSpeed       = 8
	ifTSResol     = 9
	ifFilter      = 11
	ifOS          = 12
	ifFCSLen      = 13
	ifTSOffset    = 14
	ifHardware    = 15

	epbFlags     = 2
	epbHash      = 3
	epbDropCount = 4
	epbPacketID  = 5
	epbQueue     = 6
	epbVerdict   = 7

	isbStart  = 2
	isbEnd    = 3
	isbIfRecv = 4
	isbIfDrop = 5

	isbFilterAccept  = 6
	isbOSDrop        = 7
	isbUserDelivered = 8
)

// maxText bounds the strings taken from options: names for people, not places to hide megabytes.
const maxText = 64 << 10

// options calls each option: its code, and its value without padding. It stops at the end mark, at damage, or when
// each says so.
func options(b []byte, big bool, each func(code uint16, v []byte) bool) {
	for len(b) >= 4 {
		code, n := u16(b, big), int(u16(b[2:], big))
		if code == optEnd || n > len(b)-4 || !each(code, b[4:4+n]) {
			return
		}
		b = b[min(4+int(pad4(uint32(n))), len(b)):]
	}
}

// text is an option's string; some writers end it with a zero byte.
func text(v []byte) string {
	return strings.ToValidUTF8(strings.TrimRight(string(v[:min(len(v), maxText)]), "\x00"), "�")
}

func readSection(b []byte, big bool) Section {
	s := Section{BigEndian: big}
	options(b, big, func(code uint16, v []byte) bool {
		switch code {
		case optComment:
			s.Comments = append(s.Comments, text(v))
		case shbHardware:
			s.Hardware = text(v)
		case shbOS:
			s.OS = text(v)
		case shbApp:
			s.Application = text(v)
		}
		return true
	})
	return s
}

func readInterface(i *Interface, b []byte) {
	options(b, i.bigEndian, func(code uint16, v []byte) bool {
		switch {
		case code == optComment:
			i.Comments = append(i.Comments, text(v))
		case code == ifName:
			i.Name = text(v)
		case code == ifDescription:
			i.Description = text(v)
		case code == ifIPv4 && len(v) == 8:
			i.addAddress(netip.AddrFrom4([4]byte(v)), ones(v[4:]))
		case code == ifIPv6 && len(v) == 17:
			i.addAddress(netip.AddrFrom16([16]byte(v)), int(v[16]))
		case code == ifMAC && len(v) == 6:
			i.MAC = append([]byte(nil), v...)
		case code == ifSpeed && len(v) == 8:
			i.Speed = u64(v, i.bigEndian)
		case code == ifTSResol && len(v) == 1:
			i.TimeResolution = v[0]
		case code == ifFilter && len(v) > 1 && v[0] == 0: // 0: a string for libpcap
			i.Filter = text(v[1:])
		case code == ifOS:
			i.OS = text(v)
		case code == ifFCSLen && len(v) == 1:
			i.FCSLen = int(v[0])
		case code == ifTSOffset && len(v) == 8:
			i.TimeOffset = int64(u64(v, i.bigEndian))
		case code == ifHardware:
			i.Hardware = text(v)
		}
		return true
	})
}

func (i *Interface) addAddress(a netip.Addr, bits int) {
	if p := netip.PrefixFrom(a, bits); p.IsValid() && len(i.Addresses) < 256 {
		i.Addresses = append(i.Addresses, p)
	}
}

// ones counts the leading one bits of a netmask.
func ones(mask []byte) (n int) {
	for _, b := range mask {
		for ; b&0x80 != 0; b <<= 1 {
			n++
		}
		if b != 0 || n%8 != 0 {
			return n
		}
	}
	return n
}

// u64 reads 64-bit option values, which are in the section's byte order as a whole.
func u64(b []byte, big bool) uint64 {
	if big {
		return uint64(u32(b, big))<<32 | uint64(u32(b[4:], big))
	}
	return uint64(u32(b[4:], big))<<32 | uint64(u32(b, big))
}
