package dhcp

import (
	"fmt"
	"net/netip"

	"remora/dissect"
)

// search reads the list of domains, whose names may point to earlier ones.
func search(d *dissect.D) {
	b, start := d.Data(), d.Pos()
	for at, more := 0, d.Elements(); at < len(b) && more.Next(); {
		text, n := domain(b, at)
		if n == 0 {
			d.Expert(nLength)
			d.Rest(fValue)
			return
		}
		d.PutText(fSearch, text, start+at, n)
		d.Skip(n)
		at += n
	}
}

// domain reads a name in the format of DNS (RFC 1035 section 3.1). It returns how many bytes it takes at its place, 0
// when it is wrong.
func domain(b []byte, at int) (text string, taken int) {
	here := true
	for jumps, total := 0, 0; at < len(b) && jumps < 32 && total < 256; {
		n := int(b[at])
		switch {
		case n == 0:
			if here {
				taken++
			}
			return text, taken
		case n >= 0xc0 && at+1 < len(b):
			to := n&0x3f<<8 | int(b[at+1])
			if here {
				taken, here = taken+2, false
			}
			if to >= at {
				return "", 0
			}
			at = to
			jumps++
		case n < 0x40 && at+1+n <= len(b):
			if text != "" {
				text += "."
			}
			text += string(b[at+1 : at+1+n])
			if here {
				taken += 1 + n
			}
			at += 1 + n
			total += 1 + n
		default:
			return "", 0
		}
	}
	if here && at == len(b) { // some leave out the root
		return text, taken
	}
	return "", 0
}

// routes reads routes as RFC 3442 packs them: of the network only the bytes that its width needs are there.
func routes(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		width := int(d.Peek(0))
		n := (width + 7) / 8
		if width > 32 {
			d.Expert(nLength)
			d.Rest(fValue)
			return
		}
		b := d.Bytes(fRoute, 1+n+4)
		if d.Short() || !d.Labelling() {
			continue
		}
		var to, via [4]byte
		copy(to[:], b[1:1+n])
		copy(via[:], b[1+n:])
		text := "default"
		if width > 0 {
			text = fmt.Sprintf("%s/%d", netip.AddrFrom4(to), width)
		}
		d.Suffix(fRoute, fmt.Sprintf(" (%s-%s)", text, netip.AddrFrom4(via)))
	}
}

func sip(d *dissect.D) {
	if d.Uint(fSIP) == 1 {
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			d.IPv4(fSIPAddr)
		}
		return
	}
	for more := d.Elements(); more.Next(); {
		text, n := domain(d.Data(), 0)
		if n == 0 {
			d.Rest(fSIPName)
			return
		}
		d.PutText(fSIPName, text, d.Pos(), n)
		d.Skip(n)
	}
}

// vendor reads option 43: suboptions, where they fit, else bytes.
func vendor(d *dissect.D) {
	b := d.Data()
	at := 0
	for p := (dissect.Progress{}); at+1 < len(b) && b[at] != optEnd && b[at] != optPad && p.Up(at); {
		at += 2 + int(b[at+1])
	}
	if at > len(b) || at < len(b) && b[at] != optEnd && b[at] != optPad {
		d.Rest(fValue)
		return
	}
	d.Put(fSubRaw, 0, d.Pos(), d.Left())
	for more := d.Elements(); more.Next(); {
		kind, n := uint64(d.Peek(0)), int(d.Peek(1))
		if kind == optEnd || kind == optPad || d.Left() < 2 {
			d.Rest(fPad)
			return
		}
		d.Put(fSub43, kind, d.Pos(), 2+n)
		d.Skip(1)
		d.Below(func() {
			d.Uint(fSubLen)
			if n > 0 {
				d.Bytes(fSubPart, n)
			}
		})
	}
}

func vendorClass(d *dissect.D) {
	for more := d.Elements(); d.Left() >= 5 && more.Next(); {
		d.Uint(fVCPEN)
		d.Below(func() {
			if n := int(d.Uint(fVCLen)); n > 0 {
				d.Bytes(fVCData, n)
			}
		})
	}
}

func vendorOptions(d *dissect.D) {
	for more := d.Elements(); d.Left() >= 5 && more.Next(); {
		maker := d.Uint(fVIPEN)
		d.Below(func() {
			n := int(d.Uint(fVILen))
			switch {
			case maker == broadbandForum:
				d.Within(min(n, d.Left()), func() { tr111(d) })
			case n > 0:
				d.Bytes(fVIValue, n)
			}
		})
	}
}
