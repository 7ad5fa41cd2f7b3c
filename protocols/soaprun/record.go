package soaprun

import (
	"fmt"
	"net/netip"
	"strings"

	"remora/dissect"
)

// record reads the line with the server's address and says which rule it breaks, "" for none.
func record(d *dissect.D, b []byte, base int, r *reply) (why string) {
	d.Bytes(fRecord, r.record.to-r.record.from)
	open := strings.EqualFold(string(r.token(b, tokenStatus)), "open")
	version := atoi(r.token(b, tokenVersion))
	port := atoi(r.token(b, tokenPort))
	address, err := netip.ParseAddr(string(r.token(b, tokenIP)))
	known := err == nil && address.Is4() && port > 0 && port <= 65535
	put := func(f *dissect.Field, i int) bool {
		if i < r.count {
			d.Put(f, 0, base+r.tokens[i].from, r.tokens[i].to-r.tokens[i].from)
		}
		return i < r.count
	}
	d.Below(func() {
		put(fDate, tokenDate)
		put(fStatus, tokenStatus)
		d.Set(fOpen, truth(open))
		if put(fAddress, tokenIP); err == nil && address.Is4() {
			a := address.As4()
			d.Set(fIP, dissect.IPv4Addr(a[:]).Uint64())
		}
		if s := r.tokens[tokenPort]; tokenPort < r.count {
			d.Put(fPort, port, base+s.from, s.to-s.from)
		}
		if port == 0 || port > 65535 {
			d.Expert(nPort)
		}
		put(fName, tokenProtocol)
		if s := r.tokens[tokenVersion]; tokenVersion < r.count {
			d.Put(fVersion, version, base+s.from, s.to-s.from)
		}
		comments(d, b, base, r, open)
	})
	if known {
		follow(d, address, uint16(port))
	}
	if !open {
		d.Expert(nClosed)
	}
	return verdict(d, b, r, open, version)
}

func comments(d *dissect.D, b []byte, base int, r *reply, open bool) {
	for i := tokenComment; i < r.count; i++ {
		s := r.tokens[i]
		d.Put(fComment, 0, base+s.from, s.to-s.from)
		d.Below(func() {
			if d.Wanted(fShown) {
				d.SetText(fShown, dissect.ShiftJIS.Decode(shown(s.of(b))))
			}
			d.Set(fPrinted, truth(!open))
		})
	}
	if r.more.to > r.more.from {
		d.Put(fExcess, 0, base+r.more.from, r.more.to-r.more.from)
	}
}

// verdict says what the game does with a record that it can read.
func verdict(d *dissect.D, b []byte, r *reply, open bool, version uint64) (why string) {
	name := string(r.token(b, tokenProtocol))
	if open {
		switch {
		case name != protocolName:
			return fmt.Sprintf("The protocol is %q, not %s", name, protocolName)
		case version != protocolVersion:
			return fmt.Sprintf("The version is %d, not %d", version, protocolVersion)
		}
		d.Set(fAccepted, 1)
	} else {
		d.Set(fAccepted, 0)
	}
	if d.Info().Wanted() {
		state := "closed"
		if open {
			state = "open"
		}
		text := fmt.Sprintf("%s, %s:%s", state, r.token(b, tokenIP), r.token(b, tokenPort))
		for i := tokenComment; i < r.count && !open; i++ {
			if c := shown(r.tokens[i].of(b)); len(c) > 0 {
				text += fmt.Sprintf(" %q", dissect.ShiftJIS.Decode(c))
			}
		}
		d.Info().Setf("%s", text)
	}
	return ""
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// follow makes connections to the server that a reply names this protocol's, whatever its port.
func follow(d *dissect.D, address netip.Addr, port uint16) {
	a := address.As4()
	e := dissect.Endpoint{Addr: dissect.IPv4Addr(a[:]), Port: port}
	d.Ends().Claim(e)
	servers.FirstPassAt(d, e, func(s *server) none {
		if s.named == 0 {
			s.named = d.Frame
		}
		return none{}
	})
	d.Links().ShowForward(fUsed)
}
