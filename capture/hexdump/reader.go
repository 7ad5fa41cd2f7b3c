package hexdump

import (
	"encoding/binary"
	"strconv"
)

type state uint8

const (
	between state = iota // packets
	atLine               // at the start of one
	afterOffset
	inBytes
	inText
)

// A reader puts packets together from tokens.
type reader struct {
	o       Options
	out     []byte
	packets int

	state    state
	packet   []byte
	started  bool
	line     int    // where the bytes of the line begin
	preamble string // the text in front of the packet
	sec, ns  int64  // of the packet
}

func (r *reader) token(t token, text []byte) {
	switch r.state {
	case between, atLine:
		r.outside(t, text)
	case afterOffset:
		switch t {
		case aByte:
			r.state = inBytes
			r.add(text)
		case anEnd:
			r.state = atLine
		default:
			r.state = inText
		}
	case inBytes:
		if t == aByte {
			r.add(text)
			return
		}
		if r.state = inText; t == anEnd {
			r.state = atLine
		}
		if r.o.ASCII {
			r.dropText(t == anEnd)
		}
	case inText:
		if t == anEnd {
			r.state = atLine
		}
	}
}

// outside takes a token in front of the bytes of a line.
func (r *reader) outside(t token, text []byte) {
	switch {
	case t == aText:
		if r.preamble != "" {
			r.preamble += " "
		}
		r.preamble += string(text)
	case t == aByte && r.o.Base == 0:
		if r.state == between {
			r.begin()
		}
		r.line, r.state = len(r.packet), inBytes
		r.add(text)
	case (t == anOffset || t == aByte) && r.o.Base != 0:
		n, err := strconv.ParseUint(string(text), r.o.Base, 32)
		if t == aByte || err != nil { // too short for an offset
			return
		}
		r.offset(int(n))
	}
}

func (r *reader) offset(n int) {
	switch {
	case n == 0:
		r.begin()
		r.state = afterOffset
	case r.state == between:
		return
	case n < len(r.packet): // what was taken for bytes was text
		r.packet = r.packet[:n]
		r.state = afterOffset
	case n > len(r.packet): // something is missing: the rest of the packet is ignored
		r.write()
		r.state = between
	default:
		r.state = afterOffset
	}
	r.line = len(r.packet)
}

// begin ends the packet before and begins one.
func (r *reader) begin() {
	r.write()
	if sec, ns, ok := r.o.when(r.preamble); ok {
		r.sec, r.ns = sec, ns
	} else {
		r.ns += 1000
	}
	r.preamble, r.started, r.line = "", true, 0
}

func (r *reader) add(text []byte) {
	if n, err := strconv.ParseUint(string(text), 16, 8); err == nil && len(r.packet) < maxPacket {
		r.packet = append(r.packet, byte(n))
	}
}

// dropText takes back bytes at the end of a line that are the text of those at its beginning, as in "61 62 20  ab ".
func (r *reader) dropText(atEnd bool) {
	line := r.packet[r.line:]
	var text []byte
	for i := 0; i < (len(line)+1)/4 && i*3+1 < len(line); i++ {
		n, err := strconv.ParseUint(string(line[i*3:i*3+2]), 16, 8)
		if err != nil {
			break
		}
		text = append(text, byte(n))
		if i*3+2 >= len(line) || line[i*3+2] != ' ' {
			if !atEnd {
				text = text[:len(text)-1]
			}
			break
		}
	}
	switch n := len(text); {
	case n == 0:
	case string(line[len(line)-n:]) == string(text):
		r.packet = r.packet[:len(r.packet)-n]
	default:
		r.packet = r.packet[:r.line]
	}
}

// write puts the packet into the file.
func (r *reader) write() {
	if len(r.packet) > 0 {
		b := r.o.header.wrap(r.packet, r.o.Link)
		for _, n := range [...]uint32{uint32(r.sec + r.ns/1e9), uint32(r.ns % 1e9), uint32(len(b)), uint32(len(b))} {
			r.out = binary.LittleEndian.AppendUint32(r.out, n)
		}
		r.out = append(r.out, b...)
		r.packets++
	}
	r.packet = r.packet[:0]
}

// wrap puts the dummy headers in front of a packet.
func (h *dummy) wrap(b []byte, link uint32) []byte {
	out := b
	if h.udp {
		head := []byte{byte(h.ports[0] >> 8), byte(h.ports[0]), byte(h.ports[1] >> 8), byte(h.ports[1]),
			byte((len(b) + 8) >> 8), byte(len(b) + 8), 0, 0}
		out = append(head, b...)
		src, dst := h.src.As4(), h.dst.As4()
		pseudo := append(append(append([]byte{}, src[:]...), dst[:]...), 0, 17, head[4], head[5])
		sum := checksum(append(pseudo, out...))
		if sum == 0 {
			sum = 0xffff
		}
		binary.BigEndian.PutUint16(out[6:], sum)
	}
	if h.ip {
		src, dst := h.src.As4(), h.dst.As4()
		head := append([]byte{0x45, 0, byte((len(out) + 20) >> 8), byte(len(out) + 20), 0x12, 0x34, 0, 0, 0xff, h.proto, 0,
			0}, append(src[:], dst[:]...)...)
		binary.BigEndian.PutUint16(head[10:], checksum(head))
		out = append(head, out...)
	}
	if link == 1 && (h.ether || h.ip) {
		kind := h.etherType
		if h.ip {
			kind = 0x800
		}
		out = append(append([]byte(" RECV\x00 SEND\x00"), byte(kind>>8), byte(kind)), out...)
		for len(out) < 60 { // the shortest frame of Ethernet
			out = append(out, 0)
		}
	}
	return out
}

// checksum is the one of the Internet protocols.
func checksum(b []byte) uint16 {
	sum := uint32(0)
	for i := 0; i < len(b); i += 2 {
		sum += uint32(b[i]) << 8
		if i+1 < len(b) {
			sum += uint32(b[i+1])
		}
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}
