package ftp

import (
	"bytes"
	"net/netip"

	"remora/dissect"
)

var (
	fPassIP   = proto.IPv4("passive.ip", "Passive IP address", "Where the server waits for the connection.")
	fPassPort = proto.Uint16("passive.port", "Passive port", "The port at which it waits.")
	fPassNAT  = proto.Bool("passive.nat", "Passive IP NAT",
		"The address is not that of the server here: a router translates.").TrueFalse("True", "False").Derived()
	fActIP   = proto.IPv4("active.cip", "Active IP address", "Where the client waits for the connection.")
	fActPort = proto.Uint16("active.port", "Active port", "The port at which it waits.")
	fActNAT  = proto.Bool("active.nat", "Active IP NAT",
		"The address is not that of the client here: a router translates.").TrueFalse("True", "False").Derived()
	fExtAF = proto.Uint8("eprt.af", "Extended active address family", "Which kind of address follows.").
		Named(dissect.Values{1: "IPv4", 2: "IPv6"})
	fExtIP    = proto.IPv4("eprt.ip", "Extended active IP address", "Where the client waits for the connection.")
	fExtIP6   = proto.IPv6("eprt.ipv6", "Extended active IPv6 address", "Where the client waits for the connection.")
	fExtPort  = proto.Uint16("eprt.port", "Extended active port", "The port at which it waits.")
	fEpsvIP   = proto.IPv4("epsv.ip", "Extended passive IPv4 address", "The server's address.").Derived()
	fEpsvIP6  = proto.IPv6("epsv.ipv6", "Extended passive IPv6 address", "The server's address.").Derived()
	fEpsvPort = proto.Uint16("epsv.port", "Extended passive port", "The port at which the server waits.")
	nEPRT     = proto.Expert("eprt.args_invalid", dissect.Warn,
		"EPRT arguments must have the form: |<family>|<addr>|<port>|").About(dissect.AboutMalformed)
	nEPSV = proto.Expert("epsv.args_invalid", dissect.Warn, "EPSV arguments must have the form (|||<port>|)").
		About(dissect.AboutMalformed)
)

// An end is where a file will pass, as a line says it. Offsets count from the text that was read.
type end struct {
	ok, given        bool // given: the address is named, not only the port
	addr             dissect.Addr
	bits             uint64 // of an IPv4 address
	port             uint16
	family           uint8
	addrAt, addrSize int
	portAt, portSize int
}

// announcement shows where a file will pass.
func (l *line) announcement() {
	code, _, _ := answerCode(l.text)
	if l.note.Server {
		if e := passiveEnd(code, l.text); code == 227 {
			l.both(e, l.at, fPassIP, fPassPort, fPassNAT)
		} else {
			l.own()
			l.d.Put(fEpsvPort, uint64(e.port), l.at+e.portAt, e.portSize)
		}
		return
	}
	word, rest, _ := bytes.Cut(l.text, []byte{' '})
	at := l.at + len(word) + 1
	if e := activeEnd(kinds[uint64(verbOf(word))], rest); e.family == 0 {
		l.both(e, at, fActIP, fActPort, fActNAT)
	} else {
		l.extended(e, at)
	}
}

// both shows an address and a port, and whether the address is that of the packet's sender.
func (l *line) both(e end, at int, ip, port, nat *dissect.Field) {
	d := l.d
	d.Put(ip, e.bits, at+e.addrAt, e.addrSize)
	d.Put(port, uint64(e.port), at+e.portAt, e.portSize)
	if e.addr != d.Src.Addr {
		d.Set(nat, 1)
	}
}

// own shows the address of the packet's sender, which EPSV leaves out.
func (l *line) own() {
	d := l.d
	if addr := d.Src.Addr.Netip(); addr.Is4() {
		b := addr.As4()
		d.Set(fEpsvIP, bits4(b[:]))
	} else if addr.Is6() {
		b := addr.As16()
		d.SetText(fEpsvIP6, string(b[:]))
	}
}

// bits4 is an IPv4 address as a number.
func bits4(b []byte) uint64 {
	return uint64(b[0])<<24 | uint64(b[1])<<16 | uint64(b[2])<<8 | uint64(b[3])
}

func (l *line) extended(e end, at int) {
	d := l.d
	d.Put(fExtAF, uint64(e.family), at+1, 1)
	if e.family == 1 {
		d.Put(fExtIP, e.bits, at+e.addrAt, e.addrSize)
	} else {
		b := e.addr.Netip().As16()
		d.PutText(fExtIP6, string(b[:]), at+e.addrAt, e.addrSize)
	}
	d.Put(fExtPort, uint64(e.port), at+e.portAt, e.portSize)
}

// activeEnd reads the argument of PORT or EPRT.
func activeEnd(verb string, arg []byte) end {
	if verb == "PORT" {
		return sixNumbers(arg, 0)
	}
	if len(arg) < 2 {
		return end{}
	}
	f := bytes.Split(arg[1:], arg[:1]) // the first byte parts the others (RFC 2428 section 2)
	if len(f) < 3 || len(f[0]) != 1 || f[0][0] != '1' && f[0][0] != '2' {
		return end{}
	}
	addr, err := netip.ParseAddr(string(f[1][:min(len(f[1]), 64)]))
	n, ok := number(f[2], 65535)
	e := end{ok: ok && err == nil && addr.Is4() == (f[0][0] == '1'), given: true, port: uint16(n), family: f[0][0] - '0'}
	e.addrAt, e.addrSize = 3, len(f[1])
	e.portAt, e.portSize = 4+len(f[1]), len(f[2])
	if b := addr.AsSlice(); len(b) == 4 {
		e.addr, e.bits = dissect.IPv4Addr(b), bits4(b)
	} else if len(b) == 16 {
		e.addr = dissect.IPv6Addr(b)
	}
	return e
}

// passiveEnd reads the answer to PASV or EPSV.
func passiveEnd(code uint64, text []byte) end {
	if code == 227 {
		for i := 4; i < len(text); i++ { // servers write different words in front
			if text[i] >= '0' && text[i] <= '9' {
				if e := sixNumbers(text[i:], i); e.ok {
					return e
				}
			}
		}
		return end{}
	}
	open := bytes.IndexByte(text, '(')
	if open < 0 || len(text) < open+6 {
		return end{}
	}
	mark := text[open+1]
	if text[open+2] != mark || text[open+3] != mark {
		return end{}
	}
	size := bytes.IndexByte(text[open+4:], mark)
	if size < 0 {
		return end{}
	}
	n, ok := number(text[open+4:open+4+size], 65535)
	return end{ok: ok, port: uint16(n), portAt: open + 4, portSize: size}
}

// sixNumbers reads h1,h2,h3,h4,p1,p2 (RFC 959 section 5.2), which may be followed by other text.
func sixNumbers(b []byte, at int) (e end) {
	var v [6]byte
	i := 0
	for k := range v {
		from := i
		for i < len(b) && i-from < 4 && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		n, ok := number(b[from:i], 255)
		if !ok || k < 5 && (i >= len(b) || b[i] != ',') {
			return end{}
		}
		v[k] = byte(n)
		switch k {
		case 3:
			e.addrSize = i
		case 4:
			e.portAt = at + from
		}
		if k < 5 {
			i++
		}
	}
	e.ok, e.given, e.addr, e.port = true, true, dissect.IPv4Addr(v[:4]), uint16(v[4])<<8|uint16(v[5])
	e.bits = bits4(v[:])
	e.addrAt, e.portSize = at, at+i-e.portAt
	return e
}

func number(b []byte, most int) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' || n > most {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, len(b) > 0 && n <= most
}
