// Package hexdump reads packets from hexadecimal dumps as text2pcap does: lines of an offset and bytes, a packet for
// each offset 0, and text around them that means nothing but a time.
package hexdump

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Options are those of text2pcap.
type Options struct {
	Base   int    // of offsets: 16, 8, 10, or 0 where lines have none and the file is one packet
	Time   string // the format of the text in front of a packet, as strptime has it, with %f; "ISO"; "" for none
	Now    time.Time
	ASCII  bool // text beside the bytes may look like bytes
	Link   uint32
	header dummy
}

// A dummy is what stands in front of each packet's bytes.
type dummy struct {
	ether, ip, udp bool
	etherType      uint16
	proto          uint8
	src, dst       netip.Addr
	ports          [2]uint16
}

// Parse reads the words of text2pcap's command line: -o -t -a -l -e -i -4 -u.
func Parse(words string) (o Options, err error) {
	o = Options{Base: 16, Link: 1, Now: time.Now()}
	o.header.src, o.header.dst = netip.AddrFrom4([4]byte{10, 1, 1, 1}), netip.AddrFrom4([4]byte{10, 2, 2, 2})
	list := strings.Fields(words)
	for len(list) > 0 && err == nil {
		flag, value := list[0], ""
		if list = list[1:]; flag == "-a" {
			o.ASCII = true
			continue
		}
		if len(flag) > 2 && flag[0] == '-' { // -u1,2
			flag, value = flag[:2], flag[2:]
		} else if len(list) > 0 {
			value, list = list[0], list[1:]
		}
		if value == "" && strings.HasPrefix(flag, "-") {
			return o, fmt.Errorf("%s takes a value", flag)
		}
		err = o.take(flag, value)
	}
	return o, err
}

func (o *Options) take(flag, value string) error {
	h := &o.header
	bad := func(ok bool) error {
		if ok {
			return nil
		}
		return fmt.Errorf("%s %s is not what text2pcap takes", flag, value)
	}
	switch flag {
	case "-o":
		base, ok := map[string]int{"h": 16, "hex": 16, "o": 8, "oct": 8, "d": 10, "dec": 10, "n": 0, "none": 0}[value]
		o.Base = base
		return bad(ok)
	case "-t":
		o.Time = value
	case "-l":
		n, err := strconv.ParseUint(value, 0, 32)
		o.Link = uint32(n)
		return bad(err == nil)
	case "-e":
		n, err := strconv.ParseUint(strings.TrimPrefix(value, "0x"), 16, 16)
		h.ether, h.etherType = true, uint16(n)
		return bad(err == nil)
	case "-i":
		n, err := strconv.ParseUint(value, 10, 8)
		h.ip, h.proto = true, uint8(n)
		return bad(err == nil)
	case "-4":
		from, to, _ := strings.Cut(value, ",")
		src, err1 := netip.ParseAddr(from)
		dst, err2 := netip.ParseAddr(to)
		h.ip, h.src, h.dst = true, src, dst
		return bad(err1 == nil && err2 == nil && src.Is4() && dst.Is4())
	case "-u":
		from, to, _ := strings.Cut(value, ",")
		src, err1 := strconv.ParseUint(from, 10, 16)
		dst, err2 := strconv.ParseUint(to, 10, 16)
		h.ip, h.udp, h.proto, h.ports = true, true, 17, [2]uint16{uint16(src), uint16(dst)}
		return bad(err1 == nil && err2 == nil)
	default:
		return fmt.Errorf("%s is no option here: those of text2pcap are -o -t -a -l -e -i -4 -u", flag)
	}
	return nil
}

// maxPacket is how long a packet gets; what follows is the next one, as in text2pcap.
const maxPacket = 262144

// Pcap makes a capture file of a dump.
func Pcap(text []byte, o Options) ([]byte, error) {
	r := reader{o: o, sec: o.Now.Unix()}
	r.out = binary.LittleEndian.AppendUint32(r.out, 0xa1b23c4d)
	r.out = append(r.out, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	r.out = binary.LittleEndian.AppendUint32(r.out, maxPacket+64)
	r.out = binary.LittleEndian.AppendUint32(r.out, o.Link)
	scan(text, r.token)
	if r.write(); r.packets == 0 {
		return nil, fmt.Errorf("there is no packet in it: a packet begins with the offset 0 at the start of a line")
	}
	return r.out, nil
}
