package filter

import "net/netip"

// A block is a range of addresses for special purposes, from the registries of RFC 6890.
type block struct {
	prefix netip.Prefix
	name   string
	mask   uint64 // 1 source, 2 destination, 4 forwardable, 8 globally reachable, 16 reserved by protocol
}

var blocks = func() []block {
	var out []block
	for _, b := range []struct {
		prefix, name string
		mask         uint64
	}{
		{"0.0.0.0/8", "\"This network\"", 1 | 16},
		{"10.0.0.0/8", "Private-Use", 1 | 2 | 4},
		{"100.64.0.0/10", "Shared Address Space", 1 | 2 | 4},
		{"127.0.0.0/8", "Loopback", 16},
		{"169.254.0.0/16", "Link Local", 1 | 2 | 16},
		{"172.16.0.0/12", "Private-Use", 1 | 2 | 4},
		{"192.0.0.0/24", "IETF Protocol Assignments", 0},
		{"192.0.2.0/24", "Documentation (TEST-NET-1)", 0},
		{"192.31.196.0/24", "AS112-v4", 1 | 2 | 4 | 8},
		{"192.52.193.0/24", "AMT", 1 | 2 | 4 | 8},
		{"192.88.99.0/24", "Deprecated (6to4 Relay Anycast)", 0},
		{"192.168.0.0/16", "Private-Use", 1 | 2 | 4},
		{"192.175.48.0/24", "Direct Delegation AS112 Service", 1 | 2 | 4 | 8},
		{"198.18.0.0/15", "Benchmarking", 1 | 2 | 4},
		{"198.51.100.0/24", "Documentation (TEST-NET-2)", 0},
		{"203.0.113.0/24", "Documentation (TEST-NET-3)", 0},
		{"240.0.0.0/4", "Reserved", 16},
		{"255.255.255.255/32", "Limited Broadcast", 2 | 16},
		{"::1/128", "Loopback Address", 16},
		{"::/128", "Unspecified Address", 1 | 16},
		{"64:ff9b::/96", "IPv4-IPv6 Translat.", 1 | 2 | 4 | 8},
		{"64:ff9b:1::/48", "IPv4-IPv6 Translat.", 1 | 2 | 4},
		{"::ffff:0:0/96", "IPv4-mapped Address", 16},
		{"100::/64", "Discard-Only Address Block", 1 | 2 | 4},
		{"2001::/23", "IETF Protocol Assignments", 0},
		{"2001::/32", "TEREDO", 1 | 2 | 4},
		{"2001:2::/48", "Benchmarking", 1 | 2 | 4},
		{"2001:db8::/32", "Documentation", 0},
		{"2001:20::/28", "ORCHIDv2", 1 | 2 | 4 | 8},
		{"2002::/16", "6to4", 1 | 2 | 4},
		{"fc00::/7", "Unique-Local", 1 | 2 | 4},
		{"fe80::/10", "Link-Local Unicast", 1 | 2 | 16},
	} {
		out = append(out, block{netip.MustParsePrefix(b.prefix), b.name, b.mask})
	}
	return out
}()

// specialBlock is the narrowest block that an address is in, or nil.
func specialBlock(a netip.Addr) *block {
	var best *block
	for i := range blocks {
		if b := &blocks[i]; b.prefix.Contains(a) && (best == nil || b.prefix.Bits() > best.prefix.Bits()) {
			best = b
		}
	}
	return best
}

func specialName(e *eval, v value) (value, bool) {
	b := specialBlock(addrOf(v))
	if b == nil {
		return v, false
	}
	return value{b: e.keep([]byte(b.name)), class: classString}, true
}

func specialMask(_ *eval, v value) (value, bool) {
	b := specialBlock(addrOf(v))
	if b == nil {
		return v, false
	}
	return value{n: b.mask, class: classUint}, true
}
