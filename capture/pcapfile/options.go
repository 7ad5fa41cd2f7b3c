package pcapfile

import (
	"net/netip"

	"remora/capture"
	"remora/capture/internal/pcapng"
)

func readSection(b []byte, big bool) capture.Section {
	s := capture.Section{BigEndian: big}
	pcapng.Options(b, big, func(code uint16, v []byte) bool {
		switch code {
		case pcapng.OptComment:
			s.Comments = append(s.Comments, pcapng.Text(v))
		case pcapng.ShbHardware:
			s.Hardware = pcapng.Text(v)
		case pcapng.ShbOS:
			s.OS = pcapng.Text(v)
		case pcapng.ShbApp:
			s.Application = pcapng.Text(v)
		}
		return true
	})
	return s
}

func readInterface(i *capture.Interface, b []byte) {
	pcapng.Options(b, i.BigEndian, func(code uint16, v []byte) bool {
		switch {
		case code == pcapng.OptComment:
			i.Comments = append(i.Comments, pcapng.Text(v))
		case code == pcapng.IfName:
			i.Name = pcapng.Text(v)
		case code == pcapng.IfDescription:
			i.Description = pcapng.Text(v)
		case code == pcapng.IfIPv4 && len(v) == 8:
			addAddress(i, netip.AddrFrom4([4]byte(v)), ones(v[4:]))
		case code == pcapng.IfIPv6 && len(v) == 17:
			addAddress(i, netip.AddrFrom16([16]byte(v)), int(v[16]))
		case code == pcapng.IfMAC && len(v) == 6:
			i.MAC = append([]byte(nil), v...)
		case code == pcapng.IfSpeed && len(v) == 8:
			i.Speed = pcapng.U64(v, i.BigEndian)
		case code == pcapng.IfTSResol && len(v) == 1:
			i.TimeResolution = v[0]
		case code == pcapng.IfFilter && len(v) > 1 && v[0] == 0: // 0: a string for libpcap
			i.Filter = pcapng.Text(v[1:])
		case code == pcapng.IfOS:
			i.OS = pcapng.Text(v)
		case code == pcapng.IfFCSLen && len(v) == 1:
			i.FCSLen = int(v[0])
		case code == pcapng.IfTSOffset && len(v) == 8:
			i.TimeOffset = int64(pcapng.U64(v, i.BigEndian))
		case code == pcapng.IfHardware:
			i.Hardware = pcapng.Text(v)
		}
		return true
	})
}

func addAddress(i *capture.Interface, a netip.Addr, bits int) {
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
