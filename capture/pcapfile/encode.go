package pcapfile

import (
	"encoding/binary"
	"net/netip"

	"remora/capture"
	"remora/capture/internal/pcapng"
)

// pcapng is written in little-endian order, with time stamps in nanoseconds.

// TimeResolution is the if_tsresol of what is written: nanoseconds.
const TimeResolution = 9

// PacketBlockSize is the size of an enhanced packet block without options.
func PacketBlockSize(capLen int) int { return pcapng.EpbHeader + int(pcapng.Pad4(uint32(capLen))) + 4 }

// PutPacket writes an enhanced packet block without options to the front of b.
func PutPacket(b []byte, iface int, time int64, length uint32, data []byte) {
	n := PacketBlockSize(len(data))
	b = b[:n]
	le := binary.LittleEndian
	t := uint64(time)
	le.PutUint32(b[n-8:], 0) // padding, when there is some; the rest is written over
	le.PutUint32(b[0:], pcapng.BlockPacket)
	le.PutUint32(b[4:], uint32(n))
	le.PutUint32(b[8:], uint32(iface))
	le.PutUint32(b[12:], uint32(t>>32))
	le.PutUint32(b[16:], uint32(t))
	le.PutUint32(b[20:], uint32(len(data)))
	le.PutUint32(b[24:], length)
	le.PutUint32(b[n-4:], uint32(n))
	copy(b[pcapng.EpbHeader:], data)
}

// AppendSection appends a section header block of pcapng 1.0 to dst. The length of the section is not stated.
func AppendSection(dst []byte, s capture.Section) []byte {
	return pcapng.AppendBlock(dst, pcapng.BlockSection, func(b []byte) []byte {
		b = binary.LittleEndian.AppendUint32(b, pcapng.ByteOrderMagic)
		b = append(b, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF) // version 1.0, length not stated
		b = pcapng.AppendComments(b, s.Comments)
		b = pcapng.AppendText(b, pcapng.ShbHardware, s.Hardware)
		b = pcapng.AppendText(b, pcapng.ShbOS, s.OS)
		b = pcapng.AppendText(b, pcapng.ShbApp, s.Application)
		return pcapng.AppendEnd(b)
	})
}

// AppendInterface appends an interface description block, with what is known of the interface as options.
func AppendInterface(dst []byte, i capture.Interface) []byte {
	le := binary.LittleEndian
	return pcapng.AppendBlock(dst, pcapng.BlockInterface, func(b []byte) []byte {
		b = le.AppendUint16(b, uint16(i.LinkType))
		b = le.AppendUint16(b, 0)
		b = le.AppendUint32(b, i.SnapLen)
		b = pcapng.AppendComments(b, i.Comments)
		b = pcapng.AppendText(b, pcapng.IfName, i.Name)
		b = pcapng.AppendText(b, pcapng.IfDescription, i.Description)
		for _, a := range i.Addresses {
			b = appendAddress(b, a)
		}
		if len(i.MAC) == 6 {
			b = pcapng.AppendOption(b, pcapng.IfMAC, i.MAC)
		}
		if i.Speed != 0 {
			b = pcapng.AppendOption(b, pcapng.IfSpeed, le.AppendUint64(nil, i.Speed))
		}
		b = pcapng.AppendOption(b, pcapng.IfTSResol, []byte{TimeResolution})
		if i.Filter != "" {
			b = pcapng.AppendOption(b, pcapng.IfFilter, append([]byte{0}, i.Filter...))
		}
		b = pcapng.AppendText(b, pcapng.IfOS, i.OS)
		if i.FCSLen >= 0 {
			b = pcapng.AppendOption(b, pcapng.IfFCSLen, []byte{byte(i.FCSLen)})
		}
		b = pcapng.AppendText(b, pcapng.IfHardware, i.Hardware)
		return pcapng.AppendEnd(b)
	})
}

func appendAddress(b []byte, p netip.Prefix) []byte {
	a := p.Addr()
	if a.Is4() {
		mask := uint32(0xFFFFFFFF)
		if n := p.Bits(); n < 32 {
			mask = ^(mask >> n)
		}
		ip := a.As4()
		return pcapng.AppendOption(b, pcapng.IfIPv4, binary.BigEndian.AppendUint32(ip[:], mask))
	}
	ip := a.As16()
	return pcapng.AppendOption(b, pcapng.IfIPv6, append(ip[:], byte(p.Bits())))
}

// AppendStats appends an interface statistics block; when is in nanoseconds since 1970.
func AppendStats(dst []byte, iface int, when, started int64, c capture.InterfaceCounts) []byte {
	le := binary.LittleEndian
	stamp := func(t int64) []byte {
		return le.AppendUint32(le.AppendUint32(nil, uint32(uint64(t)>>32)), uint32(t))
	}
	return pcapng.AppendBlock(dst, pcapng.BlockStats, func(b []byte) []byte {
		b = le.AppendUint32(b, uint32(iface))
		b = append(b, stamp(when)...)
		b = pcapng.AppendOption(b, pcapng.IsbStart, stamp(started))
		b = pcapng.AppendOption(b, pcapng.IsbEnd, stamp(when))
		b = pcapng.AppendOption(b, pcapng.IsbIfRecv, le.AppendUint64(nil, c.Received))
		b = pcapng.AppendOption(b, pcapng.IsbIfDrop, le.AppendUint64(nil, c.IfDropped))
		if c.Filtered > 0 {
			b = pcapng.AppendOption(b, pcapng.IsbFilterAccept, le.AppendUint64(nil, c.Filtered))
		}
		b = pcapng.AppendOption(b, pcapng.IsbOSDrop, le.AppendUint64(nil, c.Dropped))
		b = pcapng.AppendOption(b, pcapng.IsbUserDelivered, le.AppendUint64(nil, c.Received))
		return pcapng.AppendEnd(b)
	})
}
