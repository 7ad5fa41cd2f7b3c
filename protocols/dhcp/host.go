package dhcp

import (
	"bytes"

	"remora/dissect"
)

// Where the fields stand that tell which host has which address, and the options.
const (
	atClient  = 12
	atYour    = 16
	atOptions = 240
	ack       = 5
)

// setHost gives an address the host name that goes with it: when a server grants it, the name in its answer or else the
// one that the client asked with; when a client asks from an address that it has, its own.
func (w *waiting) setHost(d *dissect.D, b []byte, op uint64, x exchange) {
	if !d.Names().Wanted() || len(b) < atOptions {
		return
	}
	kind, host := hostOf(b[atOptions:])
	at := b[atClient:atYour]
	switch {
	case op == bootRequest:
		if w.hosts == nil || len(w.hosts) >= maxWaiting {
			w.hosts = map[exchange]string{}
		}
		if host != "" {
			w.hosts[x] = host
		}
	case kind != ack:
		return
	default:
		if host == "" {
			host = w.hosts[x]
		}
		if your := b[atYour : atYour+4]; !zero(your) {
			at = your
		}
	}
	if !zero(at) {
		d.Names().SetHost(dissect.IPv4Addr(at), host)
	}
}

func zero(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// hostOf finds the type of the message and the host name in its options (RFC 2132 sections 3.14 and 9.6).
func hostOf(b []byte) (kind byte, host string) {
	const optHost = 12
	for i, p := 0, (dissect.Progress{}); i+1 < len(b) && b[i] != optEnd && p.Up(i); {
		if b[i] == optPad {
			i++
			continue
		}
		value := b[i+2:]
		value = value[:min(len(value), int(b[i+1]))]
		switch {
		case b[i] == optType && len(value) == 1:
			kind = value[0]
		case b[i] == optHost:
			host = string(bytes.TrimRight(value, "\x00"))
		}
		i += 2 + int(b[i+1])
	}
	return kind, host
}
